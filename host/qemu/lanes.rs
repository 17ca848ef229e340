//! Vector registers as lanes of numbers.
//!
//! A register pair holds the even lanes in its low register and the odd lanes in its high
//! one: the lane order of HVX's widening and narrowing instructions.

/// Format of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// IEEE half; also our image of qf16.
    Hf,
    /// IEEE single; also our image of qf32.
    Sf,
    /// The upper half of an IEEE single.
    Bf,
    /// int16
    H,
    /// uint16
    Uh,
    /// int32
    W,
}

impl Element {
    /// By the name in assembly; `None` for formats that are not executed.
    pub fn named(name: &str) -> Option<Element> {
        Some(match name {
            "hf" | "qf16" => Element::Hf,
            "sf" | "qf32" => Element::Sf,
            "bf" => Element::Bf,
            "h" => Element::H,
            "uh" => Element::Uh,
            "w" => Element::W,
            _ => return None,
        })
    }

    /// Bytes of a lane.
    pub fn bytes(self) -> usize {
        match self {
            Element::Sf | Element::W => 4,
            _ => 2,
        }
    }

    /// Whether it is an integer format.
    pub fn is_integer(self) -> bool {
        matches!(self, Element::H | Element::Uh | Element::W)
    }

    /// The value of the low bits of `bits`.
    pub fn decode(self, bits: u32) -> f64 {
        match self {
            Element::Hf => half::f16::from_bits(bits as u16).to_f64(),
            Element::Bf => half::bf16::from_bits(bits as u16).to_f64(),
            Element::Sf => f64::from(f32::from_bits(bits)),
            Element::H => f64::from(bits as u16 as i16),
            Element::Uh => f64::from(bits as u16),
            Element::W => f64::from(bits as i32),
        }
    }

    /// A value rounded to the format: floats to nearest even, every NaN to all ones but the
    /// sign; integers toward zero, saturating.
    pub fn encode(self, value: f64) -> u32 {
        match self {
            Element::Hf | Element::Bf if value.is_nan() => 0x7FFF,
            Element::Sf if value.is_nan() => 0x7FFF_FFFF,
            Element::Hf => u32::from(half::f16::from_f64_const(keep_sticky(value)).to_bits()),
            Element::Bf => u32::from(half::bf16::from_f64_const(keep_sticky(value)).to_bits()),
            Element::Sf => (value as f32).to_bits(),
            Element::H => u32::from(value as i16 as u16),
            Element::Uh => u32::from(value as u16),
            Element::W => value as i32 as u32,
        }
    }
}

/// Folds the low half of the fraction into one sticky bit: the conversions of `half` look
/// at the high half only, and a tie must be told from what lies just beside it.
fn keep_sticky(value: f64) -> f64 {
    let bits = value.to_bits();
    let low = bits & 0xFFFF_FFFF;
    f64::from_bits((bits ^ low) | u64::from(low != 0) << 32)
}

/// One register or a pair, as lanes.
#[derive(Debug, Clone)]
pub struct Lanes {
    element: Element,
    pair: bool,
    bytes: [[u8; 128]; 2],
}

impl Lanes {
    /// All zero.
    pub fn new((element, pair): (Element, bool)) -> Lanes {
        Lanes {
            element,
            pair,
            bytes: [[0; 128]; 2],
        }
    }

    /// Register `n`, or the pair that begins with it.
    pub fn read(what: (Element, bool), registers: &[[u8; 128]; 32], n: usize) -> Lanes {
        let mut lanes = Lanes::new(what);
        lanes.bytes[0] = registers[if what.1 { n & !1 } else { n }];
        lanes.bytes[1] = registers[n | 1];
        lanes
    }

    /// Writes register `n` or the pair that begins with it; the bit mask of what was written.
    pub fn write(&self, registers: &mut [[u8; 128]; 32], n: usize) -> u32 {
        if !self.pair {
            registers[n] = self.bytes[0];
            return 1 << n;
        }
        registers[n & !1] = self.bytes[0];
        registers[n | 1] = self.bytes[1];
        3 << (n & !1)
    }

    /// How many.
    pub fn len(&self) -> usize {
        128 / self.element.bytes() * if self.pair { 2 } else { 1 }
    }

    /// Never: a register has lanes.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn place(&self, i: usize) -> (usize, usize) {
        let width = self.element.bytes();
        if self.pair {
            (i % 2, i / 2 * width)
        } else {
            (0, i * width)
        }
    }

    /// The value of lane `i`.
    pub fn get(&self, i: usize) -> f64 {
        let (register, at) = self.place(i);
        let bytes = &self.bytes[register][at..at + self.element.bytes()];
        let bits = bytes.iter().rev().fold(0, |w, b| w << 8 | u32::from(*b));
        self.element.decode(bits)
    }

    /// Rounds a value into lane `i`.
    pub fn set(&mut self, i: usize, value: f64) {
        let (register, at) = self.place(i);
        let width = self.element.bytes();
        let bits = self.element.encode(value).to_le_bytes();
        self.bytes[register][at..at + width].copy_from_slice(&bits[..width]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_once() {
        // Just above the tie between 1 and 1 + 2^-10: a second rounding would lose it.
        let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-50);
        assert_eq!(Element::Hf.encode(above), 0x3C01);
        assert_eq!(Element::Hf.encode(1.0 + 2f64.powi(-11)), 0x3C00);
        assert_eq!(
            Element::Bf.encode(1.0 + 2f64.powi(-8) + 2f64.powi(-50)),
            0x3F81
        );
    }

    #[test]
    fn every_half_survives() {
        for bits in 0..=0xFFFFu32 {
            let value = Element::Hf.decode(bits);
            if !value.is_nan() {
                assert_eq!(Element::Hf.encode(value), bits);
            }
        }
    }

    #[test]
    fn a_pair_holds_even_and_odd_lanes() {
        let mut pair = Lanes::new((Element::Sf, true));
        for i in 0..pair.len() {
            pair.set(i, i as f64);
        }
        let mut registers = [[0; 128]; 32];
        assert_eq!(pair.write(&mut registers, 4), 0b110000);
        assert_eq!(Lanes::read((Element::Sf, false), &registers, 4).get(3), 6.0);
        assert_eq!(Lanes::read((Element::Sf, false), &registers, 5).get(3), 7.0);
    }
}
