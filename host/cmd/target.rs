//! `--target` and `--arch`: which target a subcommand uses.

use anyhow::bail;
use hmx_abi::Arch;
use hmx_workbench::device::{Device, Settings};
use hmx_workbench::target::{Target, replay::Replay, sim::Sim};
use std::path::Path;

/// Options of every subcommand that runs something on a target.
#[derive(clap::Args)]
pub struct TargetArgs {
    /// Where to run: `sim`, `qemu`, `device`, or `replay:DIR` for the dumps in a folder
    #[arg(long, default_value = "sim")]
    pub target: String,
    /// Architecture version [default: what the target is; v81 for sim and qemu]
    #[arg(long)]
    pub arch: Option<Arch>,
}

impl TargetArgs {
    /// The target, ready to run.
    pub fn open(&self) -> anyhow::Result<Box<dyn Target>> {
        let newest = self.arch.unwrap_or(Arch::V81);
        let target: Box<dyn Target> = match self.target.as_str() {
            "sim" => Box::new(Sim::new(newest)),
            "qemu" => qemu(newest)?,
            "device" => Box::new(Device::open(Settings::from_environment(self.arch)?)?),
            other => match other.strip_prefix("replay:") {
                Some(dir) => Box::new(Replay::open(Path::new(dir))?),
                None => {
                    bail!("there is no target `{other}`; use sim, qemu, device, or replay:DIR")
                }
            },
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

#[cfg(target_os = "linux")]
fn qemu(arch: Arch) -> anyhow::Result<Box<dyn Target>> {
    Ok(Box::new(hmx_workbench::target::qemu::Qemu::open(arch)?))
}

#[cfg(not(target_os = "linux"))]
fn qemu(_: Arch) -> anyhow::Result<Box<dyn Target>> {
    bail!("target `qemu` needs Linux; use sim")
}
