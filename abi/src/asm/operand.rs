//! Operands: registers, numbers, names with offsets.

use super::error::AsmErrorKind;
use crate::Reg;
use std::fmt;

/// How a number joins the name before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Join {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `|`
    Or,
}

impl Join {
    fn of(c: char) -> Option<Join> {
        match c {
            '+' => Some(Join::Plus),
            '-' => Some(Join::Minus),
            '|' => Some(Join::Or),
            _ => None,
        }
    }

    fn apply(self, left: u32, right: u32) -> Option<u32> {
        match self {
            Join::Plus => left.checked_add(right),
            Join::Minus => left.checked_sub(right),
            Join::Or => Some(left | right),
        }
    }
}

/// An operand as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// `r0` to `r31`.
    Register(Reg),
    /// A number, sums worked out.
    Value(u32),
    /// A name with numbers after it: `act+0x800|3`.
    Symbol {
        /// The name.
        name: String,
        /// What follows, in order.
        then: Vec<(Join, u32)>,
    },
}

impl Default for Operand {
    fn default() -> Self {
        Operand::Value(0)
    }
}

impl Operand {
    /// Reads one operand without spaces.
    pub(super) fn read(text: &str) -> Result<Operand, AsmErrorKind> {
        let bad = || AsmErrorKind::BadOperand(text.to_owned());
        let end = text.find(|c| Join::of(c).is_some()).unwrap_or(text.len());
        let (first, mut rest) = text.split_at(end);
        let mut then = Vec::new();
        while let Some(join) = rest.chars().next().and_then(Join::of) {
            let tail = &rest[1..]; // the three signs are one byte long
            let end = tail.find(|c| Join::of(c).is_some()).unwrap_or(tail.len());
            let (number_text, after) = tail.split_at(end);
            then.push((join, number(number_text)?.ok_or_else(bad)?));
            rest = after;
        }
        if let Some(first) = number(first)? {
            let sum = then.iter().try_fold(first, |v, &(j, n)| j.apply(v, n));
            let sum = sum.ok_or_else(|| AsmErrorKind::TooBig(text.to_owned()))?;
            return Ok(Operand::Value(sum));
        }
        if let Some(digits) = first.strip_prefix(['r', 'R'])
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let reg = digits.parse().ok().and_then(Reg::new);
            let reg = reg.ok_or_else(|| AsmErrorKind::NoSuchRegister(first.to_owned()))?;
            return if then.is_empty() {
                Ok(Operand::Register(reg))
            } else {
                Err(bad())
            };
        }
        let mut chars = first.chars();
        let named = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if !named {
            return Err(bad());
        }
        Ok(Operand::Symbol {
            name: first.to_owned(),
            then,
        })
    }

    /// Its value, names looked up.
    pub(super) fn value(
        &self,
        symbol: &mut impl FnMut(&str) -> Option<u32>,
    ) -> Result<u32, AsmErrorKind> {
        match self {
            Operand::Register(_) => Err(AsmErrorKind::NeedsValue(self.to_string())),
            Operand::Value(v) => Ok(*v),
            Operand::Symbol { name, then } => {
                let start =
                    symbol(name).ok_or_else(|| AsmErrorKind::UnknownSymbol(name.clone()))?;
                then.iter()
                    .try_fold(start, |v, &(j, n)| j.apply(v, n))
                    .ok_or_else(|| AsmErrorKind::TooBig(self.to_string()))
            }
        }
    }
}

/// A number; `None` when the text does not begin like one.
fn number(text: &str) -> Result<Option<u32>, AsmErrorKind> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(None);
    }
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |h| (h, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(AsmErrorKind::BadOperand(text.to_owned()));
    }
    match u32::from_str_radix(digits, radix) {
        Ok(v) => Ok(Some(v)),
        Err(_) => Err(AsmErrorKind::TooBig(text.to_owned())),
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Register(r) => write!(f, "{r}"),
            Operand::Value(v) => write!(f, "{v:#x}"),
            Operand::Symbol { name, then } => {
                f.write_str(name)?;
                then.iter().try_for_each(|(join, n)| {
                    let sign = match join {
                        Join::Plus => '+',
                        Join::Minus => '-',
                        Join::Or => '|',
                    };
                    write!(f, "{sign}{n:#x}")
                })
            }
        }
    }
}
