//! The exported form of `mm_w4a8`: what a runtime gets, compiled and run.
#![cfg(target_os = "linux")]

#[path = "export_w4a8/plan.rs"]
mod plan;
#[path = "export_w4a8/repack.rs"]
mod repack;
#[path = "export_w4a8/tools.rs"]
mod tools;
