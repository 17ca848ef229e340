//! One packet of a listing, as text.

use super::llvm::LlvmText;
use super::packets::{self, HmxPacket};
use hmx_abi::Inst;
use std::fmt::Write;

/// One packet while it is listed.
pub struct View<'a> {
    /// The piece of code it lies in.
    pub piece: usize,
    /// Index of its first word there.
    pub first: usize,
    /// Address of its first word.
    pub address: u32,
    /// Its words.
    pub words: &'a [u32],
    /// What is HMX in it.
    pub hmx: Option<HmxPacket>,
    /// LLVM's text for the rest.
    pub llvm: Option<&'a LlvmText>,
}

impl View<'_> {
    /// The text of one word, without braces.
    fn word(&self, n: usize, out: &mut String) {
        let decoded = self.hmx.as_ref().and_then(|h| h.words.get(n)).copied();
        let _ = match (decoded.flatten(), self.llvm) {
            (Some(d), _) => write!(
                out,
                "{}",
                Inst {
                    instr: d.instr,
                    rs: d.rs,
                    rt: d.rt
                }
            ),
            (None, Some(llvm)) => match llvm.word(self.piece, self.first + n) {
                Some((text, _)) => {
                    text.split('\t').for_each(|t| out.push_str(t));
                    Ok(())
                }
                None => write!(out, "<unknown>"),
            },
            (None, None) => write!(out, "{:#010x}", self.words.get(n).copied().unwrap_or(0)),
        };
    }

    /// What stands after the closing brace: LLVM's word for it, else the loop marks.
    fn suffix(&self) -> &str {
        let last = (self.first + self.words.len()).saturating_sub(1);
        match self.llvm.and_then(|l| l.word(self.piece, last)) {
            Some((_, suffix)) if self.hmx.is_none() => suffix,
            _ => packets::loop_end(self.words),
        }
    }

    /// How it breaks the pairing rules.
    pub fn problem(&self) -> Option<String> {
        let problem = self.hmx.as_ref()?.packet.as_ref().err()?;
        Some(problem.to_string())
    }

    /// One line for each word.
    pub fn lines(&self, out: &mut String) {
        let last = self.words.len().saturating_sub(1);
        for (n, word) in self.words.iter().enumerate() {
            let address = self.address.wrapping_add(n as u32 * 4);
            let brace = if n == 0 { '{' } else { ' ' };
            let _ = write!(out, "{address:8x}: {word:08x}  {brace} ");
            self.word(n, out);
            if n == last {
                let _ = write!(out, " }}{}", self.suffix());
                if let Some(problem) = self.problem() {
                    let _ = write!(out, "  // {problem}");
                }
            }
            out.push('\n');
        }
    }

    /// The packet as one line: in the canonical form when it is all HMX.
    pub fn line(&self) -> String {
        let mut line = String::new();
        match &self.hmx {
            Some(HmxPacket {
                packet: Ok(packet), ..
            }) => {
                let _ = write!(line, "{packet}");
            }
            _ => {
                line.push('{');
                for n in 0..self.words.len() {
                    if n > 0 {
                        line.push_str("; ");
                    }
                    self.word(n, &mut line);
                }
                line.push('}');
            }
        }
        line.push_str(self.suffix());
        line
    }
}
