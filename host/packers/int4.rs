//! Q4_0 as tiles: 512 bytes of nibbles for 32 input x 32 output channels, then 32 fp16 scales, one per output channel.
//!
//! Tile (ct, kt) has index `ct * (K/32) + kt`: all K tiles of 32 output channels lie together.

use super::q4_0::{self, BLOCK, Blocks};
use super::{PackError, TILE, check_length, tile_count};
use hmx_abi::tile::Layout;

/// Bytes of the nibbles of a tile.
pub const NIBBLE_BYTES: usize = 512;
/// Bytes of a tile: nibbles, then 32 little-endian fp16 scales.
pub const TILE_BYTES: usize = NIBBLE_BYTES + 2 * TILE;
/// The quant that means zero.
const ZERO_POINT: u8 = 8;

/// How the nibbles of a tile are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TileOrder {
    /// `q4_0_tile`: byte `(k/2)*32 + n` holds the unsigned quant of even k in its low and of odd k in its high nibble.
    /// ggml-hexagon keeps its weights like this; HVX expands them.
    Pairs,
    /// `q4_0_n_tile`: the order that the `weight.n` loader reads, q - 8 as a signed nibble. HMX consumes them as they are.
    Loader,
}

impl TileOrder {
    /// Byte within the tile and the bit where the nibble of (output channel n, input channel k) starts.
    pub fn slot(self, n: usize, k: usize) -> (usize, u32) {
        match self {
            TileOrder::Pairs => (k / 2 * TILE + n, k as u32 % 2 * 4),
            TileOrder::Loader => {
                let slot = Layout::WeightN.slot(k, n);
                (slot.byte, slot.bit)
            }
        }
    }

    /// What is stored for a quant, and (being its own inverse) what a stored nibble means.
    fn code(self, q: u8) -> u8 {
        match self {
            TileOrder::Pairs => q,
            // (q - 8) modulo 16
            TileOrder::Loader => q ^ ZERO_POINT,
        }
    }
}

/// Packs a Q4_0 matrix into tiles, [`TILE_BYTES`] each.
pub fn pack(blocks: &Blocks, order: TileOrder) -> Vec<u8> {
    let (n, k) = (blocks.n(), blocks.k());
    let mut tiles = Vec::with_capacity(tile_count(n, k).unwrap_or(0).saturating_mul(TILE_BYTES));
    for ct in 0..n.div_ceil(TILE) {
        for kt in 0..k / BLOCK {
            let mut tile = [0; TILE_BYTES];
            for column in 0..TILE {
                let (d, q) = blocks
                    .block(ct * TILE + column, kt)
                    .unwrap_or((0, [ZERO_POINT; BLOCK]));
                for (row, q) in q.into_iter().enumerate() {
                    let (byte, bit) = order.slot(column, row);
                    tile[byte] |= order.code(q) << bit;
                }
                let at = NIBBLE_BYTES + 2 * column;
                tile[at..at + 2].copy_from_slice(&d.to_le_bytes());
            }
            tiles.extend(tile);
        }
    }
    tiles
}

