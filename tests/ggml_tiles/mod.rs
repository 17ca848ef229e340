//! Tiles in a guest that holds the entries of `host/ggml/entry.c`, and what must come out.
#![allow(dead_code)] // each test file uses a part

use half::f16;
use hmx_abi::Arch;
use hmx_model::Hmx;
use hmx_workbench::qemu::control::{self, DDR, VTCM};
use hmx_workbench::qemu::guest::Guest;
use hmx_workbench::qemu::trap::Unit;
use hmx_workbench::reference::hmx_fp16::{Specials, dot};
use hmx_workbench::{ggml, skel_build};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

/// Bytes and elements of a side of an fp16 tile.
pub const TILE: usize = 2048;
pub const SIDE: usize = 32;

pub fn skipped() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some();
    let skip = set("HMX_SKIP_QEMU") || set("HMX_SKIP_GGML");
    if skip {
        eprintln!("left out: HMX_SKIP_QEMU or HMX_SKIP_GGML is set");
    }
    skip
}

pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
    output
}

/// The folder of the sources, fetched when needed.
pub fn sources() -> PathBuf {
    if let Ok(folder) = ggml::sources(None) {
        return folder;
    }
    let fetched = Command::new("scripts/fetch-ggml.sh").output().unwrap();
    let text = String::from_utf8_lossy(&fetched.stderr);
    assert!(
        fetched.status.success(),
        "cannot fetch llama-cpp-sys-2; without a network, leave this test out with HMX_SKIP_GGML=1: {text}"
    );
    ggml::sources(None).unwrap()
}

