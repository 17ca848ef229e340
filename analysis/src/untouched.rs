//! Which bytes of VTCM a run wrote, told by running it under two poison patterns.

use std::ops::Range;

/// The poison bytes of the two runs. They differ in every bit, so that no store of one
/// value can pass for both.
pub const POISON: [u8; 2] = [0xA5, 0x5A];

/// What two runs of one program, under different poison, say about each byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Untouched {
    /// Bytes that kept their own poison in both runs (offset, length): nothing wrote them.
    pub untouched: Vec<(u32, u32)>,
    /// Bytes that differ between the runs although something was written (offset, length):
    /// the result depends on memory that the probe did not stage, or the target is not
    /// deterministic.
    pub unstable: Vec<(u32, u32)>,
}

/// The images of the two runs are {first} and {second} bytes long; read back the same range in both runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the images of the two runs are {first} and {second} bytes long; read back the same range in both runs"
)]
pub struct UnequalImages {
    /// Bytes of the first image.
    pub first: usize,
    /// Bytes of the second image.
    pub second: usize,
}

impl Untouched {
    /// Compares the images of two runs made under the poison bytes `poison`.
    pub fn from(first: &[u8], second: &[u8], poison: [u8; 2]) -> Result<Untouched, UnequalImages> {
        if first.len() != second.len() {
            return Err(UnequalImages {
                first: first.len(),
                second: second.len(),
            });
        }
        let kept = |i: usize| first[i] == poison[0] && second[i] == poison[1];
        Ok(Untouched {
            untouched: runs(first.len(), kept),
            unstable: runs(first.len(), |i| first[i] != second[i] && !kept(i)),
        })
    }
}

/// The maximal runs (offset, length) of indices below `len` for which `pick` holds.
pub fn runs(len: usize, pick: impl Fn(usize) -> bool) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for i in (0..len).filter(|&i| pick(i)) {
        match found.last_mut() {
            Some((at, n)) if *at + *n == i as u32 => *n += 1,
            _ => found.push((i as u32, 1)),
        }
    }
    found
}

/// For each byte of `range`, whether it lies in none of the `untouched` runs.
pub fn written(untouched: &[(u32, u32)], range: Range<usize>) -> Vec<bool> {
    let mut mask = vec![true; range.len()];
    for &(at, n) in untouched {
        let start = (at as usize).clamp(range.start, range.end);
        let end = (at as usize + n as usize).clamp(range.start, range.end);
        mask[start - range.start..end - range.start].fill(false);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_store_of_either_poison_value_counts_as_written() {
        let first = [0xA5, 0xA5, 0x5A, 0xA5, 7];
        let second = [0x5A, 0xA5, 0x5A, 7, 7];
        let seen = Untouched::from(&first, &second, POISON).unwrap();
        assert_eq!(seen.untouched, [(0, 1)]);
        assert_eq!(seen.unstable, [(3, 1)]);
        assert!(Untouched::from(&first, &second[1..], POISON).is_err());
    }

    proptest! {
        #[test]
        fn runs_and_mask_are_inverse(mask in proptest::collection::vec(any::<bool>(), 0..300)) {
            let found = runs(mask.len(), |i| !mask[i]);
            prop_assert_eq!(written(&found, 0..mask.len()), mask);
        }
    }
}
