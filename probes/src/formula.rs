//! Integer formulas over a row and a column, such as `4*(r//2) + 1`.
//!
//! Grammar: numbers (decimal or `0x`), variables, `+ - *`, `//` (floor division),
//! `%` (the remainder that goes with it), unary `-`, parentheses.

use std::iter::Peekable;
use std::str::CharIndices;

/// Deepest nesting a formula may have.
const DEPTH: usize = 48;

/// A formula, ready to be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    text: String,
    root: Node,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Number(i64),
    Variable(usize),
    Negate(Box<Node>),
    Both(Operator, Box<Node>, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// {message} at character {at} of the formula
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {at} of the formula")]
pub struct FormulaError {
    /// Byte offset in the formula.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
}

impl Formula {
    /// Reads a formula. `variables` are the names it may use; values are given to
    /// [`Formula::value`] in the same order.
    pub fn parse(text: &str, variables: &[&str]) -> Result<Formula, FormulaError> {
        let mut parser = Parser {
            text,
            rest: text.char_indices().peekable(),
            variables,
            depth: 0,
        };
        let root = parser.sum()?;
        match parser.peek() {
            None => Ok(Formula {
                text: text.to_owned(),
                root,
            }),
            Some(c) => Err(parser.error(format!("unexpected `{c}`"))),
        }
    }

    /// The value, or `None` where it divides by zero or leaves 64 bits.
    pub fn value(&self, variables: &[i64]) -> Option<i64> {
        self.root.value(variables)
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Node {
    fn value(&self, variables: &[i64]) -> Option<i64> {
        match self {
            Node::Number(n) => Some(*n),
            Node::Variable(i) => variables.get(*i).copied(),
            Node::Negate(a) => a.value(variables)?.checked_neg(),
            Node::Both(operator, a, b) => {
                let (a, b) = (a.value(variables)?, b.value(variables)?);
                match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Multiply => a.checked_mul(b),
                    Operator::Divide => {
                        let q = a.checked_div(b)?;
                        Some(q - i64::from(a % b != 0 && (a < 0) != (b < 0)))
                    }
                    Operator::Remainder => {
                        let r = a.checked_rem(b)?;
                        Some(if r != 0 && (r < 0) != (b < 0) {
                            r + b
                        } else {
                            r
                        })
                    }
                }
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    variables: &'a [&'a str],
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        self.rest.peek().map(|&(_, c)| c)
    }

    fn at(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(i, _)| i)
    }

    fn error(&mut self, message: String) -> FormulaError {
        FormulaError {
            at: self.at(),
            message,
        }
    }

    fn sum(&mut self) -> Result<Node, FormulaError> {
        let mut left = self.term()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(left),
            };
            self.rest.next();
            let right = self.term()?;
            left = Node::Both(operator, Box::new(left), Box::new(right));
            self.deeper()?;
        }
    }

    fn term(&mut self) -> Result<Node, FormulaError> {
        let mut left = self.factor()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Operator::Multiply,
                Some('%') => Operator::Remainder,
                Some('/') => {
                    self.rest.next();
                    if self.rest.peek().map(|&(_, c)| c) != Some('/') {
                        return Err(self.error("division is written `//`".to_owned()));
                    }
                    Operator::Divide
                }
                _ => return Ok(left),
            };
            self.rest.next();
            let right = self.factor()?;
            left = Node::Both(operator, Box::new(left), Box::new(right));
            self.deeper()?;
        }
    }

    /// Counts nesting and chain length alike, so that no text can exhaust the stack.
    fn deeper(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(format!("more than {DEPTH} operations")));
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<Node, FormulaError> {
        self.deeper()?;
        let node = match self.peek() {
            Some('(') => {
                self.rest.next();
                let inner = self.sum()?;
                if self.peek() != Some(')') {
                    return Err(self.error("expected `)`".to_owned()));
                }
                self.rest.next();
                inner
            }
            Some('-') => {
                self.rest.next();
                Node::Negate(Box::new(self.factor()?))
            }
            Some(c) if c.is_ascii_alphanumeric() => self.word()?,
            Some(c) => return Err(self.error(format!("unexpected `{c}`"))),
            None => return Err(self.error("the formula ends early".to_owned())),
        };
        self.depth -= 1;
        Ok(node)
    }

    fn word(&mut self) -> Result<Node, FormulaError> {
        let at = self.at();
        let mut word = String::new();
        while let Some((_, c)) = self
            .rest
            .next_if(|(_, c)| c.is_ascii_alphanumeric() || *c == '_')
        {
            word.push(c);
        }
        if let Some(i) = self.variables.iter().position(|v| *v == word) {
            return Ok(Node::Variable(i));
        }
        let digits = word.replace('_', "");
        let number = match digits.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        number.map(Node::Number).map_err(|_| FormulaError {
            at,
            message: format!(
                "`{word}` is neither a number nor one of {}",
                self.variables.join(", ")
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, r: i64, c: i64) -> Option<i64> {
        Formula::parse(text, &["r", "c"]).unwrap().value(&[r, c])
    }

    #[test]
    fn arithmetic_follows_the_usual_precedence_and_floors() {
        assert_eq!(value("4*(r//2)+1", 5, 0), Some(9));
        assert_eq!(value("r + 2*c - 1", 3, 4), Some(10));
        assert_eq!(value("-r//2", 3, 0), Some(-2));
        assert_eq!(value("(-7) % 4", 0, 0), Some(1));
        assert_eq!(value("0x3C00 % 16", 0, 0), Some(0));
        assert_eq!(value("10 - 3 - 2", 0, 0), Some(5));
    }

    #[test]
    fn what_has_no_value_is_none() {
        assert_eq!(value("1//r", 0, 0), None);
        assert_eq!(value("1%r", 0, 0), None);
        assert_eq!(value("0x7fffffffffffffff + 1", 0, 0), None);
        assert_eq!(value("(0-0x7fffffffffffffff-1)//(0-1)", 0, 0), None);
    }

    #[test]
    fn errors_name_the_character() {
        let at = |t: &str| Formula::parse(t, &["r", "c"]).unwrap_err().at;
        assert_eq!(at("r + "), 4);
        assert_eq!(at("r / 2"), 3);
        assert_eq!(at("2 * q"), 4);
        assert_eq!(at("(r"), 2);
        assert_eq!(at("r)"), 1);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[rc0-9x()+*/% -]{0,200}", r in any::<i64>(), c in any::<i64>()) {
            if let Ok(f) = Formula::parse(&text, &["r", "c"]) {
                let _ = f.value(&[r, c]);
            }
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert!(Formula::parse(&"(".repeat(100_000), &[]).is_err());
        assert!(Formula::parse(&"-".repeat(100_000), &[]).is_err());
    }
}
