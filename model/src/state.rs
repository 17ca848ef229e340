//! Everything an HMX unit remembers between packets (HMX reference: "State").

use crate::pipeline::Pipeline;

/// 64 spatial positions of 32 output channels.
pub type FixedPlane = [[i32; 32]; 64];

/// Infinity flag bits of a float cell; both together are NaN.
pub mod inf {
    /// Positive infinity.
    pub const POS: i32 = 1;
    /// Negative infinity.
    pub const NEG: i32 = 2;
    /// Not a number.
    pub const NAN: i32 = 3;
}

/// One row of float cells, structure of arrays: value = `sig * 2^-22 * 2^exp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct FloatRow {
    /// Significands: 8 integer and 22 fraction bits, signed.
    pub sig: [i32; 32],
    /// Exponents.
    pub exp: [i32; 32],
    /// Infinity flags, see [`inf`].
    pub inf: [i32; 32],
}

impl FloatRow {
    /// A row of true zeros.
    pub fn zero(exp_min: i32) -> FloatRow {
        FloatRow {
            sig: [0; 32],
            exp: [exp_min; 32],
            inf: [0; 32],
        }
    }
}

/// 32 spatial positions of 32 output channels.
pub type FloatPlane = [FloatRow; 32];

/// The whole state; two equal states behave alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The fixed-point planes of the two accumulator sets.
    pub fixed: [FixedPlane; 2],
    /// The float planes of the two accumulator sets.
    pub float: [FloatPlane; 2],
    /// The selected set.
    pub current: usize,
    /// Bias registers: 4 sets of 32 entries.
    pub bias: [[u64; 32]; 4],
    /// Convert pipeline of ub, uh and hf results.
    pub cvt: Pipeline,
    /// Convert pipeline of f8 results.
    pub cvt_f8: Pipeline,
}

impl State {
    /// The state after reset.
    pub fn new(exp_min: i32) -> Box<State> {
        Box::new(State {
            fixed: [[[0; 32]; 64]; 2],
            float: [[FloatRow::zero(exp_min); 32]; 2],
            current: 0,
            bias: [[0; 32]; 4],
            cvt: Pipeline::default(),
            cvt_f8: Pipeline::default(),
        })
    }
}
