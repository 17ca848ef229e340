//! The parts of a skel's ELF file that a loader looks at. Section headers are not used:
//! signed skels have none.

use object::elf::{self, Dyn32, FileHeader32, ProgramHeader32, Rela32, Sym32};
use object::read::elf::{Dyn, FileHeader, GnuHashTable, HashTable, ProgramHeader, Sym};
use object::{LittleEndian as LE, pod};

/// Why a file cannot be looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoElf {
    /// this is no ELF file; a skel is the .so file that `hmx skel build` writes
    #[error("this is no ELF file; a skel is the .so file that `hmx skel build` writes")]
    Magic,
    /// the file is cut short or damaged: {0}; copy it again
    #[error("the file is cut short or damaged: {0}; copy it again")]
    Damaged(String),
}

fn damaged(what: impl ToString) -> NoElf {
    NoElf::Damaged(what.to_string())
}

/// A dynamic symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its address, where it is defined.
    pub at: u32,
    /// Its bytes.
    pub size: u32,
    /// It is defined in this file.
    pub defined: bool,
    /// Weak: may stay undefined.
    pub weak: bool,
    /// Others can see it.
    pub visible: bool,
}

/// A skel, or something that was taken for one.
#[derive(Debug)]
pub struct Elf<'a> {
    /// The whole file.
    pub data: &'a [u8],
    /// `ET_*`
    pub kind: u16,
    /// `EM_*`
    pub machine: u16,
    /// `e_flags`
    pub flags: u32,
    /// Program headers.
    pub segments: &'a [ProgramHeader32<LE>],
    /// Names of needed libraries.
    pub needed: Vec<String>,
    /// Dynamic symbols.
    pub symbols: Vec<Symbol>,
    /// Relocation types that occur.
    pub relocations: Vec<u32>,
    /// The loader would have to write to code.
    pub textrel: bool,
}

/// Whether these are the first bytes of a 32-bit little-endian ELF file.
pub fn is_32_bit(data: &[u8]) -> Result<bool, NoElf> {
    if !data.starts_with(&elf::ELFMAG) {
        return Err(NoElf::Magic);
    }
    let ident = data.get(4..6).ok_or_else(|| damaged("no header"))?;
    Ok(ident == [elf::ELFCLASS32.0, elf::ELFDATA2LSB.0])
}

