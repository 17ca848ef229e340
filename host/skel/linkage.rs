//! What a skel wants from the DSP's loader.

use super::elf::Elf;
use super::known;
use crate::finding::Finding;

/// Relocation types of the Hexagon ABI.
const GLOB_DAT: u32 = 33;
const JMP_SLOT: u32 = 34;
const RELATIVE: u32 = 35;

/// Libraries that the loader must find.
pub fn needed(elf: &Elf<'_>) -> Finding {
    let is_unknown = |name: &&String| !known::LIBRARIES.contains(&name.as_str());
    let unknown: Vec<&str> = elf.needed.iter().filter(is_unknown).map(|s| &**s).collect();
    if !unknown.is_empty() {
        return Finding::problem(
            "needed libraries",
            format!("{} not known to be on a DSP", unknown.join(", ")),
            "link them into the skel, or copy them beside it",
        );
    }
    Finding::ok(
        "needed libraries",
        match elf.needed.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        },
    )
}

/// Symbols that the loader must find.
pub fn undefined(elf: &Elf<'_>) -> Finding {
    let open: Vec<_> = elf.symbols.iter().filter(|s| !s.defined).collect();
    let unknown: Vec<&str> = open
        .iter()
        .filter(|s| !s.weak && known::symbol(&s.name).is_none())
        .map(|s| &*s.name)
        .collect();
    if !unknown.is_empty() {
        return Finding::problem(
            "undefined symbols",
            format!(
                "{} not known to exist on a DSP; opening would fail with 0x80000406",
                unknown.join(", ")
            ),
            "define them in the skel, make them weak, or link with --wrap",
        );
    }
    Finding::ok(
        "undefined symbols",
        format!("{}, all known or weak", open.len()),
    )
}

/// Kinds of relocation that working skels have.
pub fn relocations(elf: &Elf<'_>) -> Finding {
    let known = [
        (RELATIVE, "RELATIVE"),
        (GLOB_DAT, "GLOB_DAT"),
        (JMP_SLOT, "JMP_SLOT"),
    ];
    let name = |kind: u32| {
        known
            .iter()
            .find(|(k, _)| *k == kind)
            .map(|(_, name)| *name)
    };
    let odd: Vec<String> = elf
        .relocations
        .iter()
        .filter(|&&kind| name(kind).is_none())
        .map(u32::to_string)
        .collect();
    if !odd.is_empty() {
        return Finding::problem(
            "relocations",
            format!("of type {}, which no working skel has", odd.join(", ")),
            "compile every object with -fPIC",
        );
    }
    let names: Vec<&str> = elf.relocations.iter().filter_map(|&k| name(k)).collect();
    Finding::ok(
        "relocations",
        match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        },
    )
}

/// Relocations in code, which the loader does not write to.
pub fn textrel(elf: &Elf<'_>) -> Finding {
    match elf.textrel {
        true => Finding::problem(
            "text relocations",
            "the loader would have to write to code",
            "compile every object with -fPIC",
        ),
        false => Finding::ok("text relocations", "none"),
    }
}
