//! `hmx cc` through the real binary. Needs clang and lld of version 19 or later;
//! `HMX_SKIP_QEMU=1` leaves these tests out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn skipped() -> bool {
    let skip = std::env::var_os("HMX_SKIP_QEMU").is_some();
    if skip {
        eprintln!("left out: HMX_SKIP_QEMU is set");
    }
    skip
}

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("cc-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn hmx(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn fine(output: &Output) {
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn uses(folder: &Path, file: &str) -> Vec<(String, u64)> {
    let output = hmx(folder, &["--json", "disasm", "--only-hmx", file]);
    fine(&output);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let uses = value["summary"]["uses"].as_array().unwrap();
    uses.iter()
        .map(|u| {
            (
                u["instruction"].as_str().unwrap().to_owned(),
                u["count"].as_u64().unwrap(),
            )
        })
        .collect()
}

const SOURCE: &str = r#"
#include "range.h"
int multiply(char *a, char *w, char *out) {
  __asm__ volatile("mxclracc.hf /* none left */ ; bias = mxmem2( %0 )" ::"r"(out + 4096));
  __asm__ volatile("{ activation . hf = mxmem(%0, %1) : deep // both\n  weight.hf=mxmem(%2,%1)\n}" ::"r"(a), "r"(RANGE), "r"(w));
  __asm__ volatile("{\n mxmem(%0, %1):after.hf = acc }" ::"r"(out), "r"(0) : "memory");
  return 7;
}
"#;

fn project(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("a.c"), SOURCE).unwrap();
    std::fs::write(folder.join("range.h"), "#define RANGE 2047\n").unwrap();
    folder
}

fn expected() -> Vec<(String, u64)> {
    [
        "activation.hf=mxmem(Rs,Rt):deep",
        "weight.hf=mxmem(Rs,Rt)",
        "bias=mxmem2(Rs)",
        "mxclracc.hf",
        "mxmem(Rs,Rt):after.hf=acc",
    ]
    .map(|i| (i.to_owned(), 1))
    .to_vec()
}

#[test]
fn an_object_file_with_its_dependencies() {
    if skipped() {
        return;
    }
    let folder = project("object");
    fine(&hmx(
        &folder,
        &["cc", "-O2", "-MMD", "-MP", "-c", "a.c", "-o", "out.o"],
    ));
    assert_eq!(uses(&folder, "out.o"), expected());
    let dependencies = std::fs::read_to_string(folder.join("out.d")).unwrap();
    assert!(
        dependencies.starts_with("out.o: a.c range.h"),
        "{dependencies}"
    );
    // Without -o, and with the version that the driver gives the file.
    fine(&hmx(&folder, &["cc", "-mcpu=hexagonv75", "-c", "a.c"]));
    let output = hmx(&folder, &["disasm", "--only-hmx", "a.o"]);
    assert!(text(&output.stdout).contains("built for v75"));
}

#[test]
fn assembly_as_the_result_and_as_the_input() {
    if skipped() {
        return;
    }
    let folder = project("assembly");
    fine(&hmx(&folder, &["cc", "-O2", "-S", "a.c"]));
    let assembly = std::fs::read_to_string(folder.join("a.s")).unwrap();
    assert!(assembly.contains("\t.word 0xa6e0c013 "), "{assembly}");
    assert!(!assembly.contains("mxmem"));
    let printed = hmx(&folder, &["cc", "-O2", "-S", "a.c", "-o", "-"]);
    assert_eq!(text(&printed.stdout), assembly);
    // Mnemonics in an assembly file, plain and preprocessed.
    let own = "f:\n  { activation.ub=mxmem(r0,r1)\n    weight.n=mxmem(r2,r3) }\n  jumpr r31\n";
    std::fs::write(folder.join("f.s"), own).unwrap();
    std::fs::write(
        folder.join("g.S"),
        format!("#define F 1\n#ifdef F\n{own}#endif\n"),
    )
    .unwrap();
    fine(&hmx(&folder, &["cc", "-c", "f.s", "g.S"]));
    for file in ["f.o", "g.o"] {
        let loads = ["activation.ub=mxmem(Rs,Rt)", "weight.n=mxmem(Rs,Rt)"];
        assert_eq!(uses(&folder, file), loads.map(|i| (i.to_owned(), 1)));
    }
}

#[test]
fn everything_else_is_clang() {
    if skipped() {
        return;
    }
    let folder = project("clang");
    let version = hmx(&folder, &["cc", "--version"]);
    assert!(text(&version.stdout).contains("clang version"));
    let preprocessed = hmx(&folder, &["cc", "-E", "a.c"]);
    assert!(text(&preprocessed.stdout).contains("\"r\"(2047)"));
    let rules = hmx(&folder, &["cc", "-MM", "a.c"]);
    assert_eq!(text(&rules.stdout), "a.o: a.c range.h\n");
    // Two sources to one shared object, as clang links it.
    std::fs::write(folder.join("b.c"), "int seven(void) { return 7; }\n").unwrap();
    let lld = hmx_workbench::tools::lld().unwrap();
    let link = format!("--ld-path={}", which(&lld).display());
    fine(&hmx(
        &folder,
        &[
            "cc",
            "-O2",
            "-fPIC",
            "-shared",
            "-nostdlib",
            "-fuse-ld=lld",
            &link,
            "a.c",
            "b.c",
            "-o",
            "lib.so",
        ],
    ));
    assert_eq!(uses(&folder, "lib.so"), expected());
    // Its complaints are clang's own, and no result is left.
    std::fs::write(folder.join("bad.c"), "int f(void) { return x; }\n").unwrap();
    let output = hmx(&folder, &["cc", "-c", "bad.c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bad.c:1:22: error: use of undeclared identifier 'x'"));
    assert!(!folder.join("bad.o").exists());
    let output = hmx(&folder, &["cc", "--no-such-option", "-c", "a.c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no-such-option"));
}

