//! int4 weights with one f32 scale for each output channel: 512-byte tiles in the order of the `weight.n` loader, all
//! scales behind the last tile.

use super::int4::{NIBBLE_BYTES, TileOrder};
use super::{PackError, TILE, check_length, tile_count};

/// Bytes of a packed `n` x `k` matrix.
pub fn byte_length(n: usize, k: usize) -> Result<usize, PackError> {
    tile_count(n, k)
        .and_then(|count| count.checked_mul(NIBBLE_BYTES))
        .and_then(|bytes| bytes.checked_add(n.next_multiple_of(TILE).checked_mul(4)?))
        .ok_or(PackError::TooLarge {
            rows: n,
            columns: k,
        })
}

/// Packs `n` rows of `k` numbers, -8 to 7 (of others the low four bits count), and a scale for each row.
/// Padding is 0 with scale 0.
pub fn pack(q: &[i8], scale: &[f32], n: usize, k: usize) -> Result<Vec<u8>, PackError> {
    check_length((n, k), n.checked_mul(k), q.len(), "int4 weights")?;
    check_length((n, k), Some(n), scale.len(), "scales, one for each row")?;
    let mut bytes = vec![0; byte_length(n, k)?];
    for (i, q) in q.iter().enumerate() {
        let (tile, byte, bit) = slot(k, i / k, i % k);
        bytes[tile * NIBBLE_BYTES + byte] |= (q & 15) as u8 * (1 << bit);
    }
    let scales = scales_at(n, k);
    for (row, scale) in scale.iter().enumerate() {
        bytes[scales + 4 * row..][..4].copy_from_slice(&scale.to_le_bytes());
    }
    Ok(bytes)
}

/// The inverse of [`pack`]: numbers and scales. What lies in the padding is ignored.
pub fn unpack(bytes: &[u8], n: usize, k: usize) -> Result<(Vec<i8>, Vec<f32>), PackError> {
    check_length((n, k), Some(byte_length(n, k)?), bytes.len(), "bytes")?;
    let q = (0..n * k)
        .map(|i| {
            let (tile, byte, bit) = slot(k, i / k, i % k);
            let nibble = bytes[tile * NIBBLE_BYTES + byte] >> bit & 15;
            (nibble as i8) << 4 >> 4
        })
        .collect();
    let scales = scales_at(n, k);
    let scale = bytes[scales..].chunks_exact(4).take(n);
    let scale = scale.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((q, scale.collect()))
}

/// Where the scales start. The caller has checked that the matrix fits.
fn scales_at(n: usize, k: usize) -> usize {
    n.div_ceil(TILE) * k.div_ceil(TILE) * NIBBLE_BYTES
}

fn slot(k: usize, row: usize, column: usize) -> (usize, usize, u32) {
    let (byte, bit) = TileOrder::Loader.slot(row % TILE, column % TILE);
    let tile = row / TILE * k.div_ceil(TILE) + column / TILE;
    (tile, byte, bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn unpacking_gives_back_every_number_and_scale(
            (n, k, q, scale) in (1usize..80, 1usize..80).prop_flat_map(|(n, k)| (
                Just(n),
                Just(k),
                proptest::collection::vec(-8i8..8, n * k),
                proptest::collection::vec(any::<f32>().prop_filter("a number", |x| !x.is_nan()), n),
            ))
        ) {
            let bytes = pack(&q, &scale, n, k).unwrap();
            prop_assert_eq!(bytes.len(), n.div_ceil(32) * (k.div_ceil(32) * 512 + 128));
            prop_assert_eq!(unpack(&bytes, n, k).unwrap(), (q, scale));
        }
    }

    #[test]
    fn padding_is_zero_and_lengths_are_checked() {
        let bytes = pack(&[-1], &[2.0], 1, 1).unwrap();
        assert_eq!(bytes[0], 0x0F);
        assert_eq!(bytes[512..516], 2f32.to_le_bytes());
        assert!(bytes[1..512].iter().chain(&bytes[516..]).all(|&b| b == 0));
        assert!(matches!(
            pack(&[0; 3], &[0.0], 1, 2),
            Err(PackError::Length { .. })
        ));
        assert!(matches!(
            pack(&[0; 2], &[], 1, 2),
            Err(PackError::Length { .. })
        ));
        assert!(matches!(
            unpack(&[0; 639], 1, 1),
            Err(PackError::Length { .. })
        ));
    }
}
