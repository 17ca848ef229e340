//! What a kernel costs on a problem of a given size: counters and the time of the simulation.

use super::{Counters, Element, Kernel, KernelError, Options, Output, Problem, Shape, run};
use crate::plan::{Plan, Request, plan};
use half::f16;
use hmx_abi::Arch;
use serde::Serialize;
use std::time::Instant;

/// Figures of one run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Measured {
    /// Its name.
    pub kernel: &'static str,
    /// Rows.
    pub m: u32,
    /// Output channels.
    pub n: u32,
    /// Input channels.
    pub k: u32,
    /// Rows of activations in VTCM at a time; weights are read once for each such block.
    pub block_rows: u32,
    /// Columns of a weight chunk.
    pub chunk_columns: u32,
    /// Bytes of VTCM in use.
    pub vtcm_used: u32,
    /// What it did.
    pub counters: Counters,
    /// Wall time of the simulated run.
    pub seconds: f64,
    /// Multiply-accumulates of the product (M * N * K) a second of simulation.
    pub macs_per_second: f64,
}

impl Measured {
    /// Weight bytes that cross the memory interface, fp16 scratch included.
    pub fn weight_traffic(&self) -> u64 {
        let c = &self.counters;
        c.ddr_weight_read + c.ddr_scratch_written + c.ddr_scratch_read
    }
}

/// A problem on made-up data, with a plan for it.
pub(crate) struct MadeUp {
    kernel: Kernel,
    shape: Shape,
    /// The plan.
    pub plan: Plan,
    act: Vec<u8>,
    weight: Vec<u8>,
}

impl MadeUp {
    /// f32 activations and results; the default plan.
    pub fn new(kernel: Kernel, m: u32, n: u32, k: u32) -> Result<MadeUp, KernelError> {
        let shape = Shape {
            m,
            n,
            k,
            act: Element::F32,
            out: Element::F32,
        };
        let value = |i: usize| ((i * 37) % 101) as f32 / 50.0 - 1.0;
        Ok(MadeUp {
            kernel,
            shape,
            plan: plan(kernel, &shape, &Request::default())?,
            act: (0..m as usize * k as usize)
                .flat_map(|i| value(i).to_le_bytes())
                .collect(),
            weight: weights(kernel, &shape),
        })
    }

    /// The problem.
    pub fn problem(&self) -> Problem<'_> {
        Problem {
            shape: self.shape,
            act: &self.act,
            act_stride: 4 * self.shape.k,
            weight: &self.weight,
            out_stride: 4 * self.shape.n,
            usr: 0,
        }
    }

    /// Runs it in simulation.
    pub fn run(&self, arch: Arch) -> Result<Output, KernelError> {
        let options = Options {
            arch,
            ..Options::default()
        };
        run(self.kernel, &self.problem(), &self.plan, &options)
    }
}

/// Runs a kernel once on made-up data. Counters do not depend on the data.
pub fn measure(kernel: Kernel, m: u32, n: u32, k: u32) -> Result<Measured, KernelError> {
    let made_up = MadeUp::new(kernel, m, n, k)?;
    let start = Instant::now();
    let output = made_up.run(Options::default().arch)?;
    let seconds = start.elapsed().as_secs_f64();
    let plan = &made_up.plan;
    Ok(Measured {
        kernel: kernel.name(),
        m,
        n,
        k,
        block_rows: (plan.data.row_tiles * kernel.tile_rows()).min(m),
        chunk_columns: (plan.data.column_tiles * 32).min(n),
        vtcm_used: plan.used,
        counters: output.counters,
        seconds,
        macs_per_second: f64::from(m) * f64::from(n) * f64::from(k) / seconds.max(1e-9),
    })
}

/// A weight matrix in the kernel's format: a fixed pattern, all scales 1/64.
fn weights(kernel: Kernel, shape: &Shape) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..shape.weight_bytes(kernel))
        .map(|i| ((i * 89) >> 3) as u8)
        .collect();
    let scale = f16::from_f32(1.0 / 64.0).to_le_bytes();
    let tiles = shape.k_tiles() as usize * shape.column_tiles() as usize;
    match kernel {
        Kernel::Hf => bytes.chunks_exact_mut(2).enumerate().for_each(|(i, w)| {
            let value = (i * 53 % 31) as f32 / 64.0 - 0.25;
            w.copy_from_slice(&f16::from_f32(value).to_le_bytes());
        }),
        Kernel::W4A8Channel => bytes[tiles * 512..]
            .chunks_exact_mut(4)
            .for_each(|s| s.copy_from_slice(&(1.0f32 / 64.0).to_le_bytes())),
        _ => bytes
            .chunks_exact_mut(576)
            .flat_map(|tile| tile[512..].chunks_exact_mut(2))
            .for_each(|s| s.copy_from_slice(&scale)),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_kernels_move_far_fewer_weight_bytes() {
        let of = |kernel| measure(kernel, 33, 96, 256).unwrap();
        let expanded = of(Kernel::W4A16Twopass).counters.ddr_scratch_written;
        assert_eq!(expanded, 3 * 8 * 2048);
        for (kernel, most) in [
            (Kernel::W4A16Fused, 0.29),
            (Kernel::W4A8, 0.29),
            (Kernel::W4A8Channel, 0.27),
        ] {
            let measured = of(kernel);
            let ratio = measured.weight_traffic() as f64 / expanded as f64;
            assert!(ratio <= most, "{kernel}: {ratio}");
            assert_eq!(measured.counters.ddr_scratch_written, 0);
        }
    }

    #[test]
    fn the_expansion_takes_the_instructions_docs_say() {
        let tiles = |n| measure(Kernel::W4A16Fused, 1, n, 64).unwrap().counters.hvx;
        // Two more column tiles of two k tiles each; one row tile of results with each column tile.
        let (less, more) = (tiles(64), tiles(128));
        let total = |c: [u64; 8]| c.iter().sum::<u64>();
        // 4 tiles of 60, 2 scale vectors with a load and a shuffle each, and for each of the
        // two column tiles one result pair: the constant 1.0, load, multiply, two stores.
        assert_eq!(total(more) - total(less), 4 * 60 + 2 * 2 + 2 * 5);
    }
}
