//! What an answer of the skel is worth: whether it belongs to the question, and what its status says.

use crate::call::{ANSWER_MAGIC, Answer, CALL_VERSION, Question};

/// Why an answer is not one to the question that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// the session is dead: the call reported success, but the skel wrote no answer ({found:#x} in place of its mark); open a new session
    #[error(
        "the session is dead: the call reported success, but the skel wrote no answer ({found:#x} in place of its mark); open a new session"
    )]
    Magic {
        /// What is in place of the magic.
        found: u32,
    },
    /// the session is dead: this is the answer to call {found}, not to call {asked}; open a new session
    #[error(
        "the session is dead: this is the answer to call {found}, not to call {asked}; open a new session"
    )]
    Sequence {
        /// The question's number.
        asked: u32,
        /// The answer's number.
        found: u32,
    },
    /// the skel speaks version {found} of the interface, this tool version {CALL_VERSION}; rebuild the skel and copy it again
    #[error(
        "the skel speaks version {found} of the interface, this tool version {CALL_VERSION}; rebuild the skel and copy it again"
    )]
    Version {
        /// The answer's version.
        found: u32,
    },
    /// the answer says {said} bytes were written where {expected} were due; nothing of it is used
    #[error(
        "the answer says {said} bytes were written where {expected} were due; nothing of it is used"
    )]
    Short {
        /// Bytes due.
        expected: usize,
        /// Bytes written, as the answer says.
        said: u32,
    },
    /// the bytes that came back are not those the skel wrote (digest {found:#x}, the skel says {said:#x}); nothing of them is used
    #[error(
        "the bytes that came back are not those the skel wrote (digest {found:#x}, the skel says {said:#x}); nothing of them is used"
    )]
    Digest {
        /// Of the bytes received.
        found: u32,
        /// As the answer says.
        said: u32,
    },
}

impl Answer {
    /// Whether this answers the question.
    pub fn answers(&self, question: &Question) -> Result<(), NoAnswer> {
        if self.magic != ANSWER_MAGIC {
            return Err(NoAnswer::Magic { found: self.magic });
        }
        if self.version != CALL_VERSION {
            return Err(NoAnswer::Version {
                found: self.version,
            });
        }
        if (self.sequence, self.method) != (question.sequence, question.method) {
            return Err(NoAnswer::Sequence {
                asked: question.sequence,
                found: self.sequence,
            });
        }
        Ok(())
    }

    /// Whether an output sequence is the one the skel wrote, whole.
    pub fn vouches_for(&self, output: &[u8]) -> Result<(), NoAnswer> {
        if self.written as usize != output.len() {
            return Err(NoAnswer::Short {
                expected: output.len(),
                said: self.written,
            });
        }
        match digest(output) {
            found if found != self.digest => Err(NoAnswer::Digest {
                found,
                said: self.digest,
            }),
            _ => Ok(()),
        }
    }
}

/// FNV-1a over bytes, 32 bits.
pub fn digest(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// What a nonzero status of an answer says, and what to do.
pub fn status_text(status: u32) -> &'static str {
    match status {
        0 => "done",
        1 => "host and skel were built from different versions; rebuild the skel and copy it again",
        2 => {
            "the problem is malformed: a zero size, an unknown kernel or type, or a stride too small"
        }
        3 => "the plan does not suit the problem; make it with the planner of this version",
        4 => "a buffer is smaller than the problem says",
        5 => "this packet is none that the skel can execute",
        6 => "the model behind the skel reported a fault in this packet",
        16 => {
            "the skel does not know this question; it is of another version: rebuild it and copy it again"
        }
        17 => {
            "the DSP has no VTCM of this size to give; close other users of the NPU, or make the problem smaller"
        }
        18 => {
            "HMX could not be powered up or locked; close other users of the NPU, and check that the skel is built for this architecture"
        }
        19 => {
            "the lengths of the buffers do not fit each other; rebuild the skel and copy it again"
        }
        _ => "a status that this tool does not know; rebuild the skel and copy it again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::PROBE;

    #[test]
    fn only_the_answer_to_the_question_counts() {
        let question = Question::new(&PROBE, 7);
        let good = Answer {
            magic: ANSWER_MAGIC,
            version: CALL_VERSION,
            sequence: 7,
            method: 3,
            written: 3,
            digest: digest(b"abc"),
            ..Answer::default()
        };
        assert_eq!(good.answers(&question), Ok(()));
        assert_eq!(good.vouches_for(b"abc"), Ok(()));
        let untouched = Answer::default().answers(&question).unwrap_err();
        assert!(untouched.to_string().starts_with("the session is dead"));
        let stale = Answer {
            sequence: 6,
            ..good
        };
        assert!(matches!(
            stale.answers(&question),
            Err(NoAnswer::Sequence { asked: 7, found: 6 })
        ));
        assert!(matches!(
            good.vouches_for(b"abd"),
            Err(NoAnswer::Digest { .. })
        ));
        assert!(matches!(
            good.vouches_for(b"abcd"),
            Err(NoAnswer::Short { .. })
        ));
    }

    #[test]
    fn digest_of_known_texts() {
        assert_eq!(digest(b""), 0x811c_9dc5);
        assert_eq!(digest(b"a"), 0xe40c_292c);
        assert_eq!(digest(b"foobar"), 0xbf9c_f968);
    }
}
