//! The parent: gives a job to a child process and watches over it.
//!
//! A call into the FastRPC library has no time limit, a signal can interrupt it half-way, and
//! a process whose DSP side has crashed gets wrong successes ever after. So each job has a
//! process of its own, and the next job starts afresh.

use super::settings::Settings;
use super::task::{self, Reply, Task};
use crate::fastrpc::library::LIBRARY_VARIABLE;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// How long a child that was told to end may take.
const GRACE: Duration = Duration::from_secs(2);

/// A job that gave no reply.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// the device job did not end within {seconds} s and was ended; its last step: {step}. The next job gets a fresh session; if this repeats, look for an endless loop in the program, or raise HMX_DEVICE_TIMEOUT{log}
    #[error(
        "the device job did not end within {seconds} s and was ended; its last step: {step}. The next job gets a fresh session; if this repeats, look for an endless loop in the program, or raise HMX_DEVICE_TIMEOUT{log}"
    )]
    Hung {
        /// Time limit.
        seconds: u64,
        /// Last step begun.
        step: String,
        /// End of the library's log.
        log: String,
    },
    /// the process of the device job died ({status}); its last step: {step}. The next job gets a fresh session; the FastRPC library itself crashed, so update the driver if this repeats{log}
    #[error(
        "the process of the device job died ({status}); its last step: {step}. The next job gets a fresh session; the FastRPC library itself crashed, so update the driver if this repeats{log}"
    )]
    Died {
        /// How it ended.
        status: ExitStatus,
        /// Last step begun.
        step: String,
        /// End of the library's log.
        log: String,
    },
    /// a device job could not be started: {0}; check that the folder for temporary files has room
    #[error(
        "a device job could not be started: {0}; check that the folder for temporary files has room"
    )]
    Io(#[from] io::Error),
}

/// What a job gave back.
#[derive(Debug)]
pub struct Report {
    /// The child's reply.
    pub reply: Reply,
    /// The image or the result, where the job made one.
    pub after: Option<Vec<u8>>,
    /// Counters, where the job ran a kernel.
    pub counters: Option<Vec<u8>>,
    /// End of the library's log, ready to be put behind a message; may be empty.
    pub log: String,
}

/// Does a job in a child process; `files` are what it works on, by name.
pub fn supervise(
    settings: &Settings,
    task: &Task,
    files: &[(&str, &[u8])],
) -> Result<Report, Lost> {
    let folder = tempfile::Builder::new().prefix("hmx-device-").tempdir()?;
    let place = folder.path();
    for (name, bytes) in files {
        task::write(place, name, bytes)?;
    }
    task::write_value(place, "task.json", task)?;
    let log = File::create(place.join("log.txt"))?;
    let mut child = Command::new(&settings.worker)
        .arg("device-worker")
        .arg(place)
        .envs(settings.library.iter().map(|file| (LIBRARY_VARIABLE, file)))
        .envs(settings.search_paths(|name| std::env::var_os(name)))
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
    let Some(status) = child.wait_timeout(settings.timeout)? else {
        child.kill()?;
        // A child inside the kernel driver may not end at once; it is not waited for.
        child.wait_timeout(GRACE)?;
        return Err(Lost::Hung {
            seconds: settings.timeout.as_secs(),
            step: last_step(place),
            log: log_end(place),
        });
    };
    match task::read_value(place, "reply.json") {
        Ok(reply) => Ok(Report {
            reply,
            after: std::fs::read(place.join("after.bin")).ok(),
            counters: std::fs::read(place.join("counters.bin")).ok(),
            log: log_end(place),
        }),
        Err(_) => Err(Lost::Died {
            status,
            step: last_step(place),
            log: log_end(place),
        }),
    }
}

fn last_step(place: &Path) -> String {
    let steps = std::fs::read_to_string(place.join("steps.txt")).unwrap_or_default();
    steps
        .lines()
        .last()
        .unwrap_or("starting the process")
        .to_owned()
}

/// The last lines of the log as one line in brackets.
fn log_end(place: &Path) -> String {
    let log = std::fs::read(place.join("log.txt")).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    match &lines[lines.len().saturating_sub(3)..] {
        [] => String::new(),
        last => format!(" [log: {}]", last.join(" | ")),
    }
}
