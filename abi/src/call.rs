//! The interface of the skel (`hmxwb.idl`, `include/hmxwb_call.h`) as Rust sees it.

use crate::wire::{Arg, Method};
use bytemuck::{Pod, Zeroable};

/// Version of the structures in this module.
pub const CALL_VERSION: u32 = 1;
/// "HMX?"
pub const QUESTION_MAGIC: u32 = u32::from_le_bytes(*b"HMX?");
/// "HMX!"
pub const ANSWER_MAGIC: u32 = u32::from_le_bytes(*b"HMX!");

/// `struct hmxwb_question`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Question {
    /// [`QUESTION_MAGIC`]
    pub magic: u32,
    /// [`CALL_VERSION`]
    pub version: u32,
    /// Another one for each call.
    pub sequence: u32,
    /// Number of the method.
    pub method: u32,
}

/// `struct hmxwb_answer`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Answer {
    /// [`ANSWER_MAGIC`]
    pub magic: u32,
    /// [`CALL_VERSION`]
    pub version: u32,
    /// The question's.
    pub sequence: u32,
    /// The question's.
    pub method: u32,
    /// 0, or why the skel did not do it: [`status_text`].
    pub status: u32,
    /// Index of the packet that did not run, where one is meant.
    pub at: u32,
    /// Code of the DSP service that refused, where one did.
    pub detail: u32,
    /// Bytes of the output sequence that are filled.
    pub written: u32,
    /// [`digest`] of those bytes.
    pub digest: u32,
    /// Zero.
    pub reserved: u32,
    /// Processor cycles between first and last packet; 0: not counted.
    pub cycles: u64,
}

/// `struct hmxwb_facts`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Facts {
    /// Version of `hmxwb.h` that the skel was built with.
    pub abi_version: u32,
    /// Architecture it was compiled for; 0: not for Hexagon.
    pub arch: u32,
    /// [`RUNS_ON_SILICON`] or [`RUNS_ON_MODEL`].
    pub runs_on: u32,
    /// VTCM of the device in bytes; 0: not known.
    pub vtcm_bytes: u32,
    /// Largest piece of VTCM to be had; 0: not known.
    pub vtcm_free: u32,
    /// Zero.
    pub reserved: [u32; 3],
}

/// The HMX instructions of this skel are executed by hardware.
pub const RUNS_ON_SILICON: u32 = 1;
/// The HMX instructions of this skel are executed by hmx-model.
pub const RUNS_ON_MODEL: u32 = 2;

const QUESTION: Arg = Arg::In { size: 16, align: 4 };
const ANSWER: Arg = Arg::Out { size: 48, align: 8 };
/// Size of `struct hmxwb_problem`.
pub const PROBLEM_SIZE: usize = 48;
/// Size of `struct hmxwb_plan`.
pub const PLAN_SIZE: usize = 160;
/// Size of `struct hmxwb_counters`.
pub const COUNTERS_SIZE: usize = 176;
const _: () = {
    assert!(size_of::<Question>() == 16 && align_of::<Question>() == 4);
    assert!(size_of::<Answer>() == 48 && align_of::<Answer>() == 8);
    assert!(size_of::<Facts>() == 32 && align_of::<Facts>() == 4);
};

/// `info(in question, rout answer, rout facts)`
pub const INFO: Method = Method {
    number: 2,
    args: &[QUESTION, ANSWER, Arg::Out { size: 32, align: 4 }],
};

/// `probe(in question, in usr, in program, in image, rout answer, rout after)`
pub const PROBE: Method = Method {
    number: 3,
    args: &[
        QUESTION,
        Arg::In { size: 4, align: 4 },
        Arg::InBytes,
        Arg::InBytes,
        ANSWER,
        Arg::OutBytes,
    ],
};

/// `run(in question, in problem, in plan, in activations, in weights, rout answer, rout counters, rout scratch, rout result)`
pub const RUN: Method = Method {
    number: 4,
    args: &[
        QUESTION,
        Arg::In {
            size: PROBLEM_SIZE,
            align: 4,
        },
        Arg::In {
            size: PLAN_SIZE,
            align: 4,
        },
        Arg::InBytes,
        Arg::InBytes,
        ANSWER,
        Arg::Out {
            size: COUNTERS_SIZE,
            align: 8,
        },
        Arg::OutBytes,
        Arg::OutBytes,
    ],
};

impl Question {
    /// The head of a call.
    pub fn new(method: &Method, sequence: u32) -> Question {
        Question {
            magic: QUESTION_MAGIC,
            version: CALL_VERSION,
            sequence,
            method: method.number.into(),
        }
    }
}

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

    #[test]
    fn scalars_and_layouts_of_the_methods() {
        assert_eq!(INFO.scalars().unwrap().word(), 0x0201_0100);
        assert_eq!(PROBE.scalars().unwrap().word(), 0x0303_0200);
        assert_eq!(RUN.scalars().unwrap().word(), 0x0403_0300);
        assert_eq!(PROBE.shared_in().unwrap().size, 16 + 4 + 3 * 4);
        assert_eq!(
            RUN.shared_in().unwrap().size,
            16 + PROBLEM_SIZE + PLAN_SIZE + 16
        );
        assert_eq!(RUN.shared_out().unwrap().size, 48 + COUNTERS_SIZE);
    }

    #[test]
    fn the_idl_declares_these_methods_in_this_order() {
        let idl = include_str!("../hmxwb.idl");
        let interface = &idl[idl.find("interface hmxwb").unwrap()..];
        let declared: Vec<&str> = interface
            .lines()
            .filter_map(|line| line.trim().strip_prefix("long "))
            .filter_map(|line| line.split('(').next())
            .collect();
        assert_eq!(declared, ["info", "probe", "run"]);
        for (method, number) in [INFO, PROBE, RUN].iter().zip(2..) {
            assert_eq!(method.number, number);
        }
    }

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
