//! How much of the problem is in VTCM at a time.

use super::{Request, bytes};
use crate::kernels::{Kernel, Shape};

/// Chunks larger than this, in column tiles, gain nothing: the stages are long enough to
/// hide the start of a transfer, and a larger chunk only makes the first one slower.
const LARGEST_CHUNK: u32 = 32;

/// Row tiles and column tiles.
///
/// Weights come from memory once for every block of rows, so as many row tiles as fit come
/// first; then the largest chunk of columns. What the request fixes stays. When nothing
/// fits, the smallest choice is returned, for the caller to say by how much.
pub(super) fn choose(kernel: Kernel, shape: &Shape, request: &Request) -> (u32, u32) {
    let fits =
        |rows: u32, columns: u32| bytes(kernel, shape, rows, columns) <= u64::from(request.budget);
    let all_rows = shape.row_tiles(kernel);
    let all_columns = shape.column_tiles();
    let least_columns = request.column_tiles.unwrap_or(1).min(all_columns);
    let rows = match request.row_tiles {
        Some(rows) => rows.min(all_rows),
        None => most(all_rows, |rows| fits(rows, least_columns)),
    };
    // Blocks of equal size: the same number of passes over the weights, less VTCM.
    let rows = match request.row_tiles {
        Some(_) => rows,
        None => all_rows.div_ceil(all_rows.div_ceil(rows)),
    };
    let columns = match request.column_tiles {
        Some(columns) => columns.min(all_columns),
        None => most(all_columns.min(LARGEST_CHUNK), |columns| {
            fits(rows, columns)
        }),
    };
    (rows, columns)
}

/// The largest number from 1 to `limit` that fits; 1 when none does. Larger ones need more.
fn most(limit: u32, fits: impl Fn(u32) -> bool) -> u32 {
    let (mut good, mut bad) = (1, limit + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) {
            good = middle
        } else {
            bad = middle
        }
    }
    good
}
