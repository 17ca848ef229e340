//! What differs between architecture versions, as data. Nothing else asks for the version.

use hmx_abi::{Arch, Evidence};

/// The numbers of one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Bias register sets (before v75 a set number is ignored).
    pub bias_sets: usize,
    /// Smallest exponent of a float accumulator cell.
    pub exp_min: i32,
    /// Largest exponent of a float accumulator cell.
    pub exp_max: i32,
    /// Whether Rs bit 6 of a weight load and Rs bit 7 of a convert select bf16.
    pub bf16: bool,
    /// Whether an integer loader with a float activation follows the law of the v81 readings.
    pub mixed: bool,
    /// Class of evidence of fixed-point packets.
    pub fixed: Evidence,
    /// Class of evidence of float packets.
    pub float: Evidence,
}

const V68: Params = Params {
    bias_sets: 1,
    exp_min: -64,
    exp_max: 63,
    bf16: false,
    mixed: false,
    fixed: Evidence::Inferred,
    float: Evidence::Inferred,
};
const V75: Params = Params {
    bias_sets: 4,
    fixed: Evidence::VendorModel,
    ..V68
};
const V81: Params = Params {
    exp_min: -256,
    exp_max: 255,
    bf16: true,
    mixed: true,
    float: Evidence::VendorModel,
    ..V75
};

impl Params {
    /// The numbers of a version.
    pub const fn of(arch: Arch) -> &'static Params {
        match arch {
            Arch::V68 | Arch::V69 | Arch::V73 => &V68,
            Arch::V75 | Arch::V79 => &V75,
            Arch::V81 => &V81,
        }
    }
}
