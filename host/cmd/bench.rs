//! `hmx bench`

use crate::shell::{Outcome, Shell};
use hmx_abi::Arch;
use hmx_workbench::bench::model::{Figure, figures};
use serde::Serialize;
use std::time::Duration;

/// Measure the model's multiply, in multiply-accumulates per second
///
/// Every weight loader is run on one core with `:deep` packets of 1024 input channels. Beside it
/// stands a naive product of the same shape (three loops), measured in the same run.
#[derive(clap::Args)]
pub struct Args {
    /// Architecture version to model
    #[arg(long, default_value = "v81")]
    arch: Arch,
    /// Seconds for each measurement
    #[arg(long, default_value_t = 0.3, value_parser = seconds)]
    seconds: f64,
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
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    if cfg!(debug_assertions) {
        shell.remark("hmx bench: this is a debug build; use `cargo run --release -- bench`");
    }
    let time = Duration::from_secs_f64(args.seconds);
    let progress = shell.progress(9, "measuring");
    let model = figures(args.arch, time, |_| progress.inc(1))?;
    progress.finish_and_clear();
    if shell.json() {
        shell.value(&Report {
            arch: args.arch,
            optimised: !cfg!(debug_assertions),
            model,
        })?;
        return Ok(Outcome::Expected);
    }
    shell.line(format!(
        "model of {}, one core, MAC/s (a packet: 1024 input channels, :deep)\n",
        args.arch
    ))?;
    let mut table = shell.table(["multiply", "MAC a packet", "model", "naive loops", "ratio"]);
    for f in &model {
        table.add_row([
            format!("activation.{} x weight.{}", f.activation, f.loader),
            f.macs.to_string(),
            rate(f.model),
            rate(f.naive),
            format!("{:.1}", f.model / f.naive),
        ]);
    }
    shell.line(table)?;
    shell.line("\nnaive loops: uint8 x int8 into int32, or fp16 x fp16 into f32, as the compiler makes them")?;
    Ok(Outcome::Expected)
}

/// 7.31 G, 250 M.
fn rate(per_second: f64) -> String {
    if per_second >= 1e9 {
        format!("{:.2} G", per_second / 1e9)
    } else {
        format!("{:.0} M", per_second / 1e6)
    }
}
