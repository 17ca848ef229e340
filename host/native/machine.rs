//! The machine of one run: VTCM, its shadow map, the HMX unit, the counters.

use super::error::{NativeError, Status};
use super::ffi::{self, Counters, Operands, shadow};
use super::hook::{self, Unit};
use hmx_abi::{Arch, Evidence};

pub use super::ffi::Region;

/// Most bytes of VTCM a machine can have.
const MOST_VTCM: usize = 64 << 20;

/// The memory that a kernel's DMA may use. Empty where there is none.
#[derive(Default)]
pub struct Buffers<'a> {
    /// Activations.
    pub act: &'a [u8],
    /// Packed weights.
    pub weight: &'a [u8],
    /// fp16 weights of the two-pass kernel.
    pub scratch: &'a mut [u8],
    /// Results.
    pub out: &'a mut [u8],
}

/// What a run gave besides the bytes it wrote.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What the kernel did.
    pub counters: Counters,
    /// Weakest class of evidence among the packets.
    pub evidence: Evidence,
    /// Numbers (from 1) of packets that mix an integer and a float operand.
    pub mixed: Vec<u64>,
}

/// A machine on borrowed VTCM.
pub struct Machine<'a> {
    arch: Arch,
    usr: u32,
    vtcm: &'a mut [u8],
    shadow: Vec<u8>,
    poison: u8,
}

impl<'a> Machine<'a> {
    /// A machine on `vtcm`, whose bytes may be used inside `regions` only.
    pub fn new(
        arch: Arch,
        usr: u32,
        vtcm: &'a mut [u8],
        regions: &[Region],
    ) -> Result<Machine<'a>, NativeError> {
        if vtcm.len() > MOST_VTCM {
            return Err(NativeError::TooLarge(vtcm.len()));
        }
        let mut map = vec![shadow::GUARD; vtcm.len()];
        for region in regions {
            let start = (region.offset as usize).min(map.len());
            let end = start.saturating_add(region.size as usize).min(map.len());
            map[start..end].fill(shadow::UNWRITTEN);
        }
        Ok(Machine {
            arch,
            usr,
            vtcm,
            shadow: map,
            poison: 0xCC,
        })
    }

    /// Counts every byte as written: for images that are complete.
    pub fn everything_is_written(&mut self) {
        self.shadow.fill(shadow::WRITTEN);
    }

    /// The byte that the destination of a DMA holds until it is waited for.
    pub fn set_poison(&mut self, poison: u8) {
        self.poison = poison;
    }

    /// Calls C code on this machine. `call` gets VTCM and the buffers, and returns the code's
    /// status.
    pub fn run(
        &mut self,
        buffers: &mut Buffers<'_>,
        call: impl FnOnce(*mut u8, &Operands) -> i32,
    ) -> Result<Outcome, NativeError> {
        let operands = buffers.operands();
        let mut counters = Counters::default();
        let vtcm = self.vtcm.as_mut_ptr();
        let map = self.shadow.as_mut_ptr();
        let mut machine = ffi::Machine {
            vtcm,
            shadow: map,
            counters: &mut counters,
            buffer: [
                buffer(operands.act.cast_mut(), operands.act_size, false),
                buffer(operands.weight.cast_mut(), operands.weight_size, false),
                buffer(operands.scratch, operands.scratch_size, true),
                buffer(operands.out, operands.out_size, true),
            ],
            vtcm_size: self.vtcm.len() as u32,
            poison: u32::from(self.poison),
            found: 0,
            found_class: 0,
            found_at: 0,
            found_length: 0,
        };
        let machine: *mut ffi::Machine = &mut machine;
        // SAFETY: `machine` and all it points to outlive the run; the unit uses them only
        // from within `call`, on this thread, and is taken away before this function returns.
        let unit = unsafe { Unit::new(self.arch, self.usr, machine) };
        hook::install(unit)?;
        // SAFETY: `machine` is valid until the next install, which is below.
        let (status, in_flight) = unsafe {
            ffi::dma_reset();
            ffi::hmxwb_machine_install(machine);
            let status = call(vtcm, &operands);
            let in_flight = ffi::dma_in_flight();
            ffi::hmxwb_machine_install(std::ptr::null_mut());
            (status, in_flight)
        };
        let unit = hook::remove().ok_or(NativeError::Busy)?;
        let (mut outcome, found) = unit.finish(in_flight)?;
        if let Some(found) = found {
            return Err(found.into());
        }
        if status != 0 {
            return Err(NativeError::Refused(Status(status)));
        }
        outcome.counters = counters;
        Ok(outcome)
    }
}

impl Buffers<'_> {
    /// The same for the C side. Valid while nobody touches the buffers.
    fn operands(&mut self) -> Operands {
        Operands {
            act: self.act.as_ptr(),
            weight: self.weight.as_ptr(),
            scratch: self.scratch.as_mut_ptr(),
            out: self.out.as_mut_ptr(),
            act_size: self.act.len() as u64,
            weight_size: self.weight.len() as u64,
            scratch_size: self.scratch.len() as u64,
            out_size: self.out.len() as u64,
        }
    }
}

fn buffer(start: *mut u8, size: u64, writable: bool) -> ffi::Buffer {
    ffi::Buffer {
        start,
        size,
        writable: u32::from(writable),
        reserved: 0,
    }
}
