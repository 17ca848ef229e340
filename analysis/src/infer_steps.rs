//! The steps of inference: input channels, output channels, rows, readout, carries.

use crate::closed_form::Placement;
use crate::infer::{InferError, Inferred, LAYOUTS, Part};
use crate::infer_code::{Place, bits, read};
use crate::infer_rig::{AREA, Answer, Request, Rig};
use hmx_abi::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of the weight area.
const WEIGHT_BITS: usize = AREA * 8;

/// Activation elements looked at in vain, before the first channel, until it is given up.
const PATIENCE: usize = 32;

/// One weight element: the bits of the area that form it.
type Element = Place;

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
    rig: Rig<F>,
    one: &'static [u8],
    float: bool,
    written: Vec<bool>,
    /// The weight elements of each input channel found.
    channels: Vec<Vec<Element>>,
    /// (channel, column) of each weight element.
    weights: BTreeMap<(usize, usize), Element>,
    /// Column of each readout byte, as an index into the elements of channel 0.
    column_of: Vec<Option<usize>>,
    /// Activation slots of channel 0 that feed each readout byte: its row.
    row_of: Vec<Option<Vec<u32>>>,
    /// Activation slot of each (row, channel); a row is named by its slot in channel 0.
    slots: BTreeMap<(u32, usize), u32>,
    /// Rows that only carry, with the row they are added to.
    carried: BTreeMap<u32, u32>,
    /// Readout bytes of each (row, column).
    shown: BTreeMap<(u32, usize), Vec<usize>>,
    notes: BTreeSet<String>,
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
    fn slot_count(&self) -> usize {
        AREA / self.one.len()
    }

    fn activation(&self, on: impl Fn(u32) -> bool, pattern: &[u8]) -> Vec<u8> {
        let mut area = vec![0; AREA];
        for (slot, bytes) in area.chunks_exact_mut(self.one.len()).enumerate() {
            if on(slot as u32) {
                bytes.copy_from_slice(pattern);
            }
        }
        area
    }

    /// Weight elements switched on: all their bits for floats, the lowest for integers.
    fn weight<'a>(&self, elements: impl IntoIterator<Item = &'a Element>) -> Vec<u8> {
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
    fn changed(&mut self, activation: &[u8], weight: &[u8]) -> Result<Vec<bool>, InferError> {
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

    /// Finds the output channel of each readout byte by coding the elements of channel 0,
    /// then that of every other weight element.
    pub fn columns(&mut self) -> Result<(), InferError> {
        let all = self.activation(|_| true, self.one);
        for channel in 0..self.channels.len() {
            let elements = self.channels[channel].clone();
            let places = self.coded_elements(&all, &elements)?;
            for (p, place) in places.iter().enumerate() {
                let Some(place) = place else { continue };
                let Some(&[index]) = place.certain().as_deref() else {
                    self.notes.insert(format!(
                        "readout byte {p} depends on several output channels"
                    ));
                    continue;
                };
                if channel == 0 {
                    self.column_of[p] = Some(index as usize);
                }
                if let (Some(column), Some(e)) = (self.column_of[p], elements.get(index as usize)) {
                    self.weights.insert((channel, column), *e);
                }
            }
        }
        Ok(())
    }

    fn coded_elements(
        &mut self,
        activation: &[u8],
        elements: &[Element],
    ) -> Result<Vec<Option<Place>>, InferError> {
        let mut code = Vec::new();
        for b in 0..bits(elements.len()).max(1) {
            let mut pair = [Vec::new(), Vec::new()];
            for (v, changed) in pair.iter_mut().enumerate() {
                let on = elements.iter().enumerate().filter(|(i, _)| i >> b & 1 == v);
                let weight = self.weight(on.map(|(_, e)| e));
                *changed = self.changed(activation, &weight)?;
            }
            code.push(pair);
        }
        Ok(read(&code, AREA))
    }

    /// Finds the activation slot of each (row, channel) by coding the slots: first channel 0
    /// in every column, which names the rows; then each column with a channel of its own.
    pub fn rows(&mut self) -> Result<(), InferError> {
        let first = self.weight(&self.channels[0]);
        let places = self.coded_slots(&first, None, |_| true)?;
        for (p, place) in places.iter().enumerate() {
            self.row_of[p] = place.and_then(|place| self.certain(place, p));
        }
        for (weight, channel_of) in self.batches() {
            let places = self.coded_slots(&weight, None, |_| true)?;
            self.place_rows(&places, &channel_of, false);
        }
        Ok(())
    }

    /// Weight areas in which each column has one channel, until every channel had its turn,
    /// with the channel of each column.
    fn batches(&self) -> Vec<(Vec<u8>, BTreeMap<usize, usize>)> {
        let columns: BTreeSet<usize> = self.weights.keys().map(|k| k.1).collect();
        let mut left: BTreeSet<usize> = (0..self.channels.len()).collect();
        let mut batches = Vec::new();
        while !left.is_empty() {
            let mut channel_of = BTreeMap::new();
            for &column in &columns {
                let next = left
                    .iter()
                    .find(|&&k| self.weights.contains_key(&(k, column)));
                if let Some(&k) = next {
                    left.remove(&k);
                    channel_of.insert(column, k);
                }
            }
            if channel_of.is_empty() {
                break;
            }
            let on = channel_of
                .iter()
                .filter_map(|(&c, &k)| self.weights.get(&(k, c)));
            batches.push((self.weight(on), channel_of));
        }
        batches
    }

    fn certain(&mut self, place: Place, p: usize) -> Option<Vec<u32>> {
        let slots = place.certain();
        if slots.is_none() {
            self.notes.insert(format!(
                "readout byte {p} depends on more than two activation elements of one channel"
            ));
        }
        slots
    }

    fn place_rows(
        &mut self,
        places: &[Option<Place>],
        channel_of: &BTreeMap<usize, usize>,
        carry: bool,
    ) {
        for (p, place) in places.iter().enumerate() {
            let (Some(place), Some(column)) = (place, self.column_of[p]) else {
                continue;
            };
            let (Some(&channel), Some(row)) = (channel_of.get(&column), self.row_of[p].clone())
            else {
                continue;
            };
            let Some(slots) = self.certain(*place, p) else {
                continue;
            };
            let rows = match (carry, row.first()) {
                (false, _) => row,
                (true, Some(shown)) => {
                    let of = self.carried.iter().find(|(_, to)| *to == shown);
                    of.map(|(row, _)| vec![*row]).unwrap_or_default()
                }
                _ => continue,
            };
            // With two rows in one byte, each slot goes with the row in its order.
            for (row, slot) in rows.iter().zip(slots) {
                self.slots.insert((*row, channel), slot);
            }
        }
    }

    fn coded_slots(
        &mut self,
        weight: &[u8],
        pedestal: Option<(&[u8], &[u8])>,
        among: impl Fn(u32) -> bool,
    ) -> Result<Vec<Option<Place>>, InferError> {
        let pattern = pedestal.map_or(self.one, |(_, pattern)| pattern).to_vec();
        let mut code = Vec::new();
        for b in 0..bits(self.slot_count()) {
            let mut pair = [Vec::new(), Vec::new()];
            for (v, changed) in pair.iter_mut().enumerate() {
                let on = |slot: u32| slot >> b & 1 == v as u32 && among(slot);
                let area = self.activation(on, &pattern);
                *changed = match pedestal {
                    None => self.changed(&area, weight)?,
                    Some((under, _)) => {
                        let off = self.rig.carried(&vec![0; AREA], weight, under)?;
                        let on = self.rig.carried(&area, weight, under)?;
                        off.iter().zip(&on).map(|(a, b)| a != b).collect()
                    }
                };
            }
            code.push(pair);
        }
        Ok(read(&code, AREA))
    }

    /// Finds all bytes of each readout element: sums over all channels change every byte.
    pub fn readout(&mut self) -> Result<(), InferError> {
        let rows: Vec<u32> = self
            .slots
            .keys()
            .map(|k| k.0)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let pattern = if self.float { self.one } else { &[0xFF] };
        let all: Vec<Element> = self.weights.values().copied().collect();
        let weight = self.weight(&all);
        let mut code = Vec::new();
        for b in 0..bits(rows.len()).max(1) {
            let mut pair = [Vec::new(), Vec::new()];
            for (v, changed) in pair.iter_mut().enumerate() {
                let on: BTreeSet<u32> = self
                    .slots
                    .iter()
                    .filter(|((row, _), _)| rows.binary_search(row).is_ok_and(|i| i >> b & 1 == v))
                    .map(|(_, slot)| *slot)
                    .collect();
                let area = self.activation(|slot| on.contains(&slot), pattern);
                *changed = self.changed(&area, &weight)?;
            }
            code.push(pair);
        }
        let row_places = read(&code, AREA);
        let on: BTreeSet<u32> = self.slots.values().copied().collect();
        let area = self.activation(|slot| on.contains(&slot), pattern);
        let columns: Vec<usize> = self
            .weights
            .keys()
            .map(|k| k.1)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut code = Vec::new();
        for b in 0..bits(columns.len()).max(1) {
            let mut pair = [Vec::new(), Vec::new()];
            for (v, changed) in pair.iter_mut().enumerate() {
                let on = self.weights.iter().filter(|((_, column), _)| {
                    columns.binary_search(column).is_ok_and(|i| i >> b & 1 == v)
                });
                let weight = self.weight(on.map(|(_, e)| e));
                *changed = self.changed(&area, &weight)?;
            }
            code.push(pair);
        }
        let column_places = read(&code, AREA);
        for p in 0..AREA {
            let (Some(r), Some(c)) = (row_places[p], column_places[p]) else {
                continue;
            };
            if let (Some(rs), Some(&[c])) = (r.certain(), c.certain().as_deref())
                && let (Some(row), Some(column)) = (rs.first(), columns.get(c as usize))
                && let Some(row) = rows.get(*row as usize)
            {
                self.shown.entry((*row, *column)).or_default().push(p);
            }
        }
        Ok(())
    }

    /// Finds activation rows that reach the readout only as a carry, by raising every sum
    /// to just below one, and coding the slots that no step has placed yet.
    pub fn carries(&mut self) -> Result<(), InferError> {
        let placed: BTreeSet<u32> = self.slots.values().copied().collect();
        let all: Vec<Element> = self.weights.values().copied().collect();
        let under = self.weight(&all);
        let first = self.weight(&self.channels[0]);
        let places = self.coded_slots(&first, Some((&under, &[0xFF])), |s| !placed.contains(&s))?;
        for (p, place) in places.iter().enumerate() {
            if let (Some(place), Some(row)) = (place, &self.row_of[p])
                && let (Some(&[slot]), Some(&shown)) = (place.certain().as_deref(), row.first())
            {
                self.carried.insert(slot, shown);
            }
        }
        if self.carried.is_empty() {
            return Ok(());
        }
        for (weight, channel_of) in self.batches() {
            let places =
                self.coded_slots(&weight, Some((&under, &[0xFF])), |s| !placed.contains(&s))?;
            self.place_rows(&places, &channel_of, true);
        }
        Ok(())
    }

    /// Numbers everything by address and judges the three layouts.
    pub fn result(self) -> Inferred {
        let slot_bits = self.one.len() as u32 * 8;
        let order = |keys: Vec<(u32, usize)>| {
            // (lowest address, name) -> names in order of address, each once
            let mut lowest: BTreeMap<usize, u32> = BTreeMap::new();
            for (at, name) in keys {
                let low = lowest.entry(name).or_insert(at);
                *low = (*low).min(at);
            }
            let mut names: Vec<(u32, usize)> = lowest.into_iter().map(|(n, at)| (at, n)).collect();
            names.sort_unstable();
            names
                .into_iter()
                .map(|(_, name)| name)
                .collect::<Vec<usize>>()
        };
        let rows = order(
            self.slots
                .iter()
                .map(|((r, _), at)| (*at, *r as usize))
                .collect(),
        );
        let channels = order(self.slots.iter().map(|((_, k), at)| (*at, *k)).collect());
        let columns = order(
            self.weights
                .iter()
                .map(|((_, n), e)| (e.fixed, *n))
                .collect(),
        );
        let showing: Vec<usize> = rows
            .iter()
            .copied()
            .filter(|r| self.shown.keys().any(|(row, _)| *row as usize == *r))
            .collect();
        let at = |rows: &[usize], columns: &[usize], get: &dyn Fn(usize, usize) -> Option<u32>| {
            Placement {
                rows: rows.len(),
                columns: columns.len(),
                at: rows
                    .iter()
                    .flat_map(|r| columns.iter().map(|c| get(*r, *c)))
                    .collect(),
            }
        };
        let activation = at(&rows, &channels, &|r, k| {
            self.slots.get(&(r as u32, k)).map(|slot| slot * slot_bits)
        });
        let weight = at(&channels, &columns, &|k, n| {
            self.weights.get(&(k, n)).map(|e| e.fixed)
        });
        let readout = at(&showing, &columns, &|r, n| {
            let bytes = self.shown.get(&(r as u32, n))?;
            bytes.first().map(|b| *b as u32 * 8)
        });
        let weight_bits = self.weights.values().map(|e| e.free + 1).max().unwrap_or(0);
        let readout_bits = self
            .shown
            .values()
            .map(|b| b.len() as u32 * 8)
            .max()
            .unwrap_or(0);
        let index = |r: u32| rows.iter().position(|x| *x == r as usize);
        let shown_index = |r: u32| showing.iter().position(|x| *x == r as usize);
        let mut notes = self.notes;
        let written = self.written.iter().filter(|w| **w).count();
        let explained = self.shown.values().map(Vec::len).sum::<usize>();
        if explained < written {
            notes.insert(format!(
                "the convert writes {written} bytes, {} of them show no product",
                written - explained
            ));
        }
        if self.row_of.iter().flatten().any(|r| r.len() > 1) {
            notes.insert("some readout bytes show the sum of two activation rows".to_owned());
        }
        Inferred {
            activation: Part::of(activation, slot_bits, &LAYOUTS),
            weight: Part::of(weight, weight_bits, &LAYOUTS),
            readout: Part::of(readout, readout_bits, &LAYOUTS),
            rows_shown: showing.iter().filter_map(|r| index(*r as u32)).collect(),
            carried_rows: self
                .carried
                .iter()
                .filter_map(|(row, shown)| Some((index(*row)?, shown_index(*shown)?)))
                .collect(),
            probes: self.rig.probes,
            notes: notes.into_iter().collect(),
        }
    }
}
