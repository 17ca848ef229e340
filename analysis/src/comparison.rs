//! A readout held against the numbers of a recorded reading.

use crate::expect::rounds_to;
use crate::recorded::{Recorded, Shape};
use crate::view::{View, number};
use hmx_abi::Packet;
use hmx_probes::{Formula, Probe};
use std::collections::BTreeMap;

/// How a readout compares with a recorded reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Comparison {
    /// Every recorded number came out.
    Same,
    /// Another shape of difference that is known by name.
    Shaped(Shape, String),
    /// Any other difference, in words.
    Different(String),
}

/// Compares everything that was observed; the first difference counts.
pub(crate) fn compare(recorded: &Recorded, probe: &Probe, views: &[View]) -> Comparison {
    let Some(view) = views.first() else {
        return Comparison::Different("there is no readout".to_owned());
    };
    let observed = &recorded.observed;
    let mut done = Vec::new();
    if let Some(wanted) = observed.uniform {
        done.push(uniform(wanted, view));
    }
    if let Some(position) = &observed.position {
        done.push(positions(position, observed.scale.as_deref(), view));
    }
    if let Some(values) = &observed.row_values {
        done.push(rows(values, observed.place.as_deref(), view));
    }
    if let Some(values) = &observed.column_values_repeat {
        done.push(columns(values, view));
    }
    if let Some(counts) = &observed.written_by_rt {
        done.push(coverage(counts, probe, view));
    }
    if let Some(wanted) = observed.written {
        done.push(count(wanted, view.nonzero()));
    }
    let plain = done.iter().find(|c| matches!(c, Comparison::Different(_)));
    let shaped = done.iter().find(|c| matches!(c, Comparison::Shaped(..)));
    match (plain.or(shaped), done.is_empty()) {
        (Some(difference), _) => difference.clone(),
        (None, false) => Comparison::Same,
        (None, true) => Comparison::Different("nothing recorded is a readout".to_owned()),
    }
}

fn differs(wrong: bool, why: impl FnOnce() -> String) -> Comparison {
    if wrong {
        Comparison::Different(why())
    } else {
        Comparison::Same
    }
}

fn count(wanted: usize, found: usize) -> Comparison {
    differs(found != wanted, || {
        format!("{found} cells are not zero here, {wanted} recorded")
    })
}

/// As many decimals as the author wrote down count.
fn uniform(wanted: f64, view: &View) -> Comparison {
    let text = wanted.to_string();
    let decimals = text.split_once('.').map(|(_, d)| d.len() as u32);
    let wrong = view
        .uniform()
        .is_none_or(|v| !rounds_to(v, wanted, decimals));
    differs(wrong, || {
        format!("here {}, recorded {wanted} everywhere", view.short())
    })
}

/// `row r shows M = FORMULA`, with the scale `about P/Q of EXPRESSION in M`.
fn positions(position: &str, scale: Option<&str>, view: &View) -> Comparison {
    let parsed = Formula::parse(position, &["r"])
        .ok()
        .zip(scale.and_then(fraction));
    let Some((position, (up, down, of))) = parsed else {
        return Comparison::Different(format!("cannot read the recorded `{position}`, {scale:?}"));
    };
    let wanted = |r: usize| {
        let full = of.value(&[position.value(&[r as i64])?])?;
        Some(full as f64 * up as f64 / down as f64)
    };
    let wrong = (0..view.rows).find(|&r| {
        let row = view.row(r);
        wanted(r).is_none_or(|w| row.iter().any(|v| v.round() != w.round()))
    });
    differs(wrong.is_some(), || {
        let r = wrong.unwrap_or_default();
        let wanted = wanted(r).map_or("nothing".to_owned(), number);
        format!(
            "row {r} reads {} here, {wanted} recorded",
            number(view.value(r, 0))
        )
    })
}

/// Reads `about 1/8 of 32*(M+1)`.
fn fraction(text: &str) -> Option<(i64, i64, Formula)> {
    let (ratio, of) = text.strip_prefix("about ")?.split_once(" of ")?;
    let (up, down) = ratio.split_once('/')?;
    Some((
        up.parse().ok()?,
        down.parse().ok()?,
        Formula::parse(of, &["M"]).ok()?,
    ))
}

