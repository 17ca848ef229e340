//! `hmx skel check` on small ELF files made here, with one thing wrong at a time.

use hmx_abi::Arch;
use hmx_workbench::finding::{Finding, State};
use hmx_workbench::skel::check::{Wanted, check};
use hmx_workbench::skel::elf::NoElf;
use sha2::{Digest, Sha256};

const ENTRY: &str = "hmxwb_skel_handle_invoke";

/// A skel to be.
struct Skel {
    class: u8,
    kind: u16,
    machine: u16,
    flags: u32,
    entry: &'static str,
    hidden: bool,
    needed: Vec<&'static str>,
    undefined: Vec<(&'static str, bool)>,
    relocation: u32,
    textrel: bool,
    code: Vec<u32>,
    signed: bool,
    /// The last word of the code is a table of the probe interpreter.
    table: bool,
}

fn skel() -> Skel {
    Skel {
        class: 1,
        kind: 3,
        machine: 164,
        flags: 0x73,
        entry: ENTRY,
        hidden: false,
        needed: vec!["libc.so"],
        undefined: vec![("memcpy", false), ("compute_resource_acquire", true)],
        relocation: 34,
        textrel: false,
        code: vec![0x529f_c000],
        signed: false,
        table: false,
    }
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn half(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }
    fn words(&mut self, values: &[u32]) {
        values.iter().for_each(|v| self.0.extend(v.to_le_bytes()));
    }
}

impl Skel {
    /// One loadable segment at address 0 that is the whole file, a dynamic segment, and, when
    /// signed, a hash segment behind them.
    fn build(&self) -> Vec<u8> {
        let segments = 2 + usize::from(self.signed);
        let start = 52 + 32 * segments as u32;
        let code: Vec<u8> = self.code.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut strings = vec![0u8];
        let mut string = |text: &str| {
            let at = strings.len() as u32;
            strings.extend(text.as_bytes());
            strings.push(0);
            at
        };
        let needed: Vec<u32> = self.needed.iter().map(|n| string(n)).collect();
        let mut symbols = Bytes(vec![0; 16]);
        symbols.words(&[string(self.entry), start, 4]);
        symbols.0.extend([0x12, if self.hidden { 2 } else { 0 }]);
        symbols.half(1);
        if self.table {
            let last = start + code.len() as u32 - 4;
            symbols.words(&[string("hmxwb_single_stubs"), last, 4]);
            symbols.0.extend([0x12, 3]);
            symbols.half(1);
        }
        for (name, weak) in &self.undefined {
            symbols.words(&[string(name), 0, 0]);
            symbols.0.extend([if *weak { 0x20 } else { 0x10 }, 0]);
            symbols.half(0);
        }
        let count = symbols.0.len() as u32 / 16;
        let mut hash = Bytes(Vec::new());
        hash.words(&[1, count, 1]);
        hash.words(&vec![0; count as usize]);
        let mut rela = Bytes(Vec::new());
        rela.words(&[start, 2 << 8 | self.relocation, 0]);
        strings.resize(strings.len().next_multiple_of(4), 0);
        let at_symbols = start + code.len() as u32;
        let at_strings = at_symbols + symbols.0.len() as u32;
        let at_hash = at_strings + strings.len() as u32;
        let at_rela = at_hash + hash.0.len() as u32;
        let at_dynamic = at_rela + rela.0.len() as u32;
        let mut dynamic = Bytes(Vec::new());
        needed.iter().for_each(|n| dynamic.words(&[1, *n]));
        dynamic.words(&[4, at_hash, 5, at_strings, 6, at_symbols]);
        dynamic.words(&[10, strings.len() as u32, 23, at_rela, 2, 12]);
        if self.textrel {
            dynamic.words(&[22, 0]);
        }
        dynamic.words(&[0, 0]);
        let end = at_dynamic + dynamic.0.len() as u32;

        let mut file = Bytes(vec![0x7f, b'E', b'L', b'F', self.class, 1, 1]);
        file.0.resize(16, 0);
        file.half(self.kind);
        file.half(self.machine);
        file.words(&[1, 0, 52, 0, self.flags]);
        for value in [52, 32, segments as u16, 0, 0, 0] {
            file.half(value);
        }
        file.words(&[1, 0, 0, 0, end, end, 5, 4096]);
        let size = dynamic.0.len() as u32;
        file.words(&[2, at_dynamic, at_dynamic, at_dynamic, size, size, 6, 4]);
        let signature = 16;
        if self.signed {
            let size = 40 + 32 * 3 + signature;
            file.words(&[0, end, 0, 0, size, size, 0x0220_0000, 4096]);
        }
        for part in [code, symbols.0, strings, hash.0, rela.0, dynamic.0] {
            file.0.extend(part);
        }
        if self.signed {
            let hashes = [
                Sha256::digest(&file.0).to_vec(),
                Sha256::digest(&file.0[at_dynamic as usize..]).to_vec(),
                vec![0; 32],
            ];
            file.words(&[0, 3, 0, 0, 96 + signature, 96, 0, signature, 0, 0]);
            hashes.iter().for_each(|hash| file.0.extend(hash));
            file.0.extend([9; 16]);
        }
        file.0
    }
}

fn findings(skel: &Skel, signed: bool) -> Vec<Finding> {
    let wanted = Wanted {
        arch: Some(Arch::V73),
        entry: ENTRY,
        signed,
    };
    check(&skel.build(), &wanted).expect("an ELF file")
}

/// The one problem.
fn problem(skel: Skel) -> (String, String) {
    let all = findings(&skel, false);
    let mut problems = all.into_iter().filter(|f| f.state == State::Problem);
    let problem = problems.next().expect("a problem");
    assert_eq!(problems.next(), None, "one thing is wrong");
    assert!(!problem.next.is_empty());
    (problem.what, problem.seen)
}

#[test]
fn a_sound_skel_has_no_problem() {
    for finding in findings(&skel(), false) {
        assert_eq!(finding.state, State::Ok, "{finding}");
    }
}

#[test]
fn each_defect_is_named() {
    let says = |skel: Skel, what: &str, part: &str| {
        let (found, seen) = problem(skel);
        assert_eq!(found, what, "{seen}");
        assert!(seen.contains(part), "{seen}");
    };
    says(Skel { class: 2, ..skel() }, "class", "32-bit");
    says(
        Skel {
            machine: 62,
            ..skel()
        },
        "machine",
        "machine 62",
    );
    says(Skel { kind: 2, ..skel() }, "machine", "no shared library");
    says(
        Skel {
            flags: 0x81,
            ..skel()
        },
        "architecture",
        "newer than the device's v73",
    );
    says(Skel { flags: 0, ..skel() }, "architecture", "no version");
    says(
        Skel {
            entry: "other",
            ..skel()
        },
        "entry",
        "missing",
    );
    says(
        Skel {
            hidden: true,
            ..skel()
        },
        "entry",
        "not exported",
    );
    says(
        Skel {
            needed: vec!["libm.so"],
            ..skel()
        },
        "needed libraries",
        "libm.so",
    );
    let undefined = vec![("pthread_key_delete", false), ("unheard_of", true)];
    says(
        Skel {
            undefined,
            ..skel()
        },
        "undefined symbols",
        "pthread_key_delete not known",
    );
    says(
        Skel {
            relocation: 6,
            ..skel()
        },
        "relocations",
        "type 6",
    );
    says(
        Skel {
            textrel: true,
            ..skel()
        },
        "text relocations",
        "write to code",
    );
}

#[test]
fn an_instruction_that_the_device_lacks_is_named_with_its_address() {
    let new = hmx_abi::instructions()
        .iter()
        .find(|i| !i.available(Arch::V73))
        .expect("v81 has instructions that v73 lacks");
    let old = hmx_abi::instructions()
        .iter()
        .find(|i| i.available(Arch::V73))
        .expect("v73 has instructions");
    let end = 3 << 14;
    let code = vec![old.bits | end, new.bits | end];
    let (what, seen) = problem(Skel { code, ..skel() });
    assert_eq!(what, "HMX instructions");
    assert!(seen.contains(new.syntax) && seen.contains("0x78"), "{seen}");
    let code = vec![old.bits | end, new.bits | end];
    let table = Skel {
        code,
        table: true,
        ..skel()
    };
    let all = findings(&table, false);
    let seen = "1, all in v73; 1 more in the tables of the probe interpreter";
    assert!(all.iter().any(|f| f.seen == seen), "{all:?}");
    let code = vec![old.bits | end];
    let all = findings(&Skel { code, ..skel() }, false);
    assert!(all.iter().any(|f| f.seen == "1, all in v73"));
}

#[test]
fn signatures_are_looked_at() {
    let signed = Skel {
        signed: true,
        ..skel()
    };
    let of = |data: &[u8], must: bool| {
        let wanted = Wanted {
            arch: Some(Arch::V73),
            entry: ENTRY,
            signed: must,
        };
        let all = check(data, &wanted).expect("an ELF file");
        all.into_iter()
            .find(|f| f.what == "signature")
            .expect("a line")
    };
    let good = signed.build();
    assert_eq!(of(&good, true).state, State::CannotTell);
    let mut changed = good.clone();
    changed[52 + 32 * 3] ^= 1; // the first byte of code
    assert!(of(&changed, false).seen.contains("changed after signing"));
    assert_eq!(of(&skel().build(), false).state, State::Ok);
    assert_eq!(of(&skel().build(), true).state, State::Problem);
}

#[test]
fn what_is_no_elf_file_or_cut_short_is_an_error() {
    let wanted = Wanted {
        arch: None,
        entry: ENTRY,
        signed: false,
    };
    assert_eq!(check(b"MZ", &wanted).unwrap_err(), NoElf::Magic);
    let whole = skel().build();
    for cut in 4..whole.len() {
        let error = check(&whole[..cut], &wanted);
        assert!(error.is_err(), "cut at {cut}");
    }
}
