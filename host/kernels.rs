//! Kernel drivers: a problem in, a result and counters out.

pub mod measure;
mod native;
mod problem;
mod shape;

pub use crate::native::ffi::Counters;
pub use native::{Options, run};
pub use problem::{Problem, ProblemError};
pub use shape::{Element, Fault, Kernel, Shape};

use crate::native::NativeError;
use crate::plan::PlanError;

/// What a kernel gave.
#[derive(Debug, Clone)]
pub struct Output {
    /// The result: M rows, `out_stride` bytes apart. Bytes between rows are as they were
    /// (the poison of [`Options`]).
    pub bytes: Vec<u8>,
    /// What it took.
    pub counters: Counters,
}

/// Why a kernel gave no result.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// The problem is no problem of this kernel.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// There is no plan for it.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Native code failed.
    #[error(transparent)]
    Native(#[from] NativeError),
    /// byte {at:#x} of the guard around {what} was changed; something writes outside its buffer
    #[error(
        "byte {at:#x} of the guard around {what} was changed; something writes outside its buffer"
    )]
    Guard {
        /// Which buffer.
        what: &'static str,
        /// Offset in the guard.
        at: usize,
    },
}
