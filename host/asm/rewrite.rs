//! Assembly text of a compiler: HMX packets out, instruction words in.
//!
//! Packets are found by their braces; an HMX instruction without braces is a packet too.
//! Everything that is not HMX stays as it is, so an assembler still sees and judges it.

use super::tokens::{Token, tokens};
use hmx_abi::asm;
use std::ops::Range;

/// Text with its HMX packets replaced.
#[derive(Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The new text.
    pub text: String,
    /// Packets replaced.
    pub packets: usize,
}

/// Why a packet is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// `{hmx}` and `{other}` stand in one packet; give the HMX instructions a packet of their own.
    #[error(
        "`{hmx}` and `{other}` stand in one packet; give the HMX instructions a packet of their own"
    )]
    Mixed {
        /// The HMX instruction.
        hmx: String,
        /// The other one.
        other: String,
    },
    /// `{0}` follows the packet; an HMX packet takes no suffix, take it out.
    #[error("`{0}` follows the packet; an HMX packet takes no suffix, take it out")]
    Suffix(String),
    /// The HMX instructions cannot be read or do not make a packet.
    #[error(transparent)]
    Asm(#[from] AsmMessage),
}

/// An error of the assembly, without its place (which is told separately).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AsmMessage(pub String);

/// A packet that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// Where it stands in the assembly text.
    pub at: usize,
    /// The reason, with the way out.
    pub why: Why,
}

