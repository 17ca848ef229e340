//! `--target` and `--arch`: which target a subcommand uses.

use anyhow::bail;
use hmx_abi::Arch;
use hmx_workbench::device::{settings::Settings, target::Device};
use hmx_workbench::target::{Target, replay::Replay, sim::Sim};
use std::path::Path;

/// Options of every subcommand that runs something on a target.
#[derive(clap::Args)]
pub struct TargetArgs {
    /// Where to run: `sim`, `device`, or `replay:DIR` for the dumps in a folder
    #[arg(long, default_value = "sim")]
    pub target: String,
    /// Architecture version [default: v81, or what the target is]
    #[arg(long)]
    pub arch: Option<Arch>,
}

impl TargetArgs {
    /// The target, ready to run.
    pub fn open(&self) -> anyhow::Result<Box<dyn Target>> {
        let target: Box<dyn Target> = match self.target.split_once(':') {
            None if self.target == "sim" => Box::new(Sim::new(self.arch.unwrap_or(Arch::V81))),
            None if self.target == "device" => {
                Box::new(Device::open(Settings::from_environment(self.arch)?)?)
            }
            Some(("replay", dir)) => Box::new(Replay::open(Path::new(dir))?),
            _ => bail!(
                "there is no target `{}`; use sim, device, or replay:DIR",
                self.target
            ),
        };
        let is = target.describe().arch;
        match self.arch {
            Some(wanted) if wanted != is => {
                bail!(
                    "target `{}` is {is}, not {wanted}; leave --arch out",
                    self.target
                )
            }
            _ => Ok(target),
        }
    }
}
