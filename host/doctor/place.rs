//! The files and variables that the doctor looks at.

use crate::device::settings::{SEARCH_PATH, SEARCH_PATH_FIRST};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is looked at; a test puts its own in place.
#[derive(Debug, Clone)]
pub struct Place {
    /// Root of the file system.
    pub root: PathBuf,
    /// Environment.
    pub variables: BTreeMap<String, String>,
}

impl Place {
    /// This machine.
    pub fn here() -> Place {
        Place {
            root: PathBuf::from("/"),
            variables: std::env::vars_os()
                .map(|(name, value)| {
                    let text = |s: std::ffi::OsString| s.to_string_lossy().into_owned();
                    (text(name), text(value))
                })
                .collect(),
        }
    }

    /// A file of this place; `path` is absolute.
    pub fn file(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// A variable that is set to something.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then_some(value)
    }

    /// Folders that the DSP's loader searches because of a variable, in order.
    pub fn search_list(&self) -> Vec<PathBuf> {
        let list = self
            .variable(SEARCH_PATH_FIRST)
            .or_else(|| self.variable(SEARCH_PATH));
        list.unwrap_or_default()
            .split(';')
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .collect()
    }
}
