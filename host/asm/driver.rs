//! The compiler wrapper: clang does everything it can do, and between its compiler and its
//! assembler the HMX packets of inline assembly become words.
//!
//! clang is told to use an outside assembler (`-fno-integrated-as`), because then it does
//! not read inline assembly itself. Its plan (`clang -###`) is carried out step by step.

use super::jobs::{self, Job, Kind, Plan};
use super::rewrite::{Refusal, rewrite};
use super::source::{self, Place};
use crate::whole_file;
use anyhow::{Context, bail};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target for command lines that name none.
const TARGET: &str = "--target=hexagon-unknown-elf";

/// Runs the compiler with these arguments; gives back its exit status.
///
/// # Errors
/// clang cannot be started, a file cannot be read or written, or a packet is refused; the
/// text names the source line.
pub fn run(clang: &Path, arguments: &[OsString]) -> anyhow::Result<i32> {
    let mut arguments = arguments.to_vec();
    if !names_target(&arguments) {
        arguments.insert(0, TARGET.into());
    }
    if arguments
        .iter()
        .any(|a| a.to_string_lossy().starts_with("-flto"))
    {
        bail!("hmx cc cannot see the assembly of -flto; leave -flto out");
    }
    let mut external = arguments.clone();
    external.push("-fno-integrated-as".into());
    let started = || format!("cannot start {}; set HMX_CLANG to a clang", clang.display());
    let mut jobs = match jobs::plan(clang, &external).with_context(started)? {
        Plan::Jobs(jobs) => jobs,
        Plan::Refused(complaint, status) => {
            eprintln!("{complaint}");
            return Ok(status);
        }
    };
    if jobs.iter().all(|j| j.kind() == Kind::Other) {
        // Nothing for us: -E, -M, --version, linking.
        return status(Command::new(clang).args(&arguments));
    }
    let folder = tempfile::tempdir().context("cannot make a folder for temporary files")?;
    jobs::keep_between(&mut jobs, folder.path());
    let wrapper = Wrapper {
        clang,
        arguments: &arguments,
        folder: folder.path(),
    };
    // Assembly that a later step assembles is rewritten there.
    let assembled: Vec<String> = jobs
        .iter()
        .filter(|j| j.kind() == Kind::Assemble)
        .filter_map(|j| j.input().map(str::to_owned))
        .collect();
    for (n, job) in jobs.iter().enumerate() {
        let code = match job.kind() {
            Kind::Other => wrapper.command(job)?,
            Kind::ToAssembly
                if job
                    .output()
                    .is_some_and(|o| assembled.iter().any(|a| a == o)) =>
            {
                wrapper.command(job)?
            }
            Kind::ToAssembly => wrapper.to_assembly(job)?,
            Kind::Assemble => wrapper.assemble(job, jobs.get(..n).unwrap_or_default())?,
        };
        if code != 0 {
            return Ok(code);
        }
    }
    Ok(0)
}

/// Whether the arguments say what to compile for.
fn names_target(arguments: &[OsString]) -> bool {
    arguments.iter().any(|a| {
        let a = a.to_string_lossy();
        a == "-target" || a == "--target" || a.starts_with("--target=")
    })
}

struct Wrapper<'a> {
    clang: &'a Path,
    arguments: &'a [OsString],
    folder: &'a Path,
}

