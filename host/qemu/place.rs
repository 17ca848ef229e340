//! Where in a skel something happened: address, symbol, disassembly.

use object::{Object, ObjectSymbol};
use std::fmt;

/// A packet in a loaded skel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Address of the packet in the skel's own numbering (as a disassembler prints it).
    pub address: u32,
    /// Symbol that it lies in, with the distance.
    pub symbol: Option<(String, u32)>,
    /// Its words.
    pub words: Vec<u32>,
}

impl Place {
    /// Looks up guest address `pc` in a skel that lies at `base`.
    pub fn find(skel: &[u8], base: u32, pc: u32, words: &[u32]) -> Place {
        let address = pc.wrapping_sub(base);
        let symbol = object::File::parse(skel).ok().and_then(|file| {
            file.symbols()
                .chain(file.dynamic_symbols())
                .filter(|s| s.is_definition() && s.address() <= u64::from(address))
                .filter(|s| s.kind() == object::SymbolKind::Text)
                .max_by_key(|s| s.address())
                .and_then(|s| Some((s.name().ok()?.to_owned(), address - s.address() as u32)))
        });
        Place {
            address,
            symbol,
            words: words.to_vec(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.address)?;
        if let Some((name, distance)) = &self.symbol {
            write!(f, " ({name}+{distance:#x})")?;
        }
        for (i, word) in self.words.iter().enumerate() {
            f.write_str(if i == 0 { ": {" } else { "; " })?;
            match hmx_abi::codec::decode(*word) {
                Some(d) => write!(f, "{}", d.instr.syntax)?,
                None => write!(f, ".word {word:#010x}")?,
            }
        }
        if !self.words.is_empty() {
            f.write_str("}")?;
        }
        Ok(())
    }
}
