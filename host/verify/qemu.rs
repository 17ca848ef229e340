//! Kernels in the real skel under QEMU, as `verify` sees them.
//!
//! The skel's own loads and stores are not watched as they are on this computer: what is
//! checked here is the result, the gaps between its rows and the memory around the buffers.

use super::kernel::{Broken, KernelUnderTest, Outcome, Problem, RunError, Settings};
use super::native::{packed, plan_for, poison_bytes, results, rows_with_gaps, shape};
use crate::device::stub::{KernelCall, NoResult, SENTINEL, Stub};
use crate::kernels::{self, Kernel};
use crate::qemu::cost::Cost;
use crate::qemu::guest::GuestError;
use crate::qemu::session::{CallError, GuestSession};
use crate::skel_build;
use hmx_abi::Arch;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// A kernel call that takes longer is taken for hung.
const LIMIT: Duration = Duration::from_secs(120);

/// The kernels of a skel in qemu guests, one guest for each caller at a time.
pub struct QemuKernel {
    idle: Mutex<Vec<Stub<GuestSession>>>,
    /// Asks for one more guest.
    more: Sender<Sender<Result<GuestSession, CallError>>>,
}

impl QemuKernel {
    /// Builds skel and runner where needed and starts a guest, so that what is missing is
    /// said before the first case.
    pub fn open(arch: Arch) -> Result<QemuKernel, CallError> {
        let skel = skel_build::skel(arch)?;
        let (more, asked) = channel::<Sender<_>>();
        // A guest ends with the thread that started it, so one thread starts them all; it
        // ends when `more` is dropped.
        std::thread::spawn(move || {
            for answer in asked {
                let _ = answer.send(GuestSession::open_skel(arch, &skel, LIMIT));
            }
        });
        let kernel = QemuKernel {
            idle: Mutex::default(),
            more,
        };
        kernel.put_back([kernel.start()?]);
        Ok(kernel)
    }

    fn start(&self) -> Result<Stub<GuestSession>, CallError> {
        let (answer, answered) = channel();
        let gone = |what: &str| CallError::Guest(GuestError::Gone(what.to_owned()));
        let asked = self.more.send(answer);
        asked.map_err(|_| gone("nobody starts one"))?;
        let session = answered.recv().map_err(|_| gone("it was not started"))??;
        Ok(Stub::new(session, 0))
    }

    fn put_back(&self, guests: impl IntoIterator<Item = Stub<GuestSession>>) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.extend(guests);
        }
    }

    /// Runs one problem and tells what it took.
    pub fn run_counted(
        &self,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<(Outcome, Cost), RunError> {
        let failed = |e: &dyn std::fmt::Display| RunError::Failed(e.to_string());
        let shape = shape(problem)?;
        let plan = plan_for(problem, &shape, settings)?;
        let weight = packed(problem).map_err(|e| failed(&e))?;
        let act_stride = (problem.k + problem.act_gap) * problem.act_type.bytes();
        let out_stride = (problem.n + problem.out_gap) * problem.out_type.bytes();
        let act = rows_with_gaps(problem, act_stride, &[SENTINEL]);
        let given = kernels::Problem {
            shape,
            act: &act,
            act_stride: act_stride as u32,
            weight: &weight,
            out_stride: out_stride as u32,
            usr: problem.usr,
        };
        given.check(problem.kernel).map_err(|e| failed(&e))?;
        let scratch_len = match problem.kernel {
            Kernel::W4A16Twopass => given.shape.weight_bytes(Kernel::Hf),
            _ => 0,
        };
        let c_problem = given.to_c(problem.kernel, None);
        let call = KernelCall {
            problem: bytemuck::bytes_of(&c_problem),
            plan: bytemuck::bytes_of(&plan.data),
            activations: &act,
            weights: &weight,
            scratch_len,
            result_len: given.out_bytes(),
        };
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut stub = match waiting {
            Some(stub) => stub,
            None => self.start().map_err(|e| Broken(e.to_string()))?,
        };
        stub.session().reset(problem.usr);
        let poison = poison_bytes(settings.poison);
        stub.session().poison(&poison, plan.used as usize);
        match stub.run(&call) {
            Ok(computed) => {
                let cost = stub.session().cost;
                self.put_back([stub]);
                let outcome = results(problem, &computed.result, out_stride, &[SENTINEL]);
                Ok((outcome, cost))
            }
            Err(NoResult::Call(CallError::TooLarge { needed, there })) => {
                self.put_back([stub]);
                Err(RunError::Refused(format!(
                    "{needed} bytes of buffers, the guest has {there}"
                )))
            }
            // Ended from outside, or by QEMU itself: the kernel has no way to do that.
            Err(NoResult::Call(CallError::Guest(
                error @ (GuestError::Gone(_) | GuestError::System(_)),
            ))) => Err(Broken(error.to_string()).into()),
            Err(error) => Err(failed(&error)),
        }
    }
}

impl KernelUnderTest for QemuKernel {
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError> {
        Ok(self.run_counted(problem, settings)?.0)
    }
}
