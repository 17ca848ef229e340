//! The matrix product that a probe's tiles should give, by their declared layouts.

use hmx_abi::op::{ActMode, WeightMode};
use hmx_abi::{Inst, Op, Packet};
use hmx_probes::{Probe, Tile};

/// The product of a probe's operands: what an ideal unit would hold in its accumulator.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// Rows: spatial positions (64 for bytes, 32 for halfwords).
    pub rows: usize,
    /// Output channels.
    pub columns: usize,
    /// Row after row. Sums of products of bytes are exact; those of halfwords are summed in
    /// f64, which is exact as long as the terms span less than 53 bits.
    pub values: Vec<f64>,
}

impl Expected {
    /// The value at (row, column).
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        (column < self.columns)
            .then(|| self.values.get(row * self.columns + column))?
            .copied()
    }
}

/// The product of the multiply packets before the first convert that stores to `readout_at`.
/// The error text says why there is none.
pub fn expected(probe: &Probe, readout_at: u32) -> Result<Expected, String> {
    let mut sum: Option<Expected> = None;
    for packet in &probe.program {
        match packet {
            Packet::Multiply(a, w) => {
                let next = product(probe, a, w)?;
                sum = Some(match sum {
                    None => next,
                    Some(before) => added(before, &next)?,
                });
            }
            Packet::Single(i) => match i.instr.op {
                Op::ClearAcc { .. } => sum = None,
                Op::ConvertStore { retain, .. } => {
                    if i.rs & !2047 == readout_at & !2047 {
                        return sum.ok_or_else(|| "nothing is multiplied before it".to_owned());
                    }
                    if !retain {
                        sum = None;
                    }
                }
                Op::StoreCvt { .. } if i.rs & !2047 == readout_at & !2047 => {
                    return sum.ok_or_else(|| "nothing is multiplied before it".to_owned());
                }
                Op::SwapAcc { .. } | Op::ShiftAcc => {
                    return Err("the program moves the accumulator".to_owned());
                }
                _ => {}
            },
        }
    }
    Err("no convert stores to it".to_owned())
}

fn product(probe: &Probe, a: &Inst, w: &Inst) -> Result<Expected, String> {
    let plain = match (a.instr.op, w.instr.op) {
        (Op::Activation { mode, .. }, Op::Weight { mode: weights, .. }) => {
            matches!(mode, ActMode::Plain | ActMode::Deep)
                && weights == WeightMode::Plain
                && a.rs & 0x783 == 0
        }
        _ => false,
    };
    if !plain {
        return Err("it is a convolution, not a plain product".to_owned());
    }
    let activation = tile(probe, a.rs & !2047)?;
    let weight = tile(probe, w.rs & !127)?;
    let shape = |t: &Tile| t.grid().shape();
    let ((rows, depth), (inputs, columns)) = (shape(activation), shape(weight));
    if depth != inputs {
        return Err(format!(
            "tile `{}` has {depth} columns and tile `{}` {inputs} rows",
            activation.name, weight.name
        ));
    }
    let get = |t: &Tile, r, c| t.value(r, c).unwrap_or(0.0); // short tiles end in zeros
    let values = (0..rows * columns)
        .map(|i| {
            let (r, n) = (i / columns, i % columns);
            (0..depth)
                .map(|k| get(activation, r, k) * get(weight, k, n))
                .sum()
        })
        .collect();
    Ok(Expected {
        rows,
        columns,
        values,
    })
}

fn tile(probe: &Probe, at: u32) -> Result<&Tile, String> {
    let found = probe.tiles.iter().find(|t| t.at == at);
    found.ok_or_else(|| format!("no tile is staged at {at:#x}"))
}

fn added(mut a: Expected, b: &Expected) -> Result<Expected, String> {
    if (a.rows, a.columns) != (b.rows, b.columns) {
        return Err("its multiplies have different shapes".to_owned());
    }
    for (x, y) in a.values.iter_mut().zip(&b.values) {
        *x += y;
    }
    Ok(a)
}
