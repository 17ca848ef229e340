//! One probe on one target: two runs under two poison patterns, and what they show.

use crate::target::{Description, Job, Target, TargetError};
use hmx_abi::Evidence;
use hmx_probes::Probe;

/// The bytes that fill everything that no tile covers, one for each run. They differ in every
/// bit, so a byte that keeps its poison in both runs was written by neither.
pub const POISON: [u8; 2] = [0xa5, 0x5a];

/// A piece of the image: offset and length.
pub type Range = (u32, u32);

/// What two runs of a probe show.
#[derive(Debug, Clone)]
pub struct Run {
    /// The target that ran it.
    pub target: Description,
    /// Weakest class of evidence among the packets.
    pub evidence: Evidence,
    /// The target's remarks.
    pub notes: Vec<String>,
    /// VTCM after the first run.
    pub image: Vec<u8>,
    /// Bytes that neither run wrote.
    pub untouched: Vec<Range>,
    /// Guard bytes and tile bytes outside every readout that were written all the same.
    pub spilled: Vec<Range>,
    /// Bytes that differ between the runs: the program read bytes that no tile staged.
    pub unsettled: Vec<Range>,
}

/// Runs a probe under both poison patterns.
pub fn run(probe: &Probe, target: &mut dyn Target) -> Result<Run, TargetError> {
    let jobs = POISON.map(|poison| Job::staged(probe, poison));
    let first = target.run(&jobs[0])?;
    let second = target.run(&jobs[1])?;
    let lengths = [&first, &second].map(|ran| ran.image.len());
    if lengths != [probe.image_len; 2] {
        return Err(TargetError::Failed(format!(
            "the target gave back {} and {} bytes of VTCM instead of {}; the skel and this tool do not fit together",
            lengths[0], lengths[1], probe.image_len
        )));
    }
    let read_back = covered(
        probe.image_len,
        probe.readouts.iter().map(|r| (r.at as usize, r.len)),
    );
    let tile = covered(
        probe.image_len,
        probe.tiles.iter().map(|t| (t.at as usize, t.bytes.len())),
    );
    let changed =
        |at: usize| first.image[at] != jobs[0].image[at] || second.image[at] != jobs[1].image[at];
    let ranges = |pick: &dyn Fn(usize) -> bool| ranges(probe.image_len, pick);
    Ok(Run {
        target: target.describe(),
        evidence: first.evidence.weaker(second.evidence),
        untouched: ranges(&|at| !tile[at] && !changed(at)),
        spilled: ranges(&|at| !read_back[at] && changed(at)),
        unsettled: ranges(&|at| changed(at) && first.image[at] != second.image[at]),
        notes: first.notes,
        image: first.image,
    })
}

/// Which bytes of an image the pieces cover.
fn covered(len: usize, pieces: impl Iterator<Item = (usize, usize)>) -> Vec<bool> {
    let mut map = vec![false; len];
    for (at, bytes) in pieces {
        map.iter_mut().skip(at).take(bytes).for_each(|b| *b = true);
    }
    map
}

/// The bytes that `pick` says yes to, as ranges.
fn ranges(len: usize, pick: &dyn Fn(usize) -> bool) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::new();
    for at in (0..len).filter(|&at| pick(at)) {
        match found.last_mut() {
            Some((start, count)) if (*start + *count) as usize == at => *count += 1,
            _ => found.push((at as u32, 1)),
        }
    }
    found
}
