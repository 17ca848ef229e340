//! Kernels, element types, problems.

use crate::native::ffi;
use std::fmt;
use std::str::FromStr;

/// A matrix kernel. Formats of its operands: docs/formats.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// `mm_hf`: fp16 x fp16, weights `hf_tile`.
    Hf,
    /// `mm_w4a8`: int4 x uint8, a scale for each block of 32, weights `q4_0_n_tile`.
    W4A8,
    /// `mm_w4a8_channel`: int4 x uint8, a scale for each column, weights `i4_n_tile`.
    W4A8Channel,
    /// `mm_w4a16_fused`: int4 expanded in VTCM, fp16 multiply, weights `q4_0_tile`.
    W4A16Fused,
    /// `mm_w4a16_twopass`: int4 expanded to memory first, weights `q4_0_tile`.
    W4A16Twopass,
}

/// `{0}` is no kernel; use one of mm_hf, mm_w4a8, mm_w4a8_channel, mm_w4a16_fused, mm_w4a16_twopass
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no kernel; use one of mm_hf, mm_w4a8, mm_w4a8_channel, mm_w4a16_fused, mm_w4a16_twopass"
)]
pub struct UnknownKernel(pub String);

impl Kernel {
    /// Every kernel.
    pub const ALL: [Kernel; 5] = [
        Kernel::Hf,
        Kernel::W4A8,
        Kernel::W4A8Channel,
        Kernel::W4A16Fused,
        Kernel::W4A16Twopass,
    ];

    /// Its name in docs, on the command line and in C.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Hf => "mm_hf",
            Kernel::W4A8 => "mm_w4a8",
            Kernel::W4A8Channel => "mm_w4a8_channel",
            Kernel::W4A16Fused => "mm_w4a16_fused",
            Kernel::W4A16Twopass => "mm_w4a16_twopass",
        }
    }

    /// Its number in C: `HMXWB_MM_*`.
    pub fn id(self) -> u32 {
        match self {
            Kernel::Hf => 1,
            Kernel::W4A8 => 2,
            Kernel::W4A8Channel => 3,
            Kernel::W4A16Fused => 4,
            Kernel::W4A16Twopass => 5,
        }
    }

    /// Whether it multiplies int4 with uint8.
    pub fn is_integer(self) -> bool {
        matches!(self, Kernel::W4A8 | Kernel::W4A8Channel)
    }

    /// Rows of one activation crouton.
    pub fn tile_rows(self) -> u32 {
        if self.is_integer() { 64 } else { 32 }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(s: &str) -> Result<Kernel, UnknownKernel> {
        Kernel::ALL
            .into_iter()
            .find(|k| k.name() == s)
            .ok_or_else(|| UnknownKernel(s.to_owned()))
    }
}

/// Type of an activation or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE single.
    F32,
    /// IEEE half. Not in the integer kernels.
    F16,
    /// The integer sum without any scale. Results of the integer kernels only.
    I32,
}

impl Element {
    /// Its number in C.
    pub fn id(self) -> u32 {
        match self {
            Element::F32 => 1,
            Element::F16 => 2,
            Element::I32 => 3,
        }
    }
}

/// Sizes and types of a problem: `out[m][n] = sum over k of act[m][k] * weight[n][k]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Rows of activations and results.
    pub m: u32,
    /// Output channels.
    pub n: u32,
    /// Input channels.
    pub k: u32,
    /// Type of the activations.
    pub act: Element,
    /// Type of the results.
    pub out: Element,
}

impl Shape {
    /// K in tiles of 32, rounded up.
    pub fn k_tiles(&self) -> u32 {
        self.k.div_ceil(32)
    }

    /// N in tiles of 32, rounded up.
    pub fn column_tiles(&self) -> u32 {
        self.n.div_ceil(32)
    }

    /// M in tiles of the kernel's rows, rounded up.
    pub fn row_tiles(&self, kernel: Kernel) -> u32 {
        self.m.div_ceil(kernel.tile_rows())
    }

    /// Bytes of a packed weight matrix in the kernel's format.
    pub fn weight_bytes(&self, kernel: Kernel) -> usize {
        let tiles = self.k_tiles() as usize * self.column_tiles() as usize;
        match kernel {
            Kernel::Hf => tiles * 2048,
            Kernel::W4A8Channel => tiles * 512 + self.column_tiles() as usize * 128,
            _ => tiles * 576,
        }
    }
}

