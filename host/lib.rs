//! The HMX workbench: targets, kernel drivers, verification, export.

pub mod asm;
pub mod bench;
pub mod device;
pub mod doctor;
pub mod export;
pub mod fastrpc;
pub mod finding;
pub mod ggml;
pub mod kernels;
pub mod native;
pub mod packers;
pub mod plan;
#[cfg(target_os = "linux")]
pub mod qemu;
pub mod reference;
pub mod run;
pub mod skel;
pub mod skel_build;
pub mod target;
pub mod tools;
pub mod verify;
pub mod whole_file;
