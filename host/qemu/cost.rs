//! What a call took: instructions and packets, exactly.

use super::control::Control;
use super::guest::Guest;
use super::place::Symbols;
use super::trap::Unit;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a call took, from its first to its last instruction. The C library functions that it
/// calls are the runner's, and count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Cost {
    /// Instructions, emulated ones included; nops and constant extenders are none.
    pub instructions: u64,
    /// Packets, emulated ones included.
    pub packets: u64,
    /// Packets that were emulated.
    pub traps: u64,
}

impl Cost {
    /// The cost of the call that ended last, which `unit` served from its beginning.
    pub fn of(control: &Control, unit: &Unit) -> Cost {
        let counts = unit.counts;
        Cost {
            instructions: control
                .instructions
                .saturating_add_signed(counts.instructions),
            packets: control.packets.saturating_add_signed(counts.packets),
            traps: control.traps,
        }
    }
}

/// How many packets of each function the host emulated. DMA packets are not among them.
pub fn emulated_by_function(guest: &Guest, unit: &Unit) -> BTreeMap<String, u64> {
    let symbols = Symbols::of(guest.skel());
    let mut functions = BTreeMap::new();
    for (pc, count) in &unit.at {
        let address = pc.wrapping_sub(guest.base());
        let name = symbols.at(address).map_or("?", |(name, _)| name);
        *functions.entry(name.to_owned()).or_default() += count;
    }
    functions
}