/// The place of a file that this process makes.
pub fn own(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

/// The C file of the entries, written once.
pub fn entry() -> PathBuf {
    static WRITTEN: OnceLock<PathBuf> = OnceLock::new();
    let write = || {
        let file = own("entry.c");
        std::fs::write(&file, ggml::ENTRY).unwrap();
        file
    };
    WRITTEN.get_or_init(write).clone()
}

pub fn disassemble(file: &Path) -> serde_json::Value {
    let output = succeed(
        Command::new(env!("CARGO_BIN_EXE_hmx"))
            .args(["--json", "disasm", "--only-hmx"])
            .arg(file),
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn uses(listing: &serde_json::Value) -> Vec<(String, u64)> {
    let uses = listing["summary"]["uses"].as_array().unwrap();
    uses.iter()
        .map(|u| {
            (
                u["instruction"].as_str().unwrap().to_owned(),
                u["count"].as_u64().unwrap(),
            )
        })
        .collect()
}

pub struct Machine {
    pub guest: Guest,
}

impl Machine {
    pub fn start(skel: &Path) -> Machine {
        let runner = skel_build::runner().unwrap();
        let limit = Duration::from_secs(60);
        let guest = Guest::start(&runner, skel, "none", 1 << 20, 1 << 20, limit).unwrap();
        Machine { guest }
    }

    pub fn call(&mut self, name: &str, arguments: [u32; 4]) -> u32 {
        let mut unit = Unit::new(Hmx::new(Arch::V81));
        self.guest.control().call(name, arguments);
        self.guest
            .request(control::Kind::Call, |control, vtcm| {
                unit.packet(control, vtcm)
            })
            .unwrap()
    }

    pub fn put(&mut self, at: usize, bytes: &[u8]) {
        self.guest.vtcm.bytes_mut()[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// fp16 tiles, one after another.
    pub fn tiles(&self, at: usize, count: usize) -> Vec<u16> {
        let bytes = &self.guest.vtcm.bytes()[at..at + count * TILE];
        bytes
            .chunks(2)
            .map(|h| u16::from_le_bytes([h[0], h[1]]))
            .collect()
    }
}

/// Index of element (row, column) in an fp16 tile.
pub fn place(row: usize, column: usize) -> usize {
    row / 2 * 64 + column * 2 + row % 2
}

/// Numbers for a test: the same ones every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// fp16 from -2 to 2, all 65536ths of it.
    pub fn half(&mut self) -> u16 {
        f16::from_f32(self.below(1 << 18) as f32 / 65536.0 - 2.0).to_bits()
    }

    pub fn halves(&mut self, count: usize) -> Vec<u16> {
        (0..count).map(|_| self.half()).collect()
    }
}

pub fn bytes(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|h| h.to_le_bytes()).collect()
}

/// Runs the core on tiles that lie in VTCM and compares every cell with the reference.
pub fn multiply_and_compare(
    machine: &mut Machine,
    activation: &[u16],
    weight: &[u16],
    shape: (usize, usize, usize),
) {
    const ACTIVATION: usize = 0;
    const WEIGHT: usize = 0x40000;
    const OUTPUT: usize = 0x80000;
    const SCALES: usize = 0xC0000;
    let (rows, columns, dots) = shape;
    machine.guest.vtcm.bytes_mut().fill(0xCC);
    machine.put(ACTIVATION, &bytes(activation));
    machine.put(WEIGHT, &bytes(weight));
    machine.call("set_scales", [VTCM + SCALES as u32, 0, 0, 0]);
    let problem = [OUTPUT, ACTIVATION, WEIGHT, SCALES].map(|at| VTCM + at as u32);
    let problem: Vec<u8> = problem
        .into_iter()
        .chain([rows, columns, dots].map(|n| n as u32))
        .flat_map(u32::to_le_bytes)
        .collect();
    machine.guest.ddr.bytes_mut()[..problem.len()].copy_from_slice(&problem);
    machine.call("core_dot", [DDR, 0, 0, 0]);
    let output = machine.tiles(OUTPUT, rows * columns);
    let cell = |tiles: &[u16], tile: usize, row: usize, column: usize| {
        tiles[tile * TILE / 2 + place(row, column)]
    };
    for row in 0..rows * SIDE {
        let a: Vec<u16> = (0..dots * SIDE)
            .map(|k| {
                cell(
                    activation,
                    row / SIDE * dots + k / SIDE,
                    row % SIDE,
                    k % SIDE,
                )
            })
            .collect();
        for column in 0..columns * SIDE {
            let w: Vec<u16> = (0..dots * SIDE)
                .map(|k| {
                    cell(
                        weight,
                        column / SIDE * dots + k / SIDE,
                        k % SIDE,
                        column % SIDE,
                    )
                })
                .collect();
            let got = cell(
                &output,
                row / SIDE * columns + column / SIDE,
                row % SIDE,
                column % SIDE,
            );
            let wanted = dot(&a, &w, Specials::default());
            assert_eq!(got, wanted, "{shape:?}, row {row}, column {column}");
        }
    }
    // Nothing beyond the output tiles was written.
    let after = &machine.guest.vtcm.bytes()[OUTPUT + rows * columns * TILE..SCALES];
    assert!(after.iter().all(|&b| b == 0xCC));
}

/// One packed tile: quants of column n at (k, n), and a scale for each column.
pub struct Quantised {
    pub tile: Vec<u8>,
    pub expanded: Vec<u16>,
}

pub fn quantised(random: &mut Random, q4: bool) -> Quantised {
    let (quant_bytes, tile_bytes) = if q4 { (512, 640) } else { (1024, 1152) };
    let mut tile = vec![0; tile_bytes];
    let mut expanded = vec![0; TILE / 2];
    for n in 0..SIDE {
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let d = f16::from_f32(sign * (1 + random.below(4000)) as f32 / 65536.0);
        tile[quant_bytes + 2 * n..][..2].copy_from_slice(&d.to_bits().to_le_bytes());
        for k in 0..SIDE {
            let q = if q4 {
                let q = random.below(16) as u8;
                tile[k / 2 * 32 + n] |= q << (k % 2 * 4);
                i32::from(q) - 8
            } else {
                let q = random.below(256) as u8;
                tile[k / 2 * 64 + 2 * n + k % 2] = q;
                i32::from(q as i8)
            };
            // q has at most 8 bits and d 11, so the product is exact before the one rounding.
            expanded[place(k, n)] = f16::from_f32(q as f32 * d.to_f32()).to_bits();
        }
    }
    Quantised { tile, expanded }
}

/// Runs `core_dot` on random tiles of several shapes.
pub fn random_tiles_multiply(machine: &mut Machine) {
    let mut random = Random(0x6767_6d6c);
    for shape in [(1, 1, 1), (2, 3, 2), (1, 2, 32), (1, 1, 33), (2, 1, 40)] {
        let (rows, columns, dots) = shape;
        let activation = random.halves(rows * dots * TILE / 2);
        let weight = random.halves(columns * dots * TILE / 2);
        multiply_and_compare(machine, &activation, &weight, shape);
    }
}

/// Expands random tiles with `dequantize_q4_0` and the others named, and multiplies what comes out.
pub fn packed_tiles_expand(machine: &mut Machine, entries: &[(&str, bool)]) {
    const PACKED: usize = 0xE0000;
    const EXPANDED: usize = 0x40000;
    let mut random = Random(0x7134_5f30);
    for &(entry, q4) in entries {
        let tiles: Vec<Quantised> = (0..6).map(|_| quantised(&mut random, q4)).collect();
        let packed: Vec<u8> = tiles.iter().flat_map(|t| t.tile.clone()).collect();
        let expanded: Vec<u16> = tiles.iter().flat_map(|t| t.expanded.clone()).collect();
        machine.put(PACKED, &packed);
        let places = [EXPANDED, PACKED].map(|at| VTCM + at as u32);
        machine.call(entry, [places[0], places[1], tiles.len() as u32, 0]);
        let got = machine.tiles(EXPANDED, tiles.len());
        for (n, (got, wanted)) in got.iter().zip(&expanded).enumerate() {
            // -0 and +0 are the same weight: a zero quant times a negative scale.
            let same = got == wanted || (got | wanted) & 0x7fff == 0;
            assert!(same, "{entry}: halfword {n}: {got:#06x}, not {wanted:#06x}");
        }
        let activation = random.halves(3 * TILE / 2);
        multiply_and_compare(machine, &activation, &got, (1, 2, 3));
    }
}
