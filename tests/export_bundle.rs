//! The bundle: its example is compiled for this computer and run against the library that
//! stands in for libcdsprpc. No test here says anything about real hardware.

#![cfg(unix)]

mod standin;

use hmx_abi::Arch;
use hmx_workbench::export::File;
use hmx_workbench::export::bundle::{BundleError, files};
use hmx_workbench::export::golden::golden;
use hmx_workbench::kernels::Kernel;
use hmx_workbench::skel_build::SKEL;
use serde_json::Value;
use sha2::{Digest, Sha256};
use standin::standin;
use std::path::Path;
use std::process::{Command, Output};

/// A bundle in a folder of its own; `None` without the Hexagon tools, where tests may do without.
fn bundle(kernel: Kernel) -> Option<(tempfile::TempDir, Vec<File>)> {
    let files = match files(kernel, &[Arch::V81]) {
        Err(BundleError::Build(error)) if std::env::var_os("HMX_SKIP_QEMU").is_some() => {
            eprintln!("left out: HMX_SKIP_QEMU is set, and {error}");
            return None;
        }
        other => other.expect("a bundle"),
    };
    let folder = tempfile::tempdir().expect("a folder");
    for file in &files {
        let path = folder.path().join(&file.path);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(path, &file.bytes).expect("a file");
    }
    Some((folder, files))
}

/// Makes the example with every warning an error; with sanitizers where they link.
fn compile(folder: &Path) {
    let make = |flags: &str| {
        Command::new("make")
            .current_dir(folder)
            .arg(format!("CFLAGS=-Werror -g {flags}"))
            .output()
            .expect("make and a C compiler are needed")
    };
    let checked = make("-fsanitize=address,undefined -fno-sanitize-recover=all");
    if !checked.status.success() {
        let plain = make("");
        assert!(plain.status.success(), "{}", text(&plain.stderr));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the example; the DSP's loader looks for the skel in `skel` below the bundle.
fn run(folder: &Path, skel: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(folder.join("example"))
        .arg(standin())
        .env_remove("DSP_LIBRARY_PATH")
        .env("ADSP_LIBRARY_PATH", folder.join(skel))
        .env("HMX_STANDIN_SKEL", "search")
        .envs(variables.iter().copied())
        .output()
        .expect("the example starts")
}

#[test]
fn the_example_of_every_kernel_gets_right_results() {
    for kernel in Kernel::ALL {
        let Some((folder, _)) = bundle(kernel) else {
            return;
        };
        compile(folder.path());
        let output = run(folder.path(), "skel/v81", &[]);
        let printed = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{kernel}: {printed}{}",
            text(&output.stderr)
        );
        assert!(
            printed.contains("200 of 200 results are right"),
            "{printed}"
        );
        assert_eq!(text(&output.stderr), "", "{kernel}");
    }
}

/// The skel that the bundle carries, under QEMU.
#[cfg(target_os = "linux")]
#[test]
fn the_exported_skel_itself_gets_right_results() {
    if std::env::var_os("HMX_SKIP_QEMU").is_some() {
        eprintln!("left out: HMX_SKIP_QEMU is set");
        return;
    }
    for kernel in [Kernel::W4A8, Kernel::W4A16Twopass] {
        let (folder, _) = bundle(kernel).expect("the tools are there");
        compile(folder.path());
        let output = run(
            folder.path(),
            "skel/v81",
            &[("HMX_STANDIN_SKEL", "search,qemu")],
        );
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{kernel}: {printed}");
        // A skel that is none: it is the bundle's file that ran.
        std::fs::write(folder.path().join("skel/v81").join(SKEL), b"no skel").expect("a file");
        let output = run(
            folder.path(),
            "skel/v81",
            &[("HMX_STANDIN_SKEL", "search,qemu")],
        );
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    }
}

#[test]
fn what_goes_wrong_is_said_and_is_no_success() {
    let Some((folder, _)) = bundle(Kernel::W4A8) else {
        return;
    };
    let folder = folder.path();
    compile(folder);
    let cases = [
        ("skel", "", "did not load libhmxwb_skel.so"),
        ("skel/v81", "no-vtcm", "no VTCM"),
        ("skel/v81", "die", "the call failed (code 0x0000002e)"),
        ("skel/v81", "silent", "the session is dead"),
        ("skel/v81", "stale", "the session is dead"),
        ("skel/v81", "short", "not complete"),
        ("skel/v81", "torn", "not those the skel wrote"),
    ];
    for (skel, fault, said) in cases {
        // Ways out that end the program leave memory of the library behind.
        let variables = [
            ("ASAN_OPTIONS", "detect_leaks=0"),
            ("HMX_STANDIN_FAULT", fault),
        ];
        let output = run(folder, skel, &variables);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}: {stderr}");
        assert!(stderr.contains(said), "{stderr}");
        assert_eq!(text(&output.stdout), "", "no result is shown");
    }
    let nothing = Command::new(folder.join("example"))
        .arg(folder.join("no-such-library"))
        .output()
        .expect("it starts");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("no FastRPC library"));
}

