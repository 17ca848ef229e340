//! What a probe is.

use crate::{element, formula::Formula};
use hmx_abi::tile::{Layout, Slot};
use hmx_abi::{Arch, Evidence, Packet, Program};
use std::ops::Range;

/// One probe, read from its TOML file.
#[derive(Debug, Clone)]
pub struct Probe {
    /// File stem, plus the variant's name where the file holds a family; unique among shipped probes.
    pub name: String,
    /// The question it answers, in one sentence.
    pub question: String,
    /// The TOML text of this one probe (a dump carries it along). Variants are filled in,
    /// so it reads back with [`Probe::parse`].
    pub source: String,
    /// Lowest architecture that has all its instructions and that its expectation holds for.
    pub arch_min: Arch,
    /// USR value: bit 20 inf/nan enable, bit 21 nan propagate.
    pub usr: u32,
    /// Bytes of the VTCM image; addresses in the program are offsets into it.
    pub image_len: usize,
    /// Tiles staged before the run.
    pub tiles: Vec<Tile>,
    /// Ranges looked at after the run.
    pub readouts: Vec<Readout>,
    /// Numbers put together from several readouts.
    pub assembled: Vec<Assembled>,
    /// Packets with operand values.
    pub program: Program<u32>,
    /// What the readout may be, and what each case would mean.
    pub outcomes: Vec<Outcome>,
    /// Ids of recorded silicon readings that this probe repeats.
    pub recorded: Vec<String>,
    /// Seed of its first random tile.
    pub seed: Option<u64>,
}

impl Probe {
    /// The outcome that counts as a pass, if any is marked so.
    pub fn expected(&self) -> Option<&Outcome> {
        self.outcomes.iter().find(|o| o.expected)
    }

    /// Whether this version has every instruction of the program and the expectation covers it.
    pub fn available(&self, arch: Arch) -> bool {
        let has = |p: &Packet<u32>| match p {
            Packet::Multiply(a, w) => a.instr.available(arch) && w.instr.available(arch),
            Packet::Single(i) => i.instr.available(arch),
        };
        arch >= self.arch_min && self.program.iter().all(has)
    }

    /// A tile by name.
    pub fn tile(&self, name: &str) -> Option<&Tile> {
        self.tiles.iter().find(|t| t.name == name)
    }

    /// A readout by name.
    pub fn readout(&self, name: &str) -> Option<&Readout> {
        self.readouts.iter().find(|r| r.name == name)
    }
}

/// Which way the tiles of a stack continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Along {
    /// Tile t holds the columns `32*t ..`: activations of a `:deep` packet.
    #[default]
    Columns,
    /// Tile t holds the next rows: weights of a `:deep` packet.
    Rows,
}

/// A matrix that lies in one tile, or in several tiles one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Layout of one tile.
    pub layout: Layout,
    /// How many tiles.
    pub tiles: usize,
    /// Which way they continue.
    pub along: Along,
}

impl Grid {
    /// Rows and columns of the whole matrix.
    pub fn shape(self) -> (usize, usize) {
        let (rows, columns) = self.layout.shape();
        match self.along {
            Along::Columns => (rows, columns * self.tiles),
            Along::Rows => (rows * self.tiles, columns),
        }
    }

    /// Bytes of all tiles.
    pub fn bytes(self) -> usize {
        self.layout.bytes() * self.tiles
    }

    /// Where element (row, column) lies, counted from the first tile's first byte.
    pub fn slot(self, row: usize, column: usize) -> Slot {
        let (rows, columns) = self.layout.shape();
        let (tile, row, column) = match self.along {
            Along::Columns => (column / columns, row, column % columns),
            Along::Rows => (row / rows, row % rows, column),
        };
        let slot = self.layout.slot(row, column);
        Slot {
            byte: slot.byte + tile * self.layout.bytes(),
            ..slot
        }
    }
}

/// A known tile (or a stack of them) in the image.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Name, usable as an operand of the program.
    pub name: String,
    /// Offset in the image.
    pub at: u32,
    /// The staged bytes: `tiles` tiles of the layout.
    pub bytes: Vec<u8>,
    /// How they are laid out, for pictures.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
    /// Tiles one after the other; 1 for all but `:deep` operands.
    pub tiles: usize,
    /// Which way a stack continues.
    pub along: Along,
}

