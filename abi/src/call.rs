//! The interface of the skel (`hmxwb.idl`, `include/hmxwb_call.h`) as Rust sees it.

pub use crate::answer::{NoAnswer, digest, status_text};

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
}
