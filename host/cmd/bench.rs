//! `hmx bench`

#[cfg(target_os = "linux")]
mod qemu;

use crate::shell::{Outcome, Shell};
use anyhow::Context;
use hmx_abi::Arch;
use hmx_workbench::bench::kernels::{SideBySide, Size, side_by_side};
use hmx_workbench::bench::model::{Figure, figures};
use hmx_workbench::kernels::{Kernel, measure::Measured};
use serde::Serialize;
use std::time::Duration;

/// Measure the model's multiply and count what the kernels do
///
/// Every weight loader is run on one core with `:deep` packets of 1024 input channels. Beside it
/// stands a naive product of the same shape (three loops), measured in the same run.
///
/// Then every kernel runs once in simulation on each size: instructions, bytes and transfers are counted as a device
/// would need them, the seconds are those of the simulation. The exit status is 1 when packed weights cost more than
/// 0.29 of the fp16 weights that the two-pass kernel writes to memory.
///
/// With `--target qemu` the skel's machine code is counted instead: instructions and packets per 32 x 32 weight tile,
/// of the expansion beside ggml-hexagon's and of the whole kernels. The exit status is 1 when our expansion takes as
/// many instructions as ggml-hexagon's, or more. Its sources are those that scripts/fetch-ggml.sh fetched, or a
/// llama.cpp folder that HMX_GGML names.
#[derive(clap::Args)]
pub struct Args {
    /// What is measured: the model and the kernels in simulation, or the skel under QEMU
    #[arg(long, default_value = "sim", value_name = "TARGET")]
    target: Target,
    /// Architecture version [default: v81 on sim, v73 and v81 on qemu]
    #[arg(long)]
    arch: Option<Arch>,
    /// Seconds for each measurement [default: 0.3]
    #[arg(long, value_parser = seconds)]
    seconds: Option<f64>,
    /// Sizes for the kernels, M x N x K [default: 512x4096x4096 and 1x4096x4096 on sim, 64x128x256 on qemu]
    #[arg(long = "size", value_name = "MxNxK")]
    sizes: Vec<Size>,
    /// Measure only one part of target sim
    #[arg(long, value_name = "PART")]
    only: Option<Part>,
}

/// A place to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    Sim,
    Qemu,
}

/// A part of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Model,
    Kernels,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(s) if (0.01..=60.0).contains(&s) => Ok(s),
        _ => Err("use a number from 0.01 to 60".to_owned()),
    }
}

#[derive(Serialize)]
struct Report {
    arch: Arch,
    optimised: bool,
    model: Vec<Figure>,
    kernels: Vec<SideBySide>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    match args.target {
        Target::Sim => on_sim(args, shell),
        Target::Qemu if args.seconds.is_some() || args.only.is_some() => {
            anyhow::bail!("--seconds and --only are for target sim; leave them out with qemu")
        }
        #[cfg(target_os = "linux")]
        Target::Qemu => qemu::run(args.arch, args.sizes, shell),
        #[cfg(not(target_os = "linux"))]
        Target::Qemu => anyhow::bail!("target qemu needs Linux; use sim"),
    }
}

fn on_sim(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let arch = args.arch.unwrap_or(Arch::V81);
    let sizes = match args.sizes.is_empty() {
        true => ["512x4096x4096".parse()?, "1x4096x4096".parse()?].into(),
        false => args.sizes,
    };
    if cfg!(debug_assertions) {
        shell.remark("hmx bench: this is a debug build; use `cargo run --release -- bench`");
    }
    let wanted = |part| args.only.is_none_or(|only| only == part);
    let mut report = Report {
        arch,
        optimised: !cfg!(debug_assertions),
        model: Vec::new(),
        kernels: Vec::new(),
    };
    if wanted(Part::Model) {
        let time = Duration::from_secs_f64(args.seconds.unwrap_or(0.3));
        let progress = shell.progress(9, "measuring");
        report.model = figures(arch, time, |_| progress.inc(1))?;
        progress.finish_and_clear();
    }
    if wanted(Part::Kernels) {
        let runs = sizes.len() * Kernel::ALL.len();
        let progress = shell.progress(runs as u64, "running kernels");
        for size in sizes {
            let found = side_by_side(size, || progress.inc(1));
            report
                .kernels
                .push(found.with_context(|| format!("cannot run the kernels on {size}"))?);
        }
        progress.finish_and_clear();
    }
    if shell.json() {
        shell.value(&report)?;
    } else {
        print_model(&report, shell)?;
        for found in &report.kernels {
            print_kernels(found, shell)?;
        }
    }
    Ok(
        match report.kernels.iter().all(SideBySide::is_within_limits) {
            true => Outcome::Expected,
            false => Outcome::Failed,
        },
    )
}

