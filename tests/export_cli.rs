//! `hmx export` from outside: what leaves, what is refused, what a check notices.

use hmx_analysis::dump::Dump;
use hmx_workbench::export::identity::sha256;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

fn hmx(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmx"));
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn export(kernel: &str, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    let fixed = [
        "export",
        kernel,
        "--runtime=ggml-hexagon",
        "--cases=2",
        "--out",
        out,
    ];
    hmx(&[&fixed, more].concat())
}

fn check(dir: &Path) -> (i32, String) {
    let output = hmx(&["export", "--check", dir.to_str().unwrap()]);
    (
        output.status.code().unwrap(),
        text(&output.stdout) + &text(&output.stderr),
    )
}

/// One export, made once; tests work on copies.
fn exported() -> &'static Path {
    static MADE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = MADE.get_or_init(|| {
        let dir = TempDir::new().unwrap();
        let out = dir.path().join("export");
        let output = export("mm_w4a16_fused", &out, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("silicon: not yet run on a device"));
        (dir, out)
    });
    path
}

fn copied() -> (TempDir, PathBuf) {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let to = to.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => copy(&entry.path(), &to),
                false => drop(std::fs::copy(entry.path(), to).unwrap()),
            }
        }
    }
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("export");
    copy(exported(), &out);
    (dir, out)
}

/// A change of a certificate.
type Change = fn(&mut Value);

/// Writes another certificate with a seal that fits.
fn reseal(dir: &Path, change: impl Fn(&mut Value)) {
    let file = dir.join("certificate.json");
    let mut value: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    value.as_object_mut().unwrap().remove("certificate_sha256");
    change(&mut value);
    value["certificate_sha256"] = sha256(value.to_string().as_bytes()).into();
    std::fs::write(file, value.to_string()).unwrap();
}

const HEADER: &str = "files/ggml/src/ggml-hexagon/htp/hmxwb-w4a16-kernels-tiled.h";

#[test]
fn an_export_is_checked_and_every_change_is_named() {
    let (_dir, out) = copied();
    assert_eq!(check(&out).0, 0, "{}", check(&out).1);

    let header = std::fs::read_to_string(out.join(HEADER)).unwrap();
    std::fs::write(out.join(HEADER), header.replacen("0xC800", "0xC801", 1)).unwrap();
    assert_eq!(check(&out), (1, format!("{HEADER} was edited\n")));
    std::fs::write(out.join(HEADER), header).unwrap();

    std::fs::remove_file(out.join("llama.patch")).unwrap();
    std::fs::write(out.join("extra"), "").unwrap();
    assert_eq!(
        check(&out),
        (
            1,
            "llama.patch is missing\nextra was not exported\n".to_owned()
        )
    );
}

#[test]
fn an_edited_certificate_is_no_certificate() {
    let (_dir, out) = copied();
    let file = out.join("certificate.json");
    let json = std::fs::read_to_string(&file).unwrap();
    for other in [
        json.replacen("not yet run on a device", "run on a device", 1),
        json[..json.len() / 2].to_owned(),
        String::new(),
        "[]".to_owned(),
    ] {
        std::fs::write(&file, other).unwrap();
        let (status, said) = check(&out);
        assert_eq!(status, 1);
        assert!(said.starts_with("certificate.json was edited"), "{said}");
    }
}

#[test]
fn a_certificate_goes_stale() {
    let cases: [(Change, &str); 5] = [
        (
            |v| v["verified"]["identity"]["sources_sha256"] = "0".into(),
            "the kernel sources have changed since",
        ),
        (
            |v| v["verified"]["identity"]["packers"]["q4_0_tile"] = "0".into(),
            "the packers have changed since",
        ),
        (
            |v| v["verified"]["at"] = "2026-01-01T00:00:00Z".into(),
            "a verification holds for a day",
        ),
        (
            |v| v["exported_at"] = "2999-01-01T00:00:00Z".into(),
            "is from the future",
        ),
        (
            |v| v["llama"]["version"] = "llama.cpp of tomorrow".into(),
            "made for llama.cpp of tomorrow",
        ),
    ];
    for (change, named) in cases {
        let (_dir, out) = copied();
        reseal(&out, change);
        let (status, said) = check(&out);
        assert_eq!(status, 1, "{named}");
        assert!(said.contains(named), "{said}");
    }
}

