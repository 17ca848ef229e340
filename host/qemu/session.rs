//! FastRPC calls into a guest: buffers are copied to shared memory and back.

use super::control::{Buf, DDR, Kind, MAX_BUFS, RESUME_NEXT};
use super::cost::Cost;
use super::guest::{Guest, GuestError};
use super::trap::Unit;
use crate::device::stub::Channel;
use crate::skel_build::{self, BuildError};
use hmx_abi::Arch;
use hmx_abi::scalars::Scalars;
use hmx_model::Hmx;
use std::path::Path;
use std::time::Duration;

/// Bytes of VTCM that a guest has: as v73 and later devices.
pub const VTCM_BYTES: usize = 8 << 20;
/// Bytes for the buffers of one call.
const DDR_BYTES: usize = 256 << 20;
/// Between buffers: nothing is to be read or written there.
const GAP: usize = 128;
/// What the gaps hold.
const GAP_BYTE: u8 = 0xA7;

/// A call that failed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The skel or the runner cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The guest failed.
    #[error(transparent)]
    Guest(#[from] GuestError),
    /// the buffers of the call take {needed} bytes, the guest has {there}; use a smaller problem
    #[error(
        "the buffers of the call take {needed} bytes, the guest has {there}; use a smaller problem"
    )]
    TooLarge {
        /// Bytes of all buffers.
        needed: usize,
        /// Bytes there are.
        there: usize,
    },
    /// the skel returned {0:#x}; `hmx explain {0:#x}` says more
    #[error("the skel returned {0:#x}; `hmx explain {0:#x}` says more")]
    Returned(u32),
    /// the skel wrote {0} bytes beside a buffer; it was built from other sources than this tool, or a kernel is at fault
    #[error("the skel wrote outside its buffers, {0} bytes behind the start of the shared memory")]
    Outside(usize),
}

/// A skel loaded into a guest.
pub struct GuestSession {
    guest: Guest,
    /// The HMX unit; set its USR bits before a call (QEMU's USR does not keep them).
    pub unit: Unit,
    arch: Arch,
    /// Cost of the last call.
    pub cost: Cost,
}

impl GuestSession {
    /// Builds (or takes from the cache) skel and runner, starts the guest.
    pub fn open(arch: Arch, limit: Duration) -> Result<GuestSession, CallError> {
        GuestSession::open_skel(arch, &skel_build::skel(arch)?, limit)
    }

    /// Starts a guest on a skel file.
    pub fn open_skel(arch: Arch, skel: &Path, limit: Duration) -> Result<GuestSession, CallError> {
        let runner = skel_build::runner()?;
        let guest = Guest::start(
            &runner,
            skel,
            skel_build::ENTRY,
            VTCM_BYTES,
            DDR_BYTES,
            limit,
        )?;
        Ok(GuestSession {
            guest,
            unit: Unit::new(Hmx::new(arch)),
            arch,
            cost: Cost::default(),
        })
    }

    /// A fresh HMX unit with these USR bits.
    pub fn reset(&mut self, usr: u32) {
        let mut hmx = Hmx::new(self.arch);
        hmx.set_usr(usr);
        self.unit = Unit::new(hmx);
    }

    /// Fills the first `len` bytes of VTCM with a pattern, repeated.
    pub fn poison(&mut self, pattern: &[u8], len: usize) {
        let vtcm = self.guest.vtcm.bytes_mut();
        let len = len.min(vtcm.len());
        for (byte, fill) in vtcm[..len].iter_mut().zip(pattern.iter().cycle()) {
            *byte = *fill;
        }
    }

    /// The process number of the guest, for tests that kill it.
    pub fn process(&self) -> u32 {
        self.guest.process()
    }
}

/// Where the buffers of a call lie in the shared memory: offset and length.
fn place(lengths: impl Iterator<Item = usize>) -> (Vec<(usize, usize)>, usize) {
    let mut at = GAP;
    let places = lengths
        .map(|len| {
            let here = (at, len);
            at = (at + len).next_multiple_of(GAP) + GAP;
            here
        })
        .collect();
    (places, at)
}

impl Channel for GuestSession {
    type Error = CallError;
    type Memory = Vec<u8>;

    fn buffer(&self, len: usize, fill: u8) -> Result<Vec<u8>, CallError> {
        Ok(vec![fill; len])
    }

    fn invoke(
        &mut self,
        scalars: Scalars,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), CallError> {
        let lengths = inputs.iter().map(|b| b.len());
        let (places, end) = place(lengths.chain(outputs.iter().map(|b| b.len())));
        if end > DDR_BYTES || places.len() > MAX_BUFS {
            return Err(CallError::TooLarge {
                needed: end,
                there: DDR_BYTES,
            });
        }
        let ddr = self.guest.ddr.bytes_mut();
        ddr[..end].fill(GAP_BYTE);
        let contents = inputs.iter().copied().chain(outputs.iter().map(|b| &**b));
        for (&(at, len), bytes) in places.iter().zip(contents) {
            ddr[at..at + len].copy_from_slice(bytes);
        }
        let control = self.guest.control();
        control.scalars = scalars.word();
        control.handle = 1;
        control.buf_count = places.len() as u32;
        for (slot, &(at, len)) in control.buf.iter_mut().zip(&places) {
            *slot = Buf {
                address: DDR + at as u32,
                len: len as u32,
            };
        }
        let unit = &mut self.unit;
        unit.begin();
        let returned = self
            .guest
            .request(Kind::Invoke, |control, vtcm| unit.packet(control, vtcm))?;
        self.cost = Cost::of(self.guest.control(), &self.unit);
        if returned != RESUME_NEXT {
            return Err(CallError::Returned(returned));
        }
        self.collect(&places, inputs.len(), end, outputs)
    }
}

impl GuestSession {
    /// Copies the outputs back and looks at the gaps.
    fn collect(
        &self,
        places: &[(usize, usize)],
        inputs: usize,
        end: usize,
        outputs: &mut [&mut [u8]],
    ) -> Result<(), CallError> {
        let ddr = self.guest.ddr.bytes();
        for (&(at, len), output) in places[inputs..].iter().zip(outputs) {
            output.copy_from_slice(&ddr[at..at + len]);
        }
        let mut gap = 0;
        for &(at, len) in places.iter().chain([&(end, 0)]) {
            if let Some(i) = ddr[gap..at].iter().position(|b| *b != GAP_BYTE) {
                return Err(CallError::Outside(gap + i));
            }
            gap = at + len;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_kept_apart() {
        let (places, end) = place([5, 0, 128, 1].into_iter());
        assert_eq!(places, [(128, 5), (384, 0), (512, 128), (768, 1)]);
        assert_eq!(end, 1024);
    }
}
