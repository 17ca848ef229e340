//! The VTCM image before a run: poison, tiles, guard bytes.

use crate::definition::Probe;
use std::ops::Range;

/// Guard bytes on each side of every tile and readout.
pub const GUARD: usize = 128;

/// The guard byte of an address: it changes from byte to byte, so that neither a poison byte
/// nor a constant written over it looks like it.
fn guard(at: usize) -> u8 {
    (at.wrapping_mul(37) ^ (at >> 8).wrapping_mul(11)) as u8 ^ 0x5B
}

/// {within} guard bytes were written, the first at {at:#x}, next to {beside}: it holds {found:#04x} instead of {wanted:#04x}
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error(
    "{count} guard bytes were written, the first at {at:#x}, next to `{beside}`: it holds {found:#04x} instead of {wanted:#04x}"
)]
pub struct Touched {
    /// Offset of the first touched guard byte.
    pub at: u32,
    /// The tile or readout it guards.
    pub beside: String,
    /// What it holds.
    pub found: u8,
    /// What it held before.
    pub wanted: u8,
    /// Touched guard bytes in all.
    pub count: usize,
}

impl Probe {
    /// Name and range of every tile and readout, in the order of the file.
    fn ranges(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let tiles = self.tiles.iter().map(|t| (t.name.as_str(), t.range()));
        let readouts = self.readouts.iter().map(|r| (r.name.as_str(), r.range()));
        tiles.chain(readouts)
    }

    /// The ranges of guard bytes, each with the tile or readout it guards.
    pub fn guards(&self) -> Vec<(String, Range<usize>)> {
        let mut all = Vec::new();
        for (name, range) in self.ranges() {
            let before = range.start.saturating_sub(GUARD)..range.start;
            let after = range.end.min(self.image_len)..(range.end + GUARD).min(self.image_len);
            for guard in [before, after] {
                all.push((name.to_owned(), guard));
            }
        }
        all
    }

    /// The image before the run: every byte poison but tiles and guards.
    pub fn image(&self, poison: u8) -> Vec<u8> {
        let mut image = vec![poison; self.image_len];
        for (_, range) in self.guards() {
            for at in range {
                image[at] = guard(at);
            }
        }
        for tile in &self.tiles {
            if let Some(place) = image.get_mut(tile.range()) {
                place.copy_from_slice(&tile.bytes);
            }
        }
        image
    }

    /// Whether every guard byte is still as [`Probe::image`] made it.
    ///
    /// # Errors
    /// The first touched guard byte, by address. A byte beyond a short image counts as touched.
    pub fn check_guards(&self, image: &[u8]) -> Result<(), Touched> {
        let mut first: Option<Touched> = None;
        let mut seen = vec![false; self.image_len];
        let mut count = 0;
        for (name, range) in self.guards() {
            for at in range {
                let found = image.get(at).copied();
                if found == Some(guard(at)) || seen.get(at).copied().unwrap_or(true) {
                    continue;
                }
                seen[at] = true;
                count += 1;
                if first.as_ref().is_none_or(|f| at < f.at as usize) {
                    first = Some(Touched {
                        at: at as u32,
                        beside: name.clone(),
                        found: found.unwrap_or(!guard(at)),
                        wanted: guard(at),
                        count: 0,
                    });
                }
            }
        }
        match first {
            None => Ok(()),
            Some(touched) => Err(Touched { count, ..touched }),
        }
    }
}

/// The ranges (offset, length) that no run wrote: both runs left there what was staged.
pub fn untouched(probe: &Probe, poison: [u8; 2], after: [&[u8]; 2]) -> Vec<(u32, u32)> {
    let before = poison.map(|p| probe.image(p));
    let same = |at: usize| (0..2).all(|i| after[i].get(at) == before[i].get(at));
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for at in (0..probe.image_len).filter(|&at| same(at)) {
        match ranges.last_mut() {
            Some((start, len)) if *start as usize + *len as usize == at => *len += 1,
            _ => ranges.push((at as u32, 1)),
        }
    }
    ranges
}
