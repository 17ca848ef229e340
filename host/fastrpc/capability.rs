//! What the driver says the DSP can do. An answer of 0 is "unknown", never "not there":
//! kernels before mid-2024 answer 0 to everything.

use super::abi::{self, GET_DSP_INFO};
use super::library::Library;
use serde::{Deserialize, Serialize};

/// The compute DSP's domain number.
pub const CDSP: u32 = 3;

const UNSIGNED_PD: u32 = 1;
const HVX_128B: u32 = 3;
const VTCM_PAGE: u32 = 4;
const VTCM_COUNT: u32 = 5;
const ARCH_VER: u32 = 6;
const HMX_DEPTH: u32 = 7;
const HMX_SPATIAL: u32 = 8;

/// Answers of the driver; `None` is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capabilities {
    /// Architecture number, 81 for v81.
    pub arch: Option<u32>,
    /// Unsigned processes are allowed.
    pub unsigned_pd: Option<bool>,
    /// 128-byte HVX contexts.
    pub hvx: Option<u32>,
    /// VTCM in bytes: largest page times pages.
    pub vtcm: Option<u64>,
    /// HMX depth, as the driver says it.
    pub hmx_depth: Option<u32>,
    /// HMX spatial size, as the driver says it.
    pub hmx_spatial: Option<u32>,
    /// First code with which the driver refused to answer, where it did.
    pub refused: Option<u32>,
}

impl Library {
    /// Asks the driver. Needs no session; a driver that cannot be asked leaves all unknown.
    pub fn capabilities(&self) -> Capabilities {
        let mut refused = None;
        let mut ask = |attribute| match self.ask(attribute) {
            Ok(0) => None,
            Ok(value) => Some(value),
            Err(code) => {
                refused.get_or_insert(code);
                None
            }
        };
        let page = ask(VTCM_PAGE).map(u64::from);
        let pages = ask(VTCM_COUNT).map(u64::from);
        let known = Capabilities {
            arch: ask(ARCH_VER).and_then(arch_number),
            unsigned_pd: ask(UNSIGNED_PD).map(|_| true),
            hvx: ask(HVX_128B),
            vtcm: page.zip(pages).map(|(page, pages)| page * pages),
            hmx_depth: ask(HMX_DEPTH),
            hmx_spatial: ask(HMX_SPATIAL),
            refused: None,
        };
        Capabilities { refused, ..known }
    }

    fn ask(&self, attribute: u32) -> Result<u32, u32> {
        /// AEE_EUNSUPPORTEDAPI: what a library without the function would say.
        const UNSUPPORTED_API: u32 = 0x6c;
        let control = self.handle_control.ok_or(UNSUPPORTED_API)?;
        let mut capability = abi::Capability {
            domain: CDSP,
            attribute,
            value: 0,
        };
        // SAFETY: the request takes this structure, and the length is its size; the library
        // keeps no pointer to it.
        let code = unsafe {
            control(
                GET_DSP_INFO,
                (&raw mut capability).cast(),
                size_of_val(&capability) as u32,
            )
        };
        match code {
            0 => Ok(capability.value),
            code => Err(code.cast_unsigned()),
        }
    }
}

/// The architecture in the low byte of the answer, two decimal digits in hex: 0x8c75 is v75.
fn arch_number(value: u32) -> Option<u32> {
    let (tens, units) = (value >> 4 & 15, value & 15);
    (tens < 10 && units < 10 && tens >= 6).then_some(tens * 10 + units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architecture_is_two_decimal_digits() {
        assert_eq!(arch_number(0x8c75), Some(75));
        assert_eq!(arch_number(0x81), Some(81));
        assert_eq!(arch_number(0x6c), None);
        assert_eq!(arch_number(0), None);
    }
}
