//! `hmx asm` and `hmx disasm` through the real binary: round trips, ELF files good and bad.

use hmx_abi::{Inst, Kind, Packet, Reg, instructions};
use hmx_workbench::asm::elf::{ElfError, Image};
use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use std::path::PathBuf;
use std::process::{Command, Output};

fn hmx(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmx"))
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Numbers for a test: the same ones every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn reg(&mut self) -> Reg {
        Reg::new((self.next() % 32) as u8).unwrap()
    }
}

/// A packet for every instruction, with random registers; loads get a partner.
fn packets(random: &mut Random) -> Vec<Packet<Reg>> {
    let partner = |kind| instructions().iter().find(|i| i.kind == kind).unwrap();
    instructions()
        .iter()
        .map(|instr| {
            let mut inst = |instr| {
                let (rs, rt) = (random.reg(), random.reg());
                Inst { instr, rs, rt }
            };
            match instr.kind {
                Kind::Activation => Packet::new([inst(instr), inst(partner(Kind::Weight))]),
                Kind::Weight => Packet::new([inst(partner(Kind::Activation)), inst(instr)]),
                _ => Packet::new([inst(instr)]),
            }
            .unwrap()
        })
        .collect()
}

#[test]
fn every_instruction_goes_from_text_to_words_to_the_same_text() {
    let mut random = Random(0x686d_7861);
    for _ in 0..8 {
        let lines: Vec<String> = packets(&mut random)
            .iter()
            .map(ToString::to_string)
            .collect();
        let listing = lines.join("\n");
        let words = hmx(&["asm", &listing]);
        assert!(words.status.success(), "{}", text(&words.stderr));
        let back = hmx(&["-q", "disasm", "--words", text(&words.stdout)]);
        assert!(back.status.success(), "{}", text(&back.stderr));
        assert_eq!(text(&back.stdout).lines().collect::<Vec<_>>(), lines);
    }
}

