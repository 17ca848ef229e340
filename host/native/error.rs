//! What can go wrong in native code.

use hmx_model::Fault;

/// What the watched memory found: a defect of the kernel (or of its plan).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// VTCM byte {at:#x} is read, but nothing ever wrote it; initialise it or do not read it
    #[error(
        "VTCM byte {at:#x} is read, but nothing ever wrote it; initialise it or do not read it"
    )]
    Unwritten {
        /// Offset in VTCM.
        at: u64,
    },
    /// VTCM byte {at:#x} is used, but lies outside every region of the plan; stay inside the regions
    #[error(
        "VTCM byte {at:#x} is used, but lies outside every region of the plan; stay inside the regions"
    )]
    Guard {
        /// Offset in VTCM.
        at: u64,
    },
    /// a vector access of {length} bytes is outside VTCM (offset {at:#x}); bring the data in by DMA
    #[error(
        "a vector access of {length} bytes is outside VTCM (offset {at:#x}); bring the data in by DMA"
    )]
    Outside {
        /// Offset from the start of VTCM, wrapped.
        at: u64,
        /// Bytes.
        length: u64,
    },
    /// an access at VTCM offset {at:#x} is not aligned to {align} bytes
    #[error("an access at VTCM offset {at:#x} is not aligned to {align} bytes")]
    Misaligned {
        /// Offset in VTCM.
        at: u64,
        /// Alignment asked for.
        align: u64,
    },
    /// VTCM byte {at:#x} is used while a DMA to it is under way; wait for its ticket first
    #[error("VTCM byte {at:#x} is used while a DMA to it is under way; wait for its ticket first")]
    Pending {
        /// Offset in VTCM.
        at: u64,
    },
    /// a DMA of {length} bytes at offset {at:#x} leaves its buffer; check the tail of the last row
    #[error(
        "a DMA of {length} bytes at offset {at:#x} leaves its buffer; check the tail of the last row"
    )]
    DmaBuffer {
        /// Offset in the memory buffer.
        at: u64,
        /// Bytes from first to last.
        length: u64,
    },
    /// a DMA descriptor's field does not fit (width {at}, rows {length}); cut the transfer
    #[error("a DMA descriptor's field does not fit (width {at}, rows {length}); cut the transfer")]
    DmaLimit {
        /// Width in bytes.
        at: u64,
        /// Rows.
        length: u64,
    },
    /// {count} DMA transfers were never waited for; wait for the last ticket before returning
    #[error(
        "{count} DMA transfers were never waited for; wait for the last ticket before returning"
    )]
    DmaLeft {
        /// Transfers in flight at the end.
        count: u64,
    },
}

impl Found {
    /// From the C side's number (`HMXWB_FOUND_*`); `None` for "nothing".
    pub(super) fn from_c(found: u32, at: u64, length: u64) -> Option<Found> {
        Some(match found {
            0 => return None,
            1 => Found::Unwritten { at },
            2 => Found::Guard { at },
            3 => Found::Outside { at, length },
            4 => Found::Misaligned { at, align: length },
            5 => Found::Pending { at },
            6 => Found::DmaBuffer { at, length },
            7 => Found::DmaLimit { at, length },
            _ => Found::DmaLeft { count: length },
        })
    }
}

/// Why a native run gave no result.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// the program is too long for one run; split it
    #[error("the program is too long for one run; split it")]
    TooLong,
    /// {0} bytes are too many for VTCM; at most 64 MiB fit
    #[error("{0} bytes are too many for VTCM; at most 64 MiB fit")]
    TooLarge(usize),
    /// packet {packet}: {fault}
    #[error("packet {packet}: {fault}")]
    Hmx {
        /// Number of the packet, counted from 1.
        packet: u64,
        /// What the model said.
        fault: Fault,
    },
    /// packet {packet} is no HMX packet: {words:x?}
    #[error("packet {packet} is no HMX packet: {words:x?}")]
    NoPacket {
        /// Number of the packet, counted from 1.
        packet: u64,
        /// Its words.
        words: Vec<u32>,
    },
    /// the memory watch stopped the kernel: {0}
    #[error("the memory watch stopped the kernel: {0}")]
    Memory(#[from] Found),
    /// the kernel refused the request: {0}
    #[error("the kernel refused the request: {0}")]
    Refused(Status),
    /// the functional model failed on packet {0}; this is a defect of the workbench, please report it
    #[error(
        "the functional model failed on packet {0}; this is a defect of the workbench, please report it"
    )]
    Model(u64),
    /// a native run is under way on this thread; end it first
    #[error("a native run is under way on this thread; end it first")]
    Busy,
}

/// A status that C code returned: `HMXWB_E_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status(pub i32);

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            1 => "it was built with another version of the interface; rebuild",
            2 => "the problem is malformed (a size, a type, a stride or a planted fault)",
            3 => "the plan does not suit the problem; plan it with this version",
            4 => "a buffer is smaller than the problem says",
            5 => "a step is no HMX packet",
            6 => "the machine reported a fault",
            other => return write!(f, "status {other}"),
        })
    }
}
