//! Golden digests: what a build of a kernel must give, in two lines that can be computed anywhere.
//!
//! One digest is of packed weights ([`Format`]), one of a product whose every step is exact, so that plain integers
//! give the same bytes as fp16, int32 or f32 arithmetic. How to compute both again is in [`HOW`].

use super::identity::sha256;
use crate::kernels::{Element, Kernel};
use crate::packers::{Format, q4_0};
use crate::verify::kernel::{KernelUnderTest, Problem, RunError, Settings, Weights};
use half::f16;
use serde::Serialize;

/// M, N and K of the golden product: two row tiles of every kernel, a tail in M and N, three blocks of K.
pub const SHAPE: [usize; 3] = [70, 40, 96];

/// How to compute both digests again.
pub const HOW: &str = "\
weights: pack this 48 x 96 ramp (row r, column c) in the weight format and take the SHA-256 of the bytes. \
4-bit formats: q = (7r + 3c + floor(c/16)) mod 16; in the q4_0 formats d of block b of row r has the fp16 bits \
0x3000 + 3r + b; in i4_n_tile the number is q - 8 and the scale of row r is 1 + r/64. hf_tile: the fp16 bits are 97r + c.
product: M rows of N f32, little-endian, without gaps, of out[m][n] = sum over k of a[m][k] * w[n][k]; take their SHA-256. \
a[m][k] = ((5m + 11k + mk) mod 7) - 3 as f32; in mm_w4a8 and mm_w4a8_channel a[m][0] = -128 and a[m][8] = 127, \
so that a step of the 8-bit activations is 1. \
w[n][k] = s * (((7n + 3k + floor(k/16)) mod 16) - 8), where s is 1, 1/2, 2 for i = 0, 1, 2 with \
i = (n + floor(k/32)) mod 3 in the q4_0 formats, i = n mod 3 in i4_n_tile, and i = 0 in hf_tile.";

/// What a build of a kernel must give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Golden {
    /// The kernel.
    pub kernel: Kernel,
    /// Its weight format, by its name in docs/formats.md.
    pub weight_format: &'static str,
    /// SHA-256 of the packed ramp, in hexadecimal.
    pub weights: &'static str,
    /// M, N and K of the product.
    pub shape: [usize; 3],
    /// SHA-256 of the product, in hexadecimal.
    pub product: &'static str,
    /// How to compute both again.
    pub how: &'static str,
}

/// The golden digests of a kernel.
pub fn golden(kernel: Kernel) -> Golden {
    let weights = weight_format(kernel);
    Golden {
        kernel,
        weight_format: weights.name(),
        weights: weights.golden_digest(),
        shape: SHAPE,
        product: product(kernel),
        how: HOW,
    }
}

/// The format in which a kernel takes its weights.
pub fn weight_format(kernel: Kernel) -> Format {
    match kernel {
        Kernel::Hf => Format::HfWeight,
        Kernel::W4A8 => Format::Q4_0NTile,
        Kernel::W4A8Channel => Format::I4NTile,
        Kernel::W4A16Fused | Kernel::W4A16Twopass => Format::Q4_0Tile,
    }
}

fn product(kernel: Kernel) -> &'static str {
    match kernel {
        Kernel::Hf => "1b61eea0fcbfc5a8a0c4bf989bc05f717433de02289f4e3433d49bfab28664af",
        Kernel::W4A8 => "536918ab06ae067a9f99662be84c9099d4f1de07989e3469b1c9433144b6f3a5",
        Kernel::W4A8Channel => "12177398a6af36150cd9eefa905790207cb92d552b5de4df6516a505d6b20149",
        Kernel::W4A16Fused | Kernel::W4A16Twopass => {
            "049ce3a4baaff9fe1b909f32c8e036b3e815d6d40b5c7348529273f79cd024ac"
        }
    }
}

