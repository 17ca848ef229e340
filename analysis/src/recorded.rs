//! Silicon readings recorded by others, as data.

use hmx_abi::Arch;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One file of readings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Where the readings come from.
    pub about: String,
    /// The device.
    pub device: Device,
    /// The readings.
    pub readings: Vec<Recorded>,
}

/// The device that was read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// System on chip.
    pub soc: String,
    /// Architecture version.
    pub arch: Arch,
    /// Operating system.
    pub os: String,
}

/// One reading.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Its id; probes name it in `recorded`.
    pub id: String,
    /// Activation load and fill, in the author's words.
    pub activation: Option<String>,
    /// Weight load and fill, in the author's words.
    pub weight: Option<String>,
    /// Convert and store.
    pub convert: Option<String>,
    /// Low half of the bias entries.
    pub bias_word: Option<String>,
    /// What was read.
    pub observed: Observed,
    /// What the author made of it.
    pub claim: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// The model that was measured, for whole-network figures.
    pub model: Option<String>,
}

/// What was read. Numbers are as the author rounded them.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Observed {
    /// The same value in every cell.
    pub uniform: Option<f64>,
    /// Cells that were not zero.
    pub written: Option<usize>,
    /// Activation position that readout row `r` shows, as a formula.
    #[serde(rename = "row_r_shows_position_M")]
    pub position: Option<String>,
    /// Scale of that readout, in words: `about 1/8 of 32*(M+1)`.
    pub scale: Option<String>,
    /// Values of the first rows that hold any.
    pub row_values: Option<Vec<f64>>,
    /// Where they lie, in words.
    #[serde(rename = "where")]
    pub place: Option<String>,
    /// Values of the columns, repeated.
    pub column_values_repeat: Option<Vec<f64>>,
    /// Cells that were not zero, by Rt.
    #[serde(rename = "written_by_Rt")]
    pub written_by_rt: Option<BTreeMap<String, usize>>,
    /// Anything else.
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

impl Observed {
    /// Whether it is a readout of the matrix unit, which a probe can repeat.
    pub fn is_readout(&self) -> bool {
        self.uniform.is_some()
            || self.position.is_some()
            || self.row_values.is_some()
            || self.column_values_repeat.is_some()
            || self.written_by_rt.is_some()
    }

    /// The reading in a few words.
    pub fn short(&self) -> String {
        let list = |values: &[f64]| {
            let all: Vec<String> = values.iter().map(f64::to_string).collect();
            all.join(", ")
        };
        if let Some(v) = self.uniform {
            return format!("{v} everywhere");
        }
        if let Some(position) = &self.position {
            let scale = self.scale.as_deref().unwrap_or("unknown scale");
            return format!("row r shows M = {position}; {scale}");
        }
        if let Some(values) = &self.row_values {
            let written = self
                .written
                .map_or(String::new(), |n| format!(" ({n} written)"));
            return format!("{}, ...{written}", list(values));
        }
        if let Some(values) = &self.column_values_repeat {
            return format!("columns {}, repeated", list(values));
        }
        if let Some(counts) = &self.written_by_rt {
            let all: Vec<String> = counts
                .iter()
                .map(|(rt, n)| format!("{n} at Rt {rt}"))
                .collect();
            return format!("written: {}", all.join(", "));
        }
        let all: Vec<String> = self
            .other
            .iter()
            .map(|(k, v)| format!("{k} {}", plain(v)))
            .collect();
        all.join("; ").replace('_', " ")
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(map) => {
            let all: Vec<String> = map
                .iter()
                .map(|(k, v)| format!("{k} {}", plain(v)))
                .collect();
            all.join(", ")
        }
        other => other.to_string(),
    }
}

/// What is known about readings that a run does not simply repeat.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Documented disagreements.
    pub disagreement: Vec<Disagreement>,
    /// Readings without a staging on record.
    pub unstaged: Vec<Unstaged>,
}

/// A documented disagreement.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disagreement {
    /// The reading.
    pub id: String,
    /// The only difference that is excused.
    pub shape: Shape,
    /// The difference in words.
    pub what: String,
    /// Why it is believed to be so.
    pub why: String,
    /// Where it is written up.
    pub docs: String,
}

/// How a readout differs from a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Every 128-byte line holds the same values in another order.
    Placement,
}

/// A reading without a staging on record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unstaged {
    /// The reading.
    pub id: String,
    /// What is missing.
    pub why: String,
}

/// The X2 Elite readings of 2026-06-16.
///
/// The file is part of the program; a test reads it.
pub fn recording() -> &'static Recording {
    static FILE: LazyLock<Recording> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../recorded/x2e-v81-2026-06-16.json"))
            .expect("recorded/x2e-v81-2026-06-16.json")
    });
    &FILE
}

/// What is known about them. The file is part of the program; a test reads it.
pub fn known() -> &'static Known {
    static FILE: LazyLock<Known> = LazyLock::new(|| {
        toml::from_str(include_str!("../recorded/known.toml")).expect("recorded/known.toml")
    });
    &FILE
}

/// A reading by id.
pub fn find(id: &str) -> Option<&'static Recorded> {
    recording().readings.iter().find(|r| r.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_readout_on_record_has_a_probe_and_every_link_a_reading() {
        let linked: HashSet<&str> = hmx_probes::shipped()
            .iter()
            .flat_map(|p| p.recorded.iter().map(String::as_str))
            .collect();
        for reading in &recording().readings {
            let id = reading.id.as_str();
            assert_eq!(reading.observed.is_readout(), linked.contains(id), "{id}");
        }
        for id in linked {
            assert!(find(id).is_some(), "{id}");
        }
    }

    #[test]
    fn known_entries_name_readings() {
        let known = known();
        let ids = known.disagreement.iter().map(|d| &d.id);
        for id in ids.chain(known.unstaged.iter().map(|u| &u.id)) {
            assert!(find(id).is_some(), "{id}");
        }
    }
}
