//! What is left of a packet when some of its instructions were emulated.

use super::control::{RESUME_EARLY, RESUME_LATE, RESUME_NEXT, Trap};

/// `nop` without its parse bits.
const NOP: u32 = 0x7F00_0000;
/// The parse bits.
const PARSE: u32 = 0xC000;

/// Whether the packet ends a hardware loop: parse bits 10 in its first or second word.
pub fn ends_loop(words: &[u32]) -> bool {
    words.iter().take(2).any(|w| w & PARSE == 0x8000)
}

/// Fills `trap.rest` and says how the guest goes on. `trap.written` names the vectors that
/// the emulated words wrote.
///
/// An instruction that is left may need the new value (a store of `Os.new`): then vectors
/// are written first and the store becomes a plain one. Or it may need the old value: then
/// they are written last. Both at once is refused, and so is what depends on the packet's
/// address in other ways than a branch with a distance of its own.
pub fn split(trap: &mut Trap, emulated: [bool; 4]) -> Result<u32, String> {
    let count = trap.count.clamp(1, 4) as usize;
    let words = &trap.word[..count];
    let mut news = false;
    let mut left = false;
    for i in 0..4 {
        trap.rest[i] = 0;
    }
    for (i, &word) in words.iter().enumerate() {
        trap.rest[i] = if emulated[i] {
            NOP | word & PARSE
        } else if let Some((place, plain)) = new_value_store(word) {
            let producer = producer(words, i, place)
                .ok_or("a store of a new value has no producer in its packet")?;
            left = true;
            if emulated[producer] {
                news = true;
                plain | words[producer] & 31
            } else {
                word
            }
        } else {
            left |= word & !PARSE != NOP;
            word
        };
    }
    trap.branch = 0;
    for i in (0..count).filter(|i| !emulated[*i]) {
        if !branches(words[i]) {
            continue;
        }
        let field = distance_field(words[i]).filter(|_| {
            // One branch, and no constant extender in front of it.
            trap.branch == 0
                && i.checked_sub(1)
                    .is_none_or(|before| words[before] >> 28 != 0)
        });
        let Some(field) = field else {
            return Err("it has an instruction beside an HVX float instruction that depends on its address; keep them in separate packets".to_owned());
        };
        trap.branch = i as u32 + 1;
        trap.field = field;
        trap.target = trap.pc.wrapping_add_signed(distance(words[i], field) * 4);
    }
    if news {
        let conflict = (0..count).any(|i| {
            !emulated[i] && new_value_store(words[i]).is_none() && reads(words[i], trap.written)
        });
        if conflict {
            return Err(
                "one instruction needs the old and one the new value of a vector that a float instruction writes"
                    .to_owned(),
            );
        }
        return Ok(RESUME_EARLY);
    }
    Ok(match (left, ends_loop(words)) {
        (true, _) => RESUME_LATE,
        (false, true) => RESUME_EARLY,
        (false, false) => RESUME_NEXT,
    })
}

/// A vector store of `Os.new`: the distance to its producer, and the same store of a plain
/// vector 0.
fn new_value_store(word: u32) -> Option<(u32, u32)> {
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
fn producer(words: &[u32], store: usize, place: u32) -> Option<usize> {
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
fn branches(word: u32) -> bool {
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

/// The bits of a branch that hold its distance in words; `None` for other forms.
fn distance_field(word: u32) -> Option<u32> {
    match word >> 24 {
        0x10..=0x17 | 0x20..=0x27 => Some(0x0030_00FE),
        0x58..=0x5B => Some(0x01FF_3FFE),
        0x5C | 0x5D => Some(0x00DF_20FE),
        _ => None,
    }
}

/// The distance in a field, sign-extended.
fn distance(word: u32, field: u32) -> i32 {
    let (mut value, mut width) = (0, 0);
    for bit in (0..32).filter(|bit| field >> bit & 1 == 1) {
        value |= (word >> bit & 1) << width;
        width += 1;
    }
    ((value << (32 - width)) as i32) >> (32 - width)
}

/// Whether a HVX word may read one of the vectors in `mask`; errs towards yes.
fn reads(word: u32, mask: u32) -> bool {
    let hit = |shift: u32| mask >> (word >> shift & 31) & 1 == 1;
    match word >> 24 {
        0x18..=0x1F => hit(8) || hit(16) || hit(0),
        0x28..=0x2F => word & 0x0020_0000 != 0 && hit(0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn trap(words: &[u32], written: u32) -> Trap {
        let mut trap = Trap::zeroed();
        trap.count = words.len() as u32;
        trap.word[..words.len()].copy_from_slice(words);
        trap.written = written;
        trap
    }

    #[test]
    fn a_store_of_the_new_value_becomes_a_plain_one() {
        // { v0.hf = v0.qf16; vmem(r1++#1) = v0.new } :endloop0
        let mut t = trap(&[0x1e04_a060, 0x2921_c122], 1);
        assert_eq!(split(&mut t, [true, false, false, false]), Ok(RESUME_EARLY));
        assert_eq!(t.rest[..2], [0x7F00_8000, 0x2921_c100]);
    }

    #[test]
    fn a_predicated_store_keeps_its_sense() {
        assert_eq!(new_value_store(0x29a3_c16a), Some((2, 0x29a3_c120)));
        assert_eq!(new_value_store(0x28a3_c142), Some((2, 0x28a3_c100)));
        assert_eq!(new_value_store(0x29a3_c127), None); // plain, predicated
        assert_eq!(new_value_store(0x2823_c1e7), None); // unaligned
    }

    #[test]
    fn what_reads_the_old_value_runs_first() {
        // { v0.qf16 = vmpy(v1.hf,v2.hf); r1 = add(r1,#1) }
        let mut t = trap(&[0x1fe2_6180, 0xb001_c021], 1);
        assert_eq!(split(&mut t, [true, false, false, false]), Ok(RESUME_LATE));
    }

    #[test]
    fn a_branch_keeps_its_target() {
        // jump #r22:2 back by two words; if (p0) jump forward by three.
        for (word, words) in [(0x59FF_FFFC, -2), (0x5C00_C006, 3)] {
            let field = distance_field(word).unwrap();
            assert_eq!(distance(word, field), words, "{word:08x}");
            let mut t = trap(&[0x1fe2_6180, word], 1);
            t.pc = 0x1000;
            assert_eq!(split(&mut t, [true, false, false, false]), Ok(RESUME_LATE));
            assert_eq!(t.branch, 2);
            assert_eq!(t.target, 0x1000u32.wrapping_add_signed(words * 4));
        }
    }

    #[test]
    fn a_lone_float_instruction_leaves_nothing() {
        let mut t = trap(&[0x1fe2_e180], 1);
        assert_eq!(split(&mut t, [true, false, false, false]), Ok(RESUME_NEXT));
        let mut t = trap(&[0x1fe2_a180, 0x7f00_c000], 1);
        assert_eq!(split(&mut t, [true, false, false, false]), Ok(RESUME_EARLY));
    }
}