/// Unpacks tiles into ggml's byte order: the inverse of [`pack`] for an `n` x `k` matrix. Damaged padding is refused.
pub fn unpack(tiles: &[u8], n: usize, k: usize, order: TileOrder) -> Result<Vec<u8>, PackError> {
    let capacity = q4_0::byte_length(n, k)?;
    let wanted = tile_count(n, k).and_then(|count| count.checked_mul(TILE_BYTES));
    check_length((n, k), wanted, tiles.len(), "bytes of int4 tiles")?;
    let mut bytes = Vec::with_capacity(capacity);
    let per_row = k / BLOCK;
    for row in 0..n.next_multiple_of(TILE) {
        for kb in 0..per_row {
            let index = row / TILE * per_row + kb;
            let tile = &tiles[index * TILE_BYTES..][..TILE_BYTES];
            let column = row % TILE;
            let mut q = [0; BLOCK];
            for (j, q) in q.iter_mut().enumerate() {
                let (byte, bit) = order.slot(column, j);
                *q = order.code(tile[byte] >> bit & 15);
            }
            let at = NIBBLE_BYTES + 2 * column;
            let d = u16::from_le_bytes([tile[at], tile[at + 1]]);
            if row < n {
                q4_0::push_block(&mut bytes, d, &q);
            } else if let Some(j) = q.iter().position(|&q| q != ZERO_POINT || d != 0) {
                return Err(PackError::Padding {
                    tile: index,
                    n: row,
                    k: kb * BLOCK + j,
                });
            }
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    const ORDERS: [TileOrder; 2] = [TileOrder::Pairs, TileOrder::Loader];

    fn matrix() -> impl Strategy<Value = (usize, usize, Vec<u8>)> {
        (1usize..100, 1usize..6).prop_flat_map(|(n, blocks)| {
            proptest::collection::vec(any::<u8>(), n * blocks * 18)
                .prop_map(move |bytes| (n, blocks * 32, bytes))
        })
    }

    proptest! {
        #[test]
        fn unpacking_gives_back_every_byte((n, k, bytes) in matrix()) {
            let blocks = Blocks::new(&bytes, n, k).unwrap();
            for order in ORDERS {
                let tiles = pack(&blocks, order);
                prop_assert_eq!(tiles.len(), n.div_ceil(32) * (k / 32) * 576);
                prop_assert_eq!(&unpack(&tiles, n, k, order).unwrap(), &bytes);
            }
        }
    }

    #[test]
    fn each_nibble_has_its_own_slot() {
        for order in ORDERS {
            let slots: HashSet<_> = (0..1024).map(|i| order.slot(i / 32, i % 32)).collect();
            assert_eq!(slots.len(), 1024);
            assert!(slots.iter().all(|&(byte, bit)| byte < 512 && bit % 4 == 0));
        }
    }

    /// Position coding: four matrices whose quants are the four nibbles of each element's own position. Read back
    /// through the formula of docs/formats.md, written out here, each slot must name the position that belongs there.
    #[test]
    fn four_probes_name_the_position_of_every_slot() {
        let (n, k) = (96, 64);
        for order in ORDERS {
            let probes: Vec<Vec<u8>> = (0..4)
                .map(|digit| {
                    let mut bytes = Vec::new();
                    for row in 0..n {
                        for kb in 0..k / 32 {
                            let q = std::array::from_fn(|j| {
                                ((row * k + kb * 32 + j) >> (4 * digit) & 15) as u8
                            });
                            q4_0::push_block(&mut bytes, 0x3C00, &q);
                        }
                    }
                    pack(&Blocks::new(&bytes, n, k).unwrap(), order)
                })
                .collect();
            let mut seen = HashSet::new();
            for (tile, byte, high) in (0..6)
                .flat_map(|t| (0..512).flat_map(move |byte| [(t, byte, false), (t, byte, true)]))
            {
                let position = (0..4)
                    .map(|digit| {
                        let nibble = probes[digit][tile * 576 + byte] >> (4 * u32::from(high)) & 15;
                        usize::from(match order {
                            TileOrder::Pairs => nibble,
                            TileOrder::Loader => (nibble + 8) % 16,
                        }) << (4 * digit)
                    })
                    .sum::<usize>();
                let (row, column) = match order {
                    TileOrder::Pairs => (byte % 32, byte / 32 * 2 + usize::from(high)),
                    TileOrder::Loader => (
                        byte % 128 / 4,
                        byte / 128 * 8 + usize::from(high) * 4 + byte % 4,
                    ),
                };
                assert_eq!(
                    position / k,
                    tile / 2 * 32 + row,
                    "{order:?} tile {tile} byte {byte}"
                );
                assert_eq!(
                    position % k,
                    tile % 2 * 32 + column,
                    "{order:?} tile {tile} byte {byte}"
                );
                assert!(
                    seen.insert(position),
                    "position {position} lies in two slots"
                );
            }
            assert_eq!(seen.len(), n * k);
        }
    }

    #[test]
    fn padding_is_quant_eight_with_scale_zero() {
        let bytes = [0xFF; 18];
        let blocks = Blocks::new(&bytes, 1, 32).unwrap();
        let pairs = pack(&blocks, TileOrder::Pairs);
        assert_eq!(pairs[..3], [0xFF, 0x88, 0x88]);
        assert_eq!(pairs[512..516], [0xFF, 0xFF, 0, 0]);
        let loader = pack(&blocks, TileOrder::Loader);
        assert_eq!(loader[..5], [0x77, 0x77, 0x77, 0x77, 0]);
        let mut damaged = pairs;
        damaged[1] = 0x89;
        assert_eq!(
            unpack(&damaged, 1, 32, TileOrder::Pairs),
            Err(PackError::Padding {
                tile: 0,
                n: 1,
                k: 0
            })
        );
    }

    #[test]
    fn wrong_lengths_are_refused() {
        assert!(matches!(
            unpack(&[0; 575], 1, 32, TileOrder::Pairs),
            Err(PackError::Length { .. })
        ));
    }
}
