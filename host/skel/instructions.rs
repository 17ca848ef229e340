//! The HMX instructions in a skel.

use super::check::arch_of;
use super::elf::Elf;
use crate::finding::Finding;
use hmx_abi::codec::decode;
use hmx_abi::{Arch, Instr};
use std::collections::BTreeMap;

/// Tables of the probe interpreter: every instruction of every version, each run only when a
/// probe asks for it. The target refuses a probe whose instructions the device lacks.
const PROBE_TABLES: [&str; 2] = ["hmxwb_single_stubs", "hmxwb_pair_stubs"];

/// HMX instructions that the architecture does not have. Words are taken one by one, so a
/// constant among the code can be mistaken for an instruction.
pub fn hmx(elf: &Elf<'_>, device: Option<Arch>) -> Finding {
    let built = arch_of(elf.flags);
    let arch = device.or_else(|| Arch::ALL.into_iter().find(|a| Some(a.number()) == built));
    let tables: Vec<_> = elf
        .symbols
        .iter()
        .filter(|s| s.defined && PROBE_TABLES.contains(&s.name.as_str()))
        .map(|s| s.at..s.at.saturating_add(s.size))
        .collect();
    let (mut count, mut in_tables) = (0usize, 0usize);
    let mut wrong: BTreeMap<&str, (&Instr, u32)> = BTreeMap::new();
    for (start, bytes) in elf.code() {
        for (word, at) in bytes.chunks_exact(4).zip((start..).step_by(4)) {
            let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let Some(decoded) = decode(word) else {
                continue;
            };
            if tables.iter().any(|table| table.contains(&at)) {
                in_tables += 1;
                continue;
            }
            count += 1;
            if arch.is_some_and(|arch| !decoded.instr.available(arch)) {
                wrong
                    .entry(decoded.instr.syntax)
                    .or_insert((decoded.instr, at));
            }
        }
    }
    let tables = match in_tables {
        0 => String::new(),
        n => format!("; {n} more in the tables of the probe interpreter"),
    };
    let Some(arch) = arch else {
        return Finding::cannot_tell(
            "HMX instructions",
            format!("{count}; the version to compare with is not known{tables}"),
            "name the device's version with --arch",
        );
    };
    if wrong.is_empty() {
        return Finding::ok(
            "HMX instructions",
            format!("{count}, all in {arch}{tables}"),
        );
    }
    let list: Vec<String> = wrong
        .values()
        .map(|(instr, at)| match instr.removed {
            Some(removed) if arch >= removed => {
                format!("`{}` at {at:#x} (gone from {removed})", instr.syntax)
            }
            _ => format!("`{}` at {at:#x} (from {})", instr.syntax, instr.introduced),
        })
        .collect();
    Finding::problem(
        "HMX instructions",
        format!("not in {arch}: {}", list.join(", ")),
        "leave them out for this device, or run on one that has them",
    )
}
