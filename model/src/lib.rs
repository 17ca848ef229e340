//! A bit-exact functional model of HMX: no I/O, no unsafe.

pub mod memory;

pub use memory::{Memory, Outside, Vtcm};

use hmx_abi::{Arch, Evidence, Packet};

/// What executing a packet said about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Class of evidence behind the packet's effect on this architecture.
    pub evidence: Evidence,
    /// An integer loader met a float activation (or the reverse): see the findings.
    pub mixed: bool,
    /// Multiply-accumulates done.
    pub macs: u64,
}

/// A packet that was not executed; the state is as before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// outside VTCM
    #[error(transparent)]
    Outside(#[from] Outside),
}

/// One HMX unit.
pub struct Hmx {
    arch: Arch,
    usr: u32,
}

impl Hmx {
    /// A unit after reset.
    pub fn new(arch: Arch) -> Hmx {
        Hmx { arch, usr: 0 }
    }

    /// The version this unit behaves like.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Sets the user status register: bit 20 inf/nan enable, bit 21 nan propagate.
    pub fn set_usr(&mut self, usr: u32) {
        self.usr = usr;
    }

    /// The user status register.
    pub fn usr(&self) -> u32 {
        self.usr
    }

    /// Executes one packet on `memory`.
    pub fn execute(
        &mut self,
        packet: &Packet<u32>,
        memory: &mut impl Memory,
    ) -> Result<Executed, Fault> {
        let _ = (packet, memory);
        unimplemented!()
    }
}
