//! `hmx infer`

use super::analyze::width;
use super::target::TargetArgs;
use crate::shell::{Outcome, Shell};
use hmx_analysis::Request;
use hmx_analysis::infer::infer;
use hmx_workbench::target::Job;

/// Find the memory layout of the tiles of a multiply from position-coded probes
///
/// Knows nothing of layouts: it switches elements on by the bits of their position, looks which
/// readout bytes change, and compares what it found with the layouts of the HMX reference.
#[derive(clap::Args)]
pub struct Args {
    /// Weight loader: b, sm, n, c, sc, ubit, sbit, hf, f8
    #[arg(long, value_name = "L")]
    loader: String,
    /// Activation: ub, ub:cm, hf, f8
    #[arg(long, value_name = "T")]
    activation: String,
    /// Convert: ub, ub:cm, uh:2x1, uh:2x2, hf, f8
    #[arg(long, value_name = "C")]
    convert: String,
    #[command(flatten)]
    target: TargetArgs,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let request = Request::parse(&args.loader, &args.activation, &args.convert)?;
    let mut target = args.target.open()?;
    let about = target.describe();
    let progress = shell.progress(0, "probing");
    let found = infer(&request, |program, image, usr| {
        progress.inc(1);
        let ran = target.run(&Job {
            usr,
            program: program.clone(),
            image: image.to_vec(),
        })?;
        Ok(ran.image)
    });
    progress.finish_and_clear();
    let found = found?;
    if shell.json() {
        shell.value(&serde_json::json!({
            "loader": args.loader,
            "activation": args.activation,
            "convert": args.convert,
            "target": about.name,
            "arch": about.arch,
            "found": found,
        }))?;
        return Ok(Outcome::Expected);
    }
    shell.line(format!(
        "activation.{} x weight.{} -> {} on {} {}",
        args.activation, args.loader, args.convert, about.name, about.arch
    ))?;
    shell.line(found.text(width(shell)).trim_end())?;
    Ok(Outcome::Expected)
}
