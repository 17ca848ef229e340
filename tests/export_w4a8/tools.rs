//! Compilers of this computer and what the tests share.

use hmx_workbench::export::w4a8;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// ggml-hexagon in the exported folder.
pub const RUNTIME: &str = "files/ggml/src/ggml-hexagon";
/// The packing in it.
pub const REPACK: &str = "files/ggml/src/ggml-hexagon/hmxwb-w4a8-repack.h";

/// The exported folder, written once.
pub fn exported() -> &'static Path {
    static WRITTEN: OnceLock<PathBuf> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let folder = folder("export-w4a8");
        for file in w4a8::files() {
            let path = folder.join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file.bytes).unwrap();
        }
        folder
    })
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
    output
}

/// A folder of this test.
pub fn folder(name: &str) -> PathBuf {
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Compiles a program for this computer: `compiler` is `cc` or `c++`.
pub fn program(compiler: &str, standard: &str, source: &str, name: &str) -> PathBuf {
    let program = exported().join(name);
    let language = if compiler == "cc" { "c" } else { "c++" };
    let runtime = exported().join(RUNTIME);
    succeed(
        Command::new(compiler)
            .args([
                "-x", language, standard, "-O1", "-Wall", "-Wextra", "-Werror", "-I",
            ])
            .args([&runtime, Path::new("-I"), &runtime.join("htp")])
            .arg(source)
            .arg("-o")
            .arg(&program),
    );
    program
}

/// What a program prints for an input.
pub fn run(program: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{program:?} failed");
    output.stdout
}
