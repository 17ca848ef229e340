//! `hmx bench --target qemu`

use crate::shell::{Outcome, Shell};
use anyhow::Context;
use hmx_abi::Arch;
use hmx_workbench::bench::kernels::Size;
use hmx_workbench::bench::qemu::expansion::{self, Expansion};
use hmx_workbench::bench::qemu::kernels::{self, KernelCount};
use hmx_workbench::ggml::{self, SourcesError};
use hmx_workbench::kernels::Kernel;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Report {
    target: &'static str,
    expansion: Vec<Expansion>,
    /// Why ggml-hexagon is not beside it.
    ggml_missing: Option<String>,
    kernels: Vec<KernelCount>,
}

pub fn run(arch: Option<Arch>, sizes: Vec<Size>, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let archs = arch.map_or(vec![Arch::V73, Arch::V81], |arch| vec![arch]);
    let sizes = match sizes.is_empty() {
        true => vec!["64x128x256".parse()?],
        false => sizes,
    };
    let (sources, ggml_missing) = match ggml::sources(None) {
        Ok(folder) => (Some(folder), None),
        Err(error @ SourcesError::NotFetched) => (None, Some(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let runs = archs.len() * (1 + sizes.len() * Kernel::ALL.len());
    let progress = shell.progress(runs as u64, "counting");
    let mut report = Report {
        target: "qemu",
        expansion: Vec::new(),
        ggml_missing,
        kernels: Vec::new(),
    };
    for arch in archs {
        let found = expansion::count(arch, sources.as_deref());
        report
            .expansion
            .push(found.with_context(|| format!("cannot count the expansion on {arch}"))?);
        progress.inc(1);
        for &size in &sizes {
            let found = kernels::count(arch, size, || progress.inc(1));
            report
                .kernels
                .extend(found.with_context(|| format!("cannot count the kernels on {arch}"))?);
        }
    }
    progress.finish_and_clear();
    if shell.json() {
        shell.value(&report)?;
    } else {
        print_expansion(&report, shell)?;
        print_kernels(&report, shell)?;
        print_emulated(&report, shell)?;
    }
    let within = report.expansion.iter().all(Expansion::is_within_limit);
    Ok(if within {
        Outcome::Expected
    } else {
        Outcome::Failed
    })
}

fn print_expansion(report: &Report, shell: &mut Shell) -> anyhow::Result<()> {
    shell.line(
        "expansion of 4-bit weights to fp16: instructions and packets for a 32 x 32 tile\n",
    )?;
    let mut table = shell.table([
        "version",
        "HVX float",
        "instructions",
        "packets",
        "ggml-hexagon: instructions",
        "packets",
        "ratio of instructions",
    ]);
    for e in &report.expansion {
        let ggml = |read: fn(&Expansion) -> Option<f64>| read(e).map_or("-".to_owned(), figure);
        let verdict = match e.is_within_limit() {
            true => "fewer",
            false => "NOT FEWER",
        };
        table.add_row([
            e.arch.to_string(),
            e.float.to_owned(),
            figure(e.ours.instructions),
            figure(e.ours.packets),
            ggml(|e| e.ggml.map(|g| g.instructions)),
            ggml(|e| e.ggml.map(|g| g.packets)),
            e.ratio
                .map_or("-".to_owned(), |r| format!("{r:.2} ({verdict})")),
        ]);
    }
    shell.print(&table)?;
    shell.line(match &report.ggml_missing {
        Some(why) => format!("\nggml-hexagon: {why}"),
        None => "\nggml-hexagon: dequantize_tiled_weight_to_fp16_task_q4_0, -O2, float by qfloat on every version".to_owned(),
    })
}

fn print_kernels(report: &Report, shell: &mut Shell) -> anyhow::Result<()> {
    shell.line("\nwhole kernels: a run, and what one more weight tile of 32 x 32 costs\n")?;
    let mut table = shell.table([
        "kernel",
        "version",
        "M x N x K",
        "instructions",
        "packets",
        "emulated",
        "per tile: instructions",
        "packets",
    ]);
    for k in &report.kernels {
        table.add_row([
            k.kernel.to_owned(),
            k.arch.to_string(),
            k.size.to_string(),
            k.run.instructions.to_string(),
            k.run.packets.to_string(),
            k.run.traps.to_string(),
            figure(k.per_tile.instructions),
            figure(k.per_tile.packets),
        ]);
    }
    shell.print(&table)
}

/// Packets by function, summed over kernels and sizes; a column for each version.
fn print_emulated(report: &Report, shell: &mut Shell) -> anyhow::Result<()> {
    shell.line("\npackets that were emulated in these runs, by function (HMX and HVX float; without DMA)\n")?;
    let mut functions: BTreeMap<&str, BTreeMap<Arch, u64>> = BTreeMap::new();
    for kernel in &report.kernels {
        for (name, count) in &kernel.emulated {
            *functions
                .entry(name)
                .or_default()
                .entry(kernel.arch)
                .or_default() += count;
        }
    }
    let mut table = shell.table(["function", "version", "packets"]);
    for (name, counts) in &functions {
        for (arch, count) in counts {
            table.add_row([(*name).to_owned(), arch.to_string(), count.to_string()]);
        }
    }
    shell.print(&table)
}

/// 118, 12.5.
fn figure(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
