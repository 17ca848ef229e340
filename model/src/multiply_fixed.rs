//! uint8 activation times integer weight into wrapping int32 cells
//! (HMX reference: "Fixed-point multiply").

use crate::{
    Memory, Outside,
    geometry::{Position, Positions},
    lanes::Lanes,
    load::{BLOCK, Load, Pass, VECTOR},
    state::FixedPlane,
    stream,
};
use hmx_abi::op::WeightMode;

/// The latched activation bytes: two croutons.
#[repr(align(64))]
pub struct Latch(pub [u8; 4096]);

/// Runs a checked load; gives the multiply-accumulates done.
pub fn multiply(
    load: &Load,
    planes: &mut [FixedPlane; 2],
    current: usize,
    memory: &impl Memory,
    lanes: Lanes,
) -> Result<u64, Outside> {
    let mut latch = Latch([0; 4096]);
    let mut latched = None;
    let mut second = false;
    let mut weights = Weights::new(load);
    let mut table: Option<((u32, u32), Positions)> = None;
    let mut macs = 0;
    load.each_pass(|pass| {
        if latched != Some(pass.block) {
            latch.0[..BLOCK as usize]
                .copy_from_slice(memory.load(load.block_at(pass.block)?, BLOCK as usize)?);
            latched = Some(pass.block);
        }
        if !second && load.touches_second(&pass) {
            latch.0[BLOCK as usize..]
                .copy_from_slice(memory.load(load.second_at()?, BLOCK as usize)?);
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
        let channels = weights.fetch(&pass, memory)?;
        let set = current ^ usize::from(pass.half);
        let size = load.channels.size;
        for group in 0..load.channels.groups() {
            let tile = weights.of_group(group, size);
            let first = ((pass.start + group * size) << load.shift) as usize;
            lanes.accumulate(
                planes,
                set,
                &latch,
                positions.as_slice(),
                tile,
                channels,
                first,
                1 << load.shift,
            );
        }
        macs += positions.as_slice().len() as u64 * channels as u64 * 32;
        Ok(())
    })?;
    Ok(macs)
}

/// Weights of a pass: `[channel][output channel]`.
#[repr(align(64))]
pub struct Tile(pub [[i32; 32]; 32]);

/// The decoded part of the weight stream.
struct Weights {
    base: u32,
    loader: hmx_abi::op::Loader,
    last: u64,
    vector: Option<u64>,
    rows: stream::Rows,
    tile: Tile,
    grouped: Tile,
}

impl Weights {
    fn new(load: &Load) -> Weights {
        Weights {
            base: load.weights,
            loader: load.loader,
            last: u64::from(load.last_vector()),
            vector: None,
            rows: [[0; 32]; 32],
            tile: Tile([[0; 32]; 32]),
            grouped: Tile([[0; 32]; 32]),
        }
    }

    /// Decodes the channels of a pass; gives how many have valid weights.
    fn fetch(&mut self, pass: &Pass, memory: &impl Memory) -> Result<usize, Outside> {
        let per_vector = u64::from(stream::positions_per_vector(self.loader));
        let mut channels = 0;
        for (i, row) in self
            .tile
            .0
            .iter_mut()
            .take((pass.stop - pass.start) as usize)
            .enumerate()
        {
            let position = pass.stream + i as u64;
            let vector = position / per_vector;
            if vector > self.last {
                break;
            }
            if self.vector != Some(vector) {
                let at = self.base.wrapping_add(vector as u32 * VECTOR);
                stream::decode(
                    self.loader,
                    memory.load(at, VECTOR as usize)?,
                    &mut self.rows,
                );
                self.vector = Some(vector);
            }
            *row = self.rows[(position % per_vector) as usize % 32];
            channels = i + 1;
        }
        Ok(channels)
    }

    /// The tile with weights of other groups' output channels zeroed.
    fn of_group(&mut self, group: u32, size: u32) -> &Tile {
        if size == 32 {
            return &self.tile;
        }
        let mine = (group * size) as usize..((group + 1) * size) as usize;
        for (to, from) in self.grouped.0.iter_mut().zip(&self.tile.0) {
            *to = [0; 32];
            to[mine.clone()].copy_from_slice(&from[mine.clone()]);
        }
        &self.grouped
    }
}

/// Adds a pass to the planes. `first` is the byte of the first channel, `step` the bytes
/// between channels. Compiled once per instruction set: see [`Lanes`].
#[allow(clippy::too_many_arguments)] // one flat call into the inner loop
#[inline(always)]
pub fn accumulate(
    planes: &mut [FixedPlane; 2],
    set: usize,
    latch: &Latch,
    positions: &[Position],
    tile: &Tile,
    channels: usize,
    first: usize,
    step: usize,
) {
    let weights = &tile.0[..channels.min(32)];
    for position in positions {
        let row =
            &mut planes[(set ^ usize::from(position.other)) & 1][usize::from(position.s) % 64];
        let mut byte = usize::from(position.byte) + first;
        let mut sum = *row;
        for weight in weights {
            let a = i32::from(latch.0[byte & 4095]);
            for o in 0..32 {
                sum[o] = sum[o].wrapping_add(a.wrapping_mul(weight[o]));
            }
            byte += step;
        }
        *row = sum;
    }
}
