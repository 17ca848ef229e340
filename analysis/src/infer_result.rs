//! The end of inference: numbers by address, and the three layouts judged.

use crate::closed_form::Placement;
use crate::infer::{Inferred, LAYOUTS, Part};
use crate::infer_rig::Answer;
use crate::infer_steps::Search;
use hmx_abi::Program;
use std::collections::BTreeMap;

impl<F: FnMut(&Program<u32>, &[u8], u32) -> Answer> Search<F> {
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
