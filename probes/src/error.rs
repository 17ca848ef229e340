//! Errors of probe files: every one names the file, the line, the column and the next step.

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use std::fmt::{self, Display};
use std::ops::Range;
use std::path::PathBuf;

/// Why a probe could not be had.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ProbeError {
    /// cannot read {path}: {source}; check the path, or `hmx probe list` for the shipped probes
    #[error(
        "cannot read {path}: {source}; check the path, or `hmx probe list` for the shipped probes"
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A definition is wrong at one place of its text.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Definition(#[from] Box<DefinitionError>),
}

/// What is wrong with a definition.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    /// (the TOML reader's words)
    #[error("{0}")]
    Toml(String),
    /// the program is wrong: {0}
    #[error("the program is wrong: {0}")]
    Program(String),
    /// `{name}` is no tile and no readout of this probe
    #[error("`{name}` is no {kind} of this probe")]
    NoSuchName {
        /// The name used.
        name: String,
        /// What was looked for.
        kind: &'static str,
        /// The names there are.
        known: Vec<String>,
    },
    /// the name `{0}` is given twice
    #[error("the name `{0}` is given twice")]
    Twice(String),
    /// `{0}` is no name
    #[error("`{0}` is no name")]
    BadName(String),
    /// {what} lies at {at:#x}, which is no multiple of {align}
    #[error("{what} lies at {at:#x}, which is no multiple of {align}")]
    Misaligned {
        /// Tile or readout.
        what: String,
        /// Its offset.
        at: u32,
        /// What its layout asks for.
        align: u32,
    },
    /// {what} ({at:#x}..{end:#x}) lies outside the image of {image:#x} bytes
    #[error("{what} ({at:#x}..{end:#x}) lies outside the image of {image:#x} bytes")]
    OutsideImage {
        /// Tile, readout or operand.
        what: String,
        /// First byte.
        at: u64,
        /// First byte after it.
        end: u64,
        /// Image size.
        image: usize,
    },
    /// {a} overlaps {b}, or the {guard} guard bytes between them
    #[error("{a} overlaps {b}, or the {guard} guard bytes between them")]
    Overlap {
        /// The later of the two in the file.
        a: String,
        /// The earlier.
        b: String,
        /// Guard size.
        guard: usize,
        /// A free offset after the earlier one.
        free: u64,
    },
    /// the fill of {tile} is wrong: {why}
    #[error("the fill of {tile} is wrong: {why}")]
    Fill {
        /// The tile.
        tile: String,
        /// Why.
        why: String,
    },
    /// the outcome is wrong: {0}
    #[error("the outcome is wrong: {0}")]
    Outcome(String),
    /// the probe says {said}, but {needs}
    #[error("the probe says {said}, but {needs}")]
    TooOld {
        /// The file's `arch`.
        said: hmx_abi::Arch,
        /// The instruction and its version.
        needs: String,
    },
    /// the value of `{key}` is wrong: {why}
    #[error("the value of `{key}` is wrong: {why}")]
    Value {
        /// The key.
        key: &'static str,
        /// Why.
        why: String,
    },
    /// the variants are wrong: {0}
    #[error("the variants are wrong: {0}")]
    Variants(String),
}

impl Problem {
    /// The next step.
    pub fn help(&self) -> String {
        match self {
            Problem::Toml(_) => "docs/probes.md lists every table and key".to_owned(),
            Problem::Program(_) => {
                "the instructions and their operands are in docs/hmx/ and in `hmx asm --list`"
                    .to_owned()
            }
            Problem::NoSuchName { known, name, .. } => match closest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("this probe has: {}", known.join(", ")),
            },
            Problem::Twice(_) => {
                "tiles, readouts and assembled numbers share one name space; rename one".to_owned()
            }
            Problem::BadName(_) => {
                "a name is letters, digits, `_` and `-`, beginning with a letter, 40 at most"
                    .to_owned()
            }
            Problem::Misaligned { at, align, .. } => {
                format!(
                    "use {:#x}",
                    u64::from(*at).next_multiple_of(u64::from(*align))
                )
            }
            Problem::OutsideImage { end, .. } => format!(
                "move it, or set `image = {:#x}` or more (guard bytes lie on both sides)",
                (*end + crate::staging::GUARD as u64).next_multiple_of(2048)
            ),
            Problem::Overlap { free, .. } => format!("the next free offset is {free:#x}"),
            Problem::Fill { .. } => "docs/probes.md lists the fills".to_owned(),
            Problem::Outcome(_) => {
                "docs/probes.md lists the statements an outcome can make".to_owned()
            }
            Problem::TooOld { .. } => {
                "raise `arch`, or leave it out: it is then taken from the program".to_owned()
            }
            Problem::Value { .. } => "docs/probes.md gives the range of every key".to_owned(),
            Problem::Variants(_) => {
                "docs/probes.md, section \"Families\", shows the form".to_owned()
            }
        }
    }
}

fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let near = |k: &str| {
        let same = name
            .chars()
            .zip(k.chars())
            .take_while(|(a, b)| a.eq_ignore_ascii_case(b));
        let same = same.count();
        same * 2 >= name.len().max(k.len()).max(2)
    };
    known.iter().map(String::as_str).find(|k| near(k))
}

/// A problem, and where in which text it is.
#[derive(Debug, Clone)]
pub struct DefinitionError {
    /// What is wrong.
    pub problem: Problem,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    source: NamedSource<String>,
}

impl DefinitionError {
    /// A problem at `span` of `text`, which was read from `file`.
    pub fn new(file: &str, text: &str, span: Range<usize>, problem: Problem) -> DefinitionError {
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = span.end.clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        DefinitionError {
            problem,
            span: start..end,
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).map_or(0, |l| l.chars().count()) + 1,
            source: NamedSource::new(file, text.to_owned()).with_language("TOML"),
        }
    }

    /// The file's name.
    pub fn file(&self) -> &str {
        self.source.name()
    }
}

impl Display for DefinitionError {
    /// One line: file, line, column, problem, next step.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}; {}",
            self.file(),
            self.line,
            self.column,
            self.problem,
            self.problem.help()
        )
    }
}

impl std::error::Error for DefinitionError {}

impl Diagnostic for DefinitionError {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(
            Some("here".to_owned()),
            self.span.clone(),
        ))))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        Some(Box::new(self.problem.help()))
    }
}

/// A problem and its place, before the file's name is known.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub span: Range<usize>,
    pub problem: Problem,
}

impl At {
    pub fn new(span: Range<usize>, problem: Problem) -> At {
        At { span, problem }
    }
}
