//! What every target does: describe itself, run a program on a VTCM image.

#[cfg(target_os = "linux")]
pub mod qemu;
pub mod replay;
pub mod sim;

use hmx_abi::{Arch, Evidence, Inst, Packet, Program};
use hmx_probes::Probe;
use std::collections::BTreeMap;

/// What a target says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// sim, qemu, device or replay.
    pub name: String,
    /// Architecture it runs.
    pub arch: Arch,
    /// SHA-256 of the skel, where one is used.
    pub skel_sha256: Option<String>,
    /// Facts worth recording with a run.
    pub facts: BTreeMap<String, String>,
}

/// A program and the VTCM image it runs on. Addresses in the program are offsets into the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// User status register.
    pub usr: u32,
    /// Packets with operand values.
    pub program: Program<u32>,
    /// VTCM before the run.
    pub image: Vec<u8>,
}

impl Job {
    /// The image of a probe: tiles, guard bytes around them, `poison` everywhere else.
    pub fn staged(probe: &Probe, poison: u8) -> Job {
        Job {
            usr: probe.usr,
            program: probe.program.clone(),
            image: probe.image(poison),
        }
    }
}

/// VTCM after the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The whole image.
    pub image: Vec<u8>,
    /// Weakest class of evidence among the packets that ran.
    pub evidence: Evidence,
    /// Remarks for the reader, such as "mixed packet".
    pub notes: Vec<String>,
}

/// Why a target did not run a job.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The target cannot run this program: verdict `refused`.
    #[error("{0}")]
    Refused(String),
    /// The target failed while running it: exit status 2.
    #[error("{0}")]
    Failed(String),
}

/// A place where HMX programs run.
pub trait Target {
    /// What this target is.
    fn describe(&self) -> Description;
    /// Runs a program and gives back the whole image.
    fn run(&mut self, job: &Job) -> Result<Ran, TargetError>;
}

/// The remark about a mixed packet, counted from 1.
pub fn mixed_note(packet: impl std::fmt::Display) -> String {
    format!("packet {packet} is mixed: one operand is float, the other integer")
}

/// The packet with its addresses moved to an image that lies at `base`.
pub fn relocated(packet: &Packet<u32>, base: u32) -> Packet<u32> {
    let moved = |inst: &Inst<u32>| Inst {
        rs: if inst.instr.op.rs_is_address() {
            inst.rs.wrapping_add(base)
        } else {
            inst.rs
        },
        ..inst.clone()
    };
    match packet {
        Packet::Multiply(activation, weight) => Packet::Multiply(moved(activation), moved(weight)),
        Packet::Single(inst) => Packet::Single(moved(inst)),
    }
}
