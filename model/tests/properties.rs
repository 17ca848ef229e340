//! Properties of whole packets, with any operands.

use hmx_abi::{
    Arch, Inst, Packet, instructions,
    op::{Loader, Op, WeightMode},
};
use hmx_model::{Fault, Hmx, Lanes, Memory, Outside, Vtcm, stream};
use proptest::prelude::*;

const BYTES: usize = 1 << 16;

fn inst(syntax: &str, rs: u32, rt: u32) -> Inst<u32> {
    let instr = instructions().iter().find(|i| i.syntax == syntax);
    Inst {
        instr: instr.unwrap_or_else(|| panic!("no instruction `{syntax}`")),
        rs,
        rt,
    }
}

/// Bytes that are random but repeat for a seed.
fn noise(seed: u64) -> Vec<u8> {
    let mut x = seed | 1;
    (0..BYTES)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
        .collect()
}

/// An operand: mostly an address with fields inside the memory, sometimes anything.
fn operand() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => 0..BYTES as u32,
        4 => (0..32u32, 0..2048u32).prop_map(|(block, fields)| block * 2048 + fields),
        1 => any::<u32>(),
    ]
}

/// A packet whose first instruction is any, completed to a multiply where it is a load.
fn packet() -> impl Strategy<Value = Packet<u32>> {
    let any_inst = || {
        (0..instructions().len(), operand(), operand()).prop_map(|(i, rs, rt)| Inst {
            instr: &instructions()[i],
            rs,
            rt,
        })
    };
    let of = |wanted: fn(&Op) -> bool| any_inst().prop_filter("kind", move |i| wanted(&i.instr.op));
    prop_oneof![
        4 => (of(|o| matches!(o, Op::Activation { .. })), of(|o| matches!(o, Op::Weight { .. })))
            .prop_map(|(a, w)| Packet::Multiply(a, w)),
        4 => any_inst().prop_map(Packet::Single),
        1 => (any_inst(), any_inst()).prop_map(|(a, b)| Packet::Multiply(a, b)),
    ]
}

fn arch() -> impl Strategy<Value = Arch> {
    prop_oneof![3 => Just(Arch::V81), 1 => proptest::sample::select(&Arch::ALL[..])]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Nothing panics or runs away, the two compiled forms agree on the whole state and the
    /// whole memory, and a fault changes neither.
    #[test]
    fn any_program_runs_the_same_in_both_forms_and_faults_change_nothing(
        arch in arch(),
        usr in 0..4u32,
        seed in any::<u64>(),
        program in proptest::collection::vec(packet(), 1..12),
    ) {
        let (mut ours, mut theirs) = (noise(seed), noise(seed));
        let mut fast = Hmx::with_lanes(arch, Lanes::fastest());
        let mut slow = Hmx::with_lanes(arch, Lanes::PORTABLE);
        fast.set_usr(usr << 20);
        slow.set_usr(usr << 20);
        for packet in &program {
            let before = (fast.clone(), ours.clone());
            let a = fast.execute(packet, &mut Vtcm { base: 0, bytes: &mut ours });
            let b = slow.execute(packet, &mut Vtcm { base: 0, bytes: &mut theirs });
            prop_assert_eq!(&a, &b);
            prop_assert!(fast.state() == slow.state(), "states differ after {:?}", packet);
            prop_assert!(ours == theirs, "memories differ after {:?}", packet);
            if a.is_err() {
                prop_assert!(fast == before.0 && ours == before.1, "fault changed something");
            }
        }
    }

    /// A plain product is the exact one, wrapping, for every integer loader.
    #[test]
    fn a_plain_integer_product_is_exact(
        seed in any::<u64>(),
        loader in proptest::sample::select(&[
            Loader::B, Loader::Sm, Loader::N, Loader::C, Loader::Sc, Loader::Ubit, Loader::Sbit,
        ][..]),
        cm in any::<bool>(),
        times in 1..4usize,
    ) {
        let mut bytes = noise(seed);
        let weight = instructions().iter().find(|i| {
            i.op == Op::Weight { loader, mode: WeightMode::Plain }
        });
        let load = if cm { "activation.ub=mxmem(Rs,Rt):cm" } else { "activation.ub=mxmem(Rs,Rt)" };
        let packet = Packet::Multiply(
            inst(load, 0, 0x7FF),
            Inst { instr: weight.unwrap(), rs: 4096, rt: 0x7FF },
        );
        let mut hmx = Hmx::new(Arch::V81);
        for _ in 0..times {
            let done = hmx.execute(&packet, &mut Vtcm { base: 0, bytes: &mut bytes }).unwrap();
            prop_assert_eq!(done.macs, 64 * 32 * 32);
        }
        let per_vector = stream::positions_per_vector(loader) as usize;
        let mut rows = [[0; 32]; 32];
        let mut expected = [[0i32; 32]; 64];
        for c in 0..32 {
            let vector = 4096 + c / per_vector * 128;
            stream::decode(loader, &bytes[vector..vector + 128], &mut rows);
            for (s, sums) in expected.iter_mut().enumerate() {
                let at = if cm { s * 32 + c } else { (s >> 2) * 128 + c * 4 + (s & 3) };
                for (sum, weight) in sums.iter_mut().zip(&rows[c % per_vector]) {
                    *sum = sum.wrapping_add(i32::from(bytes[at]) * weight);
                }
            }
        }
        for row in expected.as_flattened_mut() {
            *row = row.wrapping_mul(times as i32);
        }
        prop_assert!(hmx.state().fixed[0] == expected);
    }

    /// `:deep` over n croutons is the loop over single croutons.
    #[test]
    fn deep_is_the_loop(seed in any::<u64>(), blocks in 1..6u32, hf in any::<bool>()) {
        let mut bytes = noise(seed);
        let (elem, loader, tile) = if hf { ("hf", "hf", 2048) } else { ("ub", "b", 1024) };
        let weight = format!("weight.{loader}=mxmem(Rs,Rt)");
        let single = format!("activation.{elem}=mxmem(Rs,Rt)");
        let (mut deep, mut looped) = (Hmx::new(Arch::V81), Hmx::new(Arch::V81));
        let packet = Packet::Multiply(
            inst(&format!("{single}:deep"), 0, 0x7FF + 2048 * (blocks - 1)),
            inst(&weight, 0x8000, tile * blocks - 1),
        );
        deep.execute(&packet, &mut Vtcm { base: 0, bytes: &mut bytes }).unwrap();
        for i in 0..blocks {
            let packet = Packet::Multiply(
                inst(&single, 2048 * i, 0x7FF),
                inst(&weight, 0x8000 + tile * i, tile - 1),
            );
            looped.execute(&packet, &mut Vtcm { base: 0, bytes: &mut bytes }).unwrap();
        }
        prop_assert!(deep == looped);
    }
}

