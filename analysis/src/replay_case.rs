//! From a line of JSON to a golden case.
//!
//! Fields: `id`; `arch`; `usr` (user status register); `poison` (the byte that fills every
//! `expect` range before the program); `mem`: list of `{at, b64}` written first; `program`:
//! packets as assembly with operand values; `expect`: list of `{at, len, b64}`.

use crate::replay::{Bytes, Case, MAX_SPAN};
use crate::replay_error::Malformed;
use base64::{Engine, prelude::BASE64_STANDARD};
use hmx_abi::{Program, asm};
use serde::Deserialize;

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
    use crate::replay::tests::GOOD;

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
