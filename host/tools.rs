//! Finding the programs that build and run Hexagon code.

use std::path::PathBuf;
use std::process::Command;

/// A program that is not there, or too old.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// `{tool}` is not on this computer; install the package `{package}` (on Debian 12 run scripts/install-hexagon-tools.sh)
    #[error(
        "`{tool}` is not on this computer; install the package `{package}` \
         (on Debian 12 run scripts/install-hexagon-tools.sh)"
    )]
    Missing {
        /// Name of the program.
        tool: String,
        /// Debian package that has it.
        package: String,
    },
    /// qemu-hexagon {found} aborts on HMX instructions; version 11 or later is needed (on Debian 12 run scripts/install-hexagon-tools.sh, which takes it from trixie-backports)
    #[error(
        "qemu-hexagon {found} aborts on HMX instructions; version 11 or later is needed \
         (on Debian 12 run scripts/install-hexagon-tools.sh, which takes it from trixie-backports)"
    )]
    OldQemu {
        /// The version that is there.
        found: String,
    },
}

/// The first of `names` that answers to `--version`, with its answer.
fn first(names: &[&str], package: &str) -> Result<(PathBuf, String), ToolError> {
    for name in names {
        let Ok(output) = Command::new(name).arg("--version").output() else {
            continue;
        };
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return Ok((PathBuf::from(name), text));
        }
    }
    Err(ToolError::Missing {
        tool: names[0].to_owned(),
        package: package.to_owned(),
    })
}

/// The version number in "qemu-hexagon version 11.1.3 (...)".
fn qemu_version(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(" version ")?;
    rest.split([' ', '\n', '(']).next()
}

/// `qemu-hexagon` of version 11 or later.
pub fn qemu() -> Result<PathBuf, ToolError> {
    let (path, text) = first(&["qemu-hexagon", "qemu-hexagon-static"], "qemu-user")?;
    let found = qemu_version(&text).unwrap_or("of unknown version");
    let major = found.split('.').next().and_then(|m| m.parse::<u32>().ok());
    match major {
        Some(11..) => Ok(path),
        _ => Err(ToolError::OldQemu {
            found: found.to_owned(),
        }),
    }
}

/// clang 22 or later for Hexagon.
pub fn clang() -> Result<PathBuf, ToolError> {
    Ok(first(&["clang-22", "clang-23", "clang-24"], "clang-22")?.0)
}

/// The linker that goes with it.
pub fn lld() -> Result<PathBuf, ToolError> {
    Ok(first(&["ld.lld-22", "ld.lld-23", "ld.lld-24"], "lld-22")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_off_the_first_line() {
        let text = "qemu-hexagon version 11.1.3 (Debian 1:11.1.3+ds-1~bpo13+1)\nCopyright";
        assert_eq!(qemu_version(text), Some("11.1.3"));
        assert_eq!(qemu_version("hello"), None);
    }

    #[test]
    fn a_missing_tool_is_named_with_its_package() {
        let error = first(&["no-such-program-here"], "some-package").unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"));
        assert!(error.to_string().contains("some-package"));
    }
}
