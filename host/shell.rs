//! What every subcommand talks to: results on stdout, everything else on stderr.

use comfy_table::{ContentArrangement, Table, TableComponent, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Options that every subcommand has.
#[derive(clap::Args, Clone, Copy)]
pub struct Global {
    /// Print the result as JSON (docs/cli.md describes the forms)
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
    /// Show no progress and no remarks on stderr
    #[arg(long, short, global = true, help_heading = "Output")]
    pub quiet: bool,
}

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is as expected: exit status 0.
    Expected,
    /// A check failed: exit status 1.
    #[allow(dead_code)] // no subcommand that checks something yet
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Expected => ExitCode::SUCCESS,
            Outcome::Failed => ExitCode::from(1),
        }
    }
}

/// Where a subcommand prints.
pub struct Shell {
    global: Global,
    /// The reader of stdout has gone; the work goes on, because the exit status still counts.
    deaf: bool,
}

#[allow(dead_code)] // used as the subcommands are added
impl Shell {
    pub fn new(global: Global) -> Shell {
        Shell {
            global,
            deaf: false,
        }
    }

    /// Whether the result is wanted as JSON.
    pub fn json(&self) -> bool {
        self.global.json
    }

    /// Prints a line of the result.
    pub fn line(&mut self, text: impl Display) -> anyhow::Result<()> {
        self.bytes(format!("{text}\n").as_bytes())
    }

    /// Prints a value as JSON, indented.
    pub fn value(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        self.line(serde_json::to_string_pretty(value)?)
    }

    /// Prints a piece of the result as it stands.
    pub fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if self.deaf {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.deaf = true;
                Ok(())
            }
            other => Ok(other?),
        }
    }

    /// Prints a table, without blanks at line ends.
    pub fn print(&mut self, table: &Table) -> anyhow::Result<()> {
        self.line(table.trim_fmt())
    }

    /// An empty table that fits the terminal, or $COLUMNS, or 120 columns.
    pub fn table<const N: usize>(&self, header: [&str; N]) -> Table {
        let mut table = Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_style(TableComponent::HeaderLines, '-')
            .set_style(TableComponent::MiddleHeaderIntersections, ' ')
            .set_content_arrangement(ContentArrangement::Dynamic);
        if !io::stdout().is_terminal() {
            let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
            table.set_width(columns.unwrap_or(120));
        }
        table.set_header(header);
        table
    }

    /// A remark that is no part of the result.
    pub fn remark(&self, text: impl Display) {
        if !self.global.quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// A progress bar on stderr, drawn only on a terminal and without `--quiet`.
    pub fn progress(&self, length: u64, what: &'static str) -> ProgressBar {
        let shown = !self.global.quiet && io::stderr().is_terminal();
        let target = if shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(length), target).with_prefix(what);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar
    }

    /// An error as one line: what went wrong, then why.
    pub fn error(&self, error: &anyhow::Error) {
        let _ = writeln!(io::stderr(), "hmx: {}", one_line(error));
    }
}

/// Joins the chain of causes; a cause that the text before it repeats is left out.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if line.is_empty() {
            line = text;
        } else if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
    }
    line
}

/// A panic is a defect of this program: say so, and what to send in.
pub fn report_bugs() {
    std::panic::set_hook(Box::new(|info| {
        let _ = writeln!(
            io::stderr(),
            "hmx: this is a bug in hmx {}, not a mistake of yours: {info}\n\
             Please report these lines with the command you ran and its input.",
            env!("CARGO_PKG_VERSION"),
        );
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn causes_are_joined_and_repetitions_left_out() {
        let e = anyhow!("line 3: no tile `w`")
            .context("probes/x.toml, line 3: no tile `w`")
            .context("cannot run the probe");
        assert_eq!(
            one_line(&e),
            "cannot run the probe: probes/x.toml, line 3: no tile `w`"
        );
    }
}
