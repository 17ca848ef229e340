//! Error codes as people find them in logs.

use crate::errors::{DSP_OFFSET, Side, entries};

/// `{0}` is no error code; write it in hex (0x80000406), in decimal (-1, 2147484678), or by
/// name (AEE_EUNABLETOLOAD).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no error code; write it in hex (0x80000406), in decimal (-1, 2147484678), or by name (AEE_EUNABLETOLOAD)"
)]
pub struct NotACode(pub String);

/// Reads a code as people find it in logs: hex with or without `0x`, decimal, negative, or
/// the name of the public header. Eight digits that begin with 8000, and digits with a
/// letter among them, are hex even without `0x`.
pub fn parse_code(text: &str) -> Result<u32, NotACode> {
    let refuse = || NotACode(text.to_owned());
    let trimmed = text.trim();
    if let Some(entry) = entries().iter().find(|e| named(e.name, trimmed)) {
        return match entry.side {
            Side::Dsp => Ok(DSP_OFFSET + entry.first as u32),
            _ => Ok(entry.first as u32),
        };
    }
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed),
    };
    let prefixed = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let looks_hex = digits.len() == 8 && digits.starts_with("8000")
        || digits.contains(|c: char| c.is_ascii_alphabetic());
    let value = match prefixed {
        Some(hex) => u64::from_str_radix(hex, 16),
        None if looks_hex => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    }
    .map_err(|_| refuse())?;
    if digits.contains('+') {
        return Err(refuse());
    }
    if negative {
        let value = i64::try_from(value).map_err(|_| refuse())?;
        i32::try_from(-value)
            .map(i32::cast_unsigned)
            .map_err(|_| refuse())
    } else if value >> 32 == 0xffff_ffff && value as u32 >= 0x8000_0000 {
        Ok(value as u32) // sign-extended to 64 bits by a log
    } else {
        u32::try_from(value).map_err(|_| refuse())
    }
}

/// Whether a row has this name, with or without the AEE prefix.
fn named(name: &str, text: &str) -> bool {
    name.strip_prefix("AEE_")
        .is_some_and(|bare| text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(bare))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::errors::{Origin, explain};
    use proptest::prelude::*;

    #[test]
    fn one_number_is_found_in_every_spelling() {
        for text in [
            "0x80000406",
            "0X80000406",
            "80000406",
            "2147484678",
            "-2147482618",
            "0xffffffff80000406",
        ] {
            let found = explain(parse_code(text).unwrap());
            assert_eq!(found.origin, Origin::Dsp, "{text}");
            assert_eq!(found.name(), "AEE_EUNABLETOLOAD", "{text}");
        }
        for text in ["6", "0x6", "AEE_EUNABLETOLOAD", "eunabletoload"] {
            let found = explain(parse_code(text).unwrap());
            assert_eq!((found.origin, found.number), (Origin::Host, 6), "{text}");
            assert_eq!(found.name(), "AEE_EUNABLETOLOAD", "{text}");
        }
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in [
            "",
            "-",
            "0x",
            "-0x",
            "+5",
            "0x+5",
            "zz",
            "1.5",
            "99999999999",
            "-3000000000",
        ] {
            assert_eq!(parse_code(text), Err(NotACode(text.into())), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,24}") {
            let _ = parse_code(&text);
        }
    }
}
