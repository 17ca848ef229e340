//! A client of the FastRPC library (libcdsprpc), which is opened at run time.
//!
//! The order of a session: library, capabilities, kind of process, open, calls, close. Two
//! habits of the library shape the types here. A handle that is no longer valid may report
//! success without calling anything, so a handle lives inside a [`Session`] that closing
//! consumes, and answers must vouch for themselves (`hmx_abi::call`). And calls have no time
//! limit, so `host/device` makes them in a child process.
//!
//! Nothing here was tried on a device; the tests run against the stand-in library.

pub mod abi;
pub mod capability;
pub mod failure;
pub mod library;
pub mod memory;
pub mod platform;
pub mod session;

pub use capability::Capabilities;
pub use failure::{Failure, Step};
pub use library::{Library, NoLibrary};
pub use memory::Buffer;
pub use session::{Opening, Pd, Session};
