//! A problem with its data, and whether it is one.

use super::{Element, Fault, Kernel, Shape};
use crate::native::ffi;

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
        s.check_types(kernel)?;
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
