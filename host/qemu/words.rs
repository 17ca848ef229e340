//! Hexagon words: what the packet around an emulated instruction depends on.

/// The parse bits.
pub const PARSE: u32 = 0xC000;
/// `nop` without its parse bits.
pub const NOP: u32 = 0x7F00_0000;

/// A vector store of `Os.new`: the distance to its producer, and the same store of a plain
/// vector 0.
pub fn new_value_store(word: u32) -> Option<(u32, u32)> {
    if !matches!(word >> 24, 0x28 | 0x29 | 0x2B) || word & 0x0020_0000 == 0 {
        return None;
    }
    let predicated = word & 0x0080_0000 != 0;
    let (how, sense) = (word >> 5 & 7, word >> 3 & 3);
    let place = word & 7;
    match (predicated, how) {
        (false, 1) => Some((place, word & !0xFF)),
        (true, 2 | 3) => Some((place, word & !0xFF | (sense & 1) << 5)),
        _ => None,
    }
}

/// Index of the instruction that an `Os.new` operand names: bits 2:1 count vector-writing
/// words backwards from the store.
pub fn producer(words: &[u32], store: usize, place: u32) -> Option<usize> {
    let back = (place >> 1) as usize;
    (0..store)
        .rev()
        .filter(|i| is_vector(words[*i]))
        .nth(back.checked_sub(1)?)
}

/// Whether a word is a HVX instruction or a vector load or store.
fn is_vector(word: u32) -> bool {
    matches!(word >> 24, 0x18..=0x1F | 0x28..=0x2F)
}

/// Whether what a word does depends on the packet's address.
pub fn depends_on_address(word: u32) -> bool {
    match word >> 24 {
        // Compare and jump, transfer and jump, jump on a new value.
        0x10..=0x17 | 0x20..=0x27 => true,
        // Direct jumps and calls.
        0x58..=0x5F => true,
        // Loop set-up, jumps on a register, add(pc,#).
        0x60 | 0x61 | 0x69 => true,
        0x6A => word >> 20 & 0xF == 4,
        _ => false,
    }
}

/// Where the program goes after a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Behind the packet.
    On,
    /// There, or to a fixed place.
    Branch,
    /// To a place in a register, or there and back.
    Away,
}

/// Errs towards [`Flow::Away`] for duplexes.
pub fn flow(word: u32) -> Flow {
    // Sub-instructions 1111101 and 1111111 of a duplex: dealloc_return, jumpr r31.
    let returns = |half: u32| matches!(half >> 6 & 0x7F, 0x7D | 0x7F);
    match word >> 24 {
        _ if word & PARSE == 0 && (returns(word) || returns(word >> 16)) => Flow::Away,
        _ if word & PARSE == 0 => Flow::On,
        // Calls and jumps to a register, direct calls, dealloc_return.
        0x50..=0x53 | 0x5A | 0x5B | 0x5D | 0x96 => Flow::Away,
        0x10..=0x17 | 0x20..=0x27 | 0x54..=0x5F | 0x61 => Flow::Branch,
        _ => Flow::On,
    }
}

/// The bits of a branch that hold its distance in words; `None` for other forms.
pub fn distance_field(word: u32) -> Option<u32> {
    match word >> 24 {
        0x10..=0x17 | 0x20..=0x27 => Some(0x0030_00FE),
        0x58..=0x5B => Some(0x01FF_3FFE),
        0x5C | 0x5D => Some(0x00DF_20FE),
        _ => None,
    }
}

/// The distance in a field, sign-extended.
pub fn distance(word: u32, field: u32) -> i32 {
    let (mut value, mut width) = (0, 0);
    for bit in (0..32).filter(|bit| field >> bit & 1 == 1) {
        value |= (word >> bit & 1) << width;
        width += 1;
    }
    ((value << (32 - width)) as i32) >> (32 - width)
}

/// The same vectors and the other halves of their pairs.
pub fn with_pairs(mask: u32) -> u32 {
    mask | mask << 1 & 0xAAAA_AAAA | mask >> 1 & 0x5555_5555
}

/// Whether a word reads one of the vectors in `mask`. A pair is known by its even half, as it
/// is encoded; a scalar operand counts as a vector.
pub fn reads(word: u32, mask: u32) -> bool {
    let hit = |shift: u32| mask >> (word >> shift & 31) & 1 != 0;
    match word >> 24 {
        // Vu, Vv beside a scalar of three bits, and a result that is added to.
        0x18 | 0x1B => hit(8) || hit(19) || hit(0),
        0x19..=0x1F => hit(8) || hit(16) || hit(0),
        // Gather and scatter.
        0x2F => hit(0) || hit(8),
        0x28..=0x2E => word & 0x0020_0000 != 0 && hit(0),
        // vextract
        0x92 => hit(8),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicated_store_keeps_its_sense() {
        assert_eq!(new_value_store(0x29a3_c16a), Some((2, 0x29a3_c120)));
        assert_eq!(new_value_store(0x28a3_c142), Some((2, 0x28a3_c100)));
        assert_eq!(new_value_store(0x29a3_c127), None); // plain, predicated
        assert_eq!(new_value_store(0x2823_c1e7), None); // unaligned
    }

    #[test]
    fn operands_are_found_where_each_form_has_them() {
        assert!(reads(0x1c83_c1a0, 1 << 1)); // bits 12:8
        assert!(reads(0x1c83_c1a0, 1 << 3)); // bits 20:16
        assert!(!reads(0x1c83_c1a0, 1 << 16)); // bits 23:19 hold opcode bits
        assert!(reads(0x1b28_c000, 1 << 5)); // bits 23:19
        assert!(reads(0x9200_c121, 1 << 1)); // r1=vextract(v1,r0)
        assert_eq!(with_pairs(0b0110), 0b1111);
    }

    #[test]
    fn the_flow_of_a_word_is_known() {
        assert_eq!(flow(0xb001_c021), Flow::On); // r1=add(r1,#1)
        assert_eq!(flow(0x5800_c000), Flow::Branch); // jump
        assert_eq!(flow(0x5a00_c000), Flow::Away); // call
        assert_eq!(flow(0x961e_c01e), Flow::Away); // dealloc_return
        assert_eq!(flow(0x3fc0_2801), Flow::Away); // a duplex with jumpr r31
    }
}
