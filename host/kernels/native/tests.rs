//! Small whole numbers, where every kernel is exact: results must equal the plain sum.

use super::*;
use crate::kernels::Counters;
use crate::kernels::{Element, Shape};
use crate::plan::{Request, plan};
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
fn pack(kernel: Kernel, s: &Shape) -> Vec<u8> {
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
fn activations(kernel: Kernel, s: &Shape, stride: u32) -> Vec<u8> {
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
fn exact(kernel: Kernel, s: &Shape, m: u32, n: u32) -> f64 {
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

fn value(bytes: &[u8], element: Element) -> f64 {
    let word = || [bytes[0], bytes[1], bytes[2], bytes[3]];
    match element {
        Element::F16 => f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        Element::F32 => f64::from(f32::from_le_bytes(word())),
        Element::I32 => f64::from(i32::from_le_bytes(word())),
    }
}

/// Runs a kernel and compares every result and every gap between rows.
fn attempt(
    kernel: Kernel,
    s: Shape,
    request: &Request,
    options: &Options,
) -> Result<Counters, String> {
    let act_stride = s.k * s.act.bytes() as u32 + 8;
    let out_stride = s.n * s.out.bytes() as u32 + 12;
    let act = activations(kernel, &s, act_stride);
    let weight = pack(kernel, &s);
    let problem = Problem {
        shape: s,
        act: &act,
        act_stride,
        weight: &weight,
        out_stride,
        usr: 0,
    };
    let plan = plan(kernel, &s, request).map_err(|e| e.to_string())?;
    let output = run(kernel, &problem, &plan, options).map_err(|e| e.to_string())?;
    for m in 0..s.m {
        for n in 0..s.n {
            let at = (m * out_stride) as usize + n as usize * s.out.bytes();
            let (got, want) = (value(&output.bytes[at..], s.out), exact(kernel, &s, m, n));
            if got != want {
                return Err(format!("row {m} column {n}: {got}, not {want}"));
            }
        }
        let gap = (m * out_stride) as usize + s.n as usize * s.out.bytes();
        for (i, byte) in output.bytes.iter().enumerate().skip(gap).take(12) {
            if m + 1 < s.m && *byte != poison_at(GUARD + i, options) {
                return Err(format!("byte {i} between the rows was written"));
            }
        }
    }
    Ok(output.counters)
}

/// Right, and the same, under two poisons.
fn check(kernel: Kernel, s: Shape, request: &Request) {
    let counters = [vec![0xCC], vec![0x00, 0x7E]].map(|poison| {
        let options = Options {
            poison,
            ..Options::default()
        };
        attempt(kernel, s, request, &options)
            .unwrap_or_else(|e| panic!("{kernel} {s:?} {request:?}: {e}"))
    });
    assert_eq!(counters[0], counters[1]);
}

const SHAPES: [(u32, u32, u32); 8] = [
    (1, 32, 32),
    (1, 1, 1),
    (5, 33, 64),
    (31, 48, 96),
    (33, 64, 40),
    (64, 32, 320),
    (65, 160, 64),
    (42, 7, 1056),
];

fn shapes(kernel: Kernel) -> impl Iterator<Item = Shape> {
    let types = if kernel.is_integer() {
        [(Element::F32, Element::F32), (Element::F32, Element::I32)]
    } else {
        [(Element::F32, Element::F32), (Element::F16, Element::F16)]
    };
    SHAPES
        .into_iter()
        .filter(move |s| !kernel.is_integer() || s.2 >= 2)
        .flat_map(move |(m, n, k)| types.map(|(act, out)| Shape { m, n, k, act, out }))
}

#[test]
fn every_kernel_multiplies_small_numbers_exactly() {
    for kernel in Kernel::ALL {
        for shape in shapes(kernel) {
            check(kernel, shape, &Request::default());
        }
    }
}

#[test]
fn chunks_tasks_and_order_do_not_matter() {
    for kernel in Kernel::ALL {
        for shape in shapes(kernel) {
            for (rows, columns, tasks, hvx_first) in
                [(1, 1, 3, true), (1, 2, 1, false), (2, 3, 7, true)]
            {
                let request = Request {
                    row_tiles: Some(rows),
                    column_tiles: Some(columns),
                    tasks,
                    hvx_first,
                    ..Request::default()
                };
                check(kernel, shape, &request);
            }
        }
    }
}

#[test]
fn a_plan_for_another_problem_is_refused() {
    let small = Shape {
        m: 1,
        n: 32,
        k: 32,
        act: Element::F32,
        out: Element::F32,
    };
    let large = Shape { k: 64, ..small };
    let plan = plan(Kernel::W4A16Fused, &small, &Request::default()).unwrap();
    let (act, weight) = (vec![0; 256], vec![0; 1152]);
    let problem = Problem {
        shape: large,
        act: &act,
        act_stride: 256,
        weight: &weight,
        out_stride: 128,
        usr: 0,
    };
    let refused = run(Kernel::W4A16Fused, &problem, &plan, &Options::default());
    assert!(
        matches!(refused, Err(KernelError::Native(_))),
        "{refused:?}"
    );
}

#[cfg(feature = "planted-faults")]
#[test]
fn every_planted_fault_shows() {
    use crate::kernels::Fault;
    for kernel in Kernel::ALL {
        let shape = Shape {
            m: 5,
            n: 96,
            k: 72,
            act: Element::F32,
            out: Element::F32,
        };
        let request = Request {
            column_tiles: Some(1),
            ..Request::default()
        };
        for fault in Fault::ALL {
            let options = Options {
                fault: Some(fault),
                ..Options::default()
            };
            let shown = attempt(kernel, shape, &request, &options);
            assert_eq!(
                shown.is_err(),
                fault.applies_to(kernel),
                "{kernel}, {}: {shown:?}",
                fault.name()
            );
        }
    }
}

#[cfg(not(feature = "planted-faults"))]
#[test]
fn a_build_without_faults_refuses_them() {
    use crate::kernels::Fault;
    let shape = Shape {
        m: 1,
        n: 32,
        k: 32,
        act: Element::F32,
        out: Element::F32,
    };
    let options = Options {
        fault: Some(Fault::NoWait),
        ..Options::default()
    };
    let refused = attempt(Kernel::Hf, shape, &Request::default(), &options);
    assert!(refused.unwrap_err().contains("planted fault"));
}
