//! Memory as HMX sees it.

/// {len} bytes at {at:#x} lie outside VTCM ({base:#x}..{end:#x}); check the operand's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{len} bytes at {at:#x} lie outside VTCM ({base:#x}..{end:#x}); check the operand's address"
)]
pub struct Outside {
    /// First byte asked for.
    pub at: u32,
    /// Bytes asked for.
    pub len: usize,
    /// First byte of VTCM.
    pub base: u32,
    /// First byte after VTCM.
    pub end: u64,
}

/// What the model reads and writes. A wrapper can watch every access.
pub trait Memory {
    /// Reads: activation croutons, 128-byte weight vectors, bias areas.
    fn load(&mut self, at: u32, len: usize) -> Result<&[u8], Outside>;
    /// The block that a store will write part of; `written` follows with the bytes it wrote.
    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside>;
    /// Told after a store: `len` bytes at `at` were really written.
    fn written(&mut self, _at: u32, _len: usize) {}
}

/// A plain piece of memory at an address.
pub struct Vtcm<'a> {
    /// Address of the first byte.
    pub base: u32,
    /// The bytes.
    pub bytes: &'a mut [u8],
}

impl Vtcm<'_> {
    fn range(&self, at: u32, len: usize) -> Result<std::ops::Range<usize>, Outside> {
        let start = u64::from(at).wrapping_sub(u64::from(self.base));
        let end = start.saturating_add(len as u64);
        if end > self.bytes.len() as u64 {
            return Err(Outside {
                at,
                len,
                base: self.base,
                end: u64::from(self.base) + self.bytes.len() as u64,
            });
        }
        Ok(start as usize..end as usize)
    }
}

impl Memory for Vtcm<'_> {
    fn load(&mut self, at: u32, len: usize) -> Result<&[u8], Outside> {
        let range = self.range(at, len)?;
        Ok(&self.bytes[range])
    }

    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside> {
        let range = self.range(at, len)?;
        Ok(&mut self.bytes[range])
    }
}
