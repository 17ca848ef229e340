//! What is wrong with this device set-up: one pass over what users' reports blame.
//!
//! A line says `ok` only for something that was looked at and is as it should be. Everything
//! that needs the FastRPC library runs in child processes with a time limit.

mod library;
mod machine;
mod place;
mod skel;

pub use machine::Place;

use crate::device::Settings;
use crate::finding::Finding;

/// Every check that means something on this platform.
pub fn examine(place: &Place, settings: &Settings) -> Vec<Finding> {
    let (mut found, driver) = library::examine(settings);
    found.extend(machine::examine(place));
    let arch = settings.arch.or_else(|| library::arch(driver.as_ref()));
    found.extend(skel::examine(place, settings, arch));
    found
}
