//! The child: does one job and writes its reply.

use super::stub::{KernelCall, NoResult, Stub};
use super::task::{self, Driver, Fault, Opened, Reply, Task, Work};
use crate::fastrpc::{Failure, Library, Session, platform};
use hmx_abi::bindings::{HMXWB_E_POWER, HMXWB_E_VTCM};
use hmx_abi::call::{self, Facts};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Status of the skel for a packet that it cannot execute, or that the model faulted on.
const PACKET: std::ops::RangeInclusive<u32> = 5..=6;

/// Does the job in `folder`. Fails only when the folder itself cannot be used; everything
/// else is in the reply.
pub fn work(folder: &Path) -> io::Result<()> {
    let task: Task = task::read_value(folder, "task.json")?;
    let mut steps = File::create(folder.join("steps.txt"))?;
    let mut reply = Reply::default();
    let mut step = |text: &str| {
        // The steps are a help for the reader; a full disk must not stop the job here.
        let _ = writeln!(steps, "{text}").and_then(|()| steps.flush());
    };
    if let Err(fault) = job(folder, &task, &mut reply, &mut step) {
        reply.fault = Some(fault);
    }
    task::write_value(folder, "reply.json", &reply)
}

fn job(
    folder: &Path,
    task: &Task,
    reply: &mut Reply,
    step: &mut dyn FnMut(&str),
) -> Result<(), Fault> {
    step("loading the FastRPC library");
    platform::mirror_log();
    let library = Library::find().map_err(plain)?;
    step("asking the driver what the DSP can do");
    reply.driver = Some(Driver {
        library: library.path().to_owned(),
        missing: library.missing().iter().map(|s| (*s).to_owned()).collect(),
        capabilities: library.capabilities(),
    });
    match task.work {
        Work::Ask => return Ok(()),
        Work::CountSessions => {
            step("counting sessions");
            let (count, end) = library.count_sessions();
            reply.sessions = Some((count, end.map(|failure| failure.code)));
            return Ok(());
        }
        Work::Open | Work::Probe { .. } | Work::Run { .. } => {}
    }
    step("opening the skel on the DSP");
    let session = Session::open(&library, &task.opening()).map_err(failed)?;
    let opened = Opened {
        uri: session.uri.clone(),
        own_uri: session.own_uri,
        pd: session.pd,
        ..Opened::default()
    };
    step("asking the skel who it is");
    let mut stub = Stub::new(session, task.sequence);
    let facts = stub.info().map_err(no_result)?;
    same_version(&facts)?;
    reply.opened = Some(opened.with(&facts));
    let read = |name| std::fs::read(folder.join(name)).map_err(plain);
    let write = |name, bytes: &[u8]| task::write(folder, name, bytes).map_err(plain);
    match task.work {
        Work::Probe { usr } => {
            let (program, image) = (read("program.bin")?, read("image.bin")?);
            step("running the program on the DSP");
            let (after, answer) = stub.probe(usr, &program, &image).map_err(no_result)?;
            write("after.bin", &after)?;
            reply.cycles = Some(answer.cycles);
        }
        Work::Run {
            scratch_len,
            result_len,
        } => {
            let (problem, plan) = (read("problem.bin")?, read("plan.bin")?);
            let (activations, weights) = (read("activations.bin")?, read("weights.bin")?);
            step("running the kernel on the DSP");
            let call = KernelCall {
                problem: &problem,
                plan: &plan,
                activations: &activations,
                weights: &weights,
                scratch_len,
                result_len,
            };
            let computed = stub.run(&call).map_err(no_result)?;
            write("counters.bin", &computed.counters)?;
            write("after.bin", &computed.result)?;
            reply.cycles = Some(computed.cycles);
        }
        Work::Ask | Work::CountSessions | Work::Open => {}
    }
    step("closing the session");
    stub.into_session().close().map_err(failed)
}

/// Version of `hmxwb.h` that this host was built with.
const ABI_VERSION: u32 = 1;

fn same_version(facts: &Facts) -> Result<(), Fault> {
    if facts.abi_version == ABI_VERSION {
        return Ok(());
    }
    Err(plain(format!(
        "the skel was built with version {} of the shared structures, this tool with version {ABI_VERSION}; rebuild the skel and copy it again",
        facts.abi_version
    )))
}

fn plain(error: impl ToString) -> Fault {
    Fault {
        text: error.to_string(),
        code: None,
        refused_packet: None,
        no_resource: false,
    }
}

fn failed(failure: Failure) -> Fault {
    Fault {
        code: Some(failure.code),
        ..plain(failure)
    }
}

fn no_result(error: NoResult) -> Fault {
    match &error {
        NoResult::Call(failure) => failed(*failure),
        NoResult::Status(answer) if PACKET.contains(&answer.status) => Fault {
            refused_packet: Some(answer.at),
            ..plain(call::status_text(answer.status))
        },
        NoResult::Status(answer) => Fault {
            no_resource: [HMXWB_E_VTCM, HMXWB_E_POWER].contains(&answer.status),
            ..plain(&error)
        },
        _ => plain(error),
    }
}
