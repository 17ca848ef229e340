//! Memory that this process and the guest both see.

use std::fs::File;
use std::io;

/// A piece of shared memory: a nameless file, mapped here and, by the guest, at an address
/// of its own.
///
/// The guest only runs while this process waits for its answer, so a borrow of the bytes
/// never overlaps a write of the other side.
pub struct Shared {
    file: File,
    map: memmap2::MmapMut,
}

impl Shared {
    /// `len` zero bytes.
    pub fn new(name: &str, len: usize) -> io::Result<Shared> {
        let file = File::from(rustix::fs::memfd_create(
            name,
            rustix::fs::MemfdFlags::CLOEXEC,
        )?);
        file.set_len(len as u64)?;
        // SAFETY: the file has no name, so nobody but this process and the guest that it
        // is handed to can write or truncate it; neither truncates, and the guest writes
        // only while this process waits for it.
        let map = unsafe { memmap2::MmapMut::map_mut(&file)? };
        Ok(Shared { file, map })
    }

    /// The file, to be handed to the guest.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }
}