/// The numbers of [`HOW`] for any M, N and K, K a multiple of 32.
pub fn problem(kernel: Kernel, [m, n, k]: [usize; 3]) -> Problem {
    let act = (0..m * k).map(|i| activation(kernel, i / k, i % k).to_bits());
    let places = || (0..n).flat_map(|row| (0..k).map(move |column| (row, column)));
    let weights = match kernel {
        Kernel::Hf => Weights::Half(
            places()
                .map(|(row, column)| f16::from_f32(weight(row, column).into()).to_bits())
                .collect(),
        ),
        Kernel::W4A8Channel => Weights::Channel {
            q: places().map(|(row, column)| weight(row, column)).collect(),
            scale: (0..n).map(|row| scale(kernel, row, 0)).collect(),
        },
        _ => {
            let mut bytes = Vec::new();
            for (row, block) in (0..n).flat_map(|row| (0..k / 32).map(move |b| (row, b))) {
                let q = std::array::from_fn(|j| (weight(row, block * 32 + j) + 8) as u8);
                let d = f16::from_f32(scale(kernel, row, block)).to_bits();
                q4_0::push_block(&mut bytes, d, &q);
            }
            Weights::Q4_0(bytes)
        }
    };
    Problem {
        kernel,
        m,
        n,
        k,
        act_type: Element::F32,
        act: act.collect(),
        weights,
        out_type: Element::F32,
        act_gap: 0,
        out_gap: 0,
        usr: 0,
    }
}

fn activation(kernel: Kernel, m: usize, k: usize) -> f32 {
    match k {
        0 if kernel.is_integer() => -128.0,
        8 if kernel.is_integer() => 127.0,
        _ => ((5 * m + 11 * k + m * k) % 7) as f32 - 3.0,
    }
}

fn weight(n: usize, k: usize) -> i8 {
    ((7 * n + 3 * k + k / 16) % 16) as i8 - 8
}

fn scale(kernel: Kernel, n: usize, block: usize) -> f32 {
    [1.0, 0.5, 2.0][match kernel {
        Kernel::Hf => 0,
        Kernel::W4A8Channel => n % 3,
        _ => (n + block) % 3,
    }]
}

/// The product in plain arithmetic, M rows of N. Halves are the smallest unit and sums stay small, so it is exact.
pub fn plain_product(kernel: Kernel, [m, n, k]: [usize; 3]) -> Vec<f32> {
    let cell = |row, column| {
        (0..k)
            .map(|i| {
                let w = f32::from(weight(column, i)) * scale(kernel, column, i / 32);
                activation(kernel, row, i) * w
            })
            .sum()
    };
    (0..m)
        .flat_map(|row| (0..n).map(move |column| cell(row, column)))
        .collect()
}

/// SHA-256, in hexadecimal, of the golden product as a target computes it: equals [`Golden::product`] in a sound one.
pub fn product_digest(kernel: Kernel, target: &dyn KernelUnderTest) -> Result<String, RunError> {
    let outcome = target.run(&problem(kernel, SHAPE), &Settings::default())?;
    let bytes: Vec<u8> = outcome.out.iter().flat_map(|x| x.to_le_bytes()).collect();
    Ok(sha256(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::NativeKernel;
    use crate::verify::expected::expected;
    use hmx_abi::Arch;

    /// Every element before any digest: the kernel, the exact reference and plain arithmetic agree.
    #[test]
    fn kernels_references_and_plain_arithmetic_agree_on_every_element() {
        for kernel in Kernel::ALL {
            let target = NativeKernel {
                arch: Arch::V81,
                fault: None,
            };
            let problem = problem(kernel, SHAPE);
            let outcome = target.run(&problem, &Settings::default()).unwrap();
            assert_eq!(outcome.breaches, [""; 0], "{kernel}");
            let plain = plain_product(kernel, SHAPE);
            assert!(
                plain
                    .iter()
                    .all(|x| x.abs() < 32768.0 && (x * 2.0).fract() == 0.0)
            );
            let plain: Vec<u32> = plain.into_iter().map(f32::to_bits).collect();
            assert_eq!(outcome.out, plain, "{kernel}");
            let reference = expected(&problem);
            match reference.exact {
                Some(exact) => assert_eq!(plain, exact, "{kernel}"),
                None => assert!(kernel.is_integer()),
            }
            for (real, &bits) in reference.real.iter().zip(&plain) {
                assert_eq!(real.contradiction(f32::from_bits(bits).into()), None);
            }
        }
    }

    /// The constants were computed by a separate script from the formulas of [`HOW`].
    #[test]
    fn every_version_of_the_hmx_gives_the_golden_products() {
        for (kernel, arch) in Kernel::ALL
            .into_iter()
            .flat_map(|kernel| Arch::ALL.into_iter().map(move |arch| (kernel, arch)))
        {
            let target = NativeKernel { arch, fault: None };
            let found = product_digest(kernel, &target).unwrap();
            assert_eq!(found, golden(kernel).product, "{kernel} on {arch}");
            let weights = weight_format(kernel).digest().unwrap();
            assert_eq!(weights, golden(kernel).weights, "{kernel}");
        }
    }
}
