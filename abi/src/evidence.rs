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