/// A defect built into kernels on purpose (feature `planted-faults`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named in `name`
pub enum Fault {
    SwappedNibbles,
    TransposedTile,
    NoTailMask,
    StaleBuffer,
    NoWait,
    NeighbourScale,
    SaturatingReadout,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 7] = [
        Fault::SwappedNibbles,
        Fault::TransposedTile,
        Fault::NoTailMask,
        Fault::StaleBuffer,
        Fault::NoWait,
        Fault::NeighbourScale,
        Fault::SaturatingReadout,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Fault::SwappedNibbles => "swapped nibbles",
            Fault::TransposedTile => "transposed tile",
            Fault::NoTailMask => "missing tail mask",
            Fault::StaleBuffer => "stale second buffer",
            Fault::NoWait => "wait removed",
            Fault::NeighbourScale => "scale of the neighbouring block",
            Fault::SaturatingReadout => "saturating readout",
        }
    }

    /// Its number in C: `HMXWB_FAULT_*`.
    pub fn id(self) -> u32 {
        self as u32 + 1
    }

    /// Whether it can be planted in a kernel at all.
    pub fn applies_to(self, kernel: Kernel) -> bool {
        match self {
            Fault::TransposedTile | Fault::NoTailMask | Fault::StaleBuffer | Fault::NoWait => true,
            Fault::SwappedNibbles | Fault::NeighbourScale => kernel != Kernel::Hf,
            Fault::SaturatingReadout => kernel.is_integer(),
        }
    }
}

/// A problem with its data.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Sizes and types.
    pub shape: Shape,
    /// Activations, rows `act_stride` bytes apart.
    pub act: &'a [u8],
    /// Bytes from row to row of the activations.
    pub act_stride: u32,
    /// Packed weights in the kernel's format.
    pub weight: &'a [u8],
    /// Bytes from row to row of the result.
    pub out_stride: u32,
    /// User status register: bit 20 inf/nan enable, bit 21 nan propagate.
    pub usr: u32,
}

impl Problem<'_> {
    /// Bytes of the result: the last row ends with its last element.
    pub fn out_bytes(&self) -> usize {
        let rows = self.shape.m.saturating_sub(1) as usize;
        rows * self.out_stride as usize + self.shape.n as usize * self.shape.out.bytes()
    }

    /// As the kernel takes it.
    pub(crate) fn to_c(self, kernel: Kernel, fault: Option<Fault>) -> ffi::Problem {
        ffi::Problem {
            version: ffi::ABI_VERSION,
            kernel: kernel.id(),
            m: self.shape.m,
            n: self.shape.n,
            k: self.shape.k,
            act_type: self.shape.act.id(),
            out_type: self.shape.out.id(),
            act_stride: self.act_stride,
            out_stride: self.out_stride,
            usr: self.usr,
            fault: fault.map_or(0, Fault::id),
            reserved: 0,
        }
    }

    /// Whether sizes, types, strides and buffers fit together.
    pub(crate) fn check(&self, kernel: Kernel) -> Result<(), ProblemError> {
        let s = &self.shape;
        if s.m == 0 || s.n == 0 || s.k == 0 {
            return Err(ProblemError::Empty);
        }
        let integer = kernel.is_integer();
        let act_ok = s.act == Element::F32 || (!integer && s.act == Element::F16);
        let out_ok = match s.out {
            Element::F32 => true,
            Element::F16 => !integer,
            Element::I32 => integer,
        };
        if !act_ok || !out_ok {
            return Err(ProblemError::Type { kernel });
        }
        stride("activations", self.act_stride, s.k, s.act)?;
        stride("results", self.out_stride, s.n, s.out)?;
        let act = (s.m as usize - 1) * self.act_stride as usize + s.k as usize * s.act.bytes();
        size("activations", self.act.len(), act)?;
        size("weights", self.weight.len(), s.weight_bytes(kernel))
    }
}

fn stride(
    what: &'static str,
    bytes: u32,
    count: u32,
    element: Element,
) -> Result<(), ProblemError> {
    let element = element.bytes() as u64;
    let needed = u64::from(count) * element;
    if u64::from(bytes) < needed || u64::from(bytes) % element != 0 {
        return Err(ProblemError::Stride {
            what,
            bytes,
            needed,
            element,
        });
    }
    Ok(())
}

fn size(what: &'static str, got: usize, needed: usize) -> Result<(), ProblemError> {
    if got < needed {
        return Err(ProblemError::Size { what, got, needed });
    }
    Ok(())
}

/// What is wrong with a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// a matrix has no rows, columns or depth; m, n and k must be at least 1
    #[error("a matrix has no rows, columns or depth; m, n and k must be at least 1")]
    Empty,
    /// {kernel} does not take these element types; fp16 kernels take f32 or fp16, integer kernels f32 in and f32 or int32 out
    #[error(
        "{kernel} does not take these element types; fp16 kernels take f32 or fp16, integer kernels f32 in and f32 or int32 out"
    )]
    Type {
        /// The kernel.
        kernel: Kernel,
    },
    /// rows of {what} are {bytes} bytes apart; they need at least {needed}, in multiples of {element}
    #[error(
        "rows of {what} are {bytes} bytes apart; they need at least {needed}, in multiples of {element}"
    )]
    Stride {
        /// Which matrix.
        what: &'static str,
        /// Its stride.
        bytes: u32,
        /// Bytes of a row.
        needed: u64,
        /// Bytes of an element.
        element: u64,
    },
    /// the {what} are {got} bytes long; this problem has {needed}
    #[error("the {what} are {got} bytes long; this problem has {needed}")]
    Size {
        /// Which matrix.
        what: &'static str,
        /// Bytes there are.
        got: usize,
        /// Bytes there should be.
        needed: usize,
    },
}
