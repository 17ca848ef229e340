//! Kernels on a device over FastRPC, as `verify` sees them.
//!
//! VTCM and scratch memory hold what the device left in them: what a case asks for as poison does not reach it.
//! Checked are the result and, where the library shares memory with the DSP, the gaps between its rows.

use super::kernel::{KernelUnderTest, Outcome, Problem, RunError, Settings};
use super::native::{packed, plan_for, results, rows_with_gaps, shape};
use crate::device::stub::SENTINEL;
use crate::device::{self, Device};
use crate::kernels;
use crate::target::{Description, Target, TargetError};
use std::sync::Mutex;

/// Calls that may fail before the device is given up: each may have cost its time limit.
const PATIENCE: usize = 3;

/// The kernels of a skel on a device; one call at a time, each in a session of its own.
pub struct DeviceKernel {
    description: Description,
    state: Mutex<State>,
}

struct State {
    device: Device,
    /// Calls that failed, and why.
    failed: Vec<(Problem, Settings, String)>,
}

impl DeviceKernel {
    /// Opens the device once, so that what is missing is said before the first case.
    pub fn open(settings: device::Settings) -> Result<DeviceKernel, TargetError> {
        let device = Device::open(settings)?;
        Ok(DeviceKernel {
            description: device.describe(),
            state: Mutex::new(State {
                device,
                failed: Vec::new(),
            }),
        })
    }

    /// What the device says of itself.
    pub fn description(&self) -> &Description {
        &self.description
    }
}

impl KernelUnderTest for DeviceKernel {
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError> {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        // Shrinking asks again for what failed; a device that hangs is not asked.
        let before = state
            .failed
            .iter()
            .find(|(p, s, _)| (p, s) == (problem, settings));
        if let Some((_, _, why)) = before {
            return Err(RunError::Failed(why.clone()));
        }
        if state.failed.len() >= PATIENCE {
            return Err(RunError::Refused(format!(
                "the device was given up after {PATIENCE} failed calls"
            )));
        }
        let outcome = call(&mut state.device, problem, settings);
        if let Err(RunError::Failed(why)) = &outcome {
            state.failed.push((problem.clone(), *settings, why.clone()));
        }
        outcome
    }
}

fn call(device: &mut Device, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError> {
    let shape = shape(problem)?;
    let plan = plan_for(problem, &shape, settings)?;
    let weight = packed(problem).map_err(|e| RunError::Failed(e.to_string()))?;
    let act_stride = (problem.k + problem.act_gap) * problem.act_type.bytes();
    let out_stride = (problem.n + problem.out_gap) * problem.out_type.bytes();
    let given = kernels::Problem {
        shape,
        act: &rows_with_gaps(problem, act_stride, &[SENTINEL]),
        act_stride: act_stride as u32,
        weight: &weight,
        out_stride: out_stride as u32,
        usr: problem.usr,
    };
    match device.run_kernel(problem.kernel, &given, &plan) {
        Ok(output) => Ok(results(problem, &output.bytes, out_stride, &[SENTINEL])),
        Err(TargetError::Refused(why)) => Err(RunError::Refused(why)),
        Err(TargetError::Failed(why)) => Err(RunError::Failed(why)),
    }
}
