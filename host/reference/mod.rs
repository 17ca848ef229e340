//! CPU references. They share no code with the kernels, the packers or the model: every formula is written out again.
//!
//! * [`integer`]: exact int64 sums for the int4 x uint8 kernels, with the quantisation of activations.
//! * [`real`]: f64 sums and how far a result of the matrix unit may lie from them.
//! * [`hmx_fp16`]: the matrix unit's fp16 sums, bit for bit.
//! * [`operands`]: what the numbers of a problem are, in each of these arithmetics.

pub mod hmx_fp16;
mod hmx_operand;
pub mod integer;
pub mod operands;
pub mod real;