impl<'a> Elf<'a> {
    /// Reads a 32-bit little-endian ELF file.
    pub fn read(data: &'a [u8]) -> Result<Elf<'a>, NoElf> {
        let header = FileHeader32::<LE>::parse(data).map_err(damaged)?;
        let segments = header.program_headers(LE, data).map_err(damaged)?;
        let mut found = Elf {
            data,
            kind: header.e_type(LE).0,
            machine: header.e_machine(LE).0,
            flags: header.e_flags(LE).0,
            segments,
            needed: Vec::new(),
            symbols: Vec::new(),
            relocations: Vec::new(),
            textrel: false,
        };
        for segment in segments {
            segment.data(LE, data).map_err(|()| {
                damaged(format!(
                    "a segment of {} bytes at offset {:#x} is not in the file",
                    segment.p_filesz(LE),
                    segment.p_offset(LE)
                ))
            })?;
            if let Some(dynamic) = segment.dynamic(LE, data).map_err(damaged)? {
                found.read_dynamic(dynamic)?;
            }
        }
        Ok(found)
    }

    fn read_dynamic(&mut self, dynamic: &[Dyn32<LE>]) -> Result<(), NoElf> {
        let value = |tag: elf::DynamicTag| {
            let entry = dynamic.iter().find(|d| d.d_tag(LE) == tag);
            entry.map(|d| d.d_val(LE))
        };
        self.textrel = value(elf::DT_TEXTREL).is_some()
            || value(elf::DT_FLAGS).is_some_and(|flags| u64::from(flags) & elf::DF_TEXTREL.0 != 0);
        let strings = match (value(elf::DT_STRTAB), value(elf::DT_STRSZ)) {
            (Some(at), Some(size)) => self.bytes_at(at, size as usize)?,
            _ => &[],
        };
        let string = |at: u32| {
            let rest = strings.get(at as usize..).unwrap_or_default();
            let end = rest.iter().position(|&b| b == 0);
            let end = end.ok_or_else(|| damaged("a name ends outside the string table"))?;
            Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
        };
        for entry in dynamic.iter().take_while(|d| d.d_tag(LE) != elf::DT_NULL) {
            if entry.d_tag(LE) == elf::DT_NEEDED {
                self.needed.push(string(entry.d_val(LE))?);
            }
        }
        if let Some(at) = value(elf::DT_SYMTAB) {
            let count = self.symbol_count(value(elf::DT_HASH), value(elf::DT_GNU_HASH))?;
            for symbol in self.table::<Sym32<LE>>(at, count)?.iter().skip(1) {
                self.symbols.push(Symbol {
                    name: string(symbol.st_name(LE))?,
                    at: symbol.st_value(LE),
                    size: symbol.st_size(LE),
                    defined: symbol.st_shndx(LE) != elf::SHN_UNDEF,
                    weak: symbol.st_bind() == elf::STB_WEAK,
                    visible: symbol.st_bind() != elf::STB_LOCAL
                        && symbol.st_visibility() == elf::STV_DEFAULT,
                });
            }
        }
        for (at, size) in [
            (value(elf::DT_RELA), value(elf::DT_RELASZ)),
            (value(elf::DT_JMPREL), value(elf::DT_PLTRELSZ)),
        ] {
            let (Some(at), Some(size)) = (at, size) else {
                continue;
            };
            let entries = self.table::<Rela32<LE>>(at, size as usize / size_of::<Rela32<LE>>())?;
            self.relocations
                .extend(entries.iter().map(|r| r.r_type(LE).0));
        }
        self.relocations.sort_unstable();
        self.relocations.dedup();
        Ok(())
    }

    /// How many dynamic symbols there are: only the hash tables say.
    fn symbol_count(&self, hash: Option<u32>, gnu: Option<u32>) -> Result<usize, NoElf> {
        if let Some(at) = hash {
            let table = HashTable::<FileHeader32<LE>>::parse(LE, self.rest_at(at)?);
            return Ok(table.map_err(damaged)?.symbol_table_length() as usize);
        }
        if let Some(at) = gnu {
            let table = GnuHashTable::<FileHeader32<LE>>::parse(LE, self.rest_at(at)?);
            let length = table.map_err(damaged)?.symbol_table_length(LE);
            return length
                .map(|n| n as usize)
                .ok_or_else(|| damaged("its hash table names no symbol"));
        }
        Err(damaged("it has symbols but no hash table"))
    }

    fn table<T: pod::Pod>(&self, at: u32, count: usize) -> Result<&'a [T], NoElf> {
        let bytes = self.rest_at(at)?;
        pod::slice_from_bytes(bytes, count)
            .map(|(table, _)| table)
            .map_err(|()| damaged(format!("a table at {at:#x} runs out of its segment")))
    }

    fn bytes_at(&self, at: u32, len: usize) -> Result<&'a [u8], NoElf> {
        let rest = self.rest_at(at)?;
        rest.get(..len)
            .ok_or_else(|| damaged(format!("{len} bytes at {at:#x} run out of their segment")))
    }

    /// The file's bytes from a virtual address to the end of its segment.
    fn rest_at(&self, at: u32) -> Result<&'a [u8], NoElf> {
        let inside = |s: &&ProgramHeader32<LE>| {
            s.p_type(LE) == elf::PT_LOAD
                && (s.p_vaddr(LE)..s.p_vaddr(LE).saturating_add(s.p_filesz(LE))).contains(&at)
        };
        let segment = self.segments.iter().find(inside);
        let segment =
            segment.ok_or_else(|| damaged(format!("address {at:#x} is in no segment")))?;
        let data = segment
            .data(LE, self.data)
            .map_err(|()| damaged("a segment"))?;
        Ok(&data[(at - segment.p_vaddr(LE)) as usize..])
    }

    /// Executable segments: address of the first byte, and the bytes.
    pub fn code(&self) -> Vec<(u32, &'a [u8])> {
        self.segments
            .iter()
            .filter(|s| s.p_type(LE) == elf::PT_LOAD && s.p_flags(LE).0 & elf::PF_X.0 != 0)
            .filter_map(|s| Some((s.p_vaddr(LE), s.data(LE, self.data).ok()?)))
            .collect()
    }
}