/// A memory that writes down what a packet used.
struct Watched<'a> {
    inner: Vtcm<'a>,
    consumed: Vec<(u32, usize)>,
    written: Vec<(u32, usize)>,
}

impl Memory for Watched<'_> {
    fn load(&self, at: u32, len: usize) -> Result<&[u8], Outside> {
        self.inner.load(at, len)
    }
    fn store(&mut self, at: u32, len: usize) -> Result<&mut [u8], Outside> {
        self.inner.store(at, len)
    }
    fn consumed(&mut self, at: u32, len: usize) {
        self.consumed.push((at, len));
    }
    fn written(&mut self, at: u32, len: usize) {
        self.written.push((at, len));
    }
}

/// Address and length of each run of bytes.
type Runs = Vec<(u32, usize)>;

/// What a packet consumed and wrote.
fn watch(packet: &Packet<u32>) -> (Runs, Runs) {
    let mut bytes = noise(7);
    let mut memory = Watched {
        inner: Vtcm {
            base: 0,
            bytes: &mut bytes,
        },
        consumed: vec![],
        written: vec![],
    };
    Hmx::new(Arch::V81).execute(packet, &mut memory).unwrap();
    (memory.consumed, memory.written)
}

#[test]
fn a_watching_memory_learns_exactly_what_was_used() {
    let multiply = |a: &str, rs, rt, w: &str, last| {
        watch(&Packet::Multiply(inst(a, rs, rt), inst(w, 0x8000, last))).0
    };
    let (ub, b) = ("activation.ub=mxmem(Rs,Rt)", "weight.b=mxmem(Rs,Rt)");
    // Channels 0..8 need two vectors of four; one y tap of 1 reaches into the second block.
    assert_eq!(multiply(ub, 0, 0x79F, b, 0x3FF), [(0, 2048), (0x8000, 256)]);
    assert_eq!(
        multiply(ub, 1, 0x1000 + 0x79F, b, 0x3FF),
        [(0, 2048), (0x1000, 2048), (0x8000, 512)]
    );
    // Only three vectors are valid.
    assert_eq!(multiply(ub, 0, 0x7FF, b, 0x17F), [(0, 2048), (0x8000, 384)]);
    let deep = "activation.hf=mxmem(Rs,Rt):deep";
    assert_eq!(
        multiply(deep, 0, 0x17FF, "weight.hf=mxmem(Rs,Rt)", 0x17FF),
        [(0, 3 * 2048), (0x8000, 3 * 2048)]
    );
    let store = inst("mxmem(Rs,Rt):after.uh=acc:2x1", 0x400, 0x700);
    let (_, written) = watch(&Packet::Single(store));
    assert_eq!(written, [(0x400, 1024)]);
    let bias = inst("bias=mxmem2(Rs)", 0x300, 0);
    assert_eq!(watch(&Packet::Single(bias)).0, [(0x300, 256)]);
}

