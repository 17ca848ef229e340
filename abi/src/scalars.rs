//! The FastRPC scalars word: which method, and how many buffers and handles of each kind.
//!
//! | bits | field | limit |
//! |---|---|---|
//! | 31:29 | attributes, ignored by skels | 7 |
//! | 28:24 | method | 31 |
//! | 23:16 | input buffers | 255 |
//! | 15:8 | output buffers | 255 |
//! | 7:4 | input handles | 15 |
//! | 3:0 | output handles | 15 |
//!
//! The arguments follow in that order. Source: the open FastRPC library, and its skels run
//! under emulation. Methods from 31 on use the method field 31 and carry their number in the
//! first word of the first input buffer; the interface of this workbench has five methods.

/// The largest method number with a field of its own; 31 is the escape.
pub const LAST_METHOD: u8 = 30;

/// The five counts of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scalars {
    /// Method, 0 to 31.
    pub method: u8,
    /// Input buffers.
    pub inputs: u8,
    /// Output buffers.
    pub outputs: u8,
    /// Input handles, 0 to 15.
    pub input_handles: u8,
    /// Output handles, 0 to 15.
    pub output_handles: u8,
}

/// {field} is {value}, but the scalars word holds at most {limit}; split the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}, but the scalars word holds at most {limit}; split the call")]
pub struct TooMany {
    /// Which count.
    pub field: &'static str,
    /// Its value.
    pub value: usize,
    /// The most that fits.
    pub limit: usize,
}

impl Scalars {
    /// The counts of a call without handles.
    pub fn buffers(method: u8, inputs: usize, outputs: usize) -> Result<Scalars, TooMany> {
        let fit = |field, value: usize| {
            u8::try_from(value).map_err(|_| TooMany {
                field,
                value,
                limit: 255,
            })
        };
        if method > LAST_METHOD {
            return Err(TooMany {
                field: "method",
                value: method.into(),
                limit: LAST_METHOD.into(),
            });
        }
        Ok(Scalars {
            method,
            inputs: fit("input buffers", inputs)?,
            outputs: fit("output buffers", outputs)?,
            ..Scalars::default()
        })
    }

    /// The word. Fields are cut to their width.
    pub fn word(self) -> u32 {
        u32::from(self.method & 31) << 24
            | u32::from(self.inputs) << 16
            | u32::from(self.outputs) << 8
            | u32::from(self.input_handles & 15) << 4
            | u32::from(self.output_handles & 15)
    }

    /// The fields of a word; its attribute bits are dropped, as skels do.
    pub fn from_word(word: u32) -> Scalars {
        Scalars {
            method: (word >> 24 & 31) as u8,
            inputs: (word >> 16) as u8,
            outputs: (word >> 8) as u8,
            input_handles: (word >> 4 & 15) as u8,
            output_handles: (word & 15) as u8,
        }
    }

    /// Arguments in all: the length of the argument array.
    pub fn arguments(self) -> usize {
        [
            self.inputs,
            self.outputs,
            self.input_handles & 15,
            self.output_handles & 15,
        ]
        .into_iter()
        .map(usize::from)
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_words() {
        // The vendor's calculator example: sum and max; open and close of a handle.
        assert_eq!(Scalars::buffers(2, 2, 1).unwrap().word(), 0x0202_0100);
        assert_eq!(Scalars::buffers(3, 2, 1).unwrap().word(), 0x0302_0100);
        let open = Scalars::from_word(0x0002_0001);
        assert_eq!((open.method, open.inputs, open.output_handles), (0, 2, 1));
        assert_eq!(open.arguments(), 3);
        assert_eq!(
            Scalars::from_word(0xe202_0100),
            Scalars::from_word(0x0202_0100)
        );
    }

    #[test]
    fn counts_that_do_not_fit_are_refused() {
        assert_eq!(Scalars::buffers(31, 0, 0).unwrap_err().field, "method");
        assert_eq!(
            Scalars::buffers(2, 256, 0).unwrap_err().field,
            "input buffers"
        );
        assert_eq!(
            Scalars::buffers(2, 0, 256).unwrap_err().field,
            "output buffers"
        );
    }

    proptest! {
        #[test]
        fn every_word_without_attributes_comes_back(word in 0u32..0x2000_0000) {
            prop_assert_eq!(Scalars::from_word(word).word(), word);
        }
    }
}
