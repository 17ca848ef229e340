//! Is this a whole Hexagon ELF file? The checks before anything in it is followed.

use super::elf::{ElfError, Header, LE, damaged};
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

/// Machine number of Hexagon in an ELF header.
const MACHINE: elf::Machine = elf::EM_HEXAGON;

/// The header, after the checks that have a message of their own.
pub(super) fn header(data: &[u8]) -> Result<&Header, ElfError> {
    let ident: &[u8; 16] = match data.first_chunk() {
        Some(ident) if ident.starts_with(b"\x7fELF") => ident,
        _ if data.starts_with(b"\x7fELF") => return Err(cut_short("the ELF header", 52, data)),
        _ => return Err(ElfError::NotElf),
    };
    if ident[4] == elf::ELFCLASS64.0 {
        return Err(ElfError::Wide);
    }
    if ident[5] == elf::ELFDATA2MSB.0 {
        return Err(ElfError::BigEndian);
    }
    if data.len() < size_of::<Header>() {
        return Err(cut_short(
            "the ELF header",
            size_of::<Header>() as u64,
            data,
        ));
    }
    let header = Header::parse(data).map_err(damaged)?;
    if header.e_machine(LE) != MACHINE {
        return Err(ElfError::OtherMachine(header.e_machine(LE).0));
    }
    check_extent(header, data)?;
    Ok(header)
}

/// Every table, section and segment must lie within the file.
fn check_extent(header: &Header, data: &[u8]) -> Result<(), ElfError> {
    let table =
        |offset: u32, count: u16, size: u16| u64::from(offset) + u64::from(count) * u64::from(size);
    let program_end = table(
        header.e_phoff(LE),
        header.e_phnum.get(LE),
        header.e_phentsize(LE),
    );
    let section_end = table(
        header.e_shoff(LE),
        header.e_shnum.get(LE),
        header.e_shentsize(LE),
    );
    for (what, end) in [
        ("the table of segments", program_end),
        ("the table of sections", section_end),
    ] {
        if end > data.len() as u64 {
            return Err(cut_short(what, end, data));
        }
    }
    for (index, segment) in header
        .program_headers(LE, data)
        .map_err(damaged)?
        .iter()
        .enumerate()
    {
        let end = u64::from(segment.p_offset(LE)) + u64::from(segment.p_filesz(LE));
        if end > data.len() as u64 {
            return Err(cut_short(&format!("segment {index}"), end, data));
        }
    }
    for (index, section) in header
        .section_headers(LE, data)
        .map_err(damaged)?
        .iter()
        .enumerate()
    {
        let end = u64::from(section.sh_offset(LE)) + u64::from(section.sh_size(LE));
        let in_file = !matches!(section.sh_type(LE), elf::SHT_NOBITS | elf::SHT_NULL);
        if in_file && end > data.len() as u64 {
            return Err(cut_short(&format!("section {index}"), end, data));
        }
    }
    Ok(())
}

fn cut_short(what: &str, end: u64, data: &[u8]) -> ElfError {
    ElfError::CutShort {
        what: what.to_owned(),
        end,
        size: data.len() as u64,
    }
}
