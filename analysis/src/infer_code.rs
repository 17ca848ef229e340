//! Position coding: which of many places feeds a readout byte, from `2 * log2` probes.
//!
//! For each bit of the place number one probe switches on the places that have the bit, and
//! one those that have it not. A readout byte that depends on one place changes in exactly
//! one of the two. A byte that changes in both depends on places that differ in this bit.

/// A set of places: all numbers that agree with `fixed` outside `free`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The bits that are known.
    pub fixed: u32,
    /// The bits in which the places that feed the byte differ.
    pub free: u32,
}

impl Place {
    /// The places, provably all of them: with no free bit there is one, with one there are
    /// both; with more, which combinations feed the byte is not told, and this is `None`.
    pub fn certain(self) -> Option<Vec<u32>> {
        match self.free.count_ones() {
            0 => Some(vec![self.fixed]),
            1 => Some(vec![self.fixed, self.fixed | self.free]),
            _ => None,
        }
    }

    /// The width of an element that fills an aligned block of places, if `free` says so.
    pub fn block(self) -> Option<u32> {
        (self.free & (self.free + 1) == 0).then_some(self.free + 1)
    }
}

/// Bits needed to number `places`.
pub fn bits(places: usize) -> u32 {
    places.next_power_of_two().trailing_zeros()
}

/// Reads the place of each readout byte. `changed[b][v]` are the bytes that change when the
/// places whose bit `b` is `v` are on. `None` for a byte that does not change, or that
/// misses a bit (then its places cancel each other).
pub fn read(changed: &[[Vec<bool>; 2]], bytes: usize) -> Vec<Option<Place>> {
    (0..bytes)
        .map(|p| {
            let mut place = Place { fixed: 0, free: 0 };
            for (b, [zero, one]) in changed.iter().enumerate() {
                match (zero[p], one[p]) {
                    (true, false) => {}
                    (false, true) => place.fixed |= 1 << b,
                    (true, true) => place.free |= 1 << b,
                    (false, false) => return None,
                }
            }
            (!changed.is_empty()).then_some(place)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_place_is_read_and_two_are_never_taken_for_one(a in 0u32..500, b in 0u32..500) {
            let on = |bit: u32, v: u32| [a, b].iter().any(|x| x >> bit & 1 == v);
            let changed: Vec<[Vec<bool>; 2]> =
                (0..bits(500)).map(|bit| [vec![on(bit, 0)], vec![on(bit, 1)]]).collect();
            let place = read(&changed, 1)[0].unwrap();
            prop_assert_eq!(place.free, a ^ b);
            prop_assert_eq!(place.fixed, a & b);
            if a == b {
                prop_assert_eq!(place.certain(), Some(vec![a]));
            }
        }
    }
}
