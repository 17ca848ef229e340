//! Sessions and handles of this process.

use super::{BAD_PARAMETER, OK, faults, search};
use hmx_workbench::skel_build::ENTRY;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

const UNABLE_TO_LOAD: u32 = 0x8000_0406;
const NO_SYMBOL: u32 = 0x8000_0442;
/// The kind of process cannot be changed after the first open.
const ALREADY_LOADED: u32 = 0x5;

struct Process {
    handles: BTreeSet<u64>,
    last_handle: u64,
    reserved: u32,
    unsigned: bool,
    opened: bool,
    dead: bool,
    /// The skel's file, where one was searched for.
    skel: Option<PathBuf>,
}

static PROCESS: Mutex<Process> = Mutex::new(Process {
    handles: BTreeSet::new(),
    last_handle: 0x5000,
    reserved: 0,
    unsigned: false,
    opened: false,
    dead: false,
    skel: None,
});

fn process() -> std::sync::MutexGuard<'static, Process> {
    PROCESS.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Reserves a session; `None` at the limit.
pub fn reserve() -> Option<u32> {
    let mut process = process();
    if process.reserved + 1 >= faults::sessions() {
        return None;
    }
    process.reserved += 1;
    Some(process.reserved)
}

/// Sets the kind of process.
pub fn unsigned(wanted: bool) -> u32 {
    let mut process = process();
    if process.opened && process.unsigned != wanted {
        return ALREADY_LOADED;
    }
    process.unsigned = wanted;
    OK
}

/// The kind of process.
pub fn is_unsigned() -> bool {
    process().unsigned
}

/// Opens the skel.
pub fn open(uri: &str) -> Result<u64, u32> {
    if !uri.contains("_dom=cdsp") {
        return Err(BAD_PARAMETER);
    }
    let mut process = process();
    if let Some((_, session)) = uri.split_once("_session=") {
        let digits = session.split('&').next().unwrap_or_default();
        match digits.parse::<u32>() {
            Ok(session) if session <= process.reserved => {}
            _ => return Err(BAD_PARAMETER),
        }
    }
    if let Some(code) = faults::open_code() {
        return Err(code);
    }
    if !process.unsigned {
        return Err(UNABLE_TO_LOAD); // the skel is not signed
    }
    let entry = uri.split_once('?').map(|(_, rest)| rest);
    let entry = entry.and_then(|rest| rest.split('&').next());
    if entry != Some(ENTRY) {
        return Err(NO_SYMBOL);
    }
    if search::ordered("search") {
        let name = uri.split('?').next().unwrap_or_default();
        let name = name.trim_start_matches("file://").trim_start_matches('/');
        process.skel = Some(search::find(name).ok_or(UNABLE_TO_LOAD)?);
    }
    process.opened = true;
    process.last_handle += 0x10;
    let handle = process.last_handle;
    process.handles.insert(handle);
    Ok(handle)
}

/// The skel's file, where one was searched for.
pub fn skel() -> Option<PathBuf> {
    process().skel.clone()
}

/// Whether a handle is open.
pub fn is_open(handle: u64) -> bool {
    process().handles.contains(&handle)
}

/// Forgets a handle; false if there is none.
pub fn close(handle: u64) -> bool {
    process().handles.remove(&handle)
}

/// The process on the DSP is gone.
pub fn kill() {
    process().dead = true;
}

/// Whether the process on the DSP is gone.
pub fn is_dead() -> bool {
    process().dead
}
