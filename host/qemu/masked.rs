//! Words that QEMU would run as something else.
//!
//! QEMU's decoder ignores bits that newer instructions use: it takes `bias=mxmem2(Rs)` for a
//! vextract, and about a quarter of the HVX float instructions for integer ones, and some of
//! those it aborts on. So before a skel is loaded, every HVX float and HMX bias word in its
//! code is replaced by one that is sure to trap; the trap gets the original back from here.
//! The file on disk stays as it is.

use super::hvx_float;
use hmx_abi::{Op, codec};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use std::collections::HashMap;

/// `Vd.qf16=vmpy(Vu.hf,Vv.hf)` without its parse bits: traps, and is no HMX word, so that
/// the runner saves the vector registers.
const TRAPS: u32 = 0x1FE0_2080;
const PARSE: u32 = 0xC000;

/// A skel whose unsafe words are masked.
pub struct Masked {
    /// The file as the guest gets it.
    pub file: Vec<u8>,
    /// Address in the skel's own numbering -> original word.
    words: HashMap<u32, u32>,
}

impl Masked {
    /// Masks the executable segments. A file that is no 32-bit ELF is left alone: the
    /// runner says what is wrong with it.
    pub fn new(mut file: Vec<u8>) -> Masked {
        let mut words = HashMap::new();
        for (offset, address, len) in code(&file).unwrap_or_default() {
            let Some(code) = file.get_mut(offset..offset.saturating_add(len)) else {
                continue;
            };
            for (bytes, at) in code.chunks_exact_mut(4).zip((address..).step_by(4)) {
                let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                if is_unsafe(word) {
                    words.insert(at, word);
                    bytes.copy_from_slice(&(TRAPS | word & PARSE).to_le_bytes());
                }
            }
        }
        Masked { file, words }
    }

    /// The word at an address, given what memory holds there.
    pub fn original(&self, address: u32, found: u32) -> u32 {
        self.words.get(&address).copied().unwrap_or(found)
    }
}

fn is_unsafe(word: u32) -> bool {
    let bias = |d: codec::Decoded| matches!(d.instr.op, Op::LoadBias { .. });
    hvx_float::syntax(word).is_some() || codec::decode(word).is_some_and(bias)
}

/// Executable segments: file offset, address, bytes.
fn code(file: &[u8]) -> Option<Vec<(usize, u32, usize)>> {
    let header = elf::FileHeader32::<Endianness>::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, file).ok()?;
    let wanted = segments
        .iter()
        .filter(|s| s.p_type(endian) == elf::PT_LOAD && s.p_flags(endian).contains(elf::PF_X));
    let place = |s: &elf::ProgramHeader32<Endianness>| {
        (
            s.p_offset(endian) as usize,
            s.p_vaddr(endian),
            s.p_filesz(endian) as usize,
        )
    };
    Some(wanted.map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_loads_and_float_words_are_unsafe_and_others_not() {
        assert!(is_unsafe(0x9202_c3fe)); // bias=mxmem2(r2)
        assert!(is_unsafe(0x1e05_e060)); // v0.sf=v0.w
        assert!(!is_unsafe(0xa6e0_c013)); // mxclracc.hf traps anyway
        assert!(!is_unsafe(0x7f00_c000)); // nop
        assert!(!is_unsafe(0x9200_c021)); // r1=vextract(v0,r0)
    }

    #[test]
    fn what_is_no_elf_is_left_alone() {
        assert_eq!(Masked::new(b"hello".to_vec()).file, b"hello");
    }
}
