//! First pass over the text: comments out, packets and statements apart, spaces gone.

use super::error::{AsmError, AsmErrorKind};
use std::ops::Range;

/// One instruction as written, without spaces and comments.
#[derive(Debug, Default)]
pub(super) struct Statement {
    /// The text; one space is left where two words would run together.
    pub text: String,
    /// For every byte of `text`, its place in the source.
    at: Vec<usize>,
}

impl Statement {
    /// The place in the source of a range of `text`.
    pub fn span(&self, range: Range<usize>) -> Range<usize> {
        let end = self.at.last().map_or(0, |l| l + 1);
        let start = self.at.get(range.start).copied().unwrap_or(end);
        let last = range.end.checked_sub(1).and_then(|l| self.at.get(l));
        start..last.map_or(start, |l| l + 1).max(start)
    }

    fn push(&mut self, at: usize, c: char, gap: bool) {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if gap && word(c) && self.text.chars().next_back().is_some_and(word) {
            self.text.push(' ');
            self.at.push(at);
        }
        self.text.push(c);
        self.at.extend(at..at + c.len_utf8());
    }
}

/// The statements between two braces, or one statement without braces.
#[derive(Debug, Default)]
pub(super) struct RawPacket {
    pub statements: Vec<Statement>,
    /// Place in the source, braces included.
    pub span: Range<usize>,
}

/// Splits the text into packets of statements.
pub(super) fn scan(text: &str) -> Result<Vec<RawPacket>, AsmError> {
    let fail = |at: usize, kind| Err(AsmError::new(text, at..at + 1, kind));
    let mut packets = Vec::new();
    let mut packet = RawPacket::default(); // the open braces, if any
    let mut brace = None;
    let mut paren = None;
    let mut statement = Statement::default();
    let mut gap = false;
    for (at, c) in without_comments(text)? {
        match (c, paren) {
            (';' | '{' | '}', Some(open)) => return fail(open, AsmErrorKind::UnclosedParenthesis),
            (';' | '\n' | '}', None) => {
                if !statement.text.is_empty() {
                    let statement = std::mem::take(&mut statement);
                    if brace.is_some() {
                        packet.statements.push(statement);
                    } else {
                        packets.push(alone(statement));
                    }
                }
                if c == '}' {
                    let Some(open) = brace.take() else {
                        return fail(at, AsmErrorKind::UnopenedBrace);
                    };
                    packet.span = open..at + 1;
                    packets.push(std::mem::take(&mut packet));
                }
            }
            ('{', None) if brace.is_some() => return fail(at, AsmErrorKind::NestedBrace),
            ('{', None) if !statement.text.is_empty() => {
                return fail(at, AsmErrorKind::BraceAfterInstruction);
            }
            ('{', None) => brace = Some(at),
            (c, _) if c.is_whitespace() => gap = true,
            (c, _) => {
                match c {
                    '(' if paren.is_none() => paren = Some(at),
                    ')' => paren = None,
                    _ => {}
                }
                statement.push(at, c, std::mem::take(&mut gap));
            }
        }
    }
    match (paren, brace) {
        (Some(open), _) => return fail(open, AsmErrorKind::UnclosedParenthesis),
        (_, Some(open)) => return fail(open, AsmErrorKind::UnclosedBrace),
        _ => {}
    }
    if !statement.text.is_empty() {
        packets.push(alone(statement));
    }
    Ok(packets)
}

fn alone(statement: Statement) -> RawPacket {
    RawPacket {
        span: statement.span(0..statement.text.len()),
        statements: vec![statement],
    }
}

/// The characters with their places; a comment is one space.
fn without_comments(text: &str) -> Result<Vec<(usize, char)>, AsmError> {
    let mut out = Vec::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    let mut line_start = true;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, c)| c);
        if (c == '/' && next == Some('/')) || (c == '#' && line_start) {
            while chars.next_if(|&(_, c)| c != '\n').is_some() {}
            out.push((at, ' '));
        } else if c == '/' && next == Some('*') {
            let Some(length) = text.get(at + 2..).and_then(|rest| rest.find("*/")) else {
                return Err(AsmError::new(
                    text,
                    at..at + 2,
                    AsmErrorKind::UnclosedComment,
                ));
            };
            let end = at + 2 + length + 2;
            while chars.next_if(|&(i, _)| i < end).is_some() {}
            out.push((at, ' '));
        } else {
            line_start = c == '\n' || (line_start && c.is_whitespace());
            out.push((at, c));
        }
    }
    Ok(out)
}
