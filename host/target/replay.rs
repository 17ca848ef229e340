//! Recorded dumps as a target: what ran once answers again, without the device.

use super::{Description, Job, Ran, Target, TargetError};
use hmx_analysis::dump::MANIFEST;
use hmx_analysis::{Dump, DumpError};
use hmx_probes::{Probe, ProbeError};
use std::path::{Path, PathBuf};

/// Why dumps cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// {dir} holds no dump and no folder with one; give a folder that `hmx probe run --out` wrote
    #[error(
        "{dir} holds no dump and no folder with one; give a folder that `hmx probe run --out` wrote"
    )]
    Empty {
        /// The folder.
        dir: PathBuf,
    },
    /// {dir}: {source}
    #[error("{dir}: {source}")]
    Dump {
        /// The folder.
        dir: PathBuf,
        /// What is wrong with it.
        source: DumpError,
    },
    /// The definition in a dump is no probe of this version.
    #[error("the probe in the dump: {0}")]
    Probe(#[from] ProbeError),
    /// the dumps were taken on {first} and {second}; replay one target and architecture at a time
    #[error(
        "the dumps were taken on {first} and {second}; replay one target and architecture at a time"
    )]
    Mixed {
        /// Target and architecture of the first dump.
        first: String,
        /// Those of another one.
        second: String,
    },
}

/// The target `replay`.
pub struct Replay {
    description: Description,
    recorded: Vec<Recorded>,
}

struct Recorded {
    dump: Dump,
    probe: Probe,
    untouched: Vec<bool>,
}

impl Replay {
    /// Reads a dump folder, or every dump folder inside `dir`.
    ///
    /// # Errors
    /// A folder without dumps, a damaged dump, dumps of several targets.
    pub fn open(dir: &Path) -> Result<Replay, ReplayError> {
        let mut folders = Vec::new();
        if dir.join(MANIFEST).exists() {
            folders.push(dir.to_owned());
        } else if let Ok(entries) = std::fs::read_dir(dir) {
            let paths = entries.flatten().map(|e| e.path());
            folders.extend(paths.filter(|p| p.join(MANIFEST).exists()));
        }
        folders.sort();
        let dumps = folders.into_iter().map(|dir| {
            let read = Dump::read(&dir);
            read.map_err(|source| ReplayError::Dump { dir, source })
        });
        let dumps: Vec<Dump> = dumps.collect::<Result<_, _>>()?;
        if dumps.is_empty() {
            return Err(ReplayError::Empty { dir: dir.into() });
        }
        Replay::new(dumps)
    }

    /// Answers for the probes that the dumps were taken with.
    ///
    /// # Errors
    /// A definition that cannot be read, dumps of several targets, no dump at all.
    pub fn new(dumps: Vec<Dump>) -> Result<Replay, ReplayError> {
        let Some(first) = dumps.first() else {
            return Err(ReplayError::Empty { dir: "it".into() });
        };
        let place = |dump: &Dump| format!("{} {}", dump.manifest.target, dump.manifest.arch);
        if let Some(other) = dumps.iter().find(|d| place(d) != place(first)) {
            return Err(ReplayError::Mixed {
                first: place(first),
                second: place(other),
            });
        }
        let manifest = &first.manifest;
        let mut facts = manifest.facts.clone();
        facts.insert("recorded on".to_owned(), manifest.target.clone());
        let description = Description {
            name: "replay".to_owned(),
            arch: manifest.arch,
            skel_sha256: manifest.skel_sha256.clone(),
            facts,
        };
        let recorded = dumps.into_iter().map(Recorded::new);
        Ok(Replay {
            description,
            recorded: recorded.collect::<Result<_, _>>()?,
        })
    }
}

impl Recorded {
    fn new(dump: Dump) -> Result<Recorded, ReplayError> {
        let probe = Probe::parse(&dump.manifest.probe, &dump.probe)?;
        let written =
            hmx_analysis::untouched::written(&dump.manifest.untouched, 0..dump.vtcm.len());
        Ok(Recorded {
            untouched: written.into_iter().map(|w| !w).collect(),
            dump,
            probe,
        })
    }

    fn is_of(&self, job: &Job) -> bool {
        let tile = |t: &hmx_probes::Tile| job.image.get(t.range()) == Some(&t.bytes[..]);
        job.program == self.probe.program
            && job.usr == self.probe.usr
            && job.image.len() == self.dump.vtcm.len()
            && self.probe.tiles.iter().all(tile)
    }
}

impl Target for Replay {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    /// Bytes that the recorded run left alone keep the job's poison; all others are as recorded.
    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let Some(Recorded {
            dump, untouched, ..
        }) = self.recorded.iter().find(|r| r.is_of(job))
        else {
            let names: Vec<&str> = self
                .recorded
                .iter()
                .map(|r| r.probe.name.as_str())
                .collect();
            return Err(TargetError::Refused(format!(
                "none of the dumps has this program and these tiles; they are of: {}",
                names.join(", ")
            )));
        };
        let image = (job.image.iter().zip(&dump.vtcm))
            .zip(untouched)
            .map(|((&staged, &recorded), &kept)| if kept { staged } else { recorded })
            .collect();
        Ok(Ran {
            image,
            evidence: dump.manifest.evidence,
            notes: vec![format!(
                "recorded on target {} by hmx {}",
                dump.manifest.target, dump.manifest.tool
            )],
        })
    }
}
