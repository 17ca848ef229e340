//! The fp16 reference against the golden cases of the vendor's functional model: it was written from the text, apart
//! from hmx-model, so an agreement of both with these bytes is worth something.

use base64::Engine;
use hmx_abi::{Arch, asm};
use hmx_model::{Hmx, Vtcm};
use hmx_workbench::packers::fp16::{self, Operand};
use hmx_workbench::reference::hmx_fp16::{Specials, dot};
use hmx_workbench::reference::real;
use proptest::prelude::*;
use std::io::Read;

/// A golden case that is a plain product: `n` tiles of A times `n` tiles of W, scale 1.0, bias 0, one store.
struct Plain {
    id: String,
    specials: Specials,
    /// Rows of A and columns of W, fp16 bits.
    a: Vec<Vec<u16>>,
    w: Vec<Vec<u16>>,
    expected: Vec<u8>,
}

fn cases(file: &str) -> Vec<serde_json::Value> {
    let path = format!("{}/model/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// `None` for a case that is anything else.
fn plain(case: &serde_json::Value) -> Option<Plain> {
    let program: Vec<&str> = case["program"]
        .as_array()?
        .iter()
        .map(|p| p.as_str().unwrap())
        .collect();
    let [bias, clear, multiplies @ .., store] = &program[..] else {
        return None;
    };
    let head = (*bias, *clear, *store);
    if head
        != (
            "bias=mxmem2(0x30000)",
            "mxclracc.hf",
            "mxmem(0x40000,0x0):after.hf=acc",
        )
    {
        return None;
    }
    let mut tiles = Vec::new();
    for packet in multiplies {
        let inner = packet
            .strip_prefix("{activation.hf=mxmem(0x")?
            .strip_suffix(")}")?;
        let (activation, weight) = inner.split_once("; weight.hf=mxmem(0x")?;
        let activation = activation
            .strip_suffix(":deep")
            .unwrap_or(activation)
            .strip_suffix(')')?;
        let parse = |operands: &str| {
            let (rs, rt) = operands.split_once(",0x")?;
            let (rs, rt) = (
                usize::from_str_radix(rs, 16).ok()?,
                usize::from_str_radix(rt, 16).ok()?,
            );
            (rs % 2048 == 0 && rt % 2048 == 2047).then_some((rs, rt / 2048 + 1))
        };
        let ((act, count), (wt, wt_count)) = (parse(activation)?, parse(weight)?);
        if count != wt_count || count > 1 && !packet.contains(":deep") {
            return None;
        }
        tiles.extend((0..count).map(|i| (act + i * 2048, wt + i * 2048)));
    }
    let mut memory = vec![0u8; 0x60000];
    let decode = |v: &serde_json::Value| {
        base64::engine::general_purpose::STANDARD
            .decode(v["b64"].as_str().unwrap())
            .unwrap()
    };
    for block in case["mem"].as_array()? {
        let (at, bytes) = (block["at"].as_u64()? as usize, decode(block));
        memory
            .get_mut(at..at + bytes.len())?
            .copy_from_slice(&bytes);
    }
    let scale_one = (0..64).all(|i| {
        let word = &memory[0x30000 + 4 * i..][..4];
        word == if i < 32 { [0x00, 0x3C, 0, 0] } else { [0; 4] }
    });
    if !scale_one {
        return None;
    }
    let half = |base: usize, i: usize, j: usize| {
        let at = base + i / 2 * 128 + j * 4 + i % 2 * 2;
        u16::from_le_bytes([memory[at], memory[at + 1]])
    };
    let channels = || tiles.iter().flat_map(|&t| (0..32).map(move |c| (t, c)));
    let expected = case["expect"]
        .as_array()?
        .iter()
        .find(|e| e["at"] == 0x40000)?;
    Some(Plain {
        id: case["id"].as_str()?.to_owned(),
        specials: Specials::from_usr(case["usr"].as_u64()? as u32),
        a: (0..32)
            .map(|r| channels().map(|((a, _), c)| half(a, r, c)).collect())
            .collect(),
        w: (0..32)
            .map(|o| channels().map(|((_, w), c)| half(w, c, o)).collect())
            .collect(),
        expected: decode(expected),
    })
}

#[test]
fn plain_products_of_the_golden_cases_are_reproduced() {
    let plain: Vec<Plain> = ["matmul.jsonl.gz", "edge.jsonl.gz"]
        .iter()
        .flat_map(|file| cases(file))
        .filter_map(|case| plain(&case))
        .collect();
    // Unit, normal, wide, denormal, cancelling, overflowing and special operands; one to 32 tiles.
    assert!(plain.len() >= 50, "only {} plain cases found", plain.len());
    for case in &plain {
        for r in 0..32 {
            for o in 0..32 {
                let at = r / 2 * 128 + o * 4 + r % 2 * 2;
                let expected = u16::from_le_bytes([case.expected[at], case.expected[at + 1]]);
                let got = dot(&case.a[r], &case.w[o], case.specials);
                assert_eq!(
                    got, expected,
                    "{} row {r} column {o}: {got:#06x} for {expected:#06x}",
                    case.id
                );
            }
        }
    }
}

/// fp16 bits of numbers that are neither infinite nor NaN in IEEE terms, of every size.
fn finite() -> impl Strategy<Value = u16> {
    (any::<u16>(), 0u16..31).prop_map(|(bits, exponent)| bits & 0x83FF | exponent << 10)
}

proptest! {
    /// The derived bound holds, also where terms cancel.
    #[test]
    fn results_lie_within_the_bound_of_the_exact_sum(
        (a, w) in (1usize..260).prop_flat_map(|k| (
            proptest::collection::vec(finite(), k),
            proptest::collection::vec(finite(), k),
        )),
        mirrored in any::<bool>(),
    ) {
        let (mut a, mut w) = (a, w);
        if mirrored {
            let negated: Vec<u16> = a.iter().rev().map(|x| x ^ 0x8000).collect();
            a.extend(negated);
            w = w.iter().chain(w.iter().rev()).copied().collect();
        }
        let wide = |bits: &u16| half::f16::from_bits(*bits).to_f64();
        let exact = real::sum(a.iter().map(wide).zip(w.iter().map(wide)));
        let bits = dot(&a, &w, Specials::default());
        // With specials off 0x7C00 and above are ordinary numbers up to 131008.
        let got = match bits & 0x7FFF {
            0x7FFF => return Ok(()),
            m @ 0x7C00.. => f64::from(m - 0x7C00 + 1024) * 64.0 * if bits >> 15 == 1 { -1.0 } else { 1.0 },
            _ => wide(&bits),
        };
        prop_assert!((got - exact.value).abs() <= exact.fp16_bound(), "{got} for {exact:?}");
    }
}

/// fp16 bits of every kind: mostly ordinary, some zeros, denormals, all-ones exponents.
fn any_half() -> impl Strategy<Value = u16> {
    prop_oneof![
        6 => finite(),
        3 => (0u16..0x400, 12u16..18, any::<bool>())
            .prop_map(|(fraction, exponent, negative)| {
                fraction | exponent << 10 | u16::from(negative) << 15
            }),
        1 => Just(0u16),
        1 => (0u16..0x400, any::<bool>()).prop_map(|(f, n)| f | u16::from(n) << 15),
        1 => prop::sample::select(vec![0x7C00u16, 0xFC00, 0x7E00, 0x7FFF, 0xFFFF, 0x8000]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Two implementations of one text, written apart, agree on every cell of a tile product.
    #[test]
    fn the_model_and_the_reference_agree(
        (tiles, a, w) in (1usize..4).prop_flat_map(|tiles| (
            Just(tiles),
            prop::collection::vec(any_half(), 1024 * tiles),
            prop::collection::vec(any_half(), 1024 * tiles),
        )),
        usr in prop::sample::select(vec![0u32, 1 << 20, 3 << 20]),
    ) {
        let k = 32 * tiles;
        let mut memory = vec![0u8; 0x10000];
        let act = fp16::pack(&a, 32, k, Operand::Activation).unwrap();
        let weight = fp16::pack(&w, 32, k, Operand::Weight).unwrap();
        memory[..act.len()].copy_from_slice(&act);
        memory[0x4000..][..weight.len()].copy_from_slice(&weight);
        for i in 0..32 {
            memory[0x8000 + 4 * i..][..2].copy_from_slice(&[0x00, 0x3C]);
        }
        let range = 2048 * tiles - 1;
        let text = format!(
            "bias=mxmem2(0x8000)\nmxclracc.hf\n\
             {{activation.hf=mxmem(0x0,{range:#x}):deep; weight.hf=mxmem(0x4000,{range:#x})}}\n\
             mxmem(0xc000,0x0):after.hf=acc\n"
        );
        let mut hmx = Hmx::new(Arch::V81);
        hmx.set_usr(usr);
        for packet in asm::assemble_values(&text, |_| None).unwrap() {
            let mut vtcm = Vtcm { base: 0, bytes: &mut memory };
            hmx.execute(&packet, &mut vtcm).unwrap();
        }
        let got = fp16::unpack(&memory[0xC000..][..2048], 32, 32, Operand::Output).unwrap();
        for (r, row) in a.chunks(k).enumerate() {
            for (o, column) in w.chunks(k).enumerate() {
                let wanted = dot(row, column, Specials::from_usr(usr));
                prop_assert_eq!(got[32 * r + o], wanted, "row {} column {}", r, o);
            }
        }
    }
}
