//! fp16 numbers as the matrix unit takes them apart: operands and their products (HMX reference, section 7).

use super::hmx_fp16::TRUE_ZERO;

/// How special operands are taken: the two bits of the user status register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Specials {
    /// USR bit 20. Off: an all-ones exponent is an ordinary one (0x7C00 is 65536). On: it means infinity or NaN.
    pub enabled: bool,
    /// USR bit 21. It matters for converts that clip; the plain store gives 0xFFFF for a NaN either way.
    pub propagate: bool,
}

impl Specials {
    /// The two bits of a USR value.
    pub fn from_usr(usr: u32) -> Specials {
        Specials {
            enabled: usr >> 20 & 1 == 1,
            propagate: usr >> 21 & 1 == 1,
        }
    }
}

/// Infinities seen so far. Both together are a NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Infinite {
    pub(super) positive: bool,
    pub(super) negative: bool,
}

impl Infinite {
    pub(super) const NAN: Infinite = Infinite {
        positive: true,
        negative: true,
    };

    pub(super) fn signed(negative: bool) -> Infinite {
        Infinite {
            positive: !negative,
            negative,
        }
    }

    pub(super) fn any(self) -> bool {
        self.positive || self.negative
    }

    pub(super) fn is_nan(self) -> bool {
        self.positive && self.negative
    }

    pub(super) fn merge(self, other: Infinite) -> Infinite {
        Infinite {
            positive: self.positive || other.positive,
            negative: self.negative || other.negative,
        }
    }
}

/// An operand: value `significand * 2^(exponent - 9)` (10 fraction bits, bias 16 where IEEE has 15).
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand {
    pub(super) significand: i64,
    pub(super) exponent: i32,
    pub(super) zero: bool,
    pub(super) infinite: Infinite,
}

impl Operand {
    pub(super) fn decode(bits: u16, specials: Specials) -> Operand {
        let fraction = i64::from(bits & 0x3FF);
        let field = i32::from(bits >> 10 & 31);
        let negative = bits >> 15 == 1;
        let mut infinite = Infinite::default();
        let (mut significand, mut exponent) = match field {
            0 => (fraction, -15),
            _ => (fraction + 1024, field - 16),
        };
        if field == 0 && fraction == 0 {
            exponent = -128;
        }
        while significand != 0 && significand < 1024 {
            significand *= 2;
            exponent -= 1;
        }
        if specials.enabled && field == 31 {
            infinite = match fraction {
                0 => Infinite::signed(negative),
                _ => Infinite::NAN,
            };
        }
        Operand {
            significand: if negative { -significand } else { significand },
            exponent,
            zero: significand == 0,
            infinite,
        }
    }
}

/// One of the 8 products of a batch: value `significand * 2^(exponent - 18)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    pub(super) significand: i64,
    pub(super) exponent: i32,
    pub(super) infinite: Infinite,
}

impl Product {
    pub(super) const ZERO: Product = Product {
        significand: 0,
        exponent: TRUE_ZERO,
        infinite: Infinite {
            positive: false,
            negative: false,
        },
    };

    pub(super) fn of(a: Operand, w: Operand) -> Product {
        let infinite = match (a.infinite.any(), w.infinite.any()) {
            (false, false) => Infinite::default(),
            // infinity times zero, and anything times NaN
            _ if a.zero || w.zero || a.infinite.is_nan() || w.infinite.is_nan() => Infinite::NAN,
            _ => Infinite::signed((a.significand < 0) != (w.significand < 0)),
        };
        if a.zero || w.zero {
            return Product {
                significand: 0,
                exponent: TRUE_ZERO,
                infinite,
            };
        }
        Product {
            significand: a.significand * w.significand,
            exponent: a.exponent + w.exponent,
            infinite,
        }
    }
}
