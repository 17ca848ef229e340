//! What can be wrong with a dump folder.

use crate::dump::FORMAT;
use std::path::PathBuf;

/// A dump that was not read or not written. Each text names the file and the next step.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// {dir} is no folder; give the path of a dump folder, as `hmx probe run NAME --out DIR` writes it
    #[error(
        "{dir} is no folder; give the path of a dump folder, as `hmx probe run NAME --out DIR` writes it"
    )]
    NoFolder {
        /// What was given.
        dir: PathBuf,
    },
    /// {file} is missing: this is no complete dump; copy the whole folder again or rerun the probe
    #[error(
        "{file} is missing: this is no complete dump; copy the whole folder again or rerun the probe"
    )]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// {file} cannot be read ({cause}); check its permissions, or copy the dump again
    #[error("{file} cannot be read ({cause}); check its permissions, or copy the dump again")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// manifest.json is no manifest ({cause}); copy the dump again or rerun the probe
    #[error("manifest.json is no manifest ({cause}); copy the dump again or rerun the probe")]
    NotAManifest {
        /// What is wrong, with line and column where known.
        cause: String,
    },
    /// manifest.json: format {found} is unknown, this tool reads format 1; use the version of hmx that wrote the dump, or rerun the probe
    #[error(
        "manifest.json: format {found} is unknown, this tool reads format {FORMAT}; use the version of hmx that wrote the dump, or rerun the probe"
    )]
    Format {
        /// The format named there.
        found: u32,
    },
    /// manifest.json was edited: its content does not match its `manifest_sha256`; restore it or rerun the probe
    #[error(
        "manifest.json was edited: its content does not match its `manifest_sha256`; restore it or rerun the probe"
    )]
    ManifestEdited,
    /// manifest.json: {0}; rerun the probe on a known version, or update hmx
    #[error("manifest.json: {0}; rerun the probe on a known version, or update hmx")]
    Arch(hmx_abi::arch::UnknownArch),
    /// vtcm.bin is cut short: {found} of {expected} bytes; copy the dump again or rerun the probe
    #[error(
        "vtcm.bin is cut short: {found} of {expected} bytes; copy the dump again or rerun the probe"
    )]
    Truncated {
        /// Bytes the manifest promises.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// {file} was edited: its SHA-256 is not the one in manifest.json; restore it or rerun the probe
    #[error(
        "{file} was edited: its SHA-256 is not the one in manifest.json; restore it or rerun the probe"
    )]
    Edited {
        /// The file.
        file: &'static str,
    },
    /// manifest.json: the range {at}+{len} lies outside vtcm.bin ({vtcm_len} bytes); rerun the probe
    #[error(
        "manifest.json: the range {at}+{len} lies outside vtcm.bin ({vtcm_len} bytes); rerun the probe"
    )]
    Range {
        /// Offset.
        at: u32,
        /// Length.
        len: u32,
        /// Bytes of the image.
        vtcm_len: u64,
    },
    /// probe.toml is not UTF-8 text; copy the dump again or rerun the probe
    #[error("probe.toml is not UTF-8 text; copy the dump again or rerun the probe")]
    NotText,
    /// (the probe's own error, with the line)
    #[error("probe.toml: {0}")]
    Probe(hmx_probes::ProbeError),
    /// vtcm.bin has {found} bytes, but probe.toml describes {probe}; rerun the probe
    #[error("vtcm.bin has {found} bytes, but probe.toml describes {probe}; rerun the probe")]
    OtherSize {
        /// Bytes of the probe's image.
        probe: usize,
        /// Bytes of vtcm.bin.
        found: usize,
    },
    /// {dir} exists and holds more than a dump: nothing was overwritten; choose another folder or empty it yourself
    #[error(
        "{dir} exists and holds more than a dump: nothing was overwritten; choose another folder or empty it yourself"
    )]
    NotADump {
        /// The folder.
        dir: PathBuf,
    },
    /// {file} cannot be written ({cause}); check the free space and the permissions, nothing was overwritten
    #[error(
        "{file} cannot be written ({cause}); check the free space and the permissions, nothing was overwritten"
    )]
    Unwritable {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
}
