//! The exact fp16 multiply-accumulate: batches of 8 channels, sticky alignment, anticipated
//! normalisation (HMX reference: "fp16 multiply-accumulate").

use crate::{
    Memory, Outside,
    geometry::Positions,
    lanes::Lanes,
    load::{BLOCK, Load, VECTOR},
    number::{Operand, f8_to_f16, product_inf},
    params::Params,
    state::{FloatPlane, FloatRow},
    stream,
};
use hmx_abi::op::{ActElem, Loader, WeightMode};

/// Eight operands that are summed together.
pub type Eight = [Operand; 8];

/// Weights of a batch, structure of arrays: `[position in batch][output channel]`.
#[repr(align(64))]
pub struct Batch {
    /// Significands.
    pub sig: [[i32; 32]; 8],
    /// Exponents.
    pub exp: [[i32; 32]; 8],
    /// Infinity flags.
    pub inf: [[i32; 32]; 8],
    /// All ones for an output channel whose 8 weights are zeros, where that keeps the cell.
    pub keep: [i32; 32],
    /// Whether any weight is infinite or NaN.
    pub special: bool,
}

/// Decoded activations of the latched blocks, one per halfword.
struct Latch {
    operands: [Operand; 2048],
}

/// Runs a checked load; gives the multiply-accumulates done. `special`: inf/nan enable.
pub fn multiply(
    load: &Load,
    planes: &mut [FloatPlane; 2],
    current: usize,
    memory: &impl Memory,
    params: &Params,
    special: bool,
    lanes: Lanes,
) -> Result<u64, Outside> {
    let mut latch = Latch {
        operands: [Operand::ZERO; 2048],
    };
    let (mut latched, mut second) = (None, false);
    let mut batch = Batch {
        sig: [[0; 32]; 8],
        exp: [[0; 32]; 8],
        inf: [[0; 32]; 8],
        keep: [0; 32],
        special: false,
    };
    let mut table: Option<((u32, u32), Positions)> = None;
    let per_vector = u64::from(stream::positions_per_vector(load.loader));
    let mut macs = 0;
    load.each_pass(|pass| {
        if latched != Some(pass.block) {
            latch.fill(
                0,
                memory.load(load.block_at(pass.block)?, BLOCK as usize)?,
                load,
                special,
            );
            latched = Some(pass.block);
        }
        if !second && load.touches_second(&pass) {
            latch.fill(
                1024,
                memory.load(load.second_at()?, BLOCK as usize)?,
                load,
                special,
            );
            second = true;
        }
        let tap = (pass.ty, pass.tx);
        let positions = match &mut table {
            Some((of, positions)) if *of == tap => positions,
            slot => {
                let drop = matches!(load.weight_mode, WeightMode::Drop | WeightMode::Deep);
                let positions =
                    Positions::of_tap(pass.ty, pass.tx, load.xmask, load.ymask, load.shift, drop);
                &mut slot.insert((tap, positions)).1
            }
        };
        let set = current ^ usize::from(pass.half);
        let size = load.channels.size;
        for from in (pass.start..pass.stop).step_by(8) {
            let position = pass.stream + u64::from(from - pass.start);
            if position / per_vector > u64::from(load.last_vector()) {
                break;
            }
            let used = (pass.stop - from).min(8) as usize;
            batch.fetch(load, position, used, memory, special)?;
            for group in 0..load.channels.groups() {
                let first = ((from + group * size) << load.shift) as usize;
                for p in positions.as_slice() {
                    let mut eight = [Operand::ZERO; 8];
                    for (k, a) in eight.iter_mut().take(used).enumerate() {
                        let byte = usize::from(p.byte) + first + (k << load.shift);
                        *a = latch.operands[byte / 2 % 2048];
                    }
                    if !special && eight.iter().all(|a| a.sig == 0) {
                        continue;
                    }
                    let row =
                        &mut planes[(set ^ usize::from(p.other)) & 1][usize::from(p.s) / 2 % 32];
                    if size == 32 {
                        update(row, &eight, &batch, params, lanes);
                    } else {
                        let mut whole = *row;
                        update(&mut whole, &eight, &batch, params, lanes);
                        let mine = (group * size) as usize..((group + 1) * size) as usize;
                        row.sig[mine.clone()].copy_from_slice(&whole.sig[mine.clone()]);
                        row.exp[mine.clone()].copy_from_slice(&whole.exp[mine.clone()]);
                        row.inf[mine.clone()].copy_from_slice(&whole.inf[mine]);
                    }
                }
            }
            macs += positions.as_slice().len() as u64 * used as u64 * 32;
        }
        Ok(())
    })?;
    Ok(macs)
}

impl Latch {
    fn fill(&mut self, first: usize, block: &[u8], load: &Load, special: bool) {
        let odd = load.odd as usize;
        for (operand, bytes) in self.operands[first..]
            .iter_mut()
            .zip(block.as_chunks::<2>().0)
        {
            let bits = match load.elem {
                ActElem::F8 => f8_to_f16(bytes[odd & 1]),
                _ => u16::from_le_bytes(*bytes),
            };
            *operand = Operand::decode(bits, load.bf16 && load.elem == ActElem::Hf, special);
        }
    }
}

