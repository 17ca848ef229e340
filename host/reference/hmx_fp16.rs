//! HMX fp16, bit for bit: a dot product as the matrix unit accumulates and stores it.
//!
//! Written from the HMX reference (docs/hmx/, "fp16 multiply-accumulate" and "fp16 convert") alone, apart from the
//! model that the simulator runs, so that each can catch the other. Class of evidence: vendor-model for v81; for
//! v73 to v79 the exponent range is smaller and the results are inferred (no result of ordinary size differs).
//!
//! One output cell is `dot(row of A, column of W)`: 8 channels at a time, in order, into one extended cell; then the
//! one-step store with scale 1.0 and output bias 0.

pub use super::hmx_operand::Specials;
use super::hmx_operand::{Infinite, Operand, Product};

/// Exponent of a true zero.
pub(super) const TRUE_ZERO: i32 = -256;
/// Largest exponent of a cell.
const CELL_TOP: i32 = 255;

/// An accumulator cell: value `significand * 2^(exponent - 22)`, the significand 30 bits of two's complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    significand: i64,
    exponent: i32,
    infinite: Infinite,
}

/// Arithmetic shift right that keeps a trace of the dropped bits in bit 0.
fn sticky_shift(x: i64, by: i32) -> i64 {
    let by = by.clamp(0, 63);
    let kept = x >> by;
    if kept << by == x { kept } else { kept | 1 }
}

/// Anticipated count of redundant sign bits of `a + b`, seen from bit 30.
fn anticipated_shift(a: i64, b: i64) -> i32 {
    let (propagate, generate, neither) = (a ^ b, a & b, !(a | b));
    let leading = |v: i64| {
        let v = if v >> 30 & 1 == 1 { !v } else { v };
        v.leading_zeros() as i32 - 34
    };
    let zeros = leading(propagate ^ !(neither << 1));
    let ones = leading(propagate ^ !(generate << 1));
    if neither >> 30 & 1 == 1 {
        zeros
    } else if generate >> 30 & 1 == 1 {
        ones
    } else {
        zeros.max(ones)
    }
}

impl Cell {
    /// What `mxclracc.hf` leaves.
    pub const ZERO: Cell = Cell {
        significand: 0,
        exponent: TRUE_ZERO,
        infinite: Infinite {
            positive: false,
            negative: false,
        },
    };

    /// The exact value of a finite cell.
    pub fn value(self) -> f64 {
        self.significand as f64 * 2f64.powi(self.exponent - 22)
    }

    /// Adds up to 8 products of one batch.
    fn accumulate(self, a: &[Operand], w: &[Operand], specials: Specials) -> Cell {
        let idle = a.iter().all(|a| a.zero) || w.iter().all(|w| w.zero);
        if !specials.enabled && idle {
            return self;
        }
        let mut batch = [Product::ZERO; 8];
        for (product, (&a, &w)) in batch.iter_mut().zip(a.iter().zip(w)) {
            *product = Product::of(a, w);
        }
        let products = || batch.iter();
        let top = products().map(|p| p.exponent).fold(TRUE_ZERO, i32::max);
        let sum: i64 = products()
            .map(|p| sticky_shift(p.significand << 4, top - p.exponent))
            .sum();

        let common = self.exponent.max(top);
        let a = sticky_shift(self.significand, common - self.exponent);
        let b = sticky_shift(sum, common - top);
        let mut exponent = common + 1;
        let mut shift = anticipated_shift(a, b).clamp(0, 3);
        if exponent - shift < TRUE_ZERO {
            shift = exponent - TRUE_ZERO;
        }
        let significand = sticky_shift(a + b, 1) << 34 << shift >> 34;
        exponent -= shift;

        let mut infinite = products().fold(self.infinite, |seen, p| seen.merge(p.infinite));
        if exponent > CELL_TOP {
            infinite = infinite.merge(Infinite::signed(a + b < 0));
            exponent = CELL_TOP;
        }
        Cell {
            significand,
            exponent,
            infinite,
        }
    }

