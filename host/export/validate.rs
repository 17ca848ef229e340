//! The verification that a kernel must pass to leave.

use crate::kernels::{Fault, Kernel};
use crate::verify::properties::{PROPERTIES, UNWRITTEN};
use crate::verify::{Failure, KernelUnderTest, NativeKernel, runner};
use hmx_abi::{Arch, Evidence};
use serde::{Deserialize, Serialize};

/// Architectures that an export is for: those that ggml-hexagon builds its skels for.
pub const ARCHS: [Arch; 4] = [Arch::V73, Arch::V75, Arch::V79, Arch::V81];

/// Under QEMU, the oldest and the newest: qfloat arithmetic and IEEE arithmetic.
#[cfg(target_os = "linux")]
const QEMU_ARCHS: [Arch; 2] = [Arch::V73, Arch::V81];

/// QEMU runs one case in this many: it is slower, and the code is the same.
const QEMU_SHARE: u32 = 8;

/// What to verify.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// The kernel.
    pub kernel: Kernel,
    /// Cases for each architecture in simulation.
    pub cases: u32,
    /// Seed of the cases.
    pub seed: u64,
    /// A defect to build in (only builds with the feature `planted-faults` have them).
    pub fault: Option<Fault>,
}

/// One passed run of `verify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// sim or qemu.
    pub target: String,
    /// Architecture.
    pub arch: Arch,
    /// Cases drawn; all held.
    pub cases: u32,
    /// Seed they were drawn with.
    pub seed: u64,
    /// The properties that hold for every case; docs/verify.md states them.
    pub properties: Vec<String>,
    /// How it is known that HMX does what the run took it to do.
    pub hmx: Evidence,
    /// The same for the rounding of HVX float instructions.
    pub hvx_float: Evidence,
}

/// What verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds.
    Holds {
        /// The runs.
        runs: Vec<Run>,
        /// Targets that could not run, and why.
        left_out: Vec<String>,
    },
    /// The kernel must not leave.
    Fails(Refusal),
}

/// Why a kernel must not leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where it was found.
    pub target: &'static str,
    /// Architecture.
    pub arch: Arch,
    /// The property and the cells.
    pub reason: String,
    /// The case as `hmx verify --case` takes it; none when no case failed but some could not run.
    pub case: Option<String>,
}

/// HMX and HVX float of a target. fp16 accumulation is modelled for v81 only; what HVX float
/// rounds to is our reading of the manual.
fn evidence(kernel: Kernel, arch: Arch) -> (Evidence, Evidence) {
    let hmx = match kernel.is_integer() || arch >= Arch::V81 {
        true => Evidence::VendorModel,
        false => Evidence::Inferred,
    };
    (hmx, Evidence::Inferred)
}

/// What a target checks. Under QEMU nobody watches which bytes the skel reads.
fn properties(target: &str) -> Vec<String> {
    let watched = target != "qemu";
    PROPERTIES
        .iter()
        .filter(|p| watched || **p != UNWRITTEN)
        .map(|p| (*p).to_owned())
        .collect()
}

/// How many cases [`verify`] draws.
pub fn total(cases: u32) -> u64 {
    let sim = u64::from(cases) * ARCHS.len() as u64;
    #[cfg(target_os = "linux")]
    let sim = sim + u64::from(qemu_cases(cases)) * QEMU_ARCHS.len() as u64;
    sim
}

fn qemu_cases(cases: u32) -> u32 {
    cases.div_ceil(QEMU_SHARE)
}

/// Verifies a kernel on every target of this computer. `progress` is told about each case.
///
/// # Errors
/// A target is there and broken.
pub fn verify(order: &Order, progress: &(dyn Fn() + Sync)) -> anyhow::Result<Verdict> {
    let mut runs = Vec::new();
    for arch in ARCHS {
        let native = NativeKernel {
            arch,
            fault: order.fault,
        };
        match one(order, "sim", arch, order.cases, &native, progress)? {
            Ok(run) => runs.push(run),
            Err(refusal) => return Ok(Verdict::Fails(refusal)),
        }
    }
    let mut left_out = Vec::new();
    #[cfg(target_os = "linux")]
    for arch in QEMU_ARCHS {
        use crate::qemu::{guest::GuestError, session::CallError};
        use crate::skel_build::BuildError;
        let guest = match crate::verify::QemuKernel::open(arch) {
            Ok(guest) => guest,
            Err(
                CallError::Build(BuildError::Tool(missing))
                | CallError::Guest(GuestError::Tool(missing)),
            ) => {
                left_out.push(format!("qemu ({arch}): {missing}"));
                continue;
            }
            Err(other) => return Err(other.into()),
        };
        let cases = qemu_cases(order.cases);
        match one(order, "qemu", arch, cases, &guest, progress)? {
            Ok(run) => runs.push(run),
            Err(refusal) => return Ok(Verdict::Fails(refusal)),
        }
    }
    #[cfg(not(target_os = "linux"))]
    left_out.push("qemu: runs on Linux only".to_owned());
    Ok(Verdict::Holds { runs, left_out })
}

fn one(
    order: &Order,
    target: &'static str,
    arch: Arch,
    cases: u32,
    under_test: &dyn KernelUnderTest,
    progress: &(dyn Fn() + Sync),
) -> anyhow::Result<Result<Run, Refusal>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let summaries = runner::run(
        &[order.kernel],
        cases,
        order.seed,
        threads,
        under_test,
        progress,
    )?;
    let refusal = |reason, case| Refusal {
        target,
        arch,
        reason,
        case,
    };
    for summary in &summaries {
        if let Some(Failure { case, reason }) = &summary.failure {
            return Ok(Err(refusal(reason.clone(), Some(case.to_text()))));
        }
        if summary.held != u64::from(cases) {
            let why = summary.why_refused.as_deref().unwrap_or("no reason given");
            let reason = format!("only {} of {cases} cases could run: {why}", summary.held);
            return Ok(Err(refusal(reason, None)));
        }
    }
    let (hmx, hvx_float) = evidence(order.kernel, arch);
    Ok(Ok(Run {
        target: target.to_owned(),
        arch,
        cases,
        seed: order.seed,
        properties: properties(target),
        hmx,
        hvx_float,
    }))
}
