//! The code in a Hexagon ELF file: executable sections (or, in a stripped file, executable
//! segments) and the symbols in them.

use super::dynamic::dynamic_symbols;
use super::extent::header;
use hmx_abi::Arch;
use object::LittleEndian;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use std::path::Path;

pub(super) type Header = elf::FileHeader32<LittleEndian>;
pub(super) const LE: LittleEndian = LittleEndian;

/// Bits of `e_flags` that hold the architecture version, as in 0x73.
const ARCH_FLAGS: u32 = 0x3ff;

/// What is wrong with a file. The text names the next step; the caller names the file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// This is no ELF file; pass a Hexagon object file, executable or shared object.
    #[error("this is no ELF file; pass a Hexagon object file, executable or shared object")]
    NotElf,
    /// This ELF file is for {0}-bit machines; Hexagon files are 32-bit, pass the DSP side's file.
    #[error("this is a 64-bit ELF file; Hexagon files are 32-bit, pass the file for the DSP")]
    Wide,
    /// This ELF file is big-endian; Hexagon files are little-endian, pass the file for the DSP.
    #[error(
        "this is a big-endian ELF file; Hexagon files are little-endian, pass the file for the DSP"
    )]
    BigEndian,
    /// This ELF file is for machine {0}, not for Hexagon (164); pass the file for the DSP.
    #[error(
        "this ELF file is for machine number {0}, not for Hexagon (164); pass the file for the DSP"
    )]
    OtherMachine(u16),
    /// The file is cut short: {what} reaches to byte {end}, the file has {size}; copy it again.
    #[error(
        "the file is cut short: {what} reaches to byte {end}, and the file has {size}; copy it again"
    )]
    CutShort {
        /// The header, table, section or segment.
        what: String,
        /// Its end in the file.
        end: u64,
        /// Bytes of the file.
        size: u64,
    },
    /// The file is damaged: {0}; build or copy it again.
    #[error("the file is damaged: {0}; build or copy it again")]
    Damaged(String),
    /// The file holds no code: it has neither an executable section nor an executable segment.
    #[error(
        "the file holds no code: it has neither an executable section nor an executable segment"
    )]
    NoCode,
}

/// One piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Name of the section, or `segment N`.
    pub name: String,
    /// Address of the first word.
    pub address: u32,
    /// The words. Bytes after the last whole word are left out.
    pub words: Vec<u32>,
}

/// A name for a place in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Index into [`Image::code`].
    pub code: usize,
    /// Address.
    pub address: u32,
    /// Bytes; 0 when the file does not say.
    pub size: u32,
}

/// What the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// `.o`
    Object,
    /// An executable.
    Executable,
    /// `.so`: a skel.
    SharedObject,
    /// Anything else.
    Other,
}

/// The code of a file.
#[derive(Debug, Clone)]
pub struct Image {
    /// What the file is.
    pub kind: FileKind,
    /// The version number it was built for (73 for v73), from `e_flags`; 0 if not given.
    pub version: u32,
    /// Whether the section headers are gone, so that whole segments are taken for code.
    pub stripped: bool,
    /// Pieces of code in file order.
    pub code: Vec<Code>,
    /// Symbols in them, by piece and address.
    pub symbols: Vec<Symbol>,
}

