//! The guest of the qemu target: traps, failures, nothing left running.
//!
//! Needs clang-22, lld-22 and qemu-hexagon 11; `HMX_SKIP_QEMU=1` leaves these tests out.
#![cfg(target_os = "linux")]

use half::f16;
use hmx_abi::codec::{Reg, decode, encode};
use hmx_abi::{Arch, Kind, instructions};
use hmx_model::Hmx;
use hmx_workbench::qemu::control::{self, DDR, VTCM};
use hmx_workbench::qemu::guest::{Guest, GuestError};
use hmx_workbench::qemu::trap::Unit;
use hmx_workbench::run::POISON;
use hmx_workbench::target::qemu::Qemu;
use hmx_workbench::target::sim::Sim;
use hmx_workbench::target::{Job, Target, TargetError};
use hmx_workbench::verify::kernel::Settings;
use hmx_workbench::verify::{Case, KernelUnderTest, NativeKernel, QemuKernel};
use hmx_workbench::{skel_build, tools};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

fn skipped() -> bool {
    let skip = std::env::var_os("HMX_SKIP_QEMU").is_some();
    if skip {
        eprintln!("left out: HMX_SKIP_QEMU is set");
    }
    skip
}

/// A source file as a skel of its own.
fn build(source: &Path, name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let object = dir.join(format!("{name}-{}.o", std::process::id()));
    let skel = object.with_extension("so");
    let flags = "--target=hexagon-unknown-elf -mcpu=hexagonv73 -mhvx -mhvx-length=128B -mhvx-qfloat \
                 -O2 -fPIC -fvisibility=hidden -ffreestanding -fno-builtin -Wall -Wextra -c -o";
    let ok = |c: &mut Command| assert!(c.status().unwrap().success(), "{c:?}");
    ok(Command::new(tools::clang().unwrap())
        .args(flags.split_whitespace())
        .arg(&object)
        .arg(source));
    ok(Command::new(tools::lld().unwrap())
        .args(["-m", "hexagonelf", "-shared", "--hash-style=sysv", "-o"])
        .arg(&skel)
        .arg(&object));
    skel
}

/// The fixture as a skel, built once.
fn fixture() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| build(Path::new("tests/qemu/fixture.c"), "fixture"))
        .clone()
}

fn start_with(skel: &Path) -> Guest {
    let limit = Duration::from_secs(5);
    let runner = skel_build::runner().unwrap();
    Guest::start(&runner, skel, "none", 1 << 20, 1 << 20, limit).unwrap()
}

fn start() -> Guest {
    start_with(&fixture())
}

fn call(guest: &mut Guest, name: &str, args: [u32; 4]) -> Result<u32, GuestError> {
    let mut unit = Unit::new(Hmx::new(Arch::V73));
    guest.control().call(name, args);
    guest.request(control::Kind::Call, |control, vtcm| {
        unit.packet(control, vtcm)
    })
}

fn put(guest: &mut Guest, at: usize, values: &[f32]) {
    for (i, v) in values.iter().enumerate() {
        let bits = f16::from_f32(*v).to_bits().to_le_bytes();
        guest.ddr.bytes_mut()[at + 2 * i..][..2].copy_from_slice(&bits);
    }
}

fn get(guest: &Guest, at: usize, count: usize) -> Vec<f32> {
    let bytes = &guest.ddr.bytes()[at..at + 2 * count];
    bytes
        .chunks(2)
        .map(|c| f16::from_bits(u16::from_le_bytes([c[0], c[1]])).to_f32())
        .collect()
}

