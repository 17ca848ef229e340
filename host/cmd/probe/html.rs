//! `hmx probe run --html`

use super::run::Report;
use super::table::silicon;
use anyhow::Context;
use hmx_analysis::ReportItem;
use hmx_analysis::report::{Statement, page};
use hmx_workbench::whole_file;
use std::path::Path;

/// Writes the page under a temporary name and renames it, so that a reader never sees half of it.
pub fn write(report: &Report, file: &Path) -> anyhow::Result<()> {
    let items: Vec<ReportItem> = report
        .rows
        .iter()
        .map(|row| {
            let Some(run) = &row.run else {
                let target = &report.target;
                let why = &row.judgement.readout;
                return ReportItem::refused(&row.probe, &target.name, target.arch, why);
            };
            let mut item = ReportItem::judged(&run.dump, &row.probe, &row.judgement);
            item.known = row.is_known();
            let (read, agreement) = silicon(row);
            item.recorded = Some(read).filter(|text| !text.is_empty());
            item.agreement = Some(agreement).filter(|text| !text.is_empty());
            item.notes.extend(row.notes.iter().cloned());
            item
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
    whole_file::write(file, html).with_context(place)
}
