//! Probes from text and from files.

use crate::definition::Probe;
use crate::error::{At, DefinitionError, ProbeError, Problem};
use crate::family::members;
use crate::parse::probe;
use std::path::Path;

impl Probe {
    /// Reads one probe. `name` is the file's name, with or without `.toml`.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and column; also a file that holds a family.
    pub fn parse(name: &str, text: &str) -> Result<Probe, ProbeError> {
        let mut all = Probe::parse_all(name, text)?;
        match (all.pop(), all.is_empty()) {
            (Some(probe), true) => Ok(probe),
            _ => {
                let many = "this file holds several probes, and one is wanted here".to_owned();
                let error = DefinitionError::new(name, text, 0..0, Problem::Variants(many));
                Err(Box::new(error).into())
            }
        }
    }

    /// Reads all probes of a file: one, or one for each entry of `variants`.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and column.
    pub fn parse_all(name: &str, text: &str) -> Result<Vec<Probe>, ProbeError> {
        let shown = if name.ends_with(".toml") {
            name.to_owned()
        } else {
            format!("{name}.toml")
        };
        let error = |at: At| Box::new(DefinitionError::new(&shown, text, at.span, at.problem));
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        let members = members(text).map_err(error)?;
        let mut all = Vec::with_capacity(members.len());
        for member in members {
            let in_file = |at: At| At::new(member.in_file(at.span), at.problem);
            all.push(probe(stem, &member).map_err(|at| error(in_file(at)))?);
        }
        Ok(all)
    }

    /// Reads the probes of a TOML file on disk.
    ///
    /// # Errors
    /// A file that cannot be read, or the first thing that is wrong in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Vec<Probe>, ProbeError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|source| ProbeError::Read {
            path: path.to_owned(),
            source,
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Probe::parse_all(&name, &text)
    }
}
