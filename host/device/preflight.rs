//! A program on the model, before a device gets it.

use crate::native::VTCM_BASE;
use crate::target::{Job, mixed_note, relocated};
use hmx_abi::{Arch, Evidence};
use hmx_model::{Fault, Hmx, Vtcm};

/// What the model says of a program before it is sent.
pub struct Preflight {
    /// Class of evidence of the program's effect.
    pub evidence: Evidence,
    /// Remarks on packets.
    pub notes: Vec<String>,
    /// The first packet that the model does not execute, in its words.
    pub fault: Option<String>,
    /// The model does not know this instruction; that is no reason not to ask silicon.
    pub only_unknown: bool,
}

/// Runs the program on the model, up to the first packet that it does not execute.
pub fn preflight(job: &Job, arch: Arch) -> Preflight {
    let mut image = job.image.clone();
    let mut hmx = Hmx::new(arch);
    hmx.set_usr(job.usr);
    let mut found = Preflight {
        evidence: Evidence::VendorModel,
        notes: Vec::new(),
        fault: None,
        only_unknown: false,
    };
    for (packet, number) in job.program.iter().zip(1..) {
        let mut vtcm = Vtcm {
            base: VTCM_BASE,
            bytes: &mut image,
        };
        match hmx.execute(&relocated(packet, VTCM_BASE), &mut vtcm) {
            Ok(executed) => {
                found.evidence = found.evidence.weaker(executed.evidence);
                if executed.mixed {
                    found.notes.push(mixed_note(number));
                }
            }
            Err(fault) => {
                found.only_unknown = is_unknown(&fault);
                found.fault = Some(format!("packet {number}: {fault}"));
                break;
            }
        }
    }
    found
}

/// The model has no law for this, but a device may well execute it.
fn is_unknown(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Unsupported { .. } | Fault::UnknownMix { .. } | Fault::UnknownFeedback { .. }
    )
}
