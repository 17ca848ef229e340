//! Operand values, drawn towards the edges of the number formats. The same pattern and seed give the same values.

use super::kernel::Type;
use half::f16;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde::{Deserialize, Serialize};

/// What the activations look like. Simplest first: shrinking goes that way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activations {
    /// 1 everywhere.
    Ones,
    /// 0 everywhere.
    Zeros,
    /// Small whole numbers that name their place.
    Ramp,
    /// 0.5, 1.5, 2.5 ... in rows that span 0 to 255: quantising hits every tie.
    Ties,
    /// A bell around 0.
    Normal,
    /// Any sign and any exponent of fp16.
    Wide,
    /// Ones, and one huge value in each row.
    OneHuge,
    /// fp16 denormals.
    Denormal,
    /// 65504, 70000, their negatives, 0 and -0.
    Extreme,
    /// Ordinary numbers, some infinities and NaNs.
    Special,
}

/// What the weights look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightValues {
    /// 1 everywhere.
    Ones,
    /// Small whole numbers that name their place.
    Ramp,
    /// Random.
    Random,
    /// Any sign and any exponent of fp16; random where weights are int4.
    Wide,
    /// The most negative number everywhere.
    Lowest,
}

/// What the scales of int4 weights look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scales {
    /// 1 everywhere.
    Ones,
    /// Powers of two, different in neighbouring blocks.
    Steps,
    /// Random, as in a real model.
    Random,
    /// Some are 0.
    SomeZero,
    /// fp16 denormals.
    Denormal,
    /// 8192: times -8 this leaves fp16.
    Huge,
}

/// A generator for one operand.
pub struct Source(TestRng);

impl Source {
    /// Different operands of one case take different `stream`s.
    pub fn new(seed: u32, stream: u8) -> Source {
        let mut bytes = [stream; 32];
        bytes[..4].copy_from_slice(&seed.to_le_bytes());
        Source(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// A number in -1 to 1.
    fn unit(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Roughly normal with deviation 1.
    fn bell(&mut self) -> f32 {
        (0..4).map(|_| self.unit()).sum::<f32>() * 0.866
    }

    /// fp16 bits of any finite number.
    fn wide(&mut self) -> u16 {
        let (exponent, rest) = (self.below(31) as u16, self.0.next_u32() as u16);
        rest & 0x83FF | exponent << 10
    }
}

/// M rows of K activations, as bits of `kind` (fp16 bits in the low half).
pub fn activations(pattern: Activations, seed: u32, m: usize, k: usize, kind: Type) -> Vec<u32> {
    let mut source = Source::new(seed, 1);
    let mut values = Vec::with_capacity(m * k);
    for row in 0..m {
        let huge = source.below(k as u32) as usize;
        for column in 0..k {
            let value = match pattern {
                Activations::Ones => 1.0,
                Activations::Zeros => 0.0,
                Activations::Ramp => ((5 * row + 3 * column) % 61) as f32 - 30.0,
                Activations::Ties => match column {
                    0 => 0.0,
                    1 => 255.0,
                    _ => source.below(255) as f32 + 0.5,
                },
                Activations::Normal => source.bell(),
                Activations::Wide => f16::from_bits(source.wide()).to_f32(),
                Activations::OneHuge if column == huge => {
                    [65504.0, 70000.0, -65504.0][source.below(3) as usize]
                }
                Activations::OneHuge => 1.0,
                Activations::Denormal => {
                    f16::from_bits((source.below(1024) | source.below(2) << 15) as u16).to_f32()
                }
                Activations::Extreme => {
                    [65504.0, 70000.0, -65504.0, -70000.0, 0.0, -0.0][source.below(6) as usize]
                }
                Activations::Special => match source.below(24) {
                    0 => f32::INFINITY,
                    1 => f32::NEG_INFINITY,
                    2 => f32::NAN,
                    3 => 0.0,
                    _ => source.bell(),
                },
            };
            values.push(match kind {
                Type::F16 => u32::from(f16::from_f32(value).to_bits()),
                _ => value.to_bits(),
            });
        }
    }
    values
}

/// N rows of K fp16 weights.
pub fn half_weights(pattern: WeightValues, seed: u32, n: usize, k: usize) -> Vec<u16> {
    let mut source = Source::new(seed, 2);
    let place = |i: usize| ((7 * (i / k) + 3 * (i % k)) % 41) as f32 - 20.0;
    (0..n * k)
        .map(|i| match pattern {
            WeightValues::Ones => 0x3C00,
            WeightValues::Ramp => f16::from_f32(place(i)).to_bits(),
            WeightValues::Random => f16::from_f32(source.bell()).to_bits(),
            WeightValues::Wide => source.wide(),
            WeightValues::Lowest => 0xFBFF,
        })
        .collect()
}

/// N rows of K int4 weights, -8 to 7.
pub fn int4_weights(pattern: WeightValues, seed: u32, n: usize, k: usize) -> Vec<i8> {
    let mut source = Source::new(seed, 3);
    (0..n * k)
        .map(|i| match pattern {
            WeightValues::Ones => 1,
            WeightValues::Ramp => ((7 * (i / k) + 3 * (i % k) + i % k / 16) % 16) as i8 - 8,
            WeightValues::Random | WeightValues::Wide => source.below(16) as i8 - 8,
            WeightValues::Lowest => -8,
        })
        .collect()
}

/// `count` fp16 scales.
pub fn scales(pattern: Scales, seed: u32, count: usize) -> Vec<u16> {
    let mut source = Source::new(seed, 4);
    (0..count)
        .map(|i| match pattern {
            Scales::Ones => 0x3C00,
            Scales::Steps => (0x3400 + 0x400 * (i as u16 % 5)) & 0x7C00,
            Scales::Random => f16::from_f32(source.bell() * 0.02).to_bits(),
            Scales::SomeZero if source.below(3) == 0 => 0,
            Scales::SomeZero => f16::from_f32(source.bell()).to_bits(),
            Scales::Denormal => source.below(1024) as u16 | (source.below(2) as u16) << 15,
            Scales::Huge => 0x7000,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let draw = |seed| activations(Activations::Wide, seed, 3, 40, Type::F32);
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn patterns_reach_the_edges_they_are_named_after() {
        let ties = activations(Activations::Ties, 1, 1, 64, Type::F32);
        assert!(ties[2..].iter().all(|&b| f32::from_bits(b).fract() == 0.5));
        let extreme = activations(Activations::Extreme, 1, 2, 64, Type::F32);
        assert!(extreme.contains(&70000f32.to_bits()) && extreme.contains(&0x8000_0000));
        let special = activations(Activations::Special, 1, 2, 64, Type::F16);
        assert!(special.contains(&0x7C00) && special.contains(&0x7E00));
        assert_eq!(
            scales(Scales::Huge, 1, 1),
            [f16::from_f32(8192.0).to_bits()]
        );
        assert!(scales(Scales::SomeZero, 1, 64).contains(&0));
        assert!(int4_weights(WeightValues::Random, 1, 8, 32).contains(&-8));
    }
}
