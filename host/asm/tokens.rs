//! Assembly text of a compiler, cut into statements and braces.

use std::ops::Range;

/// A piece of assembly text, with its place.
pub enum Token {
    /// `{`
    Open(usize),
    /// `}`
    Close(usize),
    /// One statement without label, separators and comments around it.
    Statement(Range<usize>),
}

/// Cuts assembly text into statements and braces. Comments and strings are passed over.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut statement: Option<Range<usize>> = None; // from its first to its last sign so far
    let mut line_start = true;
    let mut in_packet = false; // no labels there: `r1:0` is a register pair
    let mut at = 0;
    let skip_to = |from: usize, end: &str| {
        let found = text.get(from..).and_then(|rest| rest.find(end));
        found.map_or(bytes.len(), |n| from + n)
    };
    let finish = |statement: &mut Option<Range<usize>>, tokens: &mut Vec<Token>| {
        if let Some(span) = statement.take() {
            tokens.push(Token::Statement(span));
        }
    };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'/' if bytes.get(at) == Some(&b'/') => at = skip_to(at, "\n"),
            b'#' if line_start && statement.is_none() => at = skip_to(at, "\n"),
            b'/' if bytes.get(at) == Some(&b'*') => {
                at = (skip_to(at + 1, "*/") + 2).min(bytes.len());
            }
            b'\n' | b';' => {
                finish(&mut statement, &mut tokens);
                line_start = byte == b'\n';
            }
            b'{' => {
                finish(&mut statement, &mut tokens);
                tokens.push(Token::Open(start));
                (in_packet, line_start) = (true, false);
            }
            b'}' => {
                finish(&mut statement, &mut tokens);
                tokens.push(Token::Close(start));
                (in_packet, line_start) = (false, false);
            }
            b':' if !in_packet && is_label(text, statement.as_ref(), start) => statement = None,
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                if byte == b'"' {
                    while let Some(&inside) = bytes.get(at) {
                        at += if inside == b'\\' { 2 } else { 1 };
                        if inside == b'"' {
                            break;
                        }
                    }
                    at = at.min(bytes.len());
                }
                line_start = false;
                statement = Some(statement.map_or(start, |s| s.start)..at);
            }
        }
    }
    finish(&mut statement, &mut tokens);
    tokens
}

/// Whether the colon at this place ends a label: one name stands before it.
fn is_label(text: &str, statement: Option<&Range<usize>>, colon: usize) -> bool {
    let name = statement
        .and_then(|s| text.get(s.start..colon))
        .unwrap_or_default();
    let name = name.trim_end();
    // No HMX instruction has a colon right after its first word.
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}
