use super::*;
use crate::native::ffi;
use hmx_abi::{Inst, Op, instructions};
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
