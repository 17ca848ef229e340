//! Single-tile probes: definitions as TOML files, staging of known tiles.
//!
//! A probe is a VTCM image with known tiles, a program, the ranges to read back, and what each
//! outcome would mean. `docs/probes.md` documents the file format.

pub mod definition;
pub mod element;
pub mod error;
mod family;
mod file;
mod fill;
pub mod formula;
mod load;
mod outcome;
mod parse;
mod place;
mod program;
mod shipped;
mod staging;

pub use definition::{
    Along, Assembled, Check, Element, Expect, Grid, Outcome, Probe, Product, Readout, Tile,
};
pub use error::{DefinitionError, ProbeError, Problem};
pub use formula::{Formula, FormulaError};
pub use shipped::{files, find, shipped};
pub use staging::{GUARD, Touched, untouched};
