//! The target `device`.

use super::settings::Settings;
use super::supervisor::{self, Report};
use super::task::{self, Driver, Opened, Task, Work};
use crate::kernels::{Counters, Kernel, Output, Problem};
use crate::native::{self, VTCM_BASE};
use crate::plan::Plan;
use crate::target::{Description, Job, Ran, Target, TargetError, mixed_note, relocated};
use bytemuck::{bytes_of, cast, pod_read_unaligned};
use hmx_abi::{Arch, Evidence, Packet};
use hmx_model::{Fault, Hmx, Vtcm};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A device that has answered once.
pub struct Device {
    settings: Settings,
    driver: Driver,
    opened: Opened,
    arch: Arch,
    skel_sha256: Option<String>,
    sequence: u32,
}

impl Device {
    /// Opens a session, asks driver and skel who they are, and closes it again.
    pub fn open(settings: Settings) -> Result<Device, TargetError> {
        let skel_sha256 = match &settings.skel {
            None => None,
            Some(file) => {
                let bytes = std::fs::read(file).map_err(|error| {
                    failed(format!(
                        "HMX_SKEL: cannot read {}: {error}; build the skel with `hmx skel build`",
                        file.display()
                    ))
                })?;
                Some(format!("{:x}", Sha256::digest(&bytes)))
            }
        };
        let task = new_task(&settings, Work::Open, first_sequence());
        let Report { reply, log, .. } =
            supervisor::supervise(&settings, &task, &[]).map_err(failed)?;
        if let Some(fault) = reply.fault {
            return Err(failed(format!("{}{log}", fault.text)));
        }
        let (Some(driver), Some(opened)) = (reply.driver, reply.opened) else {
            return Err(failed("the device job ended without a result"));
        };
        let arch = settle_arch(driver.capabilities.arch, &opened, settings.arch)?;
        Ok(Device {
            sequence: task.sequence,
            settings,
            driver,
            opened,
            arch,
            skel_sha256,
        })
    }
}

impl Device {
    fn next_task(&mut self, work: Work) -> Task {
        self.sequence = self.sequence.wrapping_add(1 << 8);
        new_task(&self.settings, work, self.sequence)
    }

    /// Runs a kernel with a plan made for its problem.
    pub fn run_kernel(
        &mut self,
        kernel: Kernel,
        problem: &Problem<'_>,
        plan: &Plan,
    ) -> Result<Output, TargetError> {
        problem
            .check(kernel)
            .map_err(|e| TargetError::Refused(e.to_string()))?;
        let scratch_len = problem.shape.scratch_bytes(kernel);
        let task = self.next_task(Work::Run {
            scratch_len,
            result_len: problem.out_bytes(),
        });
        let (c_problem, c_plan) = (problem.to_c(kernel, None), plan.data);
        let files = [
            ("problem.bin", bytes_of(&c_problem)),
            ("plan.bin", bytes_of(&c_plan)),
            ("activations.bin", problem.act),
            ("weights.bin", problem.weight),
        ];
        let report = supervisor::supervise(&self.settings, &task, &files).map_err(failed)?;
        if let Some(fault) = report.reply.fault {
            let text = format!("{}{}", fault.text, report.log);
            return Err(match fault.no_resource {
                true => TargetError::Refused(text),
                false => TargetError::Failed(text),
            });
        }
        match (report.after, report.counters) {
            (Some(bytes), Some(counters)) if counters.len() == size_of::<Counters>() => {
                Ok(Output {
                    bytes,
                    counters: pod_read_unaligned(&counters),
                })
            }
            _ => Err(failed("the device job ended without a result")),
        }
    }
}

/// Which architecture this is: the driver knows; where it does not, the user must.
fn settle_arch(
    told: Option<u32>,
    opened: &Opened,
    named: Option<Arch>,
) -> Result<Arch, TargetError> {
    let by_number = |number: u32| Arch::ALL.into_iter().find(|a| a.number() == number);
    let arch = match (told, named) {
        (Some(number), _) => by_number(number).ok_or_else(|| {
            failed(format!(
                "the driver says this DSP is v{number}, a version without HMX or one that this tool does not know; check with `hmx doctor`"
            ))
        })?,
        (None, Some(arch)) => arch,
        (None, None) => {
            return Err(failed(
                "the driver does not say which architecture this DSP is (it answers 0, which means unknown); name it with --arch",
            ));
        }
    };
    if let Some(named) = named.filter(|&named| named != arch) {
        return Err(failed(format!(
            "this DSP is {arch}, not {named}; leave --arch out, or use --target sim for {named}"
        )));
    }
    if opened.skel_arch > arch.number() {
        return Err(failed(format!(
            "the skel was built for v{}, this DSP is {arch}; build it with `hmx skel build --arch {arch}`",
            opened.skel_arch
        )));
    }
    Ok(arch)
}

