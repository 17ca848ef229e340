//! The expansion of Q4_0 tiles to fp16 tiles, and ggml-hexagon's
//! `dequantize_tiled_weight_to_fp16_task_q4_0` beside it.

use super::machine::Machine;
use super::{CountError, PerTile};
use crate::ggml;
use crate::qemu::control::VTCM;
use crate::qemu::cost::Cost;
use crate::skel_build;
use half::f16;
use hmx_abi::Arch;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Tiles of the two runs. What a call does once drops out of their difference.
const TILES: [u32; 2] = [64, 128];
/// Where the packed tiles lie in VTCM, and where the fp16 tiles.
const PACKED: usize = 0x10_0000;
const EXPANDED: usize = 0x20_0000;
/// Bytes of an fp16 tile.
const HF_TILE: usize = 2048;
/// Bytes of a tile's nibbles.
const NIBBLES: usize = 512;
/// Bytes from one tile to the next in ggml-hexagon's VTCM: nibbles, 32 scales, unused.
const GGML_TILE: usize = 640;

/// Both expansions on one version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Expansion {
    /// Version that both were compiled for.
    pub arch: Arch,
    /// HVX float that our code uses there; ggml-hexagon's uses qfloat on every version.
    pub float: &'static str,
    /// Ours.
    pub ours: PerTile,
    /// ggml-hexagon's, where its sources are on this computer.
    pub ggml: Option<PerTile>,
    /// Our instructions over ggml-hexagon's.
    pub ratio: Option<f64>,
}

impl Expansion {
    /// Whether ours takes fewer instructions; true where there is nothing to compare.
    pub fn is_within_limit(&self) -> bool {
        self.ratio.is_none_or(|ratio| ratio < 1.0)
    }
}

/// Counts the expansion, and ggml-hexagon's when there is a `llama.cpp` folder.
pub fn count(arch: Arch, sources: Option<&Path>) -> Result<Expansion, CountError> {
    let ours = difference(
        &mut Machine::start(arch, &skel_build::bench(arch)?)?,
        "bench_expand",
        // Nibbles of all tiles, then their scales.
        |tile, tiles| (tile * NIBBLES, tiles * NIBBLES + tile * 64),
        |tiles| {
            [0, PACKED as u32, EXPANDED as u32]
                .map(|at| VTCM + at)
                .into_iter()
                .chain([tiles])
                .collect()
        },
    )?;
    let ggml = sources
        .map(|tree| {
            let folder = tempfile::tempdir()?;
            difference(
                &mut Machine::start(arch, &library(arch, tree, folder.path())?)?,
                "dequantize_q4_0",
                |tile, _| (tile * GGML_TILE, tile * GGML_TILE + NIBBLES),
                |tiles| vec![VTCM + EXPANDED as u32, VTCM + PACKED as u32, tiles, 0],
            )
        })
        .transpose()?;
    Ok(Expansion {
        arch,
        float: if arch >= Arch::V79 { "IEEE" } else { "qfloat" },
        ours,
        ggml,
        ratio: ggml.map(|ggml| ours.instructions / ggml.instructions),
    })
}

/// Compiles ggml-hexagon's matrix multiply with its entries, optimised as its release build is.
fn library(arch: Arch, tree: &Path, folder: &Path) -> Result<PathBuf, CountError> {
    let entry = folder.join("entry.c");
    std::fs::write(&entry, ggml::ENTRY)?;
    let library = folder.join("ggml.so");
    let build = ggml::Build {
        tree,
        arch,
        include: &[],
        options: &["-O2"],
    };
    build.library(&[entry], &library)?;
    Ok(library)
}

/// Runs an expansion on both numbers of tiles. `layout` gives the places of the nibbles and
/// the scales of a tile, `arguments` those of the call.
fn difference(
    machine: &mut Machine,
    name: &str,
    layout: impl Fn(usize, usize) -> (usize, usize),
    arguments: impl Fn(u32) -> Vec<u32>,
) -> Result<PerTile, CountError> {
    let mut cost = [Cost::default(); 2];
    for (cost, tiles) in cost.iter_mut().zip(TILES) {
        let vtcm = machine.guest.vtcm.bytes_mut();
        vtcm.fill(0xCC);
        for tile in 0..tiles as usize {
            let (nibbles, scales) = layout(tile, tiles as usize);
            vtcm[PACKED + nibbles..][..NIBBLES].fill(nibble_pair(tile));
            for d in vtcm[PACKED + scales..][..64].chunks_exact_mut(2) {
                d.copy_from_slice(&scale(tile).to_le_bytes());
            }
        }
        let given = arguments(tiles);
        let mut four = [0; 4];
        four[..given.len()].copy_from_slice(&given);
        *cost = machine.call(name, four)?.1;
        let expanded = &machine.guest.vtcm.bytes()[EXPANDED..];
        let right = (0..tiles as usize).all(|tile| {
            let value = f32::from(nibble_pair(tile) & 15) - 8.0;
            let wanted = f16::from_f32(value * scale(tile).to_f32()).to_le_bytes();
            let tile = &expanded[tile * HF_TILE..][..HF_TILE];
            tile.chunks_exact(2).all(|got| got == wanted)
        });
        if !right {
            let what = format!("the expansion `{name}` of {tiles} tiles");
            return Err(CountError::Wrong { what });
        }
    }
    Ok(PerTile::between(cost[0], cost[1], TILES[1] - TILES[0]))
}

/// Two equal nibbles, none of them 8: a zero's sign is free.
fn nibble_pair(tile: usize) -> u8 {
    ((tile % 7 + 9) as u8) * 0x11
}

/// The scale of a tile's columns.
fn scale(tile: usize) -> f16 {
    f16::from_f32((tile % 5 + 1) as f32 / 64.0)
}
