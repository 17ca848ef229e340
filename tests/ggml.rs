//! ggml-hexagon's HMX matrix multiply and its Q4_0 and Q8_0 expansion, compiled as `hmx cc`
//! does from sources that nobody here wrote, and run under QEMU.
//!
//! Covered: the whole of `matmul-ops.c` goes through compiler, rewriting and assembler. Of it run
//! `core_dot_chunk_fp16` (one `:deep` load up to 32 tiles, several beyond) and the expansion of
//! Q4_0 and Q8_0 tiles. Not covered: its DMA, its threads, the other weight formats, flash attention.
//!
//! The sources come from the crate llama-cpp-sys-2 (fetched, never built or copied). Needs clang-22,
//! lld-22 and qemu-hexagon 11 (`HMX_SKIP_QEMU=1` leaves the tests out) and a network, or
//! an earlier fetch (`HMX_SKIP_GGML=1` leaves the tests out).
#![cfg(target_os = "linux")]

mod ggml_tiles;

use ggml_tiles::{
    Machine, disassemble, entry, own, packed_tiles_expand, random_tiles_multiply, skipped, sources,
    uses,
};
use hmx_abi::Arch;
use hmx_workbench::ggml;
use std::path::Path;

/// A build for v73.
fn compilation<'a>(tree: &'a Path, options: &'a [&str]) -> ggml::Build<'a> {
    ggml::Build {
        tree,
        arch: Arch::V73,
        include: &[],
        options,
    }
}

#[test]
fn the_object_file_has_the_instructions_of_the_source() {
    if skipped() {
        return;
    }
    let source = sources().join("ggml/src/ggml-hexagon/htp/hmx-mm-kernels-tiled.h");
    let text = std::fs::read_to_string(source).unwrap();
    let (_, text) = text
        .split_once("static void core_dot_chunk_fp16_short(")
        .unwrap();
    let (text, _) = text
        .split_once("static void core_mma_chunk_fp16_short(")
        .unwrap();
    let count = |what: &str| text.matches(what).count() as u64;
    let multiplies = count("HMX_LOAD_MPY_DEEP_F16(");
    assert!(multiplies > 0);
    // -Os copies no loop body, so the counts are those of the source.
    let object = own("ggml-small.o");
    compilation(&sources(), &["-Os", "-w"])
        .object(&entry(), &object)
        .unwrap();
    let listing = disassemble(&object);
    let expected = [
        ("activation.hf=mxmem(Rs,Rt):deep", multiplies),
        ("weight.hf=mxmem(Rs,Rt)", multiplies),
        ("bias=mxmem2(Rs)", count("HMX_SET_BIAS(")),
        ("mxclracc.hf", count("HMX_CLRACC_F16(")),
        ("mxmem(Rs,Rt):after.hf=acc", count("HMX_STORE_AFTER_F16(")),
    ];
    assert_eq!(uses(&listing), expected.map(|(i, n)| (i.to_owned(), n)));
    assert_eq!(listing["summary"]["broken"].as_array().unwrap().len(), 0);
}

#[test]
fn tiles_expand_as_the_formats_say_and_multiply_as_the_reference_bit_for_bit() {
    if skipped() {
        return;
    }
    let skel = own("ggml.so");
    compilation(&sources(), &["-O2", "-w"])
        .library(&[entry()], &skel)
        .unwrap();
    let mut machine = Machine::start(&skel);
    random_tiles_multiply(&mut machine);
    let entries = [("dequantize_q4_0", true), ("dequantize_q8_0", false)];
    packed_tiles_expand(&mut machine, &entries);
}
