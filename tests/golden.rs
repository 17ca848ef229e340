//! The recorded cases and the shipped probes, through the real binary.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn hmx(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args(args)
        .env("COLUMNS", "160")
        .output()
        .expect("hmx starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn every_recorded_case_passes() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("model/golden");
    for (file, cases) in [("matmul", 172), ("conv", 80), ("chain", 60), ("edge", 128)] {
        let path = golden.join(format!("{file}.jsonl.gz"));
        let output = hmx(&["replay", path.to_str().expect("a path in UTF-8")]);
        assert_eq!(text(&output.stdout), format!("{cases} passed, 0 failed\n"));
        assert!(output.status.success());
    }
}

#[test]
fn a_recorded_case_with_one_wrong_byte_fails_by_address() {
    let case = r#"{"id":"one","arch":"v81","poison":1,"program":["mxclracc"],"expect":[{"at":4096,"len":2,"b64":"AQI="}]}"#;
    let file = tempfile::NamedTempFile::new().expect("a scratch file");
    std::fs::write(&file, case).expect("written");
    let output = hmx(&["replay", file.path().to_str().expect("a path in UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "one: byte 0x1001: expected 0x02, got 0x01 (1 differ)\n0 passed, 1 failed\n"
    );
}

#[test]
fn all_probes_give_the_known_table() {
    let output = hmx(&["probe", "run", "all", "--quiet"]);
    assert!(output.status.success());
    snapbox::assert_data_eq!(
        text(&output.stdout),
        snapbox::file!["snapshots/probe-run-all.txt"]
    );
}

/// What the run says of every recorded id.
#[test]
fn every_recorded_reading_has_its_agreement() {
    let output = hmx(&["probe", "run", "all", "--json"]);
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let says = |id: &str| {
        let all = report["recorded"].as_array().expect("a list");
        let found = all.iter().find(|r| r["id"] == id);
        found.unwrap_or_else(|| panic!("{id} is missing"))["agreement"].clone()
    };
    for id in [
        "fp16-ones",
        "mixed-ubit-11",
        "mixed-n-11",
        "mixed-sbit-11",
        "mixed-ubit-21",
        "int-ones-2k",
        "int-ramp-2k",
    ] {
        assert_eq!(says(id), "reproduced", "{id}");
    }
    assert_eq!(says("int-ramp-naive"), "disagrees-as-documented");
    for id in [
        "int-colpair-naive",
        "uh2x2-coverage",
        "sessions",
        "unsigned-skel",
        "farf",
        "llama-q4_0-prefill",
        "qnn-w4a16-prefill",
    ] {
        assert_eq!(says(id), "observation", "{id}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args(["probe", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hmx starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("hmx ends");
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}
