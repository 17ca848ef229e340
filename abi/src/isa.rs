//! The instruction table: `isa.tsv`, read once. Nothing else lists instructions.

use crate::{Arch, Op};
use std::sync::LazyLock;

/// What an instruction is for: the first column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the table
pub enum Kind {
    Activation,
    Weight,
    Bias,
    ConvertStore,
    Convert,
    Accumulator,
    Store,
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instr {
    /// First column.
    pub kind: Kind,
    /// Assembly with `Rs` and `Rt` for the operands.
    pub syntax: &'static str,
    /// 32 characters, bit 31 first: 0, 1, s (Rs), t (Rt), P (packet bits), - (ignored).
    pub encoding: &'static str,
    /// First version that has it.
    pub introduced: Arch,
    /// First version that no longer has it.
    pub removed: Option<Arch>,
    /// What it does.
    pub op: Op,
    /// Bits that are fixed by the encoding.
    pub mask: u32,
    /// Their values.
    pub bits: u32,
}

impl Instr {
    /// Whether this version has the instruction.
    pub fn available(&self, arch: Arch) -> bool {
        arch >= self.introduced && self.removed.is_none_or(|r| arch < r)
    }

    /// The same as an error that says which versions have it.
    pub fn check(&self, arch: Arch) -> Result<(), Unavailable> {
        match self.removed {
            _ if arch < self.introduced => Err(Unavailable::TooOld {
                syntax: self.syntax,
                introduced: self.introduced,
                arch,
            }),
            Some(removed) if arch >= removed => Err(Unavailable::Removed {
                syntax: self.syntax,
                removed,
                arch,
            }),
            _ => Ok(()),
        }
    }

    /// Whether the instruction has an Rs operand.
    pub fn has_rs(&self) -> bool {
        self.encoding.contains('s')
    }

    /// Whether the instruction has an Rt operand.
    pub fn has_rt(&self) -> bool {
        self.encoding.contains('t')
    }
}

/// Why a version does not have an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// `{syntax}` needs {introduced} or later, and this is {arch}; choose a later version with --arch.
    #[error(
        "`{syntax}` needs {introduced} or later, and this is {arch}; choose a later version with --arch"
    )]
    TooOld {
        /// As in the table.
        syntax: &'static str,
        /// First version that has it.
        introduced: Arch,
        /// The version asked for.
        arch: Arch,
    },
    /// `{syntax}` is gone from {removed} on, and this is {arch}; choose an earlier version with --arch.
    #[error(
        "`{syntax}` is gone from {removed} on, and this is {arch}; choose an earlier version with --arch"
    )]
    Removed {
        /// As in the table.
        syntax: &'static str,
        /// First version that no longer has it.
        removed: Arch,
        /// The version asked for.
        arch: Arch,
    },
}

/// All instructions, in the order of `isa.tsv`.
pub fn instructions() -> &'static [Instr] {
    static TABLE: LazyLock<Vec<Instr>> = LazyLock::new(|| {
        include_str!("../isa.tsv")
            .lines()
            .skip(1)
            .map(row)
            .collect()
    });
    &TABLE
}

/// The table is part of the program: a row that cannot be read is a defect of this crate,
/// and the tests read every row.
fn row(line: &'static str) -> Instr {
    let cells: Vec<&str> = line.split('\t').collect();
    let kind = match cells[0] {
        "activation" => Kind::Activation,
        "weight" => Kind::Weight,
        "bias" => Kind::Bias,
        "convert-store" => Kind::ConvertStore,
        "convert" => Kind::Convert,
        "accumulator" => Kind::Accumulator,
        "store" => Kind::Store,
        other => panic!("isa.tsv: unknown kind `{other}`"),
    };
    let encoding = cells[2];
    let gather = |pick: fn(char) -> bool| {
        encoding
            .chars()
            .fold(0u32, |w, c| w << 1 | u32::from(pick(c)))
    };
    Instr {
        kind,
        syntax: cells[1],
        encoding,
        introduced: cells[3].parse().expect("isa.tsv: introduced"),
        removed: cells
            .get(4)
            .filter(|c| !c.is_empty())
            .map(|c| c.parse().expect("isa.tsv: removed")),
        op: Op::from_syntax(cells[1]).expect("isa.tsv: syntax"),
        mask: gather(|c| matches!(c, '0' | '1')),
        bits: gather(|c| c == '1'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_every_operation_is_distinct() {
        let all = instructions();
        assert_eq!(all.len(), 143);
        for (i, a) in all.iter().enumerate() {
            assert_eq!(a.encoding.len(), 32, "{}", a.syntax);
            for b in &all[..i] {
                assert_ne!(a.op, b.op, "{} / {}", a.syntax, b.syntax);
                let both = a.mask & b.mask;
                assert_ne!(a.bits & both, b.bits & both, "{} / {}", a.syntax, b.syntax);
            }
        }
    }
}
