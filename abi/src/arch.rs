//! Hexagon architecture versions that carry HMX.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// One Hexagon architecture version, ordered by age. HMX exists from v68 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names are the documentation
pub enum Arch {
    V68,
    V69,
    V73,
    V75,
    V79,
    V81,
}

impl Arch {
    /// Every version, oldest first.
    pub const ALL: [Arch; 6] = [
        Arch::V68,
        Arch::V69,
        Arch::V73,
        Arch::V75,
        Arch::V79,
        Arch::V81,
    ];

    /// The number in the name: 81 for v81.
    pub fn number(self) -> u32 {
        match self {
            Arch::V68 => 68,
            Arch::V69 => 69,
            Arch::V73 => 73,
            Arch::V75 => 75,
            Arch::V79 => 79,
            Arch::V81 => 81,
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.number())
    }
}

/// `{0}` is no architecture version with HMX; use one of v68, v69, v73, v75, v79, v81.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no architecture version with HMX; use one of v68, v69, v73, v75, v79, v81")]
pub struct UnknownArch(pub String);

impl FromStr for Arch {
    type Err = UnknownArch;

    fn from_str(s: &str) -> Result<Self, UnknownArch> {
        Arch::ALL
            .into_iter()
            .find(|a| s.strip_prefix(['v', 'V']) == Some(&a.number().to_string()))
            .ok_or_else(|| UnknownArch(s.to_owned()))
    }
}
