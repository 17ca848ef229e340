//! Processes killed in the middle of a run, through the real program: one clear error, exit
//! status 2, and nothing left running.
//!
//! Needs clang-22, lld-22 and qemu-hexagon 11; `HMX_SKIP_QEMU=1` leaves these tests out.
#![cfg(target_os = "linux")]

use hmx_abi::Arch;
use hmx_workbench::skel_build;
use std::fs::File;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

fn skipped() -> bool {
    let skip = std::env::var_os("HMX_SKIP_QEMU").is_some();
    if skip {
        eprintln!("left out: HMX_SKIP_QEMU is set");
    }
    skip
}

fn until<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn kill(process: u32) {
    let process = process.to_string();
    let killed = Command::new("kill").args(["-9", &process]).status();
    assert!(killed.unwrap().success());
}

/// A run of hmx whose guests can be told from those of any other.
struct Hmx {
    child: Child,
    /// The cache folder under a name of its own, which is part of the guests' command lines;
    /// stdout and stderr of hmx.
    folder: tempfile::TempDir,
}

/// How a run ended.
struct Ended {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

impl Hmx {
    fn start(arguments: &[&str]) -> Hmx {
        let runner = skel_build::runner().unwrap();
        skel_build::skel(Arch::V81).unwrap();
        let real = runner.ancestors().nth(2).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink(real, inside("cache")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_hmx"))
            .args(arguments)
            .args(["--target", "qemu"])
            .env("HMX_CACHE_DIR", inside("cache"))
            .current_dir(folder.path())
            .stdout(File::create(inside("stdout")).unwrap())
            .stderr(File::create(inside("stderr")).unwrap())
            .spawn()
            .unwrap();
        Hmx { child, folder }
    }

    /// The guests of this run that there are now.
    fn guests(&self) -> Vec<u32> {
        let cache = self.folder.path().join("cache");
        let is_guest = |id: &u32| {
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            line.starts_with("qemu-hexagon") && line.contains(&*cache.to_string_lossy())
        };
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(is_guest)
            .collect()
    }

    /// A guest in the middle of its work: it has sent many messages.
    fn busy_guest(&mut self) -> u32 {
        let messages = |id: u32| -> Option<u64> {
            let io = std::fs::read_to_string(format!("/proc/{id}/io")).ok()?;
            let line = io.lines().find_map(|l| l.strip_prefix("syscw: "))?;
            line.parse().ok()
        };
        until("a busy guest", || {
            assert!(self.child.try_wait().unwrap().is_none(), "hmx has ended");
            let mut guests = self.guests().into_iter();
            guests.find(|id| messages(*id) > Some(20))
        })
    }

    fn end(&mut self) -> Ended {
        let status = until("the end of hmx", || self.child.try_wait().unwrap());
        let read = |name| std::fs::read_to_string(self.folder.path().join(name)).unwrap();
        Ended {
            status,
            stdout: read("stdout"),
            stderr: read("stderr"),
        }
    }
}

/// The one error of a run that ended with status 2.
fn error(ended: &Ended) -> &str {
    assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
    let mut errors = ended.stderr.lines().filter(|l| l.starts_with("hmx: "));
    let error = errors.next().unwrap();
    assert_eq!(errors.next(), None);
    error
}

#[test]
fn verify_ends_when_its_guest_is_killed() {
    if skipped() {
        return;
    }
    let mut hmx = Hmx::start(&["verify", "all", "--cases", "5000", "--seed", "1"]);
    kill(hmx.busy_guest());
    let ended = hmx.end();
    let error = error(&ended);
    assert!(error.contains("the target broke down"), "{error}");
    assert!(error.contains("SIGKILL"), "{error}");
    assert_eq!(ended.stdout, "", "a broken run has no result");
    assert!(hmx.guests().is_empty());
}

#[test]
fn a_probe_whose_guest_is_killed_is_named_and_the_others_are_run() {
    if skipped() {
        return;
    }
    let mut hmx = Hmx::start(&["probe", "run", "all", "--json"]);
    kill(hmx.busy_guest());
    let ended = hmx.end();
    let error = error(&ended);
    assert!(error.contains("broke down over 1 probe(s)"), "{error}");
    assert!(error.contains("SIGKILL"), "{error}");
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let count = |key: &str| report[key].as_array().unwrap().len();
    assert_eq!(count("broken"), 1);
    assert_eq!(count("probes") + 1, hmx_probes::shipped().len());
    assert!(hmx.guests().is_empty());
}

#[test]
fn guests_end_with_hmx() {
    if skipped() {
        return;
    }
    for arguments in [
        &["verify", "all", "--cases", "5000"][..],
        &["probe", "run", "all"],
    ] {
        let mut hmx = Hmx::start(arguments);
        hmx.busy_guest();
        kill(hmx.child.id());
        assert_eq!(hmx.end().status.code(), None);
        until("the end of the guests", || {
            hmx.guests().is_empty().then_some(())
        });
    }
}
