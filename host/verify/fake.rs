//! A kernel in plain Rust, right or wrong on purpose: it shows that the engine finds and shrinks what it should.

use super::case::Case;
use super::expected::expected;
use super::kernel::{
    Broken, Kernel, KernelUnderTest, Outcome, Poison, Problem, RunError, Settings, Type,
};
use super::regressions;
use super::runner::{self, Replay};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is wrong with the fake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// The last column of a partial tile.
    TailColumn,
    /// Results depend on the poison.
    ReadsPoison,
    /// Row 1 and later depend on row 0.
    RowsMeet,
    /// A guard byte changes when M is more than 4.
    Breach,
    /// Cut into tasks, the last row is lost.
    TaskLost,
    /// Gives up on K above 64.
    Stops,
    /// The target is gone on K above 64.
    Breaks,
    /// Runs nothing.
    Refuses,
}

struct Fake(Wrong);

impl KernelUnderTest for Fake {
    fn run(&self, problem: &Problem, settings: &Settings) -> Result<Outcome, RunError> {
        let reference = expected(problem);
        let mut out = reference.exact.unwrap_or_else(|| {
            let round = |real: &super::expected::Real| match real {
                super::expected::Real::Within { value, .. } => (*value as f32).to_bits(),
                _ => f32::NAN.to_bits(),
            };
            reference.real.iter().map(round).collect()
        });
        let (n, last) = (problem.n, out.len() - 1);
        let mut breaches = Vec::new();
        match self.0 {
            Wrong::TailColumn if n % 32 != 0 => out[n - 1] ^= 0x4000,
            Wrong::ReadsPoison if settings.poison != Poison::Byte => out[0] ^= 1,
            Wrong::RowsMeet if problem.m > 1 && problem.act[0] & 1 == 1 => out[last] ^= 1,
            Wrong::Breach if problem.m > 4 => breaches.push("guard byte 3 changed".to_owned()),
            Wrong::TaskLost if settings.tasks > 1 => out[last] = !out[last],
            Wrong::Stops if problem.k > 64 => return Err(RunError::Failed("no plan".into())),
            Wrong::Breaks if problem.k > 64 => return Err(Broken("gone".into()).into()),
            Wrong::Refuses => return Err(RunError::Refused("no target".into())),
            _ => {}
        }
        Ok(Outcome { out, breaches })
    }
}

fn verify(kernel: Kernel, wrong: Wrong, cases: u32) -> runner::Summary {
    let summaries = runner::run(&[kernel], cases, 1, 2, &Fake(wrong), &|| {}).unwrap();
    summaries.into_iter().next().unwrap()
}

#[test]
fn a_right_kernel_passes() {
    for kernel in Kernel::ALL {
        let summary = verify(kernel, Wrong::Nothing, 120);
        assert_eq!(summary.failure, None, "{kernel}");
        assert_eq!((summary.held, summary.refused), (120, 0));
    }
}

#[test]
fn every_fault_is_found_and_shrunk() {
    let find = |wrong| {
        let failure = verify(Kernel::Hf, wrong, 1000).failure;
        failure.unwrap_or_else(|| panic!("{wrong:?} was not found"))
    };
    let tail = find(Wrong::TailColumn);
    assert!(
        tail.case.m == 1 && tail.case.n <= 33 && tail.case.k <= 32,
        "{tail:?}"
    );
    assert!(tail.reason.contains("exact reference"), "{tail:?}");
    let poison = find(Wrong::ReadsPoison);
    assert!(poison.reason.contains("other poison"), "{poison:?}");
    let rows = find(Wrong::RowsMeet);
    assert!(rows.case.m <= 5, "{rows:?}");
    let breach = find(Wrong::Breach);
    assert_eq!(breach.case.m, 5);
    assert!(breach.reason.contains("guard byte 3"), "{breach:?}");
    assert!(find(Wrong::TaskLost).reason.contains("more tasks"));
    assert!(find(Wrong::Stops).reason.contains("no plan"));
}

#[test]
fn refused_cases_are_counted_and_not_passed() {
    let summary = verify(Kernel::Hf, Wrong::Refuses, 60);
    assert_eq!(
        (summary.held, summary.refused, summary.failure),
        (0, 60, None)
    );
    assert_eq!(summary.why_refused.as_deref(), Some("no target"));
}

#[test]
fn a_target_that_breaks_ends_the_run_and_is_no_failure_of_the_kernel() {
    let cases = AtomicU64::new(0);
    let count = || {
        cases.fetch_add(1, Ordering::Relaxed);
    };
    let found = runner::run(&Kernel::ALL, 10_000, 1, 2, &Fake(Wrong::Breaks), &count);
    assert_eq!(found, Err(Broken("gone".to_owned())));
    assert!(cases.into_inner() < 1000);
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    let run = |threads| {
        runner::run(
            &[Kernel::Hf],
            200,
            5,
            threads,
            &Fake(Wrong::TailColumn),
            &|| {},
        )
        .unwrap()
    };
    assert_eq!(run(1)[0].failure, run(3)[0].failure);
}

#[test]
fn a_saved_case_is_replayed_first() {
    let folder = tempfile::tempdir().unwrap();
    let failure = verify(Kernel::Hf, Wrong::TailColumn, 1000).failure.unwrap();
    regressions::save(folder.path(), &failure.case).unwrap();
    let saved = regressions::load(folder.path(), Kernel::Hf).unwrap();
    let again = runner::replay(&saved, &Fake(Wrong::TailColumn)).unwrap();
    assert_eq!((again.refused, again.failure), (None, Some(failure)));
    assert_eq!(
        runner::replay(&saved, &Fake(Wrong::Nothing)),
        Ok(Replay::default())
    );
    let refused = runner::replay(&saved, &Fake(Wrong::Refuses)).unwrap();
    assert_eq!(refused.refused.as_deref(), Some("no target"));
}

#[test]
fn results_of_integer_kernels_may_be_floats() {
    // The fake rounds the f64 result once: within every bound.
    let case = Case::from_text(
        "kernel=mm_w4a8,m=3,n=33,k=64,act=normal,act_type=f32,weights=random,scales=random,out_type=f32,\
         act_gap=0,out_gap=0,usr=0,vary=change-activation,row_tiles=0,column_tiles=0,seed=3",
    )
    .unwrap();
    assert_eq!(case.problem().out_type, Type::F32);
    assert_eq!(
        runner::replay(&[case], &Fake(Wrong::Nothing)),
        Ok(Replay::default())
    );
}
