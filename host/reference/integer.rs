//! The int4 x uint8 product in exact int64, and the quantisation of activation rows that precedes it.
//!
//! A row keeps its own scale and zero point: lo = min(0, smallest), hi = max(0, largest), scale = (hi - lo) / 255,
//! inverse = 255 / (hi - lo), zero point = round(-lo * inverse), q = round(x * inverse) + zero point, clamped to
//! 0..255. All in f32 with one rounding for each operation; round() takes ties to even. Rows whose hi - lo lies below
//! 2^-100 count as zeros; rows with an infinity, a NaN or an overflowing hi - lo have the scale NaN.

/// One activation row as the integer kernels see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Value of one step. 0 for a row of zeros, NaN for a row that is not finite.
    pub scale: f32,
    /// The integer that means 0.
    pub zero_point: i64,
    /// 0 to 255 for each channel.
    pub q: Vec<u8>,
}

/// Quantises one row.
pub fn quantise(row: &[f32]) -> Row {
    let lo = row.iter().copied().fold(0f32, f32::min);
    let hi = row.iter().copied().fold(0f32, f32::max);
    let width = hi - lo;
    let flat = |scale| Row {
        scale,
        zero_point: 0,
        q: vec![0; row.len()],
    };
    // min and max pass over a NaN, so ask for it.
    if row.iter().any(|x| !x.is_finite()) || !width.is_finite() {
        return flat(f32::NAN);
    }
    if width < 2f32.powi(-100) {
        return flat(0.0);
    }
    let inverse = 255.0 / width;
    let zero_point = (-lo * inverse).round_ties_even() as i64;
    let quantise = |x: f32| {
        let q = (x * inverse).round_ties_even() as i64 + zero_point;
        q.clamp(0, 255) as u8
    };
    Row {
        scale: width / 255.0,
        zero_point,
        q: row.iter().map(|&x| quantise(x)).collect(),
    }
}

/// Sum of `(q - zero point) * weight`, exact.
pub fn dot(row: &Row, q: &[u8], weights: &[i8]) -> i64 {
    let products = q.iter().zip(weights);
    products
        .map(|(&a, &w)| (i64::from(a) - row.zero_point) * i64::from(w))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_even_and_the_ends_are_reached() {
        let row = quantise(&[0.0, 255.0, 0.5, 1.5, 2.5, 3.5]);
        assert_eq!((row.scale, row.zero_point), (1.0, 0));
        assert_eq!(row.q, [0, 255, 0, 2, 2, 4]);
    }

    #[test]
    fn zero_is_exact_in_rows_of_both_signs() {
        let row = quantise(&[-1.0, 0.0, 3.0]);
        assert_eq!(row.q[1] as i64, row.zero_point);
        assert_eq!(row.q, [0, 64, 255]);
        assert_eq!(dot(&row, &row.q, &[1, 7, -8]), -64 - 8 * 191);
    }

    #[test]
    fn rows_without_a_range_are_flat() {
        assert_eq!(quantise(&[0.0; 3]).scale, 0.0);
        assert_eq!(quantise(&[1e-31, 0.0]).scale, 0.0);
        assert!(quantise(&[1.0, f32::NAN]).scale.is_nan());
        assert!(quantise(&[1.0, f32::NEG_INFINITY]).scale.is_nan());
        assert!(quantise(&[f32::MAX, f32::MIN]).scale.is_nan());
    }
}