#[test]
fn a_certificate_of_today_stands_in_for_a_verification() {
    let (dir, out) = copied();
    let again = dir.path().join("again");
    let named = |out: &Path| format!("--certificate={}", out.display());
    let output = export("mm_w4a16_fused", &again, &[&named(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let read = |dir: &Path| -> Value {
        serde_json::from_slice(&std::fs::read(dir.join("certificate.json")).unwrap()).unwrap()
    };
    assert_eq!(read(&out)["verified"], read(&again)["verified"]);

    let cases: [(Change, &str); 4] = [
        (
            |v| v["verified"]["at"] = "2026-01-01T00:00:00Z".into(),
            "more than a day ago",
        ),
        (
            |v| v["verified"]["identity"]["tool_sha256"] = "0".into(),
            "another build of this tool",
        ),
        (
            |v| v["verified"]["identity"]["sources_sha256"] = "0".into(),
            "the kernel sources are not those",
        ),
        (
            |v| v["verified"]["kernel"] = "mm_hf".into(),
            "it is for mm_hf",
        ),
    ];
    for (n, (change, said)) in cases.into_iter().enumerate() {
        let (_dir, out) = copied();
        reseal(&out, change);
        let target = dir.path().join(format!("not-{n}"));
        let output = export("mm_w4a16_fused", &target, &[&named(&out)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
        assert!(!target.exists());
    }
}

#[test]
fn wrong_use_ends_with_one_line_and_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let full = dir.path().join("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("mine"), "x").unwrap();
    let free = dir.path().join("free");
    let refused = |output: Output, what: &str| {
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        let said = text(&output.stderr);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(what), "{said}");
    };
    refused(
        export("mm_w4a16_fused", &full, &[]),
        "is there already and not empty",
    );
    refused(
        export("mm_hf", &free, &[]),
        "mm_hf has no form for ggml-hexagon",
    );
    refused(
        hmx(&["export", "--check", full.to_str().unwrap()]),
        "name a folder that `hmx export` wrote",
    );
    let no_llama = format!("--llama={}", full.display());
    refused(
        hmx(&["export", "--check", exported().to_str().unwrap(), &no_llama]),
        "--llama names a llama.cpp folder",
    );
    let nowhere = format!("--device-dump={}", dir.path().join("no-dump").display());
    refused(export("mm_w4a16_fused", &free, &[&nowhere]), "no-dump");
    assert!(!free.exists());
    assert_eq!(std::fs::read_dir(&full).unwrap().count(), 1);
}

#[test]
fn dumps_off_a_device_are_named_and_others_refused() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    let dumps = at("dumps");
    let run = hmx(&[
        "probe",
        "run",
        "fp16-ones",
        "--out",
        dumps.to_str().unwrap(),
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let simulated = dumps.join("fp16-ones");
    let option = |dump: &Path| format!("--device-dump={}", dump.display());
    let output = export("mm_w4a16_fused", &at("no"), &[&option(&simulated)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is a dump of target sim"));

    // The same bytes as a device would have them, and with one byte of the readout changed.
    let mut dump = Dump::read(&simulated).unwrap();
    dump.manifest.target = "device".to_owned();
    dump.write(&at("same")).unwrap();
    let readout = dump.definition().unwrap().readouts[0].at as usize;
    dump.vtcm[readout] ^= 1;
    dump.manifest.vtcm_sha256 = sha256(&dump.vtcm);
    dump.write(&at("other")).unwrap();
    let more = [&*option(&at("same")), &*option(&at("other"))];
    let certificate = format!("--certificate={}", exported().display());
    let output = export(
        "mm_w4a16_fused",
        &at("yes"),
        &[&more[..], &[&certificate]].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let status = "the kernel: not yet run on a device; probes: 2 read off a device, 1 of them as the model says";
    assert!(said.contains(status), "{said}");
    assert_eq!(check(&at("yes")).0, 0);
}