impl Batch {
    /// Decodes the weights of 8 stream positions; those from `used` on and those of invalid
    /// vectors are zeros.
    fn fetch(
        &mut self,
        load: &Load,
        position: u64,
        used: usize,
        memory: &impl Memory,
        special: bool,
    ) -> Result<(), Outside> {
        let per_vector = u64::from(stream::positions_per_vector(load.loader));
        let flip = if load.negate { 0x8000 } else { 0 };
        let bf16 = load.bf16 && load.loader == Loader::Hf;
        self.keep = [-i32::from(!special); 32];
        self.special = false;
        let mut fetched = (u64::MAX, [0u32; 32]);
        for k in 0..8 {
            let vector = (position + k as u64) / per_vector;
            let valid = k < used && vector <= u64::from(load.last_vector());
            if valid && fetched.0 != vector {
                let at = load.weights.wrapping_add(vector as u32 * VECTOR);
                fetched = (vector, stream::words(memory.load(at, VECTOR as usize)?));
            }
            let j = ((position + k as u64) % per_vector) as u32;
            for o in 0..32 {
                let w = if valid {
                    let word = fetched.1[o];
                    let bits = match load.loader {
                        Loader::F8 => f8_to_f16((word >> ([0, 16, 8, 24][j as usize & 3])) as u8),
                        _ => (word >> (16 * (j & 1))) as u16,
                    };
                    Operand::decode(bits ^ flip, bf16, special)
                } else {
                    Operand::ZERO
                };
                self.sig[k][o] = w.sig;
                self.exp[k][o] = w.exp;
                self.inf[k][o] = w.inf;
                self.special |= w.inf != 0;
                if w.sig != 0 {
                    self.keep[o] = 0;
                }
            }
        }
        Ok(())
    }
}

/// Adds 8 products to each cell of a row.
fn update(row: &mut FloatRow, eight: &Eight, batch: &Batch, params: &Params, lanes: Lanes) {
    if batch.special || eight.iter().any(|a| a.inf != 0) {
        for (k, &a) in eight.iter().enumerate() {
            for o in 0..32 {
                let w = Operand {
                    sig: batch.sig[k][o],
                    exp: batch.exp[k][o],
                    inf: batch.inf[k][o],
                };
                row.inf[o] |= product_inf(a, w);
            }
        }
    }
    lanes.add_batch(row, eight, batch, params.exp_min, params.exp_max);
}

/// Arithmetic shift right with the dropped bits ORed into bit 0.
#[inline(always)]
fn sticky(x: i32, n: i32) -> i32 {
    let n = n.min(31) as u32 & 31;
    let shifted = x >> n;
    shifted | i32::from(shifted << n != x)
}

/// How far an anticipation vector allows to shift left, at most 3: leading zeros below bit 30,
/// counted in its complement when bit 30 is set.
#[inline(always)]
fn room(v: i32) -> i32 {
    let v = if v & 1 << 30 != 0 { !v } else { v } as u32;
    i32::from(v < 1 << 29) + i32::from(v < 1 << 28) + i32::from(v < 1 << 27)
}

/// The arithmetic of one batch of 8 channels on the 32 cells of a row. Compiled once per
/// instruction set: see [`Lanes`].
#[inline(always)]
pub fn add_batch(row: &mut FloatRow, eight: &Eight, batch: &Batch, exp_min: i32, exp_max: i32) {
    // One stage after the other over all output channels, so that each loop becomes vectors.
    let mut e8 = [exp_min; 32];
    for (a, w_exp) in eight.iter().zip(&batch.exp) {
        for o in 0..32 {
            e8[o] = e8[o].max(a.exp + w_exp[o]);
        }
    }
    let mut s8 = [0; 32];
    for ((a, w_sig), w_exp) in eight.iter().zip(&batch.sig).zip(&batch.exp) {
        for o in 0..32 {
            s8[o] += sticky((a.sig * w_sig[o]) << 4, e8[o] - (a.exp + w_exp[o]));
        }
    }
    for o in 0..32 {
        let e2 = row.exp[o].max(e8[o]);
        let a = sticky(row.sig[o], e2 - row.exp[o]);
        let b = sticky(s8[o], e2 - e8[o]);
        let sum = a + b;

        let (p, g, z) = (a ^ b, a & b, !(a | b));
        let zeros = room(p ^ !(z << 1));
        let ones = room(p ^ !(g << 1));
        let ahead = if z & 1 << 30 != 0 {
            zeros
        } else if g & 1 << 30 != 0 {
            ones
        } else {
            zeros.max(ones)
        };

        let exp = e2 + 1;
        let n = ahead.min(exp - exp_min);
        let sig = (sticky(sum, 1) << 2 << (n & 3)) >> 2;
        let exp = exp - n;
        let over = if exp > exp_max {
            if sig < 0 { 2 } else { 1 }
        } else {
            0
        };
        let keep = batch.keep[o];
        row.sig[o] = (row.sig[o] & keep) | (sig & !keep);
        row.exp[o] = (row.exp[o] & keep) | (exp.min(exp_max) & !keep);
        row.inf[o] |= over & !keep;
    }
}
