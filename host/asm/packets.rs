//! Code cut into packets, and what is HMX in them.

use hmx_abi::{Decoded, Inst, Packet, PacketBits, PacketError, Reg, decode};
use std::ops::Range;

/// Most words a packet can have.
pub const MOST_WORDS: usize = 4;

/// What breaks the rules for HMX in a packet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// HMX and other instructions stand in one packet.
    #[error("HMX and other instructions stand in one packet")]
    Mixed,
    /// The HMX instructions pair wrongly.
    #[error(transparent)]
    Pairing(#[from] PacketError),
    /// The packet has no last word within four words.
    #[error("the packet has no last word within four words")]
    NoEnd,
}

/// What is HMX in one packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HmxPacket {
    /// Each word's instruction; `None` for words that are not HMX.
    pub words: Vec<Option<Decoded>>,
    /// The packet in the canonical form, when it obeys the rules.
    pub packet: Result<Packet<Reg>, Problem>,
}

/// Cuts words into packets: ranges of indices. A packet ends with a word whose packet bits
/// are 11, with a duplex, after four words, or with the code.
pub fn split(words: &[u32]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = words.get(start..).filter(|r| !r.is_empty())?;
        let most = rest.len().min(MOST_WORDS);
        let length = rest
            .iter()
            .take(most)
            .position(|&w| ends(w))
            .map_or(most, |last| last + 1);
        let range = start..start + length;
        start = range.end;
        Some(range)
    })
}

/// Whether a word is the last of its packet.
pub fn ends(word: u32) -> bool {
    !matches!(
        PacketBits::of(word),
        Some(PacketBits::More | PacketBits::LoopEnd)
    )
}

/// What is HMX in a packet; `None` when nothing is.
pub fn inspect(words: &[u32]) -> Option<HmxPacket> {
    if words.iter().all(|&w| decode(w).is_none()) {
        return None;
    }
    let decoded: Vec<Option<Decoded>> = words.iter().map(|&w| decode(w)).collect();
    let insts: Option<Vec<Inst<Reg>>> = decoded
        .iter()
        .map(|d| {
            d.map(|d| Inst {
                instr: d.instr,
                rs: d.rs,
                rt: d.rt,
            })
        })
        .collect();
    let packet = match insts {
        None => Err(Problem::Mixed),
        Some(insts) => Packet::new(insts).map_err(Problem::from),
    };
    let ended = words.last().is_some_and(|&w| ends(w));
    Some(HmxPacket {
        words: decoded,
        packet: packet.and_then(|p| if ended { Ok(p) } else { Err(Problem::NoEnd) }),
    })
}

/// The loops that end with this packet, as assembly writes it after the brace.
pub fn loop_end(words: &[u32]) -> &'static str {
    let marked = |n: usize| {
        let word = words.get(n).copied();
        word.and_then(PacketBits::of) == Some(PacketBits::LoopEnd)
    };
    match (marked(0), marked(1)) {
        (true, true) => ":endloop01",
        (true, false) => ":endloop0",
        (false, true) => ":endloop1",
        (false, false) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACT: u32 = 0x9200_41E4;
    const WGT: u32 = 0x9202_E3EF;
    const NOP: u32 = 0x7F00_4000;
    const NOP_END: u32 = 0x7F00_C000;
    const DUPLEX: u32 = 0x3841_3840;

    #[test]
    fn packets_end_at_a_last_word_a_duplex_or_the_fourth_word() {
        let words = [
            ACT, WGT, NOP_END, DUPLEX, NOP, NOP, NOP, NOP, NOP, NOP_END, NOP,
        ];
        let got: Vec<_> = split(&words).collect();
        assert_eq!(got, [0..2, 2..3, 3..4, 4..8, 8..10, 10..11]);
        assert_eq!(split(&[]).count(), 0);
    }

    #[test]
    fn problems_are_told_apart() {
        let problem = |words: &[u32]| inspect(words).unwrap().packet.err();
        assert_eq!(problem(&[ACT, WGT]), None);
        assert_eq!(inspect(&[NOP_END]), None);
        assert_eq!(problem(&[ACT, NOP_END]), Some(Problem::Mixed));
        assert_eq!(problem(&[ACT, WGT & !(2 << 14)]), Some(Problem::NoEnd));
        let alone = PacketError::ActivationAlone("activation.hf=mxmem(Rs,Rt)");
        assert_eq!(problem(&[ACT | 3 << 14]), Some(Problem::Pairing(alone)));
    }

    #[test]
    fn loop_ends_are_read_off_the_first_two_words() {
        let end = |w: u32| w & !(3 << 14) | 2 << 14;
        assert_eq!(loop_end(&[ACT, WGT]), "");
        assert_eq!(loop_end(&[end(ACT), WGT]), ":endloop0");
        assert_eq!(loop_end(&[NOP, end(NOP), NOP_END]), ":endloop1");
        assert_eq!(loop_end(&[end(NOP), end(NOP), NOP_END]), ":endloop01");
        // A loop end is no break of the pairing rules.
        assert!(inspect(&[end(ACT), WGT]).unwrap().packet.is_ok());
    }
}
