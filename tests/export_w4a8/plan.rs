//! The planner in the exported header makes the plans of the host's planner, as C and as C++.

use crate::tools;
use hmx_workbench::kernels::{Element, Kernel, Shape};
use hmx_workbench::plan::{self, Plan, PlanError, Request};

/// Kernel, shape and bytes of VTCM.
type Case = (Kernel, Shape, u32);

fn cases() -> Vec<Case> {
    let sides = [1, 31, 32, 33, 64, 65, 100, 512, 1000, 4096, 11008];
    let depths = [1, 32, 33, 256, 257, 288, 4096, 4111, 9728, 65536];
    let budgets = [64 << 10, 1 << 20, 2 << 20, (4 << 20) + 1, 8 << 20];
    let mut cases = Vec::new();
    for (i, m) in sides.into_iter().enumerate() {
        for (j, n) in sides.into_iter().enumerate() {
            for (l, k) in depths.into_iter().enumerate() {
                let act = [Element::F32, Element::F16][(i + j + l) % 2];
                let vtcm = budgets[(i + 2 * j + l) % budgets.len()];
                for kernel in Kernel::ALL {
                    let (act, out) = match kernel.is_integer() {
                        true => (Element::F32, [Element::F32, Element::I32][l % 2]),
                        false => (act, [Element::F16, Element::F32][j % 2]),
                    };
                    cases.push((kernel, Shape { m, n, k, act, out }, vtcm));
                }
            }
        }
    }
    cases
}

/// What the program prints for a case, by the host's planner. A case without a plan: only the bytes.
fn expected(&(kernel, ref shape, budget): &Case) -> String {
    let request = Request {
        budget,
        ..Request::default()
    };
    match plan::plan(kernel, shape, &request) {
        Ok(plan) => {
            let regions = plan.data.region.iter();
            let regions: String = regions
                .map(|r| format!(" {} {}", r.offset, r.size))
                .collect();
            let (rows, columns) = (plan.data.row_tiles, plan.data.column_tiles);
            format!("{} {rows} {columns}{regions}", plan.used)
        }
        Err(PlanError::TooLarge { needed, .. }) => needed.to_string(),
        Err(other) => panic!("{other}"),
    }
}

fn element(element: Element) -> u32 {
    match element {
        Element::F32 => 1,
        Element::F16 => 2,
        Element::I32 => 3,
    }
}

fn compare(compiler: &str, standard: &str) {
    let program = tools::program(compiler, standard, "tests/export_w4a8/plan.c", compiler);
    let cases = cases();
    let lines = cases.iter().map(|(kernel, s, vtcm)| {
        let (act, out) = (element(s.act), element(s.out));
        let (kernel, m, n, k) = (kernel.id(), s.m, s.n, s.k);
        format!("{kernel} {m} {n} {k} {act} {out} {vtcm}\n")
    });
    let input: String = lines.collect();
    let output = String::from_utf8(tools::run(&program, &[], input.as_bytes())).unwrap();
    let (mut planned, mut refused) = (0, 0);
    assert_eq!(output.lines().count(), cases.len());
    for (case, line) in cases.iter().zip(output.lines()) {
        let wanted = expected(case);
        if wanted.contains(' ') {
            planned += 1;
            assert_eq!(line, wanted, "{case:?}");
        } else {
            refused += 1;
            assert_eq!(line.split(' ').next(), Some(wanted.as_str()), "{case:?}");
        }
    }
    assert!(planned > 1000 && refused > 100, "{planned} and {refused}");
}

#[test]
fn c_plans_like_the_host() {
    compare("cc", "-std=c11");
}

#[test]
fn cpp_plans_like_the_host() {
    compare("c++", "-std=c++17");
}

/// The host's plan of `mm_w4a8`.
fn plan_of(m: u32, n: u32, k: u32, budget: u32) -> Result<Plan, PlanError> {
    let (act, out) = (Element::F32, Element::F32);
    let request = Request {
        budget,
        ..Request::default()
    };
    plan::plan(Kernel::W4A8, &Shape { m, n, k, act, out }, &request)
}

#[test]
fn the_numbers_of_the_readme_are_those_of_the_planner() {
    let readme = std::fs::read_to_string(tools::exported().join("README.md")).unwrap();
    let mut rows = 0;
    for line in readme.lines().filter(|line| line.contains(" x ")) {
        let numbers: Vec<u32> = line
            .split(['|', 'x'])
            .filter_map(|n| n.trim().parse().ok())
            .collect();
        let [m, n, k, rest @ ..] = numbers.as_slice() else {
            continue;
        };
        let plan = plan_of(*m, *n, *k, 8 << 20).unwrap();
        let wanted = [plan.data.row_tiles, plan.data.column_tiles, plan.used];
        assert_eq!(rest, wanted, "{line}");
        rows += 1;
    }
    assert_eq!(rows, 5);
    for (mib, k) in [(8, 58976), (2, 14048)] {
        assert!(readme.contains(&format!("{mib} MiB")) && readme.contains(&k.to_string()));
        assert!(plan_of(1, 4096, k, mib << 20).is_ok());
        assert!(plan_of(1, 4096, k + 32, mib << 20).is_err());
    }
}
