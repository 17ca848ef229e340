//! Whether a run repeats what was recorded on silicon: computed from the recorded numbers.

use crate::expect::rounds_to;
use crate::recorded::{Recorded, Shape, find, known, recording};
use crate::verdict::{Judgement, Verdict};
use crate::view::{View, number};
use hmx_abi::{Arch, Packet};
use hmx_probes::{Formula, Probe};
use serde::{Deserialize, Serialize};

/// How a run stands to a recorded reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "agreement")]
pub enum Agreement {
    /// The recorded numbers came out again.
    Reproduced,
    /// They did not, in exactly the way that is documented.
    DisagreesAsDocumented {
        /// The difference, the reason and where it is written up.
        why: String,
    },
    /// They did not.
    Disagrees {
        /// The difference.
        why: String,
    },
    /// Nothing to compare.
    Observation {
        /// Why not.
        why: String,
    },
}

impl Agreement {
    /// Whether a run with this agreement is as expected.
    pub fn is_failure(&self) -> bool {
        matches!(self, Agreement::Disagrees { .. })
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Agreement::Reproduced => "reproduced",
            Agreement::DisagreesAsDocumented { .. } => "disagrees as documented",
            Agreement::Disagrees { .. } => "DISAGREES",
            Agreement::Observation { .. } => "observation",
        })
    }
}

/// How a readout compares with a recorded reading.
#[derive(Debug, Clone, PartialEq)]
enum Comparison {
    Same,
    /// Another shape of difference that is known by name.
    Shaped(Shape, String),
    Different(String),
}

/// The agreement of one judged probe with one reading it names.
pub fn agreement(id: &str, probe: &Probe, judgement: &Judgement, arch: Arch) -> Agreement {
    let Some(recorded) = find(id) else {
        return Agreement::Disagrees {
            why: format!("there is no recorded reading `{id}`; correct `recorded` in the probe"),
        };
    };
    let device = recording().device.arch;
    if judgement.verdict == Verdict::Refused {
        return observation(format!("the probe was not run: {}", judgement.readout));
    }
    if arch != device {
        return observation(format!("recorded on {device}, run on {arch}"));
    }
    let compared = compare(recorded, probe, &judgement.views);
    if let Some(unstaged) = known().unstaged.iter().find(|u| u.id == id) {
        let here = match compared {
            Comparison::Same => "the same number here".to_owned(),
            Comparison::Shaped(_, why) | Comparison::Different(why) => why,
        };
        return observation(format!("{}; {here}", unstaged.why));
    }
    let documented = known().disagreement.iter().find(|d| d.id == id);
    match (compared, documented) {
        (Comparison::Same, _) => Agreement::Reproduced,
        (Comparison::Shaped(shape, _), Some(d)) if d.shape == shape => {
            Agreement::DisagreesAsDocumented {
                why: format!("{}: {} ({})", d.what, d.why, d.docs),
            }
        }
        (Comparison::Shaped(_, why) | Comparison::Different(why), _) => {
            Agreement::Disagrees { why }
        }
    }
}

fn observation(why: String) -> Agreement {
    Agreement::Observation { why }
}

/// Compares everything that was observed; the first difference counts.
fn compare(recorded: &Recorded, probe: &Probe, views: &[View]) -> Comparison {
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
fn coverage(
    counts: &std::collections::BTreeMap<String, usize>,
    probe: &Probe,
    view: &View,
) -> Comparison {
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

/// One recorded reading and how a set of runs stands to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The reading.
    pub id: String,
    /// What was recorded, in a few words.
    pub recorded: String,
    /// The probes that repeat it.
    pub probes: Vec<String>,
    /// How they stand to it.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// Every recorded reading, readouts or not, with the worst agreement among its probes.
pub fn standings(judged: &[(&Probe, &Judgement)], arch: Arch) -> Vec<Standing> {
    let rank = |a: &Agreement| match a {
        Agreement::Observation { .. } => 0,
        Agreement::Reproduced => 1,
        Agreement::DisagreesAsDocumented { .. } => 2,
        Agreement::Disagrees { .. } => 3,
    };
    let standing = |recorded: &Recorded| {
        let id = &recorded.id;
        let linked = judged.iter().filter(|(p, _)| p.recorded.contains(id));
        let all: Vec<(String, Agreement)> = linked
            .map(|(p, j)| (p.name.clone(), agreement(id, p, j, arch)))
            .collect();
        let worst = all.iter().map(|(_, a)| a).max_by_key(|a| rank(a)).cloned();
        let agreement = worst.unwrap_or_else(|| {
            observation(if recorded.observed.is_readout() {
                "no probe of this run repeats it".to_owned()
            } else {
                "no readout of the matrix unit".to_owned()
            })
        });
        Standing {
            id: id.clone(),
            recorded: recorded.observed.short(),
            probes: all.into_iter().map(|(name, _)| name).collect(),
            agreement,
        }
    };
    recording().readings.iter().map(standing).collect()
}
