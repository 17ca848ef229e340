//! What a verification was of: tool, sources, packers.

use super::golden::weight_format;
use crate::kernels::Kernel;
use crate::packers::Format;
use crate::skel_build;
pub use hmx_analysis::dump::sha256;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;

/// A certificate holds only for what has the same identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the tool.
    pub tool: String,
    /// SHA-256 of the tool's file.
    pub tool_sha256: String,
    /// SHA-256 over all C sources and headers of the kernels, with their names.
    pub sources_sha256: String,
    /// SHA-256 of the packed ramp in each weight format.
    pub packers: BTreeMap<String, String>,
}

impl Identity {
    /// That of this tool.
    ///
    /// # Errors
    /// The tool cannot read its own file.
    pub fn here() -> io::Result<Identity> {
        let own = std::fs::read(std::env::current_exe()?)?;
        Ok(Identity {
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            tool_sha256: sha256(&own),
            sources_sha256: sources_sha256(),
            packers: Kernel::ALL
                .map(weight_format)
                .map(|f| (f.name().to_owned(), ramp(f)))
                .into(),
        })
    }

    /// What differs, apart from the tool's file; empty when nothing does.
    pub fn differences(&self, other: &Identity) -> Vec<&'static str> {
        let mut found = Vec::new();
        if self.sources_sha256 != other.sources_sha256 {
            found.push("the kernel sources");
        }
        if self.packers != other.packers {
            found.push("the packers");
        }
        found
    }
}

/// Computed, not looked up: a changed packer has another identity.
fn ramp(format: Format) -> String {
    format.digest().unwrap_or_else(|error| error.to_string())
}

fn sources_sha256() -> String {
    let mut hash = Sha256::new();
    skel_build::add_sources(&mut hash);
    format!("{:x}", hash.finalize())
}
