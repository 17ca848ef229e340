//! LLVM's own tools, where this computer has them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Oldest LLVM whose Hexagon disassembler and compiler are good enough.
const OLDEST: u32 = 19;
/// Newest version looked for under a name with its number.
const NEWEST: u32 = 40;
/// A program of LLVM.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
}

/// Finds a program such as `clang`: the one named by the environment variable, else the
/// newest `clang-NN` in PATH, else a plain `clang` that is new enough. `None` without one.
pub fn find(name: &str, variable: &str) -> Option<Tool> {
    if let Some(path) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
        return Some(Tool { path: path.into() });
    }
    let folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let in_path = |name: &str| {
        folders
            .iter()
            .map(|f| f.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
            .find(|p| p.is_file())
    };
    let numbered = (OLDEST..=NEWEST)
        .rev()
        .find_map(|n| in_path(&format!("{name}-{n}")));
    let path = numbered.or_else(|| in_path(name).filter(|p| version(p) >= Some(OLDEST)))?;
    Some(Tool { path })
}

/// The major version a program of LLVM reports.
fn version(path: &Path) -> Option<u32> {
    let out = Command::new(path).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let (_, after) = text.split_once("version ")?;
    after.split('.').next()?.trim().parse().ok()
}
