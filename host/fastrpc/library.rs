//! The FastRPC library, opened at run time: few symbols are required, the rest have fallbacks.
//!
//! `rpcmem_init` is never called: on builds of the open library that re-initialises a list and
//! loses buffers.

use super::abi::{
    Control, HandleClose, HandleInvoke, HandleOpen, MemoryAlloc, MemoryAlloc2, MemoryFree,
    MemoryToFd,
};
use super::platform;
use std::ffi::OsString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Environment variable that names the library to open.
pub const LIBRARY_VARIABLE: &str = "HMX_FASTRPC_LIB";

/// The library and its functions.
pub struct Library {
    path: PathBuf,
    pub(super) open: HandleOpen,
    pub(super) invoke: HandleInvoke,
    pub(super) close: HandleClose,
    pub(super) session_control: Control,
    pub(super) alloc: MemoryAlloc,
    pub(super) free: MemoryFree,
    pub(super) to_fd: MemoryToFd,
    pub(super) alloc2: Option<MemoryAlloc2>,
    pub(super) handle_control: Option<Control>,
    missing: Vec<&'static str>,
    /// Never unloaded: its threads and exit hooks outlive every handle.
    _library: ManuallyDrop<libloading::Library>,
}

/// Why there is no library to talk to.
#[derive(Debug, thiserror::Error)]
pub enum NoLibrary {
    /// no FastRPC library was found ({tried}); on a device install the vendor's library, elsewhere name one with HMX_FASTRPC_LIB
    #[error(
        "no FastRPC library was found ({tried}); on a device install the vendor's library, elsewhere name one with HMX_FASTRPC_LIB"
    )]
    NotFound {
        /// What was tried, and what happened.
        tried: String,
    },
    /// {path} has no symbol `{symbol}`, so it is no FastRPC library that can be used; check HMX_FASTRPC_LIB, or update the driver
    #[error(
        "{path} has no symbol `{symbol}`, so it is no FastRPC library that can be used; check HMX_FASTRPC_LIB, or update the driver"
    )]
    NoSymbol {
        /// The library.
        path: PathBuf,
        /// The missing symbol.
        symbol: &'static str,
    },
}

/// Where a library will be looked for: the named one alone, or the platform's places.
pub fn places(named: Option<OsString>) -> (Vec<PathBuf>, Option<String>) {
    match named.filter(|name| !name.is_empty()) {
        Some(name) => (vec![PathBuf::from(name)], None),
        None => platform::candidates(),
    }
}

impl Library {
    /// Opens the library that `HMX_FASTRPC_LIB` names, or the platform's.
    pub fn find() -> Result<Arc<Library>, NoLibrary> {
        let (places, remark) = places(std::env::var_os(LIBRARY_VARIABLE));
        let mut tried: Vec<String> = remark.into_iter().collect();
        for place in places {
            match platform::open(&place) {
                Ok(library) => return Library::with_symbols(place, library).map(Arc::new),
                Err(error) => tried.push(plain(&place, &error)),
            }
        }
        Err(NoLibrary::NotFound {
            tried: tried.join("; "),
        })
    }

    fn with_symbols(path: PathBuf, library: libloading::Library) -> Result<Library, NoLibrary> {
        let mut missing = Vec::new();
        macro_rules! optional {
            ($name:literal) => {{
                // SAFETY: the symbol is used with the type that the public header gives it;
                // the library is never unloaded, so the copied pointer stays valid.
                let symbol = unsafe { library.get($name.as_bytes()) }.map(|symbol| *symbol);
                if symbol.is_err() {
                    missing.push($name);
                }
                symbol.ok()
            }};
        }
        macro_rules! required {
            ($name:literal) => {
                match optional!($name) {
                    Some(symbol) => symbol,
                    None => {
                        return Err(NoLibrary::NoSymbol {
                            path,
                            symbol: $name,
                        });
                    }
                }
            };
        }
        Ok(Library {
            open: required!("remote_handle64_open"),
            invoke: required!("remote_handle64_invoke"),
            close: required!("remote_handle64_close"),
            session_control: required!("remote_session_control"),
            alloc: required!("rpcmem_alloc"),
            free: required!("rpcmem_free"),
            to_fd: required!("rpcmem_to_fd"),
            alloc2: optional!("rpcmem_alloc2"),
            handle_control: optional!("remote_handle_control"),
            missing,
            path,
            _library: ManuallyDrop::new(library),
        })
    }

    /// What was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Optional symbols that this library lacks; each has a fallback.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }
}

/// The loader's words behind the name of the library, which it may have said already.
fn plain(place: &Path, error: &libloading::Error) -> String {
    let text = match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    };
    let name = place.display().to_string();
    match text.trim() {
        text if text.contains(&name) => text.to_owned(),
        text => format!("{name}: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_library_is_the_only_place() {
        let (named, remark) = places(Some("/x/liby.so".into()));
        assert_eq!((named, remark), (vec![PathBuf::from("/x/liby.so")], None));
        let (usual, _) = places(Some(OsString::new()));
        assert_eq!(usual, platform::candidates().0);
    }
}
