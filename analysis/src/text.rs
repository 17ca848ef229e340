//! Results as text that fits a terminal.

use crate::analyze::Analysis;
use crate::closed_form::ClosedForm;
use crate::compare::{Comparison, ElementDifference};
use crate::decode::{Distinct, ranges};
use crate::infer::{Inferred, Part};
use comfy_table::{ContentArrangement, Table, presets};
use hmx_abi::tile::Layout;

/// Values shown before a list is cut.
const SHOWN: usize = 12;

/// A two-column table: what, and what was found.
fn facts(rows: Vec<(String, String)>, width: u16) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    for (key, value) in rows {
        table.add_row([key, value]);
    }
    table
        .to_string()
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// The name of a layout as TOML and JSON write it.
pub fn layout_name(layout: Layout) -> String {
    match serde_json::to_value(layout) {
        Ok(serde_json::Value::String(name)) => name,
        _ => format!("{layout:?}"),
    }
}

/// Offset ranges in short.
pub fn byte_ranges(ranges: &[(u32, u32)]) -> String {
    let mut parts: Vec<String> = ranges
        .iter()
        .take(SHOWN)
        .map(|(at, n)| format!("{at:#x}+{n}"))
        .collect();
    if ranges.len() > SHOWN {
        parts.push(format!("... {} ranges in all", ranges.len()));
    }
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

/// Distinct values with their counts; where there are many, the ends and the most frequent.
pub fn distinct(values: &[Distinct]) -> String {
    let one = |d: &Distinct| match d.value.0.is_nan() {
        true => format!("NaN [{:#06x}] ({}x)", d.raw, d.count),
        false => format!("{} ({}x)", d.value, d.count),
    };
    let list = |values: &[&Distinct]| {
        let parts: Vec<String> = values.iter().map(|d| one(d)).collect();
        parts.join(", ")
    };
    let [first, .., last] = values else {
        return match values {
            [only] => format!("{} everywhere ({}x)", only.value, only.count),
            _ => "none".to_owned(),
        };
    };
    if values.len() <= SHOWN {
        return list(&values.iter().collect::<Vec<_>>());
    }
    let numbers = || values.iter().filter(|d| !d.value.0.is_nan());
    let (first, last) = (
        numbers().next().unwrap_or(first),
        numbers().next_back().unwrap_or(last),
    );
    let range = format!(
        "{} distinct values from {} to {}",
        values.len(),
        first.value,
        last.value
    );
    let (least, most) = values.iter().fold((usize::MAX, 0), |(l, m), d| {
        (l.min(d.count), m.max(d.count))
    });
    if least == most {
        return format!("{range}, {most}x each");
    }
    let mut frequent: Vec<&Distinct> = values.iter().collect();
    frequent.sort_by_key(|d| std::cmp::Reverse(d.count));
    frequent.truncate(SHOWN / 2);
    format!("{range}; most frequent: {}", list(&frequent))
}

impl Analysis {
    /// The text report, `width` columns wide.
    pub fn text(&self, width: u16) -> String {
        let mut out = format!(
            "{}: {}\nrun on {} {}, evidence: {}\n",
            self.probe, self.question, self.target, self.arch, self.evidence
        );
        for r in &self.readouts {
            let c = &r.coverage;
            out += &format!(
                "\nreadout {} at {:#x}, {} bytes as {}\n",
                r.name,
                r.at,
                r.len,
                layout_name(r.layout)
            );
            let mut rows = vec![
                (
                    "  written".to_owned(),
                    format!(
                        "{} of {} elements, {} not zero",
                        c.written, c.elements, c.nonzero
                    ),
                ),
                ("  rows".to_owned(), ranges(&c.rows)),
                ("  columns".to_owned(), ranges(&c.columns)),
                ("  values".to_owned(), distinct(&r.distinct)),
                ("  product".to_owned(), r.product.sentence()),
            ];
            let places = match &r.positions {
                Some(p) => p.sentence(),
                None => "not told: the tiles code no position, or no line joins values and product"
                    .to_owned(),
            };
            rows.push(("  places".to_owned(), places));
            out += &facts(rows, width);
        }
        if self.readouts.is_empty() {
            out += "\nthe probe has no readout\n";
        }
        out += &format!(
            "\nguard bytes and tiles overwritten: {}\n",
            byte_ranges(&self.spilled)
        );
        if !self.unstable.is_empty() {
            out += &format!(
                "bytes that depend on memory no tile staged: {}\n",
                byte_ranges(&self.unstable)
            );
        }
        out
    }
}

fn element(d: &ElementDifference) -> String {
    let side = |v: &Option<(crate::decode::Number, u32)>| match v {
        Some((value, raw)) => format!("{value} [{raw:#06x}]"),
        None => "not written".to_owned(),
    };
    let ulp = d.ulp.map(|u| format!(", {u} ulp")).unwrap_or_default();
    format!(
        "offset {:#x}, row {}, column {}: {} against {}{ulp}",
        d.at,
        d.row,
        d.column,
        side(&d.a),
        side(&d.b)
    )
}

impl Comparison {
    /// The text report, `width` columns wide.
    pub fn text(&self, width: u16) -> String {
        let mut out = format!("{} against {}: ", self.a, self.b);
        out += match self.equal {
            true => "equal in every byte that either wrote\n",
            false => "different\n",
        };
        for r in &self.readouts {
            let mut rows = vec![(
                format!("  {}", r.name),
                match r.different {
                    0 => format!("{} elements, all equal", r.elements),
                    n => format!(
                        "{n} of {} elements differ, {} of them written by one side only",
                        r.elements, r.written_by_one
                    ),
                },
            )];
            for (what, d) in [("first", &r.first), ("largest", &r.largest)] {
                if let Some(d) = d {
                    rows.push((format!("    {what}"), element(d)));
                }
            }
            out += &facts(rows, width);
        }
        out + &format!("  outside the readouts: {}\n", byte_ranges(&self.elsewhere))
    }
}

impl Inferred {
    /// The text report, `width` columns wide.
    pub fn text(&self, width: u16) -> String {
        let mut rows = vec![
            (
                "activation (row r, channel c)".to_owned(),
                part(&self.activation),
            ),
            (
                "weight (channel r, output c)".to_owned(),
                part(&self.weight),
            ),
            ("readout (row r, output c)".to_owned(), part(&self.readout)),
            (
                "readout rows show".to_owned(),
                format!("activation rows {}", ranges(&self.rows_shown)),
            ),
        ];
        if !self.carried_rows.is_empty() {
            let carried: Vec<usize> = self.carried_rows.iter().map(|c| c.0).collect();
            rows.push((
                "added above the low bits".to_owned(),
                format!("activation rows {}", ranges(&carried)),
            ));
        }
        rows.extend(self.notes.iter().map(|n| ("note".to_owned(), n.clone())));
        rows.push(("probes".to_owned(), self.probes.to_string()));
        facts(rows, width)
    }
}

fn part(part: &Part) -> String {
    let law = match &part.closed_form {
        ClosedForm::BitPermutation(f) => f.clone(),
        ClosedForm::BitLinear(f) => f.join(", "),
        ClosedForm::None => "no closed form".to_owned(),
    };
    let name = match part.layout {
        Some(layout) => format!("this is {}", layout_name(layout)),
        None => "no layout of the reference".to_owned(),
    };
    let places = match part.bijection {
        true => "each element has a place of its own".to_owned(),
        false => format!(
            "{} of {} elements placed",
            part.known,
            part.rows * part.columns
        ),
    };
    format!(
        "{} x {} of {} bits: {law}; {name}; {places}",
        part.rows, part.columns, part.bits
    )
}
