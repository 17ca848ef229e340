//! From float cells to fp16, bf16 and f8 results (HMX reference: "fp16 convert").

use crate::{
    bias::{Constant, FloatBias},
    convert_fixed::Limited,
    number::sticky_shift,
    pipeline::{Cells, join, split},
    state::{FloatPlane, inf},
};

/// What the instruction, its Rs and USR choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// Result and constants are bf16.
    pub bf16: bool,
    /// Round to 4 more fraction bits, then truncate.
    pub fine: bool,
    /// Overflow gives the largest finite number.
    pub maxnorm: bool,
    /// Negatives become +0.
    pub positive: bool,
    /// inf/nan enable.
    pub special: bool,
    /// nan propagate.
    pub propagate: bool,
    /// What a feedback convert limits, and whether the larger value is taken.
    pub feedback: Option<(Limited, bool)>,
}

/// A result before rounding: `sum * 2^unit`, or an infinity or NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sum {
    sum: i64,
    unit: i32,
    inf: i32,
}

/// A result format.
#[derive(Debug, Clone, Copy)]
struct Format {
    exp_bits: u32,
    /// Fraction bits that rounding keeps.
    frac_bits: u32,
    bias: i32,
}

/// Accumulator bias, shape, scale and output bias of one cell.
fn evaluate(sig: i32, exp: i32, flags: i32, bias: &FloatBias, choices: Choices) -> Sum {
    let scale = if bias.negate {
        bias.scale.negated()
    } else {
        bias.scale
    };
    // Accumulator plus bias, 22 fraction bits, aligned to the larger exponent.
    let add = bias.accumulator;
    let (sum, e) = if add.sig == 0 {
        (i64::from(sig), exp)
    } else {
        let e = exp.max(add.exp - 1);
        let cell = sticky_shift(i64::from(sig), e - exp);
        (cell + sticky_shift(add.sig << 8, e - (add.exp - 1)), e)
    };
    let mut x_inf = flags | add.inf;
    // 13 fraction bits and no redundant sign bit: `x * 2^-14 * 2^ex`.
    let magnitude = if sum < 0 { !sum } else { sum };
    let shift = 64 - magnitude.leading_zeros() as i32 - 15;
    let (mut x, ex) = (
        if shift > 0 {
            sticky_shift(sum, shift)
        } else {
            sum << -shift
        },
        e + shift - 8,
    );
    if sum == 0 {
        x = 0;
    }
    let stays_nan = x_inf == inf::NAN && choices.propagate;
    let mut scale = scale;
    match bias.shape {
        1 if x_inf != 0 && !stays_nan && x_inf & inf::POS != 0 => (x, x_inf) = (0, 0),
        2 if x_inf != 0 && !stays_nan && x_inf & inf::NEG != 0 => (x, x_inf) = (0, 0),
        1 => x = x.min(0),
        2 => x = x.max(0),
        3 if x_inf == inf::NEG || (x_inf == 0 && x < 0) => scale = scale.negated(),
        _ => {}
    }
    let product_inf = product_inf(x, x_inf, scale);
    let result_inf = product_inf | bias.output.inf;
    let product = if x_inf == 0 { x * scale.sig } else { 0 };
    let output = bias.output.sig;
    let (ep, eo) = (ex + scale.exp - 2, bias.output.exp - 1);
    let top = match (product != 0, output != 0) {
        (true, true) => ep.max(eo),
        (true, false) => ep,
        _ => eo,
    };
    let product = if product == 0 {
        0
    } else {
        sticky_shift(product, top - ep)
    };
    let output = if output == 0 {
        0
    } else {
        sticky_shift(output << 13, top - eo)
    };
    Sum {
        sum: product + output,
        unit: top - 26,
        inf: result_inf,
    }
}

fn product_inf(x: i64, x_inf: i32, scale: Constant) -> i32 {
    if x_inf | scale.inf == 0 {
        return 0;
    }
    let zero = (x_inf == 0 && x == 0) || (scale.inf == 0 && scale.sig == 0);
    if zero || x_inf == inf::NAN || scale.inf == inf::NAN {
        return inf::NAN;
    }
    let negative = (x_inf == inf::NEG || (x_inf == 0 && x < 0))
        != (scale.inf == inf::NEG || (scale.inf == 0 && scale.sig < 0));
    if negative { inf::NEG } else { inf::POS }
}

/// Rounds a nonzero magnitude `m * 2^unit` to nearest, ties to even: exponent and fraction
/// bits in one number, which may run past the format's largest pattern.
fn round(m: u64, unit: i32, format: Format) -> u64 {
    let lowest = 1 - format.bias;
    let lead = 63 - m.leading_zeros() as i32 + unit;
    let frac = format.frac_bits as i32;
    let shift = lead.max(lowest) - frac - unit;
    let units = if shift <= 0 {
        m << -shift
    } else if shift > 63 {
        0
    } else {
        let (kept, dropped, half) = (m >> shift, m & ((1 << shift) - 1), 1 << (shift - 1));
        kept + u64::from(dropped > half || (dropped == half && kept & 1 == 1))
    };
    units + ((lead.max(lowest) - lowest) as u64) * (1 << frac)
}

/// The 20-bit result: 16 bits as stored and 4 more fraction bits.
fn encode(value: Sum, choices: Choices) -> u32 {
    let (exp_bits, frac_bits, bias) = if choices.bf16 {
        (8, 7, 127)
    } else {
        (5, 10, 15)
    };
    let fine = if choices.fine { 4 } else { 0 };
    let format = Format {
        exp_bits,
        frac_bits: frac_bits + fine,
        bias,
    };
    let infinity = ((1u32 << exp_bits) - 1) << (frac_bits + 4);
    let overflow = match (choices.maxnorm, choices.special) {
        (true, _) => infinity - (1 << 4),
        (false, true) => infinity,
        (false, false) => 0x7FFF0,
    };
    let largest = if choices.special {
        u64::from(infinity - 1)
    } else {
        0x7FFFF
    };
    let sign = 1 << 19;
    let nan = if choices.maxnorm {
        overflow | sign
    } else {
        0xFFFF0
    };
    finish(
        value,
        choices,
        format,
        largest,
        4 - fine,
        sign,
        overflow,
        nan,
    )
}

