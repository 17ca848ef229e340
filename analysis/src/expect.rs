//! Whether a readout is what an outcome says, and where it first is not.

use crate::view::{View, equal, number};
use hmx_probes::{Check, Expect, Outcome, Probe, Product};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first place where a readout is not as an outcome says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The readout.
    pub readout: String,
    /// Row and column, where one element differs.
    pub element: Option<(usize, usize)>,
    /// Offset in the image, where one element differs.
    pub at: Option<u32>,
    /// What the outcome says.
    pub expected: String,
    /// What was read.
    pub found: String,
    /// How many elements differ.
    pub count: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.readout)?;
        if let (Some((row, column)), Some(at)) = (self.element, self.at) {
            write!(f, " row {row}, column {column} (offset {at:#x})")?;
        }
        write!(f, ": {} instead of {}", self.found, self.expected)?;
        match self.count {
            0 | 1 => Ok(()),
            n => write!(f, "; {n} elements differ"),
        }
    }
}

/// The first difference from an outcome; `None` if it is the case.
pub fn difference(
    outcome: &Outcome,
    probe: &Probe,
    image: &[u8],
    views: &[View],
) -> Option<Difference> {
    outcome
        .checks
        .iter()
        .find_map(|check| one(check, probe, image, views))
}

fn one(check: &Check, probe: &Probe, image: &[u8], views: &[View]) -> Option<Difference> {
    let Some(view) = views.iter().find(|v| v.name == check.readout) else {
        return Some(whole(
            &check.readout,
            "a readout".to_owned(),
            "none of this name".to_owned(),
        ));
    };
    let name = &view.name;
    match &check.expect {
        Expect::Uniform { value, decimals } => {
            let same = |v: f64| rounds_to(v, *value, *decimals);
            elements(view, |r, c| {
                (!same(view.value(r, c))).then(|| number(*value))
            })
        }
        Expect::Formula(formula) => values(view, |r, c| {
            formula
                .value(&[r as i64, c as i64])
                .map_or(f64::NAN, |v| v as f64)
        }),
        Expect::Rows(rows) => values(view, |r, _| rows[r % rows.len()]),
        Expect::Columns(columns) => values(view, |_, c| columns[c % columns.len()]),
        Expect::Product(product) => {
            values(view, |r, c| exact(product, probe, r, c).unwrap_or(f64::NAN))
        }
        Expect::Words(words) => {
            let readout = probe.readout(name)?;
            elements(view, |r, c| {
                let row = &words[r % words.len()];
                let wanted = row[c % row.len()];
                (readout.code(image, r, c) != Some(wanted)).then(|| format!("{wanted:#06x}"))
            })
        }
        Expect::Bytes(wanted) => {
            let readout = probe.readout(name)?;
            bytes(name, readout.at, image.get(readout.range())?, wanted)
        }
        Expect::SameAs(other) => {
            let (this, that) = (probe.readout(name)?, probe.readout(other)?);
            let wanted = image.get(that.range())?;
            bytes(name, this.at, image.get(this.range())?, wanted)
        }
        Expect::Written(count) => counted(name, "written", view.written(), *count),
        Expect::Nonzero(count) => counted(name, "not zero", view.nonzero(), *count),
    }
}

/// Equal, or equal after rounding to as many decimals.
pub fn rounds_to(found: f64, wanted: f64, decimals: Option<u32>) -> bool {
    match decimals {
        None => equal(found, wanted),
        Some(d) => {
            let unit = 10f64.powi(d as i32);
            (found * unit).round() == (wanted * unit).round()
        }
    }
}

/// The exact product at a readout's (row, column), plus what the probe adds.
fn exact(product: &Product, probe: &Probe, r: usize, c: usize) -> Option<f64> {
    let (a, w) = (
        probe.tile(&product.activation)?,
        probe.tile(&product.weight)?,
    );
    let row = match &product.row {
        Some(formula) => usize::try_from(formula.value(&[r as i64])?).ok()?,
        None => r,
    };
    // Fixed point with 48 fraction bits holds every product of two halves exactly.
    let fixed = |v: f64| (v * (1u64 << 24) as f64) as i128;
    let sum = (0..w.grid().shape().0).try_fold(0i128, |sum, k| {
        Some(sum + fixed(a.value(row, k)?) * fixed(w.value(k, c)?))
    })?;
    let sum = sum + (i128::from(product.add) << 48);
    // Exact in f64 as long as it is exact in any element: 2^-48 is a power of two.
    Some(sum as f64 / (1u64 << 48) as f64)
}

fn values(view: &View, wanted: impl Fn(usize, usize) -> f64) -> Option<Difference> {
    elements(view, |r, c| {
        let wanted = wanted(r, c);
        (!equal(view.value(r, c), wanted)).then(|| number(wanted))
    })
}

/// Every element: `wrong` says what was expected where an element is wrong. An element
/// that nothing wrote is wrong whatever it holds.
fn elements(view: &View, wrong: impl Fn(usize, usize) -> Option<String>) -> Option<Difference> {
    let mut first: Option<Difference> = None;
    for r in 0..view.rows {
        for c in 0..view.columns {
            let i = r * view.columns + c;
            let (expected, found) = match (view.written[i], wrong(r, c)) {
                (false, expected) => (
                    expected.unwrap_or_else(|| "a written element".to_owned()),
                    "poison (never written)".to_owned(),
                ),
                (true, Some(expected)) => (expected, number(view.values[i])),
                (true, None) => continue,
            };
            match &mut first {
                Some(first) => first.count += 1,
                None => {
                    first = Some(Difference {
                        readout: view.name.clone(),
                        element: Some((r, c)),
                        at: Some(view.at[i]),
                        expected,
                        found,
                        count: 1,
                    });
                }
            }
        }
    }
    first
}

fn bytes(name: &str, at: u32, found: &[u8], wanted: &[u8]) -> Option<Difference> {
    let differ = |i: &usize| found.get(*i) != wanted.get(*i);
    let all = 0..found.len().max(wanted.len());
    let first = all.clone().find(differ)?;
    let byte = |bytes: &[u8]| {
        bytes
            .get(first)
            .map_or("nothing".to_owned(), |b| format!("{b:#04x}"))
    };
    Some(Difference {
        count: all.filter(differ).count(),
        ..whole(
            name,
            byte(wanted),
            format!("byte {:#x} is {}", at as usize + first, byte(found)),
        )
    })
}

fn counted(name: &str, what: &str, found: usize, wanted: usize) -> Option<Difference> {
    (found != wanted).then(|| whole(name, wanted.to_string(), format!("{found} elements {what}")))
}

fn whole(readout: &str, expected: String, found: String) -> Difference {
    Difference {
        readout: readout.to_owned(),
        element: None,
        at: None,
        expected,
        found,
        count: 1,
    }
}
