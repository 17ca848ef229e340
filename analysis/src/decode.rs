//! Raw bytes as a matrix: elements by [`Layout`], coverage, distinct values.

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

/// A number that prints short and serialises as a JSON number, or as text ("inf", "NaN")
/// where JSON has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let v = self.0;
        let text = if v == 0.0 || !v.is_finite() || v.fract() == 0.0 && v.abs() < 1e9 {
            format!("{v}")
        } else if v.abs() >= 1e-4 && v.abs() < 1e9 {
            // Five significant digits, without trailing zeros.
            let digits = (4 - v.abs().log10().floor() as i32).clamp(0, 9) as usize;
            let text = format!("{v:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        } else {
            format!("{v:.4e}")
        };
        f.pad(&text)
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            v if !v.is_finite() => s.serialize_str(&v.to_string()),
            v if v.fract() == 0.0 && v.abs() < 9e15 && !(v == 0.0 && v.is_sign_negative()) => {
                s.serialize_i64(v as i64)
            }
            v => s.serialize_f64(v),
        }
    }
}

/// Ascending indices in short: `0..=3, 8, 10..=14 by 2`.
pub fn ranges(indices: &[usize]) -> String {
    let mut parts = Vec::new();
    let mut i = 0;
    while i < indices.len() {
        let step = match indices.get(i + 1) {
            Some(next) => next - indices[i],
            None => 1,
        };
        let mut end = i;
        while indices.get(end + 1) == Some(&(indices[end] + step)) {
            end += 1;
        }
        let (first, last) = (indices[i], indices[end]);
        if end == i || (step > 1 && end == i + 1) {
            parts.push(first.to_string());
            i += 1;
        } else {
            parts.push(match step {
                1 => format!("{first}..={last}"),
                _ => format!("{first}..={last} by {step}"),
            });
            i = end + 1;
        }
    }
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

/// A hexdump of `bytes`, with offsets counted from `at`.
pub fn hexdump(bytes: &[u8], at: usize) -> String {
    let mut text = String::new();
    for (i, line) in hexdump::hexdump_iter(bytes).enumerate() {
        // The crate ends each line with the offset in its own slice; ours starts at `at`.
        let body: String = line.chars().collect();
        let body = body.trim_end();
        let cut = body.char_indices().rev().nth(7).map_or(0, |(i, _)| i);
        if i * 16 < bytes.len() {
            text += &format!("{:08x} {}\n", at + i * 16, body[..cut].trim_end());
        }
    }
    text
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
        assert_eq!(ranges(&[0, 2, 4, 9]), "0..=4 by 2, 9");
    }

    #[test]
    fn numbers_print_short() {
        let shown = |v: f64| Number(v).to_string();
        assert_eq!(shown(32.0), "32");
        assert_eq!(shown(0.009895324707), "0.0098953");
        assert_eq!(shown(-1.5), "-1.5");
        assert_eq!(shown(f64::NAN), "NaN");
        assert_eq!(serde_json::to_string(&Number(4.0)).unwrap(), "4");
        assert_eq!(
            serde_json::to_string(&Number(f64::INFINITY)).unwrap(),
            "\"inf\""
        );
    }

    #[test]
    fn a_hexdump_counts_from_its_range() {
        let text = hexdump(&[0x41; 20], 0x100);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("00000100 |41414141"), "{text}");
        assert!(lines[1].starts_with("00000110 |41414141"), "{text}");
        assert!(lines[0].contains("AAAA"), "{text}");
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
