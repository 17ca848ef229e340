//! `hmx man`

use super::Cli;
use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use clap::CommandFactory;
use std::path::PathBuf;

/// Print a manual page, or write all of them to a folder
#[derive(clap::Args)]
pub struct Args {
    /// Subcommand to describe; `hmx` itself when left out
    #[arg(conflicts_with = "out")]
    subcommand: Vec<String>,
    /// Write `hmx.1` and one page for each subcommand to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let mut top = Cli::command();
    top.build();
    if let Some(folder) = args.out {
        std::fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(top, &folder))
            .with_context(|| format!("cannot write manual pages to {}", folder.display()))?;
        return Ok(Outcome::Expected);
    }
    let mut command = &top;
    for name in &args.subcommand {
        match command.find_subcommand(name) {
            Some(found) => command = found,
            None => bail!("there is no subcommand `{name}`; `hmx help` lists them"),
        }
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    shell.bytes(&page)?;
    Ok(Outcome::Expected)
}