#[test]
fn a_wrong_expectation_fails() {
    let Some((folder, _)) = bundle(Kernel::Hf) else {
        return;
    };
    let header = folder.path().join("include/example_problem.h");
    let written = std::fs::read_to_string(&header).expect("the header");
    let (before, numbers) = written.split_once("example_expected").expect("the results");
    let (shape, numbers) = numbers.split_once("{\n  ").expect("an initialiser");
    let (_, rest) = numbers.split_once(',').expect("a number");
    let changed = format!("{before}example_expected{shape}{{\n  12345.0f,{rest}");
    std::fs::write(&header, changed).expect("the header");
    compile(folder.path());
    let output = run(folder.path(), "skel/v81", &[]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("not 12345"), "{printed}");
    assert!(printed.contains("199 of 200"), "{printed}");
}

/// The lines for Windows, against the declarations that they use of its header.
#[test]
fn the_lines_for_windows_are_c() {
    let Some((folder, _)) = bundle(Kernel::Hf) else {
        return;
    };
    let header = "typedef void *HMODULE, *HANDLE; typedef long long (*FARPROC)(void);\n\
        #define LOAD_WITH_ALTERED_SEARCH_PATH 8\n\
        HMODULE LoadLibraryExA(const char *name, HANDLE file, unsigned long flags);\n\
        FARPROC GetProcAddress(HMODULE library, const char *name);\n";
    std::fs::write(folder.path().join("windows.h"), header).expect("a file");
    let cc = Command::new("cc")
        .current_dir(folder.path())
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-D_WIN32"])
        .args(["-Iinclude", "-I.", "-fsyntax-only", "example.c"])
        .output()
        .expect("a C compiler is needed to build this project");
    assert!(cc.status.success(), "{}", text(&cc.stderr));
}

#[test]
fn the_headers_are_cpp_too() {
    let Some((folder, _)) = bundle(Kernel::Hf) else {
        return;
    };
    let cpp = Command::new("cc")
        .current_dir(folder.path())
        .args(["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror"])
        .args(["-fsyntax-only", "-include", "cstdio", "include/hmxwb_run.h"])
        .output()
        .expect("a compiler is needed to build this project");
    let errors = text(&cpp.stderr);
    if errors.contains("cstdio") || errors.contains("cc1plus") {
        eprintln!("left out: no C++ compiler");
        return;
    }
    assert!(cpp.status.success(), "{errors}");
}

#[test]
fn the_manifest_names_every_file_with_its_digest() {
    let Some((_, files)) = bundle(Kernel::W4A8Channel) else {
        return;
    };
    let of = |path: &str| files.iter().find(|f| f.path == path).expect(path);
    let manifest: Value = serde_json::from_slice(&of("manifest.json").bytes).expect("JSON");
    let digests = manifest["sha256"].as_object().expect("digests");
    assert_eq!(digests.len() + 1, files.len());
    for (path, digest) in digests {
        let found = format!("{:x}", Sha256::digest(&of(path).bytes));
        assert_eq!(Some(found.as_str()), digest.as_str(), "{path}");
    }
    assert_eq!(manifest["kernel"], "mm_w4a8_channel");
    assert_eq!(manifest["architectures"], serde_json::json!(["v81"]));
    assert_eq!(
        manifest["golden"]["product"],
        golden(Kernel::W4A8Channel).product
    );
    // What the headers say in C.
    let header = text(&of("include/hmxwb_run.h").bytes);
    let word = manifest["methods"]["run"]["scalars"]
        .as_str()
        .expect("a word");
    assert!(
        header.contains(&format!("HMXWB_SCALARS_RUN {word}u")),
        "{word}"
    );
    for (name, size) in manifest["struct_sizes"].as_object().expect("sizes") {
        assert!(size.as_u64().is_some_and(|size| size % 16 == 0), "{name}");
    }
    let readme = text(&of("README.md").bytes);
    assert!(!readme.contains("{{"), "a place was left open");
    assert!(matches!(
        hmx_workbench::export::bundle::files(Kernel::Hf, &[]),
        Err(BundleError::NoArch)
    ));
}
