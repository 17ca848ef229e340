//! What a line of golden cases can have wrong.

use crate::replay::MAX_SPAN;

/// Why a line is no case.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// not a case in JSON: {0}; each line must be one object with id, arch, program and expect
    #[error(
        "not a case in JSON: {0}; each line must be one object with id, arch, program and expect"
    )]
    Json(#[from] serde_json::Error),
    /// case `{id}`: {source}
    #[error("case `{id}`: {source}")]
    Arch {
        /// The case.
        id: String,
        /// What is wrong.
        source: hmx_abi::arch::UnknownArch,
    },
    /// case `{id}`: poison {value} is no byte; use 0 to 255
    #[error("case `{id}`: poison {value} is no byte; use 0 to 255")]
    Poison {
        /// The case.
        id: String,
        /// The value.
        value: u32,
    },
    /// case `{id}`: `{list}[{index}]` is not base64: {source}; encode the bytes again
    #[error("case `{id}`: `{list}[{index}]` is not base64: {source}; encode the bytes again")]
    Base64 {
        /// The case.
        id: String,
        /// `mem` or `expect`.
        list: &'static str,
        /// Which entry.
        index: usize,
        /// What is wrong.
        source: base64::DecodeError,
    },
    /// case `{id}`: `expect[{index}]` says {len} bytes and holds {found}; make them equal
    #[error("case `{id}`: `expect[{index}]` says {len} bytes and holds {found}; make them equal")]
    Length {
        /// The case.
        id: String,
        /// Which entry.
        index: usize,
        /// The field `len`.
        len: usize,
        /// Bytes in `b64`.
        found: usize,
    },
    /// case `{id}`: `expect` is empty, so nothing would be checked; name the bytes to compare
    #[error(
        "case `{id}`: `expect` is empty, so nothing would be checked; name the bytes to compare"
    )]
    NothingExpected {
        /// The case.
        id: String,
    },
    /// case `{id}`: `{list}[{index}]` runs past the end of the 32-bit addresses; move it down
    #[error(
        "case `{id}`: `{list}[{index}]` runs past the end of the 32-bit addresses; move it down"
    )]
    Wraps {
        /// The case.
        id: String,
        /// `mem` or `expect`.
        list: &'static str,
        /// Which entry.
        index: usize,
    },
    /// case `{id}`: its addresses span {span} bytes, more than {MAX_SPAN}; move its pieces closer together
    #[error(
        "case `{id}`: its addresses span {span} bytes, more than {MAX_SPAN}; move its pieces closer together"
    )]
    Span {
        /// The case.
        id: String,
        /// Bytes from the first to the last named.
        span: u64,
    },
    /// case `{id}`, packet {packet} `{text}`: {message}
    #[error("case `{id}`, packet {packet} `{text}`: {message}")]
    Assembly {
        /// The case.
        id: String,
        /// Index in the program, from 0.
        packet: usize,
        /// The packet.
        text: String,
        /// What is wrong.
        message: String,
    },
}
