//! A recorded dump as a target: what ran once answers again, without the device.

use super::{Description, Job, Ran, Target, TargetError};
use hmx_analysis::Dump;
use hmx_probes::Probe;

/// The target `replay`.
pub struct Replay {
    dump: Dump,
    probe: Probe,
    untouched: Vec<bool>,
}

impl Replay {
    /// Answers for the probe that `dump` was taken with; `probe` is the dump's own definition.
    pub fn new(dump: Dump, probe: Probe) -> Replay {
        let mut untouched = vec![false; dump.vtcm.len()];
        for &(start, len) in &dump.manifest.untouched {
            let end = start.saturating_add(len) as usize;
            if let Some(range) = untouched.get_mut(start as usize..end) {
                range.fill(true);
            }
        }
        Replay {
            dump,
            probe,
            untouched,
        }
    }

    fn same_tiles(&self, image: &[u8]) -> bool {
        self.probe.tiles.iter().all(|tile| {
            let start = tile.at as usize;
            image.get(start..start + tile.bytes.len()) == Some(&tile.bytes[..])
        })
    }
}

impl Target for Replay {
    fn describe(&self) -> Description {
        let manifest = &self.dump.manifest;
        Description {
            name: "replay".to_owned(),
            arch: manifest.arch,
            skel_sha256: manifest.skel_sha256.clone(),
            facts: manifest.facts.clone(),
        }
    }

    /// Bytes that the recorded run left alone keep the job's poison; all others are as recorded.
    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let Probe { name, program, .. } = &self.probe;
        let difference = if job.program != *program || job.usr != self.probe.usr {
            Some("another program")
        } else if job.image.len() != self.dump.vtcm.len() {
            Some("another size of VTCM")
        } else if !self.same_tiles(&job.image) {
            Some("other tiles")
        } else {
            None
        };
        if let Some(difference) = difference {
            return Err(TargetError::Refused(format!(
                "the dump holds a run of `{name}` with {difference}; replay the probe it was taken with"
            )));
        }
        let image = (job.image.iter().zip(&self.dump.vtcm))
            .zip(&self.untouched)
            .map(|((&staged, &recorded), &untouched)| if untouched { staged } else { recorded })
            .collect();
        let Dump { manifest, .. } = &self.dump;
        Ok(Ran {
            image,
            evidence: manifest.evidence,
            notes: vec![format!(
                "recorded on target {} by {}",
                manifest.target, manifest.tool
            )],
        })
    }
}
