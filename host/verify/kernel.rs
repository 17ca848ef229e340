//! What is verified: a kernel seen from outside, as a matrix product with one problem and one way to cut it up.

pub use crate::kernels::{Element as Type, Kernel};

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
    /// The target broke: says nothing of the kernel, and the run ends.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// the target broke down: {0}
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the target broke down: {0}")]
pub struct Broken(pub String);

/// A place where kernels run.
pub trait KernelUnderTest: Sync {
    /// Runs one problem.
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError>;
}
