//! The C side: structs of `abi/include/hmxwb.h` and of dsp-kernels/, and its functions.
//!
//! A test holds sizes and offsets against what the C compiler says.

#![allow(missing_docs)] // documented in the headers

/// `struct hmxwb_step`: one packet of a probe program.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Step {
    pub count: u32,
    pub word: [u32; 2],
    pub rs: [u32; 2],
    pub rt: [u32; 2],
    pub relocate: u32,
}

/// `struct hmxwb_problem`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Problem {
    pub version: u32,
    pub kernel: u32,
    pub m: u32,
    pub n: u32,
    pub k: u32,
    pub act_type: u32,
    pub out_type: u32,
    pub act_stride: u32,
    pub out_stride: u32,
    pub usr: u32,
    pub fault: u32,
    pub reserved: u32,
}

/// `HMXWB_ABI_VERSION`.
pub const ABI_VERSION: u32 = 1;
/// `HMXWB_REGIONS`.
pub const REGIONS: usize = 16;
/// `HMXWB_HVX_KINDS`.
pub const HVX_KINDS: usize = 8;
/// `HMXWB_BUFFERS`.
pub const BUFFERS: usize = 4;

/// `struct hmxwb_region`: a piece of VTCM.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Region {
    pub offset: u32,
    pub size: u32,
}

/// `struct hmxwb_plan`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Plan {
    pub version: u32,
    pub kernel: u32,
    pub vtcm_size: u32,
    pub row_tiles: u32,
    pub column_tiles: u32,
    pub tasks: u32,
    pub order: u32,
    pub reserved: u32,
    pub region: [Region; REGIONS],
}

/// `struct hmxwb_counters`.
#[repr(C)]
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, bytemuck::Pod, bytemuck::Zeroable,
)]
pub struct Counters {
    pub hmx_multiply: u64,
    pub hmx_macs: u64,
    pub hmx_convert: u64,
    pub hmx_store: u64,
    pub hmx_bias: u64,
    pub hmx_other: u64,
    pub hvx: [u64; HVX_KINDS],
    pub vtcm_read: u64,
    pub vtcm_written: u64,
    pub ddr_weight_read: u64,
    pub ddr_act_read: u64,
    pub ddr_out_written: u64,
    pub ddr_scratch_written: u64,
    pub ddr_scratch_read: u64,
    pub dma_transfers: u64,
}

/// `struct hmxwb_operands`: the memory a kernel works on.
#[repr(C)]
pub struct Operands {
    pub act: *const u8,
    pub weight: *const u8,
    pub scratch: *mut u8,
    pub out: *mut u8,
    pub act_size: u64,
    pub weight_size: u64,
    pub scratch_size: u64,
    pub out_size: u64,
}

/// `struct hmxwb_buffer`: memory that DMA may use.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Buffer {
    pub start: *mut u8,
    pub size: u64,
    pub writable: u32,
    pub reserved: u32,
}

/// `struct hmxwb_machine`.
#[repr(C)]
pub struct Machine {
    pub vtcm: *mut u8,
    pub shadow: *mut u8,
    pub counters: *mut Counters,
    pub buffer: [Buffer; BUFFERS],
    pub vtcm_size: u32,
    pub poison: u32,
    pub found: u32,
    pub found_class: u32,
    pub found_at: u64,
    pub found_length: u64,
}

/// States of a VTCM byte: `HMXWB_SHADOW_*`.
pub mod shadow {
    pub const WRITTEN: u8 = 0;
    pub const UNWRITTEN: u8 = 1;
    pub const GUARD: u8 = 2;
    pub const PENDING: u8 = 3;
    /// This bit: may not be written either.
    pub const FORBIDDEN: u8 = 2;
}

unsafe extern "C" {
    pub fn hmxwb_machine_install(machine: *mut Machine);
    pub fn hmxwb_probe_run(
        steps: *const Step,
        count: u32,
        usr: u32,
        vtcm: *mut u8,
        done: *mut u32,
    ) -> i32;
    pub fn hmxwb_run_kernel(
        problem: *const Problem,
        plan: *const Plan,
        operands: *const Operands,
        vtcm: *mut u8,
    ) -> i32;
    pub fn dma_in_flight() -> u32;
    pub fn dma_reset();
    #[cfg(test)]
    pub static hmxwb_layout: [u64; 14];
    #[cfg(test)]
    pub fn hmxwb_test_divide(a: u32, b: u32) -> u32;
    #[cfg(test)]
    pub fn hmxwb_test_narrow(f: f32) -> u16;
    #[cfg(test)]
    pub fn hmxwb_test_widen(h: u16) -> f32;
    #[cfg(test)]
    pub fn hmxwb_test_shuffle(lo: *mut u8, hi: *mut u8, r: i32, deal: i32, by_exchange: i32);
}
