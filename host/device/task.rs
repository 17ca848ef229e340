//! A device job and its reply, as files in a folder that parent and child share.
//!
//! | file | who writes it | what |
//! |---|---|---|
//! | `task.json` | parent | [`Task`] |
//! | `program.bin`, `image.bin` | parent | a program as `struct hmxwb_step`, a VTCM image |
//! | `problem.bin`, `plan.bin`, `activations.bin`, `weights.bin` | parent | a kernel's problem |
//! | `steps.txt` | child | the steps begun, one a line |
//! | `log.txt` | child | everything the library printed |
//! | `after.bin` | child | the image or result that came back, vouched for |
//! | `counters.bin` | child | `struct hmxwb_counters` of a kernel |
//! | `reply.json` | child | [`Reply`]; written last, under another name first |

use crate::fastrpc::{Capabilities, Opening, Pd};
use crate::skel_build::ENTRY;
use crate::whole_file;
use hmx_abi::call::Facts;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What the child does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Opens the library and asks the driver.
    Ask,
    /// Counts the sessions to be had.
    CountSessions,
    /// Opens a session and asks the skel who it is.
    Open,
    /// The same, then runs a program.
    Probe {
        /// User status register.
        usr: u32,
    },
    /// The same, then runs a kernel.
    Run {
        /// Bytes of scratch memory.
        scratch_len: usize,
        /// Bytes of the result.
        result_len: usize,
    },
}

/// One job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub work: Work,
    /// File name of the skel.
    pub skel: String,
    /// Session 0 to 3.
    pub session: u32,
    /// Kind of process.
    pub pd: Pd,
    /// Number of the first call: another one in each job.
    pub sequence: u32,
}

impl Task {
    /// How its session is opened.
    pub fn opening(&self) -> Opening {
        Opening {
            session: self.session,
            pd: self.pd,
            skel: self.skel.clone(),
            entry: ENTRY,
        }
    }
}

/// What the library and the driver say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Driver {
    /// Path of the library.
    pub library: PathBuf,
    /// Optional symbols it lacks.
    pub missing: Vec<String>,
    /// Capabilities.
    pub capabilities: Capabilities,
}

/// What an open session says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Opened {
    /// URI that was opened.
    pub uri: String,
    /// The library does not make URIs: an old driver.
    pub own_uri: bool,
    /// Kind of process, where the library tells.
    pub pd: Option<Pd>,
    /// Architecture the skel was compiled for; 0: not for Hexagon.
    pub skel_arch: u32,
    /// HMX instructions are executed by hmx-model.
    pub modelled: bool,
    /// VTCM of the device; 0: not known.
    pub vtcm_bytes: u32,
    /// VTCM to be had; 0: not known.
    pub vtcm_free: u32,
}

impl Opened {
    /// Adds what the skel says of itself.
    pub fn with(self, facts: &Facts) -> Opened {
        Opened {
            skel_arch: facts.arch,
            modelled: facts.runs_on != hmx_abi::call::RUNS_ON_SILICON,
            vtcm_bytes: facts.vtcm_bytes,
            vtcm_free: facts.vtcm_free,
            ..self
        }
    }
}

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What happened and what to do.
    pub text: String,
    /// The library's code, where one was returned.
    pub code: Option<u32>,
    /// The skel refused this packet (counted from 0), and the device is well.
    pub refused_packet: Option<u32>,
    /// The DSP had no VTCM or no HMX to give, and is well.
    pub no_resource: bool,
}

/// What the child found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reply {
    /// After the library was opened.
    pub driver: Option<Driver>,
    /// Sessions to be had, and the code that ended the count.
    pub sessions: Option<(u32, Option<u32>)>,
    /// After the skel has answered.
    pub opened: Option<Opened>,
    /// Cycles of a program that ran; 0: not counted.
    pub cycles: Option<u64>,
    /// Why the job ended early.
    pub fault: Option<Fault>,
}

/// Writes a file of the job.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    whole_file::write(&folder.join(name), bytes)
}

/// Writes a value as JSON.
pub fn write_value(folder: &Path, name: &str, value: &impl Serialize) -> io::Result<()> {
    write(folder, name, &serde_json::to_vec(value)?)
}

/// Reads a value from JSON.
pub fn read_value<T: for<'a> Deserialize<'a>>(folder: &Path, name: &str) -> io::Result<T> {
    Ok(serde_json::from_slice(&std::fs::read(folder.join(name))?)?)
}
