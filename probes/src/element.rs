//! Elements as numbers: how a value becomes bits in a tile and bits become a value.

use crate::definition::Element;
use half::f16;
use hmx_abi::tile::Slot;

impl Element {
    /// Whether elements of this width can be read so.
    pub fn fits(self, bits: u32) -> bool {
        self != Element::Hf || bits == 16
    }

    /// The bits of a value, or `None` if the element cannot hold exactly this value.
    /// Any NaN becomes the quiet NaN 0x7E00.
    pub fn encode(self, bits: u32, value: f64) -> Option<u32> {
        let (low, high) = match self {
            Element::Hf if value.is_nan() => return Some(0x7E00),
            Element::Hf => {
                let half = f16::from_f64(value);
                return (half.to_f64() == value).then(|| u32::from(half.to_bits()));
            }
            Element::Unsigned => (0, (1i64 << bits) - 1),
            Element::Signed => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        };
        let whole = value as i64;
        let held = whole as f64 == value && (low..=high).contains(&whole);
        held.then(|| (whole as u64 & ((1u64 << bits) - 1)) as u32)
    }

    /// The value of an element's bits.
    pub fn decode(self, bits: u32, code: u32) -> f64 {
        match self {
            Element::Unsigned => f64::from(code),
            Element::Signed => {
                let up = 32 - bits;
                f64::from(((code << up) as i32) >> up)
            }
            Element::Hf => f16::from_bits(code as u16).to_f64(),
        }
    }
}

/// The bits at a slot, or `None` if `bytes` ends before it.
pub fn read(bytes: &[u8], slot: Slot) -> Option<u32> {
    let wide = slot.bits.div_ceil(8) as usize;
    let mut word = [0u8; 4];
    word.get_mut(..wide)?
        .copy_from_slice(bytes.get(slot.byte..slot.byte + wide)?);
    let mask = ((1u64 << slot.bits) - 1) as u32;
    Some((u32::from_le_bytes(word) >> slot.bit) & mask)
}

/// Sets the bits at a slot; bits beyond `bytes` are dropped.
pub fn write(bytes: &mut [u8], slot: Slot, code: u32) {
    let wide = slot.bits.div_ceil(8) as usize;
    let Some(place) = bytes.get_mut(slot.byte..slot.byte + wide) else {
        return;
    };
    if slot.bits < 8 {
        let mask = ((1u16 << slot.bits) - 1) as u8;
        place[0] = place[0] & !(mask << slot.bit) | ((code as u8 & mask) << slot.bit);
    } else {
        place.copy_from_slice(&code.to_le_bytes()[..wide]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_survive_decoding(code in any::<u32>(), shift in 0u32..6) {
            let bits = 1 << shift;
            let code = code & ((1u64 << bits) - 1) as u32;
            for element in [Element::Unsigned, Element::Signed] {
                prop_assert_eq!(element.encode(bits, element.decode(bits, code)), Some(code));
            }
        }

        #[test]
        fn a_written_slot_reads_back(code in any::<u32>(), byte in 0usize..8, shift in 0u32..6, lane in 0u32..8) {
            let bits = 1u32 << shift;
            let bit = if bits < 8 { lane * bits % 8 } else { 0 };
            let slot = Slot { byte, bit, bits };
            let mut bytes = [0xA5u8; 12];
            write(&mut bytes, slot, code);
            prop_assert_eq!(read(&bytes, slot), Some(code & ((1u64 << bits) - 1) as u32));
        }
    }

    #[test]
    fn values_an_element_cannot_hold_are_none() {
        assert_eq!(Element::Unsigned.encode(8, 256.0), None);
        assert_eq!(Element::Unsigned.encode(8, -1.0), None);
        assert_eq!(Element::Signed.encode(4, 8.0), None);
        assert_eq!(Element::Signed.encode(4, -8.0), Some(8));
        assert_eq!(Element::Unsigned.encode(8, 0.5), None);
        assert_eq!(Element::Hf.encode(16, 2049.0), None);
        assert_eq!(Element::Hf.encode(16, -0.0), Some(0x8000));
        assert_eq!(Element::Hf.encode(16, f64::INFINITY), Some(0x7C00));
    }
}
