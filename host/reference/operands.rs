//! The numbers behind the bits of operands: conversions written out for the references.

use half::f16;

/// f32 to fp16 bits as HVX converts: nearest, ties to even, denormals kept, overflow to infinity, NaN to 0x7FFF.
/// Class of evidence: inferred (the public manual gives the instruction, no reading confirms its rounding).
pub fn narrow(x: f32) -> u16 {
    if x.is_nan() {
        0x7FFF
    } else {
        f16::from_f32(x).to_bits()
    }
}

/// fp16 bits to f32 bits as HVX converts: exact, NaN to 0x7FFFFFFF.
pub fn widen(bits: u16) -> u32 {
    let x = f16::from_bits(bits).to_f32();
    if x.is_nan() { 0x7FFF_FFFF } else { x.to_bits() }
}

/// The value of Q4_0 weight `k` of row `n`, and of its scale: ggml's bytes, 18 for each 32 values.
pub fn q4_0(bytes: &[u8], k_count: usize, n: usize, k: usize) -> (i8, f64) {
    let block = &bytes[(n * (k_count / 32) + k / 32) * 18..][..18];
    let pair = block[2 + k % 16];
    let q = if k % 32 < 16 { pair & 15 } else { pair >> 4 };
    let d = f16::from_le_bytes([block[0], block[1]]).to_f64();
    (q as i8 - 8, d)
}

/// The fp16 weight that `q * d` expands to: one rounding, overflow to infinity.
pub fn expanded(q: i8, d: f64) -> u16 {
    // The product of a 4-bit and an 11-bit number is exact in f64.
    narrow_f64(f64::from(q) * d)
}

fn narrow_f64(x: f64) -> u16 {
    if x.is_nan() {
        0x7FFF
    } else {
        f16::from_f64(x).to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_keep_denormals_and_round_to_even() {
        assert_eq!(narrow(65519.0), 0x7BFF);
        assert_eq!(narrow(65520.0), 0x7C00);
        assert_eq!(narrow(-70000.0), 0xFC00);
        assert_eq!(narrow(f32::NAN), 0x7FFF);
        assert_eq!(narrow(2f32.powi(-24) * 1.5), 2);
        assert_eq!(narrow(2f32.powi(-25)), 0);
        assert_eq!(widen(0x7E00), 0x7FFF_FFFF);
        assert_eq!(widen(0x0001), 2f32.powi(-24).to_bits());
        assert_eq!(expanded(-8, 8192.0), 0xFC00);
        assert_eq!(expanded(3, 0.0), 0);
    }

    #[test]
    fn nibbles_of_a_block_are_split_at_sixteen() {
        let mut bytes = vec![0x00, 0x40];
        bytes.extend((0..16).map(|j| j | (15 - j) << 4));
        assert_eq!(q4_0(&bytes, 32, 0, 3), (-5, 2.0));
        assert_eq!(q4_0(&bytes, 32, 0, 19), (4, 2.0));
    }
}
