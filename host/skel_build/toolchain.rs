//! Compiler and linker.

use super::{BuildError, run};
use crate::tools;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A compiler, a linker and the flags that go with them.
#[derive(Clone)]
pub struct Toolchain {
    /// The compiler.
    pub clang: PathBuf,
    /// The linker; `None`: the compiler links by itself (SDK).
    pub lld: Option<PathBuf>,
    /// What the compiler says of itself.
    pub version: String,
}

/// The environment that decides which tools are found.
const VARIABLES: [&str; 2] = ["HEXAGON_SDK_ROOT", "PATH"];

/// The tools that were found last, and in which environment.
static FOUND: Mutex<Option<([Option<OsString>; 2], Toolchain)>> = Mutex::new(None);

impl Toolchain {
    /// The SDK's, when HEXAGON_SDK_ROOT names one, else clang and lld of LLVM 22 or later.
    /// Looked for once in a process, as long as the environment stays as it is.
    pub fn find() -> Result<Toolchain, BuildError> {
        let environment = VARIABLES.map(std::env::var_os);
        let mut found = FOUND.lock().unwrap_or_else(|broken| broken.into_inner());
        match &*found {
            Some((then, toolchain)) if *then == environment => Ok(toolchain.clone()),
            _ => {
                let toolchain = Toolchain::look()?;
                *found = Some((environment, toolchain.clone()));
                Ok(toolchain)
            }
        }
    }

    fn look() -> Result<Toolchain, BuildError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_are_looked_for_once() {
        let Ok(first) = Toolchain::find() else {
            eprintln!("left out: no Hexagon tools on this computer");
            return;
        };
        // So often in a second: no process is started.
        let start = std::time::Instant::now();
        for _ in 0..1000 {
            assert_eq!(Toolchain::find().unwrap().version, first.version);
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(1));
    }
}
