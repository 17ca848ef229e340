//! Instruction words: encoder and decoder, both driven by the table.
//!
//! Bits 15:14 of every Hexagon word are the packet bits:
//!
//! | bits | meaning | as an HMX word |
//! |---|---|---|
//! | 01 | more words follow in this packet | yes |
//! | 10 | more words follow; the packet ends a hardware loop | yes, [`PacketBits::LoopEnd`] |
//! | 11 | last word of the packet | yes |
//! | 00 | duplex: two 13-bit sub-instructions, other encoding | never |
//!
//! Bits written `-` in the table are ignored on decoding and zero on encoding.

use crate::{Instr, instructions};
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// A general register, r0 to r31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Reg(u8);

impl Reg {
    /// Register `r<number>`; `None` above 31.
    pub fn new(number: u8) -> Option<Reg> {
        (number < 32).then_some(Reg(number))
    }

    /// The number, 0 to 31.
    pub fn number(self) -> u8 {
        self.0
    }

    fn field(word: u32, shift: u32) -> Reg {
        Reg((word >> shift & 31) as u8)
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// Bits 15:14 of a word that is no duplex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PacketBits {
    /// 01: more words follow.
    More,
    /// 10: more words follow, and the packet ends a hardware loop.
    LoopEnd,
    /// 11: last word of the packet.
    Last,
}

impl PacketBits {
    /// The packet bits of a word; `None` for a duplex.
    pub fn of(word: u32) -> Option<PacketBits> {
        match word >> 14 & 3 {
            1 => Some(PacketBits::More),
            2 => Some(PacketBits::LoopEnd),
            3 => Some(PacketBits::Last),
            _ => None,
        }
    }

    /// In place in a word.
    pub fn bits(self) -> u32 {
        match self {
            PacketBits::More => 1 << 14,
            PacketBits::LoopEnd => 2 << 14,
            PacketBits::Last => 3 << 14,
        }
    }
}

/// One decoded HMX word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    /// The table row.
    pub instr: &'static Instr,
    /// Rs; r0 where the instruction has none.
    pub rs: Reg,
    /// Rt; r0 where the instruction has none.
    pub rt: Reg,
    /// Place in the packet.
    pub packet: PacketBits,
}

/// The word of an instruction. Registers the instruction does not have are left out;
/// `last` says whether the packet ends here.
pub fn encode(instr: &Instr, rs: Reg, rt: Reg, last: bool) -> u32 {
    let bits = if last {
        PacketBits::Last
    } else {
        PacketBits::More
    };
    let rs = if instr.has_rs() { rs.0 } else { 0 };
    let rt = if instr.has_rt() { rt.0 } else { 0 };
    instr.bits | u32::from(rs) << RS_SHIFT | u32::from(rt) << RT_SHIFT | bits.bits()
}

/// The instruction in a word; `None` when the word is no HMX instruction of any version.
pub fn decode(word: u32) -> Option<Decoded> {
    let packet = PacketBits::of(word)?;
    let instr = GROUPS
        .get(&(word & *FIXED))?
        .iter()
        .find(|i| word & i.mask == i.bits)?;
    let reg = |has: bool, shift| {
        if has {
            Reg::field(word, shift)
        } else {
            Reg::default()
        }
    };
    Some(Decoded {
        instr,
        rs: reg(instr.has_rs(), RS_SHIFT),
        rt: reg(instr.has_rt(), RT_SHIFT),
        packet,
    })
}

/// Lowest bit of the Rs field (a test holds it against the table).
const RS_SHIFT: u32 = 16;
/// Lowest bit of the Rt field.
const RT_SHIFT: u32 = 8;

/// The bits that every row of the table fixes: a quick first look at a word.
static FIXED: LazyLock<u32> =
    LazyLock::new(|| instructions().iter().fold(u32::MAX, |m, i| m & i.mask));

