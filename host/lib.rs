//! The HMX workbench: targets, kernel drivers, verification, export.

pub mod packers;
pub mod run;
pub mod target;
