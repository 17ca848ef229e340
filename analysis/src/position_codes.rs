//! Which values of a product the values of a readout stand for.

use crate::fit::{Fit, Line, fit};

/// Matches readings with codes in order: all codes, or every second or fourth; rising or
/// falling. Of several choices that fit (evenly spaced codes leave the first one open) it
/// takes the law nearest to a pure scale. Gives the law and the code of each reading.
pub fn matched(
    codes: &[f64],
    read: &[f64],
    spacing: impl Fn(f64) -> f64,
) -> Option<(Line, Vec<f64>)> {
    let mut best: Option<(Line, Vec<f64>)> = None;
    for (stride, first) in [(1, 0), (2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)] {
        for falling in [false, true] {
            let mut picked: Vec<f64> = codes.iter().copied().skip(first).step_by(stride).collect();
            // Two points always lie on a line: they prove an order only if it rises.
            if picked.len() != read.len() || falling && read.len() < 3 {
                continue;
            }
            if falling {
                picked.reverse();
            }
            let pairs: Vec<(f64, f64)> = picked.iter().copied().zip(read.iter().copied()).collect();
            let Fit::Affine(line) = fit(&pairs, &spacing) else {
                continue;
            };
            let nearer = |(before, _): &(Line, _)| line.offset.0.abs() < before.offset.0.abs();
            if best.as_ref().is_none_or(nearer) {
                best = Some((line, picked));
            }
        }
    }
    best
}
