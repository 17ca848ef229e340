//! `dsp-kernels/hexagon/stubs.h` is made from the instruction table; this test makes
//! it anew and holds it against the committed file. `BLESS=1` writes the file.

use hmx_abi::codec::{Reg, encode};
use hmx_abi::{Instr, Kind, instructions};
use std::fmt::Write;

/// The word with registers r0, r1 (a weight load: r2, r3), and its packet bits: an activation
/// load is the first of two words, everything else the last.
fn word(i: &Instr) -> u32 {
    let first = if i.kind == Kind::Weight { 2 } else { 0 };
    let reg = |number| Reg::new(number).expect("below 32");
    encode(i, reg(first), reg(first + 1), i.kind != Kind::Activation)
}

fn list(out: &mut String, name: &str, values: &[u32]) {
    write!(out, "#define {name}").unwrap();
    for (i, row) in values.chunks(8).enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let hex: Vec<String> = row.iter().map(|v| format!("0x{v:08X}")).collect();
        write!(out, "{comma} \\\n  {}", hex.join(", ")).unwrap();
    }
    out.push('\n');
}

fn header() -> String {
    let mut out = String::from(
        "/* Generated from abi/isa.tsv by tests/hmx_stubs.rs: do not edit.\n \
         * BLESS=1 cargo test --test hmx_stubs writes it anew.\n \
         *\n \
         * For stubs.S and the probe interpreter: the words of all instructions, with Rs = r0 and\n \
         * Rt = r1; in a weight load, which is the second word of its packet, r2 and r3. Packet bits\n \
         * are in the words. A mask has the bits that say which instruction a word is.\n \
         */\n#ifndef HMXWB_STUBS_H\n#define HMXWB_STUBS_H\n",
    );
    out.push_str("\n/* Bytes of a stub in stubs.S. */\n#define HMX_STUB_BYTES 16\n");
    type Pick = fn(&Kind) -> bool;
    let groups: [(&str, Pick); 3] = [
        ("ACTIVATION", |k| *k == Kind::Activation),
        ("WEIGHT", |k| *k == Kind::Weight),
        ("SINGLE", |k| !matches!(k, Kind::Activation | Kind::Weight)),
    ];
    for (group, pick) in groups {
        let chosen: Vec<&Instr> = instructions().iter().filter(|i| pick(&i.kind)).collect();
        let words: Vec<u32> = chosen.iter().map(|i| word(i)).collect();
        let masks: Vec<u32> = chosen.iter().map(|i| i.mask).collect();
        out.push('\n');
        list(&mut out, &format!("HMX_{group}_WORDS"), &words);
        list(&mut out, &format!("HMX_{group}_MASKS"), &masks);
    }
    out.push_str("\n#endif\n");
    out
}

#[test]
fn the_committed_header_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dsp-kernels/hexagon/stubs.h");
    let made = header();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "{} is stale: run BLESS=1 cargo test --test hmx_stubs",
        path.display()
    );
}
