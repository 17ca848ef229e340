//! `hmx export`

use crate::shell::{Outcome, Shell};
use anyhow::Context;
use hmx_workbench::export::certificate::{Certificate, NAME, Verified, now};
use hmx_workbench::export::identity::{Identity, sha256};
use hmx_workbench::export::silicon::Silicon;
use hmx_workbench::export::validate::{self, Order, Refusal, Verdict};
use hmx_workbench::export::{self, File, Runtime, check, folder, golden};
#[cfg(feature = "planted-faults")]
use hmx_workbench::kernels::Fault;
use hmx_workbench::kernels::Kernel;
use hmx_workbench::skel_build;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Write a verified kernel for a runtime, or check a folder written before
///
/// The kernel is verified first (simulation of every architecture, and the skel under QEMU where that is
/// installed); one that breaks a property does not leave, and the exit status is 1. The folder holds the
/// sources, a patch, tests, golden digests, and certificate.json: what was verified, when, and the digests of all files.
///
/// With --check, everything is held against the certificate: edited, missing and extra files, kernel sources
/// that have changed since, another llama.cpp.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["kernel", "check"]))]
pub struct Args {
    /// mm_hf, mm_w4a8, mm_w4a8_channel, mm_w4a16_fused or mm_w4a16_twopass
    #[arg(value_name = "KERNEL", requires_all = ["runtime", "out"])]
    kernel: Option<Kernel>,
    /// Who is to carry it
    #[arg(long)]
    runtime: Option<Runtime>,
    /// Folder to write; it must not be there yet, or be empty
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Cases to verify for each architecture in simulation; under QEMU an eighth of them
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,
    /// Seed of the cases
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// Use this verification instead of a new one: a certificate of at most a day, for the same sources, packers and tool
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    certificate: Option<PathBuf>,
    /// Dump folder of a probe that a device has run, for the certificate; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    device_dump: Vec<PathBuf>,
    /// Check this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["kernel", "runtime", "out"])]
    check: Option<PathBuf>,
    /// With --check: the llama.cpp folder that the export is to go into
    #[arg(long, value_name = "DIR", requires = "check")]
    llama: Option<PathBuf>,
    /// Build this defect into the kernel
    #[cfg(feature = "planted-faults")]
    #[arg(long, value_name = "DEFECT", value_parser = planted)]
    plant: Option<Fault>,
}

#[cfg(feature = "planted-faults")]
fn planted(name: &str) -> Result<Fault, String> {
    let names = Fault::ALL.map(Fault::name).join(", ");
    Fault::ALL
        .into_iter()
        .find(|f| f.name() == name)
        .ok_or(format!("use one of {names}"))
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    match (&args.check, args.kernel, args.runtime, &args.out) {
        (Some(dir), ..) => check_folder(dir, args.llama.as_deref(), shell),
        (None, Some(kernel), Some(runtime), Some(out)) => {
            export(kernel, runtime, out, &args, shell)
        }
        _ => anyhow::bail!("name a kernel with --runtime and --out, or a folder with --check"),
    }
}

fn check_folder(dir: &Path, llama: Option<&Path>, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let report = check::check(dir, llama)?;
    if shell.json() {
        shell.value(&report)?;
    } else {
        for problem in &report.problems {
            shell.line(problem)?;
        }
        if report.problems.is_empty() {
            shell.line(format!("{} files are as they were exported", report.files))?;
        }
    }
    for remark in &report.remarks {
        shell.remark(remark);
    }
    Ok(match report.problems.is_empty() {
        true => Outcome::Expected,
        false => Outcome::Failed,
    })
}

fn export(
    kernel: Kernel,
    runtime: Runtime,
    out: &Path,
    args: &Args,
    shell: &mut Shell,
) -> anyhow::Result<Outcome> {
    // What can be known to fail fails before the verification.
    export::check_form(kernel, runtime)?;
    folder::check_free(out)?;
    let silicon = Silicon::of(&args.device_dump)?;
    let verified = match verified(kernel, args, shell)? {
        Ok(verified) => verified,
        Err(refusal) => return refuse(kernel, &refusal, shell),
    };
    let export::Form { mut files, llama } = export::form(kernel, runtime)?;
    let golden = serde_json::to_string_pretty(&golden::golden(kernel))? + "\n";
    files.push(File::new("golden.json", golden));
    let certificate = Certificate::new(runtime.name(), llama, verified, silicon, &files);
    files.push(File::new(NAME, certificate.to_json()?));
    folder::write(out, &files)?;
    if shell.json() {
        shell.value(&certificate)?;
        return Ok(Outcome::Expected);
    }
    for run in &certificate.verified.runs {
        shell.line(format!(
            "{kernel} on {} ({}): {} cases hold; hmx: {}, hvx float: {}",
            run.target, run.arch, run.cases, run.hmx, run.hvx_float
        ))?;
    }
    for what in &certificate.verified.left_out {
        shell.line(format!("left out: {what}"))?;
    }
    shell.line(format!("silicon: {}", certificate.silicon.status))?;
    shell.line(format!(
        "{} files written to {}; its README.md has the next steps",
        files.len(),
        out.display()
    ))?;
    Ok(Outcome::Expected)
}

/// A verification of the kernel: the one of the certificate that was named, or a new one.
fn verified(
    kernel: Kernel,
    args: &Args,
    shell: &mut Shell,
) -> anyhow::Result<Result<Verified, Refusal>> {
    let identity = Identity::here().context("this program cannot read its own file")?;
    if let Some(file) = &args.certificate {
        let certificate = Certificate::read(file)?;
        return Ok(Ok(certificate.verified.usable(kernel, &identity)?));
    }
    let order = Order {
        kernel,
        cases: args.cases,
        seed: args.seed,
        #[cfg(feature = "planted-faults")]
        fault: args.plant,
        #[cfg(not(feature = "planted-faults"))]
        fault: None,
    };
    let at = now();
    let bar = shell.progress(validate::total(args.cases), "verify");
    let verdict = validate::verify(&order, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(match verdict? {
        Verdict::Fails(refusal) => Err(refusal),
        Verdict::Holds { runs, left_out } => Ok(Verified {
            kernel: kernel.name().to_owned(),
            identity,
            at,
            skels: skels(&runs)?,
            runs,
            left_out,
        }),
    })
}

/// Digests of the skels that ran.
fn skels(runs: &[validate::Run]) -> anyhow::Result<BTreeMap<hmx_abi::Arch, String>> {
    runs.iter()
        .filter(|run| run.target == "qemu")
        .map(|run| {
            Ok((
                run.arch,
                sha256(&std::fs::read(skel_build::skel(run.arch)?)?),
            ))
        })
        .collect()
}

fn refuse(kernel: Kernel, refusal: &Refusal, shell: &mut Shell) -> anyhow::Result<Outcome> {
    if shell.json() {
        shell.value(&serde_json::json!({
            "kernel": kernel.name(), "refused": refusal.reason, "target": refusal.target,
            "arch": refusal.arch, "case": refusal.case,
        }))?;
    } else {
        shell.line(format!(
            "{kernel} is not exported. On {} ({}): {}",
            refusal.target, refusal.arch, refusal.reason
        ))?;
        if let Some(case) = &refusal.case {
            shell.line(format!(
                "  again: hmx verify {kernel} --target {} --arch {} --case {case}",
                refusal.target, refusal.arch
            ))?;
        }
    }
    Ok(Outcome::Failed)
}
