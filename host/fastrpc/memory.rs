//! Memory that host and DSP share.

use super::failure::{Failure, Step};
use super::library::Library;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

/// The system heap.
const HEAP_SYSTEM: i32 = 25;
/// Cached on the CPU; the library keeps caches in step around a call.
const FLAGS_CACHED: u32 = 1;
/// AEE_ENORPCMEMORY
const NO_MEMORY: u32 = 0x68;

/// A buffer from `rpcmem_alloc`, given back when dropped. It holds its library.
pub struct Buffer {
    library: Arc<Library>,
    start: NonNull<u8>,
    len: usize,
}

impl Buffer {
    /// A buffer of `len` bytes, all `fill`.
    pub fn new(library: &Arc<Library>, len: usize, fill: u8) -> Result<Buffer, Failure> {
        let failure = Failure {
            step: Step::Memory,
            code: NO_MEMORY,
        };
        let room = len.max(1);
        // SAFETY: plain allocations of positive size; the result is checked below. Sizes that
        // `int` cannot hold go to rpcmem_alloc2 or nowhere.
        let memory = unsafe {
            match (library.alloc2, i32::try_from(room)) {
                // The open library cuts sizes from 2 GiB on to `int` inside rpcmem_alloc2.
                (Some(alloc2), Ok(_)) => alloc2(HEAP_SYSTEM, FLAGS_CACHED, room),
                (None, Ok(size)) => (library.alloc)(HEAP_SYSTEM, FLAGS_CACHED, size),
                (_, Err(_)) => return Err(failure),
            }
        };
        // Some builds return -1 in place of NULL when mapping fails.
        if memory.addr() == usize::MAX {
            return Err(failure);
        }
        let start = NonNull::new(memory.cast::<u8>()).ok_or(failure)?;
        // SAFETY: the allocation has at least `len` bytes and belongs to this buffer alone.
        unsafe { start.write_bytes(fill, len) };
        Ok(Buffer {
            library: Arc::clone(library),
            start,
            len,
        })
    }

    /// A buffer with these bytes.
    pub fn holding(library: &Arc<Library>, bytes: &[u8]) -> Result<Buffer, Failure> {
        let mut buffer = Buffer::new(library, bytes.len(), 0)?;
        buffer.copy_from_slice(bytes);
        Ok(buffer)
    }

    /// Whether the library knows a file descriptor for it, so that a call need not copy it.
    pub fn is_shared(&self) -> bool {
        // SAFETY: the pointer is the start of a living allocation of this library.
        unsafe { (self.library.to_fd)(self.start.as_ptr().cast()) >= 0 }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `len` initialised bytes from `start` belong to this buffer alone; the DSP
        // touches them only during a call, which borrows the buffer.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated by the same library, and given back once.
        unsafe { (self.library.free)(self.start.as_ptr().cast()) };
    }
}
