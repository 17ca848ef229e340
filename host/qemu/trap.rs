//! One trapped packet: HMX on the model, HVX float by [`super::hvx_float`].

use super::control::{self, Control, Trap};
use super::hvx_float;
use super::packet_rest::{self, Counts, Rest};
use hmx_abi::{Evidence, Packet, codec};
use hmx_model::{Hmx, Vtcm};
use std::collections::BTreeMap;

/// The HMX unit of a guest, and what it did.
pub struct Unit {
    hmx: Hmx,
    /// Weakest class of evidence so far.
    pub evidence: Evidence,
    /// Numbers of the mixed packets, counted from 1.
    pub mixed: Vec<u64>,
    /// HMX packets executed.
    pub packets: u64,
    /// What the emulated packets add to QEMU's counters.
    pub counts: Counts,
    /// How often the packet at a guest address was emulated.
    pub at: BTreeMap<u32, u64>,
}

impl Unit {
    /// A unit after reset.
    pub fn new(hmx: Hmx) -> Unit {
        Unit {
            hmx,
            evidence: Evidence::VendorModel,
            mixed: Vec::new(),
            packets: 0,
            counts: Counts::default(),
            at: BTreeMap::new(),
        }
    }

    /// Forgets what was counted: a new call begins.
    pub fn begin(&mut self) {
        self.counts = Counts::default();
        self.at.clear();
    }

    /// Executes the packet in `control.trap`; how the guest goes on, or what is wrong with it.
    pub fn packet(&mut self, control: &mut Control, vtcm: &mut [u8]) -> Result<u32, String> {
        let trap = &mut control.trap;
        let rest = self.execute(trap, vtcm)?;
        self.counts.instructions += rest.counts.instructions;
        self.counts.packets += rest.counts.packets;
        *self.at.entry(trap.pc).or_default() += 1;
        Ok(rest.resume)
    }

    fn execute(&mut self, trap: &mut Trap, vtcm: &mut [u8]) -> Result<Rest, String> {
        let words = trap.word;
        let words = &words[..trap.count.clamp(1, 4) as usize];
        if words.iter().all(|w| codec::decode(*w).is_none()) {
            return hvx_float::emulate(trap);
        }
        let registers = Packet::from_words(words).map_err(|e| e.to_string())?;
        let packet = registers.with_values(|r| trap.r[usize::from(r.number())]);
        let mut memory = Vtcm {
            base: control::VTCM,
            bytes: vtcm,
        };
        let done = self
            .hmx
            .execute(&packet, &mut memory)
            .map_err(|e| e.to_string())?;
        self.packets += 1;
        if done.mixed {
            self.mixed.push(self.packets);
        }
        self.evidence = self.evidence.weaker(done.evidence);
        packet_rest::split(trap, [true; 4])
    }
}
