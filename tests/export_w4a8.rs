//! The exported form of `mm_w4a8`: what a runtime gets, compiled and run.
//!
//! The patch and the op are tried on ggml-hexagon's sources, which nobody here wrote (`HMX_SKIP_GGML=1` leaves these
//! tests out); the DSP's part needs clang-22, and runs under qemu-hexagon (`HMX_SKIP_QEMU=1`).
#![cfg(target_os = "linux")]

#[path = "export_w4a8/compile.rs"]
mod compile;
#[path = "export_w4a8/host.rs"]
mod host;
#[path = "export_w4a8/machine.rs"]
mod machine;
#[path = "export_w4a8/plan.rs"]
mod plan;
#[path = "export_w4a8/qemu.rs"]
mod qemu;
#[path = "export_w4a8/repack.rs"]
mod repack;
#[path = "export_w4a8/tools.rs"]
mod tools;
#[path = "export_w4a8/tree.rs"]
mod tree;
