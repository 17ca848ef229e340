//! The properties every case is checked for. docs/verify.md states and explains them.

use super::case::{Case, Variation};
use super::expected::{Expected, expected};
use super::kernel::{Broken, KernelUnderTest, Poison, Problem, RunError, Settings, Type, Weights};
use super::values::Source;
use crate::packers::q4_0;
use std::fmt::Write;

/// The property that only a target with a shadow map can check.
pub const UNWRITTEN: &str = "nothing unwritten is read";

/// The properties, in the order and with the numbers of docs/verify.md.
pub const PROPERTIES: [&str; 12] = [
    "exact result",
    "close to f64",
    "special values by class",
    "nothing else is touched",
    UNWRITTEN,
    "the same input gives the same result",
    "other poison gives the same result",
    "more tasks give the same result",
    "other chunks give the same result",
    "the other order of overlapping jobs gives the same result",
    "a row alone equals the row in the batch",
    "one changed operand changes nothing outside its row or column",
];

/// Why a case does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmet {
    /// The target cannot run this case, and why.
    Refused(String),
    /// The property, and the first cells that break it.
    Property(String),
    /// The target broke: nothing is known of the case.
    Broken(Broken),
}

impl From<String> for Unmet {
    fn from(property: String) -> Unmet {
        Unmet::Property(property)
    }
}

/// Checks one case.
pub fn check(case: &Case, kernel: &dyn KernelUnderTest) -> Result<(), Unmet> {
    let problem = case.problem();
    let plain = Settings {
        row_tiles: case.row_tiles,
        column_tiles: case.column_tiles,
        ..Settings::default()
    };
    let wanted = expected(&problem);
    let first = run(kernel, &problem, &plain, "the plain run")?;
    against_references(&problem, &first, &wanted)?;
    for (name, problem, settings, same) in second_runs(case, &problem, &plain) {
        let second = run(kernel, &problem, &settings, name)?;
        let n = problem.n;
        let differing = (0..second.len()).filter(|&i| {
            let origin = match same {
                Same::Row(row) => row * n + i,
                _ => i,
            };
            let may_change = match same {
                Same::AllButRow(row) => i / n == row,
                Same::AllButColumn(column) => i % n == column,
                _ => false,
            };
            !may_change && second[i] != first[origin]
        });
        if let Some(cells) = cells(differing, n) {
            return Err(Unmet::Property(format!(
                "{name} gives other bytes than the plain run at {cells}"
            )));
        }
        if matches!(same, Same::AllButRow(_) | Same::AllButColumn(_)) {
            against_references(&problem, &second, &expected(&problem))
                .map_err(|e| format!("after {name}: {e}"))?;
        }
    }
    Ok(())
}

/// Which results of a second run must equal those of the first.
#[derive(Debug, Clone, Copy)]
enum Same {
    All,
    /// The only row of the second run is this row of the first.
    Row(usize),
    AllButRow(usize),
    AllButColumn(usize),
}

/// Runs, and turns breaches into failures.
fn run(
    kernel: &dyn KernelUnderTest,
    problem: &Problem,
    settings: &Settings,
    name: &str,
) -> Result<Vec<u32>, Unmet> {
    match kernel.run(problem, settings) {
        Err(RunError::Refused(why)) => Err(Unmet::Refused(why)),
        Err(RunError::Failed(why)) => Err(Unmet::Property(format!("{name} stopped: {why}"))),
        Err(RunError::Broken(why)) => Err(Unmet::Broken(why)),
        Ok(outcome) => match outcome.breaches.first() {
            Some(breach) => Err(Unmet::Property(format!("{name}: {breach}"))),
            None => Ok(outcome.out),
        },
    }
}

/// Results against the exact reference, and against f64 where a bound holds.
pub(super) fn against_references(
    problem: &Problem,
    out: &[u32],
    wanted: &Expected,
) -> Result<(), String> {
    let n = problem.n;
    if let Some(exact) = &wanted.exact {
        let differing = (0..out.len()).filter(|&i| out[i] != exact[i]);
        if let Some(cells) = cells(differing, n) {
            let i = (0..out.len()).find(|&i| out[i] != exact[i]).unwrap_or(0);
            return Err(format!(
                "other results than the exact reference at {cells}: {} where {} is right",
                show(problem.out_type, out[i]),
                show(problem.out_type, exact[i])
            ));
        }
    }
    for (i, cell) in wanted.real.iter().enumerate() {
        let got = number(problem.out_type, out[i], problem.usr);
        if let Some(why) = cell.contradiction(got) {
            return Err(format!("row {}, column {}: {why}", i / n, i % n));
        }
    }
    Ok(())
}

