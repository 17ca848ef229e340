//! The dump folder: `manifest.json`, `probe.toml`, `vtcm.bin`.

use hmx_abi::{Arch, Evidence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `manifest.json` holds.
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
