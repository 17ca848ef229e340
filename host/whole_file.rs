//! Files that are whole or not there.

use std::io;
use std::path::Path;

/// Writes a file under another name beside its place and renames it, so that no half of one is
/// left; an older file of that name is replaced only when everything is written.
pub fn write(file: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let Some(name) = file.file_name() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the path names no file",
        ));
    };
    let mut beside = name.to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(beside);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, file));
    if written.is_err() {
        // The error to report is the first one.
        let _ = std::fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        write(&file, "one").unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file.
        let taken = folder.path().join("taken");
        std::fs::create_dir(&taken).unwrap();
        std::fs::write(taken.join("inside"), "x").unwrap();
        assert!(write(&taken, "one").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(Path::new("/"), "one").is_err());
    }
}
