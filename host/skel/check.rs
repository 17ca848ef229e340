//! Static check of a skel before anything is sent to a device.

use super::elf::{Elf, NoElf, is_32_bit};
use super::instructions::hmx;
use super::linkage::{needed, relocations, textrel, undefined};
use super::signature::{self, Signature};
use crate::finding::Finding;
use hmx_abi::Arch;
use object::elf;

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
