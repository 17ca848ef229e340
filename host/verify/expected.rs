//! What the references say about a problem: exact bits where the kernel promises them, and f64 with a bound.

use super::kernel::{Kernel, Problem, Type, Weights};
use crate::reference::hmx_fp16::{self, Specials, Vector};
use crate::reference::integer;
use crate::reference::operands::{expanded, narrow, q4_0, widen};
use crate::reference::real::{self, half_unit};

/// What f64 says about one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Real {
    /// The result lies within `bound` of `value`.
    Within {
        /// The sum.
        value: f64,
        /// How far the result may lie off.
        bound: f64,
    },
    /// The result is not a number.
    Nan,
    /// The result is this infinity.
    Infinite(f64),
    /// Something left its format on the way; only the exact reference speaks.
    Unknown,
}

impl Real {
    /// What is wrong with a result, if anything.
    pub fn contradiction(self, got: f64) -> Option<String> {
        match self {
            Real::Within { value, bound } => {
                let off = (got - value).abs();
                // A NaN result is off by NaN, which is within nothing.
                if off <= bound {
                    return None;
                }
                Some(format!(
                    "{got} lies {off:e} from the f64 result {value}, but at most {bound:e} is explained by rounding"
                ))
            }
            Real::Nan if !got.is_nan() => Some(format!("{got} where only NaN is right")),
            Real::Infinite(x) if got != x => Some(format!("{got} where only {x} is right")),
            _ => None,
        }
    }
}

/// What the references say about every cell, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The bits of each result, where the kernel promises them: all fp16 kernels, and int32 results.
    pub exact: Option<Vec<u32>>,
    /// The f64 view of each result.
    pub real: Vec<Real>,
}

/// Asks the references.
pub fn expected(problem: &Problem) -> Expected {
    if problem.kernel.is_integer() {
        integer_result(problem)
    } else {
        fp16_result(problem)
    }
}

/// Activation (m, k) as the caller means it.
fn activation(problem: &Problem, i: usize) -> f32 {
    match problem.act_type {
        Type::F16 => f32::from_bits(widen(problem.act[i] as u16)),
        _ => f32::from_bits(problem.act[i]),
    }
}

/// A number as the caller means it, and how far the fp16 that stands for it may lie off.
#[derive(Debug, Clone, Copy)]
struct Meant {
    value: f64,
    error: f64,
}

impl Meant {
    /// A number that is converted to the fp16 `bits`; one that leaves fp16 counts as what it becomes.
    fn converted(value: f64, bits: u16) -> Meant {
        let converted = Meant::exact(bits);
        if !converted.value.is_finite() {
            return converted;
        }
        Meant {
            value,
            error: half_unit(value, 10, -24),
        }
    }

    fn exact(bits: u16) -> Meant {
        Meant {
            value: half::f16::from_bits(bits).to_f64(),
            error: 0.0,
        }
    }
}

fn fp16_result(problem: &Problem) -> Expected {
    let (m, n, k) = (problem.m, problem.n, problem.k);
    let specials = Specials::from_usr(problem.usr);
    let act: Vec<(u16, Meant)> = problem
        .act
        .iter()
        .map(|&bits| match problem.act_type {
            Type::F16 => (bits as u16, Meant::exact(bits as u16)),
            _ => {
                let x = f32::from_bits(bits);
                (narrow(x), Meant::converted(x.into(), narrow(x)))
            }
        })
        .collect();
    let scaled = |q: i8, d: f64| {
        let bits = expanded(q, d);
        (bits, Meant::converted(f64::from(q) * d, bits))
    };
    let weights: Vec<(u16, Meant)> = (0..n * k)
        .map(|i| match &problem.weights {
            Weights::Half(bits) => (bits[i], Meant::exact(bits[i])),
            Weights::Q4_0(bytes) => {
                let (q, d) = q4_0(bytes, k, i / k, i % k);
                scaled(q, d)
            }
            Weights::Channel { q, scale } => scaled(q[i], scale[i / k].into()),
        })
        .collect();
    let decode = |numbers: &[(u16, Meant)]| {
        let bits: Vec<u16> = numbers.iter().map(|x| x.0).collect();
        Vector::new(&bits, specials)
    };
    let columns: Vec<Vector> = weights.chunks(k).map(decode).collect();
    let mut exact = Vec::with_capacity(m * n);
    let mut real = Vec::with_capacity(m * n);
    for a in act.chunks(k) {
        let row = decode(a);
        for (w, column) in weights.chunks(k).zip(&columns) {
            let bits = hmx_fp16::accumulate(&row, column, specials).store(specials);
            exact.push(match problem.out_type {
                Type::F32 => widen(bits),
                _ => u32::from(bits),
            });
            real.push(fp16_cell(a, w, specials, problem.out_type));
        }
    }
    Expected {
        exact: Some(exact),
        real,
    }
}

