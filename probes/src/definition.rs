//! What a probe is.

use hmx_abi::{Arch, Program, tile::Layout};

/// One probe, read from its TOML file.
#[derive(Debug, Clone)]
pub struct Probe {
    /// File stem; unique among shipped probes.
    pub name: String,
    /// The question it answers, in one sentence.
    pub question: String,
    /// The TOML text it was read from (a dump carries it along).
    pub source: String,
    /// Lowest architecture that has all its instructions.
    pub arch_min: Arch,
    /// USR value: bit 20 inf/nan enable, bit 21 nan propagate.
    pub usr: u32,
    /// Bytes of the VTCM image; addresses in the program are offsets into it.
    pub image_len: usize,
    /// Tiles staged before the run.
    pub tiles: Vec<Tile>,
    /// Ranges looked at after the run.
    pub readouts: Vec<Readout>,
    /// Packets with operand values.
    pub program: Program<u32>,
    /// Ids of recorded silicon readings that this probe repeats.
    pub recorded: Vec<String>,
}

/// A known tile in the image.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Name, usable as an operand of the program.
    pub name: String,
    /// Offset in the image.
    pub at: u32,
    /// The staged bytes.
    pub bytes: Vec<u8>,
    /// How they are laid out, for pictures.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
}

/// A range read back.
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