#[test]
fn each_fault_names_its_cause() {
    let run = |arch, packet| {
        let mut bytes = noise(1);
        let mut memory = Vtcm {
            base: 0,
            bytes: &mut bytes,
        };
        Hmx::new(arch).execute(&packet, &mut memory).unwrap_err()
    };
    let single = |s, rs| Packet::Single(inst(s, rs, 0));
    let hf = || inst("activation.hf=mxmem(Rs,Rt)", 0, 0x7FF);
    let ub = || inst("activation.ub=mxmem(Rs,Rt)", 0, 0x7FF);
    let weight = |s| inst(s, 0x1000, 0x7FF);
    use Arch::{V68, V79, V81};
    assert!(matches!(
        run(V68, single("cvt.ub=acc(Rs)", 0)),
        Fault::TooNew { .. }
    ));
    assert!(matches!(
        run(V79, single("acc=mxshl(acc,#16)", 0)),
        Fault::Removed { .. }
    ));
    assert!(matches!(
        run(V81, single("cvt.ub=acc(Rs):sc0", 0)),
        Fault::Unsupported { .. }
    ));
    assert!(matches!(
        run(V81, single("cvt.uh=acc(Rs):2x1", 4)),
        Fault::UnknownFeedback { .. }
    ));
    assert!(matches!(
        run(V81, single("bias=mxmem2(Rs)", 0x90)),
        Fault::Misaligned { .. }
    ));
    assert!(matches!(
        run(V81, single("bias=mxmem(Rs)", 0x20000)),
        Fault::Outside(_)
    ));
    assert!(matches!(
        run(V81, Packet::Single(hf())),
        Fault::LoneLoad { .. }
    ));
    assert!(matches!(
        run(V81, Packet::Multiply(hf(), hf())),
        Fault::NotAMultiply { .. }
    ));
    let n2x = Packet::Multiply(ub(), weight("weight.n=mxmem(Rs,Rt):2x"));
    assert!(matches!(run(V81, n2x), Fault::Unsupported { .. }));
    for (arch, a, w) in [
        (V79, hf(), "weight.n=mxmem(Rs,Rt)"),
        (V81, hf(), "weight.b=mxmem(Rs,Rt)"),
        (V81, ub(), "weight.hf=mxmem(Rs,Rt)"),
    ] {
        let mix = Packet::Multiply(a, weight(w));
        assert!(matches!(run(arch, mix), Fault::UnknownMix { .. }), "{w}");
    }
}

/// The four readings of mixed packets on v81 silicon, to the digits written down.
#[test]
fn mixed_packets_read_weight_bytes_as_halfwords_of_some_channels() {
    for (loader, byte, read) in [
        ("ubit", 0x11, 0.0099),
        ("n", 0x11, 0.0049),
        ("sbit", 0x11, 0.0099),
        ("ubit", 0x21, 0.16),
    ] {
        let mut bytes = [0x00, 0x3C].repeat(BYTES / 2);
        bytes[0x8000..].fill(byte);
        let packet = Packet::Multiply(
            inst("activation.hf=mxmem(Rs,Rt)", 0, 0x7FF),
            inst(&format!("weight.{loader}=mxmem(Rs,Rt)"), 0x8000, 0x7FF),
        );
        let mut hmx = Hmx::new(Arch::V81);
        let memory = &mut Vtcm {
            base: 0,
            bytes: &mut bytes,
        };
        let done = hmx.execute(&packet, memory).unwrap();
        assert!(done.mixed && done.evidence == hmx_abi::Evidence::SiliconFit);
        for row in &hmx.state().float[0] {
            for (sig, exp) in row.sig.iter().zip(&row.exp) {
                let value = f64::from(*sig) * 2f64.powi(exp - 22);
                // The readings are on record with two significant digits.
                approx::assert_relative_eq!(value, read, max_relative = 0.02);
            }
        }
    }
}
