//! `hmx completions`

use super::Cli;
use crate::shell::{Outcome, Shell};
use clap::CommandFactory;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell to complete for
    shell: clap_complete::Shell,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hmx", &mut script);
    shell.bytes(&script)?;
    Ok(Outcome::Expected)
}
