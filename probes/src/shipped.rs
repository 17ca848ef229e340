//! The probes that come with the workbench.

use crate::definition::Probe;
use include_dir::{Dir, include_dir};
use std::sync::LazyLock;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/definitions");

/// Name and text of every shipped file, by name.
pub fn files() -> Vec<(&'static str, &'static str)> {
    let mut all: Vec<_> = FILES
        .files()
        .filter_map(|f| Some((f.path().file_name()?.to_str()?, f.contents_utf8()?)))
        .filter(|(name, _)| name.ends_with(".toml"))
        .collect();
    all.sort_unstable();
    all
}

/// All shipped probes, by file, families in the order of their file.
///
/// The files are part of the program; a test reads every one.
pub fn shipped() -> &'static [Probe] {
    static ALL: LazyLock<Vec<Probe>> = LazyLock::new(|| {
        files()
            .into_iter()
            .flat_map(|(name, text)| match Probe::parse_all(name, text) {
                Ok(probes) => probes,
                Err(e) => panic!("a shipped probe is wrong: {e}"),
            })
            .collect()
    });
    &ALL
}

/// A shipped probe by name.
pub fn find(name: &str) -> Option<&'static Probe> {
    shipped().iter().find(|p| p.name == name)
}
