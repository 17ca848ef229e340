//! The HMX workbench: targets, kernel drivers, verification, export.

pub mod bench;
pub mod kernels;
pub mod native;
pub mod packers;
pub mod plan;
#[cfg(target_os = "linux")]
pub mod qemu;
pub mod reference;
pub mod device;
pub mod fastrpc;
pub mod run;
pub mod skel_build;
pub mod target;
pub mod tools;
