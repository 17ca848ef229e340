//! A kernel on a real model's tensor: bits against the references, and how far the result lies from f32 arithmetic.

use super::expected::expected;
use super::gguf::{Gguf, GgufError, Matrix};
use super::kernel::{Broken, Kernel, KernelUnderTest, Problem, RunError, Settings, Type, Weights};
use super::values;
use crate::reference::operands::{expanded, q4_0};
use serde::Serialize;

/// Rows of drawn activations when the file has none.
const DRAWN_ROWS: usize = 42;

/// How far results lie from f32 arithmetic on the same weights and activations, relative to the root mean square of
/// the f32 results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// Largest relative error.
    pub max: f64,
    /// Mean relative error.
    pub mean: f64,
    /// Root mean square of the relative error.
    pub rms: f64,
    /// Largest error relative to its own f32 result, where that is at least a hundredth of the root mean square.
    pub max_elementwise: f64,
}

/// What one kernel did on one tensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The kernel.
    pub kernel: Kernel,
    /// The weight tensor.
    pub tensor: String,
    /// Where the activations come from.
    pub activations: String,
    /// Rows, output channels, input channels.
    pub shape: [usize; 3],
    /// Against f32.
    pub errors: Errors,
    /// What contradicts the references; `None` when nothing does.
    pub failure: Option<String>,
}

/// Why a kernel was not run on a tensor.
#[derive(Debug, thiserror::Error)]
pub enum TensorError {
    /// The file could not be read.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// The target cannot run this: {0}.
    #[error("the target cannot run this: {0}")]
    Refused(String),
    /// The target broke.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// Runs a kernel on the Q4_0 tensor `name`. The activations are the first F32 matrix of the file with rows as long as
/// the weights'; without one they are drawn from a bell of deviation 1.
pub fn run(
    gguf: &Gguf,
    name: &str,
    kernel: Kernel,
    under_test: &dyn KernelUnderTest,
) -> Result<Report, TensorError> {
    let weights = gguf.q4_0(name)?;
    let source = gguf.f32_names(weights.k).first().map(|s| (*s).to_owned());
    let (activations, rows) = match &source {
        Some(source) => gguf.f32(source).map(|m| (m.data, m.rows))?,
        None => (drawn(weights.k), DRAWN_ROWS),
    };
    let problem = Problem {
        kernel,
        m: rows,
        n: weights.rows,
        k: weights.k,
        act_type: Type::F32,
        act: activations.iter().map(|x| x.to_bits()).collect(),
        weights: for_kernel(kernel, &weights),
        out_type: Type::F32,
        act_gap: 0,
        out_gap: 0,
        usr: 0,
    };
    let (out, mut failure) = match under_test.run(&problem, &Settings::default()) {
        Err(RunError::Refused(why)) => return Err(TensorError::Refused(why)),
        Err(RunError::Broken(why)) => return Err(why.into()),
        Err(RunError::Failed(why)) => (vec![0; rows * weights.rows], Some(why)),
        Ok(outcome) => (outcome.out, outcome.breaches.into_iter().next()),
    };
    failure = failure.or_else(|| {
        super::properties::against_references(&problem, &out, &expected(&problem)).err()
    });
    Ok(Report {
        kernel,
        tensor: name.to_owned(),
        activations: source.unwrap_or_else(|| format!("{DRAWN_ROWS} drawn rows")),
        shape: [rows, weights.rows, weights.k],
        errors: errors(&out, &activations, &weights),
        failure,
    })
}

fn drawn(k: usize) -> Vec<f32> {
    let bits = values::activations(values::Activations::Normal, 1, DRAWN_ROWS, k, Type::F32);
    bits.into_iter().map(f32::from_bits).collect()
}

/// The weights in the form a kernel takes. For one scale in a channel the Q4_0 values are quantised once more,
/// scale = largest magnitude / 7, to nearest: the report's errors contain that.
fn for_kernel(kernel: Kernel, weights: &Matrix<u8>) -> Weights {
    let count = weights.rows * weights.k;
    let value = |i: usize| q4_0(&weights.data, weights.k, i / weights.k, i % weights.k);
    match kernel {
        Kernel::Hf => Weights::Half(
            (0..count)
                .map(|i| {
                    let (q, d) = value(i);
                    expanded(q, d)
                })
                .collect(),
        ),
        Kernel::W4A8Channel => {
            let (mut q, mut scale) = (Vec::with_capacity(count), Vec::new());
            for row in 0..weights.rows {
                let meant: Vec<f64> = (row * weights.k..(row + 1) * weights.k)
                    .map(|i| {
                        let (q, d) = value(i);
                        f64::from(q) * d
                    })
                    .collect();
                let step = meant.iter().fold(0f64, |m, x| m.max(x.abs())) / 7.0;
                let quantise = |x: &f64| (x / step).round_ties_even().clamp(-8.0, 7.0) as i8;
                q.extend(
                    meant
                        .iter()
                        .map(|x| if step == 0.0 { 0 } else { quantise(x) }),
                );
                scale.push(step as f32);
            }
            Weights::Channel { q, scale }
        }
        _ => Weights::Q4_0(weights.data.clone()),
    }
}

fn errors(out: &[u32], activations: &[f32], weights: &Matrix<u8>) -> Errors {
    let (n, k) = (weights.rows, weights.k);
    let values: Vec<f32> = (0..n * k)
        .map(|i| {
            let (q, d) = q4_0(&weights.data, k, i / k, i % k);
            f32::from(q) * d as f32
        })
        .collect();
    let reference: Vec<f64> = activations
        .chunks(k)
        .flat_map(|a| values.chunks(k).map(move |w| f64::from(dot_f32(a, w))))
        .collect();
    let count = reference.len() as f64;
    let rms = (reference.iter().map(|x| x * x).sum::<f64>() / count).sqrt();
    let error = |i: usize| (f64::from(f32::from_bits(out[i])) - reference[i]).abs();
    let (mut max, mut sum, mut squares, mut max_elementwise) = (0f64, 0f64, 0f64, 0f64);
    for (i, wanted) in reference.iter().enumerate() {
        // A zero matrix has no scale to be relative to; its errors are absolute.
        let relative = if rms == 0.0 { error(i) } else { error(i) / rms };
        max = max.max(relative);
        sum += relative;
        squares += relative * relative;
        if wanted.abs() >= rms / 100.0 && rms > 0.0 {
            max_elementwise = max_elementwise.max(error(i) / wanted.abs());
        }
    }
    Errors {
        max,
        mean: sum / count,
        rms: (squares / count).sqrt(),
        max_elementwise,
    }
}

fn dot_f32(a: &[f32], w: &[f32]) -> f32 {
    a.iter().zip(w).map(|(a, w)| a * w).sum()
}
