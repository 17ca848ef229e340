//! One probe on one target: two runs under two poison patterns, and what they show.

use crate::target::{Job, Target, TargetError};
pub use hmx_analysis::POISON;
use hmx_analysis::{Dump, Judgement, Origin, Reading, Verdict, judge};
use hmx_probes::{Probe, Touched};

/// What two runs of a probe left.
#[derive(Debug, Clone)]
pub struct Run {
    /// The readout and where it comes from.
    pub dump: Dump,
    /// The target's remarks.
    pub notes: Vec<String>,
    /// A byte outside every readout that was written all the same.
    pub stray: Option<Touched>,
}

/// Runs a probe under both poison patterns.
///
/// # Errors
/// [`TargetError::Refused`] when the target cannot run the probe, [`TargetError::Failed`] when it
/// broke down over it.
pub fn run(probe: &Probe, target: &mut dyn Target) -> Result<Run, TargetError> {
    let about = target.describe();
    if !probe.available(about.arch) {
        return Err(TargetError::Refused(format!(
            "needs {} or later, this is {}",
            probe.arch_min, about.arch
        )));
    }
    let jobs = POISON.map(|poison| Job::staged(probe, poison));
    let first = target.run(&jobs[0])?;
    let second = target.run(&jobs[1])?;
    for ran in [&first, &second] {
        if ran.image.len() != probe.image_len {
            return Err(TargetError::Failed(format!(
                "the target gave back {} bytes of VTCM instead of {}: build and install the skel of this version",
                ran.image.len(),
                probe.image_len
            )));
        }
    }
    let stray = stray(probe, &jobs[0].image, &first.image)
        .or_else(|| stray(probe, &jobs[1].image, &second.image));
    let origin = Origin {
        target: about.name,
        arch: about.arch,
        evidence: first.evidence.weaker(second.evidence),
        probe: probe.name.clone(),
        skel_sha256: about.skel_sha256,
        seed: probe.seed,
        facts: about.facts,
    };
    let dump = Dump::of(origin, &probe.source, first.image, &second.image, POISON)
        .map_err(|e| TargetError::Failed(e.to_string()))?;
    Ok(Run {
        dump,
        notes: first.notes,
        stray,
    })
}

impl Run {
    /// The verdict. A stray write makes a mismatch of whatever the readouts say.
    pub fn judge(&self, probe: &Probe) -> Judgement {
        let manifest = &self.dump.manifest;
        let mut judgement = judge(
            probe,
            &Reading {
                image: &self.dump.vtcm,
                untouched: &manifest.untouched,
                unsettled: &manifest.unstable,
                evidence: manifest.evidence,
            },
        );
        if let Some(stray) = &self.stray {
            judgement.verdict = Verdict::Mismatch;
            judgement.touched.get_or_insert_with(|| stray.clone());
        }
        judgement
    }
}

/// The first byte outside every readout that a run changed, with the count of all such bytes.
fn stray(probe: &Probe, before: &[u8], after: &[u8]) -> Option<Touched> {
    let read_back = |at: usize| probe.readouts.iter().any(|r| r.range().contains(&at));
    let mut changed = (before.iter().zip(after).enumerate())
        .filter(|(at, (before, after))| before != after && !read_back(*at));
    let (at, (&wanted, &found)) = changed.next()?;
    Some(Touched {
        at: at as u32,
        beside: nearest(probe, at),
        found,
        wanted,
        count: 1 + changed.count(),
    })
}

/// The tile or readout whose range is closest to an offset.
fn nearest(probe: &Probe, at: usize) -> String {
    let tiles = probe.tiles.iter().map(|t| (t.range(), &t.name));
    let readouts = probe.readouts.iter().map(|r| (r.range(), &r.name));
    tiles
        .chain(readouts)
        .min_by_key(|(range, _)| {
            if range.contains(&at) {
                0
            } else {
                range.start.abs_diff(at).min(range.end.abs_diff(at))
            }
        })
        .map_or_else(String::new, |(_, name)| name.clone())
}

#[cfg(test)]
mod tests;
