//! A plan for people and for JSON.

use super::{Plan, Purpose};
use crate::kernels::{Element, Kernel, Shape};
use serde::Serialize;

/// A piece of VTCM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegionView {
    /// What it is for.
    pub name: &'static str,
    /// Its index in C.
    pub constant: &'static str,
    /// Bytes from the start of VTCM.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// A problem and its plan, every number with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// The kernel.
    pub kernel: Kernel,
    /// Rows of activations and results.
    pub m: u32,
    /// Output channels.
    pub n: u32,
    /// Input channels.
    pub k: u32,
    /// Type of the activations.
    pub act_type: Element,
    /// Type of the results.
    pub out_type: Element,
    /// Bytes of the activations.
    pub act_bytes: u64,
    /// Bytes of the packed weights.
    pub weight_bytes: u64,
    /// Bytes of the result.
    pub out_bytes: u64,
    /// Bytes of the scratch memory.
    pub scratch_bytes: u64,
    /// Bytes of VTCM that a call takes.
    pub vtcm_size: u32,
    /// Row tiles in VTCM at a time.
    pub row_tiles: u32,
    /// Column tiles of one weight chunk.
    pub column_tiles: u32,
    /// Pieces an HVX stage is cut into.
    pub tasks: u32,
    /// Of two jobs that may overlap: 0 multiply first, 1 expansion first.
    pub order: u32,
    /// The regions in use, by their offsets.
    pub regions: Vec<RegionView>,
}

impl View {
    /// Of a shape whose rows have no gaps.
    pub fn new(kernel: Kernel, shape: &Shape, plan: &Plan) -> View {
        let matrix = |rows: u32, columns: u32, element: Element| {
            u64::from(rows) * u64::from(columns) * element.bytes() as u64
        };
        let data = &plan.data;
        let mut regions: Vec<RegionView> = Purpose::ALL
            .into_iter()
            .map(|purpose| RegionView {
                name: purpose.name(),
                constant: purpose.c_name(),
                offset: data.region[purpose.id()].offset,
                size: data.region[purpose.id()].size,
            })
            .filter(|region| region.size > 0)
            .collect();
        regions.sort_by_key(|region| region.offset);
        View {
            kernel,
            m: shape.m,
            n: shape.n,
            k: shape.k,
            act_type: shape.act,
            out_type: shape.out,
            act_bytes: matrix(shape.m, shape.k, shape.act),
            weight_bytes: shape.weight_bytes(kernel) as u64,
            out_bytes: matrix(shape.m, shape.n, shape.out),
            scratch_bytes: shape.scratch_bytes(kernel) as u64,
            vtcm_size: data.vtcm_size,
            row_tiles: data.row_tiles,
            column_tiles: data.column_tiles,
            tasks: data.tasks,
            order: data.order,
            regions,
        }
    }
}