    /// The fp16 bits that the one-step store leaves with scale 1.0 and output bias 0.
    pub fn store(self, specials: Specials) -> u16 {
        if self.infinite.is_nan() {
            return 0xFFFF;
        }
        let overflow = |negative: bool| {
            let magnitude = if specials.enabled { 0x7C00 } else { 0x7FFF };
            u16::from(negative) << 15 | magnitude
        };
        if self.infinite.any() {
            return overflow(self.infinite.negative);
        }
        if self.significand == 0 {
            return 0;
        }
        // 16 bits of two's complement without a redundant sign bit, dropped bits traced in bit 0.
        let (mut x, mut exponent) = (self.significand << 24, self.exponent - 24);
        while x ^ (x << 1) >= 0 {
            x <<= 1;
            exponent -= 1;
        }
        let x = sticky_shift(x, 48);
        // Now the value is x * 2^(exponent - 22 + 48), |x| in [2^14, 2^15]. Scale 1.0 and bias 0 change nothing.
        let unit = exponent - 22 + 48;
        let negative = x < 0;
        let magnitude = x.unsigned_abs();
        // fp16: 10 fraction bits, so the last place of a normal number with leading bit b is 2^(b - 10), never below 2^-24.
        let leading = 63 - magnitude.leading_zeros() as i32 + unit;
        let last_place = (leading - 10).max(-24);
        let drop = last_place - unit;
        let rounded = match drop {
            ..=0 => magnitude << -drop,
            1..=62 => {
                let (kept, rest, half) = (
                    magnitude >> drop,
                    magnitude & ((1 << drop) - 1),
                    1 << (drop - 1),
                );
                kept + u64::from(rest > half || rest == half && kept & 1 == 1)
            }
            _ => 0,
        };
        // The implied bit adds itself into the exponent field, and so does a carry out of the fraction.
        let field = (last_place + 24) as u64;
        let bits = (field << 10) + rounded;
        let largest = if specials.enabled { 0x7BFF } else { 0x7FFF };
        if bits > largest {
            return overflow(negative);
        }
        u16::from(negative) << 15 | bits as u16
    }
}

/// One row of A or one column of W, decoded once.
#[derive(Debug, Clone)]
pub struct Vector(Vec<Operand>);

impl Vector {
    /// Decodes fp16 bits.
    pub fn new(bits: &[u16], specials: Specials) -> Vector {
        Vector(bits.iter().map(|&b| Operand::decode(b, specials)).collect())
    }
}

/// Accumulates `sum of activation[c] * weight[c]` in the order of the matrix unit, from a cleared cell.
/// Both must be equally long; what a last batch of 8 lacks counts as true zero.
pub fn accumulate(activation: &Vector, weight: &Vector, specials: Specials) -> Cell {
    let batches = activation.0.chunks(8).zip(weight.0.chunks(8));
    batches.fold(Cell::ZERO, |cell, (a, w)| cell.accumulate(a, w, specials))
}

/// The fp16 bits of one output cell.
pub fn dot(activation: &[u16], weight: &[u16], specials: Specials) -> u16 {
    let (a, w) = (
        Vector::new(activation, specials),
        Vector::new(weight, specials),
    );
    accumulate(&a, &w, specials).store(specials)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Specials = Specials {
        enabled: false,
        propagate: false,
    };
    const IEEE: Specials = Specials {
        enabled: true,
        propagate: false,
    };
    const ONE: u16 = 0x3C00;

    #[test]
    fn thirty_two_ones_read_thirty_two() {
        assert_eq!(dot(&[ONE; 32], &[ONE; 32], PLAIN), 0x5000);
    }

    #[test]
    fn an_all_ones_exponent_is_ordinary_until_specials_are_enabled() {
        assert_eq!(dot(&[0x7C00], &[ONE], PLAIN), 0x7C00);
        assert_eq!(dot(&[0x7FFF], &[ONE], PLAIN), 0x7FFF);
        assert_eq!(dot(&[0x7C00, 0x7C00], &[ONE; 2], PLAIN), 0x7FFF);
        assert_eq!(dot(&[0x7C00], &[ONE], IEEE), 0x7C00);
        assert_eq!(dot(&[0xFC00], &[ONE], IEEE), 0xFC00);
        assert_eq!(dot(&[0x7C00, 0xFC00], &[ONE; 2], IEEE), 0xFFFF);
        assert_eq!(dot(&[0x7C00], &[0], IEEE), 0xFFFF);
        assert_eq!(dot(&[0x7E00], &[ONE], IEEE), 0xFFFF);
    }

    #[test]
    fn small_results_round_to_denormals_and_keep_their_sign() {
        assert_eq!(dot(&[1], &[ONE], PLAIN), 1);
        assert_eq!(dot(&[0x8001], &[0x3800], PLAIN), 0x8000);
        assert_eq!(dot(&[3], &[0x3800], PLAIN), 2);
        assert_eq!(dot(&[ONE, 0xBC00], &[ONE; 2], PLAIN), 0);
    }

    #[test]
    fn the_order_of_batches_decides_what_survives() {
        // 2^30, 2^-8 and -2^30, each in a batch of its own.
        let order = |terms: [(u16, u16); 3]| {
            let (mut a, mut w) = (vec![0; 24], vec![0; 24]);
            for (i, (x, y)) in terms.into_iter().enumerate() {
                (a[8 * i], w[8 * i]) = (x, y);
            }
            dot(&a, &w, PLAIN)
        };
        let (big, small, minus) = ((0x7800, 0x7800), (0x1C00, ONE), (0xF800, 0x7800));
        // Worked by hand: what is too small leaves one unit, and the exponent falls by two at most in a batch. So
        // after cancelling, the unit is 2^2 and three shifts make it 32; the other way round it is 2^4 and 128.
        assert_eq!(order([big, minus, small]), 0x5000);
        assert_eq!(order([small, big, minus]), 0x5800);
    }
}
