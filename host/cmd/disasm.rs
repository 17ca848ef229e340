//! `hmx disasm`: code to assembly, HMX included.

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_abi::{Arch, decode};
use hmx_workbench::asm::elf::{self, FileKind, Image};
use hmx_workbench::asm::listing::{self, Choice, PacketRecord};
use hmx_workbench::asm::llvm::{self, LlvmText};
use hmx_workbench::asm::summary::Summary;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the code of a Hexagon ELF file, HMX instructions included
///
/// Words that are not HMX are printed as llvm-objdump (version 19 or later) prints them, when it
/// is in PATH or named by HMX_LLVM_OBJDUMP; else as raw words. A summary of the HMX instructions
/// follows. Exit status 1 when packets break the pairing rules, or when --arch lacks an instruction.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("input").required(true).args(["file", "words"]))]
pub struct Args {
    /// Object file, executable or shared object (a skel)
    file: Option<PathBuf>,
    /// Disassemble these words instead: "0x920041E4 0x9202E3EF"
    #[arg(long, conflicts_with_all = ["symbol", "only_hmx"])]
    words: Option<String>,
    /// Only the code of this symbol
    #[arg(long)]
    symbol: Option<String>,
    /// Only packets with HMX in them
    #[arg(long)]
    only_hmx: bool,
    /// Check that this version has every HMX instruction (v68 to v81)
    #[arg(long)]
    arch: Option<Arch>,
}

#[derive(Serialize)]
struct Record<'a> {
    kind: FileKind,
    built_for: Option<String>,
    stripped: bool,
    sections: Vec<SectionRecord<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct SectionRecord<'a> {
    name: &'a str,
    address: u32,
    packets: Vec<PacketRecord>,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let mut choice = Choice {
        only_hmx: args.only_hmx,
        part: None,
        arch: args.arch,
    };
    let summary = match (&args.words, &args.file) {
        (Some(words), _) => {
            let image = listing::of_words(parse_words(words)?);
            if shell.json() {
                json(&image, None, &choice, shell)?
            } else {
                let all_hmx = image
                    .code
                    .iter()
                    .flat_map(|c| &c.words)
                    .all(|&w| decode(w).is_some());
                let llvm = if all_hmx {
                    None
                } else {
                    text_of(&image, None, shell)
                };
                let (lines, summary) = listing::short(&image, llvm.as_ref(), &choice)?;
                lines.iter().try_for_each(|line| shell.line(line))?;
                for line in &summary.unavailable {
                    shell.remark(line);
                }
                summary
            }
        }
        (None, Some(file)) => {
            let image = elf::read_file(file)?;
            if let Some(name) = &args.symbol {
                let found = listing::symbol(&image, name);
                choice.part = Some(found.with_context(|| file.display().to_string())?);
            }
            if shell.json() {
                json(&image, Some(file), &choice, shell)?
            } else {
                text(&image, file, &choice, shell)?
            }
        }
        (None, None) => bail!("name a file, or pass words with --words"),
    };
    let fine = summary.broken.is_empty() && summary.unavailable.is_empty();
    Ok(if fine {
        Outcome::Expected
    } else {
        Outcome::Failed
    })
}

/// LLVM's text, unless only HMX is of interest or there is no LLVM (which is said).
fn text_of(image: &Image, file: Option<&Path>, shell: &Shell) -> Option<LlvmText> {
    let Some(tool) = llvm::find("llvm-objdump", "HMX_LLVM_OBJDUMP") else {
        shell.remark(
            "there is no llvm-objdump of version 19 or later, so words that are not HMX stay raw; \
             install llvm, or set HMX_LLVM_OBJDUMP",
        );
        return None;
    };
    let text = LlvmText::of(&tool, image, file);
    text.map_err(|e| shell.remark(format!("{}: {e}; words stay raw", tool.path.display())))
        .ok()
}

/// Whether LLVM's text can be seen in the listing at all: with --only-hmx, only where a packet
/// mixes HMX with other instructions.
fn wants_llvm(image: &Image, choice: &Choice) -> anyhow::Result<bool> {
    if !choice.only_hmx {
        return Ok(true);
    }
    let counted = listing::text(image, None, choice, |_| Ok(()))?;
    Ok(!counted.broken.is_empty())
}

fn text(image: &Image, file: &Path, choice: &Choice, shell: &mut Shell) -> anyhow::Result<Summary> {
    let kind = match image.kind {
        FileKind::Object => "object file",
        FileKind::Executable => "executable",
        FileKind::SharedObject => "shared object",
        FileKind::Other => "ELF file",
    };
    shell.line(format!(
        "{}: Hexagon {kind}, built for {}",
        file.display(),
        built_for(image).unwrap_or_else(|| "an unnamed version".to_owned())
    ))?;
    if image.stripped {
        shell.line("no section headers: whole executable segments are listed, data in them too")?;
    }
    let llvm = if wants_llvm(image, choice)? {
        text_of(image, Some(file), shell)
    } else {
        None
    };
    let summary = listing::text(image, llvm.as_ref(), choice, |page| {
        shell.bytes(page.as_bytes())
    })?;
    shell.line("")?;
    summary
        .lines()
        .iter()
        .try_for_each(|line| shell.line(line))?;
    Ok(summary)
}

fn json(
    image: &Image,
    file: Option<&Path>,
    choice: &Choice,
    shell: &mut Shell,
) -> anyhow::Result<Summary> {
    let llvm = if wants_llvm(image, choice)? {
        text_of(image, file, shell)
    } else {
        None
    };
    let (packets, summary) = listing::records(image, llvm.as_ref(), choice)?;
    let sections = image.code.iter().zip(packets);
    shell.value(&Record {
        kind: image.kind,
        built_for: built_for(image),
        stripped: image.stripped,
        sections: sections
            .map(|(code, packets)| SectionRecord {
                name: &code.name,
                address: code.address,
                packets,
            })
            .collect(),
        summary: summary.clone(),
    })?;
    Ok(summary)
}

fn built_for(image: &Image) -> Option<String> {
    (image.version != 0).then(|| format!("v{}", image.version))
}

/// Words in hexadecimal, separated by spaces or commas, with or without `0x`.
fn parse_words(text: &str) -> anyhow::Result<Vec<u32>> {
    let words: anyhow::Result<Vec<u32>> = text
        .split([' ', ',', '\n', '\t', '\r'])
        .filter(|w| !w.is_empty())
        .map(|w| {
            let digits = w.trim_start_matches("0x").trim_start_matches("0X");
            u32::from_str_radix(digits, 16).with_context(|| {
                format!(
                    "`{w}` is no word; write up to eight hexadecimal digits, such as 0x920041E4"
                )
            })
        })
        .collect();
    let words = words?;
    if words.is_empty() {
        bail!("--words is empty; write words such as \"0x920041E4 0x9202E3EF\"");
    }
    Ok(words)
}
