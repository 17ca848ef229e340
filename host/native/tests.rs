use super::*;
use crate::native::ffi;
use half::f16;
use hmx_abi::{Inst, Op, instructions};
use proptest::prelude::*;
use std::mem::{offset_of, size_of};

fn inst(syntax: &str, rs: u32, rt: u32) -> Inst<u32> {
    let instr = instructions()
        .iter()
        .find(|i| i.syntax == syntax)
        .expect("in the table");
    Inst { instr, rs, rt }
}

/// 32 x 32 x 32 ones: clear, multiply, store at 0x1800.
fn ones() -> (Program<u32>, Vec<u8>) {
    let mut image = vec![0; 0x2000];
    for half in image[..0x1000].chunks_exact_mut(2) {
        half.copy_from_slice(&0x3C00u16.to_le_bytes());
    }
    for word in image[0x1000..0x1080].chunks_exact_mut(4) {
        word.copy_from_slice(&0x3C00u32.to_le_bytes());
    }
    let program = vec![
        Packet::Single(inst("bias=mxmem2(Rs)", 0x1000, 0)),
        Packet::Single(inst("mxclracc.hf", 0, 0)),
        Packet::Multiply(
            inst("activation.hf=mxmem(Rs,Rt)", 0, 0x7FF),
            inst("weight.hf=mxmem(Rs,Rt)", 0x800, 0x7FF),
        ),
        Packet::Single(inst("mxmem(Rs,Rt):after.hf=acc", 0x1800, 0)),
    ];
    (program, image)
}

#[test]
fn structs_have_the_layout_c_gives_them() {
    // SAFETY: a constant of the C code, never written.
    let c = unsafe { ffi::hmxwb_layout };
    let rust = [
        size_of::<ffi::Step>(),
        size_of::<ffi::Problem>(),
        size_of::<ffi::Plan>(),
        size_of::<ffi::Counters>(),
        size_of::<ffi::Operands>(),
        size_of::<ffi::Machine>(),
        offset_of!(ffi::Problem, usr),
        offset_of!(ffi::Plan, region),
        offset_of!(ffi::Counters, hvx),
        offset_of!(ffi::Counters, dma_transfers),
        offset_of!(ffi::Operands, act_size),
        offset_of!(ffi::Machine, buffer),
        offset_of!(ffi::Machine, found),
        offset_of!(ffi::Machine, found_length),
    ];
    assert_eq!(c, rust.map(|v| v as u64));
}

#[test]
fn a_program_through_c_gives_what_the_model_gives() {
    let (program, mut image) = ones();
    let outcome = run_program(Arch::V81, 0, &program, &mut image).unwrap();
    assert_eq!(outcome.counters.hmx_multiply, 1);
    assert_eq!(outcome.counters.hmx_store, 1);
    for half in image[0x1800..].chunks_exact(2) {
        assert_eq!(half, 0x5000u16.to_le_bytes()); // 32.0
    }
}

#[test]
fn the_models_fault_comes_back_with_its_packet() {
    let (mut program, mut image) = ones();
    let before = image.clone();
    program[3] = Packet::Single(inst("mxmem(Rs,Rt):after.hf=acc", 0x2000, 0));
    match run_program(Arch::V81, 0, &program, &mut image) {
        Err(NativeError::Hmx { packet: 4, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(image, before);
}

#[test]
fn every_instruction_reaches_the_model_as_itself() {
    for i in instructions() {
        let packet = Packet::Single(Inst {
            instr: i,
            rs: 0,
            rt: 0,
        });
        let step = step(&packet);
        assert_eq!(step.word[0] & i.mask, i.bits);
        let address = !matches!(
            i.op,
            Op::Convert { .. } | Op::ClearAcc { .. } | Op::SwapAcc { .. } | Op::ShiftAcc
        );
        assert_eq!(step.relocate, u32::from(address), "{}", i.syntax);
    }
}

#[test]
fn a_second_run_on_the_same_thread_works_after_a_fault() {
    let (program, mut image) = ones();
    let mut short = vec![0; 16];
    assert!(run_program(Arch::V81, 0, &program, &mut short).is_err());
    assert!(run_program(Arch::V81, 0, &program, &mut image).is_ok());
}

#[test]
fn every_fp16_number_widens_to_itself() {
    for bits in 0..=u16::MAX {
        // SAFETY: plain arithmetic.
        let wide = unsafe { ffi::hmxwb_test_widen(bits) };
        let expected = f16::from_bits(bits).to_f32();
        if expected.is_nan() {
            assert_eq!(wide.to_bits(), 0x7FFF_FFFF);
        } else {
            assert_eq!(wide.to_bits(), expected.to_bits(), "{bits:#06x}");
        }
    }
}

/// What f32 to fp16 must give: round to nearest even, one NaN.
fn narrowed(f: f32) -> u16 {
    if f.is_nan() {
        0x7FFF
    } else {
        f16::from_f32(f).to_bits()
    }
}

#[test]
fn numbers_between_fp16_neighbours_narrow_to_nearest_even() {
    for bits in 0..0x7C00u16 {
        let (low, high) = (
            f16::from_bits(bits).to_f32(),
            f16::from_bits(bits + 1).to_f32(),
        );
        let middle = if high.is_infinite() {
            65520.0
        } else {
            (low + high) / 2.0
        };
        let (below, above) = (
            f32::from_bits(middle.to_bits() - 1),
            f32::from_bits(middle.to_bits() + 1),
        );
        for f in [low, below, middle, above] {
            for f in [f, -f] {
                // SAFETY: plain arithmetic.
                assert_eq!(unsafe { ffi::hmxwb_test_narrow(f) }, narrowed(f), "{f:e}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_f32_narrows_as_it_must(bits: u32) {
        let f = f32::from_bits(bits);
        // SAFETY: plain arithmetic.
        prop_assert_eq!(unsafe { ffi::hmxwb_test_narrow(f) }, narrowed(f));
    }

    #[test]
    fn division_is_that_of_the_host(a in 1e-15f32..1e15, b in 1e-15f32..1e15) {
        for (a, b) in [(a, b), (255.0, b), (a, 255.0), (a, a)] {
            // SAFETY: plain arithmetic.
            let quotient = unsafe { ffi::hmxwb_test_divide(a.to_bits(), b.to_bits()) };
            prop_assert_eq!(quotient, (a / b).to_bits(), "{} / {}", a, b);
        }
    }

    #[test]
    fn shuffles_by_short_cut_are_those_of_the_definition(
        bytes in prop::collection::vec(any::<u8>(), 256), r in -64i32..64, deal in 0..2i32,
    ) {
        for r in [r, -1, -2, -4] {
            let run = |by_exchange| {
                let mut pair = bytes.clone();
                let (lo, hi) = pair.split_at_mut(128);
                // SAFETY: both have the 128 bytes of a vector.
                unsafe { ffi::hmxwb_test_shuffle(lo.as_mut_ptr(), hi.as_mut_ptr(), r, deal, by_exchange) };
                pair
            };
            prop_assert_eq!(run(0), run(1), "{}", r);
        }
    }
}
