//! Where C comes back into Rust: one HMX packet at a time.

use super::error::{Found, NativeError};
use super::ffi::{self, shadow};
use super::machine::Outcome;
use hmx_abi::codec::decode;
use hmx_abi::{Arch, Evidence, Inst, Op, Packet};
use hmx_model::{Hmx, Memory, Outside};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Where VTCM seems to lie for the model: `HMX_NATIVE_BASE` in `dsp-kernels/include/hmx.h`.
pub const VTCM_BASE: u32 = 0xD800_0000;

thread_local! {
    /// The unit that C code on this thread runs on.
    static CURRENT: RefCell<Option<Unit>> = const { RefCell::new(None) };
}

/// An HMX unit with the memory it works on.
pub(super) struct Unit {
    hmx: Hmx,
    memory: Watched,
    packets: u64,
    stopped: Option<NativeError>,
    outcome: Outcome,
}

impl Unit {
    /// A unit after reset.
    ///
    /// # Safety
    /// `machine` and what it points to stay valid, and are used by nothing but C code and
    /// this unit on this thread, until the unit is dropped.
    pub(super) unsafe fn new(arch: Arch, usr: u32, machine: *mut ffi::Machine) -> Unit {
        let mut hmx = Hmx::new(arch);
        hmx.set_usr(usr);
        Unit {
            hmx,
            memory: Watched { machine },
            packets: 0,
            stopped: None,
            outcome: Outcome {
                counters: ffi::Counters::default(),
                evidence: Evidence::VendorModel,
                mixed: Vec::new(),
            },
        }
    }

    /// What the run came to: the outcome without counters, and what the memory watch found.
    pub(super) fn finish(self, in_flight: u32) -> Result<(Outcome, Option<Found>), NativeError> {
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        let left = (in_flight > 0).then_some(Found::DmaLeft {
            count: u64::from(in_flight),
        });
        Ok((self.outcome, self.memory.found().or(left)))
    }

    fn execute(&mut self, words: &[u32], rs: &[u32], rt: &[u32]) -> bool {
        self.packets += 1;
        if self.stopped.is_some() || self.memory.found().is_some() {
            return false;
        }
        let Some(packet) = packet(words, rs, rt) else {
            self.stopped = Some(NativeError::NoPacket {
                packet: self.packets,
                words: words.to_vec(),
            });
            return false;
        };
        match self.hmx.execute(&packet, &mut self.memory) {
            Ok(executed) => {
                self.count(&packet, executed.macs);
                self.outcome.evidence = self.outcome.evidence.weaker(executed.evidence);
                if executed.mixed {
                    self.outcome.mixed.push(self.packets);
                }
                self.memory.found().is_none()
            }
            Err(fault) => {
                self.stopped = Some(NativeError::Hmx {
                    packet: self.packets,
                    fault,
                });
                false
            }
        }
    }

    fn count(&mut self, packet: &Packet<u32>, macs: u64) {
        let counters = self.memory.counters();
        match packet {
            Packet::Multiply(..) => {
                counters.hmx_multiply += 1;
                counters.hmx_macs += macs;
            }
            Packet::Single(inst) => match inst.instr.op {
                Op::ConvertStore { .. } => {
                    counters.hmx_convert += 1;
                    counters.hmx_store += 1;
                }
                Op::Convert { .. } => counters.hmx_convert += 1,
                Op::StoreCvt { .. } => counters.hmx_store += 1,
                Op::LoadBias { .. } | Op::StoreBias { .. } => counters.hmx_bias += 1,
                _ => counters.hmx_other += 1,
            },
        }
    }
}

/// The packet in one or two words, with operand values in place of registers.
fn packet(words: &[u32], rs: &[u32], rt: &[u32]) -> Option<Packet<u32>> {
    let inst = |i: usize| -> Option<Inst<u32>> {
        Some(Inst {
            instr: decode(*words.get(i)?)?.instr,
            rs: *rs.get(i)?,
            rt: *rt.get(i)?,
        })
    };
    match words.len() {
        1 => Some(Packet::Single(inst(0)?)),
        2 => Some(Packet::Multiply(inst(0)?, inst(1)?)),
        _ => None,
    }
}

/// Makes `unit` the one that C code on this thread runs on.
pub(super) fn install(unit: Unit) -> Result<(), NativeError> {
    CURRENT.with_borrow_mut(|current| match current {
        Some(_) => Err(NativeError::Busy),
        None => {
            *current = Some(unit);
            Ok(())
        }
    })
}

/// Takes this thread's unit away.
pub(super) fn remove() -> Option<Unit> {
    CURRENT.with_borrow_mut(Option::take)
}

