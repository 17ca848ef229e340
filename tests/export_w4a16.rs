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

    fn object(&self, tree: &Path, arch: Arch, options: &[&str], name: &str) -> PathBuf {
        let object = self.work.path().join(name);
        let build = Build {
            tree,
            arch,
            include: &[],
            options: &[options, &BROUGHT].concat(),
        };
        build
            .object(&tree.join(HTP).join("matmul-ops.c"), &object)
            .unwrap();
        object
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
    let before = tree.object(&tree.llama(), Arch::V73, &["-O2", "-w"], "before.o");
    tree.patch();
    assert!(
        !tree.checks(),
        "a patched tree is not the version of the export"
    );

    // Without the switch the object file is what it was, byte for byte.
    let off = tree.object(&tree.llama(), Arch::V73, &["-O2", "-w"], "off.o");
    assert_eq!(std::fs::read(before).unwrap(), std::fs::read(off).unwrap());

    // With it there is no warning, with qfloat and with IEEE arithmetic.
    for (arch, more) in [(Arch::V73, &[][..]), (Arch::V81, &["-mhvx-ieee-fp"])] {
        let options = [&["-O2", "-Wall", "-Werror", SWITCH], more].concat();
        let object = tree.object(&tree.llama(), arch, &options, "on.o");
        let listing = disassemble(&object);
        assert_eq!(listing["summary"]["broken"].as_array().unwrap().len(), 0);
        let deep = uses(&listing)
            .into_iter()
            .find(|(name, _)| name == "activation.hf=mxmem(Rs,Rt):deep");
        assert!(deep.is_some_and(|(_, count)| count > 0));
    }

    let runs = [
        (Arch::V73, &["-O2", "-w", SWITCH][..]),
        (Arch::V81, &["-O2", "-w", SWITCH, "-mhvx-ieee-fp"]),
    ];
    for (arch, options) in runs {
        let skel = tree.work.path().join(format!("{arch}.so"));
        let build = Build {
            tree: &tree.llama(),
            arch,
            include: &[],
            options,
        };
        build.library(&[entry()], &skel).unwrap();
        let mut machine = Machine::start(&skel);
        random_tiles_multiply(&mut machine);
        packed_tiles_expand(&mut machine, &[("dequantize_q4_0", true)]);
    }
}
