//! What the readings add up to: conclusions, each by elimination of hypotheses.

use crate::hypothesis::{Case, Fate, HALFWORDS, MIXED, WEIGHTS, eliminate};
use crate::recorded::recording;
use crate::verdict::Judgement;
use hmx_abi::op::{Loader, Op};
use hmx_abi::{Evidence, Inst, Packet};
use hmx_probes::Probe;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A statement and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The statement, if the readings leave only its hypothesis.
    pub statement: String,
    /// Whether they do.
    pub holds: bool,
    /// Class of evidence: the weakest among the readings and laws it needs.
    pub evidence: Evidence,
    /// The readings used.
    pub readings: Vec<String>,
    /// Every hypothesis and what became of it.
    pub hypotheses: Vec<Fate>,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.holds {
            return write!(f, "{} [{}]", self.statement, self.evidence);
        }
        let left: Vec<&str> = self
            .hypotheses
            .iter()
            .filter(|h| h.eliminated_by.is_none())
            .map(|h| h.hypothesis.as_str())
            .collect();
        write!(
            f,
            "open: {} ({} readings leave {})",
            self.statement,
            self.readings.len(),
            if left.is_empty() {
                "no hypothesis".to_owned()
            } else {
                left.join("; ")
            }
        )
    }
}

/// The conclusions that the judged probes and the recorded readings allow.
pub fn conclusions(judged: &[(&Probe, &Judgement)]) -> Vec<Conclusion> {
    let mut cases: Vec<Case> = judged
        .iter()
        .filter_map(|(p, j)| from_probe(p, j))
        .collect();
    cases.extend(recording().readings.iter().filter_map(from_recording));
    let of = |loader: &str, mixed: bool| -> Vec<Case> {
        let right = |c: &&Case| mixed == c.mixed() && (mixed || c.loader == loader);
        // A law that was fitted to readings cannot be a reading in its own support.
        let read = |c: &&Case| c.evidence != Evidence::SiliconFit;
        cases.iter().filter(right).filter(read).cloned().collect()
    };
    vec![
        conclude(
            "weight.ubit is a one-bit loader (0, 1), not int4",
            "1 bit: 0, 1",
            &WEIGHTS,
            &of("ubit", false),
            None,
        ),
        conclude(
            "the int4 loader (two's complement) is weight.n",
            "4 bits, two's complement",
            &WEIGHTS,
            &of("n", false),
            None,
        ),
        conclude(
            "there is no int4 x fp16 multiply: a packet of both reads the weight bytes as fp16 halfwords",
            HALFWORDS,
            &MIXED,
            &of("", true),
            Some(Evidence::SiliconFit),
        ),
    ]
}

fn conclude(
    statement: &str,
    hypothesis: &str,
    among: &[crate::hypothesis::Hypothesis],
    cases: &[Case],
    at_most: Option<Evidence>,
) -> Conclusion {
    let hypotheses = eliminate(among, cases);
    let left: Vec<&Fate> = hypotheses
        .iter()
        .filter(|f| f.eliminated_by.is_none())
        .collect();
    let holds = matches!(left[..], [only] if only.hypothesis == hypothesis);
    let weakest = cases
        .iter()
        .map(|c| c.evidence)
        .chain(at_most)
        .reduce(Evidence::weaker);
    Conclusion {
        statement: statement.to_owned(),
        holds,
        evidence: weakest.unwrap_or(Evidence::Inferred),
        readings: cases.iter().map(|c| c.source.clone()).collect(),
        hypotheses,
    }
}

/// Sources of cases with a float activation are marked by their name.
const MIXED_NAMES: [&str; 2] = ["mixed-", "w4a16-mixed-"];

impl Case {
    /// Whether the activations were fp16.
    fn mixed(&self) -> bool {
        MIXED_NAMES.iter().any(|n| self.source.starts_with(n))
    }
}

/// A probe of the byte families, with the same value everywhere.
fn from_probe(probe: &Probe, judgement: &Judgement) -> Option<Case> {
    let family = ["w4a8-bytes-", "w4a16-mixed-"];
    if !family.iter().any(|f| probe.name.starts_with(f)) {
        return None;
    }
    let weight = probe.program.iter().find_map(|p| match p {
        Packet::Multiply(_, weight) => Some(weight),
        Packet::Single(_) => None,
    })?;
    let tile = probe.tiles.iter().find(|t| t.at == weight.rs)?;
    let byte = *tile.bytes.first()?;
    if tile.bytes.iter().any(|b| *b != byte) {
        return None;
    }
    Some(Case {
        source: probe.name.clone(),
        evidence: judgement.evidence?,
        loader: loader(weight)?.to_owned(),
        byte,
        // Both families read the accumulator as it is.
        scale: 1.0,
        value: judgement.views.first()?.uniform()?,
        decimals: None,
    })
}

fn loader(weight: &Inst<u32>) -> Option<&'static str> {
    let Op::Weight { loader, .. } = weight.instr.op else {
        return None;
    };
    Some(match loader {
        Loader::B => "b",
        Loader::Sm => "sm",
        Loader::N => "n",
        Loader::C => "c",
        Loader::Sc => "sc",
        Loader::Ubit => "ubit",
        Loader::Sbit => "sbit",
        Loader::Hf | Loader::F8 | Loader::N2x => return None,
    })
}

/// A recorded reading of all-ones activations and a tile of one byte.
fn from_recording(recorded: &crate::recorded::Recorded) -> Option<Case> {
    let value = recorded.observed.uniform?;
    let (loader, fill) = recorded.weight.as_deref()?.split_once(", bytes 0x")?;
    let byte = u8::from_str_radix(fill.get(..2)?, 16).ok()?;
    let scale = match &recorded.bias_word {
        None => 1.0,
        // uh:2x1 with the word `exponent << 10` multiplies by 2^(exponent - 16).
        Some(word) => {
            let word = u32::from_str_radix(word.strip_prefix("0x")?, 16).ok()?;
            2f64.powi((word >> 10 & 31) as i32 - 16)
        }
    };
    let text = value.to_string();
    Some(Case {
        source: recorded.id.clone(),
        evidence: Evidence::Silicon,
        loader: loader.to_owned(),
        byte,
        scale,
        value,
        decimals: text.split_once('.').map(|(_, d)| d.len() as u32),
    })
}
