//! The exported packing gives the bytes of the packer here, has its digest, and can be undone.

use crate::tools;
use hmx_workbench::packers::{Blocks, Format, TileOrder, int4};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::OnceLock;

fn program() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        tools::program(
            "c++",
            "-std=c++17",
            "tests/export_w4a8/repack.cpp",
            "repack",
        )
    })
}

fn ask(arguments: &[String], input: &[u8]) -> Vec<u8> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    tools::run(program(), &arguments, input)
}

#[test]
fn the_ramp_has_the_digest_in_the_header() {
    let digest = Sha256::digest(ask(&["ramp".to_owned()], &[]));
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, Format::Q4_0NTile.golden_digest());
    let header = std::fs::read_to_string(tools::exported().join(tools::REPACK)).unwrap();
    assert!(header.contains(&digest));
}

#[test]
fn random_matrices_are_packed_like_here_and_unpacked_in_any_range() {
    let matrix = (1usize..100, 1usize..9).prop_flat_map(|(n, blocks)| {
        let bytes = prop::collection::vec(any::<u8>(), n * blocks * 18);
        (Just(n), Just(blocks * 32), bytes, any::<(u32, u32)>())
    });
    let config = Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    };
    let check = |(n, k, rows, (from, length)): (usize, usize, Vec<u8>, (u32, u32))| {
        let tiles = ask(&["pack".into(), k.to_string(), n.to_string()], &rows);
        let wanted = int4::pack(&Blocks::new(&rows, n, k).unwrap(), TileOrder::Loader);
        prop_assert!(tiles == wanted, "{n} x {k}");
        let offset = from as usize % rows.len();
        let size = length as usize % (rows.len() - offset) + 1;
        for (offset, size) in [(0, rows.len()), (offset, size)] {
            let range = [k, offset, size].map(|number| number.to_string());
            let command: Vec<String> = std::iter::once("unpack".into()).chain(range).collect();
            let again = ask(&command, &tiles);
            prop_assert!(
                again[..size] == rows[offset..offset + size],
                "{n} x {k} at {offset}+{size}"
            );
            prop_assert_eq!(&again[size..], &[0xCC; 16]);
        }
        Ok(())
    };
    let mut runner = TestRunner::new(config);
    runner.run(&matrix, check).unwrap();
}
