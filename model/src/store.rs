//! Stores of converted cells: split, rotated, in both crouton orders
//! (HMX reference: "Stores").

use crate::{
    Memory, Outside,
    geometry::{Counted, crouton_offset, order, spatial_index},
    pipeline::{Cells, Pipeline},
};

const BLOCK: usize = 2048;

/// Which side of a split a one-step store writes, and along which axis it splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Positions at or above the offset (else those below).
    pub after: bool,
    /// The axis; `None` writes everything.
    pub axis: Option<Axis>,
    /// Channel-major crouton.
    pub cm: bool,
}

/// An axis of the spatial positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The bits outside Rt.
    X,
    /// The bits in Rt.
    Y,
}

/// A set of crouton bytes.
struct Mask([u64; BLOCK / 64]);

impl Mask {
    fn set(&mut self, byte: usize) {
        self.0[byte / 64 % 32] |= 1 << (byte % 64);
    }

    fn has(&self, byte: usize) -> bool {
        byte < BLOCK && self.0[byte / 64] >> (byte % 64) & 1 == 1
    }

    /// Tells the memory each run of set bytes.
    fn report(&self, at: u32, memory: &mut impl Memory) {
        let mut byte = 0;
        while byte < BLOCK {
            let start = byte;
            while self.has(byte) {
                byte += 1;
            }
            if byte > start {
                memory.written(at + start as u32, byte - start);
            }
            byte += 1;
        }
    }
}

/// Bytes of one block collected before they are written.
struct Block {
    bytes: [u8; BLOCK],
    mask: Mask,
    any: bool,
}

impl Block {
    fn new() -> Block {
        Block {
            bytes: [0; BLOCK],
            mask: Mask([0; BLOCK / 64]),
            any: false,
        }
    }

    fn row(&mut self, s: usize, cells: &[u16; 32], cm: bool) {
        for (c, cell) in cells.iter().enumerate() {
            let byte = crouton_offset(s, c, cm);
            self.bytes[byte] = (cell >> 4) as u8;
            self.mask.set(byte);
        }
        self.any = true;
    }

    fn write(&self, at: u32, memory: &mut impl Memory) -> Result<(), Outside> {
        if self.any {
            for (i, byte) in memory.store(at, BLOCK)?.iter_mut().enumerate() {
                if self.mask.has(i) {
                    *byte = self.bytes[i];
                }
            }
            self.mask.report(at, memory);
        }
        Ok(())
    }
}

/// Every position of a crouton order, with its x and y part.
fn positions(xmask: u32, ymask: u32) -> impl Iterator<Item = (u32, u32)> {
    Counted::all(ymask).flat_map(move |y| Counted::all(xmask).map(move |x| (x, y)))
}

/// A one-step store of freshly converted cells.
pub fn one_step(
    cells: &Cells,
    rs: u32,
    rt: u32,
    split: Split,
    memory: &mut impl Memory,
) -> Result<(), Outside> {
    let (spatial, shift) = order(split.cm);
    let (xmask, ymask) = (!rt & spatial, rt & spatial);
    let mut block = Block::new();
    for (x, y) in positions(xmask, ymask) {
        let to = spatial_index(x | y, shift);
        let (c, mask, rest) = match split.axis {
            Some(Axis::X) => (x, xmask, y),
            Some(Axis::Y) => (y, ymask, x),
            None => {
                block.row(to, &cells[to], split.cm);
                continue;
            }
        };
        let off = rs & mask;
        if (c >= off) != split.after {
            continue;
        }
        let turned = c.wrapping_sub(off);
        let from = if split.after { turned } else { turned & mask };
        block.row(to, &cells[spatial_index(from | rest, shift)], split.cm);
    }
    block.write(rs & !(BLOCK as u32 - 1), memory)
}

/// The blocks a two-step store writes: the first, and the one for rows before Rs's y.
pub fn two_step_blocks(rs: u32, rt: u32, cm: bool) -> Result<(u32, Option<u32>), Outside> {
    let (spatial, _) = order(cm);
    let base = rs & !(BLOCK as u32 - 1);
    if rs & rt & spatial == 0 {
        return Ok((base, None));
    }
    let by = rt & !(BLOCK as u32 - 1);
    let second = base.checked_add(by).ok_or(Outside {
        at: base,
        len: by as usize,
        base: 0,
        end: 1 << 32,
    })?;
    Ok((base, Some(second)))
}

/// A two-step store from the pipeline. `deep`: the part before Rs's x from age 2, not 1.
pub fn two_step(
    pipeline: &Pipeline,
    rs: u32,
    rt: u32,
    cm: bool,
    deep: bool,
    memory: &mut impl Memory,
) -> Result<(), Outside> {
    let (spatial, shift) = order(cm);
    let (xmask, ymask) = (!rt & spatial, rt & spatial);
    let (x0, y0) = (rs & xmask, rs & ymask);
    let older = if deep { 2 } else { 1 };
    let mut blocks = [Block::new(), Block::new()];
    for (x, y) in positions(xmask, ymask) {
        let from = (x.wrapping_sub(x0) & xmask) | (y.wrapping_sub(y0) & ymask);
        let age = if x < x0 { older } else { 0 };
        let cells = &pipeline.ages[age][spatial_index(from, shift)];
        blocks[usize::from(y < y0)].row(spatial_index(x | y, shift), cells, cm);
    }
    let (first, second) = two_step_blocks(rs, rt, cm)?;
    blocks[0].write(first, memory)?;
    match second {
        Some(at) => blocks[1].write(at, memory),
        None => Ok(()),
    }
}
