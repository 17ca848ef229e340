//! Failing cases, kept in one small text file for each kernel and replayed first next time.

use super::case::Case;
use super::kernel::Kernel;
use super::text::CaseError;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Why saved cases were not read or written.
#[derive(Debug, thiserror::Error)]
pub enum RegressionError {
    /// Cannot read the saved cases in {path}: {source}. Check the file's permissions or name another folder with --regressions.
    #[error(
        "cannot read the saved cases in {}: {source}. Check the file's permissions or name another folder with --regressions", path.display()
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Cannot save a failing case in {path}: {source}. Name a writable folder with --regressions.
    #[error(
        "cannot save a failing case in {}: {source}. Name a writable folder with --regressions", path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// {path}, line {line}: {source}. Correct or remove the line.
    #[error("{}, line {line}: {source}. Correct or remove the line", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: CaseError,
    },
}

/// The file of a kernel.
pub fn path(folder: &Path, kernel: Kernel) -> PathBuf {
    folder.join(format!("{kernel}.txt"))
}

/// The saved cases of a kernel, oldest first; none when there is no file.
pub fn load(folder: &Path, kernel: Kernel) -> Result<Vec<Case>, RegressionError> {
    let path = path(folder, kernel);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(RegressionError::Read { path, source }),
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(i, line)| {
            Case::from_text(line).map_err(|source| RegressionError::Line {
                path: path.clone(),
                line: i + 1,
                source,
            })
        })
        .collect()
}

/// Adds a case to its kernel's file unless it is there already. The file is written beside its place, then renamed.
pub fn save(folder: &Path, case: &Case) -> Result<PathBuf, RegressionError> {
    let path = path(folder, case.kernel);
    let cases = load(folder, case.kernel)?;
    if cases.contains(case) {
        return Ok(path);
    }
    let failed = |source| RegressionError::Write {
        path: path.clone(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let head =
        "# Cases that failed once; `hmx verify` replays them first. Remove a line to forget it.";
    writeln!(file, "{head}").map_err(failed)?;
    for case in cases.iter().chain([case]) {
        writeln!(file, "{}", case.to_text()).map_err(failed)?;
    }
    file.persist(&path).map_err(|e| failed(e.error))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    fn cases(count: usize) -> Vec<Case> {
        let mut runner = TestRunner::deterministic();
        let strategy = Case::strategy(Kernel::Hf);
        (0..count)
            .map(|_| strategy.new_tree(&mut runner).unwrap().current())
            .collect()
    }

    #[test]
    fn saved_cases_come_back_in_order_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let cases = cases(3);
        assert_eq!(load(folder.path(), Kernel::Hf).unwrap(), []);
        for case in cases.iter().chain(&cases) {
            save(folder.path(), case).unwrap();
        }
        assert_eq!(load(folder.path(), Kernel::Hf).unwrap(), cases);
        assert_eq!(load(folder.path(), Kernel::W4A8).unwrap(), []);
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path(), Kernel::Hf);
        std::fs::write(&path, "# a remark\n\nm=1,n\n").unwrap();
        let error = load(folder.path(), Kernel::Hf).unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error}");
    }
}