impl Image {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// See [`ElfError`].
    pub fn read(data: &[u8]) -> Result<Image, ElfError> {
        let header = header(data)?;
        let sections = header.sections(LE, data).map_err(damaged)?;
        let mut image = Image {
            kind: match header.e_type(LE) {
                elf::ET_REL => FileKind::Object,
                elf::ET_EXEC => FileKind::Executable,
                elf::ET_DYN => FileKind::SharedObject,
                _ => FileKind::Other,
            },
            version: version(header.e_flags(LE).0),
            stripped: sections.is_empty(),
            code: Vec::new(),
            symbols: Vec::new(),
        };
        if image.stripped {
            image.read_segments(header, data)?;
        } else {
            let mut index_of = vec![None; sections.len()];
            for (index, section) in sections.iter().enumerate() {
                let flags = section.sh_flags(LE);
                if section.sh_type(LE) != elf::SHT_PROGBITS || !flags.contains(elf::SHF_EXECINSTR) {
                    continue;
                }
                index_of[index] = Some(image.code.len());
                let name = sections.section_name(LE, section).map_err(damaged)?;
                image.code.push(Code {
                    name: String::from_utf8_lossy(name).into_owned(),
                    address: section.sh_addr(LE),
                    words: words(section.data(LE, data).map_err(damaged)?),
                });
            }
            for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
                let table = sections.symbols(LE, data, kind).map_err(damaged)?;
                for symbol in table.iter() {
                    let name = symbol.name(LE, table.strings()).unwrap_or_default();
                    let section = usize::from(symbol.st_shndx(LE).0);
                    let code = index_of.get(section).copied().flatten();
                    image.add_symbol(symbol, name, code);
                }
            }
        }
        if image.code.iter().all(|c| c.words.is_empty()) {
            return Err(ElfError::NoCode);
        }
        image
            .symbols
            .sort_by(|a, b| (a.code, a.address, &a.name).cmp(&(b.code, b.address, &b.name)));
        image
            .symbols
            .dedup_by(|a, b| (a.code, a.address, &a.name) == (b.code, b.address, &b.name));
        Ok(image)
    }

    /// The version as one that carries HMX.
    pub fn arch(&self) -> Option<Arch> {
        Arch::ALL.into_iter().find(|a| a.number() == self.version)
    }

    fn add_symbol(&mut self, symbol: &elf::Sym32<LittleEndian>, name: &[u8], code: Option<usize>) {
        let wanted = matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_NOTYPE);
        if let (Some(code), true, false) = (code, wanted, name.is_empty()) {
            self.symbols.push(Symbol {
                name: String::from_utf8_lossy(name).into_owned(),
                code,
                address: symbol.st_value(LE),
                size: symbol.st_size(LE),
            });
        }
    }

    /// A file without section headers: executable segments, and the dynamic symbols.
    fn read_segments(&mut self, header: &Header, data: &[u8]) -> Result<(), ElfError> {
        let segments = header.program_headers(LE, data).map_err(damaged)?;
        for (index, segment) in segments.iter().enumerate() {
            if segment.p_type(LE) == elf::PT_LOAD && segment.p_flags(LE).contains(elf::PF_X) {
                let bytes = segment
                    .data(LE, data)
                    .map_err(|()| ElfError::Damaged(format!("segment {index} has no data")))?;
                self.code.push(Code {
                    name: format!("segment {index}"),
                    address: segment.p_vaddr(LE),
                    words: words(bytes),
                });
            }
        }
        for (symbol, name) in dynamic_symbols(segments, data).unwrap_or_default() {
            let address = symbol.st_value(LE);
            let inside = |c: &Code| {
                address.wrapping_sub(c.address) < (c.words.len() * 4).try_into().unwrap_or(u32::MAX)
            };
            if symbol.st_shndx(LE) != elf::SHN_UNDEF {
                let code = self.code.iter().position(inside);
                self.add_symbol(symbol, name, code);
            }
        }
        Ok(())
    }
}

pub(super) fn damaged(error: object::read::Error) -> ElfError {
    ElfError::Damaged(error.to_string())
}

/// 0x73 in the flags means v73: the digits are decimal.
fn version(flags: u32) -> u32 {
    let bits = flags & ARCH_FLAGS;
    (bits >> 4 & 0xf) * 10 + (bits & 0xf)
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&w| u32::from_le_bytes(w))
        .collect()
}

/// Reads the code of a file on disk.
///
/// # Errors
/// The file cannot be read, or [`ElfError`]; both name the file.
pub fn read_file(path: &Path) -> anyhow::Result<Image> {
    use anyhow::Context;
    let named = || path.display().to_string();
    let data = std::fs::read(path).with_context(named)?;
    Image::read(&data).with_context(named)
}
