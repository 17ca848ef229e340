//! The patched runtime in a guest, and products for it.

use crate::tools::folder;
use crate::tree::{ON, patched};
use half::f16;
use hmx_abi::Arch;
use hmx_model::Hmx;
use hmx_workbench::ggml::Build;
use hmx_workbench::packers::{Blocks, TileOrder, int4};
use hmx_workbench::qemu::control::{self, DDR, VTCM};
use hmx_workbench::qemu::guest::Guest;
use hmx_workbench::qemu::trap::Unit;
use hmx_workbench::skel_build;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of VTCM.
pub const VTCM_BYTES: u32 = 8 << 20;
const DDR_BYTES: usize = 4 << 20;
/// Where weights, activations and results lie in DDR; before them the request.
const PLACES: [usize; 3] = [0x1_0040, 0x10_0080, 0x30_00C0];
/// What lies in results and around them before the run.
pub const POISON: u8 = 0xCC;

/// The folder of this test's own C files.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_w4a8")
}

/// The DSP's part of the patched runtime.
pub fn runtime() -> PathBuf {
    patched().join("ggml/src/ggml-hexagon/htp")
}

/// How C files are compiled against it.
pub fn with_build<T>(arch: Arch, use_it: impl FnOnce(&Build) -> T) -> T {
    let stubs = own().join("dsp");
    let stub = stubs.join("dsp.h");
    let mut options = vec!["-O2", "-w", "-Wno-int-conversion", ON];
    options.extend(["-include", stub.to_str().unwrap()]);
    if arch >= Arch::V79 {
        options.push("-mhvx-ieee-fp");
    }
    use_it(&Build {
        tree: patched(),
        arch,
        include: &[stubs],
        options: &options,
    })
}

/// The patched runtime as a shared object. Division comes from the skel here, elsewhere from a library.
fn library(arch: Arch) -> PathBuf {
    let library = folder("export-w4a8-objects").join(format!("op-{arch}.so"));
    let files = [
        own().join("entry.c"),
        own().join("../../dsp-kernels/hexagon/runtime.c"),
        runtime().join("hmxwb-w4a8-ops.c"),
        runtime().join("dma-queue.c"),
    ];
    with_build(arch, |build| build.library(&files, &library)).unwrap();
    library
}

/// A product and where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Rows of activations.
    pub m: usize,
    /// Rows of weights.
    pub n: usize,
    /// Input channels.
    pub k: usize,
    /// Matrices of activations: ne[2] and ne[3].
    pub planes: [usize; 2],
    /// Bytes between two rows that belong to nobody, of activations and of results.
    pub gaps: [usize; 2],
    /// Bytes of VTCM that the parameters are made for.
    pub planned: u32,
}

impl Case {
    /// One product with dense rows and all of VTCM.
    pub fn new(m: usize, n: usize, k: usize) -> Case {
        Case {
            m,
            n,
            k,
            planes: [1, 1],
            gaps: [0, 0],
            planned: VTCM_BYTES,
        }
    }

    /// nb of activations or results with rows of `row` elements.
    pub fn strides(&self, row: usize, gap: usize) -> [usize; 4] {
        let nb1 = 4 * row + gap;
        [4, nb1, nb1 * self.m, nb1 * self.m * self.planes[0]]
    }

    /// Bytes from the first element to behind the last one.
    fn extent(&self, row: usize, gap: usize) -> usize {
        let rows = self.m * self.planes[0] * self.planes[1];
        self.strides(row, gap)[1] * (rows - 1) + 4 * row
    }
}

/// Numbers for a test: the same ones every time.
pub struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// Rows of activations; now and then one that is all zeros, positive, huge, or holds a NaN.
    pub fn activations(&mut self, rows: usize, k: usize) -> Vec<f32> {
        let mut values = Vec::new();
        for _ in 0..rows {
            let kind = self.below(12);
            let mut row: Vec<f32> = (0..k)
                .map(|_| self.below(1 << 20) as f32 / 65536.0 - 8.0)
                .collect();
            match kind {
                0 => row.fill(0.0),
                1 => row.iter_mut().for_each(|x| *x = x.abs()),
                2 => row.iter_mut().for_each(|x| *x *= 1e30),
                3 => row[self.below(k as u64) as usize] = f32::NAN,
                _ => {}
            }
            values.extend(row);
        }
        values
    }

    /// Q4_0 rows with scales of both signs.
    pub fn weights(&mut self, n: usize, k: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..n * k / 32 {
            let d = f16::from_f32((self.below(4000) as f32 - 2000.0) / 4096.0);
            bytes.extend(d.to_le_bytes());
            bytes.extend((0..16).map(|_| self.below(256) as u8));
        }
        bytes
    }
}

/// A guest that holds the runtime.
pub struct Machine {
    guest: Guest,
    /// Where operands come from.
    pub random: Random,
}

impl Machine {
    /// Starts it.
    pub fn start(arch: Arch) -> Machine {
        let runner = skel_build::runner().unwrap();
        let (vtcm, limit) = (VTCM_BYTES as usize, Duration::from_secs(120));
        let guest = Guest::start(&runner, &library(arch), "none", vtcm, DDR_BYTES, limit).unwrap();
        let random = Random(0x7734_6138);
        Machine { guest, random }
    }

    /// Runs the op; its status, and what it left at the place of the results with 64 bytes on both sides.
    pub fn run(
        &mut self,
        case: &Case,
        weights: &[u8],
        act: &[f32],
        rest: [u32; 3],
    ) -> (u32, Vec<u8>) {
        let extents = [
            case.extent(case.k, case.gaps[0]),
            case.extent(case.n, case.gaps[1]),
        ];
        let tiles = int4::pack(
            &Blocks::new(weights, case.n, case.k).unwrap(),
            TileOrder::Loader,
        );
        self.guest.vtcm.bytes_mut().fill(POISON);
        let ddr = self.guest.ddr.bytes_mut();
        ddr.fill(POISON);
        ddr[PLACES[0]..][..tiles.len()].copy_from_slice(&tiles);
        let stride = case.strides(case.k, case.gaps[0])[1];
        for (r, row) in act.chunks(case.k).enumerate() {
            let bytes: Vec<u8> = row.iter().flat_map(|x| x.to_le_bytes()).collect();
            ddr[PLACES[1] + r * stride..][..bytes.len()].copy_from_slice(&bytes);
        }
        let mut words: Vec<usize> = PLACES.iter().map(|at| DDR as usize + at).collect();
        words.extend([tiles.len(), extents[0], extents[1]]);
        words.extend([case.m, case.n, case.k, case.planes[0], case.planes[1]]);
        words.extend(case.strides(case.k, case.gaps[0]));
        words.extend(case.strides(case.n, case.gaps[1]));
        words.push(VTCM as usize);
        let words = words.into_iter().map(|w| w as u32);
        let words = words.chain([rest[0], case.planned, rest[1], rest[2]]);
        let request: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        ddr[..request.len()].copy_from_slice(&request);
        let mut unit = Unit::new(Hmx::new(Arch::V81));
        self.guest.control().call("run_op", [DDR, 0, 0, 0]);
        let status = self
            .guest
            .request(control::Kind::Call, |control, vtcm| {
                unit.packet(control, vtcm)
            })
            .unwrap();
        let out = &self.guest.ddr.bytes()[PLACES[2] - 64..PLACES[2] + extents[1] + 64];
        (status, out.to_vec())
    }
}
