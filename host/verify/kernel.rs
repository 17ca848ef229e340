//! What is verified: a kernel seen from outside, as a matrix product with one problem and one way to cut it up.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kernels that can be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// fp16 x fp16.
    MmHf,
    /// int4 x uint8, a scale for each block of 32.
    MmW4a8,
    /// int4 x uint8, a scale for each output channel.
    MmW4a8Channel,
    /// int4 expanded to fp16 in VTCM, while the neighbouring chunks move and multiply.
    MmW4a16Fused,
    /// int4 expanded to fp16 in memory first.
    MmW4a16Twopass,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Kernel; 5] = [
        Kernel::MmHf,
        Kernel::MmW4a8,
        Kernel::MmW4a8Channel,
        Kernel::MmW4a16Fused,
        Kernel::MmW4a16Twopass,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::MmHf => "mm_hf",
            Kernel::MmW4a8 => "mm_w4a8",
            Kernel::MmW4a8Channel => "mm_w4a8_channel",
            Kernel::MmW4a16Fused => "mm_w4a16_fused",
            Kernel::MmW4a16Twopass => "mm_w4a16_twopass",
        }
    }

    /// The kernel of that name.
    pub fn named(name: &str) -> Option<Kernel> {
        Kernel::ALL.into_iter().find(|k| k.name() == name)
    }

    /// Whether activations are quantised to uint8 and summed up as integers.
    pub fn is_integer(self) -> bool {
        matches!(self, Kernel::MmW4a8 | Kernel::MmW4a8Channel)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Element type of activations or results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// 32-bit float.
    F32,
    /// 16-bit float.
    F16,
    /// 32-bit integer: results of integer kernels, without any scale.
    I32,
}

impl Type {
    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        match self {
            Type::F16 => 2,
            Type::F32 | Type::I32 => 4,
        }
    }
}

/// Weights as they come from a model, N rows of K.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// fp16 bits.
    Half(Vec<u16>),
    /// ggml's Q4_0 blocks.
    Q4_0(Vec<u8>),
    /// int4 numbers (-8 to 7) and a scale for each row.
    Channel {
        /// One number for each weight.
        q: Vec<i8>,
        /// One scale for each row.
        scale: Vec<f32>,
    },
}

/// `out[m][n] = sum over k of act[m][k] * weight[n][k]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Which kernel.
    pub kernel: Kernel,
    /// Rows of activations.
    pub m: usize,
    /// Output channels.
    pub n: usize,
    /// Input channels.
    pub k: usize,
    /// Type in which the activations are handed over.
    pub act_type: Type,
    /// M rows of K; for [`Type::F16`] the fp16 bits in the low half, for [`Type::F32`] the f32 bits.
    pub act: Vec<u32>,
    /// The weights.
    pub weights: Weights,
    /// Type of the results.
    pub out_type: Type,
    /// Elements between two rows of activations that belong to nobody.
    pub act_gap: usize,
    /// Elements between two rows of results that belong to nobody.
    pub out_gap: usize,
    /// User status register: bit 20 inf/nan enable, bit 21 nan propagate.
    pub usr: u32,
}

/// What fills memory that nobody has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poison {
    /// The byte 0xCC.
    Byte,
    /// The halfword 0x7E00, an fp16 NaN.
    HalfNan,
    /// Bytes of a generator started with this seed.
    Random(u32),
}

/// How the work is cut up; the result must not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Row tiles that lie in VTCM at a time; 0 leaves it to the planner.
    pub row_tiles: u32,
    /// Column tiles of a weight chunk; 0 leaves it to the planner.
    pub column_tiles: u32,
    /// Pieces that an HVX stage is cut into, at least 1.
    pub tasks: u32,
    /// Of two jobs that may overlap, the expansion comes before the multiply.
    pub expansion_first: bool,
    /// What lies in VTCM and in the result buffer before the run.
    pub poison: Poison,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            row_tiles: 0,
            column_tiles: 0,
            tasks: 1,
            expansion_first: false,
            poison: Poison::Byte,
        }
    }
}

/// What a run left.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// M rows of N results: the bits of f32 or int32, or fp16 bits in the low half.
    pub out: Vec<u32>,
    /// What the kernel must not do and did: guard bytes changed, bytes used that nobody wrote, a copy used before it
    /// was waited for. Empty for a good run.
    pub breaches: Vec<String>,
}

/// Why there is no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The target cannot run this problem: not a failure of the kernel.
    #[error("{0}")]
    Refused(String),
    /// The kernel stopped with an error on a problem it should solve.
    #[error("{0}")]
    Failed(String),
}

/// A place where kernels run.
pub trait KernelUnderTest: Sync {
    /// Runs one problem.
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError>;
}
