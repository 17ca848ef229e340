//! `hmx doctor`

use crate::shell::{Outcome, Shell};
use hmx_abi::Arch;
use hmx_workbench::device::Settings;
use hmx_workbench::doctor::{Place, examine};
use hmx_workbench::finding::{Finding, any_problem};
use serde_json::json;

/// Say what is wrong with this computer's way to a DSP, and what to do
#[derive(clap::Args)]
pub struct Args {
    /// The device's architecture, where the driver does not tell it
    #[arg(long)]
    arch: Option<Arch>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let settings = Settings::for_doctor(args.arch)?;
    let found = examine(&Place::here(), &settings);
    print(&found, shell)?;
    Ok(match any_problem(&found) {
        true => Outcome::Failed,
        false => Outcome::Expected,
    })
}

/// Prints findings, one a line with what to do below it, or as JSON.
pub fn print(found: &[Finding], shell: &mut Shell) -> anyhow::Result<()> {
    if shell.json() {
        return shell.value(&json!({ "findings": found }));
    }
    found.iter().try_for_each(|finding| shell.line(finding))
}
