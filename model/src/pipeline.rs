//! The convert pipeline: three ages of 12-bit cells and a working copy
//! (HMX reference: "State" and "Stores").

/// 12-bit results of a convert: 64 spatial positions of 32 output channels.
/// The stored byte of a cell is its bits \[11:4\].
pub type Cells = [[u16; 32]; 64];

/// The results a two-step store can still reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// The working copy: what the last convert left.
    pub future: Cells,
    /// Ages 0 (newest) to 2.
    pub ages: [Cells; 3],
}

impl Default for Pipeline {
    fn default() -> Pipeline {
        Pipeline {
            future: [[0; 32]; 64],
            ages: [[[0; 32]; 64]; 3],
        }
    }
}

impl Pipeline {
    /// End of a plain convert's packet: every age grows older by one.
    pub fn age(&mut self) {
        self.ages[2] = self.ages[1];
        self.ages[1] = self.ages[0];
        self.ages[0] = self.future;
    }

    /// End of a feedback convert's packet: age 0 is replaced.
    pub fn replace(&mut self) {
        self.ages[0] = self.future;
    }
}

/// Splits a 20-bit result into its low and its high cell.
pub fn split(value: u32) -> (u16, u16) {
    ((value & 0xFFF) as u16, ((value >> 8) & 0xFF0) as u16)
}

/// Puts a low and a high cell together to 20 bits again.
pub fn join(low: u16, high: u16) -> u32 {
    (u32::from(high) << 8) | u32::from(low & 0xFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_and_join_are_inverse() {
        for v in 0..1 << 20 {
            let (low, high) = split(v);
            assert!(low < 4096 && high < 4096);
            assert_eq!(join(low, high), v);
        }
    }
}
