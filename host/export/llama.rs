//! The llama.cpp that exports are made for.

use super::identity::sha256;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Its name in certificates and messages.
pub const VERSION: &str = "llama.cpp of the crate llama-cpp-sys-2 0.1.161 (ggml 0.26.0)";

/// The files that a patch changes, as they are in that version: path, SHA-256.
const FILES: &str = include_str!("llama.tsv");

/// A version of llama.cpp, as far as an export depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Llama {
    /// Name of the version.
    pub version: String,
    /// SHA-256 of each file that the export's patch changes, before the change.
    pub files: BTreeMap<String, String>,
}

impl Llama {
    /// The version this tool exports for, with the files that `patch` changes.
    pub fn pinned(patch: &str) -> Llama {
        let digests: BTreeMap<&str, &str> = FILES
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .collect();
        let files = patched(patch)
            .map(|path| {
                let digest = digests.get(path).copied().unwrap_or("not known");
                (path.to_owned(), digest.to_owned())
            })
            .collect();
        Llama {
            version: VERSION.to_owned(),
            files,
        }
    }

    /// The files of the llama.cpp folder `tree` that differ from this version, or are not there.
    pub fn differences(&self, tree: &Path) -> Vec<String> {
        self.files
            .iter()
            .filter_map(|(path, digest)| match std::fs::read(tree.join(path)) {
                Ok(bytes) if sha256(&bytes) == *digest => None,
                Ok(_) => Some(format!("{path} differs")),
                Err(error) => Some(format!("{path}: {error}")),
            })
            .collect()
    }
}

/// The files that a unified diff changes.
fn patched(patch: &str) -> impl Iterator<Item = &str> {
    patch
        .lines()
        .filter_map(|line| line.strip_prefix("--- a/"))
        .map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patched_file_is_known() {
        for patch in [super::super::w4a16::PATCH, super::super::w4a8::PATCH] {
            let files = Llama::pinned(patch).files;
            assert!(files.len() > 2);
            assert!(files.values().all(|digest| digest.len() == 64), "{files:?}");
        }
    }

    #[test]
    fn a_tree_is_held_against_the_digests() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "x").unwrap();
        let llama = |digest: String| Llama {
            version: VERSION.to_owned(),
            files: [("a".to_owned(), digest), ("b".to_owned(), String::new())].into(),
        };
        let found = llama(sha256(b"x")).differences(dir.path());
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("b: "), "{found:?}");
        assert_eq!(llama(sha256(b"y")).differences(dir.path())[0], "a differs");
    }
}
