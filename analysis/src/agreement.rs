//! Whether a run repeats what was recorded on silicon: computed from the recorded numbers.

use crate::comparison::{Comparison, compare};
use crate::recorded::{Recorded, find, known, recording};
use crate::verdict::{Judgement, Verdict};
use hmx_abi::Arch;
use hmx_probes::Probe;
use serde::{Deserialize, Serialize};

/// How a run stands to a recorded reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "agreement")]
pub enum Agreement {
    /// The recorded numbers came out again.
    Reproduced,
    /// They did not, in exactly the way that is documented.
    DisagreesAsDocumented {
        /// The difference, the reason and where it is written up.
        why: String,
    },
    /// They did not.
    Disagrees {
        /// The difference.
        why: String,
    },
    /// Nothing to compare.
    Observation {
        /// Why not.
        why: String,
    },
}

impl Agreement {
    /// Whether a run with this agreement is as expected.
    pub fn is_failure(&self) -> bool {
        matches!(self, Agreement::Disagrees { .. })
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Agreement::Reproduced => "reproduced",
            Agreement::DisagreesAsDocumented { .. } => "disagrees as documented",
            Agreement::Disagrees { .. } => "DISAGREES",
            Agreement::Observation { .. } => "observation",
        })
    }
}

/// The agreement of one judged probe with one reading it names.
pub fn agreement(id: &str, probe: &Probe, judgement: &Judgement, arch: Arch) -> Agreement {
    let Some(recorded) = find(id) else {
        return Agreement::Disagrees {
            why: format!("there is no recorded reading `{id}`; correct `recorded` in the probe"),
        };
    };
    let device = recording().device.arch;
    if judgement.verdict == Verdict::Refused {
        return observation(format!("the probe was not run: {}", judgement.readout));
    }
    if arch != device {
        return observation(format!("recorded on {device}, run on {arch}"));
    }
    let compared = compare(recorded, probe, &judgement.views);
    if let Some(unstaged) = known().unstaged.iter().find(|u| u.id == id) {
        let here = match compared {
            Comparison::Same => "the same number here".to_owned(),
            Comparison::Shaped(_, why) | Comparison::Different(why) => why,
        };
        return observation(format!("{}; {here}", unstaged.why));
    }
    let documented = known().disagreement.iter().find(|d| d.id == id);
    match (compared, documented) {
        (Comparison::Same, _) => Agreement::Reproduced,
        (Comparison::Shaped(shape, _), Some(d)) if d.shape == shape => {
            Agreement::DisagreesAsDocumented {
                why: format!("{}: {} ({})", d.what, d.why, d.docs),
            }
        }
        (Comparison::Shaped(_, why) | Comparison::Different(why), _) => {
            Agreement::Disagrees { why }
        }
    }
}

fn observation(why: String) -> Agreement {
    Agreement::Observation { why }
}

/// One recorded reading and how a set of runs stands to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The reading.
    pub id: String,
    /// What was recorded, in a few words.
    pub recorded: String,
    /// The probes that repeat it.
    pub probes: Vec<String>,
    /// How they stand to it.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// Every recorded reading, readouts or not, with the worst agreement among its probes.
pub fn standings(judged: &[(&Probe, &Judgement)], arch: Arch) -> Vec<Standing> {
    let rank = |a: &Agreement| match a {
        Agreement::Observation { .. } => 0,
        Agreement::Reproduced => 1,
        Agreement::DisagreesAsDocumented { .. } => 2,
        Agreement::Disagrees { .. } => 3,
    };
    let standing = |recorded: &Recorded| {
        let id = &recorded.id;
        let linked = judged.iter().filter(|(p, _)| p.recorded.contains(id));
        let all: Vec<(String, Agreement)> = linked
            .map(|(p, j)| (p.name.clone(), agreement(id, p, j, arch)))
            .collect();
        let worst = all.iter().map(|(_, a)| a).max_by_key(|a| rank(a)).cloned();
        let agreement = worst.unwrap_or_else(|| {
            observation(if recorded.observed.is_readout() {
                "no probe of this run repeats it".to_owned()
            } else {
                "no readout of the matrix unit".to_owned()
            })
        });
        Standing {
            id: id.clone(),
            recorded: recorded.observed.short(),
            probes: all.into_iter().map(|(name, _)| name).collect(),
            agreement,
        }
    };
    recording().readings.iter().map(standing).collect()
}
