//! Where a kernel puts what in VTCM: a pure function of problem, kernel and budget.
//!
//! The planner chooses how many row tiles of activations stay in VTCM and how many column
//! tiles make one weight chunk, then lays the regions out: croutons and fp16 tiles on 2048
//! bytes, convert constants on 256, everything else on 128. With more than one chunk the
//! buffers between stages are doubled. What each region is for: docs/kernels.md.

mod c_text;
mod cost;
mod region;
mod view;

pub use c_text::{plan_text, problem_text};
pub use region::{Purpose, Wanted};
pub use view::{RegionView, View};

use crate::kernels::{Kernel, Shape};
use crate::native::ffi;

/// VTCM of the devices the kernels are meant for (v73 to v81), in bytes.
pub const VTCM_SIZE: u32 = 8 << 20;

/// Gap after each region, in bytes: a write past a region's end lands where nothing is.
const GUARD: u32 = 128;

/// What the caller fixes; the rest is the planner's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Bytes of VTCM.
    pub budget: u32,
    /// Row tiles in VTCM at a time (of 32 rows, 64 in the integer kernels).
    pub row_tiles: Option<u32>,
    /// Column tiles of a chunk.
    pub column_tiles: Option<u32>,
    /// Pieces an HVX stage is cut into.
    pub tasks: u32,
    /// Of two jobs that may overlap, run the HVX one first.
    pub hvx_first: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            budget: VTCM_SIZE,
            row_tiles: None,
            column_tiles: None,
            tasks: 1,
            hvx_first: false,
        }
    }
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// {kernel} needs {needed} bytes of VTCM for K = {k} even with the smallest chunks, {over} more than the {budget} there are; the largest region is {largest} ({largest_bytes} bytes). Split K or use a device with more VTCM
    #[error(
        "{kernel} needs {needed} bytes of VTCM for K = {k} even with the smallest chunks, {over} more than the {budget} there are; the largest region is {largest} ({largest_bytes} bytes). Split K or use a device with more VTCM"
    )]
    TooLarge {
        /// The kernel.
        kernel: Kernel,
        /// Input channels.
        k: u32,
        /// Bytes of the smallest layout, or of the one asked for.
        needed: u64,
        /// Bytes missing.
        over: u64,
        /// Bytes there are.
        budget: u32,
        /// What the largest region is for.
        largest: &'static str,
        /// Its size in bytes.
        largest_bytes: u64,
    },
    /// {what} must be at least 1
    #[error("{what} must be at least 1")]
    Zero {
        /// The field.
        what: &'static str,
    },
}

/// A plan and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// As the kernel takes it.
    pub data: ffi::Plan,
    /// The regions by name, in the order of their offsets.
    pub regions: Vec<(&'static str, ffi::Region)>,
    /// Bytes of VTCM in use, gaps included.
    pub used: u32,
}

impl Plan {
    /// The same layout for no more VTCM than it uses.
    pub fn tight(mut self) -> Plan {
        self.data.vtcm_size = self.used;
        self
    }
}

/// Plans a problem.
pub fn plan(kernel: Kernel, shape: &Shape, request: &Request) -> Result<Plan, PlanError> {
    for (what, value) in [
        ("m", shape.m),
        ("n", shape.n),
        ("k", shape.k),
        ("tasks", request.tasks),
        ("row tiles", request.row_tiles.unwrap_or(1)),
        ("column tiles", request.column_tiles.unwrap_or(1)),
    ] {
        if value == 0 {
            return Err(PlanError::Zero { what });
        }
    }
    let (rows, columns) = cost::choose(kernel, shape, request);
    let layout = lay_out(&region::wanted(kernel, shape, rows, columns));
    let used = layout.end;
    if used > u64::from(request.budget) {
        let (largest, largest_bytes) = layout.largest;
        return Err(PlanError::TooLarge {
            kernel,
            k: shape.k,
            needed: used,
            over: used - u64::from(request.budget),
            budget: request.budget,
            largest,
            largest_bytes,
        });
    }
    let mut data = ffi::Plan {
        version: ffi::ABI_VERSION,
        kernel: kernel.id(),
        vtcm_size: request.budget,
        row_tiles: rows,
        column_tiles: columns,
        tasks: request.tasks,
        order: u32::from(request.hvx_first),
        ..ffi::Plan::default()
    };
    let mut regions = Vec::new();
    for (purpose, offset, size) in layout.placed {
        // Both fit: they end before `budget`, which is a u32.
        let region = ffi::Region {
            offset: offset as u32,
            size: size as u32,
        };
        data.region[purpose.id()] = region;
        regions.push((purpose.name(), region));
    }
    Ok(Plan {
        data,
        regions,
        used: used as u32,
    })
}

/// Regions with their places.
struct Layout {
    placed: Vec<(Purpose, u64, u64)>,
    end: u64,
    largest: (&'static str, u64),
}

/// Bytes that a layout takes.
fn bytes(kernel: Kernel, shape: &Shape, rows: u32, columns: u32) -> u64 {
    lay_out(&region::wanted(kernel, shape, rows, columns)).end
}

/// Places the regions one after another, strictest alignment first.
fn lay_out(wanted: &[Wanted]) -> Layout {
    let mut order: Vec<&Wanted> = wanted.iter().filter(|w| w.size > 0).collect();
    order.sort_by_key(|w| std::cmp::Reverse(w.purpose.alignment()));
    let mut end = 0u64;
    let mut placed = Vec::new();
    for w in &order {
        let at = end.next_multiple_of(u64::from(w.purpose.alignment()));
        placed.push((w.purpose, at, w.size));
        end = at + w.size + u64::from(GUARD);
    }
    let largest = order
        .iter()
        .max_by_key(|w| w.size)
        .map_or(("none", 0), |w| (w.purpose.name(), w.size));
    Layout {
        placed,
        end,
        largest,
    }
}

#[cfg(test)]
mod tests;
