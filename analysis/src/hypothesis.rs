//! Hypotheses about a weight byte, and the readings that eliminate them.

use crate::expect::rounds_to;
use crate::view::number;
use half::f16;
use hmx_abi::Evidence;
use serde::{Deserialize, Serialize};

/// One reading that hypotheses are held against: 32 channels of ones times a tile of one byte.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// A probe's name, or a recorded reading's id.
    pub source: String,
    /// Class of evidence of the reading.
    pub evidence: Evidence,
    /// Weight loader, as in the assembly.
    pub loader: String,
    /// The byte that fills the weight tile.
    pub byte: u8,
    /// What the convert multiplies the accumulator with.
    pub scale: f64,
    /// What was read.
    pub value: f64,
    /// Decimals that count, where the reading was rounded.
    pub decimals: Option<u32>,
}

/// What a weight might be: predicts the accumulator of a case.
#[derive(Debug, Clone, Copy)]
pub struct Hypothesis {
    /// In words.
    pub name: &'static str,
    /// The accumulator after 32 ones.
    pub predict: fn(&Case) -> f64,
}

/// A hypothesis and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fate {
    /// The hypothesis.
    pub hypothesis: String,
    /// The first reading that it does not predict; none if it survives.
    pub eliminated_by: Option<String>,
}

/// Sum of 32 weights when `bits`-wide fields of every byte are weights of these values.
fn sum(byte: u8, bits: u32, value: fn(u8) -> i32) -> f64 {
    let fields = 8 / bits;
    let mask = (0xFFu16 >> (8 - bits)) as u8;
    let one: i32 = (0..fields).map(|i| value(byte >> (i * bits) & mask)).sum();
    // 32 weights are 32 / fields bytes.
    f64::from(one) * 32.0 / f64::from(fields)
}

fn nibble(n: u8) -> i32 {
    i32::from(n) - if n > 7 { 16 } else { 0 }
}

fn crumb(n: u8) -> i32 {
    i32::from(n) - if n > 1 { 4 } else { 0 }
}

/// The halfword that two equal bytes make.
fn half(byte: u8) -> f64 {
    f16::from_bits(u16::from_le_bytes([byte, byte])).to_f64()
}

/// What the weights of an integer loader might be.
pub const WEIGHTS: [Hypothesis; 7] = [
    Hypothesis {
        name: "1 bit: 0, 1",
        predict: |c| sum(c.byte, 1, i32::from),
    },
    Hypothesis {
        name: "1 bit: +1, -1",
        predict: |c| sum(c.byte, 1, |b| 1 - 2 * i32::from(b)),
    },
    Hypothesis {
        name: "2 bits, two's complement",
        predict: |c| sum(c.byte, 2, crumb),
    },
    Hypothesis {
        name: "2 bits: 2, 1, -2, -1",
        predict: |c| sum(c.byte, 2, |b| [2, 1, -2, -1][usize::from(b)]),
    },
    Hypothesis {
        name: "4 bits, two's complement",
        predict: |c| sum(c.byte, 4, nibble),
    },
    Hypothesis {
        name: "4 bits, unsigned",
        predict: |c| sum(c.byte, 4, i32::from),
    },
    Hypothesis {
        name: "8 bits, two's complement",
        predict: |c| sum(c.byte, 8, |b| i32::from(b as i8)),
    },
];

/// What a packet of an integer weight load and an fp16 activation load might add up.
pub const MIXED: [Hypothesis; 5] = [
    Hypothesis {
        name: "the loader's integers times fp16",
        predict: |c| match c.loader.as_str() {
            "n" => sum(c.byte, 4, nibble),
            "sbit" => sum(c.byte, 1, |b| 1 - 2 * i32::from(b)),
            _ => sum(c.byte, 1, i32::from),
        },
    },
    Hypothesis {
        name: "int4 times fp16, whatever the loader",
        predict: |c| sum(c.byte, 4, nibble),
    },
    Hypothesis {
        name: "nothing",
        predict: |_| 0.0,
    },
    Hypothesis {
        name: "weight bytes as fp16 halfwords, all 32 channels",
        predict: |c| 32.0 * half(c.byte),
    },
    Hypothesis {
        name: HALFWORDS,
        predict: |c| half(c.byte) * if c.loader == "n" { 8.0 } else { 16.0 },
    },
];

/// The law that fits the mixed readings.
pub const HALFWORDS: &str = "weight bytes as fp16 halfwords, 16 channels (ubit, sbit) or 8 (n)";

/// Holds every hypothesis against every case.
pub fn eliminate(hypotheses: &[Hypothesis], cases: &[Case]) -> Vec<Fate> {
    let refuted = |h: &Hypothesis| {
        let wrong = |c: &&Case| !rounds_to((h.predict)(c) * c.scale, c.value, c.decimals);
        let case = cases.iter().find(wrong)?;
        Some(format!(
            "{}: predicts {}, read {} ({})",
            case.source,
            number((h.predict)(case) * case.scale),
            number(case.value),
            case.evidence
        ))
    };
    hypotheses
        .iter()
        .map(|h| Fate {
            hypothesis: h.name.to_owned(),
            eliminated_by: refuted(h),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(loader: &str, byte: u8, scale: f64, value: f64, decimals: Option<u32>) -> Case {
        Case {
            source: "test".to_owned(),
            evidence: Evidence::Silicon,
            loader: loader.to_owned(),
            byte,
            scale,
            value,
            decimals,
        }
    }

    fn survivors(hypotheses: &[Hypothesis], cases: &[Case]) -> Vec<String> {
        let fates = eliminate(hypotheses, cases).into_iter();
        fates
            .filter(|f| f.eliminated_by.is_none())
            .map(|f| f.hypothesis)
            .collect()
    }

    #[test]
    fn the_six_bytes_tell_all_kinds_of_weight_apart() {
        for h in WEIGHTS {
            let cases: Vec<Case> = [0x01, 0x0F, 0x11, 0x21, 0x33, 0xFF]
                .into_iter()
                .map(|byte| {
                    let mut c = case("x", byte, 0.5, 0.0, None);
                    c.value = (h.predict)(&c) * 0.5;
                    c
                })
                .collect();
            assert_eq!(survivors(&WEIGHTS, &cases), [h.name]);
        }
    }

    #[test]
    fn another_reading_leaves_another_or_no_hypothesis() {
        let read = |value| survivors(&WEIGHTS, &[case("ubit", 0x11, 0.5, value, None)]);
        assert_eq!(read(4.0), ["1 bit: 0, 1"]);
        assert_eq!(read(5.0), Vec::<String>::new());
        assert!(read(16.0).iter().all(|h| h.starts_with("4 bits")));
    }

    #[test]
    fn a_rounded_reading_still_tells_16_channels_from_32() {
        let cases = [
            case("ubit", 0x11, 1.0, 0.0099, Some(4)),
            case("n", 0x11, 1.0, 0.0049, Some(4)),
        ];
        assert_eq!(survivors(&MIXED, &cases), [HALFWORDS]);
        let true_product = [case("n", 0x11, 1.0, 32.0, None)];
        assert_eq!(survivors(&MIXED, &true_product).len(), 2);
    }
}
