//! Every golden case, every byte. They come from Qualcomm's public functional model
//! (evidence class vendor-model).

use flate2::read::GzDecoder;
use hmx_analysis::replay::{Case, Outcome};
use std::io::{BufRead, BufReader};

fn replay(gz: &[u8], expected: usize) {
    let mut failures = Vec::new();
    let mut passed = 0;
    for line in BufReader::new(GzDecoder::new(gz)).lines() {
        let case = Case::parse(&line.unwrap()).unwrap();
        match case.run(None) {
            Outcome::Passed => passed += 1,
            other => failures.push(format!("{}: {other:x?}", case.id)),
        }
    }
    assert!(
        failures.is_empty(),
        "{passed} passed, {} failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert_eq!(passed, expected);
}

#[test]
fn matmul() {
    replay(include_bytes!("../../model/golden/matmul.jsonl.gz"), 172);
}

#[test]
fn conv() {
    replay(include_bytes!("../../model/golden/conv.jsonl.gz"), 80);
}

#[test]
fn chain() {
    replay(include_bytes!("../../model/golden/chain.jsonl.gz"), 60);
}

#[test]
fn edge() {
    replay(include_bytes!("../../model/golden/edge.jsonl.gz"), 128);
}
