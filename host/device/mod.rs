//! The target `device`: a real DSP, or a library that stands in for one.

pub mod adb;
mod preflight;
pub mod settings;
mod settle_arch;
pub mod stub;
pub mod supervisor;
pub mod target;
pub mod task;
pub mod worker;

pub use settings::Settings;
pub use target::Device;
