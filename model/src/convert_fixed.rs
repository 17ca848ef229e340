//! From int32 cells to 8- and 16-bit results (HMX reference: "Fixed-point convert").

use crate::{
    bias::FixedBias,
    pipeline::{Cells, split},
    state::FixedPlane,
};

/// What the instruction and its Rs choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// One-step form.
    pub legacy: bool,
    /// Clamp to the result's range (else wrap).
    pub saturate: bool,
    /// uh:2x1, Rs bit 5: keep the 8 bits shifted out of the low row.
    pub extra: bool,
    /// uh:2x2, Rs bits 10:9: which of the four cells count.
    pub select: u32,
    /// What a feedback convert limits, and whether the larger value is taken.
    pub feedback: Option<(Limited, bool)>,
}

/// The bias field that a feedback convert limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Rs bits 3:2 = 1.
    OutputBias,
    /// Rs bits 3:2 = 2.
    Scale,
}

/// Widths of a result: 1 for ub, 2 for uh.
#[derive(Clone, Copy)]
struct Width(u32);

/// One value through shift, shape, scale and rounding; 12 bits for each unit of width.
fn convert(
    b: i64,
    exponent: u32,
    shape: u32,
    scale: u64,
    round: u64,
    width: Width,
    choices: Choices,
) -> u32 {
    let frac = 12 * width.0;
    let low = 32 - frac;
    let negative = b < 0;
    let t = (b << exponent) >> low << low;
    let above = t >> 33;
    let bit33 = if negative { above == -1 } else { above != 0 };
    let kept = t & (((1 << (frac + 1)) - 1) << low);
    let mut x = kept | i64::from(bit33) << 33 | i64::from(negative) << 34;
    if !choices.legacy {
        let half = 1 << (low - 1);
        if t != 0 {
            x |= half;
        }
        if (shape >= 4 || (shape == 3 && negative)) && !(shape == 7 && negative) {
            x &= !half;
        }
    }
    let x = (x << 29 >> 29) >> (low - 1);
    let x = match shape {
        0 => x,
        1 => x.min(0),
        2 => x.max(0),
        3 => {
            if x < 0 {
                -x - 1
            } else {
                x
            }
        }
        4 => {
            if b == 0 {
                0
            } else {
                -x - 1
            }
        }
        5 => {
            if b >= 0 {
                0
            } else {
                -x - 1
            }
        }
        6 => {
            if b <= 0 {
                0
            } else {
                -x - 1
            }
        }
        _ => match b {
            0 => 0,
            _ if x >= 0 => -x - 1,
            _ => x,
        },
    } << (low - 1);
    let product = i128::from(x) * i128::from(scale) * 2;
    let sum = product + i128::from(round);
    let result = sum >> ((64 - 8 * width.0) - 4 * width.0);
    let bits = 12 * width.0;
    if choices.saturate {
        result.clamp(0, (1 << bits) - 1) as u32
    } else {
        (result & ((1 << bits) - 1)) as u32
    }
}

/// `r << u`, modulo 2^64.
fn rounding(r: u32, u: u32) -> u64 {
    u64::from(r) << u
}

/// ub: every cell by itself. `previous` is what a feedback convert compares with.
pub fn ub(plane: &FixedPlane, bias: &[u64; 32], choices: Choices, future: &mut Cells) {
    for (row, cells) in plane.iter().zip(future.iter_mut()) {
        for ((&acc, &entry), cell) in row.iter().zip(bias).zip(cells.iter_mut()) {
            let mut c = FixedBias::of(entry);
            if let Some((limited, larger)) = choices.feedback {
                let field = match limited {
                    Limited::OutputBias => &mut c.output,
                    Limited::Scale => &mut c.scale,
                };
                let previous = u32::from(*cell & 0xFFF);
                *field = if larger {
                    previous.max(*field)
                } else {
                    previous.min(*field)
                };
            }
            *cell = convert(
                i64::from(acc) + c.input,
                c.exponent,
                c.shape,
                u64::from(c.scale) << 20,
                rounding(c.output, 52),
                Width(1),
                choices,
            ) as u16;
        }
    }
}

/// uh:2x1: a pair of rows makes 16 bits.
pub fn uh_2x1(plane: &FixedPlane, bias: &[u64; 32], choices: Choices, future: &mut Cells) {
    for s in (0..64).step_by(2) {
        for o in 0..32 {
            let c = FixedBias::of(bias[o]);
            let (low, high) = (i64::from(plane[s][o]), i64::from(plane[s + 1][o]));
            let mut b = high + (low >> 8) + c.input;
            let mut exponent = c.exponent;
            if choices.extra && exponent > 8 {
                b = b << 8 | low & 0xFF;
                exponent -= 8;
            }
            let result = convert(
                b,
                exponent,
                c.shape,
                u64::from(c.scale << 8 | c.upper) << 12,
                rounding(c.round, 47),
                Width(2),
                choices,
            );
            (future[s][o], future[s + 1][o]) = split(result >> 4);
        }
    }
}

/// uh:2x2: a pair of rows and a pair of columns make 16 bits.
pub fn uh_2x2(plane: &FixedPlane, bias: &[u64; 32], choices: Choices, future: &mut Cells) {
    for s in (0..64).step_by(2) {
        for o in (0..32).step_by(2) {
            let (c, next) = (FixedBias::of(bias[o]), FixedBias::of(bias[o + 1]));
            let cell = |s: usize, o: usize| i64::from(plane[s][o]);
            let four = (
                cell(s, o),
                cell(s + 1, o),
                cell(s, o + 1),
                cell(s + 1, o + 1),
            );
            let ((ll, hl, lh, hh), to) = match (choices.legacy, choices.select) {
                (true, _) => (four, o),
                (false, 3) => (four, o + 1),
                (false, 2) => ((0, 0, four.0, four.1), o),
                (false, _) => ((0, 0, four.2, four.3), o + 1),
            };
            let b = (ll + ((lh + hl + (hh << 8)) << 8) + (c.input << 16)) >> 16;
            let r = (next.upper << 12) + c.output;
            let result = convert(
                b,
                c.exponent,
                c.shape,
                u64::from(next.pair_scale << 11 | c.scale & 0x7FF) << 10,
                rounding(if choices.legacy { r << 2 } else { r }, 44),
                Width(2),
                choices,
            );
            for o in [o, o + 1] {
                (future[s][o], future[s + 1][o]) =
                    if o == to { split(result >> 4) } else { (0, 0) };
            }
        }
    }
}
