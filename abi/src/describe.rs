//! What an instruction does, in one line, and how that is known: read off [`Op`].

use crate::op::{ActElem, ActMode, Format, Loader, Op, WeightMode};
use crate::{Evidence, Instr};

impl Instr {
    /// Name in C and in tables: `HMX_ACTIVATION_HF_DEEP`. Made from the syntax, unique.
    pub fn c_name(&self) -> String {
        let operation = match self.op {
            Op::LoadBias { wide: false } => return "HMX_LOAD_BIAS".into(),
            Op::LoadBias { wide: true } => return "HMX_LOAD_BIAS_WIDE".into(),
            Op::StoreBias { wide: false } => return "HMX_STORE_BIAS".into(),
            Op::StoreBias { wide: true } => return "HMX_STORE_BIAS_WIDE".into(),
            Op::ShiftAcc => return "HMX_SHIFT_ACC".into(),
            Op::ConvertStore { .. } => "CONVERT_STORE",
            Op::StoreCvt { .. } => "STORE_CVT",
            _ => "",
        };
        let words = self
            .syntax
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|w| !matches!(*w, "" | "mxmem" | "Rs" | "Rt" | "acc"))
            .filter(|w| operation.is_empty() || *w != "cvt")
            .map(str::to_ascii_uppercase);
        let parts = ["HMX".to_owned(), operation.to_owned()]
            .into_iter()
            .chain(words)
            .filter(|p| !p.is_empty());
        parts.collect::<Vec<_>>().join("_")
    }
}

impl Op {
    /// What it does, in one line. The words are those of the HMX reference.
    pub fn describe(self) -> String {
        match self {
            Op::Activation { elem, mode, cm } => {
                let order = if cm { ", channel-major" } else { "" };
                format!(
                    "Activations from Rs: {}{order}; {}.",
                    elem.describe(),
                    mode.describe()
                )
            }
            Op::Weight { loader, mode } => format!(
                "Weights from Rs: {}; {}.",
                loader.describe(),
                mode.describe()
            ),
            Op::LoadBias { wide: false } => {
                "Load the low halves of bias set Rs[1:0], 128 bytes; the high halves become 0."
                    .into()
            }
            Op::LoadBias { wide: true } => {
                "Load both halves of bias set Rs[1:0], 256 bytes.".into()
            }
            Op::StoreBias { wide: false } => {
                "Store the low halves of bias set Rs[1:0], 128 bytes.".into()
            }
            Op::StoreBias { wide: true } => {
                "Store both halves of bias set Rs[1:0], 256 bytes.".into()
            }
            Op::ConvertStore {
                after,
                retain,
                pos,
                cm,
                sat,
                format,
            } => {
                let range = match format {
                    Format::Ub | Format::UbSc0 | Format::UbSc1 => split("x", after),
                    Format::Uh2x1 | Format::Uh2x2 => split("y", after),
                    Format::Hf | Format::F8 => "all positions".to_owned(),
                };
                let overflow = match (format, sat) {
                    (Format::Hf | Format::F8, _) => "",
                    (_, true) => ", saturating",
                    (_, false) => ", wrapping",
                };
                format!(
                    "Convert the current set to {}{overflow}{}, store {range}{}; {}.",
                    format.describe(),
                    if pos { ", negatives to 0" } else { "" },
                    if cm { ", channel-major" } else { "" },
                    if retain {
                        "keep the set"
                    } else {
                        "clear the set and switch to the other"
                    }
                )
            }
            Op::Convert { format } => format!(
                "Convert the current set to {} into the convert pipeline; Rs holds the control bits.",
                format.describe()
            ),
            Op::StoreCvt { cm, deep, x2, f8 } => format!(
                "Store the {} of the convert pipeline{}{}{}, rotated by the offsets in Rs.",
                if f8 { "f8 results" } else { "result" },
                if x2 { " of `uh:2x2`" } else { "" },
                if cm { ", channel-major" } else { "" },
                if deep {
                    ", the older part from age 2"
                } else {
                    ""
                },
            ),
            Op::ClearAcc { float: false } => "Zero the fixed-point planes of both sets.".into(),
            Op::ClearAcc { float: true } => "Zero the float planes of both sets.".into(),
            Op::SwapAcc { .. } => "Switch to the other accumulator set.".into(),
            Op::ShiftAcc => "Shift every fixed-point cell of both sets left by 16.".into(),
        }
    }