/// Row values in the naive view: the rows that `place` names hold them in every column, all
/// other rows hold nothing. Rows beyond the recorded values count only as filled.
fn rows(values: &[f64], place: Option<&str>, view: &View) -> Comparison {
    let Some(place) = place.and_then(Place::read) else {
        return Comparison::Different(format!("cannot read where the values lie: {place:?}"));
    };
    if place.columns != view.columns {
        return Comparison::Different(format!("the view has {} columns", view.columns));
    }
    let known = |r: usize| place.index(r).map(|i| values.get(i).copied());
    let fits = |r: usize| match known(r) {
        None => view.row(r).iter().all(|v| *v == 0.0),
        Some(Some(value)) => view.row(r).iter().all(|v| *v == value),
        Some(None) => view.row(r).iter().all(|v| *v != 0.0),
    };
    if (0..view.rows).all(fits) {
        return Comparison::Same;
    }
    // A line is 128 bytes: two rows of halfwords. The same values, elsewhere in the line?
    let same_in_line = (0..view.rows / 2).all(|line| {
        let held: Vec<f64> = [2 * line, 2 * line + 1]
            .iter()
            .flat_map(|&r| view.row(r).iter().copied())
            .filter(|v| *v != 0.0)
            .collect();
        let wanted: Vec<Option<f64>> = [2 * line, 2 * line + 1]
            .into_iter()
            .filter_map(known)
            .collect();
        held.len() == wanted.len() * view.columns
            && match wanted.first() {
                None => held.is_empty(),
                Some(None) => held.iter().all(|v| *v == held[0]),
                Some(Some(value)) => held.iter().all(|v| v == value),
            }
    });
    if same_in_line {
        Comparison::Shaped(
            Shape::Placement,
            "the same values in the same lines, in other places".to_owned(),
        )
    } else {
        let recorded: Vec<String> = values.iter().map(f64::to_string).collect();
        Comparison::Different(format!(
            "here {}, recorded {}, ...",
            view.short(),
            recorded.join(", ")
        ))
    }
}

/// Column values, repeated over every row that holds any; or the same values in the same order
/// within each 128-byte line (two rows of halfwords), with zeros between.
fn columns(values: &[f64], view: &View) -> Comparison {
    let cycle = |held: &[f64]| {
        let mut wanted = values.iter().cycle();
        held.iter().all(|v| Some(v) == wanted.next())
    };
    let empty = |row: &[f64]| row.iter().all(|v| *v == 0.0);
    if (0..view.rows).all(|r| empty(view.row(r)) || cycle(view.row(r))) {
        return Comparison::Same;
    }
    let line = |line: usize| {
        let both = view.row(2 * line).iter().chain(view.row(2 * line + 1));
        both.copied().filter(|v| *v != 0.0).collect::<Vec<f64>>()
    };
    if (0..view.rows / 2).all(|l| cycle(&line(l))) {
        let why = "the same values in the same order here, with zeros between";
        return Comparison::Shaped(Shape::Placement, why.to_owned());
    }
    let recorded: Vec<String> = values.iter().map(f64::to_string).collect();
    let recorded = recorded.join(", ");
    Comparison::Different(format!(
        "here {}, recorded columns {recorded}",
        view.short()
    ))
}

/// `rows 0, 2, ..., 14, all 32 columns`.
struct Place {
    first: usize,
    step: usize,
    last: usize,
    columns: usize,
}

impl Place {
    fn read(text: &str) -> Option<Place> {
        let (_, rest) = text.split_once("rows ")?;
        let (rows, columns) = rest.split_once(", all ")?;
        let mut parts = rows.split(", ");
        let first: usize = parts.next()?.parse().ok()?;
        let second: usize = parts.next()?.parse().ok()?;
        let last = parts.last()?.parse().ok()?;
        Some(Place {
            first,
            step: second.checked_sub(first).filter(|s| *s > 0)?,
            last,
            columns: columns.strip_suffix(" columns")?.parse().ok()?,
        })
    }

    /// Which of the values row `r` holds.
    fn index(&self, r: usize) -> Option<usize> {
        let held =
            (self.first..=self.last).contains(&r) && (r - self.first).is_multiple_of(self.step);
        held.then(|| (r - self.first) / self.step)
    }
}

/// The count recorded for the Rt of the probe's activation load.
fn coverage(counts: &BTreeMap<String, usize>, probe: &Probe, view: &View) -> Comparison {
    let rt = probe.program.iter().find_map(|p| match p {
        Packet::Multiply(activation, _) => Some(activation.rt),
        Packet::Single(_) => None,
    });
    let rt = rt.map_or(String::new(), |rt| rt.to_string());
    match counts.get(&rt) {
        Some(wanted) => count(*wanted, view.nonzero()),
        None => Comparison::Different(format!("nothing is recorded for Rt {rt}")),
    }
}
