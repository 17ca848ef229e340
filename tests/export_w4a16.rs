//! The exported `mm_w4a16_fused` in the tree it is for: the patch applies, the sources compile
//! without a warning, and the functions give the bytes of the reference under QEMU.
//!
//! Left out with `HMX_SKIP_QEMU=1` or `HMX_SKIP_GGML=1`, as tests/ggml.rs.
#![cfg(target_os = "linux")]

mod ggml_tiles;

use ggml_tiles::{
    Machine, disassemble, entry, packed_tiles_expand, random_tiles_multiply, skipped, sources,
    succeed, uses,
};
use hmx_abi::Arch;
use hmx_workbench::ggml::Build;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const HTP: &str = "ggml/src/ggml-hexagon/htp";
/// What the SDK's headers bring along, and the stubs do not.
const BROUGHT: [&str; 4] = [
    "-includestdbool.h",
    "-includestdio.h",
    "-includestdlib.h",
    "-includestring.h",
];
const SWITCH: &str = "-DGGML_HEXAGON_HMXWB_W4A16=1";

fn hmx() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
}

/// Copies what the backend's files include.
fn copy(from: &Path, to: &Path) {
    for below in ["ggml/include", "ggml/src", "ggml/src/ggml-hexagon", HTP] {
        std::fs::create_dir_all(to.join(below)).unwrap();
        for entry in std::fs::read_dir(from.join(below)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), to.join(below).join(entry.file_name())).unwrap();
            }
        }
    }
}

struct Tree {
    work: TempDir,
}

impl Tree {
    /// An export, and a copy of the sources beside it.
    fn new() -> Tree {
        let work = TempDir::new().unwrap();
        let tree = Tree { work };
        copy(&sources(), &tree.llama());
        succeed(
            hmx()
                .args([
                    "export",
                    "mm_w4a16_fused",
                    "--runtime=ggml-hexagon",
                    "--cases=1",
                    "--out",
                ])
                .arg(tree.export()),
        );
        tree
    }

    fn export(&self) -> PathBuf {
        self.work.path().join("export")
    }

    fn llama(&self) -> PathBuf {
        self.work.path().join("llama.cpp")
    }

    fn checks(&self) -> bool {
        let mut command = hmx();
        command
            .args(["export", "--check"])
            .arg(self.export())
            .arg("--llama")
            .arg(self.llama());
        match command.output().unwrap().status.code() {
            Some(0) => true,
            Some(1) => false,
            other => panic!("{other:?}"),
        }
    }

    /// The steps of the export's README.
    fn patch(&self) {
        for check in [&["--check"][..], &[]] {
            succeed(
                Command::new("git")
                    .arg("apply")
                    .args(check)
                    .arg(self.export().join("llama.patch"))
                    .current_dir(self.llama()),
            );
        }
        let from = self.export().join("files").join(HTP);
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), self.llama().join(HTP).join(entry.file_name())).unwrap();
        }
    }

    /// What the compiler makes of the patched source file for v73.
    fn compiled(&self, options: &[&str], name: &str) -> Vec<u8> {
        let (tree, object) = (self.llama(), self.work.path().join(name));
        let build = Build {
            tree: &tree,
            arch: Arch::V73,
            include: &[],
            options: &[&["-O0", "-w"][..], &BROUGHT, options].concat(),
        };
        build
            .object(&tree.join(HTP).join("matmul-ops.c"), &object)
            .unwrap();
        std::fs::read(object).unwrap()
    }
}

#[test]
fn the_export_works_in_the_tree_it_is_for() {
    if skipped() {
        return;
    }
    let tree = Tree::new();
    assert!(
        tree.checks(),
        "the fetched sources are the version of the export"
    );
    let before = tree.compiled(&[], "before.o");
    tree.patch();
    assert!(
        !tree.checks(),
        "a patched tree is not the version of the export"
    );
    // Without the switch the object file is what it was, byte for byte.
    assert!(before == tree.compiled(&[], "off.o"));
    // With it the runtime's own code calls the exported functions.
    let text = tree.compiled(&["-E", SWITCH], "on.i");
    let text = String::from_utf8_lossy(&text);
    for call in [
        "hmxwb_dequantize_q4_0(state, start, end)",
        "hmxwb_core_dot_chunk_fp16(job->output",
    ] {
        assert!(text.contains(call), "{call}");
    }

    // There is no warning, and the results are right: with qfloat and with IEEE arithmetic.
    for (arch, more) in [(Arch::V73, &[][..]), (Arch::V81, &["-mhvx-ieee-fp"])] {
        let skel = tree.work.path().join(format!("{arch}.so"));
        let build = Build {
            tree: &tree.llama(),
            arch,
            include: &[],
            options: &[&["-O2", "-Wall", "-Werror", SWITCH], more].concat(),
        };
        build.library(&[entry()], &skel).unwrap();
        let listing = disassemble(&skel);
        assert_eq!(listing["summary"]["broken"].as_array().unwrap().len(), 0);
        let deep = uses(&listing)
            .into_iter()
            .find(|(name, _)| name == "activation.hf=mxmem(Rs,Rt):deep");
        assert!(deep.is_some_and(|(_, count)| count > 0));
        let mut machine = Machine::start(&skel);
        random_tiles_multiply(&mut machine);
        packed_tiles_expand(&mut machine, &[("dequantize_q4_0", true)]);
    }
}

/// What the cases need of tests/test-backend-ops.cpp, which the crate does not carry.
const BACKEND_OPS: &str = r#"
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>
enum ggml_type { GGML_TYPE_F32, GGML_TYPE_Q4_0 };
struct test_case { int64_t n; virtual ~test_case() = default; };
struct test_mul_mat : test_case {
    test_mul_mat(ggml_type, ggml_type, int64_t, int64_t n, int64_t k, std::array<int64_t, 2>, std::array<int64_t, 2>) {
        this->n = k % 32 == 0 ? n : -1;
    }
};
int main() {
    std::vector<std::unique_ptr<test_case>> test_cases;
#include "test-backend-ops.inc"
    for (const auto & test : test_cases) printf("%d\n", (int) test->n);
}
"#;

#[test]
fn the_cases_compile_and_have_the_sizes_where_the_runtime_changes_its_path() {
    let work = TempDir::new().unwrap();
    let at = |name: &str| work.path().join(name);
    for file in hmx_workbench::export::w4a16::files() {
        if file.path.ends_with(".inc") {
            std::fs::write(at(&file.path), &file.bytes).unwrap();
        }
    }
    std::fs::write(at("cases.cpp"), BACKEND_OPS).unwrap();
    succeed(
        Command::new("c++")
            .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([at("cases"), at("cases.cpp")]),
    );
    let printed = succeed(&mut Command::new(at("cases"))).stdout;
    let printed = String::from_utf8(printed).unwrap();
    for n in ["4", "5", "31", "32", "33", "63", "64", "65"] {
        assert!(printed.lines().any(|line| line == n), "{n}");
    }
    assert!(
        !printed.contains("-1"),
        "every K is a multiple of the block"
    );
}
