//! One drawn case: shape, values, and the one thing that is varied against the plain run.

use super::kernel::{Kernel, Problem, Type, Weights};
use super::values::{self, Activations, Scales, WeightValues};
use crate::packers::q4_0;
use proptest::prelude::*;
use proptest::sample::select;
use serde::{Deserialize, Serialize};

/// What the second run of a case does differently. The result must be the same, except for `change-*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variation {
    /// Nothing.
    Repeat,
    /// Other poison: 0x7E00, then random bytes.
    Poison,
    /// The HVX stages are cut into more tasks.
    Tasks,
    /// Other chunk sizes.
    Chunks,
    /// Jobs that may overlap run in the other order.
    Order,
    /// One row is computed alone.
    RowAlone,
    /// One activation changes: only its row may change.
    ChangeActivation,
    /// One weight changes: only its column may change.
    ChangeWeight,
}

/// A case; everything about it follows from these fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Which kernel.
    pub kernel: Kernel,
    /// Rows of activations.
    pub m: usize,
    /// Output channels.
    pub n: usize,
    /// Input channels.
    pub k: usize,
    /// Values of the activations.
    pub act: Activations,
    /// Type of the activations.
    pub act_type: Type,
    /// Values of the weights.
    pub weights: WeightValues,
    /// Scales of int4 weights.
    pub scales: Scales,
    /// Type of the results.
    pub out_type: Type,
    /// Elements between rows of activations.
    pub act_gap: usize,
    /// Elements between rows of results.
    pub out_gap: usize,
    /// Inf/nan enable (1) and nan propagate (2) of the user status register.
    pub usr: u32,
    /// What the second run does differently.
    pub vary: Variation,
    /// Row tiles and column tiles of a chunk of the plain run; 0 leaves them to the planner.
    pub row_tiles: u32,
    /// See `row_tiles`.
    pub column_tiles: u32,
    /// Seed of the values and of the variation.
    pub seed: u32,
}

/// Largest M, N and K of a case: more is for `hmx bench`.
const LARGEST: usize = 1 << 14;

impl Case {
    /// Whether the fields belong together: a case may come from a file or from the command line.
    pub fn is_sound(&self) -> bool {
        let sizes = [self.m, self.n, self.k];
        let quantised = self.kernel != Kernel::Hf;
        sizes.iter().all(|s| (1..=LARGEST).contains(s))
            && self.act_gap <= 64
            && self.out_gap <= 64
            && self.usr < 4
            && (!quantised || self.k.is_multiple_of(q4_0::BLOCK))
            && match self.act_type {
                Type::F32 => true,
                Type::F16 => !self.kernel.is_integer(),
                Type::I32 => false,
            }
            && match self.out_type {
                Type::F32 => true,
                Type::F16 => !self.kernel.is_integer(),
                Type::I32 => self.kernel.is_integer(),
            }
    }

    /// Draws cases of a kernel.
    pub fn strategy(kernel: Kernel) -> impl Strategy<Value = Case> {
        let shape = (
            rows(),
            columns(),
            depth(kernel),
            // Tiles a case may touch: most are small, a few are large.
            prop_oneof![16 => Just(20usize), 3 => Just(66), 1 => Just(140)],
        );
        let act = select(vec![
            Activations::Ones,
            Activations::Zeros,
            Activations::Ramp,
            Activations::Ties,
            Activations::Normal,
            Activations::Wide,
            Activations::OneHuge,
            Activations::Denormal,
            Activations::Extreme,
            Activations::Special,
        ]);
        let weights = select(vec![
            WeightValues::Ones,
            WeightValues::Ramp,
            WeightValues::Random,
            WeightValues::Wide,
            WeightValues::Lowest,
        ]);
        let scales = select(vec![
            Scales::Ones,
            Scales::Steps,
            Scales::Random,
            Scales::SomeZero,
            Scales::Denormal,
            Scales::Huge,
        ]);
        let types = (
            select(match kernel.is_integer() {
                true => vec![Type::F32],
                false => vec![Type::F32, Type::F16],
            }),
            select(match kernel.is_integer() {
                true => vec![Type::I32, Type::F32],
                false => vec![Type::F32, Type::F16],
            }),
            select(vec![0usize, 1, 2, 7]),
            select(vec![0usize, 1, 2, 7]),
            select(vec![0u32, 0, 1, 3]),
        );
        let vary = (
            select(vec![
                Variation::Repeat,
                Variation::Poison,
                Variation::Tasks,
                Variation::Chunks,
                Variation::Order,
                Variation::RowAlone,
                Variation::ChangeActivation,
                Variation::ChangeWeight,
            ]),
            select(vec![0u32, 1, 2]),
            select(vec![0u32, 1, 2]),
            0u32..1 << 16,
        );
        (shape, act, weights, scales, types, vary).prop_map(
            move |((m, n, k, budget), act, weights, scales, types, vary)| {
                let (m, n, k) = fit(m, n, k, budget);
                let (act_type, out_type, act_gap, out_gap, usr) = types;
                let (vary, row_tiles, column_tiles, seed) = vary;
                Case {
                    kernel,
                    m,
                    n,
                    k,
                    act,
                    act_type,
                    weights,
                    scales,
                    out_type,
                    act_gap,
                    out_gap,
                    usr,
                    vary,
                    row_tiles,
                    column_tiles,
                    seed,
                }
            },
        )
    }

