//! The matrix product that a probe's tiles should give: the activation by its declared
//! layout, the weights as their loader reads them (HMX reference: "weight streams").

use hmx_abi::op::{ActMode, Loader, WeightMode};
use hmx_abi::tile::Layout;
use hmx_abi::{Inst, Op, Packet};
use hmx_probes::{Element, Probe, Tile, element};

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
    let (Op::Activation { mode, .. }, Op::Weight { loader, mode: taps }) = (a.instr.op, w.instr.op)
    else {
        return Err("it is no multiply".to_owned());
    };
    let whole = matches!(mode, ActMode::Plain | ActMode::Deep) && a.rs & 0x783 == 0;
    if !whole || taps != WeightMode::Plain {
        return Err("it is a convolution, not a plain product".to_owned());
    }
    let activation = tile(probe, a.rs & !2047)?;
    let weight = tile(probe, w.rs & !127)?;
    let Some(layout) = stream_layout(loader) else {
        return Err("weights of this loader are not decoded".to_owned());
    };
    let (rows, depth) = activation.grid().shape();
    let columns = layout.shape().1;
    // What lies past the end of a tile contributes nothing.
    let left = |r, k| activation.value(r, k).unwrap_or(0.0);
    let right = |k, n| {
        let code = element::read(&weight.bytes, layout.slot(k, n));
        code.map_or(0.0, |code| weight_value(loader, code))
    };
    let values = (0..rows * columns)
        .map(|i| {
            (0..depth)
                .map(|k| left(i / columns, k) * right(k, i % columns))
                .sum()
        })
        .collect();
    Ok(Expected {
        rows,
        columns,
        values,
    })
}

/// How the stream of a loader lies in memory.
fn stream_layout(loader: Loader) -> Option<Layout> {
    Some(match loader {
        Loader::B | Loader::Sm => Layout::WeightB,
        Loader::N => Layout::WeightN,
        Loader::C | Loader::Sc => Layout::WeightC,
        Loader::Ubit | Loader::Sbit => Layout::WeightBit,
        Loader::Hf => Layout::CroutonHf,
        Loader::F8 | Loader::N2x => return None,
    })
}

/// What a loader makes of the bits of one weight.
fn weight_value(loader: Loader, code: u32) -> f64 {
    match loader {
        Loader::Hf => Element::Hf.decode(16, code),
        Loader::N => Element::Signed.decode(4, code),
        Loader::C => Element::Signed.decode(2, code),
        Loader::Sc => [2.0, 1.0, -2.0, -1.0][code as usize & 3],
        Loader::Ubit => f64::from(code),
        Loader::Sbit => 1.0 - 2.0 * f64::from(code),
        Loader::Sm if code >= 0x80 => Element::Signed.decode(8, code ^ 0x7F),
        _ => Element::Signed.decode(8, code),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_what_their_loader_reads() {
        let all = |loader, codes: [u32; 4]| codes.map(|c| weight_value(loader, c));
        assert_eq!(all(Loader::N, [0, 7, 8, 15]), [0.0, 7.0, -8.0, -1.0]);
        assert_eq!(all(Loader::C, [0, 1, 2, 3]), [0.0, 1.0, -2.0, -1.0]);
        assert_eq!(all(Loader::Sc, [0, 1, 2, 3]), [2.0, 1.0, -2.0, -1.0]);
        assert_eq!(
            all(Loader::Sm, [0, 0x7F, 0x80, 0xFF]),
            [0.0, 127.0, -1.0, -128.0]
        );
        assert_eq!(all(Loader::Sbit, [0, 1, 0, 1]), [1.0, -1.0, 1.0, -1.0]);
    }

    #[test]
    fn the_recorded_ones_give_eight_for_one_bit_weights() {
        let probe = hmx_probes::find("w4a8-ubit-ones").unwrap();
        let product = expected(probe, probe.readouts[0].at).unwrap();
        assert_eq!((product.rows, product.columns), (64, 32));
        assert!(product.values.iter().all(|v| *v == 8.0));
    }
}
