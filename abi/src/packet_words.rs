//! Packets as the words that the processor reads.

use crate::codec::{PacketBits, Reg, decode, encode};
use crate::packet::{Inst, Packet};
use crate::packet_error::WordsError;

impl Packet<Reg> {
    /// The words of the packet, one or two; the last has packet bits 11, others 01.
    pub fn words(&self) -> Vec<u32> {
        let last = self.insts().count() - 1;
        self.insts()
            .enumerate()
            .map(|(n, i)| encode(i.instr, i.rs, i.rt, n == last))
            .collect()
    }

    /// The packet in the words of exactly one packet.
    pub fn from_words(words: &[u32]) -> Result<Packet<Reg>, WordsError> {
        let mut insts = Vec::with_capacity(words.len());
        for (index, &word) in words.iter().enumerate() {
            let d = decode(word).ok_or(WordsError::NotHmx { index, word })?;
            let last = index + 1 == words.len();
            match d.packet {
                PacketBits::LoopEnd => return Err(WordsError::LoopEnd(word)),
                PacketBits::Last if !last => return Err(WordsError::EndsEarly { index, word }),
                PacketBits::More if last => return Err(WordsError::NotEnded(word)),
                _ => {}
            }
            insts.push(Inst {
                instr: d.instr,
                rs: d.rs,
                rt: d.rt,
            });
        }
        Ok(Packet::new(insts)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::tests::{ACT, WGT, inst};
    use crate::{Kind, PacketError, instructions};

    #[test]
    fn words_and_back_for_every_instruction() {
        for i in instructions() {
            let packet = match i.kind {
                Kind::Activation => Packet::new([inst(i.syntax), inst(WGT)]),
                Kind::Weight => Packet::new([inst(ACT), inst(i.syntax)]),
                _ => Packet::new([inst(i.syntax)]),
            }
            .unwrap();
            let words = packet.words();
            assert_eq!(words.last().unwrap() >> 14 & 3, 3);
            assert!(words[..words.len() - 1].iter().all(|w| w >> 14 & 3 == 1));
            assert_eq!(Packet::from_words(&words), Ok(packet));
        }
    }

    #[test]
    fn broken_words_are_told_apart() {
        let [a, w] = Packet::new([inst(ACT), inst(WGT)]).unwrap().words()[..] else {
            panic!("two words")
        };
        let bits = |word: u32, p: u32| word & !(3 << 14) | p << 14;
        let from = |words: &[u32]| Packet::from_words(words).unwrap_err();
        assert_eq!(from(&[a]), WordsError::NotEnded(a));
        assert_eq!(
            from(&[bits(a, 3)]),
            WordsError::Pairing(PacketError::ActivationAlone(ACT))
        );
        assert_eq!(
            from(&[bits(a, 3), w]),
            WordsError::EndsEarly {
                index: 0,
                word: bits(a, 3)
            }
        );
        assert_eq!(from(&[bits(a, 2), w]), WordsError::LoopEnd(bits(a, 2)));
        assert_eq!(
            from(&[a, 0x7F00_C000]),
            WordsError::NotHmx {
                index: 1,
                word: 0x7F00_C000
            }
        );
        assert_eq!(from(&[]), WordsError::Pairing(PacketError::Empty));
    }
}
