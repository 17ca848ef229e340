//! Verification must be able to fail: every defect that can be planted in a kernel is found and shrunk to a small case.
//! Needs the kernels built with their defects: `cargo test --features planted-faults --test planted_faults`.
#![cfg(feature = "planted-faults")]

use hmx_abi::Arch;
use hmx_workbench::kernels::Fault;
use hmx_workbench::verify::{Failure, Kernel, NativeKernel, runner};

/// Cases that are drawn before a defect counts as overlooked: as many as `hmx verify` draws by itself.
const CASES: u32 = 200;

fn verify(kernel: Kernel, fault: Option<Fault>) -> Option<Failure> {
    let under_test = NativeKernel {
        arch: Arch::V81,
        fault,
    };
    let summaries = runner::run(&[kernel], CASES, 1, 2, &under_test, &|| {}).unwrap();
    summaries.into_iter().next().unwrap().failure
}

#[test]
fn without_a_defect_nothing_is_found() {
    for kernel in Kernel::ALL {
        assert_eq!(verify(kernel, None), None, "{kernel}");
    }
}

#[test]
fn every_planted_defect_is_found_and_shrunk() {
    let mut report = Vec::new();
    for fault in Fault::ALL {
        let kernels: Vec<Kernel> = Kernel::ALL
            .into_iter()
            .filter(|&kernel| fault.applies_to(kernel))
            .collect();
        assert!(!kernels.is_empty(), "{}", fault.name());
        for kernel in kernels {
            let Some(Failure { case, reason }) = verify(kernel, Some(fault)) else {
                report.push(format!("{} in {kernel} was not found", fault.name()));
                continue;
            };
            // A defect of the second buffer needs a second chunk, a tail needs a partial tile.
            let small = case.m <= 64 && case.n <= 160 && case.k <= 96;
            if !small {
                report.push(format!(
                    "{} in {kernel}: {case:?} is not small: {reason}",
                    fault.name()
                ));
            }
        }
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
fn a_defect_does_not_leave() {
    for fault in [Fault::SwappedNibbles, Fault::TransposedTile] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("export");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hmx"))
            .args([
                "export",
                "mm_w4a16_fused",
                "--runtime=ggml-hexagon",
                "--plant",
            ])
            .arg(fault.name())
            .arg("--out")
            .arg(&out)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.starts_with("mm_w4a16_fused is not exported. On sim (v73): other results than"),
            "{said}"
        );
        assert!(!out.exists());
    }
}
