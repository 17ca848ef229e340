//! The HMX workbench: targets, kernel drivers, verification, export.

pub mod bench;
pub mod packers;
#[cfg(target_os = "linux")]
pub mod qemu;
pub mod reference;
pub mod kernels;
pub mod native;
pub mod plan;
pub mod run;
pub mod skel_build;
pub mod target;
pub mod tools;
