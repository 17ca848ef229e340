//! The hash segment of a signed skel.
//!
//! A signed skel carries a segment of type NULL whose flags say "hash". It begins with a
//! header of 40 bytes, then one SHA-256 for each program header (zeros for its own), then
//! signature and certificates. Source: prebuilt skels, whose hashes were recomputed.

use super::elf::Elf;
use object::LittleEndian as LE;
use object::read::elf::ProgramHeader;
use sha2::{Digest, Sha256};

const KIND: u32 = 7 << 24;
const HASH: u32 = 2 << 24;
const HEADER: usize = 40;

/// What the hash segment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// There is no hash segment.
    None,
    /// Hashes but no signature.
    HashesOnly,
    /// A signature of this many bytes, and every hash fits.
    Signed(usize),
    /// The hash of this program header does not fit: the file was changed afterwards.
    Changed(usize),
    /// The segment is there, but not in the form above.
    Unreadable,
}

/// Looks at the hash segment. Whether a device accepts the signature only the device knows.
pub fn look(elf: &Elf<'_>) -> Signature {
    let is_hash = |flags: u32| flags & KIND == HASH;
    let Some(own) = elf.segments.iter().position(|s| is_hash(s.p_flags(LE).0)) else {
        return Signature::None;
    };
    let bytes = elf.segments[own].data(LE, elf.data).unwrap_or_default();
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word) as usize)
    };
    let (Some(hashes), Some(signature)) = (word(20), word(28)) else {
        return Signature::Unreadable;
    };
    let table = bytes.get(HEADER..).and_then(|rest| rest.get(..hashes));
    let Some(table) = table.filter(|_| hashes == elf.segments.len() * 32) else {
        return Signature::Unreadable;
    };
    for (index, (segment, hash)) in elf.segments.iter().zip(table.chunks_exact(32)).enumerate() {
        let data = segment.data(LE, elf.data).unwrap_or_default();
        let fits = match index == own {
            true => hash.iter().all(|&b| b == 0),
            false => hash == Sha256::digest(data).as_slice(),
        };
        if !fits {
            return Signature::Changed(index);
        }
    }
    match signature {
        0 => Signature::HashesOnly,
        _ if bytes.len() < HEADER + hashes + signature => Signature::Unreadable,
        bytes => Signature::Signed(bytes),
    }
}
