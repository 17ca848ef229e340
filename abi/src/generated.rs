//! Files made from the instruction table: the C header of instruction words and the
//! reference page. They are committed; `abi/tests/generated.rs` fails when they are stale.

use crate::{Instr, Kind, Reg, encode, instructions};
use std::fmt::Write;

/// The kinds in the order of the files, with a heading and what to know about the group.
const GROUPS: [(Kind, &str, &str); 7] = [
    (
        Kind::Activation,
        "Activation loads",
        "First word of a multiply packet. Rs: address of a crouton, low bits are the first channel and the tap \
         offsets. Rt: masks and the last channel; `:deep` also counts croutons.",
    ),
    (
        Kind::Weight,
        "Weight loads",
        "Second word of a multiply packet. Rs: address of the stream, 128-byte aligned; bit 5 negates fp weights, bit 6 \
         selects bf16 (v81). Rt: how many bytes of the stream are used.",
    ),
    (
        Kind::Bias,
        "Bias registers",
        "Four sets of 32 entries of 64 bits (one set before v75).",
    ),
    (
        Kind::ConvertStore,
        "Convert and store in one step",
        "Bias set 0. Rs: address of a crouton, low bits are the split offset. Rt: masks.",
    ),
    (
        Kind::Convert,
        "Convert (first of two steps)",
        "Rs: bit 0 = 0 clears the set and switches, bit 1 = 0 saturates or clips negatives, [3:2] feedback, bit 4 feedback limit, \
         bit 6 maxnorm, bit 7 bf16 output (v81), bit 8 float rounding, [13:12] bias set.",
    ),
    (
        Kind::Store,
        "Store (second of two steps)",
        "Rs: address of a crouton, low bits are the split offset. Rt: masks.",
    ),
    (
        Kind::Accumulator,
        "Accumulator",
        "No operands; the fields of Rs and Rt are ignored.",
    ),
];

fn of_kind(kind: Kind) -> impl Iterator<Item = &'static Instr> {
    instructions().iter().filter(move |i| i.kind == kind)
}

/// "v68 on", "v68 to v75".
fn versions(i: &Instr) -> String {
    let last = crate::Arch::ALL.into_iter().rfind(|&a| i.available(a));
    match (i.removed, last) {
        (Some(_), Some(last)) => format!("{} to {last}", i.introduced),
        _ => format!("{} on", i.introduced),
    }
}

/// `dsp-kernels/include/hmx_words.h`.
pub fn c_header() -> String {
    let mut out = String::from(HEADER_TOP);
    for (kind, title, _) in GROUPS {
        let _ = write!(out, "\n/* {title} */\n");
        for i in of_kind(kind) {
            let word = encode(i, Reg::default(), Reg::default(), false) & !(3 << 14);
            let _ = writeln!(
                out,
                "#define {} 0x{word:08x}u /* {}, {} */",
                i.c_name(),
                i.syntax,
                versions(i)
            );
        }
    }
    out.push_str("\n#endif\n");
    out
}

const HEADER_TOP: &str = "\
/* HMX instruction words. Generated from abi/isa.tsv; do not edit.
 * Renew with: BLESS=1 cargo test -p hmx-abi --test generated
 *
 * Each name is the word with register numbers and packet bits 0. Put them in with HMX_WORD:
 *
 *   HMX_WORD(HMX_ACTIVATION_HF, 0, 1, HMX_MORE)   activation.hf=mxmem(r0,r1), more words follow
 *   HMX_WORD(HMX_WEIGHT_HF, 2, 3, HMX_LAST)       weight.hf=mxmem(r2,r3), ends the packet
 *
 * An activation load and a weight load make one packet, in that order; every other
 * instruction is a packet of its own. Where an instruction has no Rs or no Rt, pass 0.
 */
#ifndef HMX_WORDS_H
#define HMX_WORDS_H

/* Packet bits: more words follow in the packet, or this is its last word. */
#define HMX_MORE 0x00004000u
#define HMX_LAST 0x0000c000u

/* The word of an instruction with register numbers (0 to 31) and packet bits. */
#define HMX_WORD(instruction, rs, rt, packet) \\
  ((instruction) | (((rs) & 31u) << 16) | (((rt) & 31u) << 8) | (packet))
";

/// `docs/isa.md`.
pub fn isa_page() -> String {
    let mut out = String::from(PAGE_TOP);
    for (kind, title, note) in GROUPS {
        let _ = write!(
            out,
            "\n## {title}\n\n{note}\n\n| assembly | word, bit 31 first | versions | what it does | evidence |\n\
             |---|---|---|---|---|\n"
        );
        for i in of_kind(kind) {
            let _ = writeln!(
                out,
                "| `{}` | `{}` | {} | {} | {} |",
                i.syntax,
                i.encoding,
                versions(i),
                i.op.describe(),
                i.op.evidence()
            );
        }
    }
    out
}

const PAGE_TOP: &str = "\
# HMX instructions

Generated from `abi/isa.tsv`; do not edit. Renew with `BLESS=1 cargo test -p hmx-abi --test generated`.

The 143 instruction words of HMX, from v68 to v81. A multiply is ONE packet of two words, activation load first, weight
load second: `{activation.hf=mxmem(r0,r1); weight.hf=mxmem(r2,r3)}`. Every other instruction is a packet of its own.

How to read a word:

| sign | meaning |
|---|---|
| `0`, `1` | fixed |
| `s` | Rs, bits 20:16: a register with an address (fields in its low bits), or with control bits |
| `t` | Rt, bits 12:8: a register with a range and masks |
| `P` | packet bits 15:14: 01 more words follow, 11 last word of the packet. 10 also ends a hardware loop. 00 would be a duplex, which is never HMX |
| `-` | ignored; write 0 |

Evidence says how the line \"what it does\" is known: `vendor-model` = Qualcomm's public functional model does so,
`inferred` = our own reading of name and encoding, not modelled. Readings off a device stand in the findings. fp16 results of
v68 to v79 are `inferred` in every case: the model is exact for v81. \"Offset\", \"x\" and \"y\" are the fields of
Rs and the axes of Rt explained in the HMX reference.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_is_in_both_files() {
        let (header, page) = (c_header(), isa_page());
        for i in instructions() {
            assert!(
                header.contains(&format!("/* {}, v", i.syntax)),
                "{}",
                i.syntax
            );
            assert!(
                page.contains(&format!("| `{}` |", i.syntax)),
                "{}",
                i.syntax
            );
        }
        assert_eq!(header.matches("#define HMX_").count(), 143 + 3 + 1);
        assert!(header.contains("0xa6e00017u /* acc=mxshl(acc,#16), v68 to v75 */"));
    }
}
