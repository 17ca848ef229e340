//! Closed forms of layouts: each bit of the address as index bits.

use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write;

/// Where elements (row, column) of a matrix lie: addresses in bits, from the start of the
/// tile. `None` where no address is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Bit address of each element, row after row.
    pub at: Vec<Option<u32>>,
}

/// What kind of law a placement follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "formula", rename_all = "kebab-case")]
pub enum ClosedForm {
    /// Each bit of the address is one index bit (or constant): the formula in bytes.
    BitPermutation(String),
    /// Each bit of the address is an exclusive-or of index bits: one equation for each bit.
    BitLinear(Vec<String>),
    /// No closed form of these kinds fits.
    None,
}

impl Placement {
    /// A placement by a function, all elements known.
    pub fn by(rows: usize, columns: usize, at: impl Fn(usize, usize) -> u32) -> Placement {
        Placement {
            rows,
            columns,
            at: (0..rows * columns)
                .map(|i| Some(at(i / columns, i % columns)))
                .collect(),
        }
    }

    /// Elements whose address is known.
    pub fn known(&self) -> usize {
        self.at.iter().flatten().count()
    }

    /// Whether every element is known and no two share an address.
    pub fn is_bijection(&self) -> bool {
        let distinct: HashSet<u32> = self.at.iter().flatten().copied().collect();
        distinct.len() == self.rows * self.columns
    }

    /// The closed form, tried on all elements. A dimension that is no power of two, or an
    /// element without an address, has none.
    pub fn closed_form(&self) -> ClosedForm {
        let fits = self.rows.is_power_of_two() && self.columns.is_power_of_two();
        let at: Vec<u32> = self.at.iter().flatten().copied().collect();
        if !fits || at.is_empty() || at.len() != self.rows * self.columns {
            return ClosedForm::None;
        }
        // The index is row and column side by side: column bits first, then row bits.
        let bits = at.len().trailing_zeros();
        let base = at[0];
        let delta: Vec<u32> = (0..bits).map(|b| at[1 << b] ^ base).collect();
        let linear = |i: usize| {
            let set = delta.iter().enumerate().filter(|(b, _)| i >> b & 1 == 1);
            set.fold(base, |a, (_, d)| a ^ d)
        };
        if (0..at.len()).any(|i| at[i] != linear(i)) {
            return ClosedForm::None;
        }
        let taken = delta.iter().fold(base, |seen, d| seen | d);
        let disjoint = delta.iter().all(|d| d.count_ones() == 1 && base & d == 0)
            && delta.iter().map(|d| d.count_ones()).sum::<u32>() == (taken & !base).count_ones();
        let column_bits = self.columns.trailing_zeros();
        match disjoint {
            true => ClosedForm::BitPermutation(self.formula(&delta, base, column_bits)),
            false => ClosedForm::BitLinear(equations(&delta, base, column_bits, taken)),
        }
    }

    fn formula(&self, delta: &[u32], base: u32, column_bits: u32) -> String {
        let places: Vec<u32> = delta.iter().map(|d| d.trailing_zeros()).collect();
        let (c, r) = places.split_at(column_bits as usize);
        let mut terms = terms("r", r);
        terms.extend(terms_of_columns(c));
        terms.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        let (bytes, bits): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(p, _)| *p >= 3);
        let join = |terms: Vec<(u32, String)>| {
            let texts: Vec<String> = terms.into_iter().map(|(_, t)| t).collect();
            texts.join(" + ")
        };
        let mut byte = bytes
            .into_iter()
            .map(|(p, t)| (p, times(&t, p - 3)))
            .collect::<Vec<_>>();
        if base >> 3 != 0 {
            byte.push((0, (base >> 3).to_string()));
        }
        let mut text = format!("byte = {}", join(byte));
        let mut bit: Vec<_> = bits.into_iter().map(|(p, t)| (p, times(&t, p))).collect();
        if base & 7 != 0 {
            bit.push((0, (base & 7).to_string()));
        }
        if !bit.is_empty() {
            let _ = write!(text, ", bit = {}", join(bit));
        }
        text
    }
}

fn terms_of_columns(places: &[u32]) -> Vec<(u32, String)> {
    terms("c", places)
}

/// Runs of index bits that stay neighbours in the address, as `(x>>a)&m`. A run is cut
/// where it would cross from the bit part (below 3) to the byte part of the address.
fn terms(index: &str, places: &[u32]) -> Vec<(u32, String)> {
    let mut terms = Vec::new();
    let mut start = 0;
    while start < places.len() {
        let mut end = start + 1;
        while end < places.len() && places[end] == places[end - 1] + 1 && places[end] != 3 {
            end += 1;
        }
        let shifted = match start {
            0 => index.to_owned(),
            _ => format!("({index}>>{start})"),
        };
        let text = match end == places.len() {
            true => shifted,
            false => format!("({shifted}&{})", (1u32 << (end - start)) - 1),
        };
        terms.push((places[start], text));
        start = end;
    }
    terms
}

