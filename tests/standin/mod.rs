//! Where the stand-in for the FastRPC library lies.

use std::path::{Path, PathBuf};

/// The stand-in, which cargo builds beside the tests because they depend on it.
pub fn standin() -> PathBuf {
    use hmx_standin as _; // keeps the dependency
    let beside = std::env::current_exe().expect("this test has a file");
    let mut folders: Vec<&Path> = beside.ancestors().skip(1).take(2).collect();
    folders.reverse();
    let name = format!(
        "{}hmx_standin{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let files = folders
        .iter()
        .flat_map(|folder| [folder.join(&name), folder.join("deps").join(&name)]);
    let newest = files
        .filter(|file| file.exists())
        .max_by_key(|file| file.metadata().and_then(|m| m.modified()).ok());
    newest.expect("the stand-in is built with the tests")
}
