//! Small whole numbers, where every kernel is exact.

use crate::kernels::{Element, Kernel, Shape};
use half::f16;

/// A whole number from -8 to 7 for weight (n, k), with no symmetry.
fn q(n: u32, k: u32) -> i32 {
    ((n * 7 + k * 3 + n * k) % 16) as i32 - 8
}

/// A small whole number for activation (m, k).
fn a(m: u32, k: u32) -> i32 {
    ((m * 5 + k * 11 + m * k) % 7) as i32 - 3
}

/// Scale of block `b` of row n: a power of two.
fn d(n: u32, b: u32) -> f32 {
    [1.0, 0.5, 2.0][((n + b) % 3) as usize]
}

/// Packs by the tables of docs/formats.md.
pub fn pack(kernel: Kernel, s: &Shape) -> Vec<u8> {
    let (kt, ct) = (s.k_tiles(), s.column_tiles());
    let mut out = vec![0u8; s.weight_bytes(kernel)];
    let tile_bytes = match kernel {
        Kernel::Hf => 2048,
        Kernel::W4A8Channel => 512,
        _ => 576,
    };
    for tile in 0..kt * ct {
        let bytes = &mut out[(tile * tile_bytes) as usize..][..tile_bytes as usize];
        for (k, n) in (0..32).flat_map(|k| (0..32).map(move |n| (k, n))) {
            let (kk, nn) = (tile % kt * 32 + k, tile / kt * 32 + n);
            let inside = kk < s.k && nn < s.n;
            let v = if inside { q(nn, kk) } else { 0 };
            let at = match kernel {
                Kernel::Hf => {
                    let at = ((k >> 1) * 128 + n * 4 + (k & 1) * 2) as usize;
                    bytes[at..at + 2].copy_from_slice(&f16::from_f32(v as f32).to_le_bytes());
                    continue;
                }
                Kernel::W4A8 | Kernel::W4A8Channel => {
                    let at = ((k >> 3) * 128 + n * 4 + (k & 3)) as usize;
                    bytes[at] |= (v as u8 & 15) << ((k >> 2 & 1) * 4);
                    at
                }
                _ => {
                    let at = ((k >> 1) * 32 + n) as usize;
                    bytes[at] |= ((v + 8) as u8 & 15) << ((k & 1) * 4);
                    at
                }
            };
            assert!(at < 512);
            if tile_bytes == 576 && k == 0 {
                let scale = if inside { d(nn, kk / 32) } else { 0.0 };
                let at = (512 + 2 * n) as usize;
                bytes[at..at + 2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
            }
        }
    }
    if kernel == Kernel::W4A8Channel {
        let scales = &mut out[(kt * ct * 512) as usize..];
        for n in 0..s.n {
            scales[4 * n as usize..][..4].copy_from_slice(&d(n, 0).to_le_bytes());
        }
    }
    out
}

/// Activations whose rows run from -128 to 127, so that the uint8 scale is 1.
fn activation(kernel: Kernel, m: u32, k: u32) -> f32 {
    if !kernel.is_integer() {
        return a(m, k) as f32;
    }
    match k {
        0 => -128.0,
        1 => 127.0,
        _ => a(m, k) as f32,
    }
}

fn scale(kernel: Kernel, n: u32, k: u32) -> f32 {
    match kernel {
        Kernel::Hf => 1.0,
        Kernel::W4A8Channel => d(n, 0),
        _ => d(n, k / 32),
    }
}

/// The activations as bytes, rows `stride` apart.
pub fn activations(kernel: Kernel, s: &Shape, stride: u32) -> Vec<u8> {
    let mut act = vec![0xEE; ((s.m - 1) * stride) as usize + s.k as usize * s.act.bytes()];
    for (m, k) in (0..s.m).flat_map(|m| (0..s.k).map(move |k| (m, k))) {
        let v = activation(kernel, m, k);
        let at = (m * stride) as usize + k as usize * s.act.bytes();
        match s.act {
            Element::F16 => act[at..at + 2].copy_from_slice(&f16::from_f32(v).to_le_bytes()),
            _ => act[at..at + 4].copy_from_slice(&v.to_le_bytes()),
        }
    }
    act
}

/// The result (m, n) by the plain sum.
pub fn exact(kernel: Kernel, s: &Shape, m: u32, n: u32) -> f64 {
    let sum: f64 = (0..s.k)
        .map(|k| {
            let d = match s.out {
                Element::I32 => 1.0,
                _ => scale(kernel, n, k),
            };
            f64::from(activation(kernel, m, k)) * f64::from(q(n, k)) * f64::from(d)
        })
        .sum();
    if kernel.is_integer() {
        sum
    } else {
        f16::from_f64(sum).to_f64()
    }
}

/// The number in an element's bytes.
pub fn value(bytes: &[u8], element: Element) -> f64 {
    let word = || [bytes[0], bytes[1], bytes[2], bytes[3]];
    match element {
        Element::F16 => f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        Element::F32 => f64::from(f32::from_le_bytes(word())),
        Element::I32 => f64::from(i32::from_le_bytes(word())),
    }
}
