//! ggml-hexagon's sources, which nobody here wrote: where they are, and code compiled against them.
//!
//! They come from the crate llama-cpp-sys-2, which is never built: `scripts/fetch-ggml.sh`
//! has cargo fetch it, and only that uses the network. Headers of the vendor SDK that the
//! sources include are replaced by `host/ggml/stubs/`: what is needed of them, declarations only.

use crate::asm::driver;
use crate::tools::{self, ToolError};
use hmx_abi::Arch;
use include_dir::{Dir, include_dir};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `fetch/`: the manifest that names the crate; `stubs/`; `entry.c`.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/ggml");

/// The crate whose sources are used.
const CRATE: &str = "llama-cpp-sys-2";
/// What a `llama.cpp` folder has.
const HTP: &str = "ggml/src/ggml-hexagon/htp";

/// Functions around the static ones of `matmul-ops.c` that a [`crate::qemu::guest::Guest`] can
/// call: `dequantize_q4_0`, `dequantize_q8_0` (`to`, `from`, `tiles`), `core_dot`, `set_scales`.
pub const ENTRY: &str = include_str!("ggml/entry.c");

/// Why there are no sources.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    /// the sources of ggml-hexagon are not on this computer; fetch them with `scripts/fetch-ggml.sh`, or name a llama.cpp folder in HMX_GGML
    #[error(
        "the sources of ggml-hexagon are not on this computer; fetch them with \
         `scripts/fetch-ggml.sh`, or name a llama.cpp folder in HMX_GGML"
    )]
    NotFetched,
    /// {0} has no ggml/src/ggml-hexagon/htp; name the folder `llama.cpp` of a version that has ggml-hexagon
    #[error("{0} has no {HTP}; name the folder `llama.cpp` of a version that has ggml-hexagon")]
    NotATree(PathBuf),
    /// the manifest of the sources cannot be written: {0}
    #[error("the manifest of the sources cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// The folder `llama.cpp`: the one given, else the one HMX_GGML names, else that of the crate
/// in cargo's registry. Never uses the network.
pub fn sources(given: Option<&Path>) -> Result<PathBuf, SourcesError> {
    let named = std::env::var_os("HMX_GGML").filter(|v| !v.is_empty());
    let folder = match given.map(Path::to_owned).or(named.map(PathBuf::from)) {
        Some(folder) => folder,
        None => fetched()?,
    };
    match folder.join(HTP).is_dir() {
        true => Ok(folder),
        false => Err(SourcesError::NotATree(folder)),
    }
}

/// Asks cargo where the crate is.
fn fetched() -> Result<PathBuf, SourcesError> {
    let folder = tempfile::tempdir()?;
    FILES.extract(folder.path())?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let answer = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .arg("--manifest-path")
        .arg(folder.path().join("fetch/Cargo.toml"))
        .output();
    let manifest = answer.ok().and_then(|answer| {
        let value: serde_json::Value = serde_json::from_slice(&answer.stdout).ok()?;
        let packages = value["packages"].as_array()?;
        let package = packages.iter().find(|p| p["name"] == CRATE)?;
        Some(PathBuf::from(package["manifest_path"].as_str()?))
    });
    Ok(manifest
        .ok_or(SourcesError::NotFetched)?
        .with_file_name("llama.cpp"))
}

/// Why code could not be compiled against the sources.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool is missing or too old.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// files for the compiler cannot be written: {0}
    #[error("files for the compiler cannot be written: {0}")]
    Io(#[from] io::Error),
    /// {file} cannot be compiled against ggml-hexagon's sources: {why}
    #[error("{file} cannot be compiled against ggml-hexagon's sources: {why}")]
    Compiler {
        /// The C file.
        file: PathBuf,
        /// What went wrong; clang's own messages are on stderr.
        why: String,
    },
    /// {0} cannot be linked; the linker's messages are on stderr
    #[error("{0} cannot be linked; the linker's messages are on stderr")]
    Linker(PathBuf),
}

