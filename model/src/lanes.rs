//! The inner loops, compiled for the instruction sets of this computer.
//!
//! Both paths are the same source: plain loops over 32 output channels, once for the compiler's
//! baseline and once with AVX2. Which one runs is chosen at run time, and both give the same
//! bytes (tested on whole states).

use crate::{
    geometry::Position,
    multiply_fixed::{self, Latch, Tile},
    multiply_float::{self, Batch, Eight},
    state::{FixedPlane, FloatRow},
};

/// A compiled form of the inner loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes(Form);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Lanes {
    /// Runs on every computer.
    pub const PORTABLE: Lanes = Lanes(Form::Portable);

    /// The fastest form this computer can run.
    pub fn fastest() -> Lanes {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Lanes(Form::Avx2);
        }
        Lanes::PORTABLE
    }

    /// See [`multiply_fixed::accumulate`].
    #[allow(clippy::too_many_arguments)] // one flat call into the inner loop
    pub fn accumulate(
        self,
        planes: &mut [FixedPlane; 2],
        set: usize,
        latch: &Latch,
        positions: &[Position],
        tile: &Tile,
        channels: usize,
        first: usize,
        step: usize,
    ) {
        match self.0 {
            Form::Portable => multiply_fixed::accumulate(
                planes, set, latch, positions, tile, channels, first, step,
            ),
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => {
                avx2::accumulate_checked(planes, set, latch, positions, tile, channels, first, step)
            }
        }
    }

    /// See [`multiply_float::add_batch`].
    pub fn add_batch(
        self,
        row: &mut FloatRow,
        eight: &Eight,
        batch: &Batch,
        exp_min: i32,
        exp_max: i32,
    ) {
        match self.0 {
            Form::Portable => multiply_float::add_batch(row, eight, batch, exp_min, exp_max),
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => avx2::add_batch_checked(row, eight, batch, exp_min, exp_max),
        }
    }
}

/// The AVX2 form: the same loops under another target feature. The only `unsafe` of this crate
/// is the call from here, allowed because the feature was found on this computer.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::*;

    #[target_feature(enable = "avx2")]
    #[allow(clippy::too_many_arguments)] // as above
    fn accumulate(
        planes: &mut [FixedPlane; 2],
        set: usize,
        latch: &Latch,
        positions: &[Position],
        tile: &Tile,
        channels: usize,
        first: usize,
        step: usize,
    ) {
        multiply_fixed::accumulate(planes, set, latch, positions, tile, channels, first, step);
    }

    #[target_feature(enable = "avx2")]
    fn add_batch(row: &mut FloatRow, eight: &Eight, batch: &Batch, exp_min: i32, exp_max: i32) {
        multiply_float::add_batch(row, eight, batch, exp_min, exp_max);
    }

    #[allow(clippy::too_many_arguments)] // as above
    pub fn accumulate_checked(
        planes: &mut [FixedPlane; 2],
        set: usize,
        latch: &Latch,
        positions: &[Position],
        tile: &Tile,
        channels: usize,
        first: usize,
        step: usize,
    ) {
        // SAFETY: `Form::Avx2` is made in `Lanes::fastest` only, after AVX2 was detected.
        unsafe { accumulate(planes, set, latch, positions, tile, channels, first, step) }
    }

    pub fn add_batch_checked(
        row: &mut FloatRow,
        eight: &Eight,
        batch: &Batch,
        exp_min: i32,
        exp_max: i32,
    ) {
        // SAFETY: `Form::Avx2` is made in `Lanes::fastest` only, after AVX2 was detected.
        unsafe { add_batch(row, eight, batch, exp_min, exp_max) }
    }
}
