//! What is left of a packet when some of its instructions were emulated.

use super::control::{RESUME_EARLY, RESUME_LATE, RESUME_NEXT, Trap};
use super::words::{
    Flow, NOP, PARSE, depends_on_address, distance, distance_field, flow, new_value_store,
    producer, reads, with_pairs,
};

/// Whether the packet ends a hardware loop: parse bits 10 in its first or second word.
pub fn ends_loop(words: &[u32]) -> bool {
    words.iter().take(2).any(|w| w & PARSE == 0x8000)
}

/// How the guest goes on after a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// A RESUME value.
    pub resume: u32,
    /// What the packet adds to QEMU's counters, which see only the rest of it.
    pub counts: Counts,
}

/// Instructions (without nops and constant extenders) and packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Instructions.
    pub instructions: i64,
    /// Packets.
    pub packets: i64,
}

/// Fills `trap.rest` and says how the guest goes on. `trap.written` names the vectors that
/// the emulated words wrote.
///
/// Vectors are written first, and a store of a new value becomes a plain one, unless an
/// instruction that is left needs the old value: then they are written last. Both at once is
/// refused, and so is what depends on the packet's address in other ways than a branch with a
/// distance of its own.
pub fn split(trap: &mut Trap, emulated: [bool; 4]) -> Result<Rest, String> {
    let count = trap.count.clamp(1, 4) as usize;
    let words = &trap.word[..count];
    let mut news = false;
    let mut left = false;
    trap.rest = [0; 4];
    let mut counts = Counts::default();
    for (i, &word) in words.iter().enumerate() {
        trap.rest[i] = if emulated[i] {
            counts.instructions += i64::from(word & !PARSE != NOP);
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
    place_branch(trap, count, emulated)?;
    let words = &trap.word[..count];
    let kept = || (0..count).filter(|i| !emulated[*i]).map(|i| words[i]);
    // An instruction may read a pair: with_pairs errs towards yes, but a new value that is
    // needed at the same time is too common to be refused for a mere neighbour.
    let read = match news {
        true => trap.written,
        false => with_pairs(trap.written),
    };
    let needs_old = kept().any(|word| new_value_store(word).is_none() && reads(word, read));
    let ends_loop = ends_loop(words);
    trap.leaves = u32::from(ends_loop || kept().any(|word| flow(word) != Flow::On));
    let resume = match (needs_old, left || ends_loop) {
        (true, _) if news => {
            return Err(
                "one instruction needs the old and one the new value of a vector that a float instruction writes"
                    .to_owned(),
            );
        }
        (true, _) if kept().any(|word| flow(word) == Flow::Away) => {
            return Err(
                "one instruction needs the old value of a vector that a float instruction writes, and one is a call or a jump to a register; keep them in separate packets"
                    .to_owned(),
            );
        }
        (true, _) => RESUME_LATE,
        (false, true) => RESUME_EARLY,
        (false, false) => RESUME_NEXT,
    };
    // The rest counts as a packet of its own.
    match resume {
        RESUME_NEXT => counts.packets += 1,
        // The jump behind it.
        RESUME_EARLY if trap.leaves == 0 => {
            counts.instructions -= 1;
            counts.packets -= 1;
        }
        // The nops with the loop end.
        RESUME_LATE if ends_loop => counts.packets -= 1,
        _ => {}
    }
    Ok(Rest { resume, counts })
}

/// Says in `trap` where a branch of the rest is, so that the runner can place its distance.
fn place_branch(trap: &mut Trap, count: usize, emulated: [bool; 4]) -> Result<(), String> {
    trap.branch = 0;
    for i in (0..count).filter(|i| !emulated[*i]) {
        let word = trap.word[i];
        if !depends_on_address(word) {
            continue;
        }
        let field = distance_field(word).filter(|_| {
            // One branch, and no constant extender in front of it.
            trap.branch == 0
                && i.checked_sub(1)
                    .is_none_or(|before| trap.word[before] >> 28 != 0)
        });
        let Some(field) = field else {
            return Err("it has an instruction beside an HVX float instruction that depends on its address; keep them in separate packets".to_owned());
        };
        trap.branch = i as u32 + 1;
        trap.field = field;
        trap.target = trap.pc.wrapping_add_signed(distance(word, field) * 4);
    }
    Ok(())
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

    /// What `split` does with a packet whose first word is emulated.
    fn first_emulated(trap: &mut Trap) -> Result<(u32, i64, i64), String> {
        let rest = split(trap, [true, false, false, false])?;
        Ok((rest.resume, rest.counts.instructions, rest.counts.packets))
    }

    #[test]
    fn a_store_of_the_new_value_becomes_a_plain_one() {
        // { v0.hf = v0.qf16; vmem(r1++#1) = v0.new } :endloop0
        let mut t = trap(&[0x1e04_a060, 0x2921_c122], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_EARLY, 1, 0)));
        assert_eq!((t.rest[0], t.rest[1]), (0x7F00_8000, 0x2921_c100));
        assert_eq!(t.leaves, 1);
    }

    #[test]
    fn what_reads_the_old_value_runs_first_and_what_does_not_last() {
        // { v0.qf16 = vmpy(v1.hf,v2.hf); vmem(r1+#0) = v0 }
        let mut t = trap(&[0x1fe2_6180, 0x2821_c000], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_LATE, 1, 0)));
        // { v0.qf16 = vmpy(v1.hf,v2.hf); r1 = add(r1,#1) }: a jump behind the rest is counted.
        let mut t = trap(&[0x1fe2_6180, 0xb001_c021], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_EARLY, 0, -1)));
        assert_eq!(t.leaves, 0);
    }

    #[test]
    fn a_jump_to_a_register_leaves_and_waits_for_nothing() {
        // { v0.qf16 = vmpy(v1.hf,v2.hf); jumpr r31 }
        let mut t = trap(&[0x1fe2_6180, 0x529f_c000], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_EARLY, 1, 0)));
        assert_eq!(t.leaves, 1);
        // and vmem(r1+#0) = v0, which needs the old value
        let mut t = trap(&[0x1fe2_6180, 0x529f_4000, 0x2821_c000], 1);
        assert!(
            first_emulated(&mut t)
                .unwrap_err()
                .contains("jump to a register")
        );
    }

    #[test]
    fn a_branch_keeps_its_target() {
        // jump #r22:2 back by two words; if (p0) jump forward by three.
        for (word, words) in [(0x59FF_FFFC, -2), (0x5C00_C006, 3)] {
            let field = distance_field(word).unwrap();
            assert_eq!(distance(word, field), words, "{word:08x}");
            let mut t = trap(&[0x1fe2_6180, word], 1);
            t.pc = 0x1000;
            assert_eq!(first_emulated(&mut t), Ok((RESUME_EARLY, 1, 0)));
            assert_eq!((t.branch, t.leaves), (2, 1));
            assert_eq!(t.target, 0x1000u32.wrapping_add_signed(words * 4));
        }
    }

    #[test]
    fn a_lone_float_instruction_leaves_nothing() {
        let mut t = trap(&[0x1fe2_e180], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_NEXT, 1, 1)));
        let mut t = trap(&[0x1fe2_a180, 0x7f00_c000], 1);
        assert_eq!(first_emulated(&mut t), Ok((RESUME_EARLY, 1, 0)));
    }
}
