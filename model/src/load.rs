//! A multiply packet's operands read into what the multiply does: which blocks, taps, channels
//! and weight vectors, in which order (HMX reference: "Activation geometry", "Weight streams").

use crate::{
    Fault, Memory, Outside,
    channels::Channels,
    geometry::{Taps, lowest, order},
    stream,
};
use hmx_abi::op::{ActElem, ActMode, Loader, WeightMode};

/// Bytes of one weight vector.
pub const VECTOR: u32 = 128;
/// Bytes of a crouton.
pub const BLOCK: u32 = 2048;
/// Weight vectors that one activation load can feed in fixed point.
const BUDGET: u32 = 512;

/// One tap of one crouton: the channels that share a table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Crouton number (`:deep`), else 0.
    pub block: u32,
    /// y tap.
    pub ty: u32,
    /// x tap.
    pub tx: u32,
    /// Second half of a `:deep` weight load: the other accumulator set.
    pub half: bool,
    /// First channel (rounded down to the batch for floats).
    pub start: u32,
    /// Channel after the last one that takes weights.
    pub stop: u32,
    /// Stream position of `start`.
    pub stream: u64,
}

/// What a packet used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Weight vectors.
    pub vectors: u32,
    /// Croutons in a row from the activation's base.
    pub blocks: u32,
    /// Whether the second block of the y taps was touched.
    pub second: bool,
}

/// Operands of an activation and a weight load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Element type of the activation.
    pub elem: ActElem,
    /// Loader that decodes the stream.
    pub loader: Loader,
    /// Tap modifier of the weights.
    pub weight_mode: WeightMode,
    /// Channel shift: 2 spatial-major, 0 channel-major.
    pub shift: u32,
    /// x bits of a position.
    pub xmask: u32,
    /// y bits of a position.
    pub ymask: u32,
    /// Channel ranges and groups.
    pub channels: Channels,
    /// First activation byte.
    pub base: u32,
    /// First byte of the weight stream.
    pub weights: u32,
    /// Negate the weights (floats).
    pub negate: bool,
    /// Operands are bf16.
    pub bf16: bool,
    /// Which byte of an f8 slot.
    pub odd: u32,
    act_mode: ActMode,
    fx: u32,
    fy: u32,
    second: u32,
    last_vector: u32,
}

/// The operand values of a multiply packet.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    /// Rs and Rt of the activation load.
    pub activation: (u32, u32),
    /// Rs and Rt of the weight load.
    pub weight: (u32, u32),
}

impl Load {
    /// Reads the operands. `bf16`: whether this version knows bf16 operands. `contributing`:
    /// for a mixed packet, how many channels count (the stream is then read as halfwords).
    pub fn new(
        (elem, act_mode, cm): (ActElem, ActMode, bool),
        (loader, weight_mode): (Loader, WeightMode),
        operands: Operands,
        bf16: bool,
        contributing: Option<u32>,
    ) -> Load {
        let (rs, rt) = operands.activation;
        let (weight_rs, weight_rt) = operands.weight;
        let float = elem != ActElem::Ub;
        let (spatial, shift) = order(cm);
        let spatial = if float { spatial & !1 } else { spatial };
        let (xmask, ymask) = (!rt & spatial, rt & spatial);
        let loader = if contributing.is_some() {
            Loader::Hf
        } else {
            loader
        };
        let last_vector = match contributing {
            Some(channels) => channels / stream::positions_per_vector(loader) - 1,
            None if float => weight_rt / VECTOR,
            None => last_fixed_vector(loader, weight_rs, weight_rt),
        };
        Load {
            elem,
            loader,
            weight_mode,
            shift,
            xmask,
            ymask,
            channels: Channels::new(
                (rs >> shift) & 31,
                (rt >> shift) & 31,
                if act_mode == ActMode::Deep {
                    (rt >> 11) + 1
                } else {
                    1
                },
                act_mode == ActMode::Deep,
                float,
                stream::positions_per_vector(loader),
            )
            .limited_to(contributing.unwrap_or(32)),
            base: rs & !(BLOCK - 1),
            weights: weight_rs & !(VECTOR - 1),
            negate: float && contributing.is_none() && weight_rs & 1 << 5 != 0,
            bf16: float && bf16 && contributing.is_none() && weight_rs & 1 << 6 != 0,
            odd: rs & 1,
            act_mode,
            fx: rs & xmask,
            fy: rs & ymask,
            second: rt & !(BLOCK - 1),
            last_vector,
        }
    }

    /// Index of the last valid vector of the stream.
    pub fn last_vector(&self) -> u32 {
        self.last_vector
    }