/// How C files are compiled against the sources.
#[derive(Debug, Clone)]
pub struct Build<'a> {
    /// The folder `llama.cpp`.
    pub tree: &'a Path,
    /// Version to compile for.
    pub arch: Arch,
    /// Folders whose headers and sources come before those of the tree.
    pub include: &'a [PathBuf],
    /// More options for the compiler, such as `-O2`; `-w` for sources whose warnings are not ours.
    pub options: &'a [&'a str],
}

impl Build<'_> {
    /// Compiles one file as `hmx cc` does, so that HMX assembly is understood.
    ///
    /// The options are those of ggml-hexagon's release build as far as clang takes them; HVX IEEE
    /// float is on from v79, where its sources use those intrinsics. `-flto` is left out:
    /// link-time optimisation would hide the assembly. Symbols are hidden unless the code says
    /// otherwise.
    pub fn object(&self, file: &Path, object: &Path) -> Result<(), BuildError> {
        let stubs = tempfile::tempdir()?;
        FILES.extract(stubs.path())?;
        let mut arguments: Vec<OsString> = [
            "-mhvx",
            "-mhvx-length=128B",
            "-mhvx-qfloat",
            "-G0",
            "-fvectorize",
            "-fno-zero-initialized-in-bss",
            "-ffreestanding",
            "-fno-builtin",
            "-fPIC",
            "-fvisibility=hidden",
            "-ffunction-sections",
            "-fdata-sections",
            "-DNDEBUG=1",
        ]
        .map(OsString::from)
        .into();
        arguments.push(format!("-mcpu=hexagon{}", self.arch).into());
        if self.arch >= Arch::V79 {
            arguments.push("-mhvx-ieee-fp".into());
        }
        arguments.extend(self.options.iter().map(OsString::from));
        let own = ["ggml/include", "ggml/src", "ggml/src/ggml-hexagon", HTP];
        let folders = std::iter::once(stubs.path().join("stubs"))
            .chain(self.include.iter().cloned())
            .chain(own.map(|below| self.tree.join(below)));
        for folder in folders {
            arguments.extend(["-I".into(), folder.into_os_string()]);
        }
        arguments.extend(["-c".into(), file.into(), "-o".into(), object.into()]);
        let failed = |why: String| BuildError::Compiler {
            file: file.to_owned(),
            why,
        };
        match driver::run(&tools::clang()?, &arguments) {
            Ok(0) => Ok(()),
            Ok(status) => Err(failed(format!("clang ended with status {status}"))),
            Err(error) => Err(failed(format!("{error:#}"))),
        }
    }

    /// Compiles the files and links them as a shared object that a
    /// [`crate::qemu::guest::Guest`] can load; what nobody calls is left out.
    pub fn library(&self, files: &[PathBuf], library: &Path) -> Result<(), BuildError> {
        let folder = tempfile::tempdir()?;
        let mut objects = Vec::new();
        for (i, file) in files.iter().enumerate() {
            let object = folder.path().join(format!("{i}.o"));
            self.object(file, &object)?;
            objects.push(object);
        }
        let linked = Command::new(tools::lld()?)
            .args(["-m", "hexagonelf", "-shared", "--hash-style=sysv"])
            .args(["--gc-sections", "-o"])
            .arg(library)
            .args(&objects)
            .status()?;
        match linked.success() {
            true => Ok(()),
            false => Err(BuildError::Linker(library.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_ggml_hexagon_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let error = sources(Some(folder.path())).unwrap_err().to_string();
        assert!(error.contains(&*folder.path().to_string_lossy()), "{error}");
        assert!(error.contains(HTP), "{error}");
    }

    #[test]
    fn a_given_folder_is_taken_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join(HTP)).unwrap();
        assert_eq!(sources(Some(folder.path())).unwrap(), folder.path());
    }
}
