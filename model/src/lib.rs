//! A bit-exact functional model of HMX: no I/O, and no unsafe but one checked call.
//!
//! The pages of the HMX reference in `docs/hmx/` say what each step does and how we know;
//! the comments of this crate name their sections.

#![deny(unsafe_code)]

pub mod bias;
pub mod channels;
pub mod convert_fixed;
pub mod convert_float;
mod encode_float;
pub mod execute;
mod execute_convert;
mod execute_multiply;
pub mod fault;
pub mod geometry;
pub mod lanes;
pub mod load;
pub mod memory;
pub mod multiply_fixed;
pub mod multiply_float;
pub mod number;
pub mod params;
pub mod pipeline;
pub mod state;
pub mod store;
pub mod stream;

pub use execute::{Executed, Hmx};
pub use fault::Fault;
pub use lanes::Lanes;
pub use memory::{Memory, Outside, Vtcm};
pub use params::Params;