    /// How [`Op::describe`] is known. Readings off a device that confirm or contradict single
    /// cases stand in the findings.
    pub fn evidence(self) -> Evidence {
        match self {
            Op::Weight {
                loader: Loader::N2x,
                ..
            }
            | Op::Convert {
                format: Format::UbSc0 | Format::UbSc1,
            } => Evidence::Inferred,
            _ => Evidence::VendorModel,
        }
    }
}

fn split(axis: &str, after: bool) -> String {
    let side = if after { "at or above" } else { "below" };
    format!("the positions with {axis} {side} the offset in Rs")
}

impl ActElem {
    fn describe(self) -> &'static str {
        match self {
            ActElem::Ub => "uint8",
            ActElem::Hf => "fp16",
            ActElem::F8 => "f8, one byte of every fp16 slot (Rs bit 0: the odd one)",
        }
    }
}

impl ActMode {
    fn describe(self) -> &'static str {
        match self {
            ActMode::Plain => "y taps 0 to the offset",
            ActMode::Deep => "(Rt>>11)+1 croutons in a row, no y taps",
            ActMode::Above => "y taps from the offset to the end of the mask",
            ActMode::Single => "the y tap at the offset only",
            ActMode::Dilate => "every second y tap from 0 to the offset",
        }
    }
}

impl Loader {
    fn describe(self) -> &'static str {
        match self {
            Loader::B => "int8, 4 stream positions in a word",
            Loader::Sm => {
                "signed bytes by magnitude (0x80 to 0xFF are -1 to -128), 4 positions in a word"
            }
            Loader::N => "int4, 8 positions in a word",
            Loader::C => "2 bits: 0, 1, -2, -1; 16 positions in a word",
            Loader::Sc => "2 bits: 2, 1, -2, -1; 16 positions in a word",
            Loader::Ubit => "1 bit: 0, 1; 32 positions in a word",
            Loader::Sbit => "1 bit: +1, -1; 32 positions in a word",
            Loader::Hf => "fp16, 2 positions in a word",
            Loader::F8 => "f8, 4 positions in a word (bytes 0, 2, 1, 3)",
            Loader::N2x => "int4, two output channels in a word, for `cvt.ub:sc0` and `:sc1`",
        }
    }
}

impl WeightMode {
    fn describe(self) -> &'static str {
        match self {
            WeightMode::Plain => "x taps 0 to the offset",
            WeightMode::Single => "the x tap at the offset only",
            WeightMode::Drop => "x taps 0 to the offset, products beyond the edge dropped",
            WeightMode::Deep => "x tap 0 only, the block twice, the second time into the other set",
            WeightMode::After => "x taps from the offset to the end of the mask",
            WeightMode::Dilate => "every second x tap from 0 to the offset",
        }
    }
}

impl Format {
    fn describe(self) -> &'static str {
        match self {
            Format::Ub => "uint8",
            Format::Uh2x1 => "uint16 from position pairs",
            Format::Uh2x2 => "uint16 from position and channel pairs",
            Format::Hf => "fp16",
            Format::F8 => "f8",
            Format::UbSc0 => "uint8, first channel of each pair (for `weight.n:2x`)",
            Format::UbSc1 => "uint8, second channel of each pair (for `weight.n:2x`)",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::instructions;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_c() {
        let names: HashSet<String> = instructions().iter().map(|i| i.c_name()).collect();
        assert_eq!(names.len(), 143);
        for name in &names {
            assert!(name.starts_with("HMX_"));
            let ok = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(ok), "{name}");
        }
        assert!(names.contains("HMX_ACTIVATION_HF_DEEP"));
        assert!(names.contains("HMX_CONVERT_STORE_BEFORE_RETAIN_SAT_UH_2X1"));
        assert!(names.contains("HMX_STORE_CVT_CM_DEEP"));
        assert!(names.contains("HMX_CVT_UH_2X2"));
        assert!(names.contains("HMX_MXCLRACC_HF"));
    }

    #[test]
    fn different_operations_read_differently() {
        let mut lines: Vec<String> = instructions().iter().map(|i| i.op.describe()).collect();
        lines.sort();
        lines.dedup();
        // Alike are: the two spellings of the swap; `:before` and `:after` of the four hf
        // converts, which do not split.
        assert_eq!(lines.len(), 143 - 1 - 4);
    }
}
