//! `hmx probe show`

use super::select::select;
use crate::shell::{Outcome, Shell};

/// Print the definitions of probes, to read or to start one of your own from
#[derive(clap::Args)]
pub struct Args {
    /// Probes, families or files
    #[arg(required = true, value_name = "NAME|FILE")]
    probes: Vec<String>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let probes = select(&args.probes)?;
    if shell.json() {
        let definitions: Vec<serde_json::Value> = probes
            .iter()
            .map(|p| {
                serde_json::json!({
                    "probe": p.name,
                    "question": p.question,
                    "arch_min": p.arch_min,
                    "recorded": p.recorded,
                    "toml": p.source,
                })
            })
            .collect();
        shell.value(&definitions)?;
        return Ok(Outcome::Expected);
    }
    for (index, probe) in probes.iter().enumerate() {
        if probes.len() > 1 {
            let blank = if index > 0 { "\n" } else { "" };
            shell.line(format!("{blank}## {}", probe.name))?;
        }
        shell.line(probe.source.trim_end())?;
    }
    Ok(Outcome::Expected)
}
