//! Second pass: which row of the table a statement spells.

use super::error::{AsmError, AsmErrorKind};
use super::operand::Operand;
use super::scan::Statement;
use crate::{Inst, instructions};
use std::ops::Range;
use strsim::damerau_levenshtein;

/// An operand and its place in the source.
type Spelled = (Operand, Range<usize>);

/// How many near forms an error names; more, up to [`MOST_FORMS`], when they are equally near.
const NEAR_FORMS: usize = 3;
const MOST_FORMS: usize = 8;

/// A text cut at its parentheses: `head(arguments)tail`.
struct Cut<'a> {
    head: &'a str,
    /// Each argument and its place in the text; `None` without parentheses.
    arguments: Option<Vec<(&'a str, usize)>>,
    tail: &'a str,
}

fn cut(text: &str) -> Cut<'_> {
    let whole = Cut {
        head: text,
        arguments: None,
        tail: "",
    };
    let Some((head, rest)) = text.split_once('(') else {
        return whole;
    };
    let Some((inside, tail)) = rest.split_once(')') else {
        return whole;
    };
    let mut at = head.len() + 1;
    let arguments = inside.split(',').map(|argument| {
        let start = at;
        at += argument.len() + 1;
        (argument, start)
    });
    Cut {
        head,
        arguments: Some(arguments.collect()),
        tail,
    }
}

/// The instruction a statement spells, with its operands.
pub(super) fn statement(source: &str, s: &Statement) -> Result<Inst<Spelled>, AsmError> {
    let written = cut(&s.text);
    let mut count = None;
    for instr in instructions() {
        let form = cut(instr.syntax);
        if (form.head, form.tail) != (written.head, written.tail) {
            continue;
        }
        let (form, given) = match (form.arguments, &written.arguments) {
            (None, None) => (Vec::new(), &Vec::new()),
            (Some(form), Some(given)) => (form, given),
            _ => continue,
        };
        if form.len() != given.len() {
            count = Some(AsmErrorKind::OperandCount {
                form: instr.syntax,
                wanted: form.len(),
                found: given.iter().filter(|(text, _)| !text.is_empty()).count(),
            });
            continue;
        }
        let places = || form.iter().zip(given.iter());
        if places().any(|((f, _), (g, _))| !matches!(*f, "Rs" | "Rt") && f != g) {
            continue;
        }
        let operand = |name: &str| match places().find(|((f, _), _)| *f == name) {
            Some((_, (text, at))) => {
                let span = s.span(*at..at + text.len());
                Operand::read(text)
                    .map(|o| (o, span.clone()))
                    .map_err(|kind| AsmError::new(source, span, kind))
            }
            None => Ok((Operand::default(), 0..0)),
        };
        return Ok(Inst {
            instr,
            rs: operand("Rs")?,
            rt: operand("Rt")?,
        });
    }
    let kind = count.unwrap_or_else(|| AsmErrorKind::UnknownInstruction {
        text: s.text.clone(),
        expected: nearest(&written),
    });
    Err(AsmError::new(source, s.span(0..s.text.len()), kind))
}

/// The rows whose spelling is nearest, nearest first.
fn nearest(written: &Cut<'_>) -> Vec<&'static str> {
    // Operands are not what makes two instructions alike: write them as the table does.
    let text = match &written.arguments {
        None => written.head.to_owned(),
        Some(given) => {
            let names = match given.len() {
                1 => "Rs",
                _ => "Rs,Rt",
            };
            format!("{}({names}){}", written.head, written.tail)
        }
    };
    let mut rows: Vec<(usize, &'static str)> = instructions()
        .iter()
        .map(|i| (damerau_levenshtein(&text, i.syntax), i.syntax))
        .collect();
    rows.sort_by_key(|&(distance, _)| distance); // stable: ties stay in the order of the table
    let smallest = rows.first().map(|r| r.0);
    let near = |(n, row): &(usize, &(usize, _))| *n < NEAR_FORMS || Some(row.0) == smallest;
    rows.iter()
        .enumerate()
        .take_while(near)
        .take(MOST_FORMS)
        .map(|(_, row)| row.1)
        .collect()
}
