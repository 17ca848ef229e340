//! The `hmx` command.

mod cmd;
mod shell;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    shell::report_bugs();
    let cli = cmd::Cli::parse();
    let mut shell = shell::Shell::new(cli.global);
    match cmd::run(cli.command, &mut shell) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            shell.error(&error);
            ExitCode::from(2)
        }
    }
}