/// Replaces the HMX packets of assembly text.
///
/// # Errors
/// The first packet that cannot become words.
pub fn rewrite(text: &str) -> Result<Rewritten, Refusal> {
    let mut out = String::with_capacity(text.len());
    let mut kept = 0; // text before this byte is in `out`
    let mut packets = 0;
    let mut open: Option<(usize, Vec<Range<usize>>)> = None;
    for token in tokens(text) {
        let (span, statements) = match token {
            Token::Open(at) => {
                open = Some((at, Vec::new()));
                continue;
            }
            Token::Statement(span) => match &mut open {
                Some((_, statements)) => {
                    statements.push(span);
                    continue;
                }
                None => (span.clone(), vec![span]),
            },
            Token::Close(at) => match open.take() {
                Some((start, statements)) => (start..at + 1, statements),
                None => continue, // the assembler will say so
            },
        };
        let part = |r: &Range<usize>| text.get(r.clone()).unwrap_or_default();
        let Some(hmx) = statements.iter().find(|s| is_hmx(part(s))) else {
            continue;
        };
        if let Some(other) = statements.iter().find(|s| !is_hmx(part(s))) {
            return Err(Refusal {
                at: hmx.start,
                why: Why::Mixed {
                    hmx: squeeze(part(hmx)),
                    other: squeeze(part(other)),
                },
            });
        }
        let after = after_packet(text, span.end);
        if after.starts_with(':') && span.end > 0 && text.as_bytes()[span.end - 1] == b'}' {
            return Err(Refusal {
                at: hmx.start,
                why: Why::Suffix(after.trim().to_owned()),
            });
        }
        let packet = asm::assemble_registers(part(&span)).map_err(|e| Refusal {
            at: span.start + e.span.start,
            why: AsmMessage(e.message()).into(),
        })?;
        let words: Vec<String> = packet
            .iter()
            .flat_map(|p| p.words())
            .map(|w| format!("{w:#010x}"))
            .collect();
        out.push_str(part(&(kept..span.start)));
        out.push_str(".word ");
        out.push_str(&words.join(", "));
        if !after.is_empty() {
            out.push_str("; "); // another statement follows on this line
        }
        kept = span.end;
        packets += 1;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Ok(Rewritten { text: out, packets })
}

/// What follows on the same line, up to a separator or a comment.
fn after_packet(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(['\n', ';', '}']).unwrap_or(rest.len());
    let line = rest.get(..end).unwrap_or_default().trim();
    if line.starts_with("//") || line.starts_with("/*") {
        ""
    } else {
        line
    }
}

/// Without comments and with single spaces, for messages.
fn squeeze(statement: &str) -> String {
    let mut plain = String::new();
    let mut rest = statement;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    let plain = plain.split("//").next().unwrap_or_default();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a statement is, or is meant to be, an HMX instruction: by how it begins. No
/// instruction of Hexagon without HMX begins like this.
fn is_hmx(statement: &str) -> bool {
    let tight: String = squeeze(statement)
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    [
        "activation.",
        "weight.",
        "bias=mx",
        "mxmem",
        "cvt.",
        "mxclracc",
        "mxswapacc",
        "acc=mx",
    ]
    .iter()
    .any(|start| tight.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hmx_abi::instructions;

    fn text(input: &str) -> String {
        rewrite(input).unwrap().text
    }

    #[test]
    fn what_marks_hmx_covers_the_whole_table() {
        for i in instructions() {
            assert!(is_hmx(i.syntax), "{}", i.syntax);
        }
        for other in [
            "r0 = add(r1,r2)",
            "memw(r0) = r1",
            "v0.w = vmem(r1)",
            "acc = r1",
        ] {
            assert!(!is_hmx(other), "{other}");
        }
    }

    #[test]
    fn packets_become_words_and_the_rest_stays() {
        let input = "\
\t.file\t\"a;{b.c\" // { weight.hf
f:\n\t{\n\t\tr0 = #1\n\t\tr1 = #2\n\t}
\t//# InlineAsm Start
\t{ activation . hf = mxmem ( r0 , r1 )   // a comment
  weight.hf=mxmem(r2,r3) }
\t//# InlineAsm End
label: mxclracc.hf; cvt.hf = acc(r2)
\t{ mxmem(r4,r5)=cvt } ; r7 = #0\n";
        let wanted = "\
\t.file\t\"a;{b.c\" // { weight.hf
f:\n\t{\n\t\tr0 = #1\n\t\tr1 = #2\n\t}
\t//# InlineAsm Start
\t.word 0x920041e4, 0x9202e3ef
\t//# InlineAsm End
label: .word 0xa6e0c013; .word 0xa6e2da10
\t.word 0xa6e4c518 ; r7 = #0\n";
        assert_eq!(text(input), wanted);
        assert_eq!(rewrite(input).unwrap().packets, 4);
    }

    #[test]
    fn packets_on_one_line_stay_apart() {
        assert_eq!(
            text("{ mxclracc } { r0 = #1 }\n"),
            ".word 0xa6e0c011;  { r0 = #1 }\n"
        );
        assert_eq!(
            text("{ mxclracc } { mxswapacc } // x\n"),
            ".word 0xa6e0c011;  .word 0xa6e0c014 // x\n"
        );
    }

    #[test]
    fn strings_and_comments_are_no_instructions() {
        for input in [
            "\t.ascii \"mxclracc\\\" ; mxclracc\"\n",
            "# mxclracc\n",
            "// mxclracc\n",
            "/* { mxclracc\n } */ r0 = #1\n",
        ] {
            assert_eq!(text(input), input);
        }
    }

    fn refusal(input: &str) -> (usize, String) {
        let r = rewrite(input).unwrap_err();
        (r.at, r.to_string())
    }

    #[test]
    fn what_would_be_miscompiled_is_refused() {
        assert_eq!(
            refusal("f:\n{ mxclracc.hf\n r0 = #1 }"),
            (
                5,
                "`mxclracc.hf` and `r0 = #1` stand in one packet; give the HMX instructions a packet of their own".into()
            )
        );
        assert_eq!(
            refusal("{ mxclracc }:endloop0\n"),
            (
                2,
                "`:endloop0` follows the packet; an HMX packet takes no suffix, take it out".into()
            )
        );
        assert!(
            refusal("{ weight.hf=mxmem(r0,r1) }")
                .1
                .contains("stands alone")
        );
        assert!(
            refusal("mxmem(r0,r1):befor.hf=acc")
                .1
                .contains("nearest forms")
        );
        let (at, text) = refusal("r1 = #0\n bias=mxmem2(#4)");
        assert_eq!(at, 21);
        assert!(text.contains("`#4` is no operand"), "{text}");
    }
}
