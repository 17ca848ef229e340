//! Why a packet was not executed.

use crate::Outside;
use hmx_abi::Arch;

/// A packet that was not executed; the state and the memory are as before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// outside VTCM
    #[error(transparent)]
    Outside(#[from] Outside),

    /// `{syntax}` needs {introduced} or later, this unit is {arch}; choose another version or instruction
    #[error(
        "`{syntax}` needs {introduced} or later, this unit is {arch}; choose another version or instruction"
    )]
    TooNew {
        /// The instruction.
        syntax: &'static str,
        /// First version that has it.
        introduced: Arch,
        /// The version of this unit.
        arch: Arch,
    },

    /// `{syntax}` was removed in {removed}, this unit is {arch}; choose another version or instruction
    #[error(
        "`{syntax}` was removed in {removed}, this unit is {arch}; choose another version or instruction"
    )]
    Removed {
        /// The instruction.
        syntax: &'static str,
        /// First version that no longer has it.
        removed: Arch,
        /// The version of this unit.
        arch: Arch,
    },

    /// `{syntax}` is unsupported: the model has no two-channel int4 weights and no split converts; use plain `weight.n` with `cvt.ub`
    #[error(
        "`{syntax}` is unsupported: the model has no two-channel int4 weights and no split converts; use plain `weight.n` with `cvt.ub`"
    )]
    Unsupported {
        /// The instruction.
        syntax: &'static str,
    },

    /// `{activation}` with `{weight}` on {arch}: no reading says what this mix does; use a weight loader of the activation's kind
    #[error(
        "`{activation}` with `{weight}` on {arch}: no reading says what this mix does; use a weight loader of the activation's kind"
    )]
    UnknownMix {
        /// The activation load.
        activation: &'static str,
        /// The weight load.
        weight: &'static str,
        /// The version of this unit.
        arch: Arch,
    },

    /// `{syntax}` stands alone; put an activation load and a weight load, in this order, into one packet
    #[error(
        "`{syntax}` stands alone; put an activation load and a weight load, in this order, into one packet"
    )]
    LoneLoad {
        /// The instruction.
        syntax: &'static str,
    },

    /// `{first}` and `{second}` cannot share a packet; only an activation load followed by a weight load can
    #[error(
        "`{first}` and `{second}` cannot share a packet; only an activation load followed by a weight load can"
    )]
    NotAMultiply {
        /// The first instruction.
        first: &'static str,
        /// The second instruction.
        second: &'static str,
    },

    /// address {at:#x} in `{syntax}` is misaligned: the bits {stray:#x} belong to no field; align it to {align} bytes
    #[error(
        "address {at:#x} in `{syntax}` is misaligned: the bits {stray:#x} belong to no field; align it to {align} bytes"
    )]
    Misaligned {
        /// The instruction.
        syntax: &'static str,
        /// Rs.
        at: u32,
        /// The set bits that are neither address nor field.
        stray: u32,
        /// What the address must be a multiple of.
        align: u32,
    },

    /// `{syntax}` with Rs = {rs:#x}: feedback of this kind is unsupported; set Rs bits 3:2 to 0, or use `cvt.ub` or `cvt.hf`
    #[error(
        "`{syntax}` with Rs = {rs:#x}: feedback of this kind is unsupported; set Rs bits 3:2 to 0, or use `cvt.ub` or `cvt.hf`"
    )]
    UnknownFeedback {
        /// The instruction.
        syntax: &'static str,
        /// Rs.
        rs: u32,
    },
}
