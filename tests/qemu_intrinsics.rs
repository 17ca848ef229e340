//! The portable C of `hvx_native.h` against the real instructions under QEMU.
//!
//! Integer intrinsics run on QEMU's own HVX: class `vendor-model` would be too much to say, but it
//! is code that nobody here wrote. The float ones trap and run on this crate's emulation,
//! which shares nothing with the header: two readings of the same text.
#![cfg(target_os = "linux")]

use hmx_abi::Arch;
use hmx_model::Hmx;
use hmx_workbench::qemu::control::{self, DDR};
use hmx_workbench::qemu::guest::Guest;
use hmx_workbench::qemu::trap::Unit;
use hmx_workbench::{skel_build, tools};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const SOURCE: &str = include_str!("qemu/intrinsics.c");
const HEADER: &str = include_str!("../dsp-kernels/native/hvx_native.h");

/// Number and name of every intrinsic in the fixture.
fn table() -> BTreeMap<u32, String> {
    let entries = SOURCE.lines().filter_map(|line| {
        let inside = line
            .trim()
            .strip_prefix(['V', 'W', 'R'])?
            .strip_prefix('(')?;
        let (number, rest) = inside.split_once(", ")?;
        Some((number.parse().ok()?, rest.split(',').next()?.to_owned()))
    });
    entries.collect()
}

#[test]
fn the_fixture_has_every_intrinsic_of_the_header() {
    let words = HEADER
        .lines()
        .filter(|l| l.starts_with("HVX_FN"))
        .flat_map(|l| l.split([' ', '(']));
    let mut defined: Vec<&str> = words.filter(|w| w.starts_with("Q6_")).collect();
    let table = table();
    let mut covered: Vec<&str> = table.values().map(String::as_str).collect();
    defined.sort();
    covered.sort();
    assert_eq!(covered, defined);
}

/// One call.
#[derive(Clone)]
struct Case {
    number: u32,
    r: i32,
    vectors: [[u8; 128]; 3],
}

fn cases() -> Vec<Case> {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let edges: [u32; 12] = [
        0,
        1,
        0x7F,
        0x80,
        0xFFFF_FFFF,
        0x8000_0000,
        0x7FFF_FFFF,
        0x7C00_7BFF,
        0xFC00_0001,
        0x7F80_0000,
        0x0080_0001,
        0x3C00_BC00,
    ];
    let mut all = Vec::new();
    for number in table().into_keys() {
        for round in 0..40 {
            let mut vectors = [[0; 128]; 3];
            for word in vectors.iter_mut().flat_map(|v| v.chunks_mut(4)) {
                let edge = round % 2 == 0 && rng.next_u32() & 1 == 0;
                let value = if edge {
                    edges[rng.next_u32() as usize % edges.len()]
                } else {
                    rng.next_u32()
                };
                word.copy_from_slice(&value.to_le_bytes());
            }
            let r = match round % 4 {
                0 => rng.next_u32() as i32,
                1 => -(1 << (rng.next_u32() % 7)),
                2 => edges[rng.next_u32() as usize % edges.len()] as i32,
                _ => (rng.next_u32() % 128) as i32,
            };
            all.push(Case { number, r, vectors });
        }
    }
    all
}

fn flags(target: &[&str], output: &Path) -> Vec<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut flags: Vec<String> = target.iter().map(|f| (*f).to_owned()).collect();
    for dir in ["abi/include", "dsp-kernels/include", "dsp-kernels/native"] {
        flags.push(format!("-I{root}/{dir}"));
    }
    flags.push("-o".to_owned());
    flags.push(output.display().to_string());
    flags.push(format!("{root}/tests/qemu/intrinsics.c"));
    flags
}

fn ok(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

/// The fixture as a program of this computer, run on all cases.
fn native(cases: &[Case]) -> Vec<u8> {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("intrinsics");
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    ok(Command::new(cc).args(flags(&["-O1", "-Wall", "-Wextra"], &program)));
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = Vec::new();
    for case in cases {
        input.extend(case.number.to_le_bytes());
        input.extend(case.r.to_le_bytes());
        input.extend(case.vectors.concat());
    }
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// The fixture as a skel.
fn skel() -> PathBuf {
    let object = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("intrinsics.o");
    let skel = object.with_extension("so");
    let target = [
        "--target=hexagon-unknown-elf",
        "-mcpu=hexagonv81",
        "-mhvx",
        "-mhvx-length=128B",
        "-mhvx-qfloat",
        "-mhvx-ieee-fp",
        "-O1",
        "-fPIC",
        "-fvisibility=hidden",
        "-ffreestanding",
        "-fno-builtin",
        "-c",
    ];
    ok(Command::new(tools::clang().unwrap()).args(flags(&target, &object)));
    ok(Command::new(tools::lld().unwrap())
        .args(["-m", "hexagonelf", "-shared", "--hash-style=sysv", "-o"])
        .arg(&skel)
        .arg(&object));
    skel
}

#[test]
fn every_intrinsic_does_what_the_instruction_does() {
    if std::env::var_os("HMX_SKIP_QEMU").is_some() {
        eprintln!("left out: HMX_SKIP_QEMU is set");
        return;
    }
    let cases = cases();
    let expected = native(&cases);
    let runner = skel_build::runner().unwrap();
    let limit = Duration::from_secs(30);
    let mut guest = Guest::start(&runner, &skel(), "none", 1 << 20, 1 << 20, limit).unwrap();
    let mut unit = Unit::new(Hmx::new(Arch::V81));
    let table = table();
    for (case, expected) in cases.iter().zip(expected.chunks(256)) {
        let ddr = guest.ddr.bytes_mut();
        ddr[..384].copy_from_slice(&case.vectors.concat());
        ddr[512..768].fill(0);
        guest
            .control()
            .call("intrinsic", [case.number, DDR, DDR + 512, case.r as u32]);
        let returned = guest
            .request(control::Kind::Call, |c, vtcm| unit.packet(c, vtcm))
            .unwrap();
        assert_eq!(returned, 0);
        let got = &guest.ddr.bytes()[512..768];
        let first = got.iter().zip(expected).position(|(a, b)| a != b);
        assert_eq!(
            first,
            None,
            "{} r={:#x}: byte of the first difference; instruction {:02x?}, header {:02x?}",
            table[&case.number],
            case.r,
            &got[first.unwrap_or(0) & !7..][..8],
            &expected[first.unwrap_or(0) & !7..][..8],
        );
    }
}
