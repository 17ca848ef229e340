//! Draws cases, checks them on every core, and shrinks what fails.

use super::case::Case;
use super::kernel::{Broken, Kernel, KernelUnderTest};
use super::properties::{Unmet, check};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Cases drawn from one seed of the generator; a run is made of such batches.
const BATCH: u32 = 50;
/// Steps of shrinking before the smallest case so far is taken.
const SHRINKING: u32 = 400;

/// A case that breaks a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The smallest case that was found.
    pub case: Case,
    /// Which property breaks, and where.
    pub reason: String,
}

/// What a run over one kernel found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The kernel.
    pub kernel: Kernel,
    /// Cases that hold.
    pub held: u64,
    /// Cases that the target refused.
    pub refused: u64,
    /// Why it refused one of them.
    pub why_refused: Option<String>,
    /// The failure, if there was one. No further cases are drawn for this kernel then.
    pub failure: Option<Failure>,
}

/// What came of cases that were checked again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replay {
    /// Why the target refused one of the cases, if it did.
    pub refused: Option<String>,
    /// The first case that fails.
    pub failure: Option<Failure>,
}

/// Checks cases again that were saved before: the first that fails ends it. They are not shrunk further.
///
/// # Errors
/// The target broke.
pub fn replay(cases: &[Case], under_test: &dyn KernelUnderTest) -> Result<Replay, Broken> {
    let mut replay = Replay::default();
    for &case in cases {
        match check(&case, under_test) {
            Ok(()) => {}
            Err(Unmet::Refused(why)) => replay.refused = Some(why),
            Err(Unmet::Property(reason)) => {
                replay.failure = Some(Failure { case, reason });
                break;
            }
            Err(Unmet::Broken(broken)) => return Err(broken),
        }
    }
    Ok(replay)
}

/// Draws `cases` cases for each kernel and checks them on `threads` threads. The same seed draws the same cases,
/// whatever the number of threads. `progress` is told about each case.
///
/// # Errors
/// The target broke: no further case is checked, and what was found so far says nothing.
pub fn run(
    kernels: &[Kernel],
    cases: u32,
    seed: u64,
    threads: usize,
    under_test: &dyn KernelUnderTest,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<Summary>, Broken> {
    let tallies: Vec<Tally> = kernels.iter().map(|&kernel| Tally::new(kernel)).collect();
    let broken = OnceLock::new();
    let batches: Vec<(&Tally, u32)> = (0..cases.div_ceil(BATCH))
        .flat_map(|batch| tallies.iter().map(move |tally| (tally, batch)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, batches.len().max(1)) {
            scope.spawn(|| {
                while let Some(&(tally, batch)) = batches.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let count = BATCH.min(cases - batch * BATCH);
                    tally.run_batch(batch, count, seed, under_test, progress, &broken);
                }
            });
        }
    });
    match broken.into_inner() {
        Some(broken) => Err(broken),
        None => Ok(tallies.into_iter().map(Tally::summary).collect()),
    }
}

/// Counts of one kernel, shared by the threads.
struct Tally {
    kernel: Kernel,
    held: AtomicU64,
    refused: AtomicU64,
    why_refused: OnceLock<String>,
    /// The failure of the earliest batch, so that the outcome does not depend on the threads.
    failure: Mutex<Option<(u32, Failure)>>,
}

impl Tally {
    fn new(kernel: Kernel) -> Tally {
        Tally {
            kernel,
            held: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            why_refused: OnceLock::new(),
            failure: Mutex::new(None),
        }
    }

    fn failed_before(&self, batch: u32) -> bool {
        let failure = self.failure.lock().unwrap_or_else(|e| e.into_inner());
        failure.as_ref().is_some_and(|(at, _)| *at <= batch)
    }

    fn run_batch(
        &self,
        batch: u32,
        count: u32,
        seed: u64,
        under_test: &dyn KernelUnderTest,
        progress: &(dyn Fn() + Sync),
        broken: &OnceLock<Broken>,
    ) {
        if self.failed_before(batch) {
            return;
        }
        let breaks = |why| {
            broken.get_or_init(|| why);
            TestCaseError::reject("the target broke")
        };
        let config = Config {
            cases: count,
            failure_persistence: None,
            max_shrink_iters: SHRINKING,
            // Cases are rejected only after the target broke.
            max_global_rejects: 0,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &rng_seed(seed, self.kernel, batch));
        let outcome =
            TestRunner::new_with_rng(config, rng).run(&Case::strategy(self.kernel), |case| {
                if let Some(broken) = broken.get() {
                    return Err(breaks(broken.clone()));
                }
                match check(&case, under_test) {
                    Ok(()) => self.held.fetch_add(1, Ordering::Relaxed),
                    Err(Unmet::Refused(why)) => {
                        self.why_refused.get_or_init(|| why);
                        self.refused.fetch_add(1, Ordering::Relaxed)
                    }
                    Err(Unmet::Property(reason)) => return Err(TestCaseError::fail(reason)),
                    Err(Unmet::Broken(why)) => return Err(breaks(why)),
                };
                progress();
                Ok(())
            });
        let failure = match outcome {
            Ok(()) => return,
            Err(TestError::Fail(_, case)) => Failure {
                case,
                // The reason of the smallest case, not of the first that failed.
                reason: match check(&case, under_test) {
                    Ok(()) | Err(Unmet::Refused(_)) => UNSTABLE.to_owned(),
                    Err(Unmet::Property(reason)) => reason,
                    Err(Unmet::Broken(why)) => {
                        breaks(why);
                        return;
                    }
                },
            },
            Err(TestError::Abort(_)) => return, // the target broke
        };
        let mut slot = self.failure.lock().unwrap_or_else(|e| e.into_inner());
        if slot.as_ref().is_none_or(|(at, _)| batch < *at) {
            *slot = Some((batch, failure));
        }
    }

    fn summary(self) -> Summary {
        let failure = self.failure.into_inner().unwrap_or_else(|e| e.into_inner());
        Summary {
            kernel: self.kernel,
            held: self.held.into_inner(),
            refused: self.refused.into_inner(),
            why_refused: self.why_refused.into_inner(),
            failure: failure.map(|(_, failure)| failure),
        }
    }
}

const UNSTABLE: &str =
    "the case failed and then held: the kernel does not give the same result each time";

fn rng_seed(seed: u64, kernel: Kernel, batch: u32) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8] = kernel.id() as u8;
    bytes[9..13].copy_from_slice(&batch.to_le_bytes());
    bytes
}
