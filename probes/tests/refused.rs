//! Wrong definitions are refused with the line, the column and the next step; no text panics.

use hmx_probes::{Probe, ProbeError, files, shipped};
use proptest::prelude::*;

/// The shipped ones probe with one piece of text replaced.
fn broken(from: &str, to: &str) -> String {
    let ones = files()
        .into_iter()
        .find(|(name, _)| *name == "fp16-ones.toml")
        .unwrap()
        .1;
    assert!(ones.contains(from), "`{from}` is not in fp16-ones.toml");
    ones.replacen(from, to, 1)
}

/// The error's one line, and the text at its place.
fn refusal(text: &str) -> (String, String) {
    match Probe::parse("mine", text) {
        Err(ProbeError::Definition(e)) => {
            let line = text.lines().nth(e.line - 1).unwrap_or_default();
            let from: String = line.chars().skip(e.column - 1).collect();
            (e.to_string(), from)
        }
        Err(other) => panic!("no place: {other}"),
        Ok(_) => panic!("not refused"),
    }
}

#[track_caller]
fn refused(from: &str, to: &str, says: &str, at: &str) {
    let (message, place) = refusal(&broken(from, to));
    assert!(message.starts_with("mine.toml:"), "{message}");
    assert!(message.contains(says), "{message}");
    assert!(place.starts_with(at), "points at `{place}`: {message}");
}

#[test]
fn a_wrong_operand_is_named_with_the_nearest_name() {
    refused("mxmem(act,", "mxmem(acts,", "did you mean `act`", "acts,");
    refused("(act,0x7ff)", "(act,0x7fg)", "0x7fg", "0x7fg");
    refused("(act,0x7ff)", "(r1,0x7ff)", "register", "r1");
}

#[test]
fn a_wrong_instruction_names_the_nearest_forms() {
    refused(
        "activation.hf",
        "activation.hh",
        "activation.hf=mxmem(Rs,Rt)",
        "activation.hh",
    );
    refused(
        "; weight.hf=mxmem(weight,0x7ff)}",
        "}",
        "weight",
        "{activation",
    );
}

#[test]
fn a_missing_tile_is_named() {
    let text = broken("name = \"weight\"", "name = \"wgt\"");
    let (message, place) = refusal(&text);
    assert!(message.contains("`weight` is no tile"), "{message}");
    assert!(place.starts_with("weight,0x7ff"), "{place}");
}

#[test]
fn tiles_must_not_overlap_each_other_their_guards_or_readouts() {
    refused("at = 0x1800", "at = 0x0800", "overlaps", "0x0800");
    refused("at = 0x1800", "at = 0x1000", "guard", "0x1000");
    refused(
        "at = 0x3000",
        "at = 0x1800",
        "readout `out` overlaps tile `weight`",
        "0x1800",
    );
    refused(
        "at = 0x1800",
        "at = 0x1000",
        "next free offset is 0x1800",
        "0x1000",
    );
}

#[test]
fn places_outside_the_image_and_between_croutons_are_refused() {
    refused("at = 0x3000", "at = 0x7800", "outside the image", "0x7800");
    refused(
        "at = 0x3000",
        "at = 0xfffff800",
        "outside the image",
        "0xfffff800",
    );
    refused("at = 0x0800", "at = 0x0000", "guard bytes", "0x0000");
    refused("at = 0x1800", "at = 0x1840", "use 0x2000", "0x1840");
    refused(
        "(out,0x0)",
        "(0x90000,0x0)",
        "outside the image",
        "mxmem(0x90000",
    );
}

#[test]
fn unknown_keys_and_values_are_refused_in_their_line() {
    refused(
        "fill = { uniform = 1.0 }",
        "fil = { uniform = 1.0 }",
        "fil",
        "fil",
    );
    refused("{ uniform = 1.0 }", "{ unform = 1.0 }", "unform", "");
    refused(
        "{ uniform = 1.0 }",
        "{ uniform = 1.1 }",
        "1.1",
        "{ uniform = 1.1",
    );
    refused(
        "element = \"unsigned\"",
        "element = \"hf\"",
        "16 bits",
        "\"hf\"",
    );
    refused("name = \"weight\"", "name = \"act\"", "twice", "\"act\"");
    refused("name = \"weight\"", "name = \"r2\"", "no name", "\"r2\"");
    refused("question = \"Does", "question = \"\" #", "question", "\"\"");
    refused(
        "{ out = { uniform = 0 } }",
        "{ oot = { uniform = 0 } }",
        "`oot` is no readout",
        "",
    );
    refused(
        "uniform = 32, written = 1024",
        "rows = [1, 2, 3]",
        "3 rows",
        "{ rows",
    );
}

