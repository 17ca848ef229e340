//! Which input channels a multiply takes, and how they are grouped
//! (HMX reference: "Activation geometry").

/// Channel range of every crouton, and the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    start: u32,
    stop: u32,
    blocks: u32,
    limit: u32,
    /// Channels of a group: 32 without groups.
    pub size: u32,
    float: bool,
    whole: bool,
}

impl Channels {
    /// From the channel fields of Rs (`first`) and Rt (`last`). `per_vector`: stream positions
    /// of a weight vector.
    pub fn new(
        first: u32,
        last: u32,
        blocks: u32,
        deep: bool,
        float: bool,
        per_vector: u32,
    ) -> Channels {
        let (mut first, mut last, mut size) = (first, last, 32);
        let mut round = 3;
        if first > last && !deep {
            let borrows = (last.wrapping_sub(first) ^ first ^ last) << 2;
            size = 32 >> (borrows as u8).leading_ones().min(5);
            (first, last) = (first % size, last % size);
            round = match 32 / size {
                32 => 0,
                16 => 1,
                _ => 3,
            };
        }
        Channels {
            start: first & !round,
            stop: (last | round) + 1,
            blocks,
            limit: 32,
            size,
            float,
            whole: !float && per_vector > 4,
        }
    }

    /// The same with only the first `channels` channels contributing.
    pub fn limited_to(self, channels: u32) -> Channels {
        Channels {
            limit: channels,
            ..self
        }
    }

    /// Croutons.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Groups that share the weight stream.
    pub fn groups(&self) -> u32 {
        32 / self.size
    }

    /// First channel and the one after the last, of a crouton. For floats the first is rounded
    /// down to a batch of 8; the end is where the stream stops advancing. Empty when `:deep` has
    /// one crouton and the range is crossed.
    pub fn of_block(&self, block: u32) -> (u32, u32) {
        let (first, last) = (block == 0, block + 1 == self.blocks);
        let mut start = if first { self.start } else { 0 };
        let mut stop = if last { self.stop } else { 32 };
        if self.whole {
            (start, stop) = (0, self.size);
        }
        if start >= stop {
            return (0, 0);
        }
        if self.float {
            start &= !7;
        }
        (start, stop.min(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_rounded_outwards_to_four() {
        let c = Channels::new(5, 9, 1, false, false, 4);
        assert_eq!((c.of_block(0), c.groups()), ((4, 12), 1));
        let c = Channels::new(5, 9, 1, false, true, 2);
        assert_eq!(c.of_block(0), (0, 12));
        let c = Channels::new(5, 9, 1, false, false, 8);
        assert_eq!(c.of_block(0), (0, 32));
    }

    #[test]
    fn a_crossed_range_makes_groups() {
        for (first, last, size) in [(16, 15, 16), (24, 7, 8), (28, 3, 4), (30, 1, 2), (31, 0, 1)] {
            let c = Channels::new(first, last, 1, false, false, 4);
            assert_eq!((c.size, c.of_block(0)), (size, (0, size)));
        }
    }

    #[test]
    fn deep_blocks_cut_the_first_and_the_last() {
        let c = Channels::new(8, 3, 3, true, false, 4);
        assert_eq!([0, 1, 2].map(|b| c.of_block(b)), [(8, 32), (0, 32), (0, 4)]);
        assert_eq!(Channels::new(8, 3, 1, true, false, 4).of_block(0), (0, 0));
    }
}
