//! `hmx probe`

mod columns;
mod html;
mod list;
mod run;
mod select;
mod show;
mod table;

use crate::shell::{Outcome, Shell};

/// List, show and run single-tile probes
///
/// A probe is one question to the matrix unit: known tiles, a short program, the ranges read back,
/// and what each outcome would mean. docs/probes.md describes the files.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Run(run::Args),
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    match args.command {
        Command::List(args) => list::run(args, shell),
        Command::Show(args) => show::run(args, shell),
        Command::Run(args) => run::run(args, shell),
    }
}
