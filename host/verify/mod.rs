//! Property tests of kernels against CPU references: `hmx verify`. What is checked, and why the bounds hold, is
//! written down in docs/verify.md.

pub mod case;
pub mod device;
pub mod expected;
#[cfg(test)]
mod fake;
pub mod gguf;
pub mod kernel;
pub mod native;
pub mod properties;
#[cfg(target_os = "linux")]
pub mod qemu;
pub mod regressions;
pub mod runner;
pub mod tensor;
pub mod text;
pub mod values;

pub use case::Case;
pub use device::DeviceKernel;
pub use kernel::{Kernel, KernelUnderTest};
pub use native::NativeKernel;
#[cfg(target_os = "linux")]
pub use qemu::QemuKernel;
pub use runner::{Failure, Summary};
