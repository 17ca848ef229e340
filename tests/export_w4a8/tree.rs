//! llama.cpp folders: the pinned one as it is, and with the export in it.

use crate::tools::{self, folder, succeed};
use hmx_workbench::export::w4a16;
use hmx_workbench::ggml;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Options that switch the op on.
pub const ON: &str = "-DGGML_HEXAGON_HMXWB_W4A8=1";

/// Whether tests that need the sources are left out.
pub fn skipped() -> bool {
    let skip = std::env::var_os("HMX_SKIP_GGML").is_some();
    if skip {
        eprintln!("left out: HMX_SKIP_GGML is set");
    }
    skip
}

/// The folder of the sources, fetched when needed.
pub fn sources() -> PathBuf {
    if let Ok(folder) = ggml::sources(None) {
        return folder;
    }
    succeed(&mut Command::new("scripts/fetch-ggml.sh"));
    ggml::sources(None).unwrap()
}

/// Copies the headers and ggml-hexagon of the sources.
fn copy(to: &Path) {
    std::fs::create_dir_all(to.join("ggml/src")).unwrap();
    let from = sources().join("ggml");
    let mut command = Command::new("cp");
    command.arg("-r");
    for entry in std::fs::read_dir(from.join("src")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "h") || path.ends_with("ggml-hexagon") {
            command.arg(path);
        }
    }
    succeed(command.arg(to.join("ggml/src")));
    let include = [from.join("include"), to.join("ggml")];
    succeed(Command::new("cp").arg("-r").args(include));
}

/// `git apply` in a folder that is no repository.
fn apply(to: &Path, patch: &Path, arguments: &[&str]) {
    succeed(
        Command::new("git")
            .args(["apply", "--whitespace=nowarn"])
            .args(arguments)
            .arg(patch)
            .current_dir(to)
            .env("GIT_CEILING_DIRECTORIES", to.parent().unwrap()),
    );
}

/// The sources as they are.
pub fn plain() -> &'static Path {
    static COPIED: OnceLock<PathBuf> = OnceLock::new();
    COPIED.get_or_init(|| {
        let to = folder("llama-plain");
        copy(&to);
        to
    })
}

/// The sources with the export in them, as its README says.
pub fn patched() -> &'static Path {
    static PATCHED: OnceLock<PathBuf> = OnceLock::new();
    PATCHED.get_or_init(|| {
        let to = folder("llama-w4a8");
        copy(&to);
        apply(&to, &tools::exported().join("llama.patch"), &[]);
        // The patch of the other form still fits.
        let other = tools::exported().join("other.patch");
        std::fs::write(&other, w4a16::PATCH).unwrap();
        apply(&to, &other, &["--check"]);
        let files = tools::exported().join("files");
        succeed(Command::new("cp").arg("-r").arg(files.join(".")).arg(&to));
        to
    })
}
