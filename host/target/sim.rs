//! The simulated HMX, run straight on hmx-model.

use super::{Description, Job, Ran, Target, TargetError, relocated};
use hmx_abi::{Arch, Evidence};
use hmx_model::{Hmx, Vtcm};
use std::collections::BTreeMap;

/// Where the simulated VTCM lies. Programs are written for offset 0: with another base,
/// an address that was not moved along faults.
pub const VTCM_BASE: u32 = 0xd800_0000;

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
        let mut hmx = Hmx::new(self.arch);
        hmx.set_usr(job.usr);
        let mut evidence = Evidence::VendorModel;
        let mut notes = Vec::new();
        for (packet, number) in job.program.iter().zip(1..) {
            let mut vtcm = Vtcm {
                base: VTCM_BASE,
                bytes: &mut image,
            };
            let executed = hmx
                .execute(&relocated(packet, VTCM_BASE), &mut vtcm)
                .map_err(|fault| TargetError::Refused(format!("packet {number}: {fault}")))?;
            evidence = evidence.weaker(executed.evidence);
            if executed.mixed {
                notes.push(format!(
                    "packet {number} is mixed: one operand is float, the other integer"
                ));
            }
        }
        Ok(Ran {
            image,
            evidence,
            notes,
        })
    }
}
