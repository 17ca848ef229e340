//! Golden cases: one JSON object a line, with memory, a program and the exact bytes afterwards.
//!
//! Fields: `id`; `arch`; `usr` (user status register); `poison` (the byte that fills every
//! `expect` range before the program); `mem`: list of `{at, b64}` written first; `program`:
//! packets as assembly with operand values; `expect`: list of `{at, len, b64}`.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmx_abi::{Arch, Program, asm};
use hmx_model::{Fault, Hmx, Vtcm};
use serde::Deserialize;

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
    poison: u8,
    mem: Vec<Bytes>,
    program: Program<u32>,
    expect: Vec<Bytes>,
}

/// Bytes at an address.
#[derive(Debug, Clone)]
struct Bytes {
    at: u32,
    bytes: Vec<u8>,
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

/// Why a line is no case.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// not a case in JSON: {0}; each line must be one object with id, arch, program and expect
    #[error(
        "not a case in JSON: {0}; each line must be one object with id, arch, program and expect"
    )]
    Json(#[from] serde_json::Error),
    /// case `{id}`: {source}
    #[error("case `{id}`: {source}")]
    Arch {
        /// The case.
        id: String,
        /// What is wrong.
        source: hmx_abi::arch::UnknownArch,
    },
    /// case `{id}`: poison {value} is no byte; use 0 to 255
    #[error("case `{id}`: poison {value} is no byte; use 0 to 255")]
    Poison {
        /// The case.
        id: String,
        /// The value.
        value: u32,
    },
    /// case `{id}`: `{list}[{index}]` is not base64: {source}; encode the bytes again
    #[error("case `{id}`: `{list}[{index}]` is not base64: {source}; encode the bytes again")]
    Base64 {
        /// The case.
        id: String,
        /// `mem` or `expect`.
        list: &'static str,
        /// Which entry.
        index: usize,
        /// What is wrong.
        source: base64::DecodeError,
    },
    /// case `{id}`: `expect[{index}]` says {len} bytes and holds {found}; make them equal
    #[error("case `{id}`: `expect[{index}]` says {len} bytes and holds {found}; make them equal")]
    Length {
        /// The case.
        id: String,
        /// Which entry.
        index: usize,
        /// The field `len`.
        len: usize,
        /// Bytes in `b64`.
        found: usize,
    },
    /// case `{id}`: `expect` is empty, so nothing would be checked; name the bytes to compare
    #[error(
        "case `{id}`: `expect` is empty, so nothing would be checked; name the bytes to compare"
    )]
    NothingExpected {
        /// The case.
        id: String,
    },
    /// case `{id}`: `{list}[{index}]` runs past the end of the 32-bit addresses; move it down
    #[error(
        "case `{id}`: `{list}[{index}]` runs past the end of the 32-bit addresses; move it down"
    )]
    Wraps {
        /// The case.
        id: String,
        /// `mem` or `expect`.
        list: &'static str,
        /// Which entry.
        index: usize,
    },
    /// case `{id}`: its addresses span {span} bytes, more than {MAX_SPAN}; move its pieces closer together
    #[error(
        "case `{id}`: its addresses span {span} bytes, more than {MAX_SPAN}; move its pieces closer together"
    )]
    Span {
        /// The case.
        id: String,
        /// Bytes from the first to the last named.
        span: u64,
    },
    /// case `{id}`, packet {packet} `{text}`: {message}
    #[error("case `{id}`, packet {packet} `{text}`: {message}")]
    Assembly {
        /// The case.
        id: String,
        /// Index in the program, from 0.
        packet: usize,
        /// The packet.
        text: String,
        /// What is wrong.
        message: String,
    },
}

#[derive(Deserialize)]
struct RawCase {
    id: String,
    arch: String,
    #[serde(default)]
    usr: u32,
    #[serde(default)]
    poison: u32,
    #[serde(default)]
    mem: Vec<RawBytes>,
    program: Vec<String>,
    expect: Vec<RawBytes>,
}

#[derive(Deserialize)]
struct RawBytes {
    at: u32,
    len: Option<usize>,
    b64: String,
}

