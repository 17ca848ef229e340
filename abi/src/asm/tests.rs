//! The assembly against the golden programs, and against text that is wrong.

use super::*;
use crate::{Kind, PacketError, instructions};
use proptest::prelude::*;
use std::io::Read;

/// The packets of every golden program, and the number of programs.
fn golden() -> (usize, Vec<String>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../model/golden");
    let (mut programs, mut all) = (0, Vec::new());
    for name in ["matmul", "conv", "chain", "edge"] {
        let file = std::fs::File::open(format!("{folder}/{name}.jsonl.gz")).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(file)
            .read_to_string(&mut text)
            .unwrap();
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let packets = case["program"].as_array().unwrap();
            programs += 1;
            all.extend(packets.iter().map(|p| p.as_str().unwrap().to_owned()));
        }
    }
    (programs, all)
}

#[test]
fn every_golden_packet_prints_back_as_it_was() {
    let (programs, packets) = golden();
    assert_eq!(programs, 172 + 80 + 60 + 128);
    for text in &packets {
        let values = assemble_values(text, |_| None).unwrap();
        assert_eq!(values.len(), 1);
        assert_eq!(&values[0].to_string(), text);
        assert_eq!(&parse(text).unwrap()[0].to_string(), text);
    }
    // All of them as one listing, too.
    let all = assemble_values(&packets.join("\n"), |_| None).unwrap();
    assert_eq!(all.len(), packets.len());
}

#[test]
fn every_instruction_is_read_with_registers() {
    for i in instructions() {
        let line = match i.kind {
            Kind::Activation => format!("{{{}; weight.b=mxmem(r7,r8)}}", i.syntax),
            Kind::Weight => format!("{{activation.ub=mxmem(r7,r8); {}}}", i.syntax),
            _ => i.syntax.to_owned(),
        };
        let line = line.replace("Rs", "r31").replace("Rt", "r0");
        let packet = &assemble_registers(&line).unwrap()[0];
        assert_eq!(packet.to_string(), line);
        let again = Packet::from_words(&packet.words()).unwrap();
        assert_eq!(again.to_string(), line);
    }
}

#[test]
fn layout_of_the_text_does_not_matter() {
    let text = "
        # a comment; with { signs
        mxclracc.hf   // another
        { activation . hf = mxmem ( act , 0x7ff )  /* a
          long; one */
          weight.hf=mxmem(wgt+2048
             | 3, 2047);
        } mxclracc ; acc = mxshl( acc , #16 )
        {mxswapacc}";
    let symbol = |name: &str| match name {
        "act" => Some(0x10000),
        "wgt" => Some(0x20000),
        _ => None,
    };
    let printed: Vec<String> = assemble_values(text, symbol)
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        printed,
        [
            "mxclracc.hf",
            "{activation.hf=mxmem(0x10000,0x7ff); weight.hf=mxmem(0x20803,0x7ff)}",
            "mxclracc",
            "acc=mxshl(acc,#16)",
            "mxswapacc",
        ]
    );
    let lines: Vec<usize> = parse_located(text)
        .unwrap()
        .iter()
        .map(|l| l.line)
        .collect();
    assert_eq!(lines, [3, 4, 8, 8, 9]);
}

#[test]
fn names_are_kept_until_they_are_looked_up() {
    let text = "mxmem(out-0x10|0x3,r4):after.hf=acc";
    assert_eq!(parse(text).unwrap()[0].to_string(), text);
}

/// The whole message for a text that is wrong.
fn values_error(text: &str) -> String {
    let known = |name: &str| (name == "act").then_some(0xFFFF_FF00);
    assemble_values(text, known).unwrap_err().to_string()
}

