//! The exported op in the patched runtime under QEMU: the bytes of the kernel on this computer.
//!
//! Through `execute_op` of the patched `main.c` (for v73), the runtime's `dma-queue.c` and its `hmx-queue.h`. Not covered:
//! its threads, weights beyond 4 GiB, caches.

use crate::machine::{Case, Machine, POISON, VTCM_BYTES, runtime, with_build};
use crate::tools::{folder, succeed};
use crate::tree::skipped;
use hmx_abi::Arch;
use hmx_workbench::kernels::Shape;
use hmx_workbench::plan::{self, Request};
use hmx_workbench::verify::NativeKernel;
use hmx_workbench::verify::kernel::{Kernel, KernelUnderTest, Problem, Settings, Type, Weights};
use std::process::Command;

/// HTP_STATUS_*.
const OK: u32 = 1;
const VTCM_TOO_SMALL: u32 = 5;

/// Runs a case and compares every byte with the kernel on this computer.
fn compare(machine: &mut Machine, case: &Case) {
    let planes = case.planes[0] * case.planes[1];
    let weights = machine.random.weights(case.n, case.k);
    let act = machine.random.activations(case.m * planes, case.k);
    let (status, out) = machine.run(case, &weights, &act, [VTCM_BYTES, 1, 0]);
    assert_eq!(status, OK, "{case:?}");
    let mut wanted = vec![POISON; out.len()];
    for (plane, act) in act.chunks(case.m * case.k).enumerate() {
        let result = product(case, &weights, act);
        let stride = case.strides(case.n, case.gaps[1])[1];
        for (r, row) in result.chunks(case.n).enumerate() {
            let bytes: Vec<u8> = row.iter().flat_map(|x| x.to_le_bytes()).collect();
            let at = 64 + (plane * case.m + r) * stride;
            wanted[at..at + bytes.len()].copy_from_slice(&bytes);
        }
    }
    let differs = (0..out.len()).find(|&i| out[i] != wanted[i]);
    assert_eq!(differs, None, "{case:?}: first byte that differs");
}

/// The product on this computer: bits of f32.
fn product(case: &Case, weights: &[u8], act: &[f32]) -> Vec<u32> {
    let problem = Problem {
        kernel: Kernel::W4A8,
        m: case.m,
        n: case.n,
        k: case.k,
        act_type: Type::F32,
        act: act.iter().map(|x| x.to_bits()).collect(),
        weights: Weights::Q4_0(weights.to_vec()),
        out_type: Type::F32,
        act_gap: 0,
        out_gap: 0,
        usr: 0,
    };
    let native = NativeKernel {
        arch: Arch::V81,
        fault: None,
    };
    native.run(&problem, &Settings::default()).unwrap().out
}

/// Blocks of rows and chunks of columns that a case is cut into.
fn pieces(case: &Case) -> (u32, u32) {
    let shape = Shape {
        m: case.m as u32,
        n: case.n as u32,
        k: case.k as u32,
        act: Type::F32,
        out: Type::F32,
    };
    let request = Request {
        budget: case.planned,
        ..Request::default()
    };
    let plan = plan::plan(Kernel::W4A8, &shape, &request).unwrap().data;
    let blocks = shape.row_tiles(Kernel::W4A8).div_ceil(plan.row_tiles);
    (blocks, shape.column_tiles().div_ceil(plan.column_tiles))
}

fn left_out() -> bool {
    skipped() || std::env::var_os("HMX_SKIP_QEMU").is_some()
}

/// Products of all kinds.
fn products(arch: Arch) {
    let mut machine = Machine::start(arch);
    for m in [1, 4, 5, 31, 32, 33, 63, 64, 65] {
        compare(&mut machine, &Case::new(m, 16, 32));
        compare(&mut machine, &Case::new(m, 33, 64));
    }
    // Blocks along k: just a group of eight, one more, two groups and a rest.
    for k in [256, 288, 544] {
        compare(&mut machine, &Case::new(5, 8, k));
    }
    // Batches and gaps: one weight for six matrices.
    compare(
        &mut machine,
        &Case {
            planes: [2, 3],
            gaps: [12, 20],
            ..Case::new(5, 40, 96)
        },
    );
    // Little VTCM: chunks of columns, and blocks of rows too.
    let little = [(9, 100, 0), (130, 70, 4)].map(|(m, n, gap)| Case {
        planned: 88 << 10,
        gaps: [gap, 0],
        ..Case::new(m, n, 64)
    });
    for case in &little {
        compare(&mut machine, case);
    }
    assert!(pieces(&little[0]).1 > 1);
    assert!(pieces(&little[1]).0 > 1 && pieces(&little[1]).1 > 1);
}

#[test]
fn products_are_those_of_the_kernel_bit_for_bit() {
    if !left_out() {
        products(Arch::V73);
    }
}

#[test]
fn products_with_ieee_floats_and_wide_descriptors_too() {
    if !left_out() {
        products(Arch::V81);
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_nothing_is_written() {
    if left_out() {
        return;
    }
    let mut machine = Machine::start(Arch::V73);
    let case = Case::new(5, 40, 64);
    let weights = machine.random.weights(case.n, case.k);
    let act = machine.random.activations(case.m, case.k);
    // Less VTCM than the parameters are for; the second device of a group leaves the work to the first.
    for (rest, status) in [([64 << 10, 1, 0], VTCM_TOO_SMALL), ([VTCM_BYTES, 2, 1], OK)] {
        let (found, out) = machine.run(&case, &weights, &act, rest);
        assert_eq!(found, status);
        assert!(out.iter().all(|&b| b == POISON));
    }
}

#[test]
fn hmx_instructions_are_only_in_jobs_of_the_queue() {
    if left_out() {
        return;
    }
    let object = folder("export-w4a8-objects").join("sections.o");
    with_build(Arch::V73, |build| {
        build.object(&runtime().join("hmxwb-w4a8-ops.c"), &object)
    })
    .unwrap();
    let listing = succeed(
        Command::new(env!("CARGO_BIN_EXE_hmx"))
            .args(["--json", "disasm", "--only-hmx"])
            .arg(object),
    );
    let listing: serde_json::Value = serde_json::from_slice(&listing.stdout).unwrap();
    let sections = listing["sections"].as_array().unwrap().iter();
    let with_hmx = sections.filter(|s| !s["packets"].as_array().unwrap().is_empty());
    let names: Vec<&str> = with_hmx.map(|s| s["name"].as_str().unwrap()).collect();
    // `readout` is a part of `multiply_group`.
    assert_eq!(
        names,
        [".text.clear", ".text.readout", ".text.multiply_group"]
    );
}
