//! The commands in README.md and docs/ are run as they stand, and must print what stands below them.
//!
//! A fenced block marked `console` is a list of `$ command` lines, each followed by what it prints
//! (stdout, then stderr); a line `? 1` states an exit status other than 0. In the output `...`
//! stands for any lines and `[..]` for anything within a line. Commands are split into words as a
//! POSIX shell does, but there is no shell. They run in a scratch folder that holds the files of
//! the repository they name. `BLESS=1` writes the real output into the files.

use snapbox::Assert;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// What a command may read, as a path from the root of the repository.
const COPIED: [&str; 3] = ["docs/examples", "model/golden", "testdata"];

/// One `$` line and what stands below it.
struct Step {
    command: String,
    /// Lines of the file that hold the expected output.
    output: std::ops::Range<usize>,
    status: i32,
}

#[test]
fn book() {
    let mut pages = pages(&root().join("docs"));
    pages.sort();
    assert!(!pages.is_empty());
    check(&pages);
}

#[test]
#[ignore = "builds the release profile; test.sh runs it"]
fn readme() {
    check(&[root().join("README.md")]);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("docs/ can be listed");
    let paths = entries.map(|e| e.expect("docs/ can be listed").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => pages(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect()
}

fn check(pages: &[PathBuf]) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for from in COPIED {
        copy(&root().join(from), &scratch.path().join(from));
    }
    let mut wrong = Vec::new();
    for page in pages {
        let text = fs::read_to_string(page).expect("a page is text");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the end, so that a blessed output moves no range that is still to come.
        let outcomes: Vec<_> = steps(&lines)
            .into_iter()
            .map(|step| {
                let output = run(&step.command, scratch.path());
                (step, output)
            })
            .collect();
        for (step, output) in outcomes.into_iter().rev() {
            let expected = lines[step.output.clone()].join("\n").trim_end().to_owned();
            let actual = printed(&output);
            let status = output.status.code().unwrap_or(-1);
            let place = format!("{}: $ {}", page.display(), step.command);
            if status != step.status {
                wrong.push(format!("{place}\nexit status {status}\n{actual}"));
            } else if let Err(difference) =
                Assert::new().try_eq(None, actual.clone().into(), expected.clone().into())
            {
                if env::var_os("BLESS").is_some() && !expected.lines().any(|line| line == "...") {
                    lines.splice(step.output, actual.lines().map(str::to_owned));
                } else {
                    wrong.push(format!("{place}\n{difference}"));
                }
            }
        }
        if env::var_os("BLESS").is_some() {
            fs::write(page, lines.join("\n") + "\n").expect("a page can be written");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn steps(lines: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(fence) = line.strip_prefix("```") {
            inside = match inside {
                Some(_) => None,
                None => Some(fence == "console"),
            };
        } else if inside == Some(true) {
            if let Some(command) = line.strip_prefix("$ ") {
                let command = command.to_owned();
                let (output, status) = (at + 1..at + 1, 0);
                steps.push(Step {
                    command,
                    output,
                    status,
                });
            } else if let Some(step) = steps.last_mut() {
                match line.strip_prefix("? ").map(str::parse) {
                    Some(Ok(status)) => {
                        step.status = status;
                        step.output = at + 1..at + 1;
                    }
                    _ => step.output.end = at + 1,
                }
            }
        }
    }
    steps
}

fn run(command: &str, scratch: &Path) -> Output {
    let words = shlex::split(command).expect("a command has matching quotes");
    let (program, folder) = match words[0].as_str() {
        "hmx" => (env!("CARGO_BIN_EXE_hmx"), scratch),
        "cargo" => (env!("CARGO"), root()),
        other => panic!("docs may call hmx and cargo, not {other}"),
    };
    let mut command = Command::new(program);
    command.args(&words[1..]).current_dir(folder);
    command.env("COLUMNS", "100").env_remove("RUST_BACKTRACE");
    command.output().expect("the command starts")
}

/// What the reader of the page sees; cargo's own messages are left out.
fn printed(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter(|line| !is_cargo(line))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    text.trim_end().to_owned()
}

fn is_cargo(line: &str) -> bool {
    [
        "Compiling ",
        "Finished ",
        "Running ",
        "Blocking ",
        "Downloading ",
        "Downloaded ",
    ]
    .iter()
    .any(|start| line.trim_start().starts_with(start))
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    fs::create_dir_all(to).expect("the scratch folder can be written");
    for entry in entries {
        let entry = entry.expect("the repository can be listed");
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("the scratch folder can be written");
        }
    }
}
