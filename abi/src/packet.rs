//! Packets: what HMX executes as one step.
//!
//! An activation load and a weight load stand together in one packet, in that order: that
//! packet is the multiply. Nothing else goes with them, and every other instruction stands
//! alone (HMX reference: "instructions"; class `vendor-model`).

pub use crate::packet_error::{PacketError, WordsError};

use crate::Arch;
use crate::codec::Reg;
use crate::isa::{Instr, Kind, Unavailable};

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

impl<V> Inst<V> {
    /// Turns both operands into another type; `f` is called for those the instruction has,
    /// the others become the default. Rs comes first.
    pub fn try_map<W: Default, E>(
        &self,
        mut f: impl FnMut(&V) -> Result<W, E>,
    ) -> Result<Inst<W>, E> {
        let mut operand = |has: bool, v: &V| if has { f(v) } else { Ok(W::default()) };
        Ok(Inst {
            instr: self.instr,
            rs: operand(self.instr.has_rs(), &self.rs)?,
            rt: operand(self.instr.has_rt(), &self.rt)?,
        })
    }
}

impl<V> Packet<V> {
    /// A packet of these instructions, if they make one.
    pub fn new(insts: impl IntoIterator<Item = Inst<V>>) -> Result<Packet<V>, PacketError> {
        let insts: Vec<Inst<V>> = insts.into_iter().collect();
        let is_load = |i: &&Inst<V>| matches!(i.instr.kind, Kind::Activation | Kind::Weight);
        if insts.len() > 1
            && let Some(other) = insts.iter().find(|i| !is_load(i))
        {
            return Err(PacketError::NotAlone(other.instr.syntax));
        }
        let mut insts = insts.into_iter();
        match (insts.next(), insts.next(), insts.next()) {
            (None, ..) => Err(PacketError::Empty),
            (Some(_), Some(_), Some(_)) => Err(PacketError::TooMany),
            (Some(only), None, _) => match only.instr.kind {
                Kind::Activation => Err(PacketError::ActivationAlone(only.instr.syntax)),
                Kind::Weight => Err(PacketError::WeightAlone(only.instr.syntax)),
                _ => Ok(Packet::Single(only)),
            },
            (Some(a), Some(b), None) => match (a.instr.kind, b.instr.kind) {
                (Kind::Activation, Kind::Weight) => Ok(Packet::Multiply(a, b)),
                (Kind::Weight, Kind::Activation) => Err(PacketError::WeightFirst),
                (Kind::Activation, _) => Err(PacketError::ActivationAlone(a.instr.syntax)),
                _ => Err(PacketError::WeightAlone(a.instr.syntax)),
            },
        }
    }

    /// Its instructions, in order.
    pub fn insts(&self) -> impl Iterator<Item = &Inst<V>> {
        let (first, second) = match self {
            Packet::Multiply(a, w) => (a, Some(w)),
            Packet::Single(i) => (i, None),
        };
        std::iter::once(first).chain(second)
    }

    /// Turns the operands into another type; see [`Inst::try_map`].
    pub fn try_map<W: Default, E>(
        &self,
        mut f: impl FnMut(&V) -> Result<W, E>,
    ) -> Result<Packet<W>, E> {
        Ok(match self {
            Packet::Multiply(a, w) => Packet::Multiply(a.try_map(&mut f)?, w.try_map(&mut f)?),
            Packet::Single(i) => Packet::Single(i.try_map(&mut f)?),
        })
    }

    /// Whether this version has every instruction of the packet.
    pub fn check(&self, arch: Arch) -> Result<(), Unavailable> {
        self.insts().try_for_each(|i| i.instr.check(arch))
    }
}

impl Packet<Reg> {
    /// The packet with the values its registers hold: `value` is asked for each register.
    pub fn with_values(&self, mut value: impl FnMut(Reg) -> u32) -> Packet<u32> {
        match self.try_map(|&r| Ok::<_, std::convert::Infallible>(value(r))) {
            Ok(packet) => packet,
            Err(never) => match never {},
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::instructions;

    pub fn inst(syntax: &str) -> Inst<Reg> {
        let instr = instructions().iter().find(|i| i.syntax == syntax).unwrap();
        let reg = |n| Reg::new(n).unwrap();
        Inst {
            instr,
            rs: if instr.has_rs() { reg(3) } else { reg(0) },
            rt: if instr.has_rt() { reg(9) } else { reg(0) },
        }
    }

    pub const ACT: &str = "activation.ub=mxmem(Rs,Rt)";
    pub const WGT: &str = "weight.n=mxmem(Rs,Rt)";
    const CLR: &str = "mxclracc";

    #[test]
    fn the_pairing_rules() {
        let pack = |list: &[&str]| Packet::new(list.iter().map(|s| inst(s)));
        assert!(matches!(pack(&[ACT, WGT]), Ok(Packet::Multiply(..))));
        assert!(matches!(pack(&[CLR]), Ok(Packet::Single(_))));
        for (list, error) in [
            (&[][..], PacketError::Empty),
            (&[ACT], PacketError::ActivationAlone(ACT)),
            (&[WGT], PacketError::WeightAlone(WGT)),
            (&[ACT, ACT], PacketError::ActivationAlone(ACT)),
            (&[WGT, WGT], PacketError::WeightAlone(WGT)),
            (&[WGT, ACT], PacketError::WeightFirst),
            (&[ACT, WGT, ACT], PacketError::TooMany),
            (&[ACT, WGT, CLR], PacketError::NotAlone(CLR)),
            (&[ACT, WGT, ACT, CLR], PacketError::NotAlone(CLR)),
            (&[CLR, CLR], PacketError::NotAlone(CLR)),
        ] {
            assert_eq!(pack(list), Err(error), "{list:?}");
        }
    }

    #[test]
    fn values_take_the_place_of_registers() {
        let packet = Packet::new([inst(ACT), inst(WGT)]).unwrap();
        let Packet::Multiply(a, w) = packet.with_values(|r| u32::from(r.number()) * 100) else {
            panic!("a multiply")
        };
        assert_eq!((a.rs, a.rt, w.rs, w.rt), (300, 900, 300, 900));
    }

    #[test]
    fn availability_has_both_ends() {
        let check = |s: &str, a: Arch| Packet::Single(inst(s)).check(a).map_err(|e| e.to_string());
        assert_eq!(check("cvt.hf=acc(Rs)", Arch::V73), Ok(()));
        assert_eq!(
            check("cvt.hf=acc(Rs)", Arch::V69).unwrap_err(),
            "`cvt.hf=acc(Rs)` needs v73 or later, and this is v69; choose a later version with --arch"
        );
        assert_eq!(check("acc=mxshl(acc,#16)", Arch::V75), Ok(()));
        assert_eq!(
            check("acc=mxshl(acc,#16)", Arch::V79).unwrap_err(),
            "`acc=mxshl(acc,#16)` is gone from v79 on, and this is v79; choose an earlier version with --arch"
        );
    }
}
