//! Position coding: which logical element of the product each readout byte shows.

use crate::closed_form::{ClosedForm, Placement};
use crate::decode::{Cell, Matrix};
use crate::fit::Line;
use crate::index_law::index_law;
use crate::position_codes::matched;
use crate::product::Expected;
use serde::Serialize;

/// What the values of one readout tell about places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Positions {
    /// What the staged tiles make distinct.
    pub coding: Coding,
    /// The law from the product's values to the readings.
    pub line: Line,
    /// Elements that read zero are left out: they show nothing of the product.
    pub zeros_aside: bool,
    /// Product row that readout row r shows, such as `2*r+1`; by the declared layout.
    pub row_law: Option<String>,
    /// Product column that readout column c shows.
    pub column_law: Option<String>,
    /// Where whole elements are told: the law of their byte addresses.
    pub closed_form: Option<ClosedForm>,
    /// For each written element in memory order: byte, product row, product column.
    pub places: Vec<Place>,
}

/// What a position-coded product tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coding {
    /// Every element has a value of its own.
    Elements,
    /// Every row has a value of its own.
    Rows,
    /// Every column has a value of its own.
    Columns,
    /// Groups of elements share values.
    Groups,
}

/// What one written element shows. `None` where its value does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Byte offset in the readout.
    pub byte: usize,
    /// Product row.
    pub row: Option<usize>,
    /// Product column.
    pub column: Option<usize>,
}

/// Reads the places off a readout, by matching its distinct values in order with those of
/// the product (or every second or fourth of them). No layout is assumed for this step.
/// `None` when product or readout is uniform, or when no affine law joins the two.
pub fn positions(
    product: &Expected,
    readout: &Matrix,
    spacing: impl Fn(f64) -> f64,
) -> Option<Positions> {
    let all: Vec<f64> = readout.distinct().iter().map(|d| d.value.0).collect();
    let nonzero: Vec<f64> = all.iter().copied().filter(|v| *v != 0.0).collect();
    let zeros_aside = [false, true].into_iter();
    // A readout may show all rows of the product, or only the odd or the even ones.
    let rows = [(1, 0), (2, 1), (2, 0)];
    let ways = zeros_aside.flat_map(|aside| rows.map(|rows| (aside, rows)));
    let (zeros_aside, rows, line, codes) = ways.into_iter().find_map(|(aside, rows)| {
        let read = if aside { &nonzero } else { &all };
        let mut codes: Vec<f64> = shown(product, rows).map(|i| product.values[i]).collect();
        codes.sort_by(f64::total_cmp);
        codes.dedup();
        let uniform = codes.len() < 2 || read.len() < 2;
        let (line, codes) = (!uniform).then(|| matched(&codes, read, &spacing))??;
        Some((aside, rows, line, codes))
    })?;
    let read = if zeros_aside { nonzero } else { all };
    let shows = |value: f64| -> Option<(Option<usize>, Option<usize>)> {
        let code = codes[read.iter().position(|r| *r == value)?];
        let all: Vec<usize> = shown(product, rows)
            .filter(|&i| product.values[i] == code)
            .collect();
        let one = |of: &dyn Fn(usize) -> usize| {
            let first = of(*all.first()?);
            all.iter().all(|&i| of(i) == first).then_some(first)
        };
        Some((one(&|i| i / product.columns), one(&|i| i % product.columns)))
    };
    let known: Vec<_> = read.iter().map(|r| shows(*r)).collect::<Option<_>>()?;
    let coding = match () {
        () if known.iter().all(|(r, c)| r.is_some() && c.is_some()) => Coding::Elements,
        () if known.iter().all(|(r, _)| r.is_some()) => Coding::Rows,
        () if known.iter().all(|(_, c)| c.is_some()) => Coding::Columns,
        () => Coding::Groups,
    };
    let mut by_index = Vec::new();
    let looked_at = |cell: &Cell| cell.written && !(zeros_aside && cell.value == 0.0);
    for ((r, c), cell) in readout.iter().filter(|(_, cell)| looked_at(cell)) {
        let (row, column) = known[read.iter().position(|v| *v == cell.value)?];
        let byte = cell.byte;
        by_index.push(((r, c), Place { byte, row, column }));
    }
    let law = |from: &dyn Fn(usize, usize) -> usize, to: &dyn Fn(&Place) -> Option<usize>, name| {
        let pairs: Option<Vec<_>> = by_index
            .iter()
            .map(|((r, c), place)| Some((from(*r, *c), to(place)?)))
            .collect();
        index_law(&pairs?, name)
    };
    let row_law = law(&|r, _| r, &|p| p.row, "r");
    let column_law = law(&|_, c| c, &|p| p.column, "c");
    let mut places: Vec<Place> = by_index.into_iter().map(|(_, p)| p).collect();
    places.sort_by_key(|p| p.byte);
    let closed_form = (coding == Coding::Elements).then(|| placed(product, &places).closed_form());
    Some(Positions {
        coding,
        line,
        zeros_aside,
        row_law,
        column_law,
        closed_form,
        places,
    })
}

