//! Decoding of raw readouts: layout inference, comparison, evidence, reports.

pub mod dump;
pub mod replay;
pub mod dump_error;
mod dump_folder;
pub mod untouched;
pub mod verdict;

pub use dump::{Dump, Manifest, Origin};
pub use dump_error::DumpError;
pub use untouched::{POISON, Untouched};
pub use verdict::Verdict;
