//! Decoding of raw readouts: layout inference, comparison, evidence, reports.

pub mod analyze;
pub mod closed_form;
pub mod compare;
pub mod decode;
pub mod dump;
pub mod dump_error;
mod dump_folder;
pub mod fit;
pub mod infer;
mod infer_code;
mod infer_rig;
mod infer_steps;
pub mod picture;
pub mod positions;
pub mod product;
pub mod replay;
pub mod report;
pub mod text;
pub mod ulp;
pub mod untouched;
pub mod verdict;

pub use analyze::{Analysis, analyze};
pub use dump::{Dump, Manifest, Origin};
pub use dump_error::DumpError;
pub use infer_rig::{Answer, Request};
pub use report::ReportItem;
pub use untouched::{POISON, Untouched};
pub use verdict::Verdict;
