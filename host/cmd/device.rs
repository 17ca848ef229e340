//! `hmx device`

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_workbench::device::adb::{Phone, Step};
use std::path::PathBuf;
use std::process::Command;

/// Drive a phone over adb: copy hmx and the skel to it, run there, fetch the results
#[derive(clap::Args)]
pub struct Args {
    /// Use adb (the only way there is so far)
    #[arg(long, required = true)]
    adb: bool,
    /// What to do
    step: Step,
    /// Serial number of the phone, where several are connected
    #[arg(long)]
    serial: Option<String>,
    /// Folder on the phone
    #[arg(long, default_value = "/data/local/tmp/hmx")]
    folder: String,
    /// push: hmx built for aarch64-linux-android
    #[arg(long, value_name = "FILE", required_if_eq("step", "push"))]
    hmx: Option<PathBuf>,
    /// push: the skel
    #[arg(long, value_name = "FILE", required_if_eq("step", "push"))]
    skel: Option<PathBuf>,
    /// pull: folder on this computer
    #[arg(long, value_name = "DIR", default_value = "device-results")]
    out: PathBuf,
    /// Print the commands, and run none
    #[arg(long)]
    dry_run: bool,
    /// run: what hmx does on the phone
    #[arg(last = true, default_values = ["probe", "run", "all", "--target", "device", "--out", "results"])]
    command: Vec<String>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let phone = Phone {
        serial: args.serial,
        folder: args.folder,
    };
    let commands = match args.step {
        Step::Push => {
            let (Some(hmx), Some(skel)) = (&args.hmx, &args.skel) else {
                bail!("push needs --hmx and --skel");
            };
            for file in [hmx, skel] {
                std::fs::metadata(file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
            }
            phone.push(hmx, skel)?
        }
        Step::Run => vec![phone.run(&args.command)?],
        Step::Pull => vec![phone.pull(&args.out)?],
        Step::Remove => vec![phone.remove()?],
    };
    for command in commands {
        if args.dry_run {
            shell.line(&command)?;
            continue;
        }
        let status = Command::new("adb")
            .args(&command.args)
            .status()
            .context("cannot start adb; install Android's platform tools (Debian package `adb`)")?;
        match status.code() {
            Some(0) => {}
            Some(1) if args.step == Step::Run => return Ok(Outcome::Failed),
            _ => bail!(
                "`{command}` failed ({status}); check that the phone is connected and allows debugging"
            ),
        }
    }
    Ok(Outcome::Expected)
}