/// The f8 byte.
fn encode_f8(value: Sum, choices: Choices) -> u32 {
    let format = Format {
        exp_bits: 4,
        frac_bits: 3,
        bias: 7,
    };
    let nan = choices.special && !choices.maxnorm;
    if nan && value.inf != 0 && !clipped(value, choices) {
        return 0x80;
    }
    let result = finish(value, choices, format, 0x7F, 0, 0x80, 0x100, 0xFF);
    match (result & 0x100 != 0, nan) {
        (false, _) => result,
        (true, true) => 0x80,
        (true, false) => 0x7F | result & 0x80,
    }
}

/// Whether clipping of negatives makes this +0.
fn clipped(value: Sum, choices: Choices) -> bool {
    let negative = match value.inf {
        0 => value.sum < 0,
        inf::NAN => !choices.propagate,
        flags => flags == inf::NEG,
    };
    choices.positive && negative
}

#[allow(clippy::too_many_arguments)] // the patterns of one format
fn finish(
    value: Sum,
    choices: Choices,
    format: Format,
    largest: u64,
    pad: u32,
    sign: u32,
    overflow: u32,
    nan: u32,
) -> u32 {
    if clipped(value, choices) || (value.inf == 0 && value.sum == 0) {
        return 0;
    }
    match value.inf {
        inf::NAN => return nan,
        inf::POS => return overflow,
        inf::NEG => return overflow | sign,
        _ => {}
    }
    debug_assert!(format.exp_bits <= 8);
    let sign = if value.sum < 0 { sign } else { 0 };
    let pattern = round(value.sum.unsigned_abs(), value.unit, format) << pad;
    sign | if pattern > largest {
        overflow
    } else {
        pattern as u32
    }
}

/// A bias entry after feedback: the chosen field limited by the previous result.
fn limited(mut bias: FloatBias, previous: u32, choices: Choices) -> FloatBias {
    if let Some((field, larger)) = choices.feedback {
        let previous = Constant::of_result(previous, choices.bf16, choices.special);
        let field = match field {
            Limited::OutputBias => &mut bias.output,
            Limited::Scale => &mut bias.scale,
        };
        let previous_is_larger = previous.value() > field.value();
        if previous_is_larger == (larger != bias.negate) {
            *field = previous;
        }
    }
    bias
}

/// hf: a 16-bit result in the two cells of rows 2r and 2r+1.
pub fn hf(plane: &FloatPlane, bias: &[u64; 32], choices: Choices, future: &mut Cells) {
    for (r, row) in plane.iter().enumerate() {
        for o in 0..32 {
            let constants = FloatBias::of(bias[o], choices.bf16, choices.special);
            let previous = join(future[2 * r][o], future[2 * r + 1][o]);
            let constants = limited(constants, previous, choices);
            let value = evaluate(row.sig[o], row.exp[o], row.inf[o], &constants, choices);
            (future[2 * r][o], future[2 * r + 1][o]) = split(encode(value, choices));
        }
    }
}

/// f8: one byte of the slot (row 2r the low one, row 2r+1 the high one), the other stays.
pub fn f8(plane: &FloatPlane, bias: &[u64; 32], choices: Choices, high: bool, future: &mut Cells) {
    for (r, row) in plane.iter().enumerate() {
        for o in 0..32 {
            let constants = FloatBias::of(bias[o], choices.bf16, choices.special);
            let value = evaluate(row.sig[o], row.exp[o], row.inf[o], &constants, choices);
            future[2 * r + usize::from(high)][o] = (encode_f8(value, choices) << 4) as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    const PLAIN: Choices = Choices {
        bf16: false,
        fine: false,
        maxnorm: false,
        positive: false,
        special: true,
        propagate: false,
        feedback: None,
    };

    #[test]
    fn every_finite_constant_encodes_to_itself() {
        for bits in 0..=u16::MAX {
            for bf16 in [false, true] {
                let c = Constant::decode(bits, 0, 4, bf16, true);
                let choices = Choices { bf16, ..PLAIN };
                let value = Sum {
                    sum: c.sig,
                    unit: c.exp - 14,
                    inf: c.inf,
                };
                let expected = match c.inf {
                    inf::NAN => 0xFFFF,
                    _ if c.sig == 0 && c.inf == 0 => 0,
                    _ => u32::from(bits),
                };
                assert_eq!(encode(value, choices) >> 4, expected, "{bits:#x} {bf16}");
            }
        }
    }

    #[test]
    fn rounding_agrees_with_an_independent_one() {
        // 20 bits: `half` drops bits of a longer double before it rounds.
        for i in 0..200_000u64 {
            let m = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44;
            let unit = (i % 60) as i32 - 50;
            let value = Sum {
                sum: m as i64,
                unit,
                inf: 0,
            };
            let x = m as f64 * 2f64.powi(unit);
            assert_eq!(
                encode(value, PLAIN) >> 4,
                u32::from(f16::from_f64(x).to_bits()),
                "{x}"
            );
            let wide = Choices {
                bf16: true,
                ..PLAIN
            };
            assert_eq!(
                encode(value, wide) >> 4,
                u32::from(bf16::from_f64(x).to_bits()),
                "{x}"
            );
        }
    }
}
