//! `hmx verify`: property tests of kernels against CPU references, and kernels on a real model's tensors.

mod tensors;

use crate::shell::{Outcome, Shell};
use anyhow::bail;
use hmx_abi::Arch;
use hmx_workbench::device::Settings;
use hmx_workbench::verify::runner::Replay;
use hmx_workbench::verify::{
    Case, DeviceKernel, Failure, Kernel, KernelUnderTest, NativeKernel, Summary, regressions,
    runner,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Check kernels against CPU references: random cases, or a real model's tensors
///
/// Draws shapes and values towards the edges, compares every result with exact references, and shrinks a failing case
/// to a small one. A failing case is saved and replayed first next time. The properties are listed in docs/verify.md.
#[derive(clap::Args)]
pub struct Args {
    /// mm_hf, mm_w4a8, mm_w4a8_channel, mm_w4a16_fused, mm_w4a16_twopass, or all
    #[arg(required = true, value_name = "KERNEL")]
    kernels: Vec<String>,
    /// Where the kernels run
    #[arg(long, default_value = "sim", value_name = "TARGET")]
    target: String,
    /// HMX version [default: what the device is; v81 elsewhere]
    #[arg(long, value_name = "ARCH")]
    arch: Option<Arch>,
    /// Cases to draw for each kernel
    #[arg(long, default_value_t = 200, value_name = "N")]
    cases: u32,
    /// Seed of the cases; a new one each time when absent
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Check this one case, as a failed run printed it
    #[arg(long, value_name = "CASE", conflicts_with_all = ["seed", "gguf"])]
    case: Option<String>,
    /// Folder of the saved failing cases
    #[arg(long, default_value = "hmx-regressions", value_name = "DIR")]
    regressions: PathBuf,
    /// Run on the Q4_0 tensors of this model instead of random cases
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    gguf: Option<PathBuf>,
    /// One tensor of the model; all Q4_0 matrices when absent
    #[arg(long, value_name = "NAME", requires = "gguf")]
    tensor: Option<String>,
}

pub fn run(mut args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let kernels = named(&args.kernels)?;
    let under_test = under_test(&mut args, shell)?;
    let under_test = &*under_test;
    match (&args.gguf, &args.case) {
        (Some(file), _) => tensors::on_tensors(file, &args, &kernels, under_test, shell),
        (None, Some(text)) => one_case(text, &args, &kernels, under_test, shell),
        (None, None) => on_cases(&args, &kernels, under_test, shell),
    }
}

/// The kernels of the target that was asked for; sets the architecture to the target's.
fn under_test(args: &mut Args, shell: &Shell) -> anyhow::Result<Box<dyn KernelUnderTest>> {
    if args.target == "device" {
        let kernels = DeviceKernel::open(Settings::from_environment(args.arch)?)?;
        let description = kernels.description();
        args.arch = Some(description.arch);
        if let Some(hmx) = description.facts.get("hmx") {
            shell.remark(format!("HMX of this device: {hmx}"));
        }
        return Ok(Box::new(kernels));
    }
    let arch = *args.arch.get_or_insert(Arch::V81);
    match args.target.as_str() {
        "sim" => Ok(Box::new(NativeKernel { arch, fault: None })),
        #[cfg(target_os = "linux")]
        "qemu" => Ok(Box::new(hmx_workbench::verify::QemuKernel::open(arch)?)),
        other => bail!("target `{other}` does not run kernels for verify; use sim, qemu or device"),
    }
}

/// The kernels of the command line, without repetitions.
fn named(names: &[String]) -> anyhow::Result<Vec<Kernel>> {
    let mut kernels = Vec::new();
    for name in names {
        if name == "all" {
            kernels.extend(Kernel::ALL);
        } else {
            kernels.push(
                name.parse::<Kernel>()
                    .map_err(|e| anyhow::anyhow!("{e}, or all"))?,
            );
        }
    }
    let mut seen = Vec::new();
    kernels.retain(|k| {
        let new = !seen.contains(k);
        seen.push(*k);
        new
    });
    Ok(kernels)
}

fn on_cases(
    args: &Args,
    kernels: &[Kernel],
    under_test: &dyn KernelUnderTest,
    shell: &mut Shell,
) -> anyhow::Result<Outcome> {
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut replayed = Vec::new();
    for &kernel in kernels {
        let cases = regressions::load(&args.regressions, kernel)?;
        replayed.push((cases.len(), runner::replay(&cases, under_test)?));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bar = shell.progress(u64::from(args.cases) * kernels.len() as u64, "verify");
    let summaries = runner::run(kernels, args.cases, seed, threads, under_test, &|| {
        bar.inc(1)
    });
    bar.finish_and_clear();
    let summaries = summaries?;

    let mut failed = false;
    let mut values = Vec::new();
    for (summary, (saved, old)) in summaries.iter().zip(&replayed) {
        if let Some(failure) = &summary.failure {
            let path = regressions::save(&args.regressions, &failure.case)?;
            shell.remark(format!(
                "The failing case of {} is kept in {}.",
                summary.kernel,
                path.display()
            ));
        }
        let failures: Vec<&Failure> = old.failure.iter().chain(&summary.failure).collect();
        let refused = old.refused.as_ref().or(summary.why_refused.as_ref());
        let complete = summary.held == u64::from(args.cases) && refused.is_none();
        failed |= !failures.is_empty() || !complete;
        if shell.json() {
            values.push(summary_value(summary, *saved, refused, &failures, args));
        } else {
            for line in summary_lines(summary, args, *saved, refused, &failures) {
                shell.line(line)?;
            }
        }
    }
    if shell.json() {
        let target = &args.target;
        shell.value(&json!({
            "target": target, "arch": args.arch, "seed": seed, "cases": args.cases, "kernels": values,
        }))?;
    } else {
        shell.line(format!("seed {seed}"))?;
    }
    Ok(outcome(failed))
}

fn summary_lines(
    summary: &Summary,
    args: &Args,
    saved: usize,
    refused: Option<&String>,
    failures: &[&Failure],
) -> Vec<String> {
    let kernel = summary.kernel;
    let mut lines = Vec::new();
    for failure in failures {
        lines.push(format!("{kernel:17} FAILED: {}", failure.reason));
        lines.push(format!("  again: {}", again(failure, args)));
    }
    if failures.is_empty() {
        let mut line = format!("{kernel:17} {} of {} cases hold", summary.held, args.cases);
        if saved > 0 {
            line += &format!(", and {saved} that failed before");
        }
        if let Some(why) = refused {
            line += &format!("; the target refused {}: {why}", summary.refused);
        }
        lines.push(line);
    }
    lines
}

fn summary_value(
    summary: &Summary,
    saved: usize,
    refused: Option<&String>,
    failures: &[&Failure],
    args: &Args,
) -> Value {
    json!({
        "kernel": summary.kernel,
        "held": summary.held,
        "refused": summary.refused,
        "why_refused": refused,
        "replayed": saved,
        "failures": failures.iter().map(|f| failure_value(f, args)).collect::<Vec<_>>(),
    })
}

fn failure_value(failure: &Failure, args: &Args) -> Value {
    json!({ "reason": failure.reason, "case": failure.case, "again": again(failure, args) })
}

/// The command that runs a failing case again on the same target.
fn again(failure: &Failure, args: &Args) -> String {
    let case = &failure.case;
    let mut command = format!("hmx verify {} --case {}", case.kernel, case.to_text());
    if args.target != "sim" {
        command += &format!(" --target {}", args.target);
    }
    match args.arch {
        Some(arch) if arch != Arch::V81 => command + &format!(" --arch {arch}"),
        _ => command,
    }
}

fn one_case(
    text: &str,
    args: &Args,
    kernels: &[Kernel],
    under_test: &dyn KernelUnderTest,
    shell: &mut Shell,
) -> anyhow::Result<Outcome> {
    let case = Case::from_text(text)?;
    if !kernels.contains(&case.kernel) {
        bail!(
            "the case is one of {}, but {} was asked for; name {0} or all",
            case.kernel,
            kernels
                .iter()
                .map(Kernel::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let Replay { refused, failure } = runner::replay(&[case], under_test)?;
    if shell.json() {
        let failures: Vec<Value> = failure.iter().map(|f| failure_value(f, args)).collect();
        shell.value(
            &json!({ "kernel": case.kernel, "why_refused": refused, "failures": failures }),
        )?;
    } else {
        let found = match (&refused, &failure) {
            (Some(why), _) => format!("the target refused the case: {why}"),
            (None, Some(failure)) => format!("FAILED: {}", failure.reason),
            (None, None) => "the case holds".to_owned(),
        };
        shell.line(format!("{:17} {found}", case.kernel))?;
    }
    Ok(outcome(failure.is_some() || refused.is_some()))
}

fn outcome(failed: bool) -> Outcome {
    if failed {
        Outcome::Failed
    } else {
        Outcome::Expected
    }
}

/// A seed that differs from run to run.
fn new_seed() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |d| u64::from(d.subsec_nanos()) ^ d.as_secs())
        % 1_000_000_007
}
