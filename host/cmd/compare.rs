//! `hmx compare`

use super::analyze::{read, width};
use crate::shell::{Outcome, Shell};
use hmx_analysis::compare::{Side, compare};
use std::path::PathBuf;

/// Compare two dumps of one probe, or a dump with the model
///
/// Names the first difference, counts them, and gives the largest error in units of the last
/// place. Bytes that neither run wrote are equal. Ends with status 1 when anything differs.
#[derive(clap::Args)]
pub struct Args {
    /// Dump folder
    #[arg(value_name = "DUMP")]
    a: PathBuf,
    /// Another dump folder, or `model` to run the dump's probe on the model of its architecture
    #[arg(value_name = "DUMP|model")]
    b: PathBuf,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let (dump, probe) = read(&args.a)?;
    let a = Side::of(args.a.display().to_string(), &dump);
    let b = if args.b.as_os_str() == "model" {
        Side::model(&dump, &probe)?
    } else {
        let (other, _) = read(&args.b)?;
        Side::of(args.b.display().to_string(), &other)
    };
    let comparison = compare(&a, &b, &probe)?;
    if shell.json() {
        shell.value(&comparison)?;
    } else {
        shell.line(comparison.text(width(shell)).trim_end())?;
    }
    Ok(if comparison.equal {
        Outcome::Expected
    } else {
        Outcome::Failed
    })
}