/// What the model says of a program before it is sent.
struct Preflight {
    evidence: Evidence,
    notes: Vec<String>,
    /// The first packet that the model does not execute, in its words.
    fault: Option<String>,
    /// The model does not know this instruction; that is no reason not to ask silicon.
    only_unknown: bool,
}

fn preflight(job: &Job, arch: Arch) -> Preflight {
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

impl Target for Device {
    fn describe(&self) -> Description {
        let mut facts = BTreeMap::new();
        let mut fact = |name: &str, value: String| facts.insert(name.to_owned(), value);
        fact("library", self.driver.library.display().to_string());
        fact(
            "hmx",
            if self.opened.modelled {
                "hmx-model behind a stand-in library; no silicon".to_owned()
            } else {
                "hardware".to_owned()
            },
        );
        fact("session", self.settings.session.to_string());
        if let Some(pd) = self.opened.pd {
            fact("process", format!("{pd:?}").to_lowercase());
        }
        if self.opened.vtcm_bytes > 0 {
            fact("vtcm bytes", self.opened.vtcm_bytes.to_string());
        }
        Description {
            name: "device".to_owned(),
            arch: self.arch,
            skel_sha256: self.skel_sha256.clone(),
            facts,
        }
    }

    /// A program that faults in the model would crash the process on the DSP: it is refused
    /// unsent, unless the settings say `unchecked`, or the model merely does not know an
    /// instruction and real hardware is there to ask.
    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let before = preflight(job, self.arch);
        if let Some(fault) = &before.fault {
            let ask_silicon = before.only_unknown && !self.opened.modelled;
            if !ask_silicon && !self.settings.unchecked {
                return Err(TargetError::Refused(fault.clone()));
            }
        }
        let task = self.next_task(Work::Probe { usr: job.usr });
        let steps = job.program.iter().flat_map(step).collect::<Vec<u8>>();
        let files = [("program.bin", &steps[..]), ("image.bin", &job.image[..])];
        let Report {
            reply, after, log, ..
        } = supervisor::supervise(&self.settings, &task, &files).map_err(failed)?;
        if let Some(fault) = reply.fault {
            return Err(match fault {
                task::Fault {
                    refused_packet: Some(at),
                    text,
                    ..
                } => TargetError::Refused(format!("packet {}: {text}", at + 1)),
                fault => failed(format!("{}{log}", fault.text)),
            });
        }
        let (Some(image), Some(_)) = (after, reply.cycles) else {
            return Err(failed("the device job ended without a result"));
        };
        Ok(Ran {
            image,
            evidence: match (self.opened.modelled, before.fault) {
                (false, _) => Evidence::Silicon,
                (true, None) => before.evidence,
                (true, Some(_)) => Evidence::Inferred,
            },
            notes: before.notes,
        })
    }
}

/// A packet as `struct hmxwb_step`.
pub(crate) fn step(packet: &Packet<u32>) -> [u8; 32] {
    cast(native::step(packet))
}

fn new_task(settings: &Settings, work: Work, sequence: u32) -> Task {
    Task {
        work,
        skel: settings.skel_name(),
        session: settings.session,
        pd: settings.pd,
        sequence,
    }
}

/// Another number in each process, so that an answer to somebody else's call is no answer.
fn first_sequence() -> u32 {
    let clock = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.subsec_nanos());
    clock ^ std::process::id().rotate_left(16)
}

fn failed(error: impl ToString) -> TargetError {
    TargetError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(skel_arch: u32) -> Opened {
        Opened {
            skel_arch,
            ..Opened::default()
        }
    }

    fn refusal(told: Option<u32>, skel: u32, named: Option<Arch>) -> String {
        settle_arch(told, &opened(skel), named)
            .expect_err("it must be refused")
            .to_string()
    }

    #[test]
    fn the_driver_knows_the_architecture_and_the_user_where_it_does_not() {
        let settled = |told, named| settle_arch(told, &opened(0), named).ok();
        assert_eq!(settled(Some(81), None), Some(Arch::V81));
        assert_eq!(settled(Some(75), Some(Arch::V75)), Some(Arch::V75));
        assert_eq!(settled(None, Some(Arch::V73)), Some(Arch::V73));
        assert!(refusal(None, 0, None).contains("--arch"));
        assert!(refusal(Some(75), 0, Some(Arch::V81)).contains("v75, not v81"));
        assert!(refusal(Some(66), 0, None).contains("v66"));
        assert!(refusal(Some(73), 75, None).contains("hmx skel build --arch v73"));
    }
}
