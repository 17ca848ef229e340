//! Which activation byte meets which accumulator cell (HMX reference: "Activation geometry").

use hmx_abi::op::{ActMode, WeightMode};
use hmx_abi::tile::Layout;

/// Spatial bits of a position in a spatial-major crouton.
pub const SPATIAL: u32 = 0x783;
/// Spatial bits of a position in a channel-major crouton.
pub const SPATIAL_CM: u32 = 0x7E0;

/// Spatial bits and channel shift of a crouton order.
pub fn order(cm: bool) -> (u32, u32) {
    if cm { (SPATIAL_CM, 0) } else { (SPATIAL, 2) }
}

/// Masked increment: adds `d` to `p` in the bits of `m` only; bits outside stay.
/// The second result is the carry out of the mask.
pub fn inc(p: u32, d: u32, m: u32) -> (u32, bool) {
    let r = ((p | !m).wrapping_add(d & m) & m) | (p & !m);
    (r, r < p)
}

/// Lowest set bit, or 0.
pub fn lowest(m: u32) -> u32 {
    m & m.wrapping_neg()
}

/// Position bits gathered to the spatial index 0..64.
pub fn spatial_index(p: u32, shift: u32) -> usize {
    let low = (1 << shift) - 1;
    (((p >> 5) & !low & 63) | (p & low)) as usize
}

/// Byte of spatial position `s`, channel `c` in a crouton of bytes.
pub fn crouton_offset(s: usize, c: usize, cm: bool) -> usize {
    let layout = if cm {
        Layout::CroutonUbCm
    } else {
        Layout::CroutonUb
    };
    layout.slot(s, c).byte
}

/// All values of a mask, counted up from 0.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    next: Option<u32>,
    mask: u32,
}

impl Counted {
    /// 0, then one step up in `mask` at a time until it wraps.
    pub fn all(mask: u32) -> Counted {
        Counted {
            next: Some(0),
            mask,
        }
    }
}

impl Iterator for Counted {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let now = self.next?;
        let (up, _) = inc(now, lowest(self.mask), self.mask);
        self.next = (up > now).then_some(up);
        Some(now)
    }
}

/// A walk over filter taps: masked values from `next` to `last`, one or two steps at a time.
#[derive(Debug, Clone, Copy)]
pub struct Taps {
    next: Option<u32>,
    last: u32,
    mask: u32,
    dilated: bool,
}

impl Taps {
    fn new(first: u32, last: u32, mask: u32, dilated: bool) -> Taps {
        Taps {
            next: Some(first),
            last,
            mask,
            dilated,
        }
    }

    /// The y taps of an activation load; `fy` is the tap field of Rs.
    pub fn y(mode: ActMode, fy: u32, mask: u32) -> Taps {
        match mode {
            ActMode::Plain => Taps::new(0, fy, mask, false),
            ActMode::Above => Taps::new(fy, mask, mask, false),
            ActMode::Single => Taps::new(fy, fy, mask, false),
            ActMode::Dilate => Taps::new(0, fy, mask, true),
            ActMode::Deep => Taps::new(0, 0, mask, false),
        }
    }

    /// The x taps of a weight load; `fx` is the tap field of the activation's Rs.
    pub fn x(mode: WeightMode, fx: u32, mask: u32) -> Taps {
        match mode {
            WeightMode::Plain | WeightMode::Drop => Taps::new(0, fx, mask, false),
            WeightMode::Single => Taps::new(fx, fx, mask, false),
            WeightMode::After => Taps::new(fx, mask, mask, false),
            WeightMode::Dilate => Taps::new(0, fx, mask, true),
            WeightMode::Deep => Taps::new(0, 0, mask, false),
        }
    }
}

impl Iterator for Taps {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let now = self.next?;
        let step = lowest(self.mask);
        let mut up = Some(now);
        for _ in 0..1 + u32::from(self.dilated) {
            up = up
                .map(|p| (p, inc(p, step, self.mask).0))
                .and_then(|(p, next)| (next > p).then_some(next));
        }
        self.next = up.filter(|&p| p <= self.last);
        Some(now)
    }
}

/// One activation position of a tap and the cell it adds to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// Byte in the latched pair of blocks (0..4096), for channel 0.
    pub byte: u16,
    /// Spatial index of the cell, 0..64.
    pub s: u8,
    /// 1 when the cell is in the other accumulator set.
    pub other: u8,
}

/// All positions of one tap.
#[derive(Debug, Clone, Copy)]
pub struct Positions {
    list: [Position; 64],
    len: usize,
}

impl Positions {
    /// Positions of tap (ty, tx). With `drop`, those that overflow x are left out.
    pub fn of_tap(ty: u32, tx: u32, xmask: u32, ymask: u32, shift: u32, drop: bool) -> Positions {
        let mut positions = Positions {
            list: [Position::default(); 64],
            len: 0,
        };
        for y in Counted::all(ymask) {
            let (row, below) = inc(ty, y, ymask);
            let row = row + 0x800 * u32::from(below);
            for x in Counted::all(xmask) {
                let (column, beyond) = inc(tx, x, xmask);
                if (drop && beyond) || positions.len == 64 {
                    continue;
                }
                positions.list[positions.len] = Position {
                    byte: ((row + x) & 0xFFF) as u16,
                    s: spatial_index(column | y, shift) as u8,
                    other: u8::from(beyond),
                };
                positions.len += 1;
            }
        }
        positions
    }

    /// The positions, in order.
    pub fn as_slice(&self) -> &[Position] {
        &self.list[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_increment_counts_in_the_mask_only() {
        assert_eq!(inc(0x003, 1, SPATIAL), (0x080, false));
        assert_eq!(inc(SPATIAL, 1, SPATIAL), (0, true));
        assert_eq!(inc(0x7C, 1, SPATIAL), (0x7D, false));
        assert_eq!(Counted::all(SPATIAL).count(), 64);
        assert_eq!(Counted::all(0).collect::<Vec<_>>(), [0]);
        let s: Vec<_> = Counted::all(SPATIAL).map(|p| spatial_index(p, 2)).collect();
        assert_eq!(s, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn the_masks_cut_a_byte_of_a_crouton_into_position_and_channel() {
        for cm in [false, true] {
            let (mask, shift) = order(cm);
            for byte in 0..2048 {
                let channel = byte >> shift & 31;
                let s = spatial_index(byte & mask, shift);
                assert_eq!(crouton_offset(s, channel as usize, cm), byte as usize);
            }
        }
    }

    #[test]
    fn taps_follow_their_modifier() {
        let y = |mode, fy| Taps::y(mode, fy, 0x700).collect::<Vec<_>>();
        assert_eq!(y(ActMode::Plain, 0x200), [0, 0x100, 0x200]);
        assert_eq!(y(ActMode::Above, 0x600), [0x600, 0x700]);
        assert_eq!(y(ActMode::Single, 0x300), [0x300]);
        assert_eq!(y(ActMode::Dilate, 0x500), [0, 0x200, 0x400]);
        assert_eq!(y(ActMode::Deep, 0x500), [0]);
    }

    #[test]
    fn no_taps_or_masks_make_an_endless_walk() {
        for mask in [0, 1, 3, SPATIAL, 0x403, SPATIAL_CM, 0x680] {
            for first in Counted::all(mask) {
                assert!(Taps::y(ActMode::Dilate, first, mask).count() <= 64);
                assert!(Taps::x(WeightMode::After, first, mask).count() <= 64);
            }
        }
    }
}
