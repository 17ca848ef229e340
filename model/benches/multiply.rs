//! Multiply-accumulates per second of the model, one core: one crouton with one tile, and
//! `:deep` with 16, for every loader. Throughput is printed as elements (MACs) per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hmx_abi::{Arch, Inst, Packet, instructions};
use hmx_model::{Hmx, Lanes, Vtcm};
use std::hint::black_box;

fn inst(syntax: &str, rs: u32, rt: u32) -> Inst<u32> {
    let instr = instructions()
        .iter()
        .find(|i| i.syntax == syntax)
        .unwrap_or_else(|| panic!("no instruction `{syntax}`"));
    Inst { instr, rs, rt }
}

fn packet(act: &str, loader: &str, blocks: u32) -> Packet<u32> {
    let deep = if blocks > 1 { ":deep" } else { "" };
    let act = format!("activation.{act}=mxmem(Rs,Rt){deep}");
    let weight = format!("weight.{loader}=mxmem(Rs,Rt)");
    Packet::Multiply(
        inst(&act, 0, 0x7FF + 2048 * (blocks - 1)),
        inst(&weight, 0x10000, 0xFFFF),
    )
}

fn multiply(c: &mut Criterion) {
    let mut bytes: Vec<u8> = (0..1u32 << 17)
        .map(|i| {
            if i % 2 == 1 {
                0x38 | (i >> 5) as u8 & 0x83
            } else {
                (i * 37) as u8
            }
        })
        .collect();
    let forms = [("fastest", Lanes::fastest()), ("portable", Lanes::PORTABLE)];
    for (form, lanes) in forms {
        let mut group = c.benchmark_group(form);
        group.sample_size(20);
        for (act, loaders, rows) in [
            (
                "ub",
                &["b", "sm", "n", "c", "sc", "ubit", "sbit"][..],
                64u64,
            ),
            ("hf", &["hf"][..], 32),
        ] {
            for loader in loaders {
                for blocks in [1, 16] {
                    let packet = packet(act, loader, blocks);
                    let mut hmx = Hmx::with_lanes(Arch::V81, lanes);
                    let mut vtcm = Vtcm {
                        base: 0,
                        bytes: &mut bytes,
                    };
                    group.throughput(Throughput::Elements(rows * 32 * 32 * u64::from(blocks)));
                    group.bench_function(format!("{act} x {loader}, {blocks} blocks"), |b| {
                        b.iter(|| hmx.execute(black_box(&packet), &mut vtcm).map(|e| e.macs))
                    });
                }
            }
        }
        group.finish();
    }
}

criterion_group!(benches, multiply);
criterion_main!(benches);
