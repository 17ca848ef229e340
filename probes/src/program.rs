//! The program of a probe: assembly whose operands name tiles and readouts.

use crate::error::{At, Problem};
use hmx_abi::asm::{self, AsmErrorKind, Located};
use hmx_abi::{Arch, Inst, Kind, Packet, Program};
use std::collections::BTreeMap;
use std::ops::Range;

/// The program text and where it stands in the probe's text.
pub(crate) struct Text<'a> {
    pub text: &'a str,
    /// Of the TOML string, quotes included.
    pub span: Range<usize>,
    /// Of the first byte of `text`, where the string is written without escapes.
    pub start: Option<usize>,
}

impl<'a> Text<'a> {
    /// Finds the text of a TOML string in the file.
    pub fn new(text: &'a str, span: Range<usize>, file: &str) -> Text<'a> {
        let raw = file.get(span.clone()).unwrap_or_default();
        let start = raw.find(text).map(|i| span.start + i);
        Text { text, span, start }
    }

    fn place(&self, within: Range<usize>) -> Range<usize> {
        match self.start {
            Some(start) => start + within.start..start + within.end,
            None => self.span.clone(),
        }
    }

    /// The packets, names looked up in `names`, addresses inside the image.
    pub fn assemble(
        &self,
        names: &BTreeMap<String, u32>,
        image: usize,
    ) -> Result<Vec<Located<u32>>, At> {
        let packets =
            asm::assemble_values_located(self.text, |n| names.get(n).copied()).map_err(|e| {
                let problem = match &e.kind {
                    AsmErrorKind::UnknownSymbol(name) => Problem::NoSuchName {
                        name: name.clone(),
                        kind: "tile or readout",
                        known: names.keys().cloned().collect(),
                    },
                    other => Problem::Program(other.to_string()),
                };
                At::new(self.place(e.span.clone()), problem)
            })?;
        if packets.is_empty() {
            let nothing = Problem::Program("it has no instruction".to_owned());
            return Err(At::new(self.span.clone(), nothing));
        }
        for packet in &packets {
            for inst in instructions(&packet.packet) {
                let first = u64::from(inst.rs & !base_mask(inst));
                if inst.instr.op.rs_is_address() && first >= image as u64 {
                    let what = format!("the operand {:#x} of `{}`", inst.rs, inst.instr.syntax);
                    let problem = Problem::OutsideImage {
                        what,
                        at: first,
                        end: first + u64::from(base_mask(inst)) + 1,
                        image,
                    };
                    return Err(At::new(self.place(packet.span.clone()), problem));
                }
            }
        }
        Ok(packets)
    }

    /// The lowest version the probe is for: the file's, if it has all instructions.
    pub fn arch_min(&self, packets: &[Located<u32>], said: Option<Arch>) -> Result<Arch, At> {
        let mut lowest = said.unwrap_or(Arch::V68);
        for packet in packets {
            for inst in instructions(&packet.packet) {
                let introduced = inst.instr.introduced;
                if let Some(said) = said.filter(|&s| !inst.instr.available(s)) {
                    let needs = match inst.instr.removed {
                        Some(removed) if said >= removed => {
                            format!("`{}` is gone from {removed} on", inst.instr.syntax)
                        }
                        _ => format!("`{}` needs {introduced} or later", inst.instr.syntax),
                    };
                    return Err(At::new(
                        self.place(packet.span.clone()),
                        Problem::TooOld { said, needs },
                    ));
                }
                lowest = lowest.max(introduced);
            }
        }
        Ok(lowest)
    }
}

/// The packets without their places.
pub(crate) fn strip(packets: Vec<Located<u32>>) -> Program<u32> {
    packets.into_iter().map(|p| p.packet).collect()
}

fn instructions(packet: &Packet<u32>) -> Vec<&Inst<u32>> {
    match packet {
        Packet::Multiply(a, w) => vec![a, w],
        Packet::Single(i) => vec![i],
    }
}

/// Low bits of Rs that are fields, not address.
fn base_mask(inst: &Inst<u32>) -> u32 {
    match inst.instr.kind {
        Kind::Weight => 127,
        Kind::Bias => 127,
        _ => 2047,
    }
}