/// A program of PATH with its folder.
fn which(program: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path)
        .map(|f| f.join(program))
        .find(|p| p.is_file());
    found.unwrap()
}

fn refused(folder: &Path, arguments: &[&str], message: &str) {
    let output = hmx(folder, arguments);
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.contains(message), "{line}");
}

#[test]
fn what_would_be_miscompiled_is_refused_with_the_source_line() {
    if skipped() {
        return;
    }
    let folder = folder("refused");
    let mixed = "static inline void f(void) {\n  __asm__ volatile(\"{ mxclracc.hf; r0 = #1 }\" ::: \"r0\");\n}\nvoid g(void) {\n  __asm__ volatile(\"mxclracc\");\n  f();\n}\n";
    std::fs::write(folder.join("mixed.c"), mixed).unwrap();
    let message = "mixed.c:2: `mxclracc.hf` and `r0 = #1` stand in one packet; give the HMX instructions a packet of their own";
    for arguments in [
        &["cc", "-O2", "-c", "mixed.c"][..],
        &["cc", "-O0", "-g", "-c", "mixed.c"],
        &["cc", "-S", "mixed.c"],
        &["cc", "-O2", "-MD", "-c", "mixed.c"],
    ] {
        refused(&folder, arguments, message);
        assert!(!folder.join("mixed.o").exists() && !folder.join("mixed.s").exists());
    }
    std::fs::write(
        folder.join("alone.c"),
        "void f(int a) {\n\n  __asm__(\"weight.hf=mxmem(%0,%0)\" :: \"r\"(a));\n}\n",
    )
    .unwrap();
    refused(
        &folder,
        &["cc", "-c", "alone.c"],
        "alone.c:3: `weight.hf=mxmem(Rs,Rt)` stands alone",
    );
    std::fs::write(folder.join("slip.s"), "nop\n mxclracc.fh\n").unwrap();
    refused(
        &folder,
        &["cc", "-c", "slip.s"],
        "slip.s:2: `mxclracc.fh` is no HMX instruction; the nearest forms are `mxclracc.hf`",
    );
    std::fs::write(
        folder.join("slip.S"),
        "#define A\n\nnop\n{ mxclracc }:endloop0\n",
    )
    .unwrap();
    refused(
        &folder,
        &["cc", "-c", "slip.S"],
        "slip.S:4: `:endloop0` follows the packet",
    );
    refused(
        &folder,
        &["cc", "-flto", "-c", "mixed.c"],
        "leave -flto out",
    );
}

/// The skel's probe interpreter has one stub for every packet there is; the lists come from
/// the instruction table, so the counts are known.
#[test]
fn the_skel_of_this_project_has_no_unknown_hmx_word() {
    use hmx_abi::{Arch, Kind, instructions};
    if skipped() {
        return;
    }
    let skel = hmx_workbench::skel_build::skel(Arch::V73).unwrap();
    let folder = folder("skel");
    let listing = |symbol: &[&str]| {
        let mut arguments = vec!["--json", "disasm"];
        arguments.extend(symbol);
        arguments.push(skel.to_str().unwrap());
        let output = hmx(&folder, &arguments);
        fine(&output);
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let count = |kind| instructions().iter().filter(|i| i.kind == kind).count() as u64;
    let (activations, weights) = (count(Kind::Activation), count(Kind::Weight));
    let pairs = listing(&["--symbol", "hmxwb_pair_stubs"]);
    assert_eq!(
        pairs["summary"]["hmx_packets"].as_u64(),
        Some(activations * weights)
    );
    let times = |u: &serde_json::Value| {
        let activation = u["instruction"].as_str().unwrap().starts_with("activation");
        u["count"].as_u64() == Some(if activation { weights } else { activations })
    };
    let uses = pairs["summary"]["uses"].as_array().unwrap();
    assert!(uses.iter().all(times), "{uses:?}");
    let singles = listing(&["--symbol", "hmxwb_single_stubs"]);
    let all = instructions().len() as u64;
    assert_eq!(
        singles["summary"]["hmx_words"].as_u64(),
        Some(all - activations - weights)
    );
    // The whole file: what no table knows is padding, and no packet breaks the rules.
    let whole = listing(&[]);
    assert_eq!(
        whole["summary"]["uses"].as_array().unwrap().len() as u64,
        all
    );
    for section in whole["sections"].as_array().unwrap() {
        for packet in section["packets"].as_array().unwrap() {
            let unknown = packet["text"].as_str().unwrap().contains("<unknown>");
            assert!(!unknown || packet["words"][0] == "0x00000000", "{packet}");
        }
    }
}
