//! Static check of a skel before anything is sent to a device.

use super::elf::{Elf, NoElf, is_32_bit};
use super::known;
use super::signature::{self, Signature};
use crate::finding::Finding;
use hmx_abi::codec::decode;
use hmx_abi::{Arch, Instr};
use object::elf;
use std::collections::BTreeMap;

/// What the skel is to be good for.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// Architecture of the device, where it is known.
    pub arch: Option<Arch>,
    /// Symbol that the URI names.
    pub entry: &'a str,
    /// It must carry a signature.
    pub signed: bool,
}

/// Relocation types of the Hexagon ABI.
const GLOB_DAT: u32 = 33;
const JMP_SLOT: u32 = 34;
const RELATIVE: u32 = 35;

/// `e_machine` of Hexagon.
const HEXAGON: u16 = elf::EM_HEXAGON.0;
/// `e_type` of a shared library.
const SHARED: u16 = elf::ET_DYN.0;

const REBUILD: &str = "build it again with `hmx skel build`";

/// Every check; later ones are left out when an earlier one makes them meaningless.
pub fn check(data: &[u8], wanted: &Wanted<'_>) -> Result<Vec<Finding>, NoElf> {
    if !is_32_bit(data)? {
        return Ok(vec![Finding::problem(
            "class",
            "not a 32-bit little-endian ELF file",
            REBUILD,
        )]);
    }
    let elf = Elf::read(data)?;
    let mut found = vec![
        Finding::ok("class", "32-bit little-endian ELF"),
        machine(&elf),
    ];
    if elf.machine != HEXAGON {
        return Ok(found);
    }
    found.extend([
        arch(&elf, wanted.arch),
        entry(&elf, wanted.entry),
        needed(&elf),
        undefined(&elf),
        relocations(&elf),
        textrel(&elf),
        hmx(&elf, wanted.arch),
        signed(&elf, wanted.signed),
    ]);
    Ok(found)
}

fn machine(elf: &Elf<'_>) -> Finding {
    match (elf.machine, elf.kind) {
        (HEXAGON, SHARED) => Finding::ok("machine", "shared library for Hexagon"),
        (HEXAGON, kind) => Finding::problem(
            "machine",
            format!("for Hexagon, but no shared library (type {kind})"),
            REBUILD,
        ),
        (other, _) => Finding::problem(
            "machine",
            format!("for machine {other}, not for Hexagon ({HEXAGON})"),
            REBUILD,
        ),
    }
}

/// The architecture in `e_flags`: two decimal digits in hex.
pub fn arch_of(flags: u32) -> Option<u32> {
    let (tens, units) = (flags >> 4 & 15, flags & 15);
    (tens < 10 && units < 10).then_some(tens * 10 + units)
}

fn arch(elf: &Elf<'_>, device: Option<Arch>) -> Finding {
    let Some(built) = arch_of(elf.flags).filter(|&number| number >= 60) else {
        return Finding::problem(
            "architecture",
            format!("flags {:#x} name no version with HMX", elf.flags),
            REBUILD,
        );
    };
    match device {
        None => Finding::cannot_tell(
            "architecture",
            format!("built for v{built}"),
            "name the device's version with --arch to compare",
        ),
        Some(device) if built > device.number() => Finding::problem(
            "architecture",
            format!("built for v{built}, newer than the device's {device}"),
            format!("build it with `hmx skel build --arch {device}`"),
        ),
        Some(device) => Finding::ok(
            "architecture",
            format!("built for v{built}, device {device}"),
        ),
    }
}

fn entry(elf: &Elf<'_>, name: &str) -> Finding {
    match elf.symbols.iter().find(|s| s.name == name) {
        Some(symbol) if symbol.defined && symbol.visible => {
            Finding::ok("entry", format!("`{name}` is exported"))
        }
        Some(_) => Finding::problem(
            "entry",
            format!("`{name}` is there, but not exported from here"),
            "give it default visibility",
        ),
        None => Finding::problem(
            "entry",
            format!("`{name}` is missing; opening would fail with 0x80000442"),
            "name the entry with --entry, or export it",
        ),
    }
}

fn needed(elf: &Elf<'_>) -> Finding {
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

fn undefined(elf: &Elf<'_>) -> Finding {
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

fn relocations(elf: &Elf<'_>) -> Finding {
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

fn textrel(elf: &Elf<'_>) -> Finding {
    match elf.textrel {
        true => Finding::problem(
            "text relocations",
            "the loader would have to write to code",
            "compile every object with -fPIC",
        ),
        false => Finding::ok("text relocations", "none"),
    }
}

/// Tables of the probe interpreter: every instruction of every version, each run only when a
/// probe asks for it. The target refuses a probe whose instructions the device lacks.
const PROBE_TABLES: [&str; 2] = ["hmxwb_single_stubs", "hmxwb_pair_stubs"];

/// HMX instructions that the architecture does not have. Words are taken one by one, so a
/// constant among the code can be mistaken for an instruction.
fn hmx(elf: &Elf<'_>, device: Option<Arch>) -> Finding {
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

fn signed(elf: &Elf<'_>, wanted: bool) -> Finding {
    let resign = "sign it again (`hmx skel sign`)";
    match signature::look(elf) {
        Signature::Signed(bytes) => Finding::cannot_tell(
            "signature",
            format!("{bytes} bytes, and every hash fits the file"),
            "only the device knows whether it accepts the certificate",
        ),
        Signature::None if !wanted => Finding::ok(
            "signature",
            "none: right for an unsigned process, and on Windows the catalog is signed instead",
        ),
        Signature::None => Finding::problem("signature", "none", resign),
        Signature::HashesOnly => Finding::problem("signature", "hashes without signature", resign),
        Signature::Changed(segment) => Finding::problem(
            "signature",
            format!("segment {segment} was changed after signing"),
            resign,
        ),
        Signature::Unreadable => Finding::problem(
            "signature",
            "the hash segment is damaged or of another form",
            resign,
        ),
    }
}
