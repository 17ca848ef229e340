//! The affine law `readout = scale * expected + offset`, fitted and judged.

use crate::decode::Number;
use serde::Serialize;

/// How readings follow the expected values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum Fit {
    /// `scale * expected + offset`, within half a unit of the last place of integers or the
    /// rounding of halfwords.
    Affine(Line),
    /// The best line, but some readings are off it.
    NotAffine(Line),
    /// All expected values are equal: a scale cannot be told.
    OneExpected {
        /// The expected value.
        expected: Number,
        /// Smallest reading.
        least: Number,
        /// Largest reading.
        most: Number,
        /// `reading / expected`, where there is one reading and the expected value is not 0.
        ratio: Option<Number>,
    },
    /// There is nothing to fit, or some reading or expected value is infinite or NaN.
    Nothing {
        /// Pairs in which one is no finite number.
        not_finite: usize,
    },
}

/// A fitted line and how far the readings lie off it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Line {
    /// Factor.
    pub scale: Number,
    /// Addend.
    pub offset: Number,
    /// Largest distance of a reading from the line.
    pub residual: Number,
    /// The same in units of the last place of the reading.
    pub residual_ulp: Number,
    /// Points fitted.
    pub points: usize,
}

/// Fits `readings` = (expected, read). `spacing` gives the unit of the last place at a
/// reading: 1 for integers, the spacing of halfwords at that magnitude for fp16.
///
/// The slope is taken through the two extreme expected values when that line meets every
/// point, which is exact for exact data; otherwise it is the least-squares line.
pub fn fit(readings: &[(f64, f64)], spacing: impl Fn(f64) -> f64) -> Fit {
    let not_finite = readings
        .iter()
        .filter(|(x, y)| !x.is_finite() || !y.is_finite())
        .count();
    let Some(&first) = readings.first().filter(|_| not_finite == 0) else {
        return Fit::Nothing { not_finite };
    };
    let (mut low, mut high, mut least, mut most) = (first, first, first.1, first.1);
    for &(x, y) in readings {
        if x < low.0 {
            low = (x, y);
        }
        if x > high.0 {
            high = (x, y);
        }
        least = least.min(y);
        most = most.max(y);
    }
    if low.0 == high.0 {
        let ratio = (least == most && low.0 != 0.0).then(|| Number(least / low.0));
        return Fit::OneExpected {
            expected: Number(low.0),
            least: Number(least),
            most: Number(most),
            ratio,
        };
    }
    let slope = (high.1 - low.1) / (high.0 - low.0);
    let exact = judge(readings, slope, low.1 - slope * low.0, &spacing);
    if exact.residual.0 == 0.0 {
        return Fit::Affine(exact);
    }
    let (slope, offset) = least_squares(readings);
    let best = judge(readings, slope, offset, &spacing);
    let best = if best.residual.0 <= exact.residual.0 {
        best
    } else {
        exact
    };
    // Rounding to nearest leaves at most half a unit; the fit itself may add as much.
    match best.residual_ulp.0 <= 1.0 {
        true => Fit::Affine(best),
        false => Fit::NotAffine(best),
    }
}

/// The unit of the last place of a halfword of this magnitude.
pub fn hf_spacing(value: f64) -> f64 {
    let exponent = match value.abs() {
        v if v < 2f64.powi(-14) => -14,
        v => v.log2().floor() as i32,
    };
    2f64.powi(exponent - 10)
}

fn least_squares(readings: &[(f64, f64)]) -> (f64, f64) {
    let n = readings.len() as f64;
    let (mx, my) = readings
        .iter()
        .fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let (sxy, sxx) = readings.iter().fold((0.0, 0.0), |(xy, xx), (x, y)| {
        (xy + (x - mx) * (y - my), xx + (x - mx) * (x - mx))
    });
    let slope = sxy / sxx;
    (slope, my - slope * mx)
}

fn judge(readings: &[(f64, f64)], scale: f64, offset: f64, spacing: &impl Fn(f64) -> f64) -> Line {
    let mut residual = 0f64;
    let mut residual_ulp = 0f64;
    for &(x, y) in readings {
        let off = (y - (scale * x + offset)).abs();
        residual = residual.max(off);
        residual_ulp = residual_ulp.max(off / spacing(y));
    }
    Line {
        scale: Number(scale),
        offset: Number(offset),
        residual: Number(residual),
        residual_ulp: Number(residual_ulp),
        points: readings.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn degenerate_inputs_are_said_to_be() {
        assert_eq!(fit(&[], |_| 1.0), Fit::Nothing { not_finite: 0 });
        assert_eq!(
            fit(&[(1.0, f64::NAN), (2.0, 1.0)], |_| 1.0),
            Fit::Nothing { not_finite: 1 }
        );
        let ones = fit(&[(32.0, 4.0); 5], |_| 1.0);
        assert!(
            matches!(ones, Fit::OneExpected { ratio: Some(Number(r)), .. } if r == 0.125),
            "{ones:?}"
        );
        let spread = fit(&[(32.0, 4.0), (32.0, 5.0)], |_| 1.0);
        assert!(
            matches!(spread, Fit::OneExpected { ratio: None, .. }),
            "{spread:?}"
        );
    }

    #[test]
    fn a_bend_is_not_affine() {
        let points: Vec<(f64, f64)> = (0..20).map(|i| (f64::from(i), f64::from(i * i))).collect();
        assert!(matches!(fit(&points, |_| 1.0), Fit::NotAffine(_)));
    }

    proptest! {
        #[test]
        fn exact_integer_lines_are_found_exactly(scale in -64i32..64, offset in -999i32..999,
                                                 xs in proptest::collection::vec(-99i32..99, 2..40)) {
            prop_assume!(xs.iter().any(|x| *x != xs[0]));
            let points: Vec<(f64, f64)> =
                xs.iter().map(|&x| (f64::from(x), f64::from(x * scale + offset))).collect();
            let Fit::Affine(line) = fit(&points, |_| 1.0) else { panic!("not affine") };
            prop_assert_eq!(line.scale.0, f64::from(scale));
            prop_assert_eq!(line.offset.0, f64::from(offset));
            prop_assert_eq!(line.residual.0, 0.0);
        }

        #[test]
        fn rounding_to_integers_stays_affine(scale in 0.05f64..4.0, offset in -9.0f64..9.0) {
            let points: Vec<(f64, f64)> =
                (0..200).map(|x| (f64::from(x), (f64::from(x) * scale + offset).floor())).collect();
            let found = fit(&points, |_| 1.0);
            prop_assert!(matches!(found, Fit::Affine(_)), "{:?}", found);
        }
    }
}