/// The second runs of a case, each with a name for messages.
fn second_runs(
    case: &Case,
    problem: &Problem,
    plain: &Settings,
) -> Vec<(&'static str, Problem, Settings, Same)> {
    let mut source = Source::new(case.seed, 9);
    let mut pick = |n: usize| source.below(n as u32) as usize;
    let same = |name, settings| (name, problem.clone(), settings, Same::All);
    match case.vary {
        Variation::Repeat => vec![same("a second run", *plain)],
        Variation::Poison => [Poison::HalfNan, Poison::Random(case.seed)]
            .map(|poison| same("a run over other poison", Settings { poison, ..*plain }))
            .into(),
        Variation::Tasks => {
            let tasks = 2 + pick(7) as u32;
            vec![same(
                "a run cut into more tasks",
                Settings { tasks, ..*plain },
            )]
        }
        Variation::Chunks => {
            let (row_tiles, column_tiles) = (1 + pick(3) as u32, 1 + pick(3) as u32);
            let settings = Settings {
                row_tiles,
                column_tiles,
                ..*plain
            };
            vec![same("a run with other chunk sizes", settings)]
        }
        Variation::Order => {
            let settings = Settings {
                expansion_first: true,
                ..*plain
            };
            vec![same(
                "a run with the other order of overlapping jobs",
                settings,
            )]
        }
        Variation::RowAlone => {
            let row = pick(problem.m);
            let mut alone = problem.clone();
            alone.m = 1;
            alone.act = problem.act[row * problem.k..][..problem.k].to_vec();
            vec![("a row computed alone", alone, *plain, Same::Row(row))]
        }
        Variation::ChangeActivation => {
            let at = pick(problem.act.len());
            let mut changed = problem.clone();
            changed.act[at] ^= match problem.act_type {
                Type::F16 => 0x8400,
                _ => 0x8080_0000,
            };
            let row = at / problem.k;
            vec![(
                "changing one activation",
                changed,
                *plain,
                Same::AllButRow(row),
            )]
        }
        Variation::ChangeWeight => {
            let (row, column) = (pick(problem.n), pick(problem.k));
            let mut changed = problem.clone();
            let at = row * problem.k + column;
            match &mut changed.weights {
                Weights::Half(bits) => bits[at] ^= 0x8400,
                Weights::Channel { q, .. } => q[at] = 7 - q[at].rem_euclid(8),
                Weights::Q4_0(bytes) => {
                    let byte = at / q4_0::BLOCK * q4_0::BLOCK_BYTES + 2 + column % 16;
                    bytes[byte] ^= if column % q4_0::BLOCK < 16 {
                        0x05
                    } else {
                        0x50
                    };
                }
            }
            vec![(
                "changing one weight",
                changed,
                *plain,
                Same::AllButColumn(row),
            )]
        }
    }
}

/// Names the first cells of a list and counts the rest; `None` for an empty list.
fn cells(mut indices: impl Iterator<Item = usize>, n: usize) -> Option<String> {
    let mut text = String::new();
    for i in indices.by_ref().take(3) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}(row {}, column {})", i / n, i % n);
    }
    let rest = indices.count();
    if rest > 0 {
        let _ = write!(text, " and {rest} more");
    }
    (!text.is_empty()).then_some(text)
}

/// A result as a number. With specials off, an fp16 all-ones exponent is an ordinary one.
fn number(kind: Type, bits: u32, usr: u32) -> f64 {
    match kind {
        Type::I32 => f64::from(bits as i32),
        Type::F32 => f64::from(f32::from_bits(bits)),
        Type::F16 if usr >> 20 & 1 == 0 && bits & 0x7C00 == 0x7C00 => {
            let sign = if bits >> 15 & 1 == 1 { -64.0 } else { 64.0 };
            f64::from(1024 + (bits & 0x3FF)) * sign
        }
        Type::F16 => half::f16::from_bits(bits as u16).to_f64(),
    }
}

fn show(kind: Type, bits: u32) -> String {
    match kind {
        Type::I32 => format!("{}", bits as i32),
        Type::F32 => format!("{} ({bits:#010x})", f32::from_bits(bits)),
        Type::F16 => format!("{} ({bits:#06x})", half::f16::from_bits(bits as u16)),
    }
}