impl Wrapper<'_> {
    fn command(&self, job: &Job) -> anyhow::Result<i32> {
        match job.words.split_first() {
            Some((program, arguments)) => status(Command::new(program).args(arguments)),
            None => Ok(0),
        }
    }

    /// `-S`: the assembly is the result.
    fn to_assembly(&self, job: &Job) -> anyhow::Result<i32> {
        let Some(output) = job.output().map(str::to_owned) else {
            return self.command(job);
        };
        let own = self.folder.join("result.s");
        let mut inner = job.clone();
        inner.set_output(&own.to_string_lossy());
        let code = self.command(&inner)?;
        if code != 0 {
            return Ok(code);
        }
        let text = self.rewritten(&own, Some(job), None)?;
        if output == "-" {
            std::io::stdout().write_all(text.as_bytes())?;
        } else {
            write(Path::new(&output), &text)?;
        }
        Ok(0)
    }

    /// The assembler's step: its input with words, through clang's own assembler.
    fn assemble(&self, job: &Job, before: &[Job]) -> anyhow::Result<i32> {
        let (Some(input), Some(output)) = (job.input(), job.output()) else {
            return self.command(job);
        };
        let compiler = before
            .iter()
            .find(|j| j.kind() == Kind::ToAssembly && j.output() == Some(input));
        let text = self.rewritten(Path::new(input), compiler, Some(input))?;
        let own = self.folder.join("assemble.s");
        write(&own, &text)?;
        status(
            Command::new(self.clang)
                .args(machine_options(self.arguments))
                .args(["-Wno-unused-command-line-argument", "-c", "-x", "assembler"])
                .arg(&own)
                .arg("-o")
                .arg(output),
        )
    }

    /// The text of a file, HMX packets replaced. `compiler` is the job that made the file
    /// from a source, if one did; `shown` its name where there is none.
    fn rewritten(
        &self,
        path: &Path,
        compiler: Option<&Job>,
        shown: Option<&str>,
    ) -> anyhow::Result<String> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match rewrite(&text) {
            Ok(done) => Ok(done.text),
            Err(refusal) => {
                let place = compiler
                    .and_then(|job| self.source_place(job, &text, &refusal))
                    .unwrap_or_else(|| source::of_text(&text, refusal.at));
                let source = compiler.and_then(Job::input).or(shown);
                let file = place.file.as_deref().or(source).unwrap_or("<assembly>");
                bail!("{file}:{}: {refusal}", place.line)
            }
        }
    }

    /// The source line of a refused packet: compiles once more, with line numbers.
    fn source_place(&self, job: &Job, text: &str, refusal: &Refusal) -> Option<Place> {
        let block = source::block_at(text, refusal.at)?;
        let own = self.folder.join("lines.s");
        let mut job = job.clone();
        job.set_output(&own.to_string_lossy());
        drop_dependency_file(&mut job);
        job.words
            .insert(2, "-debug-info-kind=line-tables-only".into());
        job.words.insert(2, "-dwarf-version=4".into());
        if self.command(&job).ok()? != 0 {
            return None;
        }
        let with_lines = fs::read(&own).ok()?;
        source::of_block(&String::from_utf8_lossy(&with_lines), block)
    }
}

/// The second compilation must not touch the dependency file.
fn drop_dependency_file(job: &mut Job) {
    while let Some(at) = job.words.iter().position(|w| w == "-dependency-file") {
        let end = (at + 2).min(job.words.len());
        job.words.drain(at..end);
    }
}

/// The options that say what machine to assemble for.
fn machine_options(arguments: &[OsString]) -> Vec<OsString> {
    let mut options = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match text.as_ref() {
            "-mllvm" => {
                arguments.next();
            }
            "-target" | "--target" => {
                options.push(argument.clone());
                options.extend(arguments.next().cloned());
            }
            _ if ["--target=", "-m", "-Wa,"]
                .iter()
                .any(|s| text.starts_with(s)) =>
            {
                options.push(argument.clone());
            }
            _ => {}
        }
    }
    options
}

fn status(command: &mut Command) -> anyhow::Result<i32> {
    let program = PathBuf::from(command.get_program());
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status.code().unwrap_or(1))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    whole_file::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(list: &[&str]) -> Vec<OsString> {
        list.iter().map(OsString::from).collect()
    }

    #[test]
    fn machine_options_are_kept_and_others_are_not() {
        let list = arguments(&[
            "-O2",
            "-mllvm",
            "-mfoo",
            "-mcpu=hexagonv73",
            "-target",
            "hexagon",
            "-mhvx",
            "-Wa,-x",
            "-Mx",
            "a.c",
        ]);
        assert_eq!(
            machine_options(&list),
            arguments(&["-mcpu=hexagonv73", "-target", "hexagon", "-mhvx", "-Wa,-x"])
        );
    }

    #[test]
    fn a_target_of_the_command_line_is_respected() {
        assert!(names_target(&arguments(&["--target=hexagon"])));
        assert!(names_target(&arguments(&["-target", "hexagon"])));
        assert!(!names_target(&arguments(&["-c", "a.c"])));
    }
}
