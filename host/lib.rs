//! The HMX workbench: targets, kernel drivers, verification, export.

pub mod packers;
pub mod reference;
pub mod run;
pub mod target;
