//! `dsp-kernels/include/hmx_packets.h` is made from the instruction table; this test makes
//! it anew and holds it against the committed file. `HMXWB_BLESS=1` writes the file.

use hmx_abi::{Instr, Kind, instructions};
use std::fmt::Write;

/// The C name of an instruction: its syntax in capitals, operands left out.
fn name(syntax: &str) -> String {
    let bare = syntax.replace("(Rs,Rt)", "").replace("(Rs)", "");
    let words: Vec<String> = bare
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_uppercase)
        .collect();
    format!("HMX_{}", words.join("_"))
}

/// The word with registers r0, r1 (a weight load: r2, r3), and its packet bits: an activation
/// load is the first of two words, everything else the last.
fn word(i: &Instr) -> u32 {
    let first = if i.kind == Kind::Weight { 2 } else { 0 };
    let packet = if i.kind == Kind::Activation { 1 } else { 3 };
    let rs = if i.has_rs() { first << 16 } else { 0 };
    let rt = if i.has_rt() { (first + 1) << 8 } else { 0 };
    i.bits | packet << 14 | rs | rt
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
        "/* Generated from abi/isa.tsv by tests/hmx_packets.rs: do not edit.\n \
         * HMXWB_BLESS=1 cargo test --test hmx_packets writes it anew.\n \
         *\n \
         * Instruction words with fixed registers: Rs = r0, Rt = r1; in a weight load, which is\n \
         * the second word of its packet, Rs = r2, Rt = r3. Packet bits are in the words.\n \
         */\n#ifndef HMX_PACKETS_H\n#define HMX_PACKETS_H\n\n",
    );
    for i in instructions() {
        writeln!(
            out,
            "#define {} 0x{:08X} /* {} */",
            name(i.syntax),
            word(i),
            i.syntax
        )
        .unwrap();
    }
    out.push_str("\n/* Bytes of a stub in hexagon/stubs.S. */\n#define HMX_STUB_BYTES 16\n");
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
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dsp-kernels/include/hmx_packets.h");
    let made = header();
    if std::env::var_os("HMXWB_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "{} is stale: run HMXWB_BLESS=1 cargo test --test hmx_packets",
        path.display()
    );
}

#[test]
fn names_are_distinct() {
    let mut names: Vec<String> = instructions().iter().map(|i| name(i.syntax)).collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}
