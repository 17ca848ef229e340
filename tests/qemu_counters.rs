//! Instructions and packets of a call, counted exactly: fixtures whose counts are known from their text.
//!
//! Needs clang-22, lld-22 and qemu-hexagon 11; `HMX_SKIP_QEMU=1` leaves these tests out.
#![cfg(target_os = "linux")]

use hmx_abi::Arch;
use hmx_model::Hmx;
use hmx_workbench::qemu::control::{self, DDR, VTCM};
use hmx_workbench::qemu::cost::{Cost, emulated_by_function};
use hmx_workbench::qemu::guest::Guest;
use hmx_workbench::qemu::trap::Unit;
use hmx_workbench::{skel_build, tools};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Function, instructions, packets, packets that trap: the sums of the comments in tests/qemu/counted.S.
const COUNTED: [(&str, u64, u64, u64); 12] = [
    ("plain", 9, 5, 0),
    ("loop", 8, 7, 0),
    ("alone", 5, 4, 3),
    ("beside", 6, 3, 2),
    ("old", 6, 3, 2),
    ("loop_end", 9, 8, 6),
    ("loop_old", 11, 6, 4),
    ("loop_store", 11, 6, 4),
    ("branches", 13, 7, 4),
    ("returns", 9, 6, 2),
    ("dma", 3, 3, 2),
    ("matrix", 10, 8, 4),
];

fn fixture() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let object = dir.join(format!("counted-{}.o", std::process::id()));
    let skel = object.with_extension("so");
    let flags = "--target=hexagon-unknown-elf -mcpu=hexagonv73 -mhvx -mhvx-length=128B -mhvx-qfloat -fPIC -c -o";
    let ok = |c: &mut Command| assert!(c.status().unwrap().success(), "{c:?}");
    ok(Command::new(tools::clang().unwrap())
        .args(flags.split_whitespace())
        .arg(&object)
        .arg("tests/qemu/counted.S"));
    ok(Command::new(tools::lld().unwrap())
        .args(["-m", "hexagonelf", "-shared", "--hash-style=sysv", "-o"])
        .arg(&skel)
        .arg(&object));
    skel
}

#[test]
fn every_instruction_counts_once_and_nothing_else() {
    if std::env::var_os("HMX_SKIP_QEMU").is_some() {
        eprintln!("left out: HMX_SKIP_QEMU is set");
        return;
    }
    let runner = skel_build::runner().unwrap();
    let limit = Duration::from_secs(20);
    let mut guest = Guest::start(&runner, &fixture(), "none", 1 << 20, 1 << 20, limit).unwrap();
    // Twice: the second time the trampolines are there already.
    for round in 0..2 {
        for (name, instructions, packets, traps) in COUNTED {
            let mut unit = Unit::new(Hmx::new(Arch::V73));
            guest.control().call(name, [DDR, VTCM, 0, 0]);
            guest
                .request(control::Kind::Call, |control, vtcm| {
                    unit.packet(control, vtcm)
                })
                .unwrap();
            let wanted = Cost {
                instructions,
                packets,
                traps,
            };
            assert_eq!(Cost::of(guest.control(), &unit), wanted, "{name}, {round}");
            let places = emulated_by_function(&guest, &unit);
            if name != "dma" && traps > 0 {
                assert_eq!(places, [(name.to_owned(), traps)].into());
            }
        }
    }
}
