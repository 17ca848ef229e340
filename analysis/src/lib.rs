//! Decoding of raw readouts: layout inference, comparison, evidence, reports.

pub mod dump;
pub mod replay;
pub mod verdict;

pub use dump::{Dump, Manifest};
pub use verdict::Verdict;
