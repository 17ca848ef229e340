//! `hmx asm`: assembly to instruction words.

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_abi::{Arch, asm};
use serde::Serialize;
use std::io::Read;

/// Turn HMX assembly into instruction words
///
/// Prints one line for each packet. Operands must be registers, because only they fit into a
/// word: `{activation.hf=mxmem(r0,r1); weight.hf=mxmem(r2,r3)}`. The instructions are listed
/// in docs/isa.md.
#[derive(clap::Args)]
pub struct Args {
    /// The assembly, or `-` to read it from standard input
    text: String,
    /// Refuse instructions that this version does not have (v68 to v81)
    #[arg(long)]
    arch: Option<Arch>,
}

#[derive(Serialize)]
struct Record {
    line: usize,
    text: String,
    words: Vec<String>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let text = if args.text == "-" {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context("cannot read standard input as text")?;
        text
    } else {
        args.text
    };
    let mut records = Vec::new();
    for located in asm::assemble_registers_located(&text)? {
        if let Some(arch) = args.arch {
            let line = located.line;
            let checked = located.packet.check(arch);
            checked.with_context(|| format!("line {line}"))?;
        }
        let words = located.packet.words();
        records.push(Record {
            line: located.line,
            text: located.packet.to_string(),
            words: words.iter().map(|w| format!("{w:#010x}")).collect(),
        });
    }
    if records.is_empty() {
        bail!("there is no instruction in the text; write one, such as `mxclracc.hf`");
    }
    if shell.json() {
        shell.value(&records)?;
    } else {
        for record in &records {
            shell.line(record.words.join(" "))?;
        }
    }
    Ok(Outcome::Expected)
}