#[test]
fn hvx_float_is_emulated_in_packets_of_all_shapes() {
    if skipped() {
        return;
    }
    let mut guest = start();
    let values: Vec<f32> = (0..64 * 40).map(|i| (i % 50) as f32 / 8.0).collect();
    put(&mut guest, 0, &values);
    let out = 0x10000;
    let args = [DDR, DDR + out as u32, 40, 0];
    assert_eq!(call(&mut guest, "squares", args).unwrap(), 40);
    let squares: Vec<f32> = values
        .iter()
        .map(|v| f16::from_f32(v * v).to_f32())
        .collect();
    assert_eq!(get(&guest, out, squares.len()), squares);

    call(&mut guest, "old_value", args).unwrap();
    assert_eq!(get(&guest, out, 64), squares[..64]);
    assert_eq!(
        get(&guest, out + 128, 64),
        values[..64],
        "the old value, not the square"
    );

    call(&mut guest, "loop_end", args).unwrap();
    let sums: Vec<f32> = values[..64].iter().map(|v| 4.0 * v).collect();
    assert_eq!(get(&guest, out, 64), sums);

    call(&mut guest, "branches", args).unwrap();
    let sums: Vec<f32> = values[..64].iter().map(|v| 5.0 * v).collect();
    assert_eq!(get(&guest, out, 64), sums);

    call(&mut guest, "call_and_return", args).unwrap();
    let sums: Vec<f32> = values[..64].iter().map(|v| 2.0 * v).collect();
    assert_eq!(get(&guest, out, 64), sums);

    call(&mut guest, "temporary", args).unwrap();
    assert_eq!(get(&guest, out, 64), squares[64..128]);
}

#[test]
fn hmx_packets_run_on_the_shared_vtcm() {
    if skipped() {
        return;
    }
    let mut guest = start();
    let one = f16::ONE.to_bits().to_le_bytes();
    for at in (0..4096).step_by(2) {
        guest.vtcm.bytes_mut()[at..at + 2].copy_from_slice(&one);
    }
    for at in (4096..4096 + 128).step_by(4) {
        guest.vtcm.bytes_mut()[at..at + 2].copy_from_slice(&one);
    }
    call(&mut guest, "hmx_ones", [VTCM, 0, 0, 0]).unwrap();
    let expected = f16::from_f32(32.0).to_bits().to_le_bytes();
    for cell in guest.vtcm.bytes()[8192..8192 + 2048].chunks(2) {
        assert_eq!(cell, expected);
    }
}

#[test]
fn every_way_to_fail_has_its_message_and_leaves_nothing_running() {
    if skipped() {
        return;
    }
    let fail = |name: &str| {
        let limit = Duration::from_secs(2);
        let runner = skel_build::runner().unwrap();
        let mut guest = Guest::start(&runner, &fixture(), "none", 1 << 20, 1 << 20, limit).unwrap();
        let process = guest.process();
        let error = call(&mut guest, name, [0; 4]).unwrap_err();
        drop(guest);
        assert!(!PathBuf::from(format!("/proc/{process}")).exists());
        error.to_string()
    };
    let hang = fail("hang");
    assert!(
        hang.contains("did not answer within 2s") && hang.contains("(hang+0x"),
        "{hang}"
    );
    let crash = fail("crash");
    assert!(
        crash.contains("unmapped memory (0x10)") && crash.contains("(crash+0x"),
        "{crash}"
    );
    let unknown = fail("unknown");
    assert!(
        unknown.contains("0xa6e0c01f") && unknown.contains("(unknown+0x"),
        "{unknown}"
    );
    let missing = fail("not_there");
    assert!(missing.contains("does not export `not_there`"), "{missing}");
}

