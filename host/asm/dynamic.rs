//! Symbols of a file without section headers, found through its dynamic segment.

use super::elf::LE;
use object::LittleEndian;
use object::elf;
use object::read::elf::{Dyn, ProgramHeader, Sym};

/// A symbol and its name.
pub(super) type NamedSymbol<'a> = (&'a elf::Sym32<LittleEndian>, &'a [u8]);

/// The dynamic symbols, found through the dynamic segment; `None` when there are none or
/// their tables cannot be followed (then code is listed without names).
pub(super) fn dynamic_symbols<'a>(
    segments: &'a [elf::ProgramHeader32<LittleEndian>],
    data: &'a [u8],
) -> Option<Vec<NamedSymbol<'a>>> {
    let dynamic = segments
        .iter()
        .find_map(|s| s.dynamic(LE, data).ok().flatten())?;
    let entry = |tag: elf::DynamicTag| {
        let found = dynamic.iter().find(|d| d.d_tag(LE) == tag);
        found.map(|d| d.d_val(LE))
    };
    // From an address in memory to the bytes in the file.
    let at = |address: u32| {
        segments
            .iter()
            .filter(|s| s.p_type(LE) == elf::PT_LOAD)
            .find_map(|s| {
                let offset = address.checked_sub(s.p_vaddr(LE))?;
                s.data(LE, data).ok()?.get(offset as usize..)
            })
    };
    // The hash table says how many symbols there are: its second word, the number of chains.
    let chains = at(entry(elf::DT_HASH)?)?.get(4..8)?;
    let count = u32::from_le_bytes(chains.try_into().ok()?) as usize;
    let table = at(entry(elf::DT_SYMTAB)?)?;
    let (symbols, _) =
        object::pod::slice_from_bytes::<elf::Sym32<LittleEndian>>(table, count).ok()?;
    let strings = at(entry(elf::DT_STRTAB)?)?;
    let name = |s: &elf::Sym32<LittleEndian>| {
        let tail = strings.get(s.st_name(LE) as usize..).unwrap_or_default();
        tail.split(|&b| b == 0).next().unwrap_or_default()
    };
    Some(symbols.iter().map(|s| (s, name(s))).collect())
}
