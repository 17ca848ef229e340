//! The kernels' C code on this computer: HMX packets go to hmx-model, every access to VTCM
//! is watched.
//!
//! C calls `hook`'s `hmx_native_packet` for each packet. It finds the machine of its thread, executes the
//! packet on the model and gives back whether that went well; nothing unwinds through C.
//! The first fault is kept, everything after it is ignored, and the run ends with that
//! fault as its error.

mod error;
pub mod ffi;
mod hook;
mod machine;

pub use error::{Found, NativeError};
pub use hook::VTCM_BASE;
pub use machine::{Buffers, Machine, Outcome, Region};

use hmx_abi::{Arch, Packet, Program, isa::Instr};

/// Runs a program with the C interpreter that devices use. Operand addresses are offsets into
/// `image`, which stands for VTCM and holds the result afterwards.
pub fn run_program(
    arch: Arch,
    usr: u32,
    program: &Program<u32>,
    image: &mut [u8],
) -> Result<Outcome, NativeError> {
    let steps: Vec<ffi::Step> = program.iter().map(step).collect();
    let count = u32::try_from(steps.len()).map_err(|_| NativeError::TooLong)?;
    let whole = Region {
        offset: 0,
        size: image.len() as u32,
    };
    let mut machine = Machine::new(arch, usr, image, &[whole])?;
    machine.everything_is_written();
    let mut done = 0;
    machine.run(&mut Buffers::default(), |vtcm, _| {
        // SAFETY: `steps` holds `count` steps; `vtcm` is the machine's memory, installed for
        // this thread; the interpreter touches it only through the machine.
        unsafe { ffi::hmxwb_probe_run(steps.as_ptr(), count, usr, vtcm, &mut done) }
    })
}

/// One packet as the interpreter takes it. Register fields stay 0: operands come as values.
pub fn step(packet: &Packet<u32>) -> ffi::Step {
    let mut step = ffi::Step::default();
    let insts: Vec<_> = match packet {
        Packet::Multiply(act, weight) => vec![act, weight],
        Packet::Single(inst) => vec![inst],
    };
    for (i, inst) in insts.iter().enumerate() {
        let last = i + 1 == insts.len();
        step.word[i] = word(inst.instr, last);
        step.rs[i] = inst.rs;
        step.rt[i] = inst.rt;
        step.relocate |= u32::from(inst.instr.op.rs_is_address()) << i;
    }
    step.count = insts.len() as u32;
    step
}

/// The word of an instruction with r0 for both operands.
fn word(instr: &Instr, last: bool) -> u32 {
    instr.bits | if last { 3 << 14 } else { 1 << 14 }
}

#[cfg(test)]
mod tests;
