//! What `hmx probe run` prints.

use super::columns;
use super::run::{Report, Row};
use crate::shell::Shell;
use hmx_analysis::{Agreement, Verdict, recorded};
use serde_json::{Value, json};
use std::fmt::Write;

/// The table, then what needs words, then the conclusions.
pub fn print(report: &Report, shell: &mut Shell) -> anyhow::Result<()> {
    let target = &report.target;
    shell.line(format!("target {} {}\n", target.name, target.arch))?;
    let rows: Vec<[String; 6]> = report.rows.iter().map(cells).collect();
    let mut table = shell.table([]);
    let width = table.width().unwrap_or(120);
    columns::fill(&mut table, width.into(), &rows);
    shell.print(&table)?;
    let remarks = remarks(report);
    if !remarks.is_empty() {
        shell.line(format!("\nRemarks\n{}", remarks.trim_end()))?;
    }
    let held: Vec<_> = report
        .conclusions
        .iter()
        .filter(|c| !c.readings.is_empty())
        .collect();
    if !held.is_empty() {
        shell.line("\nConclusions [evidence]")?;
        for conclusion in held {
            shell.line(format!("  {conclusion}"))?;
        }
    }
    shell.line(format!("\n{}", summary(report)))
}

/// The whole texts of a row of the table.
fn cells(row: &Row) -> [String; 6] {
    let (silicon, agreement) = silicon(row);
    [
        row.probe.name.clone(),
        row.probe.question.clone(),
        row.judgement.readout.clone(),
        row.judgement.verdict.to_string(),
        silicon,
        agreement,
    ]
}

/// What silicon read, and how that stands to the readout.
pub fn silicon(row: &Row) -> (String, String) {
    let readings = row.agreements.iter().map(|(id, agreement)| {
        let read = recorded::find(id).map_or_else(|| id.clone(), |r| r.observed.short());
        (read, agreement_in_words(id, agreement))
    });
    let (read, agreements): (Vec<String>, Vec<String>) = readings.unzip();
    (read.join("; "), agreements.join("; "))
}

/// A documented disagreement is named by its shape: `mismatch (placement), documented`.
fn agreement_in_words(id: &str, agreement: &Agreement) -> String {
    let documented = recorded::known().disagreement.iter().find(|d| d.id == id);
    match (agreement, documented) {
        (Agreement::DisagreesAsDocumented { .. }, Some(d)) => match d.shape {
            recorded::Shape::Placement => "mismatch (placement), documented".to_owned(),
        },
        _ => agreement.to_string(),
    }
}

/// One line for everything that a cell of the table cannot say.
fn remarks(report: &Report) -> String {
    let mut text = String::new();
    for row in &report.rows {
        let name = &row.probe.name;
        if row.judgement.verdict == Verdict::Mismatch {
            let why = row.judgement.why().unwrap_or_default();
            let known = if row.is_known() {
                "known mismatch"
            } else {
                "MISMATCH"
            };
            let _ = writeln!(text, "  {name}: {known}: {why}");
        }
        if row.judgement.verdict == Verdict::Refused {
            let _ = writeln!(text, "  {name}: refused: {}", row.judgement.readout);
        }
        for (id, agreement) in &row.agreements {
            if let Agreement::DisagreesAsDocumented { why }
            | Agreement::Disagrees { why }
            | Agreement::Observation { why } = agreement
            {
                let _ = writeln!(text, "  {name}: {id}: {agreement}: {why}");
            }
        }
        for note in &row.notes {
            let _ = writeln!(text, "  {name}: {note}");
        }
    }
    text
}

/// `90 probes: 80 pass, 1 known mismatch, ...`.
fn summary(report: &Report) -> String {
    let count = |pick: &dyn Fn(&&Row) -> bool| report.rows.iter().filter(pick).count();
    let is = |verdict| count(&|r| r.judgement.verdict == verdict);
    let known = count(&|r| r.is_known());
    let readings = |pick: fn(&Agreement) -> bool| {
        let all = report.standings.iter();
        all.filter(|s| pick(&s.agreement)).count()
    };
    let plural = if report.rows.len() == 1 { "" } else { "s" };
    format!(
        "{} probe{plural}: {} pass, {} mismatch, {known} known mismatch, {} observation, {} refused\n\
         {} recorded readings: {} reproduced, {} disagree, {} disagree as documented, {} observation",
        report.rows.len(),
        is(Verdict::Pass),
        is(Verdict::Mismatch) - known,
        is(Verdict::Observation),
        is(Verdict::Refused),
        report.standings.len(),
        readings(|a| matches!(a, Agreement::Reproduced)),
        readings(|a| matches!(a, Agreement::Disagrees { .. })),
        readings(|a| matches!(a, Agreement::DisagreesAsDocumented { .. })),
        readings(|a| matches!(a, Agreement::Observation { .. })),
    )
}

/// The form that docs/cli.md describes.
pub fn json(report: &Report) -> Value {
    let target = &report.target;
    let probes: Vec<Value> = report.rows.iter().map(row).collect();
    json!({
        "tool": env!("CARGO_PKG_VERSION"),
        "target": {
            "name": target.name,
            "arch": target.arch,
            "skel_sha256": target.skel_sha256,
            "facts": target.facts,
        },
        "probes": probes,
        "recorded": report.standings,
        "conclusions": report.conclusions,
        "broken": report.broken.iter().map(|(probe, why)| json!({"probe": probe, "why": why})).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let judgement = &row.judgement;
    json!({
        "probe": judgement.probe,
        "question": row.probe.question,
        "verdict": judgement.verdict,
        "known": row.is_known(),
        "readout": judgement.readout,
        "evidence": judgement.evidence,
        "outcome": judgement.outcome,
        "why": judgement.why(),
        "recorded": row.agreements.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        "notes": row.notes,
    })
}
