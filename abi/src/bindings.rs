//! What the C headers in `abi/include/` say, made by bindgen; do not edit.
//! Renew with: BLESS=1 cargo test -p hmx-abi --test bindings

#![allow(missing_docs, non_camel_case_types, clippy::all, clippy::undocumented_unsafe_blocks)]
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags, rustdoc::bare_urls)]


pub const HMXWB_ABI_VERSION: u32 = 1;
pub const HMXWB_OK: u32 = 0;
pub const HMXWB_E_VERSION: u32 = 1;
pub const HMXWB_E_PROBLEM: u32 = 2;
pub const HMXWB_E_PLAN: u32 = 3;
pub const HMXWB_E_BUFFER: u32 = 4;
pub const HMXWB_E_PACKET: u32 = 5;
pub const HMXWB_E_MACHINE: u32 = 6;
pub const HMXWB_MM_HF: u32 = 1;
pub const HMXWB_MM_W4A8: u32 = 2;
pub const HMXWB_MM_W4A8_CHANNEL: u32 = 3;
pub const HMXWB_MM_W4A16_FUSED: u32 = 4;
pub const HMXWB_MM_W4A16_TWOPASS: u32 = 5;
pub const HMXWB_F32: u32 = 1;
pub const HMXWB_F16: u32 = 2;
pub const HMXWB_I32: u32 = 3;
pub const HMXWB_FAULT_NONE: u32 = 0;
pub const HMXWB_FAULT_SWAPPED_NIBBLES: u32 = 1;
pub const HMXWB_FAULT_TRANSPOSED_TILE: u32 = 2;
pub const HMXWB_FAULT_NO_TAIL_MASK: u32 = 3;
pub const HMXWB_FAULT_STALE_BUFFER: u32 = 4;
pub const HMXWB_FAULT_NO_WAIT: u32 = 5;
pub const HMXWB_FAULT_NEIGHBOUR_SCALE: u32 = 6;
pub const HMXWB_FAULT_SATURATING_READOUT: u32 = 7;
pub const HMXWB_REGION_BIAS: u32 = 0;
pub const HMXWB_REGION_ACT: u32 = 1;
pub const HMXWB_REGION_ACT_ROWS: u32 = 2;
pub const HMXWB_REGION_ROW_FACTS: u32 = 3;
pub const HMXWB_REGION_RAW0: u32 = 4;
pub const HMXWB_REGION_RAW1: u32 = 5;
pub const HMXWB_REGION_SCALE0: u32 = 6;
pub const HMXWB_REGION_SCALE1: u32 = 7;
pub const HMXWB_REGION_WEIGHT0: u32 = 8;
pub const HMXWB_REGION_WEIGHT1: u32 = 9;
pub const HMXWB_REGION_FACTOR: u32 = 10;
pub const HMXWB_REGION_READ0: u32 = 11;
pub const HMXWB_REGION_READ1: u32 = 12;
pub const HMXWB_REGION_SUM: u32 = 13;
pub const HMXWB_REGION_OUT_ROWS0: u32 = 14;
pub const HMXWB_REGION_OUT_ROWS1: u32 = 15;
pub const HMXWB_REGIONS: u32 = 16;
pub const HMXWB_HVX_LOAD: u32 = 0;
pub const HMXWB_HVX_STORE: u32 = 1;
pub const HMXWB_HVX_ALU: u32 = 2;
pub const HMXWB_HVX_SHIFT: u32 = 3;
pub const HMXWB_HVX_PERMUTE: u32 = 4;
pub const HMXWB_HVX_LOOKUP: u32 = 5;
pub const HMXWB_HVX_MULTIPLY: u32 = 6;
pub const HMXWB_HVX_FLOAT: u32 = 7;
pub const HMXWB_HVX_KINDS: u32 = 8;
pub const HMXWB_CALL_VERSION: u32 = 1;
pub const HMXWB_QUESTION_MAGIC: u32 = 1062751560;
pub const HMXWB_ANSWER_MAGIC: u32 = 559435080;
pub const HMXWB_METHOD_OPEN: u32 = 0;
pub const HMXWB_METHOD_CLOSE: u32 = 1;
pub const HMXWB_METHOD_INFO: u32 = 2;
pub const HMXWB_METHOD_PROBE: u32 = 3;
pub const HMXWB_METHOD_RUN: u32 = 4;
pub const HMXWB_E_QUESTION: u32 = 16;
pub const HMXWB_E_VTCM: u32 = 17;
pub const HMXWB_E_POWER: u32 = 18;
pub const HMXWB_E_LENGTH: u32 = 19;
pub const HMXWB_RUNS_ON_SILICON: u32 = 1;
pub const HMXWB_RUNS_ON_MODEL: u32 = 2;
pub const HMXWB_GUEST_MAGIC: u32 = 1481459783;
pub const HMXWB_GUEST_VERSION: u32 = 2;
pub const HMXWB_GUEST_CONTROL: u32 = 3221225472;
pub const HMXWB_GUEST_DDR: u32 = 1342177280;
pub const HMXWB_GUEST_VTCM: u32 = 3623878656;
pub const HMXWB_GUEST_FD_REQUEST: u32 = 3;
pub const HMXWB_GUEST_FD_ANSWER: u32 = 4;
pub const HMXWB_GUEST_FD_CONTROL: u32 = 5;
pub const HMXWB_GUEST_FD_VTCM: u32 = 6;
pub const HMXWB_GUEST_FD_DDR: u32 = 7;
pub const HMXWB_GUEST_FD_SKEL: u32 = 8;
pub const HMXWB_GUEST_MAX_BUFS: u32 = 510;
pub const HMXWB_RESUME_NEXT: u32 = 0;
pub const HMXWB_RESUME_EARLY: u32 = 1;
pub const HMXWB_RESUME_LATE: u32 = 2;
#[doc = " One packet of a probe program. One word: any instruction that stands alone.\n Two words: activation load, then weight load. The register fields of the words do\n not matter; the operands are the values in rs and rt. rs of an address operand\n counts from the start of the VTCM image."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_step {
    #[doc = " 1 or 2"]
    pub count: u32,
    pub word: [u32; 2usize],
    pub rs: [u32; 2usize],
    pub rt: [u32; 2usize],
    #[doc = " bit i set: rs[i] is an address, add where the image lies"]
    pub relocate: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_step"][::core::mem::size_of::<hmxwb_step>() - 32usize];
    ["Alignment of hmxwb_step"][::core::mem::align_of::<hmxwb_step>() - 4usize];
    ["Offset of field: hmxwb_step::count"][::core::mem::offset_of!(hmxwb_step, count) - 0usize];
    ["Offset of field: hmxwb_step::word"][::core::mem::offset_of!(hmxwb_step, word) - 4usize];
    ["Offset of field: hmxwb_step::rs"][::core::mem::offset_of!(hmxwb_step, rs) - 12usize];
    ["Offset of field: hmxwb_step::rt"][::core::mem::offset_of!(hmxwb_step, rt) - 20usize];
    ["Offset of field: hmxwb_step::relocate"]
        [::core::mem::offset_of!(hmxwb_step, relocate) - 28usize];
};
#[doc = " out[m][n] = sum over k of act[m][k] * weight[n][k]; formats: docs/formats.md."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_problem {
    pub version: u32,
    pub kernel: u32,
    pub m: u32,
    pub n: u32,
    pub k: u32,
    #[doc = " HMXWB_F32 or HMXWB_F16"]
    pub act_type: u32,
    #[doc = " HMXWB_F32, HMXWB_F16, or HMXWB_I32"]
    pub out_type: u32,
    #[doc = " bytes from row to row"]
    pub act_stride: u32,
    #[doc = " bytes from row to row"]
    pub out_stride: u32,
    #[doc = " user status register: bit 20 inf/nan enable, bit 21 nan propagate"]
    pub usr: u32,
    #[doc = " HMXWB_FAULT_NONE"]
    pub fault: u32,
    pub reserved: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_problem"][::core::mem::size_of::<hmxwb_problem>() - 48usize];
    ["Alignment of hmxwb_problem"][::core::mem::align_of::<hmxwb_problem>() - 4usize];
    ["Offset of field: hmxwb_problem::version"]
        [::core::mem::offset_of!(hmxwb_problem, version) - 0usize];
    ["Offset of field: hmxwb_problem::kernel"]
        [::core::mem::offset_of!(hmxwb_problem, kernel) - 4usize];
    ["Offset of field: hmxwb_problem::m"][::core::mem::offset_of!(hmxwb_problem, m) - 8usize];
    ["Offset of field: hmxwb_problem::n"][::core::mem::offset_of!(hmxwb_problem, n) - 12usize];
    ["Offset of field: hmxwb_problem::k"][::core::mem::offset_of!(hmxwb_problem, k) - 16usize];
    ["Offset of field: hmxwb_problem::act_type"]
        [::core::mem::offset_of!(hmxwb_problem, act_type) - 20usize];
    ["Offset of field: hmxwb_problem::out_type"]
        [::core::mem::offset_of!(hmxwb_problem, out_type) - 24usize];
    ["Offset of field: hmxwb_problem::act_stride"]
        [::core::mem::offset_of!(hmxwb_problem, act_stride) - 28usize];
    ["Offset of field: hmxwb_problem::out_stride"]
        [::core::mem::offset_of!(hmxwb_problem, out_stride) - 32usize];
    ["Offset of field: hmxwb_problem::usr"][::core::mem::offset_of!(hmxwb_problem, usr) - 36usize];
    ["Offset of field: hmxwb_problem::fault"]
        [::core::mem::offset_of!(hmxwb_problem, fault) - 40usize];
    ["Offset of field: hmxwb_problem::reserved"]
        [::core::mem::offset_of!(hmxwb_problem, reserved) - 44usize];
};
#[doc = " A piece of VTCM: bytes from its start. Size 0: not used."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_region {
    pub offset: u32,
    pub size: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_region"][::core::mem::size_of::<hmxwb_region>() - 8usize];
    ["Alignment of hmxwb_region"][::core::mem::align_of::<hmxwb_region>() - 4usize];
    ["Offset of field: hmxwb_region::offset"]
        [::core::mem::offset_of!(hmxwb_region, offset) - 0usize];
    ["Offset of field: hmxwb_region::size"][::core::mem::offset_of!(hmxwb_region, size) - 4usize];
};
#[doc = " Where a kernel puts what in VTCM and how it cuts the work. Made on the host, checked by the kernel."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_plan {
    pub version: u32,
    pub kernel: u32,
    #[doc = " bytes of VTCM it was made for"]
    pub vtcm_size: u32,
    #[doc = " row tiles whose activations lie in VTCM at a time"]
    pub row_tiles: u32,
    #[doc = " column tiles of one weight chunk"]
    pub column_tiles: u32,
    #[doc = " pieces an HVX stage is cut into, at least 1"]
    pub tasks: u32,
    #[doc = " of two jobs that may overlap: 0 multiply first, 1 expansion first"]
    pub order: u32,
    pub reserved: u32,
    pub region: [hmxwb_region; 16usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_plan"][::core::mem::size_of::<hmxwb_plan>() - 160usize];
    ["Alignment of hmxwb_plan"][::core::mem::align_of::<hmxwb_plan>() - 4usize];
    ["Offset of field: hmxwb_plan::version"][::core::mem::offset_of!(hmxwb_plan, version) - 0usize];
    ["Offset of field: hmxwb_plan::kernel"][::core::mem::offset_of!(hmxwb_plan, kernel) - 4usize];
    ["Offset of field: hmxwb_plan::vtcm_size"]
        [::core::mem::offset_of!(hmxwb_plan, vtcm_size) - 8usize];
    ["Offset of field: hmxwb_plan::row_tiles"]
        [::core::mem::offset_of!(hmxwb_plan, row_tiles) - 12usize];
    ["Offset of field: hmxwb_plan::column_tiles"]
        [::core::mem::offset_of!(hmxwb_plan, column_tiles) - 16usize];
    ["Offset of field: hmxwb_plan::tasks"][::core::mem::offset_of!(hmxwb_plan, tasks) - 20usize];
    ["Offset of field: hmxwb_plan::order"][::core::mem::offset_of!(hmxwb_plan, order) - 24usize];
    ["Offset of field: hmxwb_plan::reserved"]
        [::core::mem::offset_of!(hmxwb_plan, reserved) - 28usize];
    ["Offset of field: hmxwb_plan::region"][::core::mem::offset_of!(hmxwb_plan, region) - 32usize];
};
#[doc = " What a kernel did. On hardware only the DMA and DDR fields are filled, the rest is 0."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_counters {
    #[doc = " activation + weight packets"]
    pub hmx_multiply: u64,
    #[doc = " multiply-accumulates in them"]
    pub hmx_macs: u64,
    #[doc = " converts; a convert-store counts here and as a store"]
    pub hmx_convert: u64,
    pub hmx_store: u64,
    #[doc = " loads and stores of the bias registers"]
    pub hmx_bias: u64,
    #[doc = " clears, swaps, shifts"]
    pub hmx_other: u64,
    pub hvx: [u64; 8usize],
    #[doc = " bytes, by HVX, HMX and DMA"]
    pub vtcm_read: u64,
    pub vtcm_written: u64,
    #[doc = " bytes"]
    pub ddr_weight_read: u64,
    pub ddr_act_read: u64,
    pub ddr_out_written: u64,
    #[doc = " fp16 weights of the two-pass kernel"]
    pub ddr_scratch_written: u64,
    pub ddr_scratch_read: u64,
    #[doc = " descriptors"]
    pub dma_transfers: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_counters"][::core::mem::size_of::<hmxwb_counters>() - 176usize];
    ["Alignment of hmxwb_counters"][::core::mem::align_of::<hmxwb_counters>() - 8usize];
    ["Offset of field: hmxwb_counters::hmx_multiply"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_multiply) - 0usize];
    ["Offset of field: hmxwb_counters::hmx_macs"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_macs) - 8usize];
    ["Offset of field: hmxwb_counters::hmx_convert"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_convert) - 16usize];
    ["Offset of field: hmxwb_counters::hmx_store"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_store) - 24usize];
    ["Offset of field: hmxwb_counters::hmx_bias"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_bias) - 32usize];
    ["Offset of field: hmxwb_counters::hmx_other"]
        [::core::mem::offset_of!(hmxwb_counters, hmx_other) - 40usize];
    ["Offset of field: hmxwb_counters::hvx"]
        [::core::mem::offset_of!(hmxwb_counters, hvx) - 48usize];
    ["Offset of field: hmxwb_counters::vtcm_read"]
        [::core::mem::offset_of!(hmxwb_counters, vtcm_read) - 112usize];
    ["Offset of field: hmxwb_counters::vtcm_written"]
        [::core::mem::offset_of!(hmxwb_counters, vtcm_written) - 120usize];
    ["Offset of field: hmxwb_counters::ddr_weight_read"]
        [::core::mem::offset_of!(hmxwb_counters, ddr_weight_read) - 128usize];
    ["Offset of field: hmxwb_counters::ddr_act_read"]
        [::core::mem::offset_of!(hmxwb_counters, ddr_act_read) - 136usize];
    ["Offset of field: hmxwb_counters::ddr_out_written"]
        [::core::mem::offset_of!(hmxwb_counters, ddr_out_written) - 144usize];
    ["Offset of field: hmxwb_counters::ddr_scratch_written"]
        [::core::mem::offset_of!(hmxwb_counters, ddr_scratch_written) - 152usize];
    ["Offset of field: hmxwb_counters::ddr_scratch_read"]
        [::core::mem::offset_of!(hmxwb_counters, ddr_scratch_read) - 160usize];
    ["Offset of field: hmxwb_counters::dma_transfers"]
        [::core::mem::offset_of!(hmxwb_counters, dma_transfers) - 168usize];
};
#[doc = " First argument of every method."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_question {
    #[doc = " HMXWB_QUESTION_MAGIC"]
    pub magic: u32,
    #[doc = " HMXWB_CALL_VERSION"]
    pub version: u32,
    #[doc = " chosen by the host, another one for each call"]
    pub sequence: u32,
    pub method: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_question"][::core::mem::size_of::<hmxwb_question>() - 16usize];
    ["Alignment of hmxwb_question"][::core::mem::align_of::<hmxwb_question>() - 4usize];
    ["Offset of field: hmxwb_question::magic"]
        [::core::mem::offset_of!(hmxwb_question, magic) - 0usize];
    ["Offset of field: hmxwb_question::version"]
        [::core::mem::offset_of!(hmxwb_question, version) - 4usize];
    ["Offset of field: hmxwb_question::sequence"]
        [::core::mem::offset_of!(hmxwb_question, sequence) - 8usize];
    ["Offset of field: hmxwb_question::method"]
        [::core::mem::offset_of!(hmxwb_question, method) - 12usize];
};
#[doc = " First result of every method. All of it is zero until the skel writes it, so a call that\n never reached the skel cannot look like an answer."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_answer {
    #[doc = " HMXWB_ANSWER_MAGIC"]
    pub magic: u32,
    #[doc = " HMXWB_CALL_VERSION"]
    pub version: u32,
    #[doc = " the question's"]
    pub sequence: u32,
    #[doc = " the question's"]
    pub method: u32,
    #[doc = " 0, HMXWB_E_*"]
    pub status: u32,
    #[doc = " index of the packet that did not run, where one is meant"]
    pub at: u32,
    #[doc = " code of the DSP service that refused, where one did"]
    pub detail: u32,
    #[doc = " bytes of the output sequence that are filled"]
    pub written: u32,
    #[doc = " FNV-1a of those bytes"]
    pub digest: u32,
    pub reserved: u32,
    #[doc = " processor cycles between first and last packet; 0: not counted"]
    pub cycles: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_answer"][::core::mem::size_of::<hmxwb_answer>() - 48usize];
    ["Alignment of hmxwb_answer"][::core::mem::align_of::<hmxwb_answer>() - 8usize];
    ["Offset of field: hmxwb_answer::magic"][::core::mem::offset_of!(hmxwb_answer, magic) - 0usize];
    ["Offset of field: hmxwb_answer::version"]
        [::core::mem::offset_of!(hmxwb_answer, version) - 4usize];
    ["Offset of field: hmxwb_answer::sequence"]
        [::core::mem::offset_of!(hmxwb_answer, sequence) - 8usize];
    ["Offset of field: hmxwb_answer::method"]
        [::core::mem::offset_of!(hmxwb_answer, method) - 12usize];
    ["Offset of field: hmxwb_answer::status"]
        [::core::mem::offset_of!(hmxwb_answer, status) - 16usize];
    ["Offset of field: hmxwb_answer::at"][::core::mem::offset_of!(hmxwb_answer, at) - 20usize];
    ["Offset of field: hmxwb_answer::detail"]
        [::core::mem::offset_of!(hmxwb_answer, detail) - 24usize];
    ["Offset of field: hmxwb_answer::written"]
        [::core::mem::offset_of!(hmxwb_answer, written) - 28usize];
    ["Offset of field: hmxwb_answer::digest"]
        [::core::mem::offset_of!(hmxwb_answer, digest) - 32usize];
    ["Offset of field: hmxwb_answer::reserved"]
        [::core::mem::offset_of!(hmxwb_answer, reserved) - 36usize];
    ["Offset of field: hmxwb_answer::cycles"]
        [::core::mem::offset_of!(hmxwb_answer, cycles) - 40usize];
};
#[doc = " What the skel says of itself."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, bytemuck :: Pod, bytemuck :: Zeroable)]
pub struct hmxwb_facts {
    #[doc = " HMXWB_ABI_VERSION"]
    pub abi_version: u32,
    #[doc = " it was compiled for: 73, 75, ...; 0: not for Hexagon"]
    pub arch: u32,
    #[doc = " HMXWB_RUNS_ON_*"]
    pub runs_on: u32,
    #[doc = " of the device, as its resource service says; 0: not known"]
    pub vtcm_bytes: u32,
    #[doc = " largest piece to be had now; 0: not known"]
    pub vtcm_free: u32,
    pub reserved: [u32; 3usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_facts"][::core::mem::size_of::<hmxwb_facts>() - 32usize];
    ["Alignment of hmxwb_facts"][::core::mem::align_of::<hmxwb_facts>() - 4usize];
    ["Offset of field: hmxwb_facts::abi_version"]
        [::core::mem::offset_of!(hmxwb_facts, abi_version) - 0usize];
    ["Offset of field: hmxwb_facts::arch"][::core::mem::offset_of!(hmxwb_facts, arch) - 4usize];
    ["Offset of field: hmxwb_facts::runs_on"]
        [::core::mem::offset_of!(hmxwb_facts, runs_on) - 8usize];
    ["Offset of field: hmxwb_facts::vtcm_bytes"]
        [::core::mem::offset_of!(hmxwb_facts, vtcm_bytes) - 12usize];
    ["Offset of field: hmxwb_facts::vtcm_free"]
        [::core::mem::offset_of!(hmxwb_facts, vtcm_free) - 16usize];
    ["Offset of field: hmxwb_facts::reserved"]
        [::core::mem::offset_of!(hmxwb_facts, reserved) - 20usize];
};
#[doc = " value: address of the first byte of the loaded skel"]
pub const HMXWB_GUEST_READY: hmxwb_guest_kind = 1;
#[doc = " run the skel's entry on control.scalars and control.buf"]
pub const HMXWB_GUEST_INVOKE: hmxwb_guest_kind = 2;
#[doc = " value: what the entry returned"]
pub const HMXWB_GUEST_DONE: hmxwb_guest_kind = 3;
#[doc = " a packet the emulator does not know is in control.trap"]
pub const HMXWB_GUEST_TRAP: hmxwb_guest_kind = 4;
#[doc = " value: HMXWB_RESUME_*"]
pub const HMXWB_GUEST_RESUME: hmxwb_guest_kind = 5;
#[doc = " value: signal number; control.trap.pc says where"]
pub const HMXWB_GUEST_DIED: hmxwb_guest_kind = 6;
#[doc = " control.text: an import or the entry that is not there"]
pub const HMXWB_GUEST_NO_SYMBOL: hmxwb_guest_kind = 7;
#[doc = " control.text: why the skel cannot be loaded"]
pub const HMXWB_GUEST_BAD_SKEL: hmxwb_guest_kind = 8;
pub const HMXWB_GUEST_QUIT: hmxwb_guest_kind = 9;
#[doc = " call control.call.name with control.call.args (tests of intrinsics)"]
pub const HMXWB_GUEST_CALL: hmxwb_guest_kind = 10;
#[doc = " Message kinds. Host to guest: INVOKE, RESUME, QUIT, CALL. Guest to host: READY, TRAP, DONE, DIED, NO_SYMBOL, BAD_SKEL."]
pub type hmxwb_guest_kind = ::core::ffi::c_uint;
#[doc = " One message, both ways."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq)]
pub struct hmxwb_guest_message {
    pub kind: u32,
    pub value: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_guest_message"][::core::mem::size_of::<hmxwb_guest_message>() - 8usize];
    ["Alignment of hmxwb_guest_message"][::core::mem::align_of::<hmxwb_guest_message>() - 4usize];
    ["Offset of field: hmxwb_guest_message::kind"]
        [::core::mem::offset_of!(hmxwb_guest_message, kind) - 0usize];
    ["Offset of field: hmxwb_guest_message::value"]
        [::core::mem::offset_of!(hmxwb_guest_message, value) - 4usize];
};
#[doc = " A packet that trapped."]
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct hmxwb_guest_trap {
    #[doc = " address of the packet"]
    pub pc: u32,
    #[doc = " its words, 1 to 4"]
    pub count: u32,
    pub word: [u32; 4usize],
    #[doc = " host's answer: the packet with nops for what it emulated"]
    pub rest: [u32; 4usize],
    #[doc = " general registers; the host may change them"]
    pub r: [u32; 32usize],
    #[doc = " 1: v is filled in"]
    pub vectors: u32,
    #[doc = " host's answer: bit i set means v[i] is new"]
    pub written: u32,
    #[doc = " host's answer: 1 + index of a PC-relative branch in rest, whose distance field is to be filled; 0: none"]
    pub branch: u32,
    #[doc = " its distance field: bit i of the distance, in words, goes to the i-th set bit"]
    pub field: u32,
    #[doc = " where the branch goes, as a guest address"]
    pub target: u32,
    #[doc = " host's answer: 1: rest ends a loop, or may go elsewhere than behind the packet"]
    pub leaves: u32,
    pub pad: [u32; 16usize],
    #[doc = " vector registers"]
    pub v: [[u8; 128usize]; 32usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_guest_trap"][::core::mem::size_of::<hmxwb_guest_trap>() - 4352usize];
    ["Alignment of hmxwb_guest_trap"][::core::mem::align_of::<hmxwb_guest_trap>() - 4usize];
    ["Offset of field: hmxwb_guest_trap::pc"]
        [::core::mem::offset_of!(hmxwb_guest_trap, pc) - 0usize];
    ["Offset of field: hmxwb_guest_trap::count"]
        [::core::mem::offset_of!(hmxwb_guest_trap, count) - 4usize];
    ["Offset of field: hmxwb_guest_trap::word"]
        [::core::mem::offset_of!(hmxwb_guest_trap, word) - 8usize];
    ["Offset of field: hmxwb_guest_trap::rest"]
        [::core::mem::offset_of!(hmxwb_guest_trap, rest) - 24usize];
    ["Offset of field: hmxwb_guest_trap::r"]
        [::core::mem::offset_of!(hmxwb_guest_trap, r) - 40usize];
    ["Offset of field: hmxwb_guest_trap::vectors"]
        [::core::mem::offset_of!(hmxwb_guest_trap, vectors) - 168usize];
    ["Offset of field: hmxwb_guest_trap::written"]
        [::core::mem::offset_of!(hmxwb_guest_trap, written) - 172usize];
    ["Offset of field: hmxwb_guest_trap::branch"]
        [::core::mem::offset_of!(hmxwb_guest_trap, branch) - 176usize];
    ["Offset of field: hmxwb_guest_trap::field"]
        [::core::mem::offset_of!(hmxwb_guest_trap, field) - 180usize];
    ["Offset of field: hmxwb_guest_trap::target"]
        [::core::mem::offset_of!(hmxwb_guest_trap, target) - 184usize];
    ["Offset of field: hmxwb_guest_trap::leaves"]
        [::core::mem::offset_of!(hmxwb_guest_trap, leaves) - 188usize];
    ["Offset of field: hmxwb_guest_trap::pad"]
        [::core::mem::offset_of!(hmxwb_guest_trap, pad) - 192usize];
    ["Offset of field: hmxwb_guest_trap::v"]
        [::core::mem::offset_of!(hmxwb_guest_trap, v) - 256usize];
};
impl Default for hmxwb_guest_trap {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " One buffer of an invoke."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq)]
pub struct hmxwb_guest_buf {
    #[doc = " guest address, inside DDR"]
    pub address: u32,
    #[doc = " bytes"]
    pub len: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_guest_buf"][::core::mem::size_of::<hmxwb_guest_buf>() - 8usize];
    ["Alignment of hmxwb_guest_buf"][::core::mem::align_of::<hmxwb_guest_buf>() - 4usize];
    ["Offset of field: hmxwb_guest_buf::address"]
        [::core::mem::offset_of!(hmxwb_guest_buf, address) - 0usize];
    ["Offset of field: hmxwb_guest_buf::len"]
        [::core::mem::offset_of!(hmxwb_guest_buf, len) - 4usize];
};
#[doc = " A direct call of a function of the skel, for tests."]
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct hmxwb_guest_call {
    pub name: [::core::ffi::c_char; 96usize],
    pub args: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_guest_call"][::core::mem::size_of::<hmxwb_guest_call>() - 112usize];
    ["Alignment of hmxwb_guest_call"][::core::mem::align_of::<hmxwb_guest_call>() - 4usize];
    ["Offset of field: hmxwb_guest_call::name"]
        [::core::mem::offset_of!(hmxwb_guest_call, name) - 0usize];
    ["Offset of field: hmxwb_guest_call::args"]
        [::core::mem::offset_of!(hmxwb_guest_call, args) - 96usize];
};
impl Default for hmxwb_guest_call {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " The control page."]
#[repr(C)]
#[repr(align(128))]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct hmxwb_guest_control {
    pub magic: u32,
    pub version: u32,
    pub vtcm_size: u32,
    pub ddr_size: u32,
    #[doc = " bytes of the skel file"]
    pub skel_size: u32,
    #[doc = " FastRPC scalars word of the invoke"]
    pub scalars: u32,
    #[doc = " module handle of the invoke"]
    pub handle: u32,
    pub buf_count: u32,
    #[doc = " symbol of the skel's entry"]
    pub entry: [::core::ffi::c_char; 96usize],
    #[doc = " detail of a failure"]
    pub text: [::core::ffi::c_char; 248usize],
    #[doc = " instructions that QEMU ran in the last call, and its DMA instructions"]
    pub instructions: u64,
    #[doc = " packets, the same way"]
    pub packets: u64,
    #[doc = " packets emulated in the last call"]
    pub traps: u64,
    pub dma_transfers: u64,
    pub dma_bytes: u64,
    pub buf: [hmxwb_guest_buf; 510usize],
    pub call: hmxwb_guest_call,
    pub trap: hmxwb_guest_trap,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of hmxwb_guest_control"][::core::mem::size_of::<hmxwb_guest_control>() - 8960usize];
    ["Alignment of hmxwb_guest_control"][::core::mem::align_of::<hmxwb_guest_control>() - 128usize];
    ["Offset of field: hmxwb_guest_control::magic"]
        [::core::mem::offset_of!(hmxwb_guest_control, magic) - 0usize];
    ["Offset of field: hmxwb_guest_control::version"]
        [::core::mem::offset_of!(hmxwb_guest_control, version) - 4usize];
    ["Offset of field: hmxwb_guest_control::vtcm_size"]
        [::core::mem::offset_of!(hmxwb_guest_control, vtcm_size) - 8usize];
    ["Offset of field: hmxwb_guest_control::ddr_size"]
        [::core::mem::offset_of!(hmxwb_guest_control, ddr_size) - 12usize];
    ["Offset of field: hmxwb_guest_control::skel_size"]
        [::core::mem::offset_of!(hmxwb_guest_control, skel_size) - 16usize];
    ["Offset of field: hmxwb_guest_control::scalars"]
        [::core::mem::offset_of!(hmxwb_guest_control, scalars) - 20usize];
    ["Offset of field: hmxwb_guest_control::handle"]
        [::core::mem::offset_of!(hmxwb_guest_control, handle) - 24usize];
    ["Offset of field: hmxwb_guest_control::buf_count"]
        [::core::mem::offset_of!(hmxwb_guest_control, buf_count) - 28usize];
    ["Offset of field: hmxwb_guest_control::entry"]
        [::core::mem::offset_of!(hmxwb_guest_control, entry) - 32usize];
    ["Offset of field: hmxwb_guest_control::text"]
        [::core::mem::offset_of!(hmxwb_guest_control, text) - 128usize];
    ["Offset of field: hmxwb_guest_control::instructions"]
        [::core::mem::offset_of!(hmxwb_guest_control, instructions) - 376usize];
    ["Offset of field: hmxwb_guest_control::packets"]
        [::core::mem::offset_of!(hmxwb_guest_control, packets) - 384usize];
    ["Offset of field: hmxwb_guest_control::traps"]
        [::core::mem::offset_of!(hmxwb_guest_control, traps) - 392usize];
    ["Offset of field: hmxwb_guest_control::dma_transfers"]
        [::core::mem::offset_of!(hmxwb_guest_control, dma_transfers) - 400usize];
    ["Offset of field: hmxwb_guest_control::dma_bytes"]
        [::core::mem::offset_of!(hmxwb_guest_control, dma_bytes) - 408usize];
    ["Offset of field: hmxwb_guest_control::buf"]
        [::core::mem::offset_of!(hmxwb_guest_control, buf) - 416usize];
    ["Offset of field: hmxwb_guest_control::call"]
        [::core::mem::offset_of!(hmxwb_guest_control, call) - 4496usize];
    ["Offset of field: hmxwb_guest_control::trap"]
        [::core::mem::offset_of!(hmxwb_guest_control, trap) - 4608usize];
};
impl Default for hmxwb_guest_control {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
