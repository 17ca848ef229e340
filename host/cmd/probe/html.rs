//! `hmx probe run --html`

use super::run::Report;
use super::table::silicon;
use anyhow::Context;
use hmx_analysis::ReportItem;
use hmx_analysis::report::{Statement, page};
use std::path::Path;

/// Writes the page under a temporary name and renames it, so that a reader never sees half of it.
pub fn write(report: &Report, file: &Path) -> anyhow::Result<()> {
    let items: Vec<ReportItem> = report
        .rows
        .iter()
        .filter_map(|row| {
            let run = row.run.as_ref()?;
            let mut item = ReportItem::of(&run.dump, &row.probe, row.judgement.verdict);
            let (read, agreement) = silicon(row);
            item.reading.clone_from(&row.judgement.readout);
            item.recorded = Some(read).filter(|text| !text.is_empty());
            item.agreement = Some(agreement).filter(|text| !text.is_empty());
            let meaning = row.judgement.outcome.as_ref().map(|o| o.meaning.clone());
            item.notes.extend(meaning);
            item.notes.extend(row.judgement.why());
            item.notes.extend(row.notes.iter().cloned());
            Some(item)
        })
        .collect();
    let statements: Vec<Statement> = (report.conclusions.iter())
        .filter(|c| c.holds)
        .map(|c| Statement {
            text: c.statement.clone(),
            evidence: c.evidence,
        })
        .collect();
    let title = format!(
        "Probes on target {} {}",
        report.target.name, report.target.arch
    );
    let html = page(&title, &statements, &items);
    let place = || {
        format!(
            "cannot write {}; choose a folder you can write to",
            file.display()
        )
    };
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let building = file.with_file_name(name);
    std::fs::write(&building, html).with_context(place)?;
    std::fs::rename(&building, file).with_context(place)?;
    Ok(())
}
