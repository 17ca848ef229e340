//! One call in a guest, counted.

use super::CountError;
use crate::qemu::control;
use crate::qemu::cost::{Cost, emulated_by_function};
use crate::qemu::guest::{Guest, GuestError};
use crate::qemu::trap::Unit;
use crate::skel_build;
use hmx_abi::Arch;
use hmx_model::Hmx;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A call that takes longer is taken for hung.
const LIMIT: Duration = Duration::from_secs(600);
/// Bytes of VTCM.
pub const VTCM_BYTES: usize = 8 << 20;
/// Bytes of memory beside it.
pub const DDR_BYTES: usize = 256 << 20;

/// A guest with a shared object of code to count.
pub struct Machine {
    /// The guest; operands are placed in its memory.
    pub guest: Guest,
    unit: Unit,
    /// Version of the HMX.
    pub arch: Arch,
}

impl Machine {
    /// Starts a guest on a shared object.
    pub fn start(arch: Arch, library: &Path) -> Result<Machine, CountError> {
        let runner = skel_build::runner()?;
        let guest = Guest::start(&runner, library, "none", VTCM_BYTES, DDR_BYTES, LIMIT)?;
        Ok(Machine {
            guest,
            unit: Unit::new(Hmx::new(arch)),
            arch,
        })
    }

    /// Calls an exported function: what it returned, and what it took.
    pub fn call(&mut self, name: &str, arguments: [u32; 4]) -> Result<(u32, Cost), GuestError> {
        self.unit = Unit::new(Hmx::new(self.arch));
        let unit = &mut self.unit;
        self.guest.control().call(name, arguments);
        let returned = self.guest.request(control::Kind::Call, |control, vtcm| {
            unit.packet(control, vtcm)
        })?;
        Ok((returned, Cost::of(self.guest.control(), &self.unit)))
    }

    /// How many packets of each function were emulated in the last call.
    pub fn emulated(&self) -> BTreeMap<String, u64> {
        emulated_by_function(&self.guest, &self.unit)
    }
}