    /// Address of a block of the latch; `Outside` when it leaves the 32-bit space.
    pub fn block_at(&self, block: u32) -> Result<u32, Outside> {
        offset(self.base, u64::from(block) * u64::from(BLOCK))
    }

    /// Address of the second block of the y taps.
    pub fn second_at(&self) -> Result<u32, Outside> {
        offset(self.base, u64::from(self.second))
    }

    /// Whether a pass touches the second block.
    pub fn touches_second(&self, pass: &Pass) -> bool {
        self.act_mode != ActMode::Deep && pass.ty > 0 && lowest(self.ymask) != 0
    }

    /// Visits every pass whose first weight vector is valid, in the order of the stream.
    pub fn each_pass(
        &self,
        mut visit: impl FnMut(Pass) -> Result<(), Outside>,
    ) -> Result<(), Outside> {
        let per_vector = u64::from(stream::positions_per_vector(self.loader));
        let mut stream = 0u64;
        for block in 0..self.channels.blocks() {
            let (start, stop) = self.channels.of_block(block);
            if start >= stop {
                continue;
            }
            for ty in Taps::y(self.act_mode, self.fy, self.ymask) {
                for half in 0..1 + u32::from(self.weight_mode == WeightMode::Deep) {
                    for tx in Taps::x(self.weight_mode, self.fx, self.xmask) {
                        if stream / per_vector > u64::from(self.last_vector) {
                            return Ok(());
                        }
                        visit(Pass {
                            block,
                            ty,
                            tx,
                            half: half == 1,
                            start,
                            stop,
                            stream,
                        })?;
                        stream += u64::from(stop - start);
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks every address the packet will read and says what it will use.
    pub fn check(&self, memory: &impl Memory) -> Result<Used, Fault> {
        let per_vector = u64::from(stream::positions_per_vector(self.loader));
        let mut used = Used::default();
        self.each_pass(|pass| {
            if pass.block >= used.blocks {
                memory.load(self.block_at(pass.block)?, BLOCK as usize)?;
                used.blocks = pass.block + 1;
            }
            if !used.second && self.touches_second(&pass) {
                memory.load(self.second_at()?, BLOCK as usize)?;
                used.second = true;
            }
            let last = (pass.stream + u64::from(pass.stop - pass.start) - 1) / per_vector;
            let vectors = last.min(u64::from(self.last_vector)) as u32 + 1;
            if vectors > used.vectors {
                memory.load(
                    self.weights,
                    (vectors as usize).saturating_mul(VECTOR as usize),
                )?;
                used.vectors = vectors;
            }
            Ok(())
        })?;
        Ok(used)
    }

    /// Tells the memory what was used.
    pub fn report(&self, used: Used, memory: &mut impl Memory) {
        if used.blocks > 0 {
            memory.consumed(self.base, used.blocks as usize * BLOCK as usize);
        }
        if let (true, Ok(at)) = (used.second, self.second_at())
            && at != self.base
        {
            memory.consumed(at, BLOCK as usize);
        }
        if used.vectors > 0 {
            memory.consumed(self.weights, used.vectors as usize * VECTOR as usize);
        }
    }
}

fn offset(base: u32, by: u64) -> Result<u32, Outside> {
    u32::try_from(u64::from(base) + by).map_err(|_| Outside {
        at: base,
        len: usize::try_from(by).unwrap_or(usize::MAX),
        base: 0,
        end: 1 << 32,
    })
}

/// Index of the last valid vector of a fixed-point stream, the budget included.
fn last_fixed_vector(loader: Loader, rs: u32, rt: u32) -> u32 {
    let wc = (stream::positions_per_vector(loader) / 4).ilog2();
    let whole = rs & 1 << 4 != 0;
    let limit = (64 * 32 * 32 * 9 / 8) >> if whole { 0 } else { wc };
    let mut off = (rt | 127).min(limit - 1);
    if !whole {
        off = off.min(((512 * 128) >> wc) - 1);
    }
    (off / VECTOR).min(BUDGET - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_fixed_vector_obeys_range_limit_and_budget() {
        assert_eq!(last_fixed_vector(Loader::B, 0, 0x3FF), 7);
        assert_eq!(last_fixed_vector(Loader::B, 0, 0), 0);
        assert_eq!(last_fixed_vector(Loader::B, 0, u32::MAX), 511);
        assert_eq!(last_fixed_vector(Loader::N, 0, u32::MAX), 255);
        assert_eq!(last_fixed_vector(Loader::N, 16, u32::MAX), 511);
        assert_eq!(last_fixed_vector(Loader::Ubit, 0, u32::MAX), 63);
        assert_eq!(last_fixed_vector(Loader::Ubit, 16, 128 * 600), 511);
    }
}
