//! The example's problem: the golden product's formulas on a small shape, as a C header.

use super::BundleError;
use crate::export::golden;
use crate::kernels::{Kernel, Shape};
use crate::packers::PackError;
use crate::plan::{Plan, Request, plan, plan_text, problem_text};
use crate::verify::kernel::Problem;
use crate::verify::native::{packed, shape};

/// M, N and K: one row tile, two column tiles with a tail, two blocks of K.
pub const SHAPE: [usize; 3] = [5, 40, 64];

/// A problem with its plan.
pub struct Example {
    problem: Problem,
    /// Sizes and types.
    pub shape: Shape,
    /// For no more VTCM than it uses.
    pub plan: Plan,
}

impl Example {
    /// The example of a kernel.
    pub fn new(kernel: Kernel) -> Result<Example, BundleError> {
        let problem = golden::problem(kernel, SHAPE);
        let shape = shape(&problem)?;
        let plan = plan(kernel, &shape, &Request::default())?.tight();
        Ok(Example {
            problem,
            shape,
            plan,
        })
    }

    /// `include/example_problem.h`
    pub fn header(&self) -> Result<String, PackError> {
        let kernel = self.problem.kernel;
        let [m, n, k] = SHAPE;
        let act: Vec<f32> = self
            .problem
            .act
            .iter()
            .map(|&x| f32::from_bits(x))
            .collect();
        let weights = packed(&self.problem)?;
        let words: Vec<String> = weights
            .chunks_exact(4)
            .map(|b| format!("0x{:08x}", u32::from_le_bytes([b[0], b[1], b[2], b[3]])))
            .collect();
        Ok(format!(
            "/* {kernel} on M x N x K = {m} x {n} x {k}, made by hmx {version}: problem, plan, data, right results.\n \
             * The numbers follow the formulas of golden.how in manifest.json; every step is exact. */\n\
             #ifndef HMXWB_EXAMPLE_PROBLEM_H\n#define HMXWB_EXAMPLE_PROBLEM_H\n\n#include \"hmxwb.h\"\n\n\
             static const struct hmxwb_problem example_problem = {problem};\n\n\
             static const struct hmxwb_plan example_plan = {plan};\n\n\
             /* Bytes of scratch memory. */\n#define EXAMPLE_SCRATCH {scratch}u\n\n\
             /* Row-major, M rows of K. */\nstatic const float example_activations[{m} * {k}] = {{\n{act}}};\n\n\
             /* Packed as {format} of formats.md, in little-endian words. */\n\
             static const uint32_t example_weights[{count}] = {{\n{words}}};\n\n\
             /* Row-major, M rows of N. */\nstatic const float example_expected[{m} * {n}] = {{\n{expected}}};\n\n\
             #endif\n",
            version = env!("CARGO_PKG_VERSION"),
            problem = problem_text(kernel, &self.shape),
            plan = plan_text(kernel, &self.plan),
            scratch = self.shape.scratch_bytes(kernel),
            act = lines(&floats(&act)),
            format = golden::weight_format(kernel).name(),
            count = words.len(),
            words = lines(&words),
            expected = lines(&floats(&golden::plain_product(kernel, SHAPE))),
        ))
    }
}

fn floats(values: &[f32]) -> Vec<String> {
    values.iter().map(|x| format!("{x:?}f")).collect()
}

/// Ten values in a line, as between the braces of an initialiser.
fn lines(values: &[String]) -> String {
    values
        .chunks(10)
        .map(|line| format!("  {},\n", line.join(", ")))
        .collect()
}
