//! Weight vectors: 32 words of 4 bytes, one for each output channel, each with several
//! stream positions (HMX reference: "Weight streams").

use hmx_abi::op::Loader;

/// Stream positions of one 128-byte vector.
pub fn positions_per_vector(loader: Loader) -> u32 {
    match loader {
        Loader::Hf => 2,
        Loader::B | Loader::Sm | Loader::F8 => 4,
        Loader::N | Loader::N2x => 8,
        Loader::C | Loader::Sc => 16,
        Loader::Ubit | Loader::Sbit => 32,
    }
}

/// Whether the loader feeds the float multiply.
pub fn is_float(loader: Loader) -> bool {
    matches!(loader, Loader::Hf | Loader::F8)
}

/// The 32 words of a vector; a short slice counts as zeros.
pub fn words(vector: &[u8]) -> [u32; 32] {
    let mut words = [0; 32];
    for (word, bytes) in words.iter_mut().zip(vector.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Weights of one vector: `rows[position][output channel]`.
pub type Rows = [[i32; 32]; 32];

/// Decodes a vector of an integer loader.
pub fn decode(loader: Loader, vector: &[u8], rows: &mut Rows) {
    let words = words(vector);
    match loader {
        Loader::B => each::<4, 8>(&words, rows, |v| v),
        Loader::Sm => each::<4, 8>(&words, rows, |v| v ^ (v >> 31 & 0x7F)),
        Loader::N | Loader::N2x => each::<8, 4>(&words, rows, |v| v),
        Loader::C => each::<16, 2>(&words, rows, |v| v),
        Loader::Sc => each::<16, 2>(&words, rows, |v| if v >= 0 { 2 - v } else { v }),
        Loader::Ubit => each::<32, 1>(&words, rows, |v| -v),
        Loader::Sbit => each::<32, 1>(&words, rows, |v| 1 + 2 * v),
        // Float loaders have their own decoder.
        Loader::Hf | Loader::F8 => each::<4, 8>(&words, rows, |_| 0),
    }
}

/// Position j is the `BITS` wide field j/4 of byte j%4, sign-extended, then mapped.
#[inline(always)]
fn each<const POSITIONS: usize, const BITS: usize>(
    words: &[u32; 32],
    rows: &mut Rows,
    value: impl Fn(i32) -> i32,
) {
    for (j, row) in rows.iter_mut().take(POSITIONS).enumerate() {
        let up = 32 - BITS - (j % 4 * 8 + j / 4 * BITS);
        for (cell, word) in row.iter_mut().zip(words) {
            *cell = value((word << up) as i32 >> (32 - BITS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the reference, one position at a time.
    fn table(loader: Loader, word: u32, j: usize) -> i32 {
        let byte = (word >> (j % 4 * 8)) as u8;
        match loader {
            Loader::B => i32::from(byte as i8),
            Loader::Sm if byte < 0x80 => i32::from(byte),
            Loader::Sm => i32::from((0x7F ^ byte) as i8),
            Loader::N => [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1]
                [usize::from(byte >> (j / 4 * 4) & 15)],
            Loader::C => [0, 1, -2, -1][usize::from(byte >> (j / 4 * 2) & 3)],
            Loader::Sc => [2, 1, -2, -1][usize::from(byte >> (j / 4 * 2) & 3)],
            Loader::Ubit => i32::from(byte >> (j / 4) & 1),
            Loader::Sbit => [1, -1][usize::from(byte >> (j / 4) & 1)],
            _ => unreachable!(),
        }
    }

    #[test]
    fn every_byte_of_every_loader_decodes_as_in_the_table() {
        for loader in [
            Loader::B,
            Loader::Sm,
            Loader::N,
            Loader::C,
            Loader::Sc,
            Loader::Ubit,
            Loader::Sbit,
        ] {
            let mut rows = [[0; 32]; 32];
            for first in (0..256).step_by(32) {
                let vector: Vec<u8> = (0..128)
                    .map(|i| (first + i / 4) as u8 ^ [0, 0x5A, 0xFF, 0x81][i % 4])
                    .collect();
                decode(loader, &vector, &mut rows);
                let used = positions_per_vector(loader) as usize;
                for (j, row) in rows.iter().enumerate().take(used) {
                    for (weight, &word) in row.iter().zip(&words(&vector)) {
                        assert_eq!(*weight, table(loader, word, j), "{loader:?} {j}");
                    }
                }
            }
        }
    }
}
