//! Bias registers: one 64-bit entry for each output channel, read as fixed-point or as float
//! constants (HMX reference: "Bias").

use crate::{Memory, Outside, state::inf};

/// Fixed-point reading of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedBias {
    /// Added to the accumulator: bits \[63:32\], signed.
    pub input: i64,
    /// 12-bit scale.
    pub scale: u32,
    /// Bits \[9:0\] with the inverted bit 16 above: 11 bits, for the column pairs of uh:2x2.
    pub pair_scale: u32,
    /// Left shift, 0..32.
    pub exponent: u32,
    /// Shape 0..8.
    pub shape: u32,
    /// 12-bit output bias.
    pub output: u32,
    /// Bits \[30:23\] alone.
    pub upper: u32,
    /// Bit 22 alone.
    pub round: u32,
}

impl FixedBias {
    /// Reads the fields of an entry.
    pub fn of(entry: u64) -> FixedBias {
        let low = entry as u32;
        let field = |high: u32, low_bit: u32| low >> low_bit & ((1 << (high - low_bit + 1)) - 1);
        FixedBias {
            input: entry as i64 >> 32,
            scale: (field(16, 16) ^ 1) << 11 | field(9, 0) << 1 | field(31, 31),
            pair_scale: (field(16, 16) ^ 1) << 10 | field(9, 0),
            exponent: field(14, 10),
            shape: field(15, 15) << 2 | field(18, 17),
            output: field(30, 23) << 4 | field(22, 22) << 3 | field(21, 19),
            upper: field(30, 23),
            round: field(22, 22),
        }
    }
}

/// A float constant: value = `sig * 2^-fraction * 2^exp`, fraction 14 (scale, output bias)
/// or 15 (accumulator bias).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Signed significand; 0 for zero.
    pub sig: i64,
    /// True exponent (that of a denormal is the smallest normal one).
    pub exp: i32,
    /// Infinity flags, see [`inf`].
    pub inf: i32,
}

impl Constant {
    /// From 16 bits (fp16 or bf16) with `ext_bits` more mantissa bits. `special`: inf/nan enable.
    pub fn decode(bits: u16, ext: u32, ext_bits: u32, bf16: bool, special: bool) -> Constant {
        let (frac_bits, bias, top) = if bf16 { (7, 127, 0xFF) } else { (10, 15, 0x1F) };
        let e = i32::from(bits) >> frac_bits & top;
        let frac = u32::from(bits) & ((1 << frac_bits) - 1);
        let mantissa = (frac << ext_bits | ext) as i64;
        let implicit = i64::from(e != 0) << (frac_bits + ext_bits as i32);
        // Both formats end up with the fraction bits of the wider one, fp16.
        let sig = (implicit | mantissa) << (10 - frac_bits);
        let negative = bits & 0x8000 != 0;
        let flags = match (special && e == top, mantissa != 0, negative) {
            (false, ..) => 0,
            (true, true, _) => inf::NAN,
            (true, false, false) => inf::POS,
            (true, false, true) => inf::NEG,
        };
        Constant {
            sig: if negative { -sig } else { sig },
            exp: e.max(1) - bias,
            inf: flags,
        }
    }

    /// From a 20-bit convert result: 16 bits and 4 more mantissa bits.
    pub fn of_result(value: u32, bf16: bool, special: bool) -> Constant {
        Constant::decode((value >> 4) as u16, value & 15, 4, bf16, special)
    }

    /// Exact, for comparing.
    pub fn value(self) -> f64 {
        self.sig as f64 * 2f64.powi(self.exp - 14)
    }

    /// The same with the sign flipped.
    pub fn negated(self) -> Constant {
        Constant {
            sig: -self.sig,
            inf: flip(self.inf),
            ..self
        }
    }
}

/// Infinity flags with the sign flipped.
fn flip(flags: i32) -> i32 {
    match flags {
        inf::POS => inf::NEG,
        inf::NEG => inf::POS,
        other => other,
    }
}

/// Float reading of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatBias {
    /// Multiplies the shaped accumulator; 14 fraction bits. `negate` is not applied yet.
    pub scale: Constant,
    /// Added last; 14 fraction bits.
    pub output: Constant,
    /// Added to the accumulator; 15 fraction bits.
    pub accumulator: Constant,
    /// Shape 0..4.
    pub shape: u32,
    /// Flips the sign of the scale.
    pub negate: bool,
}

impl FloatBias {
    /// Reads the fields of an entry, with fp16 or bf16 constants.
    pub fn of(entry: u64, bf16: bool, special: bool) -> FloatBias {
        let field = |low: u32, bits: u32| (entry >> low & ((1 << bits) - 1)) as u32;
        FloatBias {
            scale: Constant::decode(field(0, 16) as u16, field(32, 4), 4, bf16, special),
            output: Constant::decode(field(16, 16) as u16, field(36, 4), 4, bf16, special),
            accumulator: Constant::decode(field(48, 16) as u16, field(43, 5), 5, bf16, special),
            shape: field(40, 2),
            negate: field(42, 1) != 0,
        }
    }
}

/// Where a bias instruction's Rs points: address and bytes of the area.
pub fn area(rs: u32, wide: bool) -> (u32, usize) {
    if wide {
        (rs & !255, 256)
    } else {
        (rs & !127, 128)
    }
}

/// Loads a set: low halves from the first 128 bytes, high halves from the next (wide), else 0.
pub fn load(
    set: &mut [u64; 32],
    rs: u32,
    wide: bool,
    memory: &mut impl Memory,
) -> Result<(), Outside> {
    let (at, len) = area(rs, wide);
    let words = memory.load(at, len)?.as_chunks::<4>().0;
    for (i, entry) in set.iter_mut().enumerate() {
        let half = |i: usize| {
            words
                .get(i)
                .map_or(0, |&w| u64::from(u32::from_le_bytes(w)))
        };
        *entry = half(i) | half(i + 32) << 32;
    }
    memory.consumed(at, len);
    Ok(())
}

/// Stores a set: low halves, and with `wide` the high halves after them.
pub fn store(
    set: &[u64; 32],
    rs: u32,
    wide: bool,
    memory: &mut impl Memory,
) -> Result<(), Outside> {
    let (at, len) = area(rs, wide);
    let words = memory.store(at, len)?.as_chunks_mut::<4>().0;
    let halves = set
        .iter()
        .map(|&e| e as u32)
        .chain(set.iter().map(|&e| (e >> 32) as u32));
    for (word, half) in words.iter_mut().zip(halves) {
        *word = half.to_le_bytes();
    }
    memory.written(at, len);
    Ok(())
}
