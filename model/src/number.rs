//! Number formats of the float multiply's operands (HMX reference: "fp16 multiply-accumulate").

use crate::state::inf;

/// Exponent of a zero operand: so low that its product never sets the common exponent.
pub const ZERO_EXP: i32 = -100_000;

/// An operand: value = `sig * 2^-10 * 2^(exp+1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Signed significand with 10 fraction bits; 0 for zero.
    pub sig: i32,
    /// Exponent; [`ZERO_EXP`] for zero.
    pub exp: i32,
    /// Infinity flags, see [`inf`]; only with inf/nan enable.
    pub inf: i32,
}

impl Operand {
    /// A zero.
    pub const ZERO: Operand = Operand {
        sig: 0,
        exp: ZERO_EXP,
        inf: 0,
    };

    /// Decodes fp16, or bf16. `special`: inf/nan enable.
    #[inline]
    pub fn decode(bits: u16, bf16: bool, special: bool) -> Operand {
        let bits = i32::from(bits);
        let negative = bits & 0x8000 != 0;
        let (e, frac, top) = if bf16 {
            (bits >> 7 & 0xFF, bits & 0x7F, 0xFF)
        } else {
            (bits >> 10 & 0x1F, bits & 0x3FF, 0x1F)
        };
        let (sig, exp) = match (bf16, e) {
            _ if e == 0 && frac == 0 => return Operand::ZERO,
            (true, 0) => (frac << 3, -127),
            (true, _) => ((128 + frac) << 3, e - 128),
            (false, 0) => {
                let up = frac.leading_zeros() as i32 - 21;
                (frac << up, -15 - up)
            }
            (false, _) => (1024 + frac, e - 16),
        };
        let flags = match (special && e == top, frac, negative) {
            (false, ..) => 0,
            (true, 0, false) => inf::POS,
            (true, 0, true) => inf::NEG,
            (true, ..) => inf::NAN,
        };
        Operand {
            sig: if negative { -sig } else { sig },
            exp,
            inf: flags,
        }
    }
}

/// An f8 byte as the fp16 pattern it stands for.
pub fn f8_to_f16(byte: u8) -> u16 {
    match byte {
        0x80 => 0xFE00,
        b => u16::from(b & 0x80) << 8 | u16::from(b & 0x7F) << 7,
    }
}

/// Infinity flags of a product.
pub fn product_inf(a: Operand, b: Operand) -> i32 {
    if a.inf | b.inf == 0 {
        return 0;
    }
    let zero = (a.sig == 0 && a.inf == 0) || (b.sig == 0 && b.inf == 0);
    if zero || a.inf == inf::NAN || b.inf == inf::NAN {
        return inf::NAN;
    }
    let sign = |x: Operand| {
        if x.inf != 0 {
            x.inf == inf::NEG
        } else {
            x.sig < 0
        }
    };
    if sign(a) != sign(b) {
        inf::NEG
    } else {
        inf::POS
    }
}

/// Arithmetic shift right by at most 63, any dropped 1 kept in bit 0.
pub fn sticky_shift(x: i64, n: i32) -> i64 {
    let n = n.clamp(0, 63);
    let shifted = x >> n;
    shifted | i64::from(shifted << n != x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    fn value(o: Operand) -> f64 {
        f64::from(o.sig) * 2f64.powi(o.exp + 1 - 10)
    }

    #[test]
    fn every_finite_fp16_and_bf16_decodes_to_its_value() {
        for bits in 0..=u16::MAX {
            let f = f16::from_bits(bits);
            let o = Operand::decode(bits, false, true);
            if f.is_finite() {
                assert_eq!(value(o), f.to_f64(), "{bits:#x}");
                assert!(o.sig == 0 || (1024..2048).contains(&o.sig.abs()));
            }
            assert_eq!(o.inf == inf::NAN, f.is_nan());
            assert_eq!(o.inf == inf::POS, f == f16::INFINITY);
            assert_eq!(o.inf == inf::NEG, f == f16::NEG_INFINITY);
            assert_eq!(Operand::decode(bits, false, false).inf, 0);
            let b = bf16::from_bits(bits);
            let o = Operand::decode(bits, true, true);
            if b.is_finite() {
                assert_eq!(value(o), b.to_f64(), "{bits:#x}");
            }
            assert_eq!(o.inf != 0, !b.is_finite());
        }
    }

    #[test]
    fn an_f8_byte_keeps_sign_exponent_and_fraction() {
        assert_eq!(f8_to_f16(0x80), 0xFE00);
        assert_eq!(f8_to_f16(0x38), 0x1C00);
        assert_eq!(f8_to_f16(0xFF), 0xBF80);
    }

    #[test]
    fn sticky_shift_keeps_dropped_ones() {
        assert_eq!(sticky_shift(5, 1), 3);
        assert_eq!(sticky_shift(4, 2), 1);
        assert_eq!(sticky_shift(-6, 2), -1);
        assert_eq!(sticky_shift(1 << 40, 500), 1);
        assert_eq!(sticky_shift(0, 63), 0);
    }
}
