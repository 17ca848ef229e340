//! `hmx cc`: a compiler wrapper that knows HMX assembly.

use crate::shell::{Outcome, Shell};
use anyhow::Context;
use hmx_workbench::asm::{driver, llvm};
use std::ffi::OsString;

/// Compile for Hexagon with clang, HMX mnemonics in inline assembly included
///
/// Takes the arguments of clang and can stand in as CC. Assembly between clang's compiler and its
/// assembler is rewritten: HMX packets become instruction words, with the registers clang chose. A packet
/// that mixes HMX with other instructions is refused with its source line. Without --target, the
/// target is hexagon-unknown-elf. clang (version 19 or later) is taken from PATH or from HMX_CLANG.
#[derive(clap::Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Args {
    /// Arguments of clang
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    arguments: Vec<OsString>,
}

pub fn run(args: Args, _shell: &mut Shell) -> anyhow::Result<Outcome> {
    let clang = llvm::find("clang", "HMX_CLANG").context(
        "there is no clang of version 19 or later in PATH; install clang-22 and lld-22, or set HMX_CLANG",
    )?;
    Ok(match driver::run(&clang.path, &args.arguments)? {
        0 => Outcome::Expected,
        _ => Outcome::Failed,
    })
}
