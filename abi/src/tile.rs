//! Where elements lie in a tile (HMX reference: "state" and "weight streams").

use serde::{Deserialize, Serialize};

/// Bytes of a crouton: 64 spatial positions of 32 channels.
pub const CROUTON: usize = 2048;

/// Memory layout of one tile: a matrix of (row, column) elements.
///
/// For weights, row is the input channel k and column the output channel n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// uint8, 64 x 32, spatial-major: `(s>>2)*128 + c*4 + (s&3)`.
    CroutonUb,
    /// uint8, 64 x 32, channel-major: `s*32 + c`.
    CroutonUbCm,
    /// 16-bit, 32 x 32: `(r>>1)*128 + c*4 + (r&1)*2`. fp16 tiles of all three operands,
    /// and the readout of `uh:2x1`.
    CroutonHf,
    /// int8 weights (`b`, `sm`), 32 x 32, 1024 bytes: `(k/4)*128 + n*4 + k%4`.
    WeightB,
    /// int4 weights (`n`), 32 x 32, 512 bytes: nibble `(k/4)%2` of byte `(k/8)*128 + n*4 + k%4`.
    WeightN,
    /// 2-bit weights (`c`, `sc`), 32 x 32, 256 bytes.
    WeightC,
    /// 1-bit weights (`ubit`, `sbit`), 32 x 32, 128 bytes.
    WeightBit,
    /// uint8, 32 columns, plain row-major.
    FlatUb,
    /// 16-bit, 32 columns, plain row-major.
    FlatHf,
    /// Bias entries, 2 x 32 words of 32 bits, 256 bytes: row 0 the low halves, row 1 the high.
    Bias,
}

/// Where one element lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Byte offset from the start of the tile.
    pub byte: usize,
    /// Lowest bit within that byte (0 unless elements are narrower than a byte).
    pub bit: u32,
    /// Width in bits: 1, 2, 4, 8, 16 or 32.
    pub bits: u32,
}

impl Layout {
    /// Rows and columns of one tile.
    pub fn shape(self) -> (usize, usize) {
        match self {
            Layout::CroutonUb | Layout::CroutonUbCm | Layout::FlatUb => (64, 32),
            Layout::Bias => (2, 32),
            _ => (32, 32),
        }
    }

    /// Width of an element in bits.
    pub fn bits(self) -> u32 {
        match self {
            Layout::CroutonUb | Layout::CroutonUbCm | Layout::FlatUb | Layout::WeightB => 8,
            Layout::CroutonHf | Layout::FlatHf => 16,
            Layout::Bias => 32,
            Layout::WeightN => 4,
            Layout::WeightC => 2,
            Layout::WeightBit => 1,
        }
    }

    /// Bytes of one tile.
    pub fn bytes(self) -> usize {
        let (rows, columns) = self.shape();
        rows * columns * self.bits() as usize / 8
    }

    /// Where element (row, column) lies.
    #[inline]
    pub fn slot(self, row: usize, column: usize) -> Slot {
        let bits = self.bits();
        let (byte, bit) = match self {
            Layout::CroutonUb => ((row >> 2) * 128 + column * 4 + (row & 3), 0),
            Layout::CroutonUbCm | Layout::FlatUb => (row * 32 + column, 0),
            Layout::CroutonHf => ((row >> 1) * 128 + column * 4 + (row & 1) * 2, 0),
            Layout::FlatHf => ((row * 32 + column) * 2, 0),
            Layout::Bias => (row * 128 + column * 4, 0),
            Layout::WeightB | Layout::WeightN | Layout::WeightC | Layout::WeightBit => {
                // One 128-byte vector carries 32/bits stream positions of four bytes' width.
                let per_vector = 32 / bits as usize;
                let j = row % per_vector;
                (
                    row / per_vector * 128 + column * 4 + j % 4,
                    (j / 4) as u32 * bits,
                )
            }
        };
        Slot { byte, bit, bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_layout_is_a_bijection_onto_its_bytes() {
        for layout in [
            Layout::CroutonUb,
            Layout::CroutonUbCm,
            Layout::CroutonHf,
            Layout::WeightB,
            Layout::WeightN,
            Layout::WeightC,
            Layout::WeightBit,
            Layout::FlatUb,
            Layout::FlatHf,
            Layout::Bias,
        ] {
            let (rows, columns) = layout.shape();
            let mut seen = HashSet::new();
            for r in 0..rows {
                for c in 0..columns {
                    let s = layout.slot(r, c);
                    assert!(s.byte + (s.bits as usize).div_ceil(8) <= layout.bytes());
                    assert!(seen.insert((s.byte, s.bit)), "{layout:?} {r} {c}");
                }
            }
        }
    }
}
