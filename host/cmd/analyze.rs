//! `hmx analyze`

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_analysis::{Dump, Reading, ReportItem, analyze, decode, judge, report};
use hmx_probes::Probe;
use hmx_workbench::whole_file;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Say what a dump tells: coverage, values, layout, scale
///
/// Needs no target. A dump that was cut short or edited is refused. docs/reports.md explains
/// every line.
#[derive(clap::Args)]
pub struct Args {
    /// Dump folder, as `hmx probe run --out` writes it
    #[arg(value_name = "DUMP")]
    dump: PathBuf,
    /// Write an HTML report with heat maps of all tiles
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also print the bytes of a tile, a readout, or a range such as 0x1000+64
    #[arg(long, value_name = "RANGE")]
    hexdump: Vec<String>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let (dump, probe) = read(&args.dump)?;
    let ranges = args
        .hexdump
        .iter()
        .map(|text| range(text, &dump, &probe))
        .collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(file) = &args.html {
        let manifest = &dump.manifest;
        let judgement = judge(
            &probe,
            &Reading {
                image: &dump.vtcm,
                untouched: &manifest.untouched,
                unsettled: &manifest.unstable,
                evidence: manifest.evidence,
            },
        );
        let item = ReportItem::judged(&dump, &probe, &judgement);
        let title = format!("HMX probe {}", probe.name);
        save(file, &report::page(&title, &[], &[item]))?;
        shell.remark(format!("report written to {}", file.display()));
    }
    let analysis = analyze(&dump, &probe);
    if shell.json() {
        shell.value(&analysis)?;
        return Ok(Outcome::Expected);
    }
    shell.line(analysis.text(width(shell)).trim_end())?;
    for range in ranges {
        let text = decode::hexdump(&dump.vtcm[range.clone()], range.start);
        shell.line(format!("\n{}", text.trim_end()))?;
    }
    Ok(Outcome::Expected)
}

/// A checked dump and the probe it holds.
pub fn read(dir: &Path) -> anyhow::Result<(Dump, Probe)> {
    let context = || format!("cannot use the dump {}", dir.display());
    let dump = Dump::read(dir).with_context(context)?;
    let probe = dump.definition().with_context(context)?;
    Ok((dump, probe))
}

/// Columns of the terminal, or of what stands in for one.
pub fn width(shell: &Shell) -> u16 {
    shell.table(["", ""]).width().unwrap_or(100)
}

/// Writes a report.
fn save(file: &Path, text: &str) -> anyhow::Result<()> {
    let context = || {
        format!(
            "cannot write {}; check the folder, its permissions and the free space",
            file.display()
        )
    };
    whole_file::write(file, text).with_context(context)
}

/// A tile or readout by name, or OFFSET+LENGTH, each decimal or 0x hexadecimal.
fn range(text: &str, dump: &Dump, probe: &Probe) -> anyhow::Result<Range<usize>> {
    let named = probe.tile(text).map(|t| t.range());
    let named = named.or_else(|| probe.readout(text).map(|r| r.range()));
    let numbers = || {
        let (at, len) = text.split_once('+')?;
        let (at, len) = (number(at)?, number(len)?);
        Some(at..at.checked_add(len)?)
    };
    let Some(range) = named.or_else(numbers) else {
        let tiles = probe.tiles.iter().map(|t| t.name.as_str());
        let readouts = probe.readouts.iter().map(|r| r.name.as_str());
        let names: Vec<&str> = tiles.chain(readouts).collect();
        bail!(
            "`{text}` is no range of this dump; use OFFSET+LENGTH (0x1000+64) or one of: {}",
            names.join(", ")
        );
    };
    if range.end > dump.vtcm.len() {
        bail!(
            "the range `{text}` ends at {:#x}, but vtcm.bin has {:#x} bytes; use a smaller one",
            range.end,
            dump.vtcm.len()
        );
    }
    Ok(range)
}

fn number(text: &str) -> Option<usize> {
    match text.strip_prefix("0x") {
        Some(hex) => usize::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
