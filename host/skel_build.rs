//! Cross-builds the skel and the guest runner from the sources in this binary.
//!
//! The C sources travel inside the `hmx` binary, so that a build does not depend on where
//! the repository lies. Results go to a cache folder, named by the digest of sources,
//! compiler and flags: the same input is built once.

use hmx_abi::Arch;
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{self, ToolError};

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
}

/// A compiler, a linker and the flags that go with them.
struct Toolchain {
    clang: PathBuf,
    /// `None`: the compiler links by itself (SDK).
    lld: Option<PathBuf>,
    version: String,
}

impl Toolchain {
    /// The SDK's, when HEXAGON_SDK_ROOT names one, else clang and lld of LLVM 22 or later.
    fn find() -> Result<Toolchain, BuildError> {
        let (clang, lld) = match std::env::var_os("HEXAGON_SDK_ROOT") {
            Some(root) => (sdk_clang(Path::new(&root))?, None),
            None => (tools::clang()?, Some(tools::lld()?)),
        };
        let version = run(Command::new(&clang).arg("--version"))?;
        Ok(Toolchain {
            clang,
            lld,
            version,
        })
    }
}

/// `hexagon-clang` below an SDK root: tools/HEXAGON_Tools/<version>/Tools/bin.
fn sdk_clang(root: &Path) -> Result<PathBuf, BuildError> {
    let missing = || BuildError::Sdk("tools/HEXAGON_Tools/*/Tools/bin/hexagon-clang".to_owned());
    let versions = std::fs::read_dir(root.join("tools/HEXAGON_Tools")).map_err(|_| missing())?;
    versions
        .flatten()
        .map(|v| v.path().join("Tools/bin/hexagon-clang"))
        .filter(|p| p.exists())
        .max()
        .ok_or_else(missing)
}

/// What is built: sources, flags, how it is linked.
struct Recipe {
    name: &'static str,
    /// Files below dsp-kernels/.
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    link: Vec<&'static str>,
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

impl Recipe {
    /// The skel: the C files at the top of dsp-kernels/, and what is for Hexagon only.
    fn skel(arch: Arch) -> Recipe {
        let mut flags = strings(&[
            "--target=hexagon-unknown-elf",
            "-mhvx",
            "-mhvx-length=128B",
            "-mhvx-qfloat",
            "-mhvx-ieee-fp",
            "-O2",
            "-fPIC",
            "-fvisibility=hidden",
            "-ffreestanding",
            "-fno-builtin",
            "-Wall",
            "-Wextra",
            "-Werror",
        ]);
        flags.push(format!("-mcpu=hexagon{arch}"));
        Recipe {
            name: SKEL,
            sources: [Some(&KERNELS), KERNELS.get_dir("hexagon")]
                .into_iter()
                .flatten()
                .flat_map(sources)
                .collect(),
            flags,
            link: vec!["-shared", "-soname", SKEL, "--hash-style=sysv"],
        }
    }

    /// The skel with the entries of dsp-kernels/bench/.
    fn bench(arch: Arch) -> Recipe {
        let mut recipe = Recipe::skel(arch);
        recipe.name = "libhmxwb_bench.so";
        recipe
            .sources
            .extend(KERNELS.get_dir("bench").into_iter().flat_map(sources));
        recipe
    }

    /// The runner: dsp-kernels/guest/. It is for qemu's v73 whatever the skel is for.
    fn runner() -> Recipe {
        Recipe {
            name: "hmx-guest-runner",
            sources: KERNELS.get_dir("guest").map(sources).unwrap_or_default(),
            flags: strings(&[
                "--target=hexagon-unknown-linux-musl",
                "-mcpu=hexagonv73",
                "-O2",
                "-ffreestanding",
                "-fno-builtin",
                "-fno-stack-protector",
                "-Wall",
                "-Wextra",
                "-Werror",
            ]),
            link: vec!["-static"],
        }
    }

    /// Digest of everything that the result depends on.
    fn key(&self, tools: &Toolchain) -> String {
        let mut hash = Sha256::new();
        hash.update(&tools.version);
        for word in self
            .flags
            .iter()
            .map(String::as_str)
            .chain(self.link.iter().copied())
        {
            hash.update(word);
            hash.update([0]);
        }
        for dir in [&KERNELS, &SHARED] {
            hash_dir(&mut hash, dir);
        }
        format!("{:x}", hash.finalize())[..16].to_owned()
    }
}

/// C and assembly files of one folder, in order of their names.
fn sources(dir: &Dir) -> Vec<PathBuf> {
    let code = |p: &&Path| matches!(p.extension().and_then(|e| e.to_str()), Some("c" | "S"));
    let mut found: Vec<PathBuf> = dir
        .files()
        .map(|f| f.path())
        .filter(code)
        .map(Path::to_owned)
        .collect();
    found.sort();
    found
}

fn hash_dir(hash: &mut Sha256, dir: &Dir) {
    for file in dir.files() {
        hash.update(file.path().to_string_lossy().as_bytes());
        hash.update([0]);
        hash.update(file.contents());
    }
    for below in dir.dirs() {
        hash_dir(hash, below);
    }
}

/// The skel for an architecture; built when it is not in the cache.
pub fn skel(arch: Arch) -> Result<PathBuf, BuildError> {
    build(&Recipe::skel(arch), &format!("skel-{arch}"))
}

/// The skel with entries for counting, for an architecture; built when it is not in the cache.
pub fn bench(arch: Arch) -> Result<PathBuf, BuildError> {
    build(&Recipe::bench(arch), &format!("bench-{arch}"))
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
