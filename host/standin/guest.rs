//! The real skel in place of the native build: `HMX_STANDIN_SKEL=qemu` (or `search,qemu`: see
//! [`super::search`]).
//!
//! Calls go to a guest of the qemu target. A real skel says that it runs on silicon; here it
//! does not, so the answer to "who are you?" is put right.

use super::{faults, log, search, session};
use hmx_abi::call::{Answer, Facts, INFO, PROBE, RUN, digest};
use hmx_abi::scalars::Scalars;
use hmx_workbench::device::stub::Channel;
use hmx_workbench::qemu::session::{CallError, GuestSession};
use std::mem::offset_of;
use std::sync::Mutex;
use std::time::Duration;

/// The process on the DSP was interrupted.
const INTERRUPTED: u32 = 0x2e;
/// `HMXWB_RUNS_ON_MODEL`
const MODEL: u32 = 2;

static GUEST: Mutex<Option<GuestSession>> = Mutex::new(None);

/// Whether the real skel was asked for.
pub fn wanted() -> bool {
    search::ordered("qemu")
}

/// A call of the skel in the guest; what the call returns.
pub fn invoke(scalars: Scalars, usr: u32, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> u32 {
    let mut guest = GUEST.lock().unwrap_or_else(|broken| broken.into_inner());
    match call(&mut guest, scalars, usr, inputs, outputs) {
        Ok(()) => {
            if scalars.method == INFO.number {
                runs_on_the_model(outputs);
            }
            0
        }
        Err(CallError::Returned(code)) => code,
        Err(error) => {
            log::error(&error.to_string());
            *guest = None;
            INTERRUPTED
        }
    }
}

fn call(
    guest: &mut Option<GuestSession>,
    scalars: Scalars,
    usr: u32,
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
) -> Result<(), CallError> {
    let session = match guest {
        Some(session) => session,
        None => {
            let (arch, limit) = (faults::arch(), Duration::from_secs(60));
            guest.insert(match session::skel() {
                Some(file) => GuestSession::open_skel(arch, &file, limit)?,
                None => GuestSession::open(arch, limit)?,
            })
        }
    };
    if [PROBE.number, RUN.number].contains(&scalars.method) {
        session.reset(usr);
    }
    session.invoke(scalars, inputs, outputs)
}

/// Puts `runs_on` right in the facts behind the answer, and the digest that vouches for them.
fn runs_on_the_model(outputs: &mut [&mut [u8]]) {
    let Some(told) = outputs.first_mut() else {
        return;
    };
    let facts = size_of::<Answer>()..size_of::<Answer>() + size_of::<Facts>();
    if told.len() < facts.end {
        return;
    }
    let at = facts.start + offset_of!(Facts, runs_on);
    told[at..at + 4].copy_from_slice(&MODEL.to_le_bytes());
    let vouched = digest(&told[facts]).to_le_bytes();
    let at = offset_of!(Answer, digest);
    told[at..at + 4].copy_from_slice(&vouched);
}
