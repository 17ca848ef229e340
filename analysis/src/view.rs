//! A readout as a matrix of numbers.

use hmx_probes::{Assembled, Probe, Readout};

/// One readout (or an assembled number) of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Its name.
    pub name: String,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Values, row by row.
    pub values: Vec<f64>,
    /// Whether each element was written at all.
    pub written: Vec<bool>,
    /// Offset of each element's first byte in the image.
    pub at: Vec<u32>,
}

impl View {
    /// All readouts of a probe, then its assembled numbers. `image` must be as long as the
    /// probe's image; `untouched` are the ranges (offset, length) that no run wrote.
    pub fn all(probe: &Probe, image: &[u8], untouched: &[(u32, u32)]) -> Vec<View> {
        let kept = |at: usize| {
            untouched
                .iter()
                .any(|&(start, len)| (start as usize..start as usize + len as usize).contains(&at))
        };
        let readouts = probe
            .readouts
            .iter()
            .map(|r| View::readout(r, image, &kept));
        let assembled = probe
            .assembled
            .iter()
            .map(|a| View::assembled(a, image, &kept));
        readouts.chain(assembled).collect()
    }

    fn readout(readout: &Readout, image: &[u8], kept: &dyn Fn(usize) -> bool) -> View {
        View::new(
            &readout.name,
            readout,
            |r, c| readout.value(image, r, c),
            &[readout],
            kept,
        )
    }

    fn assembled(assembled: &Assembled, image: &[u8], kept: &dyn Fn(usize) -> bool) -> View {
        let parts: Vec<&Readout> = assembled.parts.iter().collect();
        let value = |r, c| assembled.value(image, r, c);
        View::new(&assembled.name, parts[0], value, &parts, kept)
    }

    fn new(
        name: &str,
        first: &Readout,
        value: impl Fn(usize, usize) -> Option<f64>,
        parts: &[&Readout],
        kept: &dyn Fn(usize) -> bool,
    ) -> View {
        let (rows, columns) = first.layout.shape();
        let mut view = View {
            name: name.to_owned(),
            rows,
            columns,
            values: Vec::with_capacity(rows * columns),
            written: Vec::with_capacity(rows * columns),
            at: Vec::with_capacity(rows * columns),
        };
        for r in 0..rows {
            for c in 0..columns {
                view.values.push(value(r, c).unwrap_or(f64::NAN));
                view.written.push(parts.iter().all(|part| {
                    let slot = part.layout.slot(r, c);
                    let at = part.at as usize + slot.byte;
                    (at..at + slot.bits.div_ceil(8) as usize).any(|b| !kept(b))
                }));
                view.at.push(first.at + first.layout.slot(r, c).byte as u32);
            }
        }
        view
    }

    /// The value at (row, column).
    pub fn value(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    /// The values of one row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// How many elements were written.
    pub fn written(&self) -> usize {
        self.written.iter().filter(|w| **w).count()
    }

    /// How many written elements are not zero.
    pub fn nonzero(&self) -> usize {
        let pairs = self.values.iter().zip(&self.written);
        pairs.filter(|(v, written)| **written && **v != 0.0).count()
    }

    /// The value everywhere, if all elements were written and are the same.
    pub fn uniform(&self) -> Option<f64> {
        let first = *self.values.first()?;
        let same = self.written.iter().all(|w| *w) && self.values.iter().all(|v| equal(*v, first));
        same.then_some(first)
    }

    /// The readout in a few words: `32 everywhere`, `rows 8, 24, 40, 56, ...`.
    pub fn short(&self) -> String {
        let written = self.written();
        if written == 0 {
            return "nothing written".to_owned();
        }
        let mut text = match self.uniform() {
            Some(value) => return format!("{} everywhere", number(value)),
            None => self.lines(),
        };
        let (all, nonzero) = (self.values.len(), self.nonzero());
        if written < all {
            text += &format!(" ({written} of {all} written)");
        } else if nonzero < all && nonzero * 4 <= all * 3 {
            text += &format!(" ({nonzero} of {all} not zero)");
        }
        text
    }

    /// What changes: rows, columns, or both.
    fn lines(&self) -> String {
        let by_row: Option<Vec<f64>> = (0..self.rows).map(|r| single(self.row(r))).collect();
        if let Some(values) = by_row {
            return format!("rows {}", series(values));
        }
        let column = |c: usize| (0..self.rows).map(|r| self.value(r, c)).collect::<Vec<_>>();
        let by_column: Option<Vec<f64>> = (0..self.columns).map(|c| all_same(&column(c))).collect();
        if let Some(values) = by_column {
            return format!("columns {}", series(values));
        }
        let first: Vec<f64> = self.values.iter().copied().take(self.columns).collect();
        format!("row 0: {}", series(first))
    }
}

/// The one value of a row, zeros aside.
fn single(row: &[f64]) -> Option<f64> {
    let some: Vec<f64> = row.iter().copied().filter(|v| *v != 0.0).collect();
    if some.is_empty() {
        Some(0.0)
    } else {
        all_same(&some)
    }
}

fn all_same(values: &[f64]) -> Option<f64> {
    let first = *values.first()?;
    values.iter().all(|v| equal(*v, first)).then_some(first)
}

/// The first values, repetitions of a neighbour left out.
fn series(mut values: Vec<f64>) -> String {
    values.dedup_by(|a, b| equal(*a, *b));
    let shown: Vec<String> = values.iter().take(4).map(|v| number(*v)).collect();
    let more = if values.len() > shown.len() {
        ", ..."
    } else {
        ""
    };
    format!("{}{more}", shown.join(", "))
}

/// Equal, a NaN to any NaN.
pub fn equal(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// A number for people: integers plainly, fractions with four significant digits.
pub fn number(value: f64) -> String {
    if value == value.trunc() || !value.is_finite() {
        return format!("{value}");
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    text.trim_end_matches('0').to_owned()
}
