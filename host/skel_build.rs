//! Cross-builds the skel and the guest runner from the sources in this binary.
//!
//! The C sources travel inside the `hmx` binary, so that a build does not depend on where
//! the repository lies. Results go to a cache folder, named by the digest of sources,
//! compiler and flags: the same input is built once.

mod recipe;
mod toolchain;

use crate::tools::ToolError;
use hmx_abi::Arch;
use include_dir::{Dir, include_dir};
use recipe::Recipe;
pub(crate) use recipe::add_sources;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::Toolchain;

/// The C sources: `dsp-kernels/`.
pub(crate) static KERNELS: Dir = include_dir!("$CARGO_MANIFEST_DIR/dsp-kernels");
/// The headers that host and DSP share: `abi/include/`.
pub(crate) static SHARED: Dir = include_dir!("$CARGO_MANIFEST_DIR/abi/include");

/// File name of the skel.
pub const SKEL: &str = "libhmxwb_skel.so";
/// Its entry symbol.
pub const ENTRY: &str = "hmxwb_skel_handle_invoke";

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool is missing or too old.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// cannot build in {dir}: {source}; set HMX_CACHE_DIR to a folder that can be written
    #[error("cannot build in {dir}: {source}; set HMX_CACHE_DIR to a folder that can be written")]
    Io {
        /// The folder.
        dir: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// `{command}` failed:\n{output}
    #[error("`{command}` failed:\n{output}")]
    Compiler {
        /// The command line.
        command: String,
        /// What it printed.
        output: String,
    },
    /// HEXAGON_SDK_ROOT is set, but there is no {0} below it; unset it to build with clang-22
    #[error(
        "HEXAGON_SDK_ROOT is set, but there is no {0} below it; unset it to build with clang-22"
    )]
    Sdk(String),
    /// the kernels need HVX of v73 or later, so there is no skel for {0}; use v73, v75, v79 or v81
    #[error(
        "the kernels need HVX of v73 or later, so there is no skel for {0}; use v73, v75, v79 or v81"
    )]
    Arch(Arch),
}

/// The skel for an architecture; built when it is not in the cache.
pub fn skel(arch: Arch) -> Result<PathBuf, BuildError> {
    build(&Recipe::skel(supported(arch)?), &format!("skel-{arch}"))
}

/// The skel with entries for counting, for an architecture; built when it is not in the cache.
pub fn bench(arch: Arch) -> Result<PathBuf, BuildError> {
    build(&Recipe::bench(supported(arch)?), &format!("bench-{arch}"))
}

/// A version that the kernels can be compiled for.
fn supported(arch: Arch) -> Result<Arch, BuildError> {
    match arch {
        Arch::V68 | Arch::V69 => Err(BuildError::Arch(arch)),
        _ => Ok(arch),
    }
}

/// The guest runner of the qemu target; built when it is not in the cache.
pub fn runner() -> Result<PathBuf, BuildError> {
    build(&Recipe::runner(), "runner")
}

/// The folder for built files: HMX_CACHE_DIR, else the user's cache folder, else the temporary one.
fn cache() -> PathBuf {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    set("HMX_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|d| d.join("hmx-workbench")))
        .or_else(|| set("HOME").map(|d| d.join(".cache/hmx-workbench")))
        .unwrap_or_else(|| std::env::temp_dir().join("hmx-workbench"))
}

fn build(recipe: &Recipe, what: &str) -> Result<PathBuf, BuildError> {
    let tools = Toolchain::find()?;
    let dir = cache().join(format!("{what}-{}", recipe.key(&tools)));
    let result = dir.join(recipe.name);
    if result.exists() {
        return Ok(result);
    }
    let io = |source| BuildError::Io {
        dir: dir.clone(),
        source,
    };
    std::fs::create_dir_all(cache()).map_err(io)?;
    let work = tempfile::Builder::new()
        .prefix("build-")
        .tempdir_in(cache())
        .map_err(io)?;
    for (name, tree) in [("dsp-kernels", &KERNELS), ("include", &SHARED)] {
        let at = work.path().join(name);
        std::fs::create_dir_all(&at).map_err(io)?;
        tree.extract(&at).map_err(io)?;
    }
    let built = compile(recipe, &tools, work.path())?;
    std::fs::create_dir_all(&dir).map_err(io)?;
    std::fs::rename(built, &result).map_err(io)?;
    Ok(result)
}

fn compile(recipe: &Recipe, tools: &Toolchain, work: &Path) -> Result<PathBuf, BuildError> {
    let mut objects = Vec::new();
    for source in &recipe.sources {
        let object = work.join(
            source
                .with_extension("o")
                .to_string_lossy()
                .replace(['/', '\\'], "-"),
        );
        let mut command = Command::new(&tools.clang);
        command.args(&recipe.flags);
        if source.extension().is_some_and(|e| e == "S") {
            command.args(["-mhvx", "-mhvx-length=128B"]);
        } else if tools.lld.is_none() {
            command.args(["-mhmx", "-std=gnu11"]);
        }
        command
            .arg("-I")
            .arg(work.join("include"))
            .arg("-I")
            .arg(work.join("dsp-kernels/include"))
            .arg("-c")
            .arg(work.join("dsp-kernels").join(source))
            .arg("-o")
            .arg(&object);
        run(&mut command)?;
        objects.push(object);
    }
    let result = work.join(recipe.name);
    let mut link = match &tools.lld {
        Some(lld) => {
            let mut command = Command::new(lld);
            command.args(["-m", "hexagonelf"]).args(&recipe.link);
            command
        }
        None => {
            let mut command = Command::new(&tools.clang);
            command.args(&recipe.flags).arg("-nostdlib");
            for word in &recipe.link {
                command.arg(format!("-Wl,{word}"));
            }
            command
        }
    };
    link.args(&objects).arg("-o").arg(&result);
    run(&mut link)?;
    Ok(result)
}

/// Runs a command to its end; its output.
fn run(command: &mut Command) -> Result<String, BuildError> {
    let line = || {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words
            .map(|w| w.to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let shown = line();
    let failed = |output: String| BuildError::Compiler {
        command: shown.clone(),
        output,
    };
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
