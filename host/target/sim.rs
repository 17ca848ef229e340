//! The simulated HMX: the probe interpreter that devices run, built for this computer. Its HMX
//! packets go to hmx-model.

use super::{Description, Job, Ran, Target, TargetError, mixed_note};
use crate::native::{NativeError, run_program};
use hmx_abi::Arch;
use std::collections::BTreeMap;

/// The target `sim`.
pub struct Sim {
    arch: Arch,
}

impl Sim {
    /// A simulator of one architecture version.
    pub fn new(arch: Arch) -> Sim {
        Sim { arch }
    }
}

impl Target for Sim {
    fn describe(&self) -> Description {
        Description {
            name: "sim".to_owned(),
            arch: self.arch,
            skel_sha256: None,
            facts: BTreeMap::new(),
        }
    }

    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let mut image = job.image.clone();
        let outcome = run_program(self.arch, job.usr, &job.program, &mut image).map_err(|e| {
            let text = e.to_string();
            match e {
                NativeError::Hmx { .. } | NativeError::Memory(_) | NativeError::TooLong => {
                    TargetError::Refused(text)
                }
                _ => TargetError::Failed(text),
            }
        })?;
        Ok(Ran {
            image,
            evidence: outcome.evidence,
            notes: outcome.mixed.iter().map(mixed_note).collect(),
        })
    }
}