#[test]
fn an_instruction_newer_than_the_probes_arch_is_refused() {
    let text = broken("recorded =", "arch = \"v68\"\nrecorded =");
    let text = text.replace(
        "mxmem(out,0x0):after.hf=acc",
        "cvt.hf=acc(0x1)\nmxmem(out,0x0)=cvt",
    );
    let (message, place) = refusal(&text);
    assert!(message.contains("needs v73 or later"), "{message}");
    assert!(place.starts_with("cvt.hf"), "{place}");
}

#[test]
fn errors_of_a_family_point_into_the_file() {
    let text = broken(
        "question =",
        "variants = [ { name = \"a\", v = 1 }, { name = \"b\", v = 1.1 } ]\nquestion =",
    );
    let good = text.replacen("{ uniform = 1.0 }", "{ uniform = \"$v\" }", 1);
    let (message, place) = refusal(&good);
    assert!(message.contains("1.1"), "{message}");
    assert!(place.starts_with("{ uniform = \"$v\""), "{place}");
    let (message, place) = refusal(&text.replacen("{ uniform = 1.0 }", "{ uniform = \"$w\" }", 1));
    assert!(message.contains("`$w` is no parameter"), "{message}");
    assert!(place.starts_with("$w"), "{place}");
    let (message, _) = refusal(&text);
    assert!(message.contains("`$v`"), "{message}");
}

#[test]
fn a_users_file_works_like_a_shipped_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, broken("uniform = 1.0", "uniform = 2.0")).unwrap();
    let probes = Probe::load(&path).unwrap();
    assert_eq!(probes.len(), 1);
    assert_eq!(probes[0].name, "mine");
    let missing = Probe::load(folder.path().join("none.toml")).unwrap_err();
    assert!(missing.to_string().contains("none.toml"));
}

#[test]
fn every_shipped_probe_reads_back_from_its_own_source() {
    let mut names = std::collections::HashSet::new();
    for probe in shipped() {
        assert!(
            names.insert(&probe.name),
            "two probes are called {}",
            probe.name
        );
        let again = Probe::parse(&probe.name, &probe.source).unwrap();
        assert_eq!(again.program, probe.program, "{}", probe.name);
        assert_eq!(again.image(0xA5), probe.image(0xA5), "{}", probe.name);
    }
}

#[test]
fn the_probe_in_the_docs_is_one() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/probes.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    let texts = blocks.filter_map(|b| b.split("```").next());
    let whole: Vec<&str> = texts.filter(|t| t.contains("question =")).collect();
    assert!(!whole.is_empty());
    for text in whole {
        Probe::parse("docs", text).unwrap();
    }
}

#[test]
fn every_shipped_file_opens_with_its_question() {
    for (name, text) in files() {
        assert!(
            text.starts_with("# ") && text.lines().next().unwrap().ends_with('?'),
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Shipped files with pieces cut out, doubled or overwritten never panic.
    #[test]
    fn no_mutated_file_panics(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
                              length in 0usize..60, insert in "[ -~\\n\u{e9}]{0,12}") {
        let all = files();
        let text = all[which.index(all.len())].1;
        let mut start = at.index(text.len());
        while !text.is_char_boundary(start) { start -= 1; }
        let mut end = (start + length).min(text.len());
        while !text.is_char_boundary(end) { end += 1; }
        let mutated = format!("{}{insert}{}", &text[..start], &text[end..]);
        if let Err(e) = Probe::parse_all("mutated", &mutated) {
            prop_assert!(e.to_string().starts_with("mutated.toml:"));
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = Probe::parse_all("any", &text);
    }
}