#[test]
fn no_hmx_word_is_another_instruction_for_llvm() {
    use hmx_workbench::asm::llvm;
    let Some(tool) = llvm::find("llvm-mc", "HMX_LLVM_MC") else {
        let skip = std::env::var_os("HMX_SKIP_QEMU").is_some();
        assert!(
            skip,
            "llvm-mc is needed: apt-get install llvm-22, or leave this test out with HMX_SKIP_QEMU=1"
        );
        return;
    };
    // Every instruction alone in a packet, with random registers and random ignored bits.
    let mut random = Random(0x6c6c_766d);
    let mut words = Vec::new();
    for instr in instructions() {
        for _ in 0..20 {
            let free = random.next() as u32 & !instr.mask;
            let word = instr.bits | free | 3 << 14;
            assert!(hmx_abi::decode(word).is_some());
            words.push(word);
        }
    }
    let answer = |words: &[u32]| {
        let bytes: Vec<String> = words
            .iter()
            .map(|w| w.to_le_bytes().map(|b| format!("{b:#04x}")).join(" "))
            .collect();
        let input =
            std::env::temp_dir().join(format!("hmx-words-{}-{}", std::process::id(), words.len()));
        std::fs::write(&input, bytes.join("\n")).unwrap();
        let output = Command::new(&tool.path)
            .args([
                "--disassemble",
                "--triple=hexagon",
                "-mattr=+v73,+hvxv73,+hvx-length128b,+zreg,+cabac,+audio",
            ])
            .arg(&input)
            .output()
            .unwrap();
        std::fs::remove_file(&input).unwrap();
        let lines = text(&output.stdout)
            .lines()
            .filter(|l| !l.trim().is_empty() && l.trim() != ".text");
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    // The question works: a word that LLVM does know is printed.
    assert_eq!(answer(&[0x7F00_C000]).len(), 3, "{{ nop }} on three lines");
    assert_eq!(answer(&words), Vec::<String>::new());
}

/// A Hexagon object file with these words and one symbol in the middle.
fn object_file(words: &[u32], flags: u32) -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::Hexagon, Endianness::Little);
    let section = object.section_id(StandardSection::Text);
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    object.append_section_data(section, &bytes, 4);
    for (name, value) in [("first", 0), ("second", 12)] {
        object.add_symbol(Symbol {
            name: name.into(),
            value,
            size: 0,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
    }
    let mut file = object.write().unwrap();
    file[36..40].copy_from_slice(&flags.to_le_bytes()); // e_flags of a 32-bit header
    file
}

/// `{ multiply } { r0 = r0 } { mxclracc.hf } { cvt.hf }`
const WORDS: [u32; 5] = [
    0x9200_41E4,
    0x9202_E3EF,
    0x7F00_C000,
    0xA6E0_C013,
    0xA6E2_DA10,
];

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn an_object_file_is_listed_and_summed_up() {
    let path = file("good.o", &object_file(&WORDS, 0x73));
    let path = path.to_str().unwrap();
    let output = hmx(&["disasm", "--only-hmx", path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&output.stdout).replace(path, "FILE");
    assert_eq!(
        page,
        "FILE: Hexagon object file, built for v73\n\
         \n\
         .text, from 0x00000000\n\
         00000000 <first>:\n       \
         0: 920041e4  { activation.hf=mxmem(r0,r1)\n       \
         4: 9202e3ef    weight.hf=mxmem(r2,r3) }\n\
         0000000c <second>:\n       \
         c: a6e0c013  { mxclracc.hf }\n      \
         10: a6e2da10  { cvt.hf=acc(r2) }\n\
         \n\
         5 words in 4 packets; HMX: 4 words in 3 packets\n       \
         1  activation.hf=mxmem(Rs,Rt)  (from v68)\n       \
         1  weight.hf=mxmem(Rs,Rt)  (from v68)\n       \
         1  cvt.hf=acc(Rs)  (from v73)\n       \
         1  mxclracc.hf  (from v68)\n\
         needs v73 or later\n\
         packets that break the pairing rules: 0\n"
    );
    let part = hmx(&["--json", "disasm", "--symbol", "second", path]);
    let value: serde_json::Value = serde_json::from_slice(&part.stdout).unwrap();
    assert_eq!(value["built_for"], "v73");
    assert_eq!(value["summary"]["words"], 2);
    assert_eq!(value["sections"][0]["packets"][0]["text"], "mxclracc.hf");
    let missing = hmx(&["disasm", "--symbol", "secund", path]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        text(&missing.stderr).contains("the nearest are second, first"),
        "{}",
        text(&missing.stderr)
    );
    // v69 lacks the two-step convert.
    let old = hmx(&["disasm", "--only-hmx", "--arch", "v69", path]);
    assert_eq!(old.status.code(), Some(1));
    assert!(text(&old.stdout).contains("`cvt.hf=acc(Rs)` needs v73 or later"));
}

#[test]
fn a_packet_that_breaks_the_rules_is_listed_and_fails() {
    let path = file(
        "broken.o",
        &object_file(&[0x9200_41E4, 0x7F00_C000, 0xA6E0_C013, 0x7F00_C000], 0x73),
    );
    let output = hmx(&["disasm", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let page = text(&output.stdout);
    assert!(
        page.contains("packets that break the pairing rules: 1\n"),
        "{page}"
    );
    assert!(
        page.contains(
            ".text 0x0: 0x920041e4 0x7f00c000: HMX and other instructions stand in one packet"
        ),
        "{page}"
    );
}

/// Exit status 2 and one line that says so.
fn refused(arguments: &[&str], message: &str) {
    let output = hmx(arguments);
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(output.stdout.is_empty());
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.contains(message), "{line}");
}

#[test]
fn files_that_cannot_be_read_are_refused_with_one_line() {
    let good = object_file(&WORDS, 0x73);
    let changed = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        file(name, &bytes).to_str().unwrap().to_owned()
    };
    let check = |path: &str, message: &str| {
        refused(&["disasm", path], message);
        refused(&["disasm", path], path);
    };
    check(
        &changed("text", &|b| *b = b"hello".to_vec()),
        "this is no ELF file",
    );
    check(&changed("empty", &|b| b.clear()), "this is no ELF file");
    check(&changed("wide", &|b| b[4] = 2), "this is a 64-bit ELF file");
    check(
        &changed("big", &|b| b[5] = 2),
        "this is a big-endian ELF file",
    );
    check(
        &changed("x86", &|b| b[18] = 3),
        "this ELF file is for machine number 3",
    );
    check(
        &changed("cut", &|b| b.truncate(60)),
        "the file is cut short",
    );
    check(
        &changed("cut-header", &|b| b.truncate(20)),
        "the file is cut short",
    );
    refused(&["disasm", "no-such-file"], "no-such-file");
    refused(
        &["disasm", "--words", "0x123456789"],
        "`0x123456789` is no word",
    );
    refused(&["disasm", "--words", " "], "--words is empty");
}

#[test]
fn every_cut_and_every_flipped_byte_is_read_or_refused() {
    let good = object_file(&WORDS, 0x73);
    assert!(Image::read(&good).is_ok());
    for length in 0..good.len() {
        assert!(Image::read(&good[..length]).is_err(), "cut to {length}");
    }
    for at in 0..good.len() {
        for flip in [1u8, 0x80, 0xFF] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            let _ = Image::read(&bytes);
        }
    }
    assert_eq!(
        Image::read(&object_file(&[], 0x73)).unwrap_err(),
        ElfError::NoCode
    );
}

#[test]
fn assembly_that_cannot_be_read_is_refused_with_its_place() {
    refused(
        &["asm", "mxclracc\nmxclrac"],
        "line 2, column 1: `mxclrac` is no HMX instruction",
    );
    refused(&["asm", "bias=mxmem2(0x100)"], "`0x100` is no register");
    refused(
        &["asm", "--arch", "v69", "mxclracc; cvt.hf=acc(r1)"],
        "line 1: `cvt.hf=acc(Rs)` needs v73 or later",
    );
    refused(
        &["asm", "// nothing"],
        "there is no instruction in the text",
    );
}
