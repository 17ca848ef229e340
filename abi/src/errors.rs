//! FastRPC and loader error codes: `errors.tsv`, read once. Nothing else lists codes.
//!
//! A code made by the host's library is bare (`0xe`). A code made on the DSP carries
//! [`DSP_OFFSET`] (`0x8000040e`). Logs of other tools often print it without the offset.

pub use crate::error_text::{NotACode, parse_code};

use std::sync::LazyLock;

/// Added to every code that the DSP makes.
pub const DSP_OFFSET: u32 = 0x8000_0400;

/// Numbers with the DSP offset end here; above, they are something else.
const DSP_END: u32 = DSP_OFFSET + 0x400;

/// Where a row of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Only for a bare code, made by the host.
    Host,
    /// Only for a code with the DSP offset.
    Dsp,
    /// For both.
    Any,
    /// A small negative number: an errno of the kernel.
    Errno,
    /// A decimal number of the QNN layer above FastRPC.
    Qnn,
}

/// One row of `errors.tsv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it holds.
    pub side: Side,
    /// First number, offset stripped; negative for an errno.
    pub first: i64,
    /// Last number: the same as `first` but for ranges.
    pub last: i64,
    /// Name in the public header, or a remark in brackets.
    pub name: &'static str,
    /// The layer that makes it.
    pub layer: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// Likely causes, likeliest first.
    pub causes: Vec<&'static str>,
    /// What to do next.
    pub next: &'static str,
    /// How we know: `header` (public header), `code` (read in, or run against, the open
    /// library), `report` (users' reports). None of it was tried on a device by us.
    pub source: &'static str,
}

/// Every row, in the order of `errors.tsv`.
pub fn entries() -> &'static [Entry] {
    static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        include_str!("../errors.tsv")
            .lines()
            .skip(1)
            .map(row)
            .collect()
    });
    &TABLE
}

/// The table is part of the program: a row that cannot be read is a defect of this crate,
/// and the tests read every row.
fn row(line: &'static str) -> Entry {
    let cells: Vec<&str> = line.split('\t').collect();
    let side = match cells[0] {
        "host" => Side::Host,
        "dsp" => Side::Dsp,
        "any" => Side::Any,
        "errno" => Side::Errno,
        "qnn" => Side::Qnn,
        other => panic!("errors.tsv: unknown side `{other}`"),
    };
    let number = |text: &str| {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let digits = digits.strip_prefix("0x").expect("errors.tsv: number");
        sign * i64::from_str_radix(digits, 16).expect("errors.tsv: number")
    };
    let (first, last) = match cells[1].get(1..).and_then(|rest| rest.find('-')) {
        Some(dash) => (number(&cells[1][..=dash]), number(&cells[1][dash + 2..])),
        None => (number(cells[1]), number(cells[1])),
    };
    Entry {
        side,
        first,
        last,
        name: cells[2],
        layer: cells[3],
        meaning: cells[4],
        causes: cells[5].split(" | ").collect(),
        next: cells[6],
        source: cells[7],
    }
}

/// Who made a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The DSP: the code carries the offset.
    Dsp,
    /// The host's library, or a tool that strips the offset.
    Host,
    /// The kernel: a negative errno that no layer translated.
    Kernel,
    /// No range we know.
    Unknown,
}

/// A code and what the table has for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The code as the library returns it.
    pub code: u32,
    /// Who made it.
    pub origin: Origin,
    /// The number without the DSP offset; negative for an errno.
    pub number: i64,
    /// Matching rows, best first. Empty for a code that is not in the table.
    pub entries: Vec<&'static Entry>,
}

impl Explanation {
    /// The name of the best row, or a plain statement that there is none.
    pub fn name(&self) -> &'static str {
        self.entries
            .first()
            .map_or("a code that is not in the table", |e| e.name)
    }
}

/// Looks a code up.
pub fn explain(code: u32) -> Explanation {
    let (origin, number) = match code {
        DSP_OFFSET..DSP_END => (Origin::Dsp, i64::from(code - DSP_OFFSET)),
        0xffff_f001.. => (Origin::Kernel, i64::from(code.cast_signed())),
        0..0x8000_0000 => (Origin::Host, i64::from(code)),
        _ => (Origin::Unknown, i64::from(code)),
    };
    // A bare number may be a DSP code whose offset a tool has stripped: its row comes last.
    let order: &[Side] = match origin {
        Origin::Dsp => &[Side::Dsp, Side::Any],
        Origin::Host => &[Side::Host, Side::Any, Side::Qnn, Side::Dsp],
        Origin::Kernel => &[Side::Errno],
        Origin::Unknown => &[],
    };
    let matching = |side: Side| {
        entries()
            .iter()
            .filter(move |e| e.side == side && (e.first..=e.last).contains(&number))
    };
    Explanation {
        code,
        origin,
        number,
        entries: order.iter().flat_map(|&side| matching(side)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_row_is_read_and_says_what_to_do() {
        assert!(entries().len() > 60);
        for (i, a) in entries().iter().enumerate() {
            assert!(a.first <= a.last, "{}", a.name);
            assert!(!a.next.is_empty() && a.causes.iter().all(|c| !c.is_empty()));
            assert!(matches!(a.source, "header" | "code" | "report"));
            for b in &entries()[..i] {
                let overlap = a.first <= b.last && b.first <= a.last;
                assert!(a.side != b.side || !overlap, "{} / {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn host_and_dsp_rows_of_one_number_differ() {
        let host = explain(0x200);
        assert!(host.entries[0].causes[0].starts_with("session limit"));
        assert_eq!(host.entries[1].side, Side::Dsp);
        let dsp = explain(0x8000_0600);
        assert_eq!(dsp.number, 0x200);
        assert!(dsp.entries[0].causes[0].contains("shell"));
    }

    #[test]
    fn negative_numbers_are_errno_and_qnn_numbers_are_decimal() {
        assert_eq!(explain(parse_code("-1").unwrap()).origin, Origin::Kernel);
        assert!(explain(u32::MAX).name().contains("EPERM"));
        assert_eq!(explain(parse_code("-22").unwrap()).name(), "EINVAL");
        assert_eq!(explain(1002).entries[0].side, Side::Qnn);
        assert_eq!(explain(0x8000_0600).origin, Origin::Dsp);
        assert_eq!(explain(0x8000_0560).name(), "(range)");
    }

    proptest! {
        #[test]
        fn every_code_comes_back_from_hex_and_decimal(code: u32) {
            prop_assert_eq!(parse_code(&format!("{code:#x}")), Ok(code));
            prop_assert_eq!(parse_code(&format!("{}", code.cast_signed())), Ok(code));
            let found = explain(code);
            prop_assert_eq!(found.origin == Origin::Dsp, (0x8000_0400..0x8000_0800).contains(&code));
        }
    }
}
