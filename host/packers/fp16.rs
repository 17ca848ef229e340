//! fp16 matrices as 2048-byte tiles (spatial-major, row pairs interleaved), padded with +0.
//!
//! Values travel as fp16 bits. Matrices are row-major; weights come the way ggml keeps them, one row per output channel.

use super::{PackError, TILE, check_length, tile_count};
use hmx_abi::tile::{CROUTON, Layout};

/// Which operand a matrix is: it decides what the rows are and in which order the tiles follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Rows m, columns k; tile (row tile, k tile) has index `rt * ceil(K/32) + kt`.
    Activation,
    /// Rows n (output channels), columns k; element (k, n) of tile (column tile, k tile), index `ct * ceil(K/32) + kt`.
    Weight,
    /// Rows m, columns n; tile (row tile, column tile) has index `rt * ceil(N/32) + ct`.
    Output,
}

impl Operand {
    /// Index of the tile of element (row, column) and the byte of the element within it.
    fn slot(self, columns: usize, row: usize, column: usize) -> (usize, usize) {
        let (r, c) = (row % TILE, column % TILE);
        let slot = match self {
            Operand::Activation | Operand::Output => Layout::CroutonHf.slot(r, c),
            Operand::Weight => Layout::CroutonHf.slot(c, r),
        };
        let tile = row / TILE * columns.div_ceil(TILE) + column / TILE;
        (tile, slot.byte)
    }
}

/// Packs a `rows` x `columns` row-major matrix of fp16 bits.
pub fn pack(
    values: &[u16],
    rows: usize,
    columns: usize,
    operand: Operand,
) -> Result<Vec<u8>, PackError> {
    check_length(
        (rows, columns),
        rows.checked_mul(columns),
        values.len(),
        "fp16 values",
    )?;
    let length = tile_count(rows, columns)
        .and_then(|count| count.checked_mul(CROUTON))
        .ok_or(PackError::TooLarge { rows, columns })?;
    let mut tiles = vec![0; length];
    for (i, value) in values.iter().enumerate() {
        let (tile, byte) = operand.slot(columns, i / columns, i % columns);
        tiles[tile * CROUTON + byte..][..2].copy_from_slice(&value.to_le_bytes());
    }
    Ok(tiles)
}

/// Unpacks tiles into a row-major matrix of fp16 bits: the inverse of [`pack`]. What lies in the padding is ignored.
pub fn unpack(
    tiles: &[u8],
    rows: usize,
    columns: usize,
    operand: Operand,
) -> Result<Vec<u16>, PackError> {
    let wanted = tile_count(rows, columns).and_then(|count| count.checked_mul(CROUTON));
    check_length((rows, columns), wanted, tiles.len(), "bytes of fp16 tiles")?;
    Ok((0..rows * columns)
        .map(|i| {
            let (tile, byte) = operand.slot(columns, i / columns, i % columns);
            let at = tile * CROUTON + byte;
            u16::from_le_bytes([tiles[at], tiles[at + 1]])
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPERANDS: [Operand; 3] = [Operand::Activation, Operand::Weight, Operand::Output];

    proptest! {
        #[test]
        fn unpacking_gives_back_every_value(
            (rows, columns, values) in (1usize..80, 1usize..80).prop_flat_map(|(r, c)| {
                (Just(r), Just(c), proptest::collection::vec(any::<u16>(), r * c))
            })
        ) {
            for operand in OPERANDS {
                let tiles = pack(&values, rows, columns, operand).unwrap();
                prop_assert_eq!(&unpack(&tiles, rows, columns, operand).unwrap(), &values);
            }
        }
    }

    /// Every halfword of the tiles, read through the formula of docs/formats.md written out here, names its position.
    #[test]
    fn every_slot_holds_the_position_that_belongs_there() {
        let (rows, columns) = (96, 64);
        let values: Vec<u16> = (0..rows * columns).map(|i| i as u16).collect();
        for operand in OPERANDS {
            let tiles = pack(&values, rows, columns, operand).unwrap();
            for (i, pair) in tiles.chunks(2).enumerate() {
                let (tile, halfword) = (i / 1024, i % 1024);
                let i = halfword / 64 * 2 + halfword % 2;
                let j = halfword % 64 / 2;
                let (r, c) = if operand == Operand::Weight {
                    (j, i)
                } else {
                    (i, j)
                };
                let position = (tile / 2 * 32 + r) * columns + tile % 2 * 32 + c;
                assert_eq!(
                    u16::from_le_bytes([pair[0], pair[1]]) as usize,
                    position,
                    "{operand:?}"
                );
            }
        }
    }

    #[test]
    fn padding_is_zero_and_lengths_are_checked() {
        let tiles = pack(&[0xFFFF], 1, 1, Operand::Activation).unwrap();
        assert_eq!(tiles.len(), 2048);
        assert!(tiles[2..].iter().all(|&b| b == 0));
        assert!(matches!(
            pack(&[0; 5], 2, 3, Operand::Weight),
            Err(PackError::Length { .. })
        ));
        assert!(matches!(
            unpack(&[0; 2047], 1, 1, Operand::Weight),
            Err(PackError::Length { .. })
        ));
    }
}