impl Tile {
    /// The matrix it holds.
    pub fn grid(&self) -> Grid {
        Grid {
            layout: self.layout,
            tiles: self.tiles,
            along: self.along,
        }
    }

    /// The value staged at (row, column).
    pub fn value(&self, row: usize, column: usize) -> Option<f64> {
        let slot = self.grid().slot(row, column);
        let code = element::read(&self.bytes, slot)?;
        Some(self.element.decode(slot.bits, code))
    }

    /// Where it lies in the image.
    pub fn range(&self) -> Range<usize> {
        self.at as usize..self.at as usize + self.bytes.len()
    }
}

/// A range read back: one tile.
#[derive(Debug, Clone)]
pub struct Readout {
    /// Name.
    pub name: String,
    /// Offset in the image.
    pub at: u32,
    /// Bytes.
    pub len: usize,
    /// How it is looked at.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
}

impl Readout {
    /// The bits at (row, column) of an image, or `None` if the image ends before them.
    pub fn code(&self, image: &[u8], row: usize, column: usize) -> Option<u32> {
        let slot = self.layout.slot(row, column);
        element::read(image.get(self.range())?, slot)
    }

    /// The value at (row, column) of an image, or `None` if the image ends before it.
    pub fn value(&self, image: &[u8], row: usize, column: usize) -> Option<f64> {
        let code = self.code(image, row, column)?;
        Some(self.element.decode(self.layout.bits(), code))
    }

    /// Where it lies in the image.
    pub fn range(&self) -> Range<usize> {
        self.at as usize..self.at as usize + self.len
    }
}

/// Two's complement numbers put together from readouts of the same shape.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// Name, usable in an outcome like that of a readout.
    pub name: String,
    /// The readouts, most significant first. Their widths add up to at most 32 bits.
    pub parts: Vec<Readout>,
}

impl Assembled {
    /// The number at (row, column).
    pub fn value(&self, image: &[u8], row: usize, column: usize) -> Option<f64> {
        let mut code = 0u64;
        let mut bits = 0;
        for part in &self.parts {
            let wide = part.layout.bits();
            code = code << wide | u64::from(part.code(image, row, column)?);
            bits += wide;
        }
        Some(Element::Signed.decode(bits, code as u32))
    }
}

/// How the bits of an element become a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // named by their types
pub enum Element {
    /// Unsigned, of the layout's width.
    Unsigned,
    /// Two's complement, of the layout's width.
    Signed,
    /// IEEE half.
    Hf,
}

/// One thing the readout may be.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What it would mean, in words.
    pub meaning: String,
    /// Class of evidence behind the prediction.
    pub evidence: Evidence,
    /// Whether this is the outcome that counts as a pass. At most one is.
    pub expected: bool,
    /// All of these hold when the outcome is the case.
    pub checks: Vec<Check>,
}

/// One statement about one readout.
#[derive(Debug, Clone)]
pub struct Check {
    /// Name of a readout or of an assembled number.
    pub readout: String,
    /// The statement.
    pub expect: Expect,
}

/// What a readout is said to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Expect {
    /// The same value everywhere; with decimals, equal after rounding to that many
    /// (for numbers that were rounded when they were written down).
    Uniform {
        /// The value.
        value: f64,
        /// Decimals that count; exact if absent.
        decimals: Option<u32>,
    },
    /// An integer formula of row `r` and column `c`.
    Formula(Formula),
    /// One value per row, repeated downwards.
    Rows(Vec<f64>),
    /// One value per column, repeated to the right.
    Columns(Vec<f64>),
    /// Bit patterns as rows of columns, repeated both ways.
    Words(Vec<Vec<u32>>),
    /// Exactly these bytes of the readout, in memory order.
    Bytes(Vec<u8>),
    /// The bytes of another readout.
    SameAs(String),
    /// The exact integer product of two staged tiles.
    Product(Product),
    /// This many elements were written (told apart by the two poison patterns).
    Written(usize),
    /// This many elements are not zero.
    Nonzero(usize),
}

/// `sum over k of activation(row, k) * weight(k, column)`, exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// Activation tile.
    pub activation: String,
    /// Weight tile.
    pub weight: String,
    /// Activation row that readout row `r` shows: a formula of `r`; the row itself if absent.
    pub row: Option<Formula>,
    /// Added to every element.
    pub add: i64,
}
