//! Raw bytes as a matrix: elements by [`Layout`], coverage, distinct values.

pub use crate::hexdump::hexdump;
pub use crate::number::Number;
pub use crate::ranges::ranges;

use hmx_abi::tile::Layout;
use hmx_probes::{Element, element};
use serde::Serialize;

/// One element of a tile or readout.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cell {
    /// Byte offset from the start of the tile.
    pub byte: usize,
    /// Lowest bit within that byte.
    pub bit: u32,
    /// The bits of the element, right-aligned.
    pub raw: u32,
    /// Their value as a number. For halfwords: the IEEE reading, so a pattern with exponent
    /// 31 shows as infinity or NaN although HMX with inf/nan enable 0 takes it as a number.
    pub value: f64,
    /// Whether the run wrote every byte of the element.
    pub written: bool,
}

/// A decoded tile or readout.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// How the elements lie in memory.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
    /// Rows: as many as the bytes hold, whole tiles one below the other.
    pub rows: usize,
    /// Columns: 32.
    pub columns: usize,
    /// Row after row. `None` where the bytes end before the element.
    #[serde(skip)]
    pub cells: Vec<Option<Cell>>,
}

impl Matrix {
    /// Decodes `bytes`. `written` tells for each byte whether the run wrote it; bytes past
    /// its end count as written (a staged tile has no mask).
    pub fn decode(layout: Layout, element: Element, bytes: &[u8], written: &[bool]) -> Matrix {
        let (_, columns) = layout.shape();
        let rows = (bytes.len() * 8).div_ceil(columns * layout.bits() as usize);
        // A layout interleaves rows within a 128-byte line: look at all rows of the last line.
        let per_line = (128 * 8 / (columns * layout.bits() as usize)).max(1);
        let rows = rows.next_multiple_of(per_line);
        let mut cells = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                cells.push(cell(layout, element, bytes, written, row, column));
            }
        }
        Matrix {
            layout,
            element,
            rows,
            columns,
            cells,
        }
    }

    /// Element (row, column); `None` outside the matrix or past the end of the bytes.
    pub fn get(&self, row: usize, column: usize) -> Option<Cell> {
        if column >= self.columns {
            return None;
        }
        *self.cells.get(row * self.columns + column)?
    }

    /// All elements that lie within the bytes, with their (row, column).
    pub fn iter(&self) -> impl Iterator<Item = ((usize, usize), Cell)> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(i, c)| c.map(|c| ((i / self.columns, i % self.columns), c)))
    }

    /// What the run wrote of it.
    pub fn coverage(&self) -> Coverage {
        let mut rows = vec![0usize; self.rows];
        let mut columns = vec![0usize; self.columns];
        let mut elements = 0;
        let mut written = 0;
        let mut nonzero = 0;
        for ((r, c), cell) in self.iter() {
            elements += 1;
            if cell.written {
                written += 1;
                nonzero += usize::from(cell.raw != 0);
                rows[r] += 1;
                columns[c] += 1;
            }
        }
        let touched = |counts: Vec<usize>| {
            (0..counts.len())
                .filter(|&i| counts[i] > 0)
                .collect::<Vec<_>>()
        };
        Coverage {
            elements,
            written,
            nonzero,
            rows: touched(rows),
            columns: touched(columns),
        }
    }

    /// The distinct bit patterns of the written elements, ascending, with their counts.
    pub fn distinct(&self) -> Vec<Distinct> {
        let mut counts = std::collections::BTreeMap::new();
        for (_, cell) in self.iter().filter(|(_, c)| c.written) {
            *counts.entry(cell.raw).or_insert(0usize) += 1;
        }
        let bits = self.layout.bits();
        let mut all: Vec<Distinct> = counts
            .into_iter()
            .map(|(raw, count)| Distinct {
                raw,
                value: Number(self.element.decode(bits, raw)),
                count,
            })
            .collect();
        all.sort_by(|a, b| a.value.0.total_cmp(&b.value.0));
        all
    }
}

fn cell(
    layout: Layout,
    kind: Element,
    bytes: &[u8],
    written: &[bool],
    row: usize,
    column: usize,
) -> Option<Cell> {
    let slot = layout.slot(row, column);
    let raw = element::read(bytes, slot)?;
    let width = (slot.bits as usize).div_ceil(8);
    Some(Cell {
        byte: slot.byte,
        bit: slot.bit,
        raw,
        value: kind.decode(slot.bits, raw),
        written: (slot.byte..slot.byte + width).all(|b| written.get(b).copied().unwrap_or(true)),
    })
}

/// How much of a readout a run wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Elements of the readout.
    pub elements: usize,
    /// Elements written.
    pub written: usize,
    /// Elements written with anything but zero bits.
    pub nonzero: usize,
    /// Rows with a written element.
    pub rows: Vec<usize>,
    /// Columns with a written element.
    pub columns: Vec<usize>,
}

/// One bit pattern and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distinct {
    /// The bits.
    pub raw: u32,
    /// Their value.
    pub value: Number,
    /// Occurrences.
    pub count: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nibbles_and_halfwords_are_read_at_their_slots() {
        let mut bytes = vec![0u8; 512];
        bytes[128 + 5 * 4 + 3] = 0x90; // k = 8 + 4 + 3, n = 5
        let m = Matrix::decode(Layout::WeightN, Element::Signed, &bytes, &[]);
        assert_eq!((m.rows, m.columns), (32, 32));
        assert_eq!(m.get(15, 5).unwrap().value, -7.0);
        assert_eq!(m.coverage().nonzero, 1);

        let mut bytes = vec![0u8; 2048];
        bytes[128 + 4 + 2..][..2].copy_from_slice(&0x3C00u16.to_le_bytes());
        let m = Matrix::decode(Layout::CroutonHf, Element::Hf, &bytes, &[]);
        assert_eq!(m.get(3, 1).unwrap().value, 1.0);
        assert_eq!(m.get(3, 32), None);
    }

    #[test]
    fn coverage_names_rows_and_columns() {
        let bytes = vec![1u8; 2048];
        let mask: Vec<bool> = (0..2048).map(|i| i % 256 < 64).collect();
        let m = Matrix::decode(Layout::CroutonHf, Element::Unsigned, &bytes, &mask);
        let c = m.coverage();
        assert_eq!((c.elements, c.written), (1024, 256));
        assert_eq!(ranges(&c.columns), "0..=15");
        assert_eq!(
            ranges(&c.rows),
            "0..=1, 4..=5, 8..=9, 12..=13, 16..=17, 20..=21, 24..=25, 28..=29"
        );
        assert_eq!(m.distinct().len(), 1);
    }

    proptest! {
        #[test]
        fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..3000), i in 0usize..6) {
            let layout = [Layout::Bias, Layout::CroutonUb, Layout::CroutonHf, Layout::WeightN, Layout::WeightBit,
                Layout::FlatHf, Layout::CroutonUbCm][i];
            let m = Matrix::decode(layout, Element::Signed, &bytes, &[]);
            // Every whole element of the bytes is there once.
            let whole = bytes.len() * 8 / layout.bits() as usize;
            prop_assert_eq!(m.iter().count(), whole);
        }
    }
}