fn times(term: &str, shift: u32) -> String {
    match shift {
        0 => term.to_owned(),
        _ => format!("{term}*{}", 1u32 << shift),
    }
}

fn equations(delta: &[u32], base: u32, column_bits: u32, taken: u32) -> Vec<String> {
    let name = |i: usize| match (i as u32).checked_sub(column_bits) {
        Some(row) => format!("r{row}"),
        None => format!("c{i}"),
    };
    (0..32)
        .filter(|b| taken >> b & 1 == 1)
        .map(|b| {
            let mut parts: Vec<String> = (0..delta.len())
                .filter(|&i| delta[i] >> b & 1 == 1)
                .map(name)
                .collect();
            if base >> b & 1 == 1 {
                parts.push("1".to_owned());
            }
            match b {
                0..3 => format!("bit.{b} = {}", parts.join("^")),
                _ => format!("byte.{} = {}", b - 3, parts.join("^")),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hmx_abi::tile::Layout;
    use proptest::prelude::*;

    fn of(layout: Layout) -> Placement {
        let (rows, columns) = layout.shape();
        Placement::by(rows, columns, |r, c| {
            let slot = layout.slot(r, c);
            slot.byte as u32 * 8 + slot.bit
        })
    }

    #[test]
    fn known_layouts_have_their_formulas() {
        let formula = |l| match of(l).closed_form() {
            ClosedForm::BitPermutation(f) => f,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            formula(Layout::CroutonHf),
            "byte = (r>>1)*128 + c*4 + (r&1)*2"
        );
        assert_eq!(
            formula(Layout::CroutonUb),
            "byte = (r>>2)*128 + c*4 + (r&3)"
        );
        assert_eq!(formula(Layout::CroutonUbCm), "byte = r*32 + c");
        assert_eq!(
            formula(Layout::WeightN),
            "byte = (r>>3)*128 + c*4 + (r&3), bit = ((r>>2)&1)*4"
        );
        assert_eq!(
            formula(Layout::WeightBit),
            "byte = c*4 + (r&3), bit = (r>>2)"
        );
    }

    #[test]
    fn what_follows_no_law_has_no_closed_form() {
        let mut swapped = of(Layout::CroutonHf);
        assert!(swapped.is_bijection());
        swapped.at.swap(5, 9);
        assert_eq!(swapped.closed_form(), ClosedForm::None);
        assert!(swapped.is_bijection());
        swapped.at[5] = swapped.at[9];
        assert!(!swapped.is_bijection());
        swapped.at[5] = None;
        assert_eq!(swapped.closed_form(), ClosedForm::None);
        let xored = Placement::by(4, 4, |r, c| ((r * 4 + (c ^ r)) * 8) as u32);
        assert_eq!(
            xored.closed_form(),
            ClosedForm::BitLinear(vec![
                "byte.0 = c0^r0".to_owned(),
                "byte.1 = c1^r1".to_owned(),
                "byte.2 = r0".to_owned(),
                "byte.3 = r1".to_owned(),
            ])
        );
    }

    /// Evaluates a formula as printed, to check the print and not only the fit.
    fn evaluate(formula: &str, r: u32, c: u32) -> u32 {
        let part = |name: &str| {
            let text = formula.split(", ").find_map(|p| p.strip_prefix(name));
            text.map_or(0, |t| t.split(" + ").map(|t| term(t, r, c)).sum())
        };
        part("byte = ") * 8 + part("bit = ")
    }

    fn term(text: &str, r: u32, c: u32) -> u32 {
        let (body, factor) = text.split_once('*').unwrap_or((text, "1"));
        let body = body.replace(['(', ')'], "");
        let (body, mask) = body.split_once('&').unwrap_or((&body, "4294967295"));
        let (name, shift) = body.split_once(">>").unwrap_or((body, "0"));
        let value = match name {
            "r" => r,
            "c" => c,
            number => number.parse().unwrap(),
        };
        (value >> shift.parse::<u32>().unwrap() & mask.parse::<u32>().unwrap())
            * factor.parse::<u32>().unwrap()
    }

    proptest! {
        #[test]
        fn every_bit_permutation_is_found_and_printed(order in Just((0..10u32).collect::<Vec<_>>()).prop_shuffle(), gap in 0u32..4) {
            let p = Placement::by(32, 32, |r, c| {
                let index = (r * 32 + c) as u32;
                (0..10).fold(0, |a, b| a | (index >> b & 1) << (order[b as usize] + gap))
            });
            let ClosedForm::BitPermutation(f) = p.closed_form() else { panic!("not found") };
            for (r, c) in [(0, 0), (1, 0), (0, 1), (31, 31), (21, 10), (13, 27)] {
                prop_assert_eq!(Some(evaluate(&f, r, c)), p.at[(r * 32 + c) as usize], "{}", f);
            }
            prop_assert!(p.is_bijection());
        }
    }
}
