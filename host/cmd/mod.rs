//! The command line: one module for each subcommand.
//!
//! A subcommand has an `Args` (its options, derived by clap) and a
//! `run(args, shell) -> anyhow::Result<Outcome>`. It prints its result through the
//! [`Shell`], and says with the [`Outcome`] whether everything was as expected. An error
//! is for wrong usage or a wrong environment: it becomes one line and exit status 2.

mod analyze;
mod asm;
mod bench;
mod cc;
mod compare;
mod completions;
mod device;
mod device_worker;
mod disasm;
mod doctor;
mod explain;
mod export;
mod infer;
mod man;
mod plan;
mod probe;
mod replay;
mod skel;
mod target;
mod verify;

use crate::shell::{Global, Outcome, Shell};
use clap::{Parser, Subcommand};

/// Probe, verify and export matrix kernels for the Hexagon HMX, on any computer.
#[derive(Parser)]
#[command(name = "hmx", version, propagate_version = true, after_help = EXIT)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT: &str = "\
Exit status:
  0  everything is as expected
  1  a check failed: a mismatch, a failed property, a refused export
  2  wrong usage, wrong input, or something this computer lacks";

#[derive(Subcommand)]
pub enum Command {
    Analyze(analyze::Args),
    Asm(asm::Args),
    Bench(bench::Args),
    Cc(cc::Args),
    Compare(compare::Args),
    Completions(completions::Args),
    Device(device::Args),
    #[command(hide = true)]
    DeviceWorker(device_worker::Args),
    Disasm(disasm::Args),
    Doctor(doctor::Args),
    Explain(explain::Args),
    Export(export::Args),
    Infer(infer::Args),
    Man(man::Args),
    Plan(plan::Args),
    Probe(probe::Args),
    Replay(replay::Args),
    Skel(skel::Args),
    Verify(verify::Args),
}

/// Runs one subcommand.
pub fn run(command: Command, shell: &mut Shell) -> anyhow::Result<Outcome> {
    match command {
        Command::Analyze(args) => analyze::run(args, shell),
        Command::Asm(args) => asm::run(args, shell),
        Command::Bench(args) => bench::run(args, shell),
        Command::Cc(args) => cc::run(args, shell),
        Command::Compare(args) => compare::run(args, shell),
        Command::Completions(args) => completions::run(args, shell),
        Command::Device(args) => device::run(args, shell),
        Command::DeviceWorker(args) => device_worker::run(args, shell),
        Command::Disasm(args) => disasm::run(args, shell),
        Command::Doctor(args) => doctor::run(args, shell),
        Command::Explain(args) => explain::run(args, shell),
        Command::Export(args) => export::run(args, shell),
        Command::Infer(args) => infer::run(args, shell),
        Command::Man(args) => man::run(args, shell),
        Command::Plan(args) => plan::run(args, shell),
        Command::Probe(args) => probe::run(args, shell),
        Command::Replay(args) => replay::run(args, shell),
        Command::Skel(args) => skel::run(args, shell),
        Command::Verify(args) => verify::run(args, shell),
    }
}
