//! The patched sources compile, and with the switch off they are the sources as they were.

use crate::tools::{exported, folder, program, run, succeed};
use crate::tree::{ON, patched, plain, skipped};
use std::path::Path;
use std::process::Command;

const RUNTIME: &str = "ggml/src/ggml-hexagon";

/// Folders of headers, relative to the llama.cpp folder.
const INCLUDE: [&str; 4] = [
    "-Iggml/include",
    "-Iggml/src",
    "-Iggml/src/ggml-hexagon",
    "-Iggml/src/ggml-hexagon/htp",
];

/// A command for the host's part; stand-ins for the SDK's headers, `__fp16` only has its size.
pub fn host(tree: &Path) -> Command {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("c++");
    command
        .current_dir(tree)
        .args(["-std=c++17", "-D__fp16=short", "-Wno-unknown-pragmas"])
        .arg("-I")
        .arg(here.join("tests/export_w4a8/stubs"))
        .args(INCLUDE);
    command
}

/// A command for the DSP's part, as `hmx cc` runs clang; the options of the runtime's release build as far as it has them.
fn dsp(tree: &Path, arch: &str) -> Command {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmx"));
    command
        .current_dir(tree)
        .arg("cc")
        .arg(format!("-mcpu=hexagon{arch}"))
        .args(["-mhvx", "-mhvx-length=128B"])
        .arg(match arch {
            "v73" | "v75" => "-mhvx-qfloat",
            _ => "-mhvx-ieee-fp",
        })
        .args(["-O2", "-G0", "-fPIC", "-fdata-sections", "-fvectorize"])
        .args(["-fno-zero-initialized-in-bss", "-ffreestanding"])
        .args(["-Wall", "-Werror", "-DNDEBUG=1"])
        .arg("-I")
        .arg(here.join("host/ggml/stubs"))
        .args(INCLUDE);
    command
}

/// `main.c` needs more of the SDK, and does without two warnings because of how it is stood in for.
fn with_main(command: &mut Command) -> &mut Command {
    let stubs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_w4a8/dsp");
    command
        .args(["-Wno-int-conversion", "-Wno-deprecated-non-prototype"])
        .arg("-include")
        .arg(stubs.join("dsp.h"))
        .arg("-I")
        .arg(stubs)
}

#[test]
fn the_host_part_compiles() {
    if skipped() {
        return;
    }
    for switch in [None, Some(ON)] {
        succeed(
            host(patched())
                .args(["-fsyntax-only", "-Wall", "-Werror"])
                .args(switch)
                .arg(format!("{RUNTIME}/ggml-hexagon.cpp")),
        );
    }
}

#[test]
fn the_test_cases_compile() {
    let cases = exported().join("test-backend-ops.inc");
    let source = format!(
        "#include <array>
         #include <cstdint>
         #include <memory>
         #include <vector>
         enum ggml_type {{ GGML_TYPE_F32, GGML_TYPE_Q4_0 }};
         struct test_case {{ virtual ~test_case() = default; }};
         struct test_mul_mat : test_case {{
             int64_t k;
             test_mul_mat(ggml_type, ggml_type, int64_t, int64_t, int64_t k, std::array<int64_t, 2>,
                          std::array<int64_t, 2>) : k(k) {{}}
         }};
         int main() {{
             std::vector<std::unique_ptr<test_case>> test_cases;
             #include {cases:?}
             return test_cases.size() == 29 ? 0 : 1;
         }}"
    );
    let file = exported().join("cases.cpp");
    std::fs::write(&file, source).unwrap();
    run(
        &program("c++", "-std=c++17", file.to_str().unwrap(), "cases"),
        &[],
        &[],
    );
}

#[test]
fn the_op_compiles_for_every_version() {
    if skipped() || std::env::var_os("HMX_SKIP_QEMU").is_some() {
        return;
    }
    let out = folder("export-w4a8-objects");
    for arch in ["v73", "v75", "v79", "v81"] {
        succeed(
            dsp(patched(), arch)
                .args([ON, "-c"])
                .arg(format!("{RUNTIME}/htp/hmxwb-w4a8-ops.c"))
                .arg("-o")
                .arg(out.join(format!("{arch}.o"))),
        );
    }
    // From v79 on it has assembly that clang does not know.
    for (arch, switch) in [("v73", None), ("v73", Some(ON)), ("v75", Some(ON))] {
        succeed(
            with_main(&mut dsp(patched(), arch))
                .args(switch)
                .arg("-c")
                .arg(format!("{RUNTIME}/htp/main.c"))
                .arg("-o")
                .arg(out.join("main.o")),
        );
    }
}

/// A file after the preprocessor, without empty lines; line numbers in it read 0.
fn preprocessed(command: &mut Command, file: &str) -> String {
    let options = ["-E", "-P", "-D__LINE__=0", "-Wno-builtin-macro-redefined"];
    let output = succeed(command.args(options).arg(format!("{RUNTIME}/{file}")));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn with_the_switch_off_nothing_changes() {
    if skipped() {
        return;
    }
    let file = "ggml-hexagon.cpp";
    let before = preprocessed(&mut host(plain()), file);
    assert!(before == preprocessed(&mut host(patched()), file), "{file}");
    assert!(before != preprocessed(host(patched()).arg(ON), file));
    if std::env::var_os("HMX_SKIP_QEMU").is_some() {
        return;
    }
    for file in ["htp/main.c", "htp/matmul-ops.c"] {
        let text = |tree: &Path, switch: Option<&str>| {
            let mut command = dsp(tree, "v73");
            preprocessed(with_main(&mut command).args(switch), file)
        };
        let before = text(plain(), None);
        assert!(before == text(patched(), None), "{file}");
        assert!(before != text(patched(), Some(ON)), "{file}");
    }
}
