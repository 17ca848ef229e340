//! The TOML file as it is written: the tables and keys, without meaning.

use crate::definition::{Along, Element};
use hmx_abi::{Arch, Evidence, tile::Layout};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub question: Spanned<String>,
    pub arch: Option<Spanned<Arch>>,
    #[serde(default)]
    pub usr: u32,
    pub image: Option<Spanned<u64>>,
    #[serde(default)]
    pub recorded: Vec<String>,
    pub program: Spanned<String>,
    #[serde(default)]
    pub tile: Vec<TileTable>,
    #[serde(default)]
    pub readout: Vec<ReadoutTable>,
    #[serde(default)]
    pub assembled: Vec<AssembledTable>,
    #[serde(default)]
    pub outcome: Vec<OutcomeTable>,
}

/// `[[tile]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TileTable {
    pub name: Spanned<String>,
    pub at: Spanned<u32>,
    pub layout: Layout,
    pub element: Spanned<Element>,
    pub tiles: Option<Spanned<usize>>,
    #[serde(default)]
    pub along: Along,
    pub fill: Spanned<Fill>,
}

/// `fill = { KIND = ... }`: the closed list of fills.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fill {
    /// The same value everywhere.
    Uniform(f64),
    /// The same byte everywhere.
    Byte(u8),
    /// An integer formula of row `r` and column `c`.
    Formula(String),
    /// A value on the diagonal, zero elsewhere.
    Identity(f64),
    /// One value per row, repeated downwards.
    Rows(Vec<f64>),
    /// One value per column, repeated to the right.
    Columns(Vec<f64>),
    /// Bit patterns as rows of columns, repeated both ways.
    Words(Vec<Vec<u32>>),
    /// Raw bytes of the whole tile in memory order.
    Hex(String),
    /// Seeded random values.
    Random(Random),
    /// `scale * (code - zero)`.
    Quantised(Quantised),
}

/// Uniform over `min, min+step, ..., max`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Random {
    pub seed: u64,
    pub min: f64,
    pub max: f64,
    pub step: Option<f64>,
}

/// A quantised pattern, expanded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quantised {
    /// Formula of `r` and `c`.
    pub codes: String,
    pub zero: i64,
    pub scale: f64,
}

/// `[[readout]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadoutTable {
    pub name: Spanned<String>,
    pub at: Spanned<u32>,
    pub layout: Layout,
    pub element: Spanned<Element>,
}

/// `[[assembled]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssembledTable {
    pub name: Spanned<String>,
    pub parts: Vec<Spanned<String>>,
}

/// `[[outcome]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutcomeTable {
    pub meaning: Spanned<String>,
    pub evidence: Evidence,
    #[serde(default)]
    pub expected: bool,
    pub expect: BTreeMap<String, Spanned<ExpectTable>>,
}

/// What an outcome says of one readout: every key given must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ExpectTable {
    pub uniform: Option<f64>,
    pub decimals: Option<u32>,
    pub formula: Option<String>,
    pub rows: Option<Vec<f64>>,
    pub columns: Option<Vec<f64>>,
    pub words: Option<Vec<Vec<u32>>>,
    pub bytes: Option<String>,
    pub same_as: Option<String>,
    pub product: Option<ProductTable>,
    pub written: Option<usize>,
    pub nonzero: Option<usize>,
}

/// `product = { ... }`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProductTable {
    pub activation: String,
    pub weight: String,
    pub row: Option<String>,
    #[serde(default)]
    pub add: i64,
}

/// The parameters of one variant, each with its place in the file.
pub(crate) type Parameters = BTreeMap<String, Spanned<toml::Value>>;

/// A file seen only for its variants.
#[derive(Debug, Deserialize)]
pub(crate) struct FamilyFile {
    pub variants: Option<Spanned<Vec<Parameters>>>,
}
