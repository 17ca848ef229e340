//! What can be wrong with assembly text, where, and what to write instead.

use crate::PacketError;
use std::ops::Range;

/// line {line}, column {column}: what is wrong, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct AsmError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The bytes of the text that are meant.
    pub span: Range<usize>,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// What is wrong with assembly text. The text of each variant says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AsmErrorKind {
    /// `{text}` is no HMX instruction; the nearest forms are {expected}.
    #[error(
        "`{text}` is no HMX instruction; the nearest forms are {}",
        quoted(expected)
    )]
    UnknownInstruction {
        /// As written, without spaces.
        text: String,
        /// The nearest rows of the table, nearest first.
        expected: Vec<&'static str>,
    },
    /// `{form}` takes {wanted} operands, and {found} are written; write it as `{form}`.
    #[error("{found} operands where {wanted} belong; write `{form}`")]
    OperandCount {
        /// The row of the table.
        form: &'static str,
        /// Operands it takes.
        wanted: usize,
        /// Operands written.
        found: usize,
    },
    /// `{0}` is no operand; write a register r0 to r31, a number such as 0x7ff, or a name with an offset such as act+0x800.
    #[error(
        "`{0}` is no operand; write a register r0 to r31, a number such as 0x7ff, or a name with an offset such as act+0x800"
    )]
    BadOperand(String),
    /// There is no register `{0}`; use r0 to r31.
    #[error("there is no register `{0}`; use r0 to r31")]
    NoSuchRegister(String),
    /// `{0}` does not fit 32 bits; use a value from 0 to 0xffffffff.
    #[error("`{0}` does not fit 32 bits; use a value from 0 to 0xffffffff")]
    TooBig(String),
    /// `{0}` is a register, and nothing sets registers here; write the value itself or a name.
    #[error(
        "`{0}` is a register, and nothing sets registers here; write the value itself or a name"
    )]
    NeedsValue(String),
    /// `{0}` is no register, and only registers fit into an instruction word; use r0 to r31.
    #[error("`{0}` is no register, and only registers fit into an instruction word; use r0 to r31")]
    NeedsRegister(String),
    /// There is nothing named `{0}`; define it, or write a number.
    #[error("there is nothing named `{0}`; define it, or write a number")]
    UnknownSymbol(String),
    /// This `{{` is never closed; put `}}` after the last instruction of the packet.
    #[error("this `{{` is never closed; put `}}` after the last instruction of the packet")]
    UnclosedBrace,
    /// This `}}` closes nothing; take it out, or put `{{` before the first instruction of the packet.
    #[error(
        "this `}}` closes nothing; take it out, or put `{{` before the first instruction of the packet"
    )]
    UnopenedBrace,
    /// A packet cannot hold a packet; close the one before with `}}`.
    #[error("a packet cannot hold a packet; close the one before with `}}`")]
    NestedBrace,
    /// An instruction runs into this packet; put `;` or a newline before `{{`.
    #[error("an instruction runs into this packet; put `;` or a newline before `{{`")]
    BraceAfterInstruction,
    /// This `(` is never closed; put `)` after the operands.
    #[error("this `(` is never closed; put `)` after the operands")]
    UnclosedParenthesis,
    /// This comment is never closed; end it with `*/`.
    #[error("this comment is never closed; end it with `*/`")]
    UnclosedComment,
    /// The instructions do not make a packet.
    #[error(transparent)]
    Packet(PacketError),
}

impl AsmError {
    pub(super) fn new(text: &str, span: Range<usize>, kind: AsmErrorKind) -> AsmError {
        let (line, column) = place(text, span.start);
        AsmError {
            line,
            column,
            span,
            kind,
        }
    }

    /// The forms expected at that place: rows of the table, nearest first. Empty where the
    /// text of the error says it all.
    pub fn expected(&self) -> &[&'static str] {
        match &self.kind {
            AsmErrorKind::UnknownInstruction { expected, .. } => expected,
            AsmErrorKind::OperandCount { form, .. } => std::slice::from_ref(form),
            _ => &[],
        }
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

/// Line and column (both from 1, the column in characters) of a byte of the text.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}

/// "`a`, `b` and `c`"
fn quoted(forms: &[&str]) -> String {
    let quoted: Vec<String> = forms.iter().map(|f| format!("`{f}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
