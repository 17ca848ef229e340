//! The commands a compiler driver would run, read off `clang -###`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one command of the driver does, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Compiles to assembly text.
    ToAssembly,
    /// Assembles text to an object file.
    Assemble,
    /// Anything else: preprocess, link, write bitcode.
    Other,
}

/// One command of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Program and arguments.
    pub words: Vec<String>,
}

impl Job {
    /// What it does.
    pub fn kind(&self) -> Kind {
        let has = |a: &str| self.words.iter().any(|w| w == a);
        match () {
            () if has("-cc1") && has("-S") && !has("-emit-llvm") => Kind::ToAssembly,
            () if has("-filetype=obj") && !has("-cc1") => Kind::Assemble,
            () => Kind::Other,
        }
    }

    /// The file it writes: what follows `-o`.
    pub fn output(&self) -> Option<&str> {
        let at = self.words.iter().rposition(|w| w == "-o")?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// Has it write another file.
    pub fn set_output(&mut self, name: &str) {
        if let Some(at) = self.words.iter().rposition(|w| w == "-o")
            && let Some(word) = self.words.get_mut(at + 1)
        {
            name.clone_into(word);
        }
    }

    /// The file an assembler reads: its last argument.
    pub fn input(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }

    /// Puts another name in the place of a file.
    pub fn rename(&mut self, from: &str, to: &str) {
        for word in &mut self.words {
            if word == from {
                to.clone_into(word);
            }
        }
    }
}

/// What the driver would do, or that it refuses the arguments.
#[derive(Debug)]
pub enum Plan {
    /// The commands in order; empty when there is nothing to do (`--version`).
    Jobs(Vec<Job>),
    /// The driver's own complaint, to be shown as it is, and its exit status.
    Refused(String, i32),
}

/// Asks the driver what it would do with these arguments.
///
/// # Errors
/// The driver cannot be started.
pub fn plan(clang: &Path, arguments: &[OsString]) -> std::io::Result<Plan> {
    let output = Command::new(clang)
        .arg("-###")
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let complaint: Vec<&str> = text.lines().filter(|l| !is_command(l)).collect();
        return Ok(Plan::Refused(
            complaint.join("\n"),
            output.status.code().unwrap_or(1),
        ));
    }
    Ok(Plan::Jobs(parse(&text)))
}

fn is_command(line: &str) -> bool {
    line.starts_with(" \"")
}

fn parse(text: &str) -> Vec<Job> {
    text.lines()
        .filter(|l| is_command(l))
        .map(|l| Job { words: unquote(l) })
        .filter(|j| !j.words.is_empty())
        .collect()
}

/// Words in double quotes, where a backslash takes the next sign as it is.
fn unquote(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (&mut word, c) {
            (Some(_), '"') => words.extend(word.take()),
            (Some(w), '\\') => w.extend(chars.next()),
            (Some(w), c) => w.push(c),
            (None, '"') => word = Some(String::new()),
            (None, _) => {}
        }
    }
    words
}

/// Moves the files that only pass from one job to another, and would lie in the system's
/// folder for temporary files, into `folder`.
pub fn keep_between(jobs: &mut [Job], folder: &Path) {
    let system = std::env::temp_dir();
    let outputs: Vec<String> = jobs
        .iter()
        .filter_map(|j| j.output().map(str::to_owned))
        .collect();
    for (n, name) in outputs.iter().enumerate() {
        let uses = jobs.iter().filter(|j| j.words.contains(name)).count();
        let path = PathBuf::from(name);
        if let (true, true, Some(file)) = (uses > 1, path.starts_with(&system), path.file_name()) {
            let own = folder.join(format!("{n}-{}", file.to_string_lossy()));
            for job in jobs.iter_mut() {
                job.rename(name, &own.to_string_lossy());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_remarks_and_unquoted() {
        let jobs = parse(
            "Debian clang version 22\nInstalledDir: /usr\n (in-process)\n \"/usr/bin/clang\" \"-cc1\" \"-S\" \"-D\" \"A=\\\"b c\\\\\\\"\" \"-o\" \"/t/a.s\" \"a.c\"\n \"llvm-mc\" \"-filetype=obj\" \"-o\" \"a.o\" \"/t/a.s\"\n \"ld.lld\" \"-o\" \"a.out\" \"a.o\"\n",
        );
        let kinds: Vec<Kind> = jobs.iter().map(Job::kind).collect();
        assert_eq!(kinds, [Kind::ToAssembly, Kind::Assemble, Kind::Other]);
        assert_eq!(jobs[0].words[4], "A=\"b c\\\"");
        assert_eq!(jobs[0].output(), Some("/t/a.s"));
        assert_eq!(jobs[1].input(), Some("/t/a.s"));
    }

    #[test]
    fn only_files_between_jobs_are_moved() {
        let system = std::env::temp_dir();
        let name = |n: &str| system.join(n).to_string_lossy().into_owned();
        let job = |words: &[&str]| Job {
            words: words.iter().map(|w| (*w).to_owned()).collect(),
        };
        let (between, result) = (name("x-1.s"), name("result.o"));
        let mut jobs = vec![
            job(&["cc", "-cc1", "-S", "-o", &between, "x.c"]),
            job(&["as", "-filetype=obj", "-o", &result, &between]),
        ];
        keep_between(&mut jobs, Path::new("own"));
        let own = Path::new("own")
            .join("0-x-1.s")
            .to_string_lossy()
            .into_owned();
        assert_eq!(jobs[0].output(), Some(own.as_str()));
        assert_eq!(jobs[1].input(), Some(own.as_str()));
        assert_eq!(jobs[1].output(), Some(result.as_str()));
    }
}
