//! The dump folder: `manifest.json`, `probe.toml`, `vtcm.bin`, and reports beside them.
//!
//! A dump is what one run left behind, complete enough to be analysed with no target at
//! hand. [`Dump::read`] checks every digest, so that a dump cut short or edited is refused
//! by name and never analysed.

use crate::dump_error::DumpError;
use crate::untouched::{UnequalImages, Untouched};
use hmx_abi::{Arch, Evidence};
use hmx_probes::Probe;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version of the dump format that this crate writes and reads.
pub const FORMAT: u32 = 1;

/// What `manifest.json` holds. On disk one more key, `manifest_sha256`, seals the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Version of the tool that wrote it.
    pub tool: String,
    /// Target: sim, qemu, device.
    pub target: String,
    /// Architecture that ran it.
    pub arch: Arch,
    /// Class of evidence of the readout.
    pub evidence: Evidence,
    /// Probe name.
    pub probe: String,
    /// SHA-256 of `probe.toml`.
    pub probe_sha256: String,
    /// SHA-256 of `vtcm.bin`.
    pub vtcm_sha256: String,
    /// Length of `vtcm.bin`.
    pub vtcm_len: u64,
    /// The poison bytes of the two runs; `vtcm.bin` is the first run's image.
    pub poison: [u8; 2],
    /// Ranges of the image that no run wrote (offset, length), from the two poison patterns.
    pub untouched: Vec<(u32, u32)>,
    /// Ranges that came out different under the other poison although they were written.
    #[serde(default)]
    pub unstable: Vec<(u32, u32)>,
    /// SHA-256 of the skel, where one was run.
    pub skel_sha256: Option<String>,
    /// Seed, where the probe has random tiles.
    pub seed: Option<u64>,
    /// Facts about the device, as the target tells them.
    pub facts: BTreeMap<String, String>,
}

/// What the caller knows about a run; the rest of the manifest is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Target: sim, qemu, device.
    pub target: String,
    /// Architecture that ran it.
    pub arch: Arch,
    /// Class of evidence of the readout.
    pub evidence: Evidence,
    /// Probe name.
    pub probe: String,
    /// SHA-256 of the skel, where one was run.
    pub skel_sha256: Option<String>,
    /// Seed, where the probe has random tiles.
    pub seed: Option<u64>,
    /// Facts about the device, as the target tells them.
    pub facts: BTreeMap<String, String>,
}

/// A dump in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Dump {
    /// `manifest.json`
    pub manifest: Manifest,
    /// `probe.toml`
    pub probe: String,
    /// `vtcm.bin`
    pub vtcm: Vec<u8>,
}

impl Dump {
    /// The dump of two runs of one probe (`probe`: its TOML text) under the poison bytes
    /// `poison`. The first image is kept; the second tells the untouched bytes.
    pub fn of(
        origin: Origin,
        probe: &str,
        first: Vec<u8>,
        second: &[u8],
        poison: [u8; 2],
    ) -> Result<Dump, UnequalImages> {
        let seen = Untouched::from(&first, second, poison)?;
        Ok(Dump::new(origin, probe, first, poison, seen))
    }

    /// The dump of a run whose untouched bytes are known already.
    pub fn new(
        origin: Origin,
        probe: &str,
        image: Vec<u8>,
        poison: [u8; 2],
        seen: Untouched,
    ) -> Dump {
        Dump {
            manifest: Manifest {
                format: FORMAT,
                tool: env!("CARGO_PKG_VERSION").to_owned(),
                target: origin.target,
                arch: origin.arch,
                evidence: origin.evidence,
                probe: origin.probe,
                probe_sha256: sha256(probe.as_bytes()),
                vtcm_sha256: sha256(&image),
                vtcm_len: image.len() as u64,
                poison,
                untouched: seen.untouched,
                unstable: seen.unstable,
                skel_sha256: origin.skel_sha256,
                seed: origin.seed,
                facts: origin.facts,
            },
            probe: probe.to_owned(),
            vtcm: image,
        }
    }

    /// The probe that was run, as its definition in the dump says.
    pub fn definition(&self) -> Result<Probe, DumpError> {
        let probe = Probe::parse(&self.manifest.probe, &self.probe).map_err(DumpError::Probe)?;
        if probe.image_len != self.vtcm.len() {
            return Err(DumpError::OtherSize {
                probe: probe.image_len,
                found: self.vtcm.len(),
            });
        }
        Ok(probe)
    }

    /// Checks that the parts fit the manifest: lengths, digests, ranges.
    pub fn check(&self) -> Result<(), DumpError> {
        let m = &self.manifest;
        if m.format != FORMAT {
            return Err(DumpError::Format { found: m.format });
        }
        let found = self.vtcm.len() as u64;
        if found < m.vtcm_len {
            return Err(DumpError::Truncated {
                expected: m.vtcm_len,
                found,
            });
        }
        if sha256(&self.vtcm) != m.vtcm_sha256 || found != m.vtcm_len {
            return Err(DumpError::Edited { file: VTCM });
        }
        if sha256(self.probe.as_bytes()) != m.probe_sha256 {
            return Err(DumpError::Edited { file: PROBE });
        }
        for &(at, len) in m.untouched.iter().chain(&m.unstable) {
            if u64::from(at) + u64::from(len) > m.vtcm_len {
                return Err(DumpError::Range {
                    at,
                    len,
                    vtcm_len: m.vtcm_len,
                });
            }
        }
        Ok(())
    }
}

/// Name of the manifest in a dump folder.
pub const MANIFEST: &str = "manifest.json";
/// Name of the probe definition in a dump folder.
pub const PROBE: &str = "probe.toml";
/// Name of the raw image in a dump folder.
pub const VTCM: &str = "vtcm.bin";

/// SHA-256 in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}
