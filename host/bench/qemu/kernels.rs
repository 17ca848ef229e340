//! Whole kernels: what one more weight tile costs.

use super::machine::{DDR_BYTES, Machine, VTCM_BYTES};
use super::{CountError, PerTile};
use crate::bench::kernels::Size;
use crate::kernels::Kernel;
use crate::kernels::measure::MadeUp;
use crate::qemu::control::{DDR, VTCM};
use crate::qemu::cost::Cost;
use crate::skel_build;
use bytemuck::{Pod, Zeroable};
use hmx_abi::Arch;
use serde::Serialize;
use std::collections::BTreeMap;

/// `struct hmxwb_operands` as Hexagon has it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Operands {
    act: u32,
    weight: u32,
    scratch: u32,
    out: u32,
    /// Bytes of the four.
    size: [u64; 4],
}

/// One kernel's counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KernelCount {
    /// Version.
    pub arch: Arch,
    /// Its name.
    pub kernel: &'static str,
    /// The size; the second run has twice as many output channels.
    pub size: Size,
    /// Weight tiles of the first run.
    pub tiles: u32,
    /// What the first run took, staging of the activations included.
    pub run: Cost,
    /// What each weight tile of the second run costs that the first did not have: loads,
    /// expansion, multiply, and its share of the results.
    pub per_tile: PerTile,
    /// Packets that were emulated in the first run, by function.
    pub emulated: BTreeMap<String, u64>,
}

/// Counts every kernel on one size. `done` is told after each.
pub fn count(arch: Arch, size: Size, done: impl Fn()) -> Result<Vec<KernelCount>, CountError> {
    let mut machine = Machine::start(arch, &skel_build::bench(arch)?)?;
    let mut counts = Vec::new();
    for kernel in Kernel::ALL {
        let run = run(&mut machine, kernel, size)?;
        let emulated = machine.emulated();
        let twice = Size {
            n: 2 * size.n,
            ..size
        };
        let more = self::run(&mut machine, kernel, twice)?;
        let tiles = |size: Size| size.n.div_ceil(32) * size.k.div_ceil(32);
        counts.push(KernelCount {
            arch,
            kernel: kernel.name(),
            size,
            tiles: tiles(size),
            run,
            per_tile: PerTile::between(run, more, tiles(twice) - tiles(size)),
            emulated,
        });
        done();
    }
    Ok(counts)
}

/// Runs a kernel on made-up data; its result must be the simulation's.
fn run(machine: &mut Machine, kernel: Kernel, size: Size) -> Result<Cost, CountError> {
    let made_up = MadeUp::new(kernel, size.m, size.n, size.k)?;
    let given = made_up.problem();
    let scratch = match kernel {
        Kernel::W4A16Twopass => given.shape.weight_bytes(Kernel::Hf),
        _ => 0,
    };
    let lengths = [
        given.act.len(),
        given.weight.len(),
        scratch,
        given.out_bytes(),
    ];
    let mut end = 4096;
    let places = lengths.map(|len| {
        let at = end;
        end = (at + len).next_multiple_of(128) + 128;
        at
    });
    let what = || format!("{kernel} on {size}");
    let too_large = |needed: usize, there| CountError::TooLarge {
        what: what(),
        needed,
        there,
    };
    if end > DDR_BYTES {
        return Err(too_large(end, DDR_BYTES));
    }
    if made_up.plan.used as usize > VTCM_BYTES {
        return Err(too_large(made_up.plan.used as usize, VTCM_BYTES));
    }
    machine.guest.vtcm.bytes_mut().fill(0xCC);
    let ddr = machine.guest.ddr.bytes_mut();
    let address = |at: usize| DDR + at as u32;
    let operands = Operands {
        act: address(places[0]),
        weight: address(places[1]),
        scratch: address(places[2]),
        out: address(places[3]),
        size: lengths.map(|len| len as u64),
    };
    const HEADS: [usize; 3] = [0, 1024, 2048];
    let problem = given.to_c(kernel, None);
    let heads: [&[u8]; 3] = [
        bytemuck::bytes_of(&problem),
        bytemuck::bytes_of(&made_up.plan.data),
        bytemuck::bytes_of(&operands),
    ];
    let pieces = heads.into_iter().chain([given.act, given.weight]);
    for (at, bytes) in HEADS.into_iter().chain(places).zip(pieces) {
        ddr[at..at + bytes.len()].copy_from_slice(bytes);
    }
    let [problem, plan, operands] = HEADS.map(address);
    let (status, cost) = machine.call("bench_kernel", [problem, plan, operands, VTCM])?;
    let out = &machine.guest.ddr.bytes()[places[3]..][..lengths[3]];
    if status != 0 || out != made_up.run(machine.arch)?.bytes {
        return Err(CountError::Wrong { what: what() });
    }
    Ok(cost)
}