    /// The problem of the plain run.
    pub fn problem(&self) -> Problem {
        let (m, n, k) = (self.m, self.n, self.k);
        Problem {
            kernel: self.kernel,
            m,
            n,
            k,
            act_type: self.act_type,
            act: values::activations(self.act, self.seed, m, k, self.act_type),
            weights: self.weights_of(),
            out_type: self.out_type,
            act_gap: self.act_gap,
            out_gap: self.out_gap,
            usr: self.usr << 20,
        }
    }

    fn weights_of(&self) -> Weights {
        let (n, k) = (self.n, self.k);
        if self.kernel == Kernel::Hf {
            return Weights::Half(values::half_weights(self.weights, self.seed, n, k));
        }
        let q = values::int4_weights(self.weights, self.seed, n, k);
        if self.kernel == Kernel::W4A8Channel {
            let scale = values::scales(self.scales, self.seed, n)
                .into_iter()
                .map(|d| half::f16::from_bits(d).to_f32())
                .collect();
            return Weights::Channel { q, scale };
        }
        let d = values::scales(self.scales, self.seed, n * k / q4_0::BLOCK);
        let mut bytes = Vec::with_capacity(d.len() * q4_0::BLOCK_BYTES);
        for (block, d) in q.chunks_exact(q4_0::BLOCK).zip(d) {
            let quants = std::array::from_fn(|j| (block[j] + 8) as u8);
            q4_0::push_block(&mut bytes, d, &quants);
        }
        Weights::Q4_0(bytes)
    }
}

fn rows() -> impl Strategy<Value = usize> {
    prop_oneof![
        3 => select(vec![1usize, 4, 5, 31, 32, 33, 42, 63, 64, 65]),
        1 => 1usize..80,
    ]
}

fn columns() -> impl Strategy<Value = usize> {
    prop_oneof![
        3 => select(vec![32usize, 33, 48, 64, 160]),
        1 => 1usize..100,
    ]
}

fn depth(kernel: Kernel) -> BoxedStrategy<usize> {
    let edges = prop_oneof![
        14 => select(vec![32usize, 64, 96]),
        2 => select(vec![128usize, 256, 1024, 1056, 4096]),
    ];
    if kernel == Kernel::Hf {
        prop_oneof![2 => edges, 1 => 1usize..100].boxed()
    } else {
        edges.boxed()
    }
}

/// Cuts M and N down until a case has `budget` tile products, or the fewest that its K allows.
fn fit(mut m: usize, mut n: usize, k: usize, budget: usize) -> (usize, usize, usize) {
    let tiles = |x: usize| x.div_ceil(32);
    while tiles(m) * tiles(n) * tiles(k) > budget && tiles(m) * tiles(n) > 1 {
        let larger = if tiles(m) > tiles(n) { &mut m } else { &mut n };
        *larger -= 32;
    }
    (m, n, k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    use std::collections::HashSet;

    #[test]
    fn cases_are_sound_stay_in_budget_and_reach_the_edges() {
        for kernel in Kernel::ALL {
            let mut runner = TestRunner::deterministic();
            let cases: Vec<Case> = (0..2000)
                .map(|_| {
                    let tree = Case::strategy(kernel).new_tree(&mut runner).unwrap();
                    tree.current()
                })
                .collect();
            assert!(cases.iter().all(Case::is_sound));
            let tiles = |c: &Case| c.m.div_ceil(32) * c.n.div_ceil(32) * c.k.div_ceil(32);
            assert!(cases.iter().map(tiles).max().unwrap() <= 140);
            assert!(cases.iter().map(tiles).sum::<usize>() < 2000 * 18);
            let seen = |f: fn(&Case) -> usize| cases.iter().map(f).collect::<HashSet<_>>();
            let (m, n, k) = (seen(|c| c.m), seen(|c| c.n), seen(|c| c.k));
            assert!(
                [1, 4, 5, 31, 32, 33, 42, 63, 64, 65]
                    .iter()
                    .all(|x| m.contains(x))
            );
            assert!([32, 33, 48, 64, 160].iter().all(|x| n.contains(x)));
            assert!([32, 64, 96, 1024, 1056, 4096].iter().all(|x| k.contains(x)));
            assert!(cases.iter().filter(|c| c.m == c.n).count() < 200);
        }
    }
}
