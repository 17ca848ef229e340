//! The four verdicts, and how a probe's readout gets one.

use crate::expect::{Difference, difference};
use crate::view::View;
use hmx_abi::Evidence;
use hmx_probes::{Probe, Touched};
use serde::{Deserialize, Serialize};

/// How a comparison ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Not as expected.
    Mismatch,
    /// Nothing was expected: a reading, no judgement.
    Observation,
    /// The target cannot run it.
    Refused,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Pass => "pass",
            Verdict::Mismatch => "mismatch",
            Verdict::Observation => "observation",
            Verdict::Refused => "refused",
        })
    }
}

/// What a target gave back for a probe.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The image after the first run, as long as the probe's image.
    pub image: &'a [u8],
    /// Ranges (offset, length) that neither run wrote.
    pub untouched: &'a [(u32, u32)],
    /// Ranges (offset, length) that were written and differ between the two runs.
    pub unsettled: &'a [(u32, u32)],
    /// Class of evidence of the readout.
    pub evidence: Evidence,
}

/// The outcome that a readout turned out to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matched {
    /// What it means, in the probe's words.
    pub meaning: String,
    /// Class of evidence behind the prediction.
    pub evidence: Evidence,
    /// Whether it is the one that was expected.
    pub expected: bool,
}

/// A judged probe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The probe.
    pub probe: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The readout in a few words; the reason where the probe was refused.
    pub readout: String,
    /// Class of evidence of the readout; none where the probe was refused.
    pub evidence: Option<Evidence>,
    /// The outcome that is the case, the expected one first.
    pub outcome: Option<Matched>,
    /// First difference from the expected outcome.
    pub difference: Option<Difference>,
    /// The first guard byte that was written.
    pub touched: Option<Touched>,
    /// A tile that the run changed although no readout lies there.
    pub changed_tile: Option<String>,
    /// Readout bytes (offset, length) that depend on memory no tile covers.
    pub unsettled: Option<(u32, u32)>,
    /// The decoded readouts.
    #[serde(skip)]
    pub views: Vec<View>,
}

impl Judgement {
    /// A probe that the target cannot run.
    pub fn refused(probe: &Probe, why: &str) -> Judgement {
        Judgement {
            probe: probe.name.clone(),
            verdict: Verdict::Refused,
            readout: why.to_owned(),
            evidence: None,
            outcome: None,
            difference: None,
            touched: None,
            changed_tile: None,
            unsettled: None,
            views: Vec::new(),
        }
    }

    /// Why a mismatch is one, in one line.
    pub fn why(&self) -> Option<String> {
        if let Some(touched) = &self.touched {
            return Some(touched.to_string());
        }
        if let Some(tile) = &self.changed_tile {
            return Some(format!("the run changed the staged tile `{tile}`"));
        }
        if let Some((at, len)) = self.unsettled {
            return Some(format!(
                "{len} readout bytes from {at:#x} differ between two runs: they depend on memory that no tile covers"
            ));
        }
        let difference = self.difference.as_ref()?.to_string();
        Some(match &self.outcome {
            Some(other) if !other.expected => format!("{difference}; this is: {}", other.meaning),
            _ => difference,
        })
    }
}

/// Judges a reading of a probe.
///
/// `pass`: the expected outcome is the case, no guard byte and no tile was written, and nothing
/// depends on unstaged memory. `observation`: the same, but the probe expects nothing.
/// Anything else is a `mismatch`.
pub fn judge(probe: &Probe, reading: &Reading) -> Judgement {
    let image = reading.image;
    let views = View::all(probe, image, reading.untouched);
    let differences: Vec<Option<Difference>> = probe
        .outcomes
        .iter()
        .map(|o| difference(o, probe, image, &views))
        .collect();
    let expected = probe.outcomes.iter().position(|o| o.expected);
    let holds = |i: &usize| differences[*i].is_none();
    let matched = expected
        .filter(holds)
        .or_else(|| (0..differences.len()).find(holds))
        .map(|i| &probe.outcomes[i]);
    let touched = probe.check_guards(image).err();
    let changed_tile = probe
        .tiles
        .iter()
        .find(|t| image.get(t.range()) != Some(&t.bytes[..]))
        .map(|t| t.name.clone());
    let in_readout = |&(at, len): &(u32, u32)| {
        let end = at as usize + len as usize;
        probe
            .readouts
            .iter()
            .any(|r| r.range().start < end && (at as usize) < r.range().end)
    };
    let unsettled = reading.unsettled.iter().copied().find(in_readout);
    let clean = touched.is_none() && changed_tile.is_none() && unsettled.is_none();
    let difference = expected.and_then(|i| differences[i].clone());
    let verdict = match (clean, expected) {
        (true, Some(i)) if differences[i].is_none() => Verdict::Pass,
        (true, None) => Verdict::Observation,
        _ => Verdict::Mismatch,
    };
    Judgement {
        probe: probe.name.clone(),
        verdict,
        readout: short(probe, &views),
        evidence: Some(reading.evidence),
        outcome: matched.map(|o| Matched {
            meaning: o.meaning.clone(),
            evidence: o.evidence,
            expected: o.expected,
        }),
        difference,
        touched,
        changed_tile,
        unsettled,
        views,
    }
}

/// The assembled numbers if there are any, else the readouts, in a few words.
fn short(probe: &Probe, views: &[View]) -> String {
    let skip = if probe.assembled.is_empty() {
        0
    } else {
        probe.readouts.len()
    };
    let shown = &views[skip.min(views.len())..];
    match shown {
        [one] => one.short(),
        many => {
            let each: Vec<String> = many
                .iter()
                .map(|v| format!("{}: {}", v.name, v.short()))
                .collect();
            each.join("; ")
        }
    }
}
