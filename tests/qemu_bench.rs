//! `hmx bench --target qemu`: relations between counts, which hold for any compiler version.
//!
//! Needs clang-22, lld-22 and qemu-hexagon 11 (`HMX_SKIP_QEMU=1` leaves the tests out), one of
//! them ggml-hexagon's sources (`HMX_SKIP_GGML=1` leaves it out).
#![cfg(target_os = "linux")]

use hmx_abi::Arch;
use hmx_workbench::bench::qemu::expansion::{self, Expansion};
use hmx_workbench::bench::qemu::kernels::{self, KernelCount};
use hmx_workbench::ggml;
use hmx_workbench::kernels::{Kernel, measure::measure};
use std::process::Command;

const ARCHS: [Arch; 2] = [Arch::V73, Arch::V81];

fn skipped(names: &[&str]) -> bool {
    let set = names.iter().find(|name| std::env::var_os(name).is_some());
    if let Some(name) = set {
        eprintln!("left out: {name} is set");
    }
    set.is_some()
}

fn kernels(arch: Arch, size: &str) -> Vec<KernelCount> {
    kernels::count(arch, size.parse().unwrap(), || {}).unwrap()
}

fn of(counts: &[KernelCount], kernel: Kernel) -> &KernelCount {
    let found = counts.iter().find(|c| c.kernel == kernel.name());
    found.unwrap()
}

/// HVX instructions of the expansion of one tile, as the simulation counts them: what a column
/// of two more tiles adds, without the results that it adds whatever its depth.
fn hvx_per_tile() -> f64 {
    let total = |k| -> u64 {
        let hvx = |n| measure(Kernel::W4A16Fused, 1, n, k).unwrap().counters.hvx;
        hvx(128).iter().sum::<u64>() - hvx(64).iter().sum::<u64>()
    };
    (total(128) - total(64)) as f64 / 4.0
}

#[test]
fn the_expansion_takes_its_hvx_instructions_and_little_else() {
    if skipped(&["HMX_SKIP_QEMU"]) {
        return;
    }
    let [v73, v81] = ARCHS.map(|arch| expansion::count(arch, None).unwrap());
    assert!(v81.ratio.is_none() && v81.is_within_limit());
    let hvx = hvx_per_tile();
    let instructions = v81.ours.instructions;
    assert!(
        (hvx..1.5 * hvx).contains(&instructions),
        "{instructions} instructions, {hvx} of them HVX"
    );
    // A packet has one to four instructions.
    assert!(v81.ours.packets < instructions && v81.ours.packets * 4.0 > instructions);
    // Without IEEE instructions a product is converted: one instruction more for each of 16 vectors.
    assert!(v73.ours.instructions >= instructions + 8.0, "{v73:?}");
}

#[test]
fn a_kernel_is_linear_in_its_tiles_and_fusing_costs_no_more_than_its_parts() {
    if skipped(&["HMX_SKIP_QEMU"]) {
        return;
    }
    for arch in ARCHS {
        let counts = kernels(arch, "32x128x128");
        let twice = kernels(arch, "32x256x128");
        for kernel in Kernel::ALL {
            let (a, b) = (of(&counts, kernel).per_tile, of(&twice, kernel).per_tile);
            let far = (a.instructions - b.instructions).abs() / b.instructions;
            assert!(far < 0.05, "{kernel} on {arch}: {a:?}, then {b:?} a tile");
        }
        let fused = of(&counts, Kernel::W4A16Fused);
        let expansion = expansion::count(arch, None).unwrap().ours.instructions;
        let multiply = of(&counts, Kernel::Hf).per_tile.instructions;
        let together = fused.per_tile.instructions;
        assert!(
            together > expansion && together < 1.05 * (expansion + multiply),
            "{arch}: {together} fused, {expansion} and {multiply} apart"
        );
        let expanding = fused.emulated.get("expand_tiles");
        assert!(expanding.is_some_and(|n| *n > 0), "{:?}", fused.emulated);
    }
}

#[test]
fn our_expansion_takes_fewer_instructions_than_ggml_hexagons() {
    if skipped(&["HMX_SKIP_QEMU", "HMX_SKIP_GGML"]) {
        return;
    }
    if ggml::sources(None).is_err() {
        let fetched = Command::new("scripts/fetch-ggml.sh").status().unwrap();
        assert!(
            fetched.success(),
            "cannot fetch llama-cpp-sys-2; without a network, leave this test out with HMX_SKIP_GGML=1"
        );
    }
    let tree = ggml::sources(None).unwrap();
    for arch in ARCHS {
        let found = expansion::count(arch, Some(&tree)).unwrap();
        let theirs = found.ggml.unwrap();
        // 16 vectors are stored, each after a conversion and a multiplication.
        assert!(theirs.instructions > 48.0, "{found:?}");
        assert!(
            found.is_within_limit() && found.ratio.unwrap() < 1.0,
            "{found:?}"
        );
        let slower = Expansion {
            ratio: Some(1.0),
            ..found
        };
        assert!(!slower.is_within_limit());
    }
}

fn bench(variable: &str, value: &std::path::Path, more: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args([
            "bench", "--target", "qemu", "--arch", "v81", "--size", "32x32x32",
        ])
        .args(more)
        .env_remove("HMX_GGML")
        .env(variable, value)
        .output()
        .unwrap()
}

#[test]
fn without_the_sources_the_table_says_how_to_fetch_them() {
    if skipped(&["HMX_SKIP_QEMU"]) {
        return;
    }
    let nothing = tempfile::tempdir().unwrap();
    let output = bench("CARGO_HOME", nothing.path(), &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("scripts/fetch-ggml.sh"), "{text}");

    let output = bench("CARGO_HOME", nothing.path(), &["--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(value["ggml_missing"].as_str().unwrap().contains("HMX_GGML"));
    assert!(value["expansion"][0]["ggml"].is_null());
    assert!(value["expansion"][0]["ours"]["packets"].as_f64() > Some(1.0));
    assert_eq!(value["kernels"].as_array().unwrap().len(), 5);
    assert_eq!(value["kernels"][0]["tiles"], 1);

    // A folder that was named and is none is an error.
    let output = bench("HMX_GGML", nothing.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("ggml/src/ggml-hexagon/htp"), "{text}");
}
