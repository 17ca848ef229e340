//! Running a kernel on this computer.

use super::{Fault, Kernel, KernelError, Output, Problem};
use crate::native::{Buffers, Machine, Region, ffi};
use crate::plan::Plan;
use hmx_abi::Arch;

/// Bytes of guard before and after the result and the scratch memory.
const GUARD: usize = 256;

/// How a kernel is run. Nothing here may change the result.
#[derive(Debug, Clone)]
pub struct Options {
    /// Version of the HMX.
    pub arch: Arch,
    /// What VTCM, result and scratch hold before the run, repeated. Empty: zeros.
    pub poison: Vec<u8>,
    /// A defect to plant; needs the feature `planted-faults`.
    pub fault: Option<Fault>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arch: Arch::V81,
            poison: vec![0xCC],
            fault: None,
        }
    }
}

/// Runs a kernel with a plan made for it.
pub fn run(
    kernel: Kernel,
    problem: &Problem<'_>,
    plan: &Plan,
    options: &Options,
) -> Result<Output, KernelError> {
    problem.check(kernel)?;
    let shape = &problem.shape;
    let mut vtcm = poisoned(plan.used as usize, options);
    let mut out = Guarded::new("the result", problem.out_bytes(), options);
    let scratch_bytes = shape.scratch_bytes(kernel);
    let mut scratch = Guarded::new("the scratch memory", scratch_bytes, options);
    let regions: Vec<Region> = plan.regions.iter().map(|(_, r)| *r).collect();
    let c_problem = problem.to_c(kernel, options.fault);
    let mut machine = Machine::new(options.arch, problem.usr, &mut vtcm, &regions)?;
    machine.set_poison(options.poison.first().copied().unwrap_or(0));
    let mut buffers = Buffers {
        act: problem.act,
        weight: problem.weight,
        scratch: scratch.inner(),
        out: out.inner(),
    };
    let outcome = machine.run(&mut buffers, |vtcm, operands| {
        // SAFETY: all pointers are valid for the call: `vtcm` and `operands` come from the
        // machine that is installed on this thread, the structs are borrowed here.
        unsafe { ffi::hmxwb_run_kernel(&c_problem, &plan.data, operands, vtcm) }
    })?;
    scratch.check()?;
    check_gaps(&vtcm, &regions, options)?;
    Ok(Output {
        bytes: out.check()?,
        counters: outcome.counters,
    })
}

/// Whether VTCM between the regions still holds the poison.
fn check_gaps(vtcm: &[u8], regions: &[Region], options: &Options) -> Result<(), KernelError> {
    let mut start = 0;
    let ends = regions.iter().map(|r| (r.offset as usize, r.size as usize));
    for (next, size) in ends.chain([(vtcm.len(), 0)]) {
        let changed = (start..next.min(vtcm.len())).find(|&i| vtcm[i] != poison_at(i, options));
        if let Some(at) = changed {
            return Err(KernelError::Guard {
                what: "the VTCM regions",
                at,
            });
        }
        start = next + size;
    }
    Ok(())
}

/// Byte `i` of poisoned memory.
fn poison_at(i: usize, options: &Options) -> u8 {
    match options.poison.len() {
        0 => 0,
        len => options.poison[i % len],
    }
}

/// `len` bytes of poison.
fn poisoned(len: usize, options: &Options) -> Vec<u8> {
    if options.poison.is_empty() {
        return vec![0; len];
    }
    options.poison.iter().copied().cycle().take(len).collect()
}

/// A buffer between two guards.
struct Guarded {
    what: &'static str,
    bytes: Vec<u8>,
    before: Vec<u8>,
}

impl Guarded {
    fn new(what: &'static str, len: usize, options: &Options) -> Guarded {
        let bytes = poisoned(len + 2 * GUARD, options);
        let mut before = bytes[..GUARD].to_vec();
        before.extend_from_slice(&bytes[GUARD + len..]);
        Guarded {
            what,
            bytes,
            before,
        }
    }

    fn inner(&mut self) -> &mut [u8] {
        let end = self.bytes.len() - GUARD;
        &mut self.bytes[GUARD..end]
    }

    /// The buffer, if nobody touched the guards.
    fn check(mut self) -> Result<Vec<u8>, KernelError> {
        let end = self.bytes.len() - GUARD;
        let now = self.bytes[..GUARD].iter().chain(&self.bytes[end..]);
        if let Some(at) = now.zip(&self.before).position(|(a, b)| a != b) {
            return Err(KernelError::Guard {
                what: self.what,
                at,
            });
        }
        self.bytes.truncate(end);
        self.bytes.drain(..GUARD);
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod small_numbers;
#[cfg(test)]
mod tests;
