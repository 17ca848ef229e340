//! Every kernel on small whole numbers: results must equal the plain sum.

use super::small_numbers::{activations, exact, pack, value};
use super::*;
use crate::kernels::Counters;
use crate::kernels::{Element, Shape};
use crate::plan::{Request, plan};

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
