//! The four verdicts.

use serde::{Deserialize, Serialize};

/// How a comparison ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Not as expected.
    Mismatch,
    /// Nothing was expected: a reading, no judgement.
    Observation,
    /// The target cannot run it.
    Refused,
}