#[test]
fn a_killed_guest_is_an_error() {
    if skipped() {
        return;
    }
    let mut guest = start();
    let kill = Command::new("kill")
        .args(["-9", &guest.process().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let error = call(&mut guest, "hang", [0; 4]).unwrap_err().to_string();
    assert!(error.contains("the guest is gone"), "{error}");
}

/// Each instruction alone, loads in pairs: QEMU must run none of them as something else.
#[test]
fn every_hmx_packet_traps() {
    if skipped() {
        return;
    }
    let load = |kind| instructions().iter().find(|i| i.kind == kind).unwrap();
    let (act, weight) = (load(Kind::Activation), load(Kind::Weight));
    let zero = Reg::default();
    let mut packets = Vec::new();
    for i in instructions() {
        packets.push(match i.kind {
            Kind::Activation => vec![
                encode(i, zero, zero, false),
                encode(weight, zero, zero, true),
            ],
            Kind::Weight => vec![encode(act, zero, zero, false), encode(i, zero, zero, true)],
            _ => vec![encode(i, zero, zero, true)],
        });
    }
    let mut text = ".globl all\n.type all,@function\nall:\n".to_owned();
    for word in packets.iter().flatten() {
        text += &format!(".word {word:#x}\n");
    }
    text += "{ jumpr r31 }\n";
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("all.S");
    std::fs::write(&source, text).unwrap();
    let mut guest = start_with(&build(&source, "all"));
    guest.control().call("all", [0; 4]);
    let mut seen = Vec::new();
    let request = control::Kind::Call;
    guest
        .request(request, |control, _| {
            seen.push(control.trap.word[..control.trap.count as usize].to_vec());
            Ok(0)
        })
        .unwrap();
    let names = |packets: &[Vec<u32>]| -> Vec<_> {
        packets
            .iter()
            .map(|p| {
                p.iter()
                    .map(|w| decode(*w).map(|d| d.instr.syntax))
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    assert_eq!(names(&seen), names(&packets));
}

/// Every shipped probe, both poison patterns: the same bytes from the skel as from the simulator.
#[test]
fn probes_give_the_same_bytes_as_the_simulator() {
    if skipped() {
        return;
    }
    for arch in [Arch::V73, Arch::V81] {
        let mut qemu = Qemu::open(arch).unwrap();
        let mut sim = Sim::new(arch);
        for probe in hmx_probes::shipped() {
            for poison in POISON {
                let job = Job::staged(probe, poison);
                match (sim.run(&job), qemu.run(&job)) {
                    (Ok(a), Ok(b)) => {
                        assert!(a.image == b.image, "{} on {arch}: other bytes", probe.name);
                        assert_eq!(a.evidence, b.evidence, "{} on {arch}", probe.name);
                        assert_eq!(a.notes, b.notes, "{} on {arch}", probe.name);
                    }
                    (Err(TargetError::Refused(_)), Err(TargetError::Refused(_))) => {}
                    (a, b) => panic!(
                        "{} on {arch}: sim {:?}, qemu {:?}",
                        probe.name,
                        a.err(),
                        b.err()
                    ),
                }
            }
        }
    }
}

/// Kernels on small cases: the skel's result is the native build's, bit for bit, and both are right.
#[test]
fn kernels_give_the_same_bytes_as_on_this_computer() {
    if skipped() {
        return;
    }
    for arch in [Arch::V73, Arch::V81] {
        let qemu = QemuKernel::open(arch).unwrap();
        let native = NativeKernel { arch, fault: None };
        let mut draw = TestRunner::deterministic();
        let mut compared = 0;
        for kernel in hmx_workbench::verify::Kernel::ALL {
            for _ in 0..6 {
                let case = Case::strategy(kernel)
                    .new_tree(&mut draw)
                    .unwrap()
                    .current();
                let (problem, settings) = (case.problem(), Settings::default());
                let on_this_computer = native.run(&problem, &settings).unwrap();
                let in_the_skel = qemu.run(&problem, &settings).unwrap();
                assert!(
                    on_this_computer.out == in_the_skel.out,
                    "{kernel:?} on {arch}: other bytes in {case:?}"
                );
                compared += on_this_computer.out.len();
            }
        }
        assert!(compared > 1000, "too little compared: {compared}");
    }
}

/// Guests that one round of threads started serve the next round.
#[test]
fn guests_outlive_the_threads_that_asked_for_them() {
    if skipped() {
        return;
    }
    let qemu = QemuKernel::open(Arch::V81).unwrap();
    let mut draw = TestRunner::deterministic();
    let kernel = hmx_workbench::verify::Kernel::Hf;
    let case = Case::strategy(kernel)
        .new_tree(&mut draw)
        .unwrap()
        .current();
    let problem = case.problem();
    for _ in 0..2 {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| qemu.run(&problem, &Settings::default()).unwrap());
            }
        });
    }
}

#[test]
fn the_skel_passes_the_static_check_for_its_own_version() {
    if skipped() {
        return;
    }
    for arch in ["v73", "v75", "v79", "v81"] {
        let arch: hmx_abi::Arch = arch.parse().expect("a version");
        let file = hmx_workbench::skel_build::skel(arch).expect("the skel builds");
        let wanted = hmx_workbench::skel::check::Wanted {
            arch: Some(arch),
            entry: hmx_workbench::skel_build::ENTRY,
            signed: false,
        };
        let data = std::fs::read(file).expect("the skel is there");
        let found = hmx_workbench::skel::check::check(&data, &wanted).expect("an ELF file");
        assert!(!hmx_workbench::finding::any_problem(&found), "{found:#?}");
    }
}