/// Indices of the product's elements in the rows `first`, `first + step`, ...
fn shown(product: &Expected, (step, first): (usize, usize)) -> impl Iterator<Item = usize> {
    let columns = product.columns;
    (0..product.values.len()).filter(move |i| (i / columns) % step == first)
}

fn placed(product: &Expected, places: &[Place]) -> Placement {
    let mut at = vec![None; product.values.len()];
    for place in places {
        if let (Some(r), Some(c)) = (place.row, place.column) {
            at[r * product.columns + c] = Some(place.byte as u32 * 8);
        }
    }
    Placement {
        rows: product.rows,
        columns: product.columns,
        at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Number;
    use hmx_abi::tile::Layout;
    use hmx_probes::Element;

    /// Row s holds 32 * (s + 1), as a row ramp gives with weights of one.
    fn ramp() -> Expected {
        Expected {
            rows: 64,
            columns: 32,
            values: (0..64 * 32).map(|i| f64::from(i / 32 + 1) * 32.0).collect(),
        }
    }

    fn halfwords(layout: Layout, value: impl Fn(usize, usize) -> u16) -> Matrix {
        let mut bytes = vec![0u8; 2048];
        for r in 0..32 {
            for c in 0..32 {
                let at = Layout::CroutonHf.slot(r, c).byte;
                bytes[at..at + 2].copy_from_slice(&value(r, c).to_le_bytes());
            }
        }
        Matrix::decode(layout, Element::Unsigned, &bytes, &[])
    }

    #[test]
    fn the_recorded_row_ramp_is_read_both_ways() {
        // uh:2x1 shows the odd positions, here at an eighth of the product, plus one.
        let value = |r: usize, _| (2 * r + 2) as u16 * 4;
        let read = positions(&ramp(), &halfwords(Layout::CroutonHf, value), |_| 1.0).unwrap();
        assert_eq!(read.coding, Coding::Rows);
        assert_eq!(read.row_law.as_deref(), Some("2*r+1"));
        assert_eq!(read.line.scale, Number(0.125));
        // Looked at as plain rows of 64 bytes, a row holds two positions, so rows tell no law.
        let flat = positions(&ramp(), &halfwords(Layout::FlatHf, value), |_| 1.0).unwrap();
        assert_eq!(flat.row_law, None);
        assert_eq!(flat.places, read.places);
    }

    #[test]
    fn every_element_told_gives_the_layout() {
        let product = Expected {
            rows: 32,
            columns: 32,
            values: (0..1024).map(f64::from).collect(),
        };
        let read = halfwords(Layout::FlatHf, |r, c| (r * 32 + c) as u16 * 2);
        let found = positions(&product, &read, |_| 1.0).unwrap();
        assert_eq!(found.coding, Coding::Elements);
        assert_eq!(
            found.closed_form,
            Some(ClosedForm::BitPermutation(
                "byte = (r>>1)*128 + c*4 + (r&1)*2".to_owned()
            ))
        );
    }

    #[test]
    fn zeros_between_the_results_are_left_out() {
        // Every fourth position at half its product, in every other column, as uh:2x2 has it.
        let value = |r: usize, c: usize| match (c % 2, r < 16) {
            (0, true) => (4 * r + 2) as u16 * 16,
            _ => 0,
        };
        let read = positions(&ramp(), &halfwords(Layout::CroutonHf, value), |_| 1.0).unwrap();
        assert!(read.zeros_aside);
        assert_eq!(read.row_law.as_deref(), Some("4*r+1"));
        assert_eq!((read.line.scale, read.places.len()), (Number(0.5), 256));
    }

    #[test]
    fn uniform_and_unrelated_readouts_tell_nothing() {
        assert_eq!(
            positions(&ramp(), &halfwords(Layout::CroutonHf, |_, _| 4), |_| 1.0),
            None
        );
        let bent = halfwords(Layout::CroutonHf, |r, _| (r * r) as u16);
        assert_eq!(positions(&ramp(), &bent, |_| 1.0), None);
    }
}
