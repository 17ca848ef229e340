//! An export's folder: written whole, or not at all.

use super::File;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// {0} is there already and not empty; remove it, or name another folder
    #[error("{0} is there already and not empty; remove it, or name another folder")]
    Taken(PathBuf),
    /// cannot write {0}: {1}
    #[error("cannot write {0}: {1}")]
    Io(PathBuf, io::Error),
}

/// Whether [`write()`] would take this folder: it is not there, or it is empty.
///
/// # Errors
/// It would not.
pub fn check_free(out: &Path) -> Result<(), FolderError> {
    match std::fs::read_dir(out).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(FolderError::Taken(out.to_owned())),
        Ok(false) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(FolderError::Io(out.to_owned(), e)),
    }
}

/// Writes the files beside their place and renames the folder when all are there.
///
/// # Errors
/// The folder is taken, or cannot be written.
pub fn write(out: &Path, files: &[File]) -> Result<(), FolderError> {
    check_free(out)?;
    let io = |e| FolderError::Io(out.to_owned(), e);
    let above = match out.parent() {
        Some(above) if !above.as_os_str().is_empty() => above,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(above).map_err(io)?;
    let work = tempfile::Builder::new()
        .prefix(".hmx-export-")
        .tempdir_in(above)
        .map_err(io)?;
    let inside = work.path().join("export");
    for file in files {
        let to = inside.join(&file.path);
        std::fs::create_dir_all(to.parent().unwrap_or(&inside)).map_err(io)?;
        std::fs::write(&to, &file.bytes).map_err(io)?;
    }
    if out.is_dir() {
        std::fs::remove_dir(out).map_err(io)?; // empty; a rename onto it fails on some systems
    }
    std::fs::rename(&inside, out).map_err(io)
}

/// Every file below a folder, by its path with `/`.
///
/// # Errors
/// A folder cannot be read.
pub fn list(dir: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![(dir.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type()?.is_dir() {
                true => folders.push((entry.path(), path + "/")),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_whole_and_nothing_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a/b");
        let files = [File::new("x", "1"), File::new("y/z", "2")];
        write(&out, &files).unwrap();
        assert_eq!(list(&out).unwrap(), ["x", "y/z"]);
        assert!(matches!(write(&out, &files), Err(FolderError::Taken(_))));
        assert_eq!(std::fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
        let empty = dir.path().join("empty");
        std::fs::create_dir(&empty).unwrap();
        write(&empty, &files).unwrap();
        assert_eq!(list(&empty).unwrap().len(), 2);
    }
}
