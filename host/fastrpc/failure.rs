//! A FastRPC call that failed: where, with which code, and what to do.

use hmx_abi::errors::{self, Origin};
use std::fmt;

/// The steps of a session, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Allocating shared memory.
    Memory,
    /// Reserving a session other than 0.
    Reserve,
    /// Asking for an unsigned process.
    UnsignedPd,
    /// Opening the skel.
    Open,
    /// A call of a method.
    Invoke,
    /// Closing the handle.
    Close,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Memory => "allocating shared memory",
            Step::Reserve => "reserving the session",
            Step::UnsignedPd => "asking for an unsigned process on the DSP",
            Step::Open => "opening the skel on the DSP",
            Step::Invoke => "the call of the skel",
            Step::Close => "closing the session",
        })
    }
}

/// `{step} failed with {code}`, the code explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// What was tried.
    pub step: Step,
    /// What the library returned.
    pub code: u32,
}

impl Failure {
    /// The process on the DSP is gone with this code: nothing of the session can be used again.
    pub fn ends_session(self) -> bool {
        let found = errors::explain(self.code);
        matches!(found.origin, Origin::Host | Origin::Dsp)
            && matches!(found.number, 0x2e | 0x68 | 0x72)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed: {}", self.step, in_short(self.code))?;
        if self.step == Step::Invoke && self.ends_session() {
            write!(f, "; the process on the DSP is gone")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// A code in one line: name, meaning, likeliest cause, next step.
pub fn in_short(code: u32) -> String {
    let found = errors::explain(code);
    match found.entries.first() {
        Some(entry) => format!(
            "{code:#x} {} ({}); likeliest cause: {}; next: {} (`hmx explain {code:#x}` has more)",
            entry.name, entry.meaning, entry.causes[0], entry.next
        ),
        None => format!(
            "{code:#x}, a code that is not in the table; look at the library's log, then run `hmx doctor`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_what_why_and_what_next() {
        let open = Failure {
            step: Step::Open,
            code: 0x8000_0406,
        };
        let text = open.to_string();
        for part in [
            "opening the skel",
            "0x80000406 AEE_EUNABLETOLOAD",
            "ADSP_LIBRARY_PATH",
            "hmx doctor",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!open.ends_session());
    }

    #[test]
    fn codes_that_end_a_session() {
        for code in [0x2e, 0x68, 0x72, 0x8000_0472] {
            let failure = Failure {
                step: Step::Invoke,
                code,
            };
            assert!(failure.ends_session());
            assert!(failure.to_string().contains("is gone"));
        }
    }
}
