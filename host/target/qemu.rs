//! The real skel under qemu-hexagon, its HMX packets on hmx-model.

use super::{Description, Job, Ran, Target, TargetError, mixed_note};
use crate::device::stub::{NoResult, Stub};
use crate::device::target::step;
use crate::qemu::guest::GuestError;
use crate::qemu::session::{CallError, GuestSession};
use crate::skel_build;
use hmx_abi::Arch;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A program that takes longer is taken for hung.
const LIMIT: Duration = Duration::from_secs(60);

/// The target `qemu`.
pub struct Qemu {
    arch: Arch,
    skel: PathBuf,
    skel_sha256: String,
    /// `None` after a failure: the next run starts a fresh guest.
    stub: Option<Stub<GuestSession>>,
}

fn failed(error: impl std::fmt::Display) -> TargetError {
    TargetError::Failed(error.to_string())
}

impl Qemu {
    /// Builds skel and runner where needed and starts the guest.
    pub fn open(arch: Arch) -> Result<Qemu, TargetError> {
        let skel = skel_build::skel(arch).map_err(failed)?;
        let bytes = std::fs::read(&skel).map_err(failed)?;
        let mut qemu = Qemu {
            arch,
            skel,
            skel_sha256: format!("{:x}", Sha256::digest(&bytes)),
            stub: None,
        };
        qemu.stub = Some(qemu.start()?);
        Ok(qemu)
    }

    fn start(&self) -> Result<Stub<GuestSession>, TargetError> {
        let session = GuestSession::open_skel(self.arch, &self.skel, LIMIT).map_err(failed)?;
        Ok(Stub::new(session, 0))
    }

    /// The guest's process number, for tests that kill it.
    pub fn process(&mut self) -> Option<u32> {
        self.stub.as_mut().map(|stub| stub.session().process())
    }
}

impl Target for Qemu {
    fn describe(&self) -> Description {
        Description {
            name: "qemu".to_owned(),
            arch: self.arch,
            skel_sha256: Some(self.skel_sha256.clone()),
            facts: BTreeMap::from([(
                "hmx".to_owned(),
                "hmx-model behind trapped instructions; no silicon".to_owned(),
            )]),
        }
    }

    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let mut stub = match self.stub.take() {
            Some(stub) => stub,
            None => self.start()?,
        };
        stub.session().reset(job.usr);
        let steps: Vec<u8> = job.program.iter().flat_map(step).collect();
        let (image, _) = match stub.probe(job.usr, &steps, &job.image) {
            Ok(answer) => answer,
            Err(NoResult::Status(answer)) => {
                self.stub = Some(stub);
                return Err(TargetError::Refused(format!(
                    "packet {}: {}",
                    answer.at + 1,
                    hmx_abi::call::status_text(answer.status)
                )));
            }
            Err(NoResult::Call(CallError::Guest(GuestError::Packet { why, .. }))) => {
                return Err(TargetError::Refused(why));
            }
            Err(error) => return Err(failed(error)),
        };
        let unit = &stub.session().unit;
        let notes = unit.mixed.iter().map(mixed_note).collect();
        let evidence = unit.evidence;
        self.stub = Some(stub);
        Ok(Ran {
            image,
            evidence,
            notes,
        })
    }
}