/// One cell in f64, from the operands as they are meant: their conversion to fp16 is part of the bound.
fn fp16_cell(
    act: &[(u16, Meant)],
    weights: &[(u16, Meant)],
    specials: Specials,
    out_type: Type,
) -> Real {
    let pairs = || act.iter().zip(weights).map(|((_, a), (_, w))| (a, w));
    let sum = real::sum(pairs().map(|(a, w)| (a.value, w.value)));
    if !sum.magnitude.is_finite() {
        return match (specials.enabled, sum.value) {
            (false, _) => Real::Unknown,
            (true, x) if x.is_nan() => Real::Nan,
            (true, x) => Real::Infinite(x),
        };
    }
    let conversion: f64 = pairs()
        .map(|(a, w)| a.value.abs() * w.error + w.value.abs() * a.error + a.error * w.error)
        .sum();
    let converted = real::Sum {
        magnitude: sum.magnitude + conversion,
        ..sum
    };
    let bound = conversion + converted.fp16_bound();
    // Without specials fp16 reaches 131008, but 65536 and more are infinite as f32.
    let limit = match (specials.enabled, out_type) {
        (false, Type::F16) => 131008.0,
        _ => 65504.0,
    };
    if sum.value.abs() + bound > limit {
        return Real::Unknown;
    }
    Real::Within {
        value: sum.value,
        bound,
    }
}

fn integer_result(problem: &Problem) -> Expected {
    let (m, n, k) = (problem.m, problem.n, problem.k);
    // A weight for each (column, k), a scale for each (column, block).
    let blocks = k.div_ceil(32);
    let (q, scales): (Vec<i8>, Vec<f64>) = match &problem.weights {
        Weights::Q4_0(bytes) => (
            (0..n * k).map(|i| q4_0(bytes, k, i / k, i % k).0).collect(),
            (0..n * blocks)
                .map(|i| q4_0(bytes, k, i / blocks, i % blocks * 32).1)
                .collect(),
        ),
        Weights::Channel { q, scale } => {
            let scales = (0..n * blocks).map(|i| f64::from(scale[i / blocks]));
            (q.clone(), scales.collect())
        }
        // No integer kernel takes fp16 weights.
        Weights::Half(_) => (vec![0; n * k], vec![0.0; n * blocks]),
    };
    let mut exact = Vec::with_capacity(m * n);
    let mut real = Vec::with_capacity(m * n);
    for r in 0..m {
        let values: Vec<f32> = (r * k..(r + 1) * k)
            .map(|i| activation(problem, i))
            .collect();
        let row = integer::quantise(&values);
        for c in 0..n {
            let weights = &q[c * k..][..k];
            let sums: Vec<i64> = row
                .q
                .chunks(32)
                .zip(weights.chunks(32))
                .map(|(a, w)| integer::dot(&row, a, w))
                .collect();
            let total: i64 = sums.iter().sum();
            exact.push(total as i32 as u32);
            real.push(match problem.out_type {
                Type::I32 => Real::Within {
                    value: total as f64,
                    bound: 0.0,
                },
                _ => scaled_cell(
                    &sums,
                    row.scale,
                    &scales[c * blocks..][..blocks],
                    problem.kernel,
                ),
            });
        }
    }
    Expected {
        exact: (problem.out_type == Type::I32).then_some(exact),
        real,
    }
}

/// The scaled result: exact block sums times scales, in f64, with the bound of the fp32 arithmetic (docs/verify.md).
fn scaled_cell(blocks: &[i64], row_scale: f32, scales: &[f64], kernel: Kernel) -> Real {
    if row_scale.is_nan() {
        return Real::Nan;
    }
    let row_scale = f64::from(row_scale);
    let terms = blocks
        .iter()
        .zip(scales)
        .map(|(&sum, &scale)| (sum as f64, scale));
    let sum = real::sum(terms);
    let (value, magnitude) = (sum.value * row_scale, sum.magnitude * row_scale);
    let steps = match kernel {
        Kernel::W4A8Channel => 4,
        _ => 2 * blocks.len() + 4,
    };
    if magnitude > f64::from(f32::MAX) / 4.0 {
        return Real::Unknown;
    }
    let absolute = 2f64.powi(-126) * blocks.len() as f64 + half_unit(value, 23, -149);
    Real::Within {
        value,
        bound: magnitude * steps as f64 * 2f64.powi(-24) + absolute,
    }
}