/// The rows, grouped by the value of those bits.
static GROUPS: LazyLock<HashMap<u32, Vec<&'static Instr>>> = LazyLock::new(|| {
    let mut groups: HashMap<u32, Vec<&'static Instr>> = HashMap::new();
    for instr in instructions() {
        groups.entry(instr.bits & *FIXED).or_default().push(instr);
    }
    groups
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reg(number: u8) -> Reg {
        Reg::new(number).unwrap()
    }

    /// The bits of a character of an encoding.
    fn places(instr: &Instr, what: char) -> u32 {
        instr
            .encoding
            .chars()
            .fold(0, |w, c| w << 1 | u32::from(c == what))
    }

    #[test]
    fn the_fields_lie_where_the_table_has_them() {
        for i in instructions() {
            let s = if i.has_rs() { 31 << RS_SHIFT } else { 0 };
            let t = if i.has_rt() { 31 << RT_SHIFT } else { 0 };
            assert_eq!(places(i, 's'), s, "{}", i.syntax);
            assert_eq!(places(i, 't'), t, "{}", i.syntax);
            assert_eq!(places(i, 'P'), 3 << 14, "{}", i.syntax);
        }
    }

    #[test]
    fn every_instruction_and_register_survives_the_round_trip() {
        for i in instructions() {
            for n in 0..32 {
                for last in [false, true] {
                    let (rs, rt) = (reg(n), reg(31 - n));
                    let got = decode(encode(i, rs, rt, last)).unwrap();
                    assert_eq!(got.instr.syntax, i.syntax);
                    assert_eq!(got.rs, if i.has_rs() { rs } else { reg(0) });
                    assert_eq!(got.rt, if i.has_rt() { rt } else { reg(0) });
                    assert_eq!(got.packet == PacketBits::Last, last);
                }
            }
        }
    }

    #[test]
    fn ignored_bits_are_ignored_all_of_them() {
        for i in instructions() {
            let free = places(i, '-');
            let word = encode(i, reg(5), reg(6), true);
            let plain = decode(word).unwrap();
            let mut pattern = free;
            loop {
                assert_eq!(
                    decode(word | pattern),
                    Some(plain),
                    "{:08x}",
                    word | pattern
                );
                if pattern == 0 {
                    break;
                }
                pattern = (pattern - 1) & free;
            }
        }
    }

    #[test]
    fn a_duplex_is_never_hmx_and_a_loop_end_is() {
        for i in instructions() {
            let word = encode(i, reg(1), reg(2), true) & !(3 << 14);
            assert_eq!(decode(word), None);
            let end = decode(word | 2 << 14).unwrap();
            assert_eq!((end.instr, end.packet), (i, PacketBits::LoopEnd));
        }
    }

    #[test]
    fn known_words() {
        let text = |w: u32| decode(w).map(|d| (d.instr.syntax, d.rs.number(), d.rt.number()));
        assert_eq!(
            text(0x9200_41E4),
            Some(("activation.hf=mxmem(Rs,Rt)", 0, 1))
        );
        assert_eq!(text(0x9202_E3EF), Some(("weight.hf=mxmem(Rs,Rt)", 2, 3)));
        assert_eq!(text(0x7F00_C000), None, "nop");
    }

    proptest! {
        /// All words: no panic, and what decodes has all fixed bits of its row.
        #[test]
        fn any_word_decodes_or_does_not(word: u32) {
            match decode(word) {
                Some(d) => prop_assert_eq!(word & d.instr.mask, d.instr.bits),
                None => {
                    let known = PacketBits::of(word).is_some()
                        && instructions().iter().any(|i| word & i.mask == i.bits);
                    prop_assert!(!known);
                }
            }
        }

        /// The same among words that look like HMX.
        #[test]
        fn near_words_decode_or_do_not(row in 0..143usize, flips in 0u32..1 << 16, high: bool) {
            let word = instructions()[row].bits ^ if high { flips << 16 } else { flips };
            if let Some(d) = decode(word) {
                prop_assert_eq!(word & d.instr.mask, d.instr.bits);
            }
        }
    }
}
