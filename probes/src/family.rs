//! Families: one file that holds several probes, told apart by parameters.
//!
//! `variants = [ { name = "a", byte = 0x11 }, ... ]` makes one probe of each entry. In the rest
//! of the file a string that is just `"$byte"` becomes the parameter as it is written, and `$byte`
//! within a longer string its text.

use crate::error::{At, Problem};
use crate::file::{FamilyFile, Parameters};
use std::ops::Range;
use toml::Spanned;

/// Most variants a file may have.
const MOST: usize = 1000;

/// The text of one probe, and where its pieces come from.
#[derive(Debug)]
pub(crate) struct Member {
    /// What follows the file's name, for members of a family.
    pub variant: Option<String>,
    /// The text with parameters filled in and `variants` taken out.
    pub text: String,
    /// (start in `text`, range in the file), in order.
    pieces: Vec<(usize, Range<usize>, bool)>,
}

impl Member {
    /// A range of `text` as a range of the file.
    pub fn in_file(&self, span: Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let piece = self.pieces.iter().rev().find(|(start, _, _)| *start <= at);
            piece.map_or(at..at, |(start, range, copied)| {
                if *copied {
                    let there = (range.start + at - start).min(range.end);
                    there..there
                } else {
                    range.clone()
                }
            })
        };
        let start = place(span.start).start;
        start..place(span.end).end.max(start)
    }
}

/// The members of a file: itself, or one for each entry of `variants`.
pub(crate) fn members(text: &str) -> Result<Vec<Member>, At> {
    let file: FamilyFile = toml::from_str(text).map_err(|e| toml_problem(&e, text))?;
    let Some(variants) = file.variants else {
        return Ok(vec![Member {
            variant: None,
            text: text.to_owned(),
            pieces: vec![(0, 0..text.len(), true)],
        }]);
    };
    let span = variants.span();
    let wrong = |why: &str| At::new(span.clone(), Problem::Variants(why.to_owned()));
    let list = text.get(span.clone()).unwrap_or_default();
    if !list.starts_with('[') || list.starts_with("[[") {
        return Err(wrong(
            "write them as one array, `variants = [ { ... }, ... ]`",
        ));
    }
    let count = variants.as_ref().len();
    if count == 0 || count > MOST {
        return Err(wrong(&format!("{count} of them; give 1 to {MOST}")));
    }
    let line = text.get(..span.start).and_then(|t| t.rfind('\n'));
    let cut = line.map_or(0, |i| i + 1)..span.end;
    let mut names = std::collections::HashSet::new();
    variants
        .as_ref()
        .iter()
        .map(|parameters| {
            let name = match parameters.get("name").map(Spanned::as_ref) {
                Some(toml::Value::String(name)) if !name.is_empty() => name.clone(),
                _ => return Err(wrong("each needs a `name` in quotes")),
            };
            if !name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            {
                return Err(wrong(&format!(
                    "`{name}` is no name; use letters, digits, - _ ."
                )));
            }
            if !names.insert(name.clone()) {
                return Err(wrong(&format!("two are called `{name}`")));
            }
            fill_in(text, &cut, parameters, name)
        })
        .collect()
}

/// The text with one variant's parameters.
fn fill_in(
    text: &str,
    cut: &Range<usize>,
    parameters: &Parameters,
    name: String,
) -> Result<Member, At> {
    let mut member = Member {
        variant: Some(name),
        text: String::with_capacity(text.len()),
        pieces: Vec::new(),
    };
    let mut used = std::collections::HashSet::new();
    let mut at = 0;
    while at < text.len() {
        let next = text[at..].find('$').map_or(text.len(), |i| at + i);
        let dollar = if at < cut.end {
            next.min(cut.start.max(at))
        } else {
            next
        };
        copy(&mut member, text, at..dollar);
        at = dollar;
        if at == cut.start && at < cut.end {
            at = cut.end;
            continue;
        }
        if at == text.len() {
            break;
        }
        let rest = &text[at + 1..];
        let word = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(rest, |end| &rest[..end]);
        let span = at..at + 1 + word.len();
        let in_comment = text[..at]
            .rsplit('\n')
            .next()
            .is_some_and(|l| l.trim_start().starts_with('#'));
        let Some(value) = parameters.get(word) else {
            if in_comment {
                copy(&mut member, text, span.clone());
                at = span.end;
                continue;
            }
            let why = format!(
                "`${word}` is no parameter of variant `{}`",
                member.variant.as_deref().unwrap_or_default()
            );
            return Err(At::new(span, Problem::Variants(why)));
        };
        used.insert(word);
        let written = text.get(value.span()).unwrap_or_default();
        let alone = member.text.ends_with('"')
            && text[span.end..].starts_with('"')
            && !member.text.ends_with("\"\"");
        at = if alone {
            member.text.pop();
            put(
                &mut member,
                span.start - 1..span.end + 1,
                &value.to_string(),
            );
            span.end + 1
        } else {
            let plain = match value.as_ref() {
                toml::Value::String(s) => s,
                _ => written,
            };
            put(&mut member, span.clone(), plain);
            span.end
        };
    }
    let idle = parameters
        .keys()
        .find(|k| *k != "name" && !used.contains(k.as_str()));
    match idle {
        None => Ok(member),
        Some(idle) => Err(At::new(
            cut.clone(),
            Problem::Variants(format!("nothing in the file uses `${idle}`")),
        )),
    }
}

fn copy(member: &mut Member, text: &str, range: Range<usize>) {
    if !range.is_empty() {
        member.pieces.push((member.text.len(), range.clone(), true));
        member.text.push_str(&text[range]);
    }
}

fn put(member: &mut Member, from: Range<usize>, value: &str) {
    member.pieces.push((member.text.len(), from, false));
    member.text.push_str(value);
}

/// A TOML error as a problem at its place.
pub(crate) fn toml_problem(error: &toml::de::Error, text: &str) -> At {
    let span = error.span().unwrap_or(0..text.len().min(1));
    At::new(span, Problem::Toml(error.message().to_owned()))
}
