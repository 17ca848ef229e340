//! Packets: what HMX executes as one step.

use crate::Instr;

/// One instruction with its operand values (`u32`), registers or anything that becomes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inst<V = u32> {
    /// The table row.
    pub instr: &'static Instr,
    /// Rs; meaningless where the instruction has none.
    pub rs: V,
    /// Rt; meaningless where the instruction has none.
    pub rt: V,
}

/// One packet: an activation and a weight load together are a multiply,
/// everything else stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packet<V = u32> {
    /// Activation load, weight load.
    Multiply(Inst<V>, Inst<V>),
    /// Any other instruction.
    Single(Inst<V>),
}

/// A sequence of packets.
pub type Program<V = u32> = Vec<Packet<V>>;
