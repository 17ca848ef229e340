//! `hmx device-worker`: the child process of a device job.

use crate::shell::{Outcome, Shell};
use anyhow::Context;
use std::path::PathBuf;

/// Do one device job; started by other subcommands only
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the job
    folder: PathBuf,
}

pub fn run(args: Args, _shell: &mut Shell) -> anyhow::Result<Outcome> {
    hmx_workbench::device::worker::work(&args.folder)
        .with_context(|| format!("cannot do the device job in {}", args.folder.display()))?;
    Ok(Outcome::Expected)
}
