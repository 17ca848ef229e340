//! What can be wrong with a model file.

use std::path::PathBuf;

/// Why a file or a tensor was not read.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    /// Cannot read {path}: {source}. Check the name and its permissions.
    #[error("cannot read {}: {source}. Check the name and its permissions", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// {path} is no GGUF file: it does not start with `GGUF`. Give a model file written by llama.cpp or the gguf package.
    #[error(
        "{} is no GGUF file: it does not start with `GGUF`. Give a model file written by llama.cpp or the gguf package", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// {path} has GGUF version {version}; versions 2 and 3, little-endian, are read. Convert the model again with a current llama.cpp.
    #[error(
        "{} has GGUF version {version}; versions 2 and 3, little-endian, are read. Convert the model again with a current llama.cpp", path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// {path} is truncated: {what} ends at byte {wanted}, the file at {length}. Download or copy it again.
    #[error(
        "{} is truncated: {what} ends at byte {wanted}, the file at {length}. Download or copy it again", path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Which part is incomplete.
        what: String,
        /// Where it should end; for the header, at least there.
        wanted: u64,
        /// Bytes of the file.
        length: u64,
    },
    /// The header of {path} is malformed ({why}). Convert the model again.
    #[error("the header of {} is malformed ({why}). Convert the model again", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// {path} has no tensor `{name}`; it has {available}. Name one of them with --tensor.
    #[error("{} has no tensor `{name}`; it has {available}. Name one of them with --tensor", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// Names of the tensors that would serve.
        available: String,
    },
    /// Tensor `{name}` of {path} is {found}, but {wanted} is needed. Name another with --tensor, or quantise the model with `llama-quantize`.
    #[error(
        "tensor `{name}` of {} is {found}, but {wanted} is needed. Name another with --tensor, or quantise the model with `llama-quantize`", path.display()
    )]
    Unsuitable {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its type and shape.
        found: String,
        /// What is needed.
        wanted: String,
    },
}
