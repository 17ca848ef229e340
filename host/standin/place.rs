//! Calls of the skel on a machine of this computer.

use super::faults::{self, Fault};
use super::{log, session};
use hmx_abi::call::{Answer, COUNTERS_SIZE, PROBE, RUN, digest};
use hmx_abi::scalars::Scalars;
use hmx_workbench::fastrpc::abi::RemoteArg;
use hmx_workbench::native::{Buffers, Machine, NativeError, Region};
use std::cell::Cell;
use std::mem::offset_of;

/// VTCM of the device that this stands in for.
pub const VTCM: u32 = 8 << 20;

const INTERRUPTED: u32 = 0x2e;
const REFUSED: u32 = 0x72;
const FAILED: u32 = 0x8000_0401;
/// `HMXWB_E_VTCM`
const NO_VTCM: u32 = 17;
/// `HMXWB_RUNS_ON_MODEL`
const MODEL: u32 = 2;

/// `struct hmxwb_place`
#[repr(C)]
pub struct Place {
    vtcm: *mut u8,
    size: u32,
    resource: u32,
    detail: u32,
}

/// `struct hmxwb_facts`
type Facts = hmx_abi::call::Facts;

thread_local! {
    /// VTCM of the machine that the skel runs on.
    static VTCM_NOW: Cell<(*mut u8, u32)> = const { Cell::new((std::ptr::null_mut(), 0)) };
}

unsafe extern "C" {
    fn hmxwb_skel_handle_invoke(handle: u64, scalars: u32, args: *mut RemoteArg) -> i32;
}

/// `hmxwb_place_take`
///
/// # Safety
/// `place` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hmxwb_place_take(bytes: u32, _usr: u32, place: *mut Place) -> u32 {
    const NO_MEMORY: u32 = 0x8000_0402;
    let (vtcm, size) = VTCM_NOW.get();
    // SAFETY: the skel passes its own structure.
    let place = unsafe { &mut *place };
    if vtcm.is_null() || bytes > size || faults::ordered(&Fault::NoVtcm) {
        place.detail = NO_MEMORY;
        return NO_VTCM;
    }
    (place.vtcm, place.size) = (vtcm, size);
    0
}

/// `hmxwb_place_give_back`
#[unsafe(no_mangle)]
pub extern "C" fn hmxwb_place_give_back(_place: *mut Place) {}

/// `hmxwb_place_facts`
///
/// # Safety
/// `facts` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hmxwb_place_facts(facts: *mut Facts) {
    // SAFETY: the skel passes its own structure.
    let facts = unsafe { &mut *facts };
    facts.runs_on = MODEL;
    facts.vtcm_bytes = VTCM;
    facts.vtcm_free = VTCM;
}

/// `hmxwb_place_cycles`: nothing to count here.
#[unsafe(no_mangle)]
pub extern "C" fn hmxwb_place_cycles() -> u64 {
    0
}

/// `hmxwb_place_counters`: filled in after the call, when the machine has stopped.
#[unsafe(no_mangle)]
pub extern "C" fn hmxwb_place_counters(_counters: *mut u8) {}