#[test]
fn errors_name_the_place_and_the_way_out() {
    for (text, message) in [
        (
            "mxclracc\n  activaton.hf=mxmem(1,2)",
            "line 2, column 3: `activaton.hf=mxmem(1,2)` is no HMX instruction; the nearest forms are \
             `activation.hf=mxmem(Rs,Rt)`, `activation.f8=mxmem(Rs,Rt)` and `activation.ub=mxmem(Rs,Rt)`",
        ),
        (
            "cvt.hf=acc(1,2)",
            "line 1, column 1: 2 operands where 1 belong; write `cvt.hf=acc(Rs)`",
        ),
        (
            "bias=mxmem2(r3)",
            "line 1, column 13: `r3` is a register, and nothing sets registers here; write the value itself or a name",
        ),
        (
            "bias=mxmem2(r32)",
            "line 1, column 13: there is no register `r32`; use r0 to r31",
        ),
        (
            "bias = mxmem2(nothing)",
            "line 1, column 15: there is nothing named `nothing`; define it, or write a number",
        ),
        (
            "bias=mxmem2(act + 0x100)",
            "line 1, column 13: `act+0x100` does not fit 32 bits; use a value from 0 to 0xffffffff",
        ),
        (
            "bias=mxmem2(0x1ffffffff)",
            "line 1, column 13: `0x1ffffffff` does not fit 32 bits; use a value from 0 to 0xffffffff",
        ),
        (
            "bias=mxmem2()",
            "line 1, column 13: `` is no operand; write a register r0 to r31, a number such as 0x7ff, or a name with an offset such as act+0x800",
        ),
        (
            "bias=mxmem2(0xyz)",
            "line 1, column 13: `0xyz` is no operand; write a register r0 to r31, a number such as 0x7ff, or a name with an offset such as act+0x800",
        ),
        (
            "{mxclracc",
            "line 1, column 1: this `{` is never closed; put `}` after the last instruction of the packet",
        ),
        (
            "mxclracc }",
            "line 1, column 10: this `}` closes nothing; take it out, or put `{` before the first instruction of the packet",
        ),
        (
            "{{",
            "line 1, column 2: a packet cannot hold a packet; close the one before with `}`",
        ),
        (
            "mxclracc {",
            "line 1, column 10: an instruction runs into this packet; put `;` or a newline before `{`",
        ),
        (
            "bias=mxmem2(4;",
            "line 1, column 12: this `(` is never closed; put `)` after the operands",
        ),
        (
            "/* a",
            "line 1, column 1: this comment is never closed; end it with `*/`",
        ),
        (
            "{}",
            "line 1, column 1: the packet is empty; write at least one instruction between the braces",
        ),
    ] {
        assert_eq!(values_error(text), message, "{text}");
    }
    let e = assemble_registers("bias=mxmem2(4)").unwrap_err();
    assert_eq!(e.kind, AsmErrorKind::NeedsRegister("0x4".into()));
}

#[test]
fn pairing_errors_point_at_the_packet() {
    let e = parse("mxclracc; { mxclracc\n activation.ub=mxmem(r1,r2)}").unwrap_err();
    assert_eq!((e.line, e.column, e.span.clone()), (1, 11, 10..49));
    assert_eq!(
        e.kind,
        AsmErrorKind::Packet(PacketError::NotAlone("mxclracc"))
    );
    let e = parse("weight.n=mxmem(r1,r2)").unwrap_err();
    assert_eq!(
        e.kind,
        AsmErrorKind::Packet(PacketError::WeightAlone("weight.n=mxmem(Rs,Rt)"))
    );
}

#[test]
fn every_one_letter_slip_is_told_the_right_form() {
    // Dropping one letter before the operands must keep the meant row among the forms offered.
    for i in instructions() {
        let end = i.syntax.find('=').unwrap_or(i.syntax.len());
        for at in 0..end {
            let mut text = i.syntax.to_owned();
            text.remove(at);
            let text = text.replace("Rs", "r1").replace("Rt", "r2");
            if let Err(e) = parse(&text)
                && matches!(e.kind, AsmErrorKind::UnknownInstruction { .. })
            {
                assert!(e.expected().contains(&i.syntax), "{text}: {e}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        let _ = parse(&text);
    }

    #[test]
    fn any_text_of_our_signs_is_read_or_refused(text in "[a-z0-9.=(),:;{}#/*| +\\-\n\u{e9}]{0,60}") {
        if let Err(e) = parse(&text) {
            prop_assert!(text.get(e.span.clone()).is_some());
        }
    }

    #[test]
    fn operands_survive_printing(name in "[a-z_][a-z0-9_.]{2,8}", n: u32, m: u32, sign in 0..3usize) {
        let text = format!("bias=mxmem({name}{}{n:#x}|{m:#x})", ["+", "-", "|"][sign]);
        // `r17` would be a register.
        prop_assume!(!name.starts_with('r'));
        prop_assert_eq!(parse(&text).unwrap()[0].to_string(), text);
    }
}
