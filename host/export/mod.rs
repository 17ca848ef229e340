//! What leaves the workbench: a kernel with all that a runtime needs to carry it.

pub mod amalgam;
pub mod bundle;
pub mod golden;
pub mod w4a8;

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it goes: below the export's folder, parts joined with `/`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file at a path below the export's folder.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> File {
        File {
            path: path.into(),
            bytes: bytes.into(),
        }
    }
}
