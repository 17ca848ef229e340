//! Where in a skel something happened: address, symbol, disassembly.

use object::{Object, ObjectSymbol};
use std::collections::BTreeMap;
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
        let symbols = Symbols::of(skel);
        let symbol = symbols
            .at(address)
            .map(|(name, far)| (name.to_owned(), far));
        Place {
            address,
            symbol,
            words: words.to_vec(),
        }
    }
}

/// The functions of a skel, by their addresses.
pub struct Symbols(BTreeMap<u32, String>);

impl Symbols {
    /// Reads them; a file that is no ELF has none.
    pub fn of(skel: &[u8]) -> Symbols {
        let Ok(file) = object::File::parse(skel) else {
            return Symbols(BTreeMap::new());
        };
        let functions = file
            .symbols()
            .chain(file.dynamic_symbols())
            .filter(|s| s.is_definition() && s.kind() == object::SymbolKind::Text)
            .filter_map(|s| Some((s.address() as u32, s.name().ok()?.to_owned())));
        Symbols(functions.collect())
    }

    /// The function that an address lies in, with the distance from its start.
    pub fn at(&self, address: u32) -> Option<(&str, u32)> {
        let (start, name) = self.0.range(..=address).next_back()?;
        Some((name, address - start))
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
