//! `hmx replay`

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use flate2::read::MultiGzDecoder;
use hmx_abi::Arch;
use hmx_analysis::replay::{self, Case};
use rayon::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// Run recorded cases through the model and compare every byte
///
/// A case is one line of JSON: memory, a program, and the exact bytes afterwards.
/// model/golden/README.md describes the form.
#[derive(clap::Args)]
pub struct Args {
    /// Cases, one a line; plain or gzip
    #[arg(value_name = "FILE.jsonl[.gz]")]
    file: PathBuf,
    /// Run every case as this architecture version instead of its own
    #[arg(long)]
    arch: Option<Arch>,
}

#[derive(Serialize)]
struct Report {
    file: PathBuf,
    passed: usize,
    failed: usize,
    failures: Vec<Failure>,
}

#[derive(Serialize)]
struct Failure {
    id: String,
    #[serde(flatten)]
    how: How,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum How {
    Differs {
        at: u32,
        expected: u8,
        found: u8,
        bytes: usize,
    },
    Fault {
        packet: usize,
        fault: String,
    },
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let cases = read(&args.file)?;
    let progress = shell.progress(cases.len() as u64, "replaying");
    let failures: Vec<Failure> = cases
        .par_iter()
        .filter_map(|case| {
            let how = failure(case.run(args.arch));
            progress.inc(1);
            let id = case.id.clone();
            how.map(|how| Failure { id, how })
        })
        .collect();
    progress.finish_and_clear();
    let report = Report {
        passed: cases.len() - failures.len(),
        failed: failures.len(),
        file: args.file,
        failures,
    };
    if shell.json() {
        shell.value(&report)?;
    } else {
        for Failure { id, how } in &report.failures {
            shell.line(match how {
                How::Differs {
                    at,
                    expected,
                    found,
                    bytes,
                } => format!(
                    "{id}: byte {at:#x}: expected {expected:#04x}, got {found:#04x} ({bytes} differ)"
                ),
                How::Fault { packet, fault } => format!("{id}: packet {packet}: {fault}"),
            })?;
        }
        shell.line(format!(
            "{} passed, {} failed",
            report.passed, report.failed
        ))?;
    }
    Ok(match report.failed {
        0 => Outcome::Expected,
        _ => Outcome::Failed,
    })
}

fn failure(outcome: replay::Outcome) -> Option<How> {
    match outcome {
        replay::Outcome::Passed => None,
        replay::Outcome::Differs {
            at,
            expected,
            found,
            count,
        } => Some(How::Differs {
            at,
            expected,
            found,
            bytes: count,
        }),
        replay::Outcome::Faulted { packet, fault } => Some(How::Fault {
            packet: packet + 1,
            fault: fault.to_string(),
        }),
    }
}

/// Reads all cases before any is run: a damaged file gives no half result.
fn read(path: &Path) -> anyhow::Result<Vec<Case>> {
    let shown = path.display();
    let mut file = File::open(path)
        .with_context(|| format!("cannot read {shown}; give the path of a .jsonl or .jsonl.gz"))?;
    let mut magic = [0; 2];
    let gzip = file.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
    file.rewind()
        .with_context(|| format!("cannot read {shown} from its start; give a file, not a pipe"))?;
    let reader: Box<dyn Read> = if gzip {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut cases = Vec::new();
    for (line, number) in BufReader::new(reader).lines().zip(1..) {
        let line = line.with_context(|| {
            format!("{shown}, line {number} is damaged; copy the file again from its source")
        })?;
        if line.trim().is_empty() {
            continue;
        }
        cases.push(Case::parse(&line).with_context(|| format!("{shown}, line {number}"))?);
    }
    if cases.is_empty() {
        bail!("{shown} holds no case; give a file with one JSON object a line");
    }
    Ok(cases)
}
