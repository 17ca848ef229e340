//! The search for the skel's file: `HMX_STANDIN_SKEL=search`.
//!
//! Without it the skel is always found. With it the file that the URI names must lie where the
//! open library looks first: in a folder of `DSP_LIBRARY_PATH` (else `ADSP_LIBRARY_PATH`) or in
//! `cdsp` below it. `search,qemu` runs the file that was found.

use std::path::{Path, PathBuf};

/// Whether `HMX_STANDIN_SKEL`, a list with commas, has this word.
pub fn ordered(word: &str) -> bool {
    let list = std::env::var("HMX_STANDIN_SKEL").unwrap_or_default();
    list.split(',').any(|ordered| ordered == word)
}

/// The file of this name.
pub fn find(name: &str) -> Option<PathBuf> {
    let variable = |name| std::env::var(name).ok().filter(|list| !list.is_empty());
    let list = variable("DSP_LIBRARY_PATH").or_else(|| variable("ADSP_LIBRARY_PATH"))?;
    list.split(';')
        .flat_map(|folder| [Path::new(folder).join("cdsp"), PathBuf::from(folder)])
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