/// The bytes of one argument.
///
/// # Safety
/// The argument is a buffer of the length it says, which nobody else uses.
unsafe fn bytes<'a>(args: *mut RemoteArg, index: usize) -> &'a mut [u8] {
    // SAFETY: the caller's promise; an empty buffer may have a null start.
    unsafe {
        let buffer = (*args.add(index)).buf;
        match buffer.len {
            0 => &mut [],
            len => std::slice::from_raw_parts_mut(buffer.pv.cast(), len),
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
    word.map_or(0, u32::from_le_bytes)
}

/// A call. A handle that is not open gets success without any effect, as from the open library.
///
/// # Safety
/// `args` points to as many buffers as the scalars word counts, each of the length it says.
pub unsafe fn invoke(handle: u64, scalars: u32, args: *mut RemoteArg) -> u32 {
    if session::is_dead() {
        return REFUSED;
    }
    if !session::is_open(handle) {
        return 0;
    }
    let method = Scalars::from_word(scalars).method;
    #[cfg(target_os = "linux")]
    if super::guest::wanted() {
        // SAFETY: the caller's promise.
        return unsafe { in_the_guest(scalars, args) };
    }
    if method != PROBE.number && method != RUN.number {
        // SAFETY: the caller's promise.
        return unsafe { hmxwb_skel_handle_invoke(handle, scalars, args) }.cast_unsigned();
    }
    let ordered = faults::of_program();
    let is = |fault| ordered.contains(&fault);
    if is(Fault::Hang) {
        loop {
            std::thread::park();
        }
    }
    if is(Fault::Crash) {
        std::process::abort();
    }
    if is(Fault::Die) {
        log::error("the process on the DSP crashed");
        session::kill();
        return INTERRUPTED;
    }
    if is(Fault::Silent) {
        return 0;
    }
    // SAFETY: the caller's promise.
    let code = unsafe { run(handle, scalars, args) };
    let counts = Scalars::from_word(scalars);
    let told = usize::from(counts.inputs);
    // SAFETY: the shared output buffer and the last sequence, by the caller's promise.
    let (answer, output) = unsafe { (bytes(args, told), bytes(args, counts.arguments() - 1)) };
    spoil(&ordered, answer, output);
    code
}

/// The same call to the real skel under QEMU.
///
/// # Safety
/// As for [`invoke`].
#[cfg(target_os = "linux")]
unsafe fn in_the_guest(scalars: u32, args: *mut RemoteArg) -> u32 {
    let scalars = Scalars::from_word(scalars);
    let (inputs, all) = (usize::from(scalars.inputs), scalars.arguments());
    // SAFETY: one buffer for each count of the scalars word, by the caller's promise.
    let (ins, mut outs) = unsafe {
        let ins: Vec<&[u8]> = (0..inputs).map(|i| &*bytes(args, i)).collect();
        let outs: Vec<&mut [u8]> = (inputs..all).map(|i| bytes(args, i)).collect();
        (ins, outs)
    };
    let head = ins.first().copied().unwrap_or_default();
    let usr = match scalars.method == RUN.number {
        true => word(head, 16 + 36),
        false => word(head, 16),
    };
    super::guest::invoke(scalars, usr, &ins, &mut outs)
}

/// The faults that change an answer.
fn spoil(ordered: &[Fault], answer: &mut [u8], output: &mut [u8]) {
    let half = output.len() / 2;
    let mut set = |at: usize, value: u32| {
        if let Some(place) = answer.get_mut(at..at + 4) {
            place.copy_from_slice(&value.to_le_bytes());
        }
    };
    if ordered.contains(&Fault::Stale) {
        set(offset_of!(Answer, sequence), 1);
    }
    if ordered.contains(&Fault::Short) {
        set(offset_of!(Answer, written), half as u32);
    }
    if ordered.contains(&Fault::Short) || ordered.contains(&Fault::Torn) {
        output[half..].fill(0);
    }
    if let (true, Some(last)) = (ordered.contains(&Fault::Wrong), output.last_mut()) {
        *last ^= 0x40; // the exponent of a number
        set(offset_of!(Answer, digest), digest(output));
    }
}

/// Runs the skel's method on a machine with its own VTCM.
///
/// # Safety
/// As for [`invoke`].
unsafe fn run(handle: u64, scalars: u32, args: *mut RemoteArg) -> u32 {
    // SAFETY: the first input buffer, by the caller's promise.
    let head = unsafe { bytes(args, 0) };
    let whole = |size| vec![Region { offset: 0, size }];
    let probe = Scalars::from_word(scalars).method == PROBE.number;
    let (usr, size) = match probe {
        true => (word(head, 16), word(head, 24)),
        false => (word(head, 16 + 36), word(head, 16 + 48 + 8)),
    };
    if size > VTCM {
        // SAFETY: the caller's promise. Without a machine the skel answers that it has no VTCM.
        return unsafe { hmxwb_skel_handle_invoke(handle, scalars, args) }.cast_unsigned();
    }
    let mut vtcm = vec![0u8; size as usize];
    let mut machine = match Machine::new(faults::arch(), usr, &mut vtcm, &whole(size)) {
        Ok(machine) => machine,
        Err(error) => return failed(&error),
    };
    machine.everything_is_written();
    let mut buffers = Buffers::default();
    if !probe {
        // SAFETY: input and output sequences, by the caller's promise.
        buffers = unsafe {
            Buffers {
                act: bytes(args, 1),
                weight: bytes(args, 2),
                scratch: bytes(args, 4),
                out: bytes(args, 5),
            }
        };
    }
    let mut code = 0;
    let outcome = machine.run(&mut buffers, |vtcm, _| {
        VTCM_NOW.set((vtcm, size));
        // SAFETY: the caller's promise; VTCM is the machine's, for the length of this call.
        code = unsafe { hmxwb_skel_handle_invoke(handle, scalars, args) };
        VTCM_NOW.set((std::ptr::null_mut(), 0));
        0
    });
    match outcome {
        Ok(outcome) if !probe && code == 0 => {
            // SAFETY: the shared output buffer, by the caller's promise.
            let told = unsafe { bytes(args, 3) };
            if let Some(place) = told
                .get_mut(size_of::<Answer>()..)
                .and_then(|rest| rest.get_mut(..COUNTERS_SIZE))
            {
                place.copy_from_slice(bytemuck::bytes_of(&outcome.counters));
            }
            0
        }
        // The skel's answer already says which packet it was.
        Ok(_) | Err(NativeError::Hmx { .. } | NativeError::NoPacket { .. }) => code.cast_unsigned(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &NativeError) -> u32 {
    log::error(&error.to_string());
    FAILED
}
