//! Dump folders that were damaged after the run are refused by name.

use std::fs;
use std::path::Path;
use std::process::Command;

fn hmx(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmx"));
    command.current_dir(folder);
    command
}

/// Runs a probe into `dumps/`, lets `damage` loose on its folder, and replays it.
fn replay_after(damage: impl FnOnce(&Path)) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let status = hmx(scratch.path())
        .args(["probe", "run", "fp16-ones", "--quiet", "--out", "dumps"])
        .output()
        .expect("hmx starts")
        .status;
    assert!(status.success());
    damage(&scratch.path().join("dumps/fp16-ones"));
    let output = hmx(scratch.path())
        .args(["probe", "run", "fp16-ones", "--target", "replay:dumps"])
        .output()
        .expect("hmx starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "nothing may be analysed");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn an_intact_dump_gives_the_same_table() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let table = |target: &str, more: &[&str]| {
        let output = hmx(scratch.path())
            .args(["probe", "run", "fp16-ones", "--quiet", "--target", target])
            .args(more)
            .output()
            .expect("hmx starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        let line = text.lines().find(|l| l.contains("fp16-ones"));
        line.expect("the probe's row").to_owned()
    };
    let first = table("sim", &["--out", "dumps"]);
    assert_eq!(table("replay:dumps", &[]), first);
    assert_eq!(table("replay:dumps/fp16-ones", &[]), first);
}

#[test]
fn a_dump_cut_short_is_refused() {
    let text = replay_after(|dump| {
        let vtcm = dump.join("vtcm.bin");
        let bytes = fs::read(&vtcm).expect("the image");
        fs::write(&vtcm, &bytes[..bytes.len() - 1]).expect("written");
    });
    assert!(
        text.contains("vtcm.bin") && text.contains("fp16-ones"),
        "{text}"
    );
}

#[test]
fn an_edited_image_is_refused() {
    let text = replay_after(|dump| {
        let vtcm = dump.join("vtcm.bin");
        let mut bytes = fs::read(&vtcm).expect("the image");
        bytes[0] ^= 1;
        fs::write(&vtcm, &bytes).expect("written");
    });
    assert!(
        text.contains("vtcm.bin") && text.contains("fp16-ones"),
        "{text}"
    );
}

#[test]
fn an_edited_manifest_is_refused() {
    let text = replay_after(|dump| {
        let manifest = dump.join("manifest.json");
        let json = fs::read_to_string(&manifest).expect("the manifest");
        let edited = json.replace("vendor-model", "silicon");
        assert_ne!(json, edited);
        fs::write(&manifest, edited).expect("written");
    });
    assert!(text.contains("manifest.json"), "{text}");
}

#[test]
fn a_missing_definition_is_refused() {
    let text = replay_after(|dump| {
        fs::remove_file(dump.join("probe.toml")).expect("removed");
    });
    assert!(text.contains("probe.toml"), "{text}");
}
