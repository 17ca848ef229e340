//! Instructions and packets per 32 x 32 weight tile, counted under QEMU: the expansion of 4-bit
//! weights beside ggml-hexagon's, and the whole kernels.
//!
//! | module | counts |
//! |---|---|
//! | [`expansion`] | the expansion step, here and in ggml-hexagon |
//! | [`kernels`] | every kernel from its first to its last instruction |
//! | [`machine`] | one call in a guest |

pub mod expansion;
pub mod kernels;
pub mod machine;

use crate::ggml::{self, SourcesError};
use crate::kernels::KernelError;
use crate::qemu::cost::Cost;
use crate::qemu::guest::GuestError;
use crate::skel_build;
use serde::Serialize;
use std::io;

/// Why nothing could be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The skel cannot be built.
    #[error(transparent)]
    Skel(#[from] skel_build::BuildError),
    /// ggml-hexagon's sources are not where HMX_GGML says.
    #[error(transparent)]
    Sources(#[from] SourcesError),
    /// ggml-hexagon's code cannot be built.
    #[error(transparent)]
    Ggml(#[from] ggml::BuildError),
    /// The guest failed.
    #[error(transparent)]
    Guest(#[from] GuestError),
    /// The kernel cannot be planned or simulated.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// a file cannot be written: {0}
    #[error("a file cannot be written: {0}")]
    Io(#[from] io::Error),
    /// {what} gave a wrong result, so its count means nothing; `hmx verify all --target qemu` looks closer
    #[error(
        "{what} gave a wrong result, so its count means nothing; \
         `hmx verify all --target qemu` looks closer"
    )]
    Wrong {
        /// What was run.
        what: String,
    },
    /// {what} takes {needed} bytes, the guest has {there}; use a smaller size
    #[error("{what} takes {needed} bytes, the guest has {there}; use a smaller size")]
    TooLarge {
        /// What was run.
        what: String,
        /// Bytes of its buffers.
        needed: usize,
        /// Bytes there are.
        there: usize,
    },
}

/// What one more weight tile costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PerTile {
    /// Instructions, without nops and constant extenders.
    pub instructions: f64,
    /// Packets.
    pub packets: f64,
}

impl PerTile {
    /// The difference of two runs of which the second had `tiles` more.
    fn between(less: Cost, more: Cost, tiles: u32) -> PerTile {
        let per_tile = |less: u64, more: u64| (more as f64 - less as f64) / f64::from(tiles);
        PerTile {
            instructions: per_tile(less.instructions, more.instructions),
            packets: per_tile(less.packets, more.packets),
        }
    }
}
