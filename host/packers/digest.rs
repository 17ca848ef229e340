//! One digest per format: SHA-256 of a known ramp after packing. Host and device that print the same digest mean
//! the same order; a runtime can refuse weights whose digest differs.
//!
//! The ramp is a 48 x 96 matrix (48 rows, 96 columns: neither square nor a multiple of the tile), element (r, c):
//! * Q4_0: q = `(7r + 3c + c/16) mod 16`, d of block b of row r = fp16 bits `0x3000 + 3r + b`;
//! * int4 with a scale for each row: the number is that q - 8, the scale of row r is `1 + r/64`;
//! * fp16: bits `(97r + c) mod 65536`.

use super::{Blocks, PackError, TileOrder, channel, fp16, int4, q4_0};
use sha2::{Digest, Sha256};

/// A tile format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Q4_0 tiles with k pairs in a byte: see [`TileOrder::Pairs`].
    Q4_0Tile,
    /// Q4_0 tiles in the order of the `weight.n` loader: see [`TileOrder::Loader`].
    Q4_0NTile,
    /// int4 tiles in the order of the `weight.n` loader with a scale for each row: see [`channel`].
    I4NTile,
    /// fp16 activation tiles: see [`fp16::Operand::Activation`].
    HfActivation,
    /// fp16 weight tiles: see [`fp16::Operand::Weight`].
    HfWeight,
}

/// Rows of the ramp.
pub const RAMP_ROWS: usize = 48;
/// Columns of the ramp.
pub const RAMP_COLUMNS: usize = 96;

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [
        Format::Q4_0Tile,
        Format::Q4_0NTile,
        Format::I4NTile,
        Format::HfActivation,
        Format::HfWeight,
    ];

    /// The name in docs/formats.md.
    pub fn name(self) -> &'static str {
        match self {
            Format::Q4_0Tile => "q4_0_tile",
            Format::Q4_0NTile => "q4_0_n_tile",
            Format::I4NTile => "i4_n_tile",
            Format::HfActivation => "hf_activation",
            Format::HfWeight => "hf_tile",
        }
    }

    /// SHA-256, in hexadecimal, that the packed ramp must have.
    pub fn golden_digest(self) -> &'static str {
        match self {
            Format::Q4_0Tile => "87432722dd7c642d19bbadf952d1a5e03f882f1325a726a1509a28d18057ca75",
            Format::Q4_0NTile => "088963624721965a3bd3b490bceb0c9a627e195e0173a878f499b055a529cca6",
            Format::I4NTile => "5a4d5f66496d4f47b17337791223f1d5aa396b0ba4ddf4b604c9b57c74aeb55e",
            Format::HfActivation => {
                "bdaad4a37f7b6c2414ed7f5f6ba2f43ac088456389d357c7587e14ffcfafc0ab"
            }
            Format::HfWeight => "e0e4115de39c8b0aefe39c7659af0cd550ad1457b8220f78419c60f843412698",
        }
    }

    /// The ramp, packed.
    pub fn packed_ramp(self) -> Result<Vec<u8>, PackError> {
        let operand = match self {
            Format::Q4_0Tile | Format::Q4_0NTile => {
                let bytes = q4_0_ramp();
                let blocks = Blocks::new(&bytes, RAMP_ROWS, RAMP_COLUMNS)?;
                let order = match self {
                    Format::Q4_0Tile => TileOrder::Pairs,
                    _ => TileOrder::Loader,
                };
                return Ok(int4::pack(&blocks, order));
            }
            Format::I4NTile => {
                let elements =
                    (0..RAMP_ROWS * RAMP_COLUMNS).map(|i| (i / RAMP_COLUMNS, i % RAMP_COLUMNS));
                let q: Vec<i8> = elements.map(|(r, c)| quant(r, c) as i8 - 8).collect();
                let scale: Vec<f32> = (0..RAMP_ROWS).map(|r| 1.0 + r as f32 / 64.0).collect();
                return channel::pack(&q, &scale, RAMP_ROWS, RAMP_COLUMNS);
            }
            Format::HfActivation => fp16::Operand::Activation,
            Format::HfWeight => fp16::Operand::Weight,
        };
        let values: Vec<u16> = (0..RAMP_ROWS * RAMP_COLUMNS)
            .map(|i| (97 * (i / RAMP_COLUMNS) + i % RAMP_COLUMNS) as u16)
            .collect();
        fp16::pack(&values, RAMP_ROWS, RAMP_COLUMNS, operand)
    }

    /// SHA-256 of the packed ramp, in hexadecimal: equals [`Format::golden_digest`] in a sound build.
    pub fn digest(self) -> Result<String, PackError> {
        let hash = Sha256::digest(self.packed_ramp()?);
        Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn quant(row: usize, column: usize) -> u8 {
    ((7 * row + 3 * column + column / 16) % 16) as u8
}

/// The Q4_0 ramp in ggml's byte order.
pub fn q4_0_ramp() -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..RAMP_ROWS {
        for block in 0..RAMP_COLUMNS / q4_0::BLOCK {
            let q = std::array::from_fn(|j| quant(row, block * q4_0::BLOCK + j));
            q4_0::push_block(&mut bytes, (0x3000 + 3 * row + block) as u16, &q);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constants were computed by a separate script from the formulas of docs/formats.md.
    #[test]
    fn ramps_have_their_digests() {
        for format in Format::ALL {
            assert_eq!(
                format.digest().unwrap(),
                format.golden_digest(),
                "{}",
                format.name()
            );
        }
    }
}
