//! The later steps of inference: output channels, rows, readout bytes, carries.

use crate::infer::InferError;
use crate::infer_code::{Place, bits, read};
use crate::infer_rig::{AREA, Answer};
use crate::infer_steps::{Element, Search};
use hmx_abi::Program;
use std::collections::{BTreeMap, BTreeSet};

impl<F: FnMut(&Program<u32>, &[u8], u32) -> Answer> Search<F> {
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
}
