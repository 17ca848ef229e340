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
        if let Some(d) = decoded.flatten() {
            let inst = Inst {
                instr: d.instr,
                rs: d.rs,
                rt: d.rt,
            };
            let _ = write!(out, "{inst}");
        } else if let Some(llvm) = self.llvm {
            match llvm.word(self.piece, self.first + n) {
                Some((text, _)) => text.split('\t').for_each(|t| out.push_str(t)),
                None => out.push_str("<unknown>"),
            }
        } else {
            out.push_str("0x");
            hex(self.words.get(n).copied().unwrap_or(0), b'0', out);
        }
    }

    /// What stands after the closing brace: LLVM's word for it, else the loop marks.
    fn suffix(&self) -> &str {
        let last = (self.first + self.words.len()).saturating_sub(1);
        let llvm = self.llvm.filter(|_| self.hmx.is_none());
        match llvm.and_then(|l| l.word(self.piece, last)) {
            Some((_, suffix)) => suffix,
            None => packets::loop_end(self.words),
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
            hex(address, b' ', out);
            out.push_str(": ");
            hex(*word, b'0', out);
            out.push_str(if n == 0 { "  { " } else { "    " });
            self.word(n, out);
            if n == last {
                out.push_str(" }");
                out.push_str(self.suffix());
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

/// Eight hexadecimal digits, `pad` in the place of zeros before the first: the listing of a
/// large file is made of millions of them.
fn hex(number: u32, pad: u8, out: &mut String) {
    let mut digits = [pad; 8];
    let significant = (8 - number.leading_zeros() as usize / 4).max(1);
    for (place, digit) in digits.iter_mut().rev().take(significant).enumerate() {
        *digit = b"0123456789abcdef"[(number >> (4 * place) & 15) as usize];
    }
    out.extend(std::str::from_utf8(&digits));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_that_of_the_standard_library() {
        for number in [0, 9, 10, 0xA0, 0x7F00_C000, 0xFEDC_BA98, u32::MAX] {
            let mut text = String::new();
            hex(number, b' ', &mut text);
            hex(number, b'0', &mut text);
            assert_eq!(text, format!("{number:8x}{number:08x}"));
        }
    }
}
