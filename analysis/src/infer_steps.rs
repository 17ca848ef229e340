//! The first step of inference: the input channels and their weight elements.

use crate::infer::InferError;
use crate::infer_code::{Place, bits, read};
use crate::infer_rig::{AREA, Answer, Request, Rig};
use hmx_abi::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of the weight area.
const WEIGHT_BITS: usize = AREA * 8;

/// Activation elements looked at in vain, before the first channel, until it is given up.
const PATIENCE: usize = 32;

/// One weight element: the bits of the area that form it.
pub(crate) type Element = Place;

/// The elements that feed some readout bytes. A byte may show only part of an element's
/// bits: an element within another one is that other one.
fn whole(found: &[Option<Place>]) -> Vec<Element> {
    let all: BTreeSet<Element> = found.iter().flatten().copied().collect();
    let largest = |a: &&Element| !all.iter().any(|b| within(a, b));
    all.iter().filter(largest).copied().collect()
}

/// Whether element `a` is a part of element `b`.
fn within(a: &Element, b: &Element) -> bool {
    a != b && a.free & !b.free == 0 && (a.fixed ^ b.fixed) & !b.free == 0
}

/// What is known so far.
pub struct Search<F> {
    pub(crate) rig: Rig<F>,
    pub(crate) one: &'static [u8],
    pub(crate) float: bool,
    pub(crate) written: Vec<bool>,
    /// The weight elements of each input channel found.
    pub(crate) channels: Vec<Vec<Element>>,
    /// (channel, column) of each weight element.
    pub(crate) weights: BTreeMap<(usize, usize), Element>,
    /// Column of each readout byte, as an index into the elements of channel 0.
    pub(crate) column_of: Vec<Option<usize>>,
    /// Activation slots of channel 0 that feed each readout byte: its row.
    pub(crate) row_of: Vec<Option<Vec<u32>>>,
    /// Activation slot of each (row, channel); a row is named by its slot in channel 0.
    pub(crate) slots: BTreeMap<(u32, usize), u32>,
    /// Rows that only carry, with the row they are added to.
    pub(crate) carried: BTreeMap<u32, u32>,
    /// Readout bytes of each (row, column).
    pub(crate) shown: BTreeMap<(u32, usize), Vec<usize>>,
    pub(crate) notes: BTreeSet<String>,
}

impl<F: FnMut(&Program<u32>, &[u8], u32) -> Answer> Search<F> {
    /// Starts with what the convert writes at all.
    pub fn new(request: &Request, mut rig: Rig<F>) -> Result<Search<F>, InferError> {
        let written = rig.written()?;
        Ok(Search {
            rig,
            one: request.one(),
            float: request.float(),
            written,
            channels: Vec::new(),
            weights: BTreeMap::new(),
            column_of: vec![None; AREA],
            row_of: vec![None; AREA],
            slots: BTreeMap::new(),
            carried: BTreeMap::new(),
            shown: BTreeMap::new(),
            notes: BTreeSet::new(),
        })
    }

    /// Activation slots: aligned places as wide as an element.
    pub(crate) fn slot_count(&self) -> usize {
        AREA / self.one.len()
    }

    pub(crate) fn activation(&self, on: impl Fn(u32) -> bool, pattern: &[u8]) -> Vec<u8> {
        let mut area = vec![0; AREA];
        for (slot, bytes) in area.chunks_exact_mut(self.one.len()).enumerate() {
            if on(slot as u32) {
                bytes.copy_from_slice(pattern);
            }
        }
        area
    }

