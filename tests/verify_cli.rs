//! `hmx verify` through the real binary: exit status, one-line errors, saved cases, JSON.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn verify(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .arg("verify")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/minilm-layer0-q4_0.gguf")
}

/// The command ends with status 2 and one line on stderr that holds each of `parts`.
fn refused(arguments: &[&str], folder: &Path, parts: &[&str]) {
    let output = verify(arguments, folder);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(output.stdout.is_empty());
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
}

#[test]
fn wrong_input_is_one_line_and_status_two() {
    let folder = tempfile::tempdir().unwrap();
    let sample = sample();
    let (sample, at) = (sample.to_str().unwrap(), folder.path());
    refused(&["mm_none"], at, &["mm_none", "mm_hf", "or all"]);
    refused(&["mm_hf", "--target", "toaster"], at, &["toaster", "sim"]);
    refused(
        &["mm_hf", "--case", "m=1"],
        at,
        &["malformed", "missing field"],
    );
    refused(&["mm_hf", "--case", "nonsense"], at, &["field=value"]);
    refused(&["all", "--gguf", "nowhere.gguf"], at, &["nowhere.gguf"]);
    refused(
        &["all", "--gguf", sample, "--tensor", "nope"],
        at,
        &["nope", "blk.0.ffn_up.weight"],
    );
    refused(
        &["all", "--gguf", sample, "--tensor", "blk.0.attn_input"],
        at,
        &["F32", "Q4_0"],
    );
    std::fs::write(at.join("zip"), b"PK\x03\x04 a zip file").unwrap();
    refused(&["all", "--gguf", "zip"], at, &["zip", "no GGUF file"]);
    let bytes = std::fs::read(sample).unwrap();
    std::fs::write(at.join("half"), &bytes[..bytes.len() / 2]).unwrap();
    refused(
        &["mm_hf", "--gguf", "half"],
        at,
        &["half", "truncated", "again"],
    );
    std::fs::create_dir(at.join("hmx-regressions")).unwrap();
    std::fs::write(at.join("hmx-regressions/mm_hf.txt"), "m=1,n\n").unwrap();
    refused(&["mm_hf", "--cases", "1"], at, &["mm_hf.txt", "line 1"]);
}

#[test]
fn a_saved_case_is_replayed_and_the_json_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let case = "kernel=mm_w4a8,m=5,n=33,k=64,act=ramp,act_type=f32,weights=ramp,scales=steps,out_type=i32,\
                act_gap=1,out_gap=2,usr=0,vary=row-alone,row_tiles=1,column_tiles=1,seed=7";
    std::fs::create_dir(folder.path().join("kept")).unwrap();
    std::fs::write(
        folder.path().join("kept/mm_w4a8.txt"),
        format!("# kept\n{case}\n"),
    )
    .unwrap();
    let arguments = [
        "mm_w4a8",
        "--cases",
        "7",
        "--seed",
        "3",
        "--regressions",
        "kept",
        "--json",
    ];
    let output = verify(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&value["seed"], &value["target"]),
        (&3.into(), &"sim".into())
    );
    let kernel = &value["kernels"][0];
    assert_eq!(kernel["held"], 7);
    assert_eq!(kernel["replayed"], 1);
    assert_eq!(kernel["failures"], serde_json::json!([]));

    let output = verify(&["mm_w4a8", "--case", case], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("the case holds")
    );
    refused(
        &["mm_hf", "--case", case],
        folder.path(),
        &["mm_w4a8", "mm_hf"],
    );
}

#[test]
fn a_model_tensor_gets_error_statistics() {
    let sample = sample();
    let arguments = [
        "mm_w4a8",
        "--gguf",
        sample.to_str().unwrap(),
        "--tensor",
        "blk.0.attn_q.weight",
        "--json",
    ];
    let output = verify(&arguments, &std::env::temp_dir());
    assert_eq!(output.status.code(), Some(0));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let report = &value["tensors"][0];
    assert_eq!(report["shape"], serde_json::json!([42, 384, 384]));
    assert_eq!(report["activations"], "blk.0.attn_input");
    let rms = report["errors"]["rms"].as_f64().unwrap();
    // uint8 activations of real rows, one huge channel among small ones: about one percent.
    assert!((1e-3..3e-2).contains(&rms), "{rms}");
}
