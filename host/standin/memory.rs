//! rpcmem: page-aligned memory, and a made-up file descriptor for each piece.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

const PAGE: usize = 4096;
/// Fresh memory is never zero by chance.
const FRESH: u8 = 0xe7;

static PIECES: Mutex<BTreeMap<usize, Layout>> = Mutex::new(BTreeMap::new());

fn pieces() -> std::sync::MutexGuard<'static, BTreeMap<usize, Layout>> {
    PIECES.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// `rpcmem_alloc`
#[unsafe(no_mangle)]
pub extern "C" fn rpcmem_alloc(_heap: c_int, _flags: u32, size: c_int) -> *mut c_void {
    usize::try_from(size).map_or(null_mut(), piece)
}

/// `rpcmem_alloc2`
#[unsafe(no_mangle)]
pub extern "C" fn rpcmem_alloc2(_heap: c_int, _flags: u32, size: usize) -> *mut c_void {
    piece(size)
}

/// Fresh memory; null for no bytes or too many.
fn piece(size: usize) -> *mut c_void {
    if size == 0 {
        return null_mut();
    }
    let Ok(layout) = Layout::from_size_align(size, PAGE) else {
        return null_mut();
    };
    // SAFETY: the layout has a size.
    let start = unsafe { alloc(layout) };
    if !start.is_null() {
        // SAFETY: `size` bytes from `start` were just allocated.
        unsafe { start.write_bytes(FRESH, size) };
        pieces().insert(start.addr(), layout);
    }
    start.cast()
}

/// `rpcmem_free`
///
/// # Safety
/// `memory` is null, or came from `rpcmem_alloc` and is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpcmem_free(memory: *mut c_void) {
    if let Some(layout) = pieces().remove(&memory.addr()) {
        // SAFETY: allocated here with this layout, and forgotten by the line above.
        unsafe { dealloc(memory.cast(), layout) };
    }
}

/// `rpcmem_to_fd`: -1 for anything but the start of a living piece.
#[unsafe(no_mangle)]
pub extern "C" fn rpcmem_to_fd(memory: *mut c_void) -> c_int {
    match pieces().keys().position(|&start| start == memory.addr()) {
        Some(number) => number as c_int + 100,
        None => -1,
    }
}
