//! Sums rounded to fp16, bf16 and f8 patterns (HMX reference: "fp16 convert").

use crate::{convert_float::Choices, state::inf};

/// A result before rounding: `sum * 2^unit`, or an infinity or NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    /// The number, in units of `2^unit`.
    pub sum: i64,
    /// Exponent of the unit.
    pub unit: i32,
    /// Flags of [`inf`]; 0 for a number.
    pub inf: i32,
}

/// A result format.
#[derive(Debug, Clone, Copy)]
struct Format {
    exp_bits: u32,
    /// Fraction bits that rounding keeps.
    frac_bits: u32,
    bias: i32,
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
#[inline]
pub fn encode(value: Sum, choices: Choices) -> u32 {
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
#[inline]
pub fn encode_f8(value: Sum, choices: Choices) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bias::Constant;
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
