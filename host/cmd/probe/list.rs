//! `hmx probe list`

use crate::shell::{Outcome, Shell};
use hmx_abi::Arch;
use serde::Serialize;

/// List the shipped probes and their questions
#[derive(clap::Args)]
pub struct Args {}

#[derive(Serialize)]
struct Row<'a> {
    probe: &'a str,
    question: &'a str,
    arch_min: Arch,
    recorded: &'a [String],
}

pub fn run(_: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let rows: Vec<Row> = hmx_probes::shipped()
        .iter()
        .map(|p| Row {
            probe: &p.name,
            question: &p.question,
            arch_min: p.arch_min,
            recorded: &p.recorded,
        })
        .collect();
    if shell.json() {
        shell.value(&rows)?;
        return Ok(Outcome::Expected);
    }
    let mut table = shell.table(["probe", "from", "question", "recorded"]);
    for row in &rows {
        table.add_row([
            row.probe,
            &row.arch_min.to_string(),
            row.question,
            &row.recorded.join(", "),
        ]);
    }
    shell.print(&table)?;
    Ok(Outcome::Expected)
}
