//! Distance of two elements in units of the last place.

use hmx_probes::Element;

/// The distance between two bit patterns of one element type, in units of the last place.
///
/// For integers: the absolute difference of the values. For halfwords: the number of
/// representable values between them plus one, counted on the line that runs from negative
/// to positive through the one zero: `+0` and `-0` are 0 apart, and `a > 0 > b` are as far
/// apart as both are from zero together. Patterns with exponent 31 lie beyond 65504 in the
/// same order (that is what HMX makes of them with inf/nan enable 0).
pub fn ulp(element: Element, bits: u32, a: u32, b: u32) -> u32 {
    match element {
        Element::Hf => rank(a).abs_diff(rank(b)),
        Element::Unsigned => a.abs_diff(b),
        Element::Signed => {
            let value = |raw| element.decode(bits, raw) as i64; // exact: at most 32 bits
            value(a).abs_diff(value(b)) as u32
        }
    }
}

/// Place of a halfword on the number line, 0 for both zeros.
fn rank(raw: u32) -> i32 {
    let magnitude = (raw & 0x7FFF) as i32;
    match raw & 0x8000 {
        0 => magnitude,
        _ => -magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hf(a: u16, b: u16) -> u32 {
        ulp(Element::Hf, 16, a.into(), b.into())
    }

    #[test]
    fn signs_and_zeros() {
        assert_eq!(hf(0x0000, 0x8000), 0);
        assert_eq!(hf(0x0001, 0x8001), 2);
        assert_eq!(hf(0x3C00, 0x3BFF), 1);
        assert_eq!(hf(0x7BFF, 0x7C00), 1);
        assert_eq!(ulp(Element::Signed, 4, 0xF, 0x1), 2);
        assert_eq!(ulp(Element::Unsigned, 8, 0xFF, 0x01), 254);
    }

    proptest! {
        #[test]
        fn it_is_a_metric(a: u16, b: u16, c: u16) {
            prop_assert_eq!(hf(a, b), hf(b, a));
            prop_assert!(hf(a, c) <= hf(a, b) + hf(b, c));
            prop_assert_eq!(hf(a, b) == 0, a == b || (a | b) == 0x8000);
        }

        #[test]
        fn neighbours_are_one_apart(a in 0u16..0x7BFF) {
            let (x, y) = (half::f16::from_bits(a), half::f16::from_bits(a + 1));
            prop_assert!(x < y);
            prop_assert_eq!(hf(a, a + 1), 1);
            prop_assert_eq!(hf(a | 0x8000, (a + 1) | 0x8000), 1);
        }
    }
}
