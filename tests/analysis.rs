//! `hmx analyze`, `compare` and `infer` through the real binary.

use std::path::Path;
use std::process::{Command, Output};

fn hmx(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args(args)
        .output()
        .unwrap()
}

fn ok(args: &[&str]) -> String {
    let out = hmx(args);
    assert!(out.status.success(), "{args:?}: {out:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// What a refusal says; it must be one line on stderr, nothing on stdout, exit status 2.
fn refused(args: &[&str]) -> String {
    let out = hmx(args);
    assert_eq!(out.status.code(), Some(2), "{args:?}: {out:?}");
    assert!(out.stdout.is_empty(), "{args:?}: {out:?}");
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    text
}

fn dump(folder: &Path, probe: &str) -> String {
    let out = folder.to_str().unwrap();
    ok(&["probe", "run", probe, "--quiet", "--out", out]);
    folder.join(probe).to_str().unwrap().to_owned()
}

#[test]
fn a_dump_is_analysed_and_compared_without_its_target() {
    let tmp = tempfile::tempdir().unwrap();
    let ones = dump(tmp.path(), "fp16-ones");
    let text = ok(&["analyze", &ones, "--hexdump", "0x3000+16"]);
    assert!(text.contains("1024 of 1024 elements"), "{text}");
    assert!(text.contains("reads 32: ratio 1"), "{text}");

    let json: serde_json::Value = serde_json::from_str(&ok(&["analyze", &ones, "--json"])).unwrap();
    assert_eq!(json["readouts"][0]["coverage"]["written"], 1024);
    assert_eq!(json["readouts"][0]["distinct"][0]["value"], 32);

    let equal = ok(&["compare", &ones, "model"]);
    assert!(equal.contains("equal in every byte"), "{equal}");

    let html = tmp.path().join("report.html");
    ok(&[
        "analyze",
        &ones,
        "--quiet",
        "--html",
        html.to_str().unwrap(),
    ]);
    let html = std::fs::read_to_string(html).unwrap();
    assert!(html.contains("fp16-ones") && !html.contains("http"));
}

#[test]
fn a_difference_is_status_1_and_other_probes_are_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let (min, max) = (
        dump(tmp.path(), "fp16-bias-min"),
        dump(tmp.path(), "fp16-ones"),
    );
    assert!(refused(&["compare", &min, &max]).contains("different probes"));
    let v79 = tmp.path().join("v79");
    let probe = "w4a8-ubit-ramp";
    ok(&[
        "probe",
        "run",
        probe,
        "--quiet",
        "--arch",
        "v79",
        "--out",
        v79.to_str().unwrap(),
    ]);
    let (a, b) = (dump(tmp.path(), probe), v79.join(probe));
    ok(&["compare", &a, b.to_str().unwrap()]);
}

#[test]
fn a_spoiled_dump_is_refused_by_name() {
    let tmp = tempfile::tempdir().unwrap();
    let ones = dump(tmp.path(), "fp16-ones");
    let vtcm = Path::new(&ones).join("vtcm.bin");
    let whole = std::fs::read(&vtcm).unwrap();
    std::fs::write(&vtcm, &whole[..100]).unwrap();
    for command in [vec!["analyze", &ones], vec!["compare", &ones, "model"]] {
        assert!(refused(&command).contains("vtcm.bin is cut short: 100 of"));
    }
    let mut edited = whole.clone();
    edited[0x3000] ^= 1;
    std::fs::write(&vtcm, &edited).unwrap();
    assert!(refused(&["analyze", &ones]).contains("vtcm.bin was edited"));
    std::fs::write(&vtcm, &whole).unwrap();
    ok(&["analyze", &ones]);
    assert!(refused(&["analyze", &ones, "--hexdump", "nope"]).contains("is no range"));
    assert!(refused(&["analyze", &ones, "--hexdump", "0+99999999"]).contains("use a smaller one"));
    assert!(refused(&["analyze", "no-such-folder"]).contains("is no folder"));
}

#[test]
fn inference_finds_the_layouts_of_the_reference() {
    let args = [
        "infer",
        "--loader",
        "n",
        "--activation",
        "ub",
        "--convert",
        "ub",
        "--json",
    ];
    let json: serde_json::Value = serde_json::from_str(&ok(&args)).unwrap();
    assert_eq!(json["found"]["weight"]["layout"], "weight-n");
    assert_eq!(json["found"]["activation"]["layout"], "crouton-ub");
    let text = refused(&[
        "infer",
        "--loader",
        "int4",
        "--activation",
        "ub",
        "--convert",
        "ub",
    ]);
    assert!(text.contains("use one of: b, sm, n"), "{text}");
}
