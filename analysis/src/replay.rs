//! Golden cases: one JSON object a line, with memory, a program and the exact bytes afterwards.
//!
//! `replay_case` reads a line, `replay_error` says why it cannot.

pub use crate::replay_error::Malformed;

use hmx_abi::{Arch, Program};
use hmx_model::{Fault, Hmx, Vtcm};

/// The most memory a case may span, in bytes.
pub const MAX_SPAN: u64 = 64 << 20;

/// A case that was read.
#[derive(Debug, Clone)]
pub struct Case {
    /// Name of the case.
    pub id: String,
    /// Version the bytes hold for.
    pub arch: Arch,
    /// User status register.
    pub usr: u32,
    pub(crate) poison: u8,
    pub(crate) mem: Vec<Bytes>,
    pub(crate) program: Program<u32>,
    pub(crate) expect: Vec<Bytes>,
}

/// Bytes at an address.
#[derive(Debug, Clone)]
pub(crate) struct Bytes {
    pub(crate) at: u32,
    pub(crate) bytes: Vec<u8>,
}

/// What running a case showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every expected byte is there.
    Passed,
    /// The first byte that differs.
    Differs {
        /// Its address.
        at: u32,
        /// What the case expects.
        expected: u8,
        /// What the model gave.
        found: u8,
        /// How many bytes differ in all.
        count: usize,
    },
    /// A packet was not executed.
    Faulted {
        /// Its index in the program, from 0.
        packet: usize,
        /// Why.
        fault: Fault,
    },
}

impl Case {
    /// Packets of the program.
    pub fn packets(&self) -> usize {
        self.program.len()
    }

    /// First and last address the case may use: what it names and what its operands point to.
    pub(crate) fn span(&self) -> (u64, u64) {
        let named = self.mem.iter().chain(&self.expect);
        let (start, end) = named.fold((u64::MAX, 0), |(start, end), b| {
            let at = u64::from(b.at);
            (start.min(at), end.max(at + b.bytes.len() as u64))
        });
        // Room around for croutons and vectors that are not named: they read as 0.
        const ROOM: u64 = 1 << 20;
        let start = start.min(end).saturating_sub(ROOM) & !2047;
        (start, (end + ROOM).min(1 << 32).next_multiple_of(2048))
    }

    /// Runs the case on the model, as `arch` or as the case's own version.
    pub fn run(&self, arch: Option<Arch>) -> Outcome {
        let (start, end) = self.span();
        let mut memory = vec![0; (end - start) as usize];
        let range = |at: u32, len: usize| {
            let from = (u64::from(at) - start) as usize;
            from..from + len
        };
        for piece in &self.expect {
            memory[range(piece.at, piece.bytes.len())].fill(self.poison);
        }
        for piece in &self.mem {
            memory[range(piece.at, piece.bytes.len())].copy_from_slice(&piece.bytes);
        }
        let mut hmx = Hmx::new(arch.unwrap_or(self.arch));
        hmx.set_usr(self.usr);
        let mut vtcm = Vtcm {
            base: start as u32,
            bytes: &mut memory,
        };
        for (i, packet) in self.program.iter().enumerate() {
            if let Err(fault) = hmx.execute(packet, &mut vtcm) {
                return Outcome::Faulted { packet: i, fault };
            }
        }
        let mut differing = self.expect.iter().flat_map(|piece| {
            let found = &memory[range(piece.at, piece.bytes.len())];
            let pairs = piece.bytes.iter().zip(found).enumerate();
            pairs
                .filter(|(_, (expected, found))| expected != found)
                .map(|(i, (&expected, &found))| (piece.at + i as u32, expected, found))
        });
        match differing.next() {
            None => Outcome::Passed,
            Some((at, expected, found)) => Outcome::Differs {
                at,
                expected,
                found,
                count: 1 + differing.count(),
            },
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub const GOOD: &str = r#"{"id":"x","arch":"v81","usr":0,"poison":204,
        "mem":[{"at":65536,"b64":"AQI="}],"program":["mxclracc"],
        "expect":[{"at":65536,"len":2,"b64":"AQI="}]}"#;

    #[test]
    fn a_case_passes_or_names_the_first_byte() {
        assert_eq!(Case::parse(GOOD).unwrap().run(None), Outcome::Passed);
        let other = GOOD.replacen("AQI=", "AQM=", 1);
        assert_eq!(
            Case::parse(&other).unwrap().run(None),
            Outcome::Differs {
                at: 65537,
                expected: 2,
                found: 3,
                count: 1
            }
        );
        let newer = GOOD.replace("mxclracc", "cvt.ub=acc(0x0)");
        assert!(matches!(
            Case::parse(&newer).unwrap().run(Some(Arch::V68)),
            Outcome::Faulted { packet: 0, .. }
        ));
    }
}
