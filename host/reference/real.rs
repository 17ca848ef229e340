//! f64 sums, and a bound for the distance of the matrix unit's fp16 result from them (derived in docs/verify.md).

/// A sum of products and the sum of their magnitudes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum {
    /// Sum of `a * w`.
    pub value: f64,
    /// Sum of `|a * w|`: what rounding errors are measured against.
    pub magnitude: f64,
    /// Number of products.
    pub terms: usize,
}

/// Adds up products in f64.
pub fn sum(products: impl IntoIterator<Item = (f64, f64)>) -> Sum {
    products.into_iter().fold(Sum::default(), |s, (a, w)| Sum {
        value: s.value + a * w,
        magnitude: s.magnitude + (a * w).abs(),
        terms: s.terms + 1,
    })
}

impl Sum {
    /// How far the accumulator cell may lie from the exact sum.
    ///
    /// With magnitude P and B batches of 8: every cell exponent e satisfies `2^e <= P/4`; aligning the products of all
    /// batches costs at most `2P` units of 2^-22, and each batch at most 3 units of `2^e` for aligning the two addends
    /// and halving their sum.
    pub fn cell_bound(self) -> f64 {
        let batches = self.terms.div_ceil(8) as f64;
        let unit = self.magnitude * 2f64.powi(-22);
        unit * (2.0 + 0.75 * batches) * (1.0 + 2f64.powi(-10)) + self.f64_bound()
    }

    /// How far the stored fp16 may lie from the exact sum.
    pub fn fp16_bound(self) -> f64 {
        let cell = self.cell_bound();
        cell + half_unit(self.magnitude.min(self.value.abs() + cell), 10, -24)
    }

    /// How far f64 arithmetic itself may be off.
    fn f64_bound(self) -> f64 {
        (self.terms + 1) as f64 * self.magnitude * 2f64.powi(-53)
    }
}

/// Half a unit in the last place of `value` in a format with `fraction_bits` and a smallest unit of `2^least`:
/// the error of one rounding to nearest.
pub fn half_unit(value: f64, fraction_bits: i32, least: i32) -> f64 {
    let value = value.abs();
    if value == 0.0 {
        return 2f64.powi(least - 1);
    }
    let exponent = value.log2().floor() as i32;
    2f64.powi((exponent - fraction_bits).max(least) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_units_of_fp16() {
        assert_eq!(half_unit(1.0, 10, -24), 2f64.powi(-11));
        assert_eq!(half_unit(1.99, 10, -24), 2f64.powi(-11));
        assert_eq!(half_unit(2f64.powi(-20), 10, -24), 2f64.powi(-25));
        assert_eq!(half_unit(0.0, 10, -24), 2f64.powi(-25));
    }

    #[test]
    fn sums_count_their_terms() {
        let s = sum([(1.0, 2.0), (-3.0, 4.0)]);
        assert_eq!((s.value, s.magnitude, s.terms), (-10.0, 14.0, 2));
    }
}
