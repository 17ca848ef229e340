//! Figures of the matrix kernels: what they move and execute, side by side.

use crate::kernels::measure::{Measured, measure};
use crate::kernels::{Kernel, KernelError};
use serde::Serialize;

/// Sizes of a product: M x N x K.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Rows of activations.
    pub m: u32,
    /// Output channels.
    pub n: u32,
    /// Input channels.
    pub k: u32,
}

/// Largest M, N or K that is measured: more would take hours in simulation.
const LARGEST: u32 = 1 << 15;

/// `{0}` is no size; write M x N x K as in 512x4096x4096, each from 1 to 32768.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no size; write M x N x K as in 512x4096x4096, each from 1 to 32768")]
pub struct NoSize(pub String);

impl std::str::FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Size, NoSize> {
        let numbers: Option<Vec<u32>> = text
            .split('x')
            .map(|part| part.parse().ok().filter(|n| (1..=LARGEST).contains(n)))
            .collect();
        match numbers.as_deref() {
            Some(&[m, n, k]) => Ok(Size { m, n, k }),
            _ => Err(NoSize(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}x{}", self.m, self.n, self.k)
    }
}

/// All kernels on one size.
#[derive(Debug, Clone, Serialize)]
pub struct SideBySide {
    /// The size.
    pub size: Size,
    /// One entry for each kernel.
    pub kernels: Vec<Measured>,
    /// How the weight traffic compares with what the two-pass kernel's expansion writes.
    pub traffic: Vec<Traffic>,
}

/// Weight bytes of a kernel whose weights stay packed.
#[derive(Debug, Clone, Serialize)]
pub struct Traffic {
    /// The kernel.
    pub kernel: &'static str,
    /// Bytes that cross the memory interface for weights, over the whole run.
    pub bytes: u64,
    /// Those bytes over the fp16 bytes that the two-pass kernel's expansion writes to memory.
    pub ratio: f64,
    /// The most that `ratio` may be.
    pub limit: f64,
}

/// What a packed weight matrix may cost against its fp16 form: 4.5 bits against 16, and a little.
const LIMIT: f64 = 0.29;

impl SideBySide {
    /// Whether every packed kernel stays within its limit.
    pub fn is_within_limits(&self) -> bool {
        self.traffic.iter().all(|t| t.ratio <= t.limit)
    }
}

/// Runs every kernel once. `done` is told after each.
pub fn side_by_side(size: Size, done: impl Fn()) -> Result<SideBySide, KernelError> {
    let mut kernels = Vec::new();
    for kernel in Kernel::ALL {
        kernels.push(measure(kernel, size.m, size.n, size.k)?);
        done();
    }
    let expansion = kernels
        .iter()
        .find(|m| m.kernel == Kernel::W4A16Twopass.name())
        .map_or(0, |m| m.counters.ddr_scratch_written);
    let traffic = [Kernel::W4A16Fused, Kernel::W4A8, Kernel::W4A8Channel]
        .iter()
        .filter_map(|kernel| kernels.iter().find(|m| m.kernel == kernel.name()))
        .map(|m| {
            let bytes = m.weight_traffic();
            Traffic {
                kernel: m.kernel,
                bytes,
                ratio: bytes as f64 / expansion.max(1) as f64,
                limit: LIMIT,
            }
        })
        .collect();
    Ok(SideBySide {
        size,
        kernels,
        traffic,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_nonsense_is_refused() {
        let size: Size = "512x4096x4096".parse().unwrap();
        assert_eq!((size.m, size.n, size.k), (512, 4096, 4096));
        for text in ["512x4096", "0x1x1", "1x1x1x1", "axbxc", "99999x1x1", ""] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn packed_kernels_stay_below_the_limit() {
        let found = side_by_side("33x96x256".parse().unwrap(), || {}).unwrap();
        assert_eq!(found.kernels.len(), 5);
        assert_eq!(found.traffic.len(), 3);
        assert!(found.is_within_limits(), "{:?}", found.traffic);
        assert!(
            found.traffic.iter().all(|t| t.ratio > 0.2),
            "{:?}",
            found.traffic
        );
    }
}
