//! One self-contained C text from a root and the kernel sources that it includes.
//!
//! Exported code is the validated code: the sources go in as they are, each once, without
//! what only other builds need. HMX packets become assembly that a compiler with HMX support takes.

use crate::skel_build::{KERNELS, SHARED};
use hmx_abi::instructions;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Macros that are set or not in exported code: blocks under them are resolved.
const KNOWN: [(&str, bool); 2] = [("__hexagon__", true), ("HMXWB_FAULTS", false)];
/// In exported code stands for the first the second.
const IN_PLACE_OF: (&str, &str) = ("hmx_packet.h", "hmx_mnemonics.h");
/// Is written from the instruction table.
const TEXTS: &str = "hmx_text.h";
/// Where `TEXTS` goes, until it is known which instructions are used.
const TEXTS_HERE: &str = "@HMX_TEXTS@";

/// Replaces `#include "x"` in `root` by the text of the kernel source `x`; includes of other files stay.
pub fn amalgamate(root: &str) -> String {
    amalgamate_beside(root, &[])
}

/// The same, but what a file that `root` includes has already, the headers `given`, is left out.
pub fn amalgamate_beside(root: &str, given: &[&str]) -> String {
    let mut state = Amalgam::default();
    let names = given.iter().map(|name| format!("\"{name}\""));
    state.seen.extend(names);
    state.add(root, false);
    let texts = texts(&state.out);
    state.out.replace(TEXTS_HERE, texts.trim_end())
}

#[derive(Default)]
struct Amalgam {
    out: String,
    seen: BTreeSet<String>,
}

/// What an open `#if` means for its lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Stays in the text.
    Kept,
    /// Guards a header against a second inclusion: the lines go in, the directives do not.
    Guard,
    /// Resolved; whether its lines are in the text now.
    Resolved(bool),
}

impl Amalgam {
    /// Adds a text; one that is `included` loses its guard against a second inclusion.
    fn add(&mut self, text: &str, included: bool) {
        let mut blocks: Vec<Block> = Vec::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let skipped = blocks.contains(&Block::Resolved(false));
            let directive = line.trim_start();
            if directive.starts_with("#if") {
                let block = match opened(directive, lines.peek().copied()) {
                    Block::Guard if !included => Block::Kept,
                    block => block,
                };
                if block == Block::Guard {
                    lines.next(); // its #define
                }
                blocks.push(block);
                if block == Block::Kept && !skipped {
                    self.line(line);
                }
                continue;
            }
            match (directive.split_whitespace().next(), blocks.last_mut()) {
                (Some("#else"), Some(Block::Resolved(taken))) => {
                    *taken = !*taken;
                    continue;
                }
                (Some("#endif"), Some(&mut block)) => {
                    blocks.pop();
                    if block == Block::Kept && !skipped {
                        self.line(line);
                    }
                    continue;
                }
                _ => {}
            }
            if !skipped {
                self.include_or_line(line);
            }
        }
    }

    fn include_or_line(&mut self, line: &str) {
        let Some(name) = line.strip_prefix("#include ") else {
            return self.line(line);
        };
        let first = self.seen.insert(name.to_owned());
        match quoted(name).and_then(find) {
            Some(_) | None if !first => {}
            Some(Source::Texts) => self.line(TEXTS_HERE),
            Some(Source::Text(place, text)) => {
                self.line("");
                self.line(&format!("/* From {place}. */"));
                self.line("");
                self.add(text, true);
            }
            None => self.line(line),
        }
    }

    /// One line; never two empty ones in a row.
    fn line(&mut self, line: &str) {
        if line.is_empty() && (self.out.is_empty() || self.out.ends_with("\n\n")) {
            return;
        }
        self.out.push_str(line);
        self.out.push('\n');
    }
}

fn opened(directive: &str, next: Option<&str>) -> Block {
    for (name, set) in KNOWN {
        if directive == format!("#if defined({name})") {
            return Block::Resolved(set);
        }
        if directive == format!("#if !defined({name})") {
            return Block::Resolved(!set);
        }
    }
    match (directive.strip_prefix("#ifndef "), next) {
        (Some(guard), Some(next)) if next == format!("#define {guard}") => Block::Guard,
        _ => Block::Kept,
    }
}

fn quoted(name: &str) -> Option<&str> {
    name.strip_prefix('"')?.strip_suffix('"')
}

enum Source {
    Texts,
    /// Path in this repository, text.
    Text(String, &'static str),
}

/// A kernel source by the name in an `#include`; none for files of the runtime.
fn find(name: &str) -> Option<Source> {
    if name == TEXTS {
        return Some(Source::Texts);
    }
    let name = if name == IN_PLACE_OF.0 {
        IN_PLACE_OF.1
    } else {
        name
    };
    let in_kernels = |path: String| {
        let file = KERNELS.get_file(&path)?;
        Some((format!("dsp-kernels/{path}"), file))
    };
    let (place, file) = in_kernels(format!("include/{name}"))
        .or_else(|| in_kernels(name.to_owned()))
        .or_else(|| Some((format!("abi/include/{name}"), SHARED.get_file(name)?)))?;
    Some(Source::Text(place, file.contents_utf8()?))
}

/// The texts of the instructions that `code` uses, as macros of their register names.
fn texts(code: &str) -> String {
    let names: BTreeSet<&str> = code
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect();
    let mut out = String::from("/* HMX instructions as assembly. */\n");
    for i in instructions() {
        let name = i.c_name();
        if !names.contains(name.as_str()) {
            continue;
        }
        let text = format!("\"{}\"", i.syntax)
            .replace("Rs", "\" rs \"")
            .replace("Rt", "\" rt \"");
        let _ = writeln!(out, "#define HMX_TEXT_{name}(rs, rt) {text}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_go_in_once_and_without_other_builds() {
        let text = amalgamate(
            "#include \"expand_tile.h\"\n#include \"multiply_hf.h\"\n#include \"runtime.h\"\nint x;\n",
        );
        assert_eq!(text.matches("void expand_tile(").count(), 1);
        assert_eq!(text.matches("#define VECTOR 128u").count(), 1);
        assert_eq!(text.matches("#include <stdint.h>").count(), 1);
        assert!(text.contains("#include \"runtime.h\""));
        assert_eq!(text.matches("#include \"").count(), 1);
        for absent in ["native", "HMXWB_FAULTS", "__hexagon__", ".word", "_H\n"] {
            assert!(!text.contains(absent), "{absent} in {text}");
        }
        let opened = text.matches("\n#if").count();
        assert_eq!(opened, text.matches("\n#endif").count());
    }

    #[test]
    fn what_is_given_does_not_go_in() {
        let text = amalgamate_beside("#include \"regions.h\"\n", &["hmxwb.h"]);
        assert!(text.contains("hmxwb_region_bytes("));
        assert!(!text.contains("struct hmxwb_problem {"));
    }

    #[test]
    fn only_the_used_instructions_have_texts() {
        let text = amalgamate("#include \"multiply_hf.h\"\n");
        assert!(text.contains(
            "#define HMX_TEXT_HMX_ACTIVATION_HF_DEEP(rs, rt) \"activation.hf=mxmem(\" rs \",\" rt \"):deep\"\n"
        ));
        assert!(text.contains("#define HMX_TEXT_HMX_MXCLRACC_HF(rs, rt) \"mxclracc.hf\"\n"));
        assert!(!text.contains("HMX_TEXT_HMX_MXSWAPACC"));
    }
}
