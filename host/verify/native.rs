//! Kernels on this computer, as `verify` sees them: operands packed, every byte around them watched.

use super::kernel::{KernelUnderTest, Outcome, Poison, Problem, RunError, Settings, Weights};
use super::values::Source;
use crate::kernels::{self, Fault, Options, Shape};
use crate::packers::{Blocks, PackError, TileOrder, channel, fp16, int4};
use crate::plan::{self, Request};
use hmx_abi::Arch;

/// The kernels' C code with HMX packets executed by the functional model.
#[derive(Debug, Clone, Copy)]
pub struct NativeKernel {
    /// Version of the HMX.
    pub arch: Arch,
    /// A defect to plant; only in builds with the feature `planted-faults`.
    pub fault: Option<Fault>,
}

impl KernelUnderTest for NativeKernel {
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError> {
        let shape = shape(problem)?;
        let failed = |e: &dyn std::fmt::Display| RunError::Failed(e.to_string());
        let poison = poison_bytes(settings.poison);
        let weight = packed(problem).map_err(|e| failed(&e))?;
        let act_stride = (problem.k + problem.act_gap) * problem.act_type.bytes();
        let act = rows_with_gaps(problem, act_stride, &poison);
        let out_stride = (problem.n + problem.out_gap) * problem.out_type.bytes();
        let plan = plan_for(problem, &shape, settings)?;
        let given = kernels::Problem {
            shape,
            act: &act,
            act_stride: act_stride as u32,
            weight: &weight,
            out_stride: out_stride as u32,
            usr: problem.usr,
        };
        let options = Options {
            arch: self.arch,
            poison: poison.clone(),
            fault: self.fault,
        };
        let output =
            kernels::run(problem.kernel, &given, &plan, &options).map_err(|e| failed(&e))?;
        Ok(results(problem, &output.bytes, out_stride, &poison))
    }
}

/// A plan with the chunks of `settings`, and no more VTCM than it uses.
pub(super) fn plan_for(
    problem: &Problem,
    shape: &Shape,
    settings: &Settings,
) -> Result<plan::Plan, RunError> {
    let chosen = |tiles: u32| (tiles > 0).then_some(tiles);
    let request = Request {
        row_tiles: chosen(settings.row_tiles),
        column_tiles: chosen(settings.column_tiles),
        tasks: settings.tasks,
        hvx_first: settings.expansion_first,
        ..Request::default()
    };
    plan::plan(problem.kernel, shape, &request)
        .map(plan::Plan::tight)
        .map_err(|e| RunError::Refused(e.to_string()))
}

pub(crate) fn shape(problem: &Problem) -> Result<Shape, RunError> {
    let size = |x: usize| {
        u32::try_from(x).map_err(|_| RunError::Refused(format!("a size of {x} is too large")))
    };
    Ok(Shape {
        m: size(problem.m)?,
        n: size(problem.n)?,
        k: size(problem.k)?,
        act: problem.act_type,
        out: problem.out_type,
    })
}

/// 256 bytes that repeat; the guards of the driver have the same length.
pub(super) fn poison_bytes(poison: Poison) -> Vec<u8> {
    match poison {
        Poison::Byte => vec![0xCC],
        Poison::HalfNan => vec![0x00, 0x7E],
        Poison::Random(seed) => {
            let mut source = Source::new(seed, 11);
            (0..256).map(|_| source.below(256) as u8).collect()
        }
    }
}

/// The weights in the kernel's format.
pub(crate) fn packed(problem: &Problem) -> Result<Vec<u8>, PackError> {
    let (n, k) = (problem.n, problem.k);
    match &problem.weights {
        Weights::Half(bits) => fp16::pack(bits, n, k, fp16::Operand::Weight),
        Weights::Q4_0(bytes) => {
            let order = match problem.kernel.is_integer() {
                true => TileOrder::Loader,
                false => TileOrder::Pairs,
            };
            Ok(int4::pack(&Blocks::new(bytes, n, k)?, order))
        }
        Weights::Channel { q, scale } => channel::pack(q, scale, n, k),
    }
}

/// Rows of activations `stride` bytes apart, poison between them, nothing after the last.
pub(super) fn rows_with_gaps(problem: &Problem, stride: usize, poison: &[u8]) -> Vec<u8> {
    let size = problem.act_type.bytes();
    let length = (problem.m - 1) * stride + problem.k * size;
    let mut bytes: Vec<u8> = poison.iter().copied().cycle().take(length).collect();
    for (i, value) in problem.act.iter().enumerate() {
        let at = i / problem.k * stride + i % problem.k * size;
        bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
    bytes
}

/// The results, and whether the gaps between their rows are as they were.
pub(super) fn results(problem: &Problem, bytes: &[u8], stride: usize, poison: &[u8]) -> Outcome {
    let size = problem.out_type.bytes();
    let mut outcome = Outcome::default();
    for row in 0..problem.m {
        for column in 0..problem.n {
            let mut value = [0; 4];
            value[..size].copy_from_slice(&bytes[row * stride + column * size..][..size]);
            outcome.out.push(u32::from_le_bytes(value));
        }
        let gap = row * stride + problem.n * size..(row + 1) * stride;
        let changed = gap
            .clone()
            .filter(|_| row + 1 < problem.m)
            .find(|&at| bytes[at] != poison[at % poison.len()]);
        if let Some(at) = changed {
            outcome.breaches.push(format!(
                "byte {} of the gap behind result row {row} was changed: a store is not cut at N",
                at - gap.start
            ));
        }
    }
    outcome
}
