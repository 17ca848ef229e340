//! What the regions are for, how large they must be, how they are aligned.
//!
//! The kernels hold a plan against the same table (dsp-kernels/include/regions.h).

use crate::kernels::{Element, Kernel, Shape};

/// What a region is for: `HMXWB_REGION_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // named in `name`
pub enum Purpose {
    Bias,
    Act,
    ActRows,
    RowFacts,
    Raw0,
    Raw1,
    Scale0,
    Scale1,
    Weight0,
    Weight1,
    Factor,
    Read0,
    Read1,
    Sum,
    OutRows0,
    OutRows1,
}

impl Purpose {
    /// Every purpose, by its index.
    pub const ALL: [Purpose; 16] = [
        Purpose::Bias,
        Purpose::Act,
        Purpose::ActRows,
        Purpose::RowFacts,
        Purpose::Raw0,
        Purpose::Raw1,
        Purpose::Scale0,
        Purpose::Scale1,
        Purpose::Weight0,
        Purpose::Weight1,
        Purpose::Factor,
        Purpose::Read0,
        Purpose::Read1,
        Purpose::Sum,
        Purpose::OutRows0,
        Purpose::OutRows1,
    ];

    /// The name of its index in C.
    pub fn c_name(self) -> &'static str {
        match self {
            Purpose::Bias => "HMXWB_REGION_BIAS",
            Purpose::Act => "HMXWB_REGION_ACT",
            Purpose::ActRows => "HMXWB_REGION_ACT_ROWS",
            Purpose::RowFacts => "HMXWB_REGION_ROW_FACTS",
            Purpose::Raw0 => "HMXWB_REGION_RAW0",
            Purpose::Raw1 => "HMXWB_REGION_RAW1",
            Purpose::Scale0 => "HMXWB_REGION_SCALE0",
            Purpose::Scale1 => "HMXWB_REGION_SCALE1",
            Purpose::Weight0 => "HMXWB_REGION_WEIGHT0",
            Purpose::Weight1 => "HMXWB_REGION_WEIGHT1",
            Purpose::Factor => "HMXWB_REGION_FACTOR",
            Purpose::Read0 => "HMXWB_REGION_READ0",
            Purpose::Read1 => "HMXWB_REGION_READ1",
            Purpose::Sum => "HMXWB_REGION_SUM",
            Purpose::OutRows0 => "HMXWB_REGION_OUT_ROWS0",
            Purpose::OutRows1 => "HMXWB_REGION_OUT_ROWS1",
        }
    }

    /// Index into the plan's regions.
    pub fn id(self) -> usize {
        self as usize
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Bias => "convert constants",
            Purpose::Act => "activation tiles",
            Purpose::ActRows => "activation rows",
            Purpose::RowFacts => "row scales",
            Purpose::Raw0 => "packed weights, buffer 0",
            Purpose::Raw1 => "packed weights, buffer 1",
            Purpose::Scale0 => "weight scales, buffer 0",
            Purpose::Scale1 => "weight scales, buffer 1",
            Purpose::Weight0 => "fp16 weights, buffer 0",
            Purpose::Weight1 => "fp16 weights, buffer 1",
            Purpose::Factor => "column factors",
            Purpose::Read0 => "HMX readout, buffer 0",
            Purpose::Read1 => "HMX readout, buffer 1",
            Purpose::Sum => "running sums",
            Purpose::OutRows0 => "result rows, buffer 0",
            Purpose::OutRows1 => "result rows, buffer 1",
        }
    }

    /// Bytes that its start must be a multiple of.
    pub fn alignment(self) -> u32 {
        match self {
            Purpose::Act
            | Purpose::Weight0
            | Purpose::Weight1
            | Purpose::Read0
            | Purpose::Read1 => 2048,
            Purpose::Bias => 256,
            _ => 128,
        }
    }
}

/// A region to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// What for.
    pub purpose: Purpose,
    /// Bytes; 0: not used.
    pub size: u64,
}

const TILE: u64 = 32;
const HF_TILE: u64 = 2048;
const VECTOR: u64 = 128;
const UB_ROWS: u64 = 64;
/// Blocks that `mm_w4a8` reads out before it takes their sums.
const READ_GROUP: u64 = 8;

/// The regions of a kernel with `rows` row tiles and `columns` column tiles in VTCM.
pub(super) fn wanted(kernel: Kernel, shape: &Shape, rows: u32, columns: u32) -> Vec<Wanted> {
    let k = u64::from(shape.k_tiles());
    let (rows, columns) = (u64::from(rows), u64::from(columns));
    let tiles = columns * k;
    let chunks = u64::from(shape.column_tiles()).div_ceil(columns);
    let integer = kernel.is_integer();
    let act_row = (u64::from(shape.k) * shape.act.bytes() as u64).next_multiple_of(VECTOR);

    let raw = if kernel == Kernel::Hf { 0 } else { tiles * 512 };
    let scale = match kernel {
        Kernel::Hf => 0,
        Kernel::W4A8Channel => columns * VECTOR,
        _ => tiles.div_ceil(2) * VECTOR,
    };
    let weight = if integer { 0 } else { tiles * HF_TILE };
    let read = match kernel {
        Kernel::W4A8 => READ_GROUP * 3 * HF_TILE,
        Kernel::W4A8Channel => 4 * HF_TILE,
        _ => rows * columns * HF_TILE,
    };
    let out = if integer {
        UB_ROWS * VECTOR
    } else {
        rows * TILE * columns * TILE * shape.out.bytes() as u64
    };
    let twice = |size: u64| if chunks > 1 { size } else { 0 };
    let read1 = match kernel {
        Kernel::W4A8 if k <= READ_GROUP => 0,
        Kernel::W4A8 | Kernel::W4A8Channel => read,
        _ => twice(read),
    };
    let out1 = if integer { out } else { twice(out) };
    let factor = match kernel {
        Kernel::W4A8 => 2 * VECTOR * tiles,
        Kernel::W4A8Channel => 2 * VECTOR * columns,
        _ => 0,
    };
    let facts = if integer { rows * UB_ROWS * 8 } else { 0 };
    let sum = if kernel == Kernel::W4A8 {
        UB_ROWS * VECTOR
    } else {
        0
    };
    [
        (Purpose::Bias, 512),
        (Purpose::Act, rows * k * HF_TILE),
        (Purpose::ActRows, act_row * 2 * if integer { 4 } else { 2 }),
        (Purpose::RowFacts, facts),
        (Purpose::Raw0, raw),
        (Purpose::Raw1, twice(raw)),
        (Purpose::Scale0, scale),
        (Purpose::Scale1, twice(scale)),
        (Purpose::Weight0, weight),
        (Purpose::Weight1, twice(weight)),
        (Purpose::Factor, factor),
        (Purpose::Read0, read),
        (Purpose::Read1, read1),
        (Purpose::Sum, sum),
        (Purpose::OutRows0, out),
        (Purpose::OutRows1, out1),
    ]
    .map(|(purpose, size)| Wanted { purpose, size })
    .to_vec()
}

impl Element {
    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        match self {
            Element::F16 => 2,
            Element::F32 | Element::I32 => 4,
        }
    }
}
