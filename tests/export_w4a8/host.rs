//! The patched host part runs, with ggml itself and a DSP that only writes down what it is sent: see host.cpp.

use crate::compile::host;
use crate::tools::{folder, succeed};
use crate::tree::{ON, patched, skipped, sources};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of ggml that the backend calls.
const GGML: [&str; 5] = [
    "ggml.c",
    "ggml-alloc.c",
    "ggml-quants.c",
    "ggml-backend.cpp",
    "ggml-threading.cpp",
];

/// One source file of ggml as an object; as fast as it goes, for nothing of it is slow here.
fn object(file: &str, to: &Path) -> PathBuf {
    let (source, object) = (sources().join("ggml"), to.join(format!("{file}.o")));
    let compiler = if file.ends_with(".c") { "cc" } else { "c++" };
    succeed(
        Command::new(compiler)
            .args(["-O0", "-w", "-ffunction-sections", "-D_GNU_SOURCE", "-I"])
            .args([
                to,
                Path::new("-I"),
                &source.join("include"),
                Path::new("-I"),
            ])
            .args([&source.join("src"), Path::new("-c")])
            .arg(source.join("src").join(file))
            .arg("-o")
            .arg(&object),
    );
    object
}

#[test]
fn weights_are_packed_and_products_go_to_the_op() {
    if skipped() {
        return;
    }
    let to = folder("export-w4a8-host");
    // The build makes this one.
    let version = "#define GGML_VERSION \"none\"\n#define GGML_COMMIT \"none\"\n";
    std::fs::write(to.join("ggml-version.h"), version).unwrap();
    let objects = GGML.map(|file| object(file, &to));
    let program = to.join("host");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_w4a8");
    succeed(
        host(patched())
            .args([ON, "-O0", "-w", "-ffunction-sections", "-Wl,--gc-sections"])
            .arg(own.join("host.cpp"))
            .args(objects)
            .arg("-pthread")
            .arg("-o")
            .arg(&program),
    );
    succeed(&mut Command::new(program));
}