    /// Weight elements switched on: all their bits for floats, the lowest for integers.
    pub(crate) fn weight<'a>(&self, elements: impl IntoIterator<Item = &'a Element>) -> Vec<u8> {
        let mut area = vec![0; AREA];
        for e in elements {
            let width = if self.float { e.free + 1 } else { 1 };
            for bit in e.fixed..e.fixed + width {
                area[bit as usize / 8] |= 1 << (bit % 8);
            }
        }
        area
    }

    /// Readout bytes that differ when the weights change from all zero bits to `weight`,
    /// under the same activation.
    pub(crate) fn changed(
        &mut self,
        activation: &[u8],
        weight: &[u8],
    ) -> Result<Vec<bool>, InferError> {
        let off = self.rig.shot(activation, &[0; AREA])?;
        self.changed_from(&off, activation, weight)
    }

    fn changed_from(
        &mut self,
        off: &[u8],
        activation: &[u8],
        weight: &[u8],
    ) -> Result<Vec<bool>, InferError> {
        let on = self.rig.shot(activation, weight)?;
        Ok(off.iter().zip(&on).map(|(a, b)| a != b).collect())
    }

    /// Finds the input channels: for one activation element at a time, the weight elements
    /// that meet it, by coding the bits of the weight area. An element whose channel is
    /// known is passed over with one test.
    ///
    /// Where two output channels meet in one readout byte, the sign of the one is seen beside
    /// the other. If nothing can be told apart, it is tried again without the top bit of
    /// every byte, nibble or pair.
    pub fn channels(&mut self) -> Result<(), InferError> {
        for left_out in [0x00, 0xAA, 0x88, 0x80] {
            self.channels_without(left_out)?;
            if !self.channels.is_empty() {
                if left_out != 0 {
                    self.notes.insert(format!(
                        "told apart only without the weight bits {left_out:#04x} of each byte: several output channels meet in a readout byte, and the width of a weight may be one bit more"
                    ));
                }
                return Ok(());
            }
        }
        Err(InferError::Silent)
    }

    fn channels_without(&mut self, left_out: u8) -> Result<(), InferError> {
        let mut known = vec![left_out; AREA];
        let mut width = 0;
        let mut slot = 0;
        let mut passed_over = 0;
        while slot < self.slot_count() as u32 && passed_over < PATIENCE {
            let alone = self.activation(|s| s == slot, self.one);
            slot += 1;
            if !self.meets(&alone, &known)? {
                continue;
            }
            let found = self.meeting(&alone, &known)?;
            let elements = whole(&found);
            // Every element must show on its own, and be as wide as any seen: else this
            // activation row shows only part of a sum (its sign, say), and another row of
            // the same channel tells more.
            let on = self.weight(&elements);
            let shows = self.changed(&alone, &on)?;
            let seen = elements.iter().all(|e| {
                let mut bytes = found.iter().zip(&shows);
                bytes.any(|(f, shows)| *shows && f.is_some_and(|f| f == *e || within(&f, e)))
            });
            let wide = elements.iter().filter_map(|e| e.block()).min().unwrap_or(0);
            if elements.iter().any(|e| e.block().is_none()) || !seen || wide == 0 || wide < width {
                passed_over += usize::from(self.channels.is_empty());
                continue;
            }
            if wide > width && width > 0 {
                // What was found so far were parts of elements: start again.
                self.channels.clear();
                known.fill(left_out);
                (width, slot) = (wide, 0);
                continue;
            }
            width = wide;
            for e in &elements {
                for bit in e.fixed..=e.fixed + e.free {
                    known[bit as usize / 8] |= 1 << (bit % 8);
                }
            }
            self.channels.push(elements);
            let all = self.activation(|_| true, self.one);
            if !self.meets(&all, &known)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether this activation meets a weight outside `known`.
    fn meets(&mut self, activation: &[u8], known: &[u8]) -> Result<bool, InferError> {
        // Three patterns, so that no sum of equal weights is zero in all of them.
        let off = self.rig.shot(activation, &[0; AREA])?;
        for pattern in [0xFFu8, 0x55, 0xAA] {
            let weight: Vec<u8> = known.iter().map(|k| pattern & !k).collect();
            if self
                .changed_from(&off, activation, &weight)?
                .contains(&true)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The weight bits outside `known` that feed each readout byte.
    fn meeting(
        &mut self,
        activation: &[u8],
        known: &[u8],
    ) -> Result<Vec<Option<Place>>, InferError> {
        let off = self.rig.shot(activation, &[0; AREA])?;
        let mut code = Vec::new();
        for b in 0..bits(WEIGHT_BITS) {
            let mut pair = [Vec::new(), Vec::new()];
            for (v, changed) in pair.iter_mut().enumerate() {
                let mut weight = vec![0u8; AREA];
                for bit in (0..WEIGHT_BITS).filter(|bit| bit >> b & 1 == v) {
                    weight[bit / 8] |= (1 << (bit % 8)) & !known[bit / 8];
                }
                *changed = self.changed_from(&off, activation, &weight)?;
            }
            code.push(pair);
        }
        Ok(read(&code, AREA))
    }
}