fn print_model(report: &Report, shell: &mut Shell) -> anyhow::Result<()> {
    if report.model.is_empty() {
        return Ok(());
    }
    shell.line(format!(
        "model of {}, one core, MAC/s (a packet: 1024 input channels, :deep)\n",
        report.arch
    ))?;
    let mut table = shell.table(["multiply", "MAC a packet", "model", "naive loops", "ratio"]);
    for f in &report.model {
        table.add_row([
            format!("activation.{} x weight.{}", f.activation, f.loader),
            f.macs.to_string(),
            rate(f.model),
            rate(f.naive),
            format!("{:.1}", f.model / f.naive),
        ]);
    }
    shell.print(&table)?;
    shell.line("\nnaive loops: uint8 x int8 into int32, or fp16 x fp16 into f32, as the compiler makes them")
}

/// What is counted, and how to read it off a run.
type Row = (&'static str, fn(&Measured) -> String);

const ROWS: [Row; 25] = [
    ("HMX multiply packets", |m| {
        m.counters.hmx_multiply.to_string()
    }),
    ("HMX converts", |m| m.counters.hmx_convert.to_string()),
    ("HMX stores", |m| m.counters.hmx_store.to_string()),
    ("HMX bias loads", |m| m.counters.hmx_bias.to_string()),
    ("HVX load", |m| m.counters.hvx[0].to_string()),
    ("HVX store", |m| m.counters.hvx[1].to_string()),
    ("HVX alu", |m| m.counters.hvx[2].to_string()),
    ("HVX shift", |m| m.counters.hvx[3].to_string()),
    ("HVX permute", |m| m.counters.hvx[4].to_string()),
    ("HVX lookup", |m| m.counters.hvx[5].to_string()),
    ("HVX multiply", |m| m.counters.hvx[6].to_string()),
    ("HVX float", |m| m.counters.hvx[7].to_string()),
    ("VTCM bytes read", |m| m.counters.vtcm_read.to_string()),
    ("VTCM bytes written", |m| {
        m.counters.vtcm_written.to_string()
    }),
    ("VTCM bytes in use", |m| m.vtcm_used.to_string()),
    ("DDR weights read", |m| {
        m.counters.ddr_weight_read.to_string()
    }),
    ("DDR fp16 scratch written", |m| {
        m.counters.ddr_scratch_written.to_string()
    }),
    ("DDR fp16 scratch read", |m| {
        m.counters.ddr_scratch_read.to_string()
    }),
    ("DDR activations read", |m| {
        m.counters.ddr_act_read.to_string()
    }),
    ("DDR results written", |m| {
        m.counters.ddr_out_written.to_string()
    }),
    ("DMA transfers", |m| m.counters.dma_transfers.to_string()),
    ("rows of a block", |m| m.block_rows.to_string()),
    ("columns of a chunk", |m| m.chunk_columns.to_string()),
    ("simulation, seconds", |m| format!("{:.2}", m.seconds)),
    ("simulation, MAC/s", |m| rate(m.macs_per_second)),
];

fn print_kernels(found: &SideBySide, shell: &mut Shell) -> anyhow::Result<()> {
    let name = |i: usize| found.kernels.get(i).map_or("", |m| m.kernel);
    shell.line(format!("\nkernels on M x N x K = {}\n", found.size))?;
    let mut table = shell.table(["", name(0), name(1), name(2), name(3), name(4)]);
    for (what, read) in ROWS {
        let values = found.kernels.iter().map(read);
        table.add_row(std::iter::once(what.to_owned()).chain(values));
    }
    shell.print(&table)?;
    shell.line("")?;
    for t in &found.traffic {
        let verdict = if t.ratio <= t.limit {
            "within"
        } else {
            "ABOVE"
        };
        shell.line(format!(
            "{}: {} weight bytes, {:.3} of the fp16 bytes that mm_w4a16_twopass expands to ({verdict} the limit of {})",
            t.kernel, t.bytes, t.ratio, t.limit
        ))?;
    }
    Ok(())
}

/// 7.31 G, 250 M.
fn rate(per_second: f64) -> String {
    if per_second >= 1e9 {
        format!("{:.2} G", per_second / 1e9)
    } else {
        format!("{:.0} M", per_second / 1e6)
    }
}
