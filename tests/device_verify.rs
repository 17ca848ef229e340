//! `hmx verify --target device` on the stand-in library. No test here says anything about real hardware.

mod standin;

use serde_json::Value;
use standin::standin;
use std::path::Path;
use std::process::{Command, Output};

fn verify(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmx"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("HMX_") || name.ends_with("DSP_LIBRARY_PATH") {
            command.env_remove(name);
        }
    }
    let fixed = ["verify", "--target", "device", "--seed", "5", "--json"];
    command
        .args(fixed)
        .args(arguments)
        .current_dir(folder)
        .env("HMX_FASTRPC_LIB", standin())
        .envs(variables.iter().copied());
    command.output().expect("hmx starts")
}

fn json(output: &Output) -> Value {
    let stderr = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("no JSON ({e}): {stderr}"))
}

#[test]
fn kernels_hold_and_the_device_says_its_architecture() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = verify(
        folder.path(),
        &["all", "--cases", "4"],
        &[("HMX_STANDIN_ARCH", "v75")],
    );
    let found = json(&output);
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    assert_eq!(found["arch"], "v75");
    let kernels = found["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 5);
    assert!(kernels.iter().all(|k| k["held"] == 4), "{found:#}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("no silicon"), "{stderr}");
}

#[test]
fn a_wrong_bit_of_a_result_is_found() {
    for kernel in ["mm_hf", "mm_w4a8"] {
        let folder = tempfile::tempdir().expect("a folder");
        let wrong = [("HMX_STANDIN_FAULT", "wrong")];
        let output = verify(folder.path(), &[kernel, "--cases", "2"], &wrong);
        let found = json(&output);
        assert_eq!(output.status.code(), Some(1), "{found:#}");
        let failure = &found["kernels"][0]["failures"][0];
        let reason = failure["reason"].as_str().unwrap_or_default();
        assert!(!reason.contains("then held"), "{reason}");
        let again = failure["again"].as_str().unwrap_or_default();
        assert!(again.ends_with("--target device"), "{again}");
    }
}

#[test]
fn a_device_that_dies_fails_the_case_and_is_given_up_soon() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = folder.path().join("count");
    let counted = count.display().to_string();
    let variables = [
        ("HMX_STANDIN_FAULT", "die"),
        ("HMX_STANDIN_COUNT", &counted),
    ];
    let output = verify(folder.path(), &["mm_w4a8", "--cases", "20"], &variables);
    let found = json(&output);
    assert_eq!(output.status.code(), Some(1), "{found:#}");
    let reason = found["kernels"][0]["failures"][0]["reason"].as_str();
    assert!(reason.is_some_and(|r| r.contains("0x2e")), "{found:#}");
    let programs = std::fs::read(&count).expect("programs were counted").len();
    assert!(programs <= 3, "{programs} programs on a dead device");
}

#[test]
fn what_the_device_lacks_is_no_failure_of_a_kernel() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = verify(
        folder.path(),
        &["mm_hf", "--cases", "3"],
        &[("HMX_STANDIN_FAULT", "no-vtcm")],
    );
    let found = json(&output);
    assert_eq!(
        output.status.code(),
        Some(1),
        "nothing was checked: {found:#}"
    );
    assert_eq!(found["kernels"][0]["refused"], 3);
    assert_eq!(found["kernels"][0]["failures"], serde_json::json!([]));
    let nowhere = verify(
        folder.path(),
        &["mm_hf"],
        &[("HMX_FASTRPC_LIB", "/nowhere.so")],
    );
    assert_eq!(nowhere.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&nowhere.stderr).lines().count(), 1);
}