/// Called by C for each HMX packet. 0: executed.
///
/// # Safety
/// `word`, `rs` and `rt` point to `count` values each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hmx_native_packet(
    count: u32,
    word: *const u32,
    rs: *const u32,
    rt: *const u32,
) -> i32 {
    let count = count.min(2) as usize;
    // SAFETY: the caller's promise; `count` is not made larger.
    let (words, rs, rt) = unsafe {
        (
            std::slice::from_raw_parts(word, count),
            std::slice::from_raw_parts(rs, count),
            std::slice::from_raw_parts(rt, count),
        )
    };
    CURRENT.with(|current| {
        let Ok(mut current) = current.try_borrow_mut() else {
            return -1;
        };
        let Some(unit) = current.as_mut() else {
            return -1;
        };
        // A panic must not unwind through C. The unit is not used again after one.
        match catch_unwind(AssertUnwindSafe(|| unit.execute(words, rs, rt))) {
            Ok(true) => 0,
            Ok(false) => -1,
            Err(_) => {
                unit.stopped = Some(NativeError::Model(unit.packets));
                -1
            }
        }
    })
}

/// VTCM as the model sees it: the machine's bytes, with its shadow map.
struct Watched {
    machine: *mut ffi::Machine,
}

impl Watched {
    fn machine(&self) -> &ffi::Machine {
        // SAFETY: valid for the unit's life (`Unit::new`); C code is not running meanwhile.
        unsafe { &*self.machine }
    }

    fn counters(&mut self) -> &mut ffi::Counters {
        // SAFETY: as above; `counters` points to the run's counters, borrowed by nobody else.
        unsafe { &mut *self.machine().counters }
    }

    fn found(&self) -> Option<Found> {
        let m = self.machine();
        Found::from_c(m.found, m.found_at, m.found_length)
    }

    /// Offset of an access that lies in VTCM.
    fn offset(&self, at: u32, len: usize) -> Result<usize, Outside> {
        let size = self.machine().vtcm_size as usize;
        let offset = at.wrapping_sub(VTCM_BASE) as usize;
        if offset > size || len > size - offset {
            return Err(Outside {
                at,
                len,
                base: VTCM_BASE,
                end: u64::from(VTCM_BASE) + size as u64,
            });
        }
        Ok(offset)
    }

    /// The shadow states of an access, and where it starts.
    fn states(&mut self, at: u32, len: usize) -> Option<(usize, &mut [u8])> {
        let offset = self.offset(at, len).ok()?;
        // SAFETY: the shadow map has `vtcm_size` bytes, and `offset` checked the range.
        let states =
            unsafe { std::slice::from_raw_parts_mut(self.machine().shadow.add(offset), len) };
        Some((offset, states))
    }

    /// Keeps a finding if it is the first.
    fn note(&mut self, state: u8, at: usize) {
        // SAFETY: as in `machine`; no other reference to the struct is alive here.
        let m = unsafe { &mut *self.machine };
        if m.found == 0 {
            m.found = match state {
                shadow::GUARD => 2,
                shadow::PENDING => 5,
                _ => 1,
            };
            m.found_at = at as u64;
            m.found_length = 1;
        }
    }
}

impl Memory for Watched {
    fn load(&self, at: u32, len: usize) -> Result<&[u8], Outside> {
        let offset = self.offset(at, len)?;
        // SAFETY: `offset` checked that the bytes lie in VTCM; C code is not running.
        Ok(unsafe { std::slice::from_raw_parts(self.machine().vtcm.add(offset), len) })
    }

    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside> {
        let offset = self.offset(at, len)?;
        // SAFETY: as in `load`, and `self` is borrowed mutably for as long as the slice lives.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.machine().vtcm.add(offset), len) })
    }

    fn consumed(&mut self, at: u32, len: usize) {
        self.counters().vtcm_read += len as u64;
        let Some((offset, states)) = self.states(at, len) else {
            return;
        };
        if let Some((state, i)) = first(states, 0xFF) {
            self.note(state, offset + i);
        }
    }

    fn written(&mut self, at: u32, len: usize) {
        self.counters().vtcm_written += len as u64;
        let Some((offset, states)) = self.states(at, len) else {
            return;
        };
        match first(states, shadow::FORBIDDEN) {
            Some((state, i)) => self.note(state, offset + i),
            None => states.fill(shadow::WRITTEN),
        }
    }
}

/// The first state that has one of `bits`, and its place.
fn first(states: &[u8], bits: u8) -> Option<(u8, usize)> {
    let all = states.iter().fold(0, |all, state| all | state);
    if all & bits == 0 {
        return None;
    }
    let i = states.iter().position(|state| state & bits != 0)?;
    Some((states[i], i))
}
