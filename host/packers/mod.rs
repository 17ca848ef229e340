//! Packers: ggml's own byte order on one side, the tiles that kernels read on the other.
//!
//! Every packer has an exact inverse, pads to whole 32 x 32 tiles (int4: q = 8 with d = 0, fp16: +0)
//! and a [digest] of a known ramp, so that host and device can tell that they mean the same
//! order. The formats are described in docs/formats.md.

pub mod channel;
pub mod digest;
pub mod fp16;
pub mod int4;
pub mod q4_0;

pub use digest::Format;
pub use int4::TileOrder;
pub use q4_0::Blocks;

/// Rows and columns of every tile here.
pub const TILE: usize = 32;

/// Why a matrix was not packed or unpacked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// Q4_0 needs whole blocks of 32 values, but a row has {k}: pad K to a multiple of 32 before quantising.
    #[error(
        "Q4_0 needs whole blocks of 32 values, but a row has {k}: pad K to a multiple of 32 before quantising"
    )]
    PartialBlock {
        /// Values of one row.
        k: usize,
    },
    /// A matrix of {rows} x {columns} needs {wanted}, but {given} were given: check the shape and its order (rows first).
    #[error(
        "a matrix of {rows} x {columns} needs {wanted}, but {given} were given: check the shape and its order (rows first)"
    )]
    Length {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// What the shape asks for, with its unit.
        wanted: String,
        /// What was given, with its unit.
        given: String,
    },
    /// The shape {rows} x {columns} does not fit into memory: check it for a swapped or corrupt dimension.
    #[error(
        "the shape {rows} x {columns} does not fit into memory: check it for a swapped or corrupt dimension"
    )]
    TooLarge {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// Tile {tile} is padded with something else than q = 8, d = 0 at (n = {n}, k = {k}): it was not packed by this tool, or was overwritten.
    #[error(
        "tile {tile} is padded with something else than q = 8, d = 0 at (n = {n}, k = {k}): it was not packed by this tool, or was overwritten"
    )]
    Padding {
        /// Index of the tile.
        tile: usize,
        /// Output channel in the padding.
        n: usize,
        /// Input channel in the padding.
        k: usize,
    },
}

/// `given` must be `wanted` long.
fn check_length(
    (rows, columns): (usize, usize),
    wanted: Option<usize>,
    given: usize,
    unit: &str,
) -> Result<(), PackError> {
    let wanted = wanted.ok_or(PackError::TooLarge { rows, columns })?;
    if wanted == given {
        return Ok(());
    }
    Err(PackError::Length {
        rows,
        columns,
        wanted: format!("{wanted} {unit}"),
        given: format!("{given} {unit}"),
    })
}

/// Tiles that cover a matrix, or `None` when their number overflows.
fn tile_count(rows: usize, columns: usize) -> Option<usize> {
    rows.div_ceil(TILE).checked_mul(columns.div_ceil(TILE))
}
