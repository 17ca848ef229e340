//! ggml's Q4_0: rows of 18-byte blocks, each an fp16 scale d and 32 unsigned nibbles q; a value is (q - 8) * d.

use super::{PackError, check_length};

/// Values of a block.
pub const BLOCK: usize = 32;
/// Bytes of a block: d as little-endian fp16, then byte j with value j in its low and value j + 16 in its high nibble.
pub const BLOCK_BYTES: usize = 18;

/// A Q4_0 matrix in ggml's byte order: `n` rows (output channels) of `k` values (input channels).
#[derive(Debug, Clone, Copy)]
pub struct Blocks<'a> {
    bytes: &'a [u8],
    n: usize,
    k: usize,
}

impl<'a> Blocks<'a> {
    /// Views `bytes` as `n` rows of `k` values; refuses a K that is no multiple of 32 and a wrong length.
    pub fn new(bytes: &'a [u8], n: usize, k: usize) -> Result<Blocks<'a>, PackError> {
        let wanted = byte_length(n, k)?;
        check_length((n, k), Some(wanted), bytes.len(), "bytes of Q4_0 blocks")?;
        Ok(Blocks { bytes, n, k })
    }

    /// Rows: output channels.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Values of a row: input channels.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The scale (fp16 bits) and the 32 unsigned quants of block `kb` of row `row`; `None` outside the matrix.
    pub fn block(&self, row: usize, kb: usize) -> Option<(u16, [u8; BLOCK])> {
        if row >= self.n || kb >= self.k / BLOCK {
            return None;
        }
        let at = (row * (self.k / BLOCK) + kb) * BLOCK_BYTES;
        let block = self.bytes.get(at..at + BLOCK_BYTES)?;
        let mut q = [0; BLOCK];
        for (j, byte) in block[2..].iter().enumerate() {
            q[j] = byte & 15;
            q[j + 16] = byte >> 4;
        }
        Some((u16::from_le_bytes([block[0], block[1]]), q))
    }
}

/// Appends one block.
pub fn push_block(bytes: &mut Vec<u8>, d: u16, q: &[u8; BLOCK]) {
    bytes.extend(d.to_le_bytes());
    bytes.extend((0..16).map(|j| q[j] & 15 | q[j + 16] << 4));
}

/// Bytes of `n` rows of `k` values.
pub fn byte_length(n: usize, k: usize) -> Result<usize, PackError> {
    if !k.is_multiple_of(BLOCK) {
        return Err(PackError::PartialBlock { k });
    }
    (k / BLOCK)
        .checked_mul(n)
        .and_then(|blocks| blocks.checked_mul(BLOCK_BYTES))
        .ok_or(PackError::TooLarge {
            rows: n,
            columns: k,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibbles_of_a_block_are_split_at_sixteen() {
        let mut bytes = vec![0x00, 0x3C];
        bytes.extend((0..16).map(|j| j as u8 | (15 - j as u8) << 4));
        let (d, q) = Blocks::new(&bytes, 1, 32).unwrap().block(0, 0).unwrap();
        assert_eq!(d, 0x3C00);
        assert_eq!(
            q[..16],
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        );
        assert_eq!(q[16], 15);
        assert_eq!(q[31], 0);
        let mut again = Vec::new();
        push_block(&mut again, d, &q);
        assert_eq!(again, bytes);
    }

    #[test]
    fn wrong_lengths_and_partial_blocks_are_refused() {
        assert!(matches!(
            Blocks::new(&[0; 18], 1, 33),
            Err(PackError::PartialBlock { k: 33 })
        ));
        assert!(matches!(
            Blocks::new(&[0; 17], 1, 32),
            Err(PackError::Length { .. })
        ));
        assert!(matches!(
            Blocks::new(&[], usize::MAX, 64),
            Err(PackError::TooLarge { .. })
        ));
        assert!(Blocks::new(&[0; 36], 1, 64).unwrap().block(0, 2).is_none());
    }
}
