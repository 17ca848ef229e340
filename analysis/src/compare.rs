//! Comparing two dumps, or a dump with the model.

use crate::decode::{Cell, Matrix, Number};
use crate::dump::Dump;
use crate::ulp::ulp;
use crate::untouched::{Untouched, runs, written};
use hmx_model::{Hmx, Vtcm};
use hmx_probes::{Probe, Readout};
use serde::Serialize;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Name for people: a folder, or `model v81`.
    pub label: String,
    /// SHA-256 of the probe definition.
    pub probe_sha256: String,
    /// The image.
    pub vtcm: Vec<u8>,
    /// Ranges that the run did not write.
    pub untouched: Vec<(u32, u32)>,
}

/// Why two sides are not compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// {a} and {b} hold runs of different probes; compare two runs of one probe
    #[error("{a} and {b} hold runs of different probes; compare two runs of one probe")]
    DifferentProbes {
        /// First side.
        a: String,
        /// Second side.
        b: String,
    },
    /// {a} has {first} bytes of VTCM and {b} {second}; rerun the probe on both targets
    #[error("{a} has {first} bytes of VTCM and {b} {second}; rerun the probe on both targets")]
    DifferentSizes {
        /// First side.
        a: String,
        /// Its length.
        first: usize,
        /// Second side.
        b: String,
        /// Its length.
        second: usize,
    },
    /// the model cannot run this probe: {0}
    #[error("the model cannot run this probe: {0}")]
    Model(hmx_model::Fault),
}

/// How two sides differ. Bytes that neither run wrote are equal whatever they hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// First side.
    pub a: String,
    /// Second side.
    pub b: String,
    /// No byte differs.
    pub equal: bool,
    /// Differences within each readout.
    pub readouts: Vec<ReadoutDifference>,
    /// Ranges (offset, length) outside all readouts that differ: tiles and guard bytes.
    pub elsewhere: Vec<(u32, u32)>,
}

/// How one readout differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadoutDifference {
    /// Its name.
    pub name: String,
    /// Elements compared.
    pub elements: usize,
    /// Elements that differ.
    pub different: usize,
    /// Of these, elements that only one side wrote.
    pub written_by_one: usize,
    /// The first one in memory order.
    pub first: Option<ElementDifference>,
    /// The one with the largest error in units of the last place.
    pub largest: Option<ElementDifference>,
}

/// One element that differs. A side that did not write it has no value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementDifference {
    /// Offset in the image.
    pub at: usize,
    /// Logical row.
    pub row: usize,
    /// Logical column.
    pub column: usize,
    /// Value and bits on the first side.
    pub a: Option<(Number, u32)>,
    /// Value and bits on the second side.
    pub b: Option<(Number, u32)>,
    /// Distance in units of the last place, where both sides have a value.
    pub ulp: Option<u32>,
}

impl Side {
    /// A dump under a name.
    pub fn of(label: impl Into<String>, dump: &Dump) -> Side {
        Side {
            label: label.into(),
            probe_sha256: dump.manifest.probe_sha256.clone(),
            vtcm: dump.vtcm.clone(),
            untouched: dump.manifest.untouched.clone(),
        }
    }

    /// The model's run of the probe that `dump` holds, on the dump's architecture.
    pub fn model(dump: &Dump, probe: &Probe) -> Result<Side, CompareError> {
        let m = &dump.manifest;
        let mut images = m.poison.map(|poison| probe.image(poison));
        for image in &mut images {
            let mut hmx = Hmx::new(m.arch);
            hmx.set_usr(probe.usr);
            let mut memory = Vtcm {
                base: 0,
                bytes: image,
            };
            for packet in &probe.program {
                hmx.execute(packet, &mut memory)
                    .map_err(CompareError::Model)?;
            }
        }
        let [first, second] = images;
        // Both images were made with one length, so they always compare.
        let seen = Untouched::from(&first, &second, m.poison).unwrap_or_default();
        Ok(Side {
            label: format!("model {}", m.arch),
            probe_sha256: m.probe_sha256.clone(),
            vtcm: first,
            untouched: seen.untouched,
        })
    }
}

/// Compares two runs of `probe`.
pub fn compare(a: &Side, b: &Side, probe: &Probe) -> Result<Comparison, CompareError> {
    if a.probe_sha256 != b.probe_sha256 {
        return Err(CompareError::DifferentProbes {
            a: a.label.clone(),
            b: b.label.clone(),
        });
    }
    if a.vtcm.len() != b.vtcm.len() {
        return Err(CompareError::DifferentSizes {
            a: a.label.clone(),
            first: a.vtcm.len(),
            b: b.label.clone(),
            second: b.vtcm.len(),
        });
    }
    let len = a.vtcm.len();
    let masks = [a, b].map(|side| written(&side.untouched, 0..len));
    let differs = |i: usize| match (masks[0][i], masks[1][i]) {
        (false, false) => false,
        (true, true) => a.vtcm[i] != b.vtcm[i],
        _ => true,
    };
    let mut inside = vec![false; len];
    for readout in &probe.readouts {
        let at = (readout.at as usize).min(len);
        let end = (at + readout.len).min(len);
        inside[at..end].fill(true);
    }
    let elsewhere = runs(len, |i| !inside[i] && differs(i));
    let readouts: Vec<ReadoutDifference> = probe
        .readouts
        .iter()
        .map(|r| readout_difference(r, [a, b], &masks))
        .collect();
    Ok(Comparison {
        a: a.label.clone(),
        b: b.label.clone(),
        equal: elsewhere.is_empty() && readouts.iter().all(|r| r.different == 0),
        readouts,
        elsewhere,
    })
}

fn readout_difference(
    readout: &Readout,
    sides: [&Side; 2],
    masks: &[Vec<bool>; 2],
) -> ReadoutDifference {
    let range = |len: usize| {
        let at = (readout.at as usize).min(len);
        at..(at + readout.len).min(len)
    };
    let decode = |i: usize| {
        let range = range(sides[i].vtcm.len());
        let (bytes, mask) = (&sides[i].vtcm[range.clone()], &masks[i][range]);
        Matrix::decode(readout.layout, readout.element, bytes, mask)
    };
    let [a, b] = [decode(0), decode(1)];
    let bits = readout.layout.bits();
    let shown = |c: Cell| c.written.then_some((Number(c.value), c.raw));
    let mut found: Vec<ElementDifference> = Vec::new();
    let mut elements = 0;
    for ((row, column), cell) in a.iter() {
        let Some(other) = b.get(row, column) else {
            continue;
        };
        elements += 1;
        let same = match (cell.written, other.written) {
            (false, false) => true,
            (true, true) => cell.raw == other.raw,
            _ => false,
        };
        if !same {
            let both = cell.written && other.written;
            found.push(ElementDifference {
                at: readout.at as usize + cell.byte,
                row,
                column,
                a: shown(cell),
                b: shown(other),
                ulp: both.then(|| ulp(readout.element, bits, cell.raw, other.raw)),
            });
        }
    }
    ReadoutDifference {
        name: readout.name.clone(),
        elements,
        different: found.len(),
        written_by_one: found.iter().filter(|d| d.ulp.is_none()).count(),
        first: found.iter().min_by_key(|d| d.at).cloned(),
        largest: found
            .iter()
            .filter(|d| d.ulp.is_some())
            .max_by_key(|d| d.ulp)
            .cloned(),
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
