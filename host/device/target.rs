//! The target `device`.

use super::preflight::preflight;
use super::settings::Settings;
use super::settle_arch::settle_arch;
use super::supervisor::{self, Report};
use super::task::{self, Driver, Opened, Task, Work};
use crate::kernels::{Counters, Kernel, Output, Problem};
use crate::native;
use crate::plan::Plan;
use crate::target::{Description, Job, Ran, Target, TargetError};
use bytemuck::{bytes_of, cast, pod_read_unaligned};
use hmx_abi::{Arch, Evidence, Packet};
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
