//! The assembly of HMX: text to packets and back.
//!
//! ```text
//! // comments: //, /* */, and # at the start of a line
//! bias=mxmem2(scales)
//! mxclracc.hf
//! { activation.hf = mxmem(act, 0x7ff); weight.hf = mxmem(wgt+0x800, 0x7ff) }
//! mxmem(0x40000,0):after.hf=acc
//! ```
//!
//! Instructions are written as in `isa.tsv`; `;` or a newline separates them, braces make a
//! packet, spaces may stand anywhere between words and signs. An operand is a register
//! (`r0` to `r31`), a number (`2047`, `0x7ff`), or a name; numbers may follow with `+`, `-`
//! or `|`, worked out from left to right (`act+0x800|3`).
//!
//! Printing gives the canonical form: `{activation.hf=mxmem(0x10000,0x7ff); weight.hf=...}`.

mod error;
mod matching;
mod operand;
mod print;
mod scan;

pub use error::{AsmError, AsmErrorKind};
pub use operand::{Join, Operand};
pub use print::OperandText;

use crate::{Packet, Program, Reg};
use std::ops::Range;

/// A packet and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<V> {
    /// The packet.
    pub packet: Packet<V>,
    /// Its bytes in the text, braces included.
    pub span: Range<usize>,
    /// Line of its first character, from 1.
    pub line: usize,
}

/// Reads a listing, keeping operands as written.
///
/// # Errors
/// The first thing that cannot be read, with its place and the forms expected there.
pub fn parse(text: &str) -> Result<Program<Operand>, AsmError> {
    Ok(strip(parse_located(text)?))
}

/// [`parse`], with the place of every packet.
///
/// # Errors
/// As [`parse`].
pub fn parse_located(text: &str) -> Result<Vec<Located<Operand>>, AsmError> {
    each(text, |_, _, operand| Ok(operand))
}

/// Reads a listing in which every operand is a value: a number or a name that `symbol` knows.
/// Registers are refused, for nothing would set them.
///
/// # Errors
/// As [`parse`], and registers, unknown names, and sums that leave 32 bits.
pub fn assemble_values(
    text: &str,
    symbol: impl FnMut(&str) -> Option<u32>,
) -> Result<Program<u32>, AsmError> {
    Ok(strip(assemble_values_located(text, symbol)?))
}

/// [`assemble_values`], with the place of every packet.
///
/// # Errors
/// As [`assemble_values`].
pub fn assemble_values_located(
    text: &str,
    mut symbol: impl FnMut(&str) -> Option<u32>,
) -> Result<Vec<Located<u32>>, AsmError> {
    each(text, |text, span, operand| {
        operand
            .value(&mut symbol)
            .map_err(|kind| AsmError::new(text, span, kind))
    })
}

/// Reads a listing in which every operand is a register: what can become instruction words.
///
/// # Errors
/// As [`parse`], and operands that are no registers.
pub fn assemble_registers(text: &str) -> Result<Program<Reg>, AsmError> {
    Ok(strip(assemble_registers_located(text)?))
}

/// [`assemble_registers`], with the place of every packet.
///
/// # Errors
/// As [`assemble_registers`].
pub fn assemble_registers_located(text: &str) -> Result<Vec<Located<Reg>>, AsmError> {
    each(text, |text, span, operand| match operand {
        Operand::Register(r) => Ok(r),
        other => Err(AsmError::new(
            text,
            span,
            AsmErrorKind::NeedsRegister(other.to_string()),
        )),
    })
}

fn strip<V>(located: Vec<Located<V>>) -> Program<V> {
    located.into_iter().map(|l| l.packet).collect()
}

/// Reads every packet, turning each operand with `f` (text, span of the operand, operand).
fn each<V: Default>(
    text: &str,
    mut f: impl FnMut(&str, Range<usize>, Operand) -> Result<V, AsmError>,
) -> Result<Vec<Located<V>>, AsmError> {
    let mut packets = Vec::new();
    for raw in scan::scan(text)? {
        let mut insts = Vec::with_capacity(raw.statements.len());
        for statement in &raw.statements {
            let spelled = matching::statement(text, statement)?;
            insts.push(
                spelled.try_map(|(operand, span): &(Operand, Range<usize>)| {
                    f(text, span.clone(), operand.clone())
                })?,
            );
        }
        let packet = Packet::new(insts)
            .map_err(|e| AsmError::new(text, raw.span.clone(), AsmErrorKind::Packet(e)))?;
        packets.push(Located {
            packet,
            line: error::place(text, raw.span.start).0,
            span: raw.span,
        });
    }
    Ok(packets)
}

#[cfg(test)]
mod tests;
