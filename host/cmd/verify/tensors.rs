//! `hmx verify --gguf`: kernels on a model's tensors.

use super::{Args, outcome};
use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_workbench::verify::gguf::Gguf;
use hmx_workbench::verify::tensor::{self, Report};
use hmx_workbench::verify::{Kernel, KernelUnderTest};
use serde_json::json;
use std::path::Path;

pub fn on_tensors(
    file: &Path,
    args: &Args,
    kernels: &[Kernel],
    under_test: &dyn KernelUnderTest,
    shell: &mut Shell,
) -> anyhow::Result<Outcome> {
    let gguf = Gguf::open(file)?;
    let names = match &args.tensor {
        Some(name) => vec![name.as_str()],
        None => gguf.q4_0_names(),
    };
    if names.is_empty() {
        bail!(
            "{} has no two-dimensional Q4_0 tensor; quantise the model with `llama-quantize MODEL OUT Q4_0`",
            file.display()
        );
    }
    let bar = shell.progress((names.len() * kernels.len()) as u64, "verify");
    let mut reports: Vec<Report> = Vec::new();
    for name in names {
        for &kernel in kernels {
            let report = tensor::run(&gguf, name, kernel, under_test)
                .with_context(|| format!("cannot run {kernel} on tensor `{name}`"))?;
            reports.push(report);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if shell.json() {
        shell.value(&json!({ "target": args.target, "arch": args.arch, "tensors": reports }))?;
    } else {
        for report in &reports {
            for line in report_lines(report) {
                shell.line(line)?;
            }
        }
    }
    Ok(outcome(reports.iter().any(|r| r.failure.is_some())))
}

fn report_lines(report: &Report) -> Vec<String> {
    let [m, n, k] = report.shape;
    let e = &report.errors;
    let verdict = match &report.failure {
        Some(why) => format!("FAILED: {why}"),
        None => "agrees with the references".to_owned(),
    };
    vec![
        format!(
            "{} on {} (N {n}, K {k}) x {} (M {m}): {verdict}",
            report.kernel, report.tensor, report.activations
        ),
        format!(
            "  relative error against f32: max {:.3e}, mean {:.3e}, rms {:.3e}; largest of a single result {:.3e}",
            e.max, e.mean, e.rms, e.max_elementwise
        ),
    ]
}
