//! Kernels, element types, shapes, defects.

use super::ProblemError;
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

    /// The name of that number.
    pub fn c_name(self) -> &'static str {
        match self {
            Kernel::Hf => "HMXWB_MM_HF",
            Kernel::W4A8 => "HMXWB_MM_W4A8",
            Kernel::W4A8Channel => "HMXWB_MM_W4A8_CHANNEL",
            Kernel::W4A16Fused => "HMXWB_MM_W4A16_FUSED",
            Kernel::W4A16Twopass => "HMXWB_MM_W4A16_TWOPASS",
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

    /// The name of that number.
    pub fn c_name(self) -> &'static str {
        match self {
            Element::F32 => "HMXWB_F32",
            Element::F16 => "HMXWB_F16",
            Element::I32 => "HMXWB_I32",
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

    /// Whether a kernel takes these element types.
    pub fn check_types(&self, kernel: Kernel) -> Result<(), ProblemError> {
        let integer = kernel.is_integer();
        let act_ok = self.act == Element::F32 || (!integer && self.act == Element::F16);
        let out_ok = match self.out {
            Element::F32 => true,
            Element::F16 => !integer,
            Element::I32 => integer,
        };
        if act_ok && out_ok {
            return Ok(());
        }
        Err(ProblemError::Type { kernel })
    }

    /// Bytes of the scratch memory that a kernel asks for.
    pub fn scratch_bytes(&self, kernel: Kernel) -> usize {
        match kernel {
            Kernel::W4A16Twopass => self.weight_bytes(Kernel::Hf),
            _ => 0,
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
