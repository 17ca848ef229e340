//! `hmx probe run`

use super::{html, select::select, table};
use crate::cmd::target::TargetArgs;
use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_analysis::{
    Agreement, Conclusion, Judgement, Standing, Verdict, agreement::agreement, conclusions,
    standings,
};
use hmx_probes::Probe;
use hmx_workbench::run::{Run, run as run_probe};
use hmx_workbench::target::{Description, Target, TargetError};
use std::path::PathBuf;

/// Run probes on a target and judge what they read
///
/// Prints one table: the question, the readout, the verdict, what silicon read where that is on
/// record, and whether the two agree. Its lines are cut to the width of the terminal, or $COLUMNS;
/// `--json` gives the whole texts. A disagreement that docs/findings.md describes is no failure.
#[derive(clap::Args)]
pub struct Args {
    /// Shipped probes, whole families, probe files, or `all`
    #[arg(required = true, value_name = "NAME|FILE|all")]
    probes: Vec<String>,
    #[command(flatten)]
    target: TargetArgs,
    /// Write a dump folder for each probe to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write one self-contained HTML page with the tiles drawn as heat maps
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// A probe and what became of it.
pub struct Row {
    pub probe: Probe,
    pub judgement: Judgement,
    /// How it stands to each reading it names.
    pub agreements: Vec<(String, Agreement)>,
    pub notes: Vec<String>,
    /// None where the target refused the probe.
    pub run: Option<Run>,
}

/// Everything a run of several probes says.
pub struct Report {
    pub target: Description,
    pub rows: Vec<Row>,
    pub standings: Vec<Standing>,
    pub conclusions: Vec<Conclusion>,
    /// Probes that the target broke down over, and why.
    pub broken: Vec<(String, String)>,
}

/// So many breakdowns in a row, and the target is given up.
const PATIENCE: usize = 3;

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let probes = select(&args.probes)?;
    let mut target = args.target.open()?;
    let report = gather(probes, target.as_mut(), shell);
    if let Some(out) = &args.out {
        for row in &report.rows {
            if let Some(run) = &row.run {
                let folder = out.join(&row.probe.name);
                run.dump
                    .write(&folder)
                    .with_context(|| format!("cannot write the dump of `{}`", row.probe.name))?;
            }
        }
        shell.remark(format!("dumps written to {}", out.display()));
    }
    if let Some(file) = &args.html {
        html::write(&report, file)?;
        shell.remark(format!("report written to {}", file.display()));
    }
    if shell.json() {
        shell.value(&table::json(&report))?;
    } else {
        table::print(&report, shell)?;
    }
    if let Some((probe, why)) = report.broken.first() {
        bail!(
            "target `{}` broke down over {} probe(s), first over `{probe}`: {why}",
            report.target.name,
            report.broken.len()
        );
    }
    let named = args.probes.iter().all(|word| word != "all");
    let failed = report.rows.iter().any(|row| row.failed(named));
    Ok(if failed {
        Outcome::Failed
    } else {
        Outcome::Expected
    })
}

fn gather(probes: Vec<Probe>, target: &mut dyn Target, shell: &Shell) -> Report {
    let description = target.describe();
    let progress = shell.progress(probes.len() as u64, "probing");
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    let mut in_a_row = 0;
    for probe in probes {
        match run_probe(&probe, target) {
            Ok(run) => {
                in_a_row = 0;
                let judgement = run.judge(&probe);
                rows.push(Row::new(probe, judgement, Some(run), &description));
            }
            Err(TargetError::Refused(why)) => {
                in_a_row = 0;
                let judgement = Judgement::refused(&probe, &why);
                rows.push(Row::new(probe, judgement, None, &description));
            }
            Err(TargetError::Failed(why)) => {
                broken.push((probe.name, why));
                in_a_row += 1;
                if in_a_row == PATIENCE {
                    break;
                }
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let judged: Vec<(&Probe, &Judgement)> = rows.iter().map(|r| (&r.probe, &r.judgement)).collect();
    Report {
        standings: standings(&judged, description.arch),
        conclusions: conclusions(&judged),
        target: description,
        rows,
        broken,
    }
}

impl Row {
    fn new(probe: Probe, judgement: Judgement, run: Option<Run>, target: &Description) -> Row {
        let agreements = probe.recorded.iter().map(|id| {
            let agreement = agreement(id, &probe, &judgement, target.arch);
            (id.clone(), agreement)
        });
        Row {
            agreements: agreements.collect(),
            notes: run.as_ref().map_or_else(Vec::new, |r| r.notes.clone()),
            probe,
            judgement,
            run,
        }
    }

    /// Whether the mismatch is the one that the findings describe.
    pub fn is_known(&self) -> bool {
        let documented =
            |(_, a): &(String, Agreement)| matches!(a, Agreement::DisagreesAsDocumented { .. });
        self.judgement.verdict == Verdict::Mismatch
            && self.run.as_ref().is_some_and(|r| r.stray.is_none())
            && self.judgement.unsettled.is_none()
            && self.agreements.iter().any(documented)
            && !self.disagrees()
    }

    fn disagrees(&self) -> bool {
        self.agreements.iter().any(|(_, a)| a.is_failure())
    }

    /// Whether it counts against the exit status. A refusal does when the probe was asked for by
    /// name.
    fn failed(&self, named: bool) -> bool {
        match self.judgement.verdict {
            Verdict::Mismatch => !self.is_known(),
            Verdict::Refused => named,
            Verdict::Pass | Verdict::Observation => self.disagrees(),
        }
    }
}
