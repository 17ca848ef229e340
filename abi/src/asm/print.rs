//! Packets to text, in the canonical form.

use super::operand::Operand;
use crate::{Inst, Packet, Reg};
use std::fmt;

/// How an operand is printed: values in hexadecimal, registers as `r0`, names as written.
pub trait OperandText {
    /// Writes the operand.
    ///
    /// # Errors
    /// Those of the formatter.
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl OperandText for u32 {
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#x}")
    }
}

impl OperandText for Reg {
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl OperandText for Operand {
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<V: OperandText> fmt::Display for Inst<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.instr.syntax;
        while let Some(at) = rest.find('R') {
            f.write_str(&rest[..at])?;
            if rest[at..].starts_with("Rs") {
                self.rs.text(f)?;
            } else {
                self.rt.text(f)?;
            }
            rest = &rest[at + 2..]; // "Rs" or "Rt": the table writes no other R
        }
        f.write_str(rest)
    }
}

impl<V: OperandText> fmt::Display for Packet<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Packet::Multiply(a, w) => write!(f, "{{{a}; {w}}}"),
            Packet::Single(i) => write!(f, "{i}"),
        }
    }
}
