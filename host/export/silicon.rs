//! What a device has said about an exported kernel.

use hmx_abi::Arch;
use hmx_analysis::compare::{Side, compare};
use hmx_analysis::dump::{Dump, sha256};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The status of a kernel that no device has run.
const NOT_YET: &str = "not yet run on a device";

/// Silicon status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silicon {
    /// In words.
    pub status: String,
    /// Readings off a device that were given.
    pub readings: Vec<Reading>,
}

/// A probe that a device has run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The probe.
    pub probe: String,
    /// The device's architecture.
    pub arch: Arch,
    /// SHA-256 of the image read back.
    pub vtcm_sha256: String,
    /// Whether the readout equals the model's.
    pub as_the_model: bool,
}

impl Silicon {
    /// The status with these dump folders.
    ///
    /// # Errors
    /// A folder is no dump, or none off a device.
    pub fn of(dumps: &[impl AsRef<Path>]) -> anyhow::Result<Silicon> {
        let readings = dumps
            .iter()
            .map(|dir| read(dir.as_ref()))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let agreeing = readings.iter().filter(|r| r.as_the_model).count();
        let status = match readings.len() {
            0 => NOT_YET.to_owned(),
            all => format!(
                "the kernel: {NOT_YET}; probes: {all} read off a device, {agreeing} of them as the model says"
            ),
        };
        Ok(Silicon { status, readings })
    }
}

fn read(dir: &Path) -> anyhow::Result<Reading> {
    let dump = Dump::read(dir)?;
    if dump.manifest.target != "device" {
        anyhow::bail!(
            "{} is a dump of target {}; --device-dump takes dumps that `hmx probe run --target device` wrote",
            dir.display(),
            dump.manifest.target
        );
    }
    let probe = dump.definition()?;
    let device = Side::of(dir.display().to_string(), &dump);
    let model = Side::model(&dump, &probe)?;
    Ok(Reading {
        probe: dump.manifest.probe.clone(),
        arch: dump.manifest.arch,
        vtcm_sha256: sha256(&dump.vtcm),
        as_the_model: compare(&device, &model, &probe)?.equal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_dump_nothing_is_claimed() {
        let silicon = Silicon::of(&[] as &[&Path]).unwrap();
        assert_eq!(silicon.status, "not yet run on a device");
        assert!(silicon.readings.is_empty());
    }
}
