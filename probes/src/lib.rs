//! Single-tile probes: definitions as TOML files, staging of known tiles.

pub mod definition;

pub use definition::{Element, Probe, Readout, Tile};
