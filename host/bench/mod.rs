//! Figures: how fast things are, measured here and now, each beside a baseline of the same run.

pub mod kernels;
pub mod model;
#[cfg(target_os = "linux")]
pub mod qemu;

use std::time::{Duration, Instant};

/// Runs `work` until `time` is used up, three times over, and gives the seconds of one call in
/// the fastest of the three: other processes only ever make it slower.
pub fn seconds(time: Duration, mut work: impl FnMut()) -> f64 {
    work(); // caches and lazily built tables
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let mut calls = 0u32;
        while start.elapsed() < time / 3 || calls == 0 {
            work();
            calls += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}
