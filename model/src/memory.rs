//! Memory as HMX sees it.
//!
//! Looking and using are told apart, so that a wrapper can keep a shadow map: [`Memory::load`]
//! and [`Memory::store`] only hand out bytes, [`Memory::consumed`] and [`Memory::written`]
//! say which bytes the packet really used. Both come only for packets that succeed.

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
    /// The bytes at an address. Also called to check an address before anything is changed,
    /// so this alone says nothing about what a packet used: see [`Memory::consumed`].
    fn load(&self, at: u32, len: usize) -> Result<&[u8], Outside>;

    /// The block that a store writes part of. Also called to check an address, and bytes of
    /// the block may be left as they are: see [`Memory::written`].
    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside>;

    /// Told once per packet and area, after the packet succeeded: `len` bytes at `at` were
    /// used. Activations by whole croutons (2048 bytes, those touched by a tap), weights by
    /// 128-byte vectors (one run from the first to the last vector used), bias by its area
    /// (128 or 256 bytes).
    fn consumed(&mut self, _at: u32, _len: usize) {}

    /// Told after a store, once per run of neighbouring bytes: `len` bytes at `at` were
    /// really written.
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
        let outside = || Outside {
            at,
            len,
            base: self.base,
            end: u64::from(self.base) + self.bytes.len() as u64,
        };
        let start = at.checked_sub(self.base).ok_or_else(outside)? as usize;
        match start.checked_add(len) {
            Some(end) if end <= self.bytes.len() => Ok(start..end),
            _ => Err(outside()),
        }
    }
}

impl Memory for Vtcm<'_> {
    fn load(&self, at: u32, len: usize) -> Result<&[u8], Outside> {
        Ok(&self.bytes[self.range(at, len)?])
    }

    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside> {
        let range = self.range(at, len)?;
        Ok(&mut self.bytes[range])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_outside_are_refused_on_both_sides() {
        let mut bytes = [0u8; 16];
        let mut m = Vtcm {
            base: 0x100,
            bytes: &mut bytes,
        };
        assert!(m.load(0x100, 16).is_ok());
        assert!(m.load(0x101, 16).is_err());
        assert!(m.load(0xFF, 1).is_err());
        assert!(m.load(0, 1).is_err());
        assert!(m.store(0x110, 0).is_ok());
        assert!(m.store(u32::MAX, usize::MAX).is_err());
    }
}
