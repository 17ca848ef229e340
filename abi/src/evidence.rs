//! How we know what we say about HMX.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The class of evidence behind a statement about HMX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// A public Qualcomm manual says so.
    Manual,
    /// Qualcomm's public functional model does so.
    VendorModel,
    /// Read off a device.
    Silicon,
    /// A law fitted to readings off a device.
    SiliconFit,
    /// Our own reading, settled by nothing yet.
    Inferred,
}

impl Evidence {
    /// The class that says less. A reading off a device says most, our own reading least.
    pub fn weaker(self, other: Evidence) -> Evidence {
        let rank = |e: Evidence| match e {
            Evidence::Silicon => 0,
            Evidence::Manual => 1,
            Evidence::VendorModel => 2,
            Evidence::SiliconFit => 3,
            Evidence::Inferred => 4,
        };
        if rank(self) >= rank(other) {
            self
        } else {
            other
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Evidence::Manual => "manual",
            Evidence::VendorModel => "vendor-model",
            Evidence::Silicon => "silicon",
            Evidence::SiliconFit => "silicon-fit",
            Evidence::Inferred => "inferred",
        })
    }
}