impl Case {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Case, Malformed> {
        let raw: RawCase = serde_json::from_str(line)?;
        let id = raw.id;
        let arch = raw.arch.parse().map_err(|source| Malformed::Arch {
            id: id.clone(),
            source,
        })?;
        let poison = u8::try_from(raw.poison).map_err(|_| Malformed::Poison {
            id: id.clone(),
            value: raw.poison,
        })?;
        if raw.expect.is_empty() {
            return Err(Malformed::NothingExpected { id });
        }
        let case = Case {
            arch,
            usr: raw.usr,
            poison,
            mem: bytes(&id, "mem", raw.mem)?,
            program: program(&id, &raw.program)?,
            expect: bytes(&id, "expect", raw.expect)?,
            id,
        };
        let (start, end) = case.span();
        if end - start > MAX_SPAN {
            return Err(Malformed::Span {
                id: case.id,
                span: end - start,
            });
        }
        Ok(case)
    }

    /// Packets of the program.
    pub fn packets(&self) -> usize {
        self.program.len()
    }

    /// First and last address the case may use: what it names and what its operands point to.
    fn span(&self) -> (u64, u64) {
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

fn bytes(id: &str, list: &'static str, raw: Vec<RawBytes>) -> Result<Vec<Bytes>, Malformed> {
    let read = |(index, raw): (usize, RawBytes)| {
        let bytes = BASE64_STANDARD
            .decode(&raw.b64)
            .map_err(|source| Malformed::Base64 {
                id: id.to_owned(),
                list,
                index,
                source,
            })?;
        if u64::from(raw.at) + bytes.len() as u64 > 1 << 32 {
            let id = id.to_owned();
            return Err(Malformed::Wraps { id, list, index });
        }
        match raw.len {
            Some(len) if len != bytes.len() => Err(Malformed::Length {
                id: id.to_owned(),
                index,
                len,
                found: bytes.len(),
            }),
            _ => Ok(Bytes { at: raw.at, bytes }),
        }
    };
    raw.into_iter().enumerate().map(read).collect()
}

/// Each string must hold exactly one packet.
fn program(id: &str, packets: &[String]) -> Result<Program<u32>, Malformed> {
    let mut program = Program::new();
    for (packet, text) in packets.iter().enumerate() {
        let wrong = |message: String| Malformed::Assembly {
            id: id.to_owned(),
            packet,
            text: text.clone(),
            message,
        };
        let mut read = asm::assemble_values(text, |_| None).map_err(|e| wrong(e.to_string()))?;
        match (read.pop(), read.is_empty()) {
            (Some(one), true) => program.push(one),
            _ => return Err(wrong("write exactly one packet in each string".into())),
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"id":"x","arch":"v81","usr":0,"poison":204,
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

    #[test]
    fn every_malformed_line_is_told_apart() {
        let wrong = |from: &str, to: &str| {
            let line = GOOD.replacen(from, to, 1);
            assert_ne!(line, GOOD, "`{from}` is not in the case");
            Case::parse(&line).unwrap_err()
        };
        assert!(matches!(wrong("{", ""), Malformed::Json(_)));
        assert!(matches!(wrong("v81", "v80"), Malformed::Arch { .. }));
        assert!(matches!(wrong("204", "256"), Malformed::Poison { .. }));
        assert!(matches!(wrong("AQI=", "A"), Malformed::Base64 { .. }));
        assert!(matches!(
            wrong("\"len\":2", "\"len\":3"),
            Malformed::Length { .. }
        ));
        assert!(matches!(
            wrong("65536", "4000000000"),
            Malformed::Span { .. }
        ));
        assert!(matches!(
            wrong("mxclracc", "mxclr"),
            Malformed::Assembly { .. }
        ));
        assert!(matches!(wrong("mxclracc", ""), Malformed::Assembly { .. }));
        assert!(matches!(
            wrong("mxclracc", "mxclracc\\nmxclracc"),
            Malformed::Assembly { .. }
        ));
        let none = GOOD.split("\"expect\"").next().unwrap().to_owned() + "\"expect\":[]}";
        assert!(matches!(
            Case::parse(&none),
            Err(Malformed::NothingExpected { .. })
        ));
        // The end of the address space is no place to fall off.
        let last = GOOD.replace("65536", "4294967295");
        assert!(matches!(Case::parse(&last), Err(Malformed::Wraps { .. })));
    }
}
