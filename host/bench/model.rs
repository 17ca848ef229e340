//! The model's multiply, per weight loader, beside a naive product of the same shape.

use super::seconds;
use half::f16;
use hmx_abi::{Arch, Inst, Packet, instructions};
use hmx_model::{Fault, Hmx, Vtcm};
use serde::Serialize;
use std::hint::black_box;
use std::time::Duration;

/// Input channels of the benchmark's packet: `:deep` over 32 croutons.
const K: usize = 1024;
/// Where the weights lie, behind the activations.
const WEIGHTS: u32 = 0x1_0000;
const IMAGE: usize = 0x2_0000;

/// One loader's figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Weight loader, as in the assembly.
    pub loader: &'static str,
    /// Activation type, as in the assembly.
    pub activation: &'static str,
    /// Multiply-accumulates of one packet, as the model counts them.
    pub macs: u64,
    /// Multiply-accumulates per second of the model.
    pub model: f64,
    /// Multiply-accumulates per second of the naive product.
    pub naive: f64,
}

/// Loader, activation type, stream positions in a 128-byte weight vector.
const LOADERS: [(&str, &str, usize); 9] = [
    ("b", "ub", 4),
    ("sm", "ub", 4),
    ("n", "ub", 8),
    ("c", "ub", 16),
    ("sc", "ub", 16),
    ("ubit", "ub", 32),
    ("sbit", "ub", 32),
    ("hf", "hf", 2),
    ("f8", "f8", 4),
];

/// Measures every loader of one architecture version for about `time` each. `done` is told the
/// loader after each; a loader the version lacks is left out.
///
/// # Errors
/// The model's fault, should it refuse a packet.
pub fn figures(
    arch: Arch,
    time: Duration,
    mut done: impl FnMut(&str),
) -> Result<Vec<Figure>, Fault> {
    let fixed = naive_fixed(time);
    let float = naive_float(time);
    let mut figures = Vec::new();
    for (loader, activation, positions) in LOADERS {
        let Some(packet) = packet(arch, loader, activation, positions) else {
            continue;
        };
        let naive = if activation == "ub" { fixed } else { float };
        figures.push(figure(arch, loader, activation, &packet, time, naive)?);
        done(loader);
    }
    Ok(figures)
}

/// `{activation.X=mxmem(0,..):deep; weight.Y=mxmem(WEIGHTS,..)}` over all of K.
fn packet(arch: Arch, loader: &str, activation: &str, positions: usize) -> Option<Packet<u32>> {
    let inst = |syntax: String, rs: u32, rt: u32| {
        let instr = instructions().iter().find(|i| i.syntax == syntax)?;
        instr.available(arch).then_some(Inst { instr, rs, rt })
    };
    let blocks = (K / 32) as u32;
    let weight_bytes = (K / positions * 128) as u32;
    Some(Packet::Multiply(
        inst(
            format!("activation.{activation}=mxmem(Rs,Rt):deep"),
            0,
            0x7ff + 0x800 * (blocks - 1),
        )?,
        inst(
            format!("weight.{loader}=mxmem(Rs,Rt)"),
            WEIGHTS,
            weight_bytes - 1,
        )?,
    ))
}

fn figure(
    arch: Arch,
    loader: &'static str,
    activation: &'static str,
    packet: &Packet<u32>,
    time: Duration,
    naive: f64,
) -> Result<Figure, Fault> {
    // No byte has the exponent of an infinity, and no two neighbours are alike.
    let mut image: Vec<u8> = (0..IMAGE).map(|i| (i * 7 % 61) as u8).collect();
    let mut memory = Vtcm {
        base: 0,
        bytes: &mut image,
    };
    let mut hmx = Hmx::new(arch);
    let macs = hmx.execute(packet, &mut memory)?.macs;
    let mut fault = None;
    let one = seconds(time, || {
        fault = hmx.execute(black_box(packet), &mut memory).err()
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(Figure {
            loader,
            activation,
            macs,
            model: macs as f64 / one,
            naive,
        }),
    }
}

/// 64 x 1024 times 1024 x 32 in uint8, int8 and int32: three loops, nothing else.
fn naive_fixed(time: Duration) -> f64 {
    let activation: Vec<u8> = (0..64 * K).map(|i| (i * 7) as u8).collect();
    let weight: Vec<i8> = (0..K * 32).map(|i| (i * 5) as i8).collect();
    let mut sums = vec![0i32; 64 * 32];
    let one = seconds(time, || {
        let (activation, weight) = (black_box(&activation), black_box(&weight));
        for s in 0..64 {
            for o in 0..32 {
                let mut sum = sums[s * 32 + o];
                for k in 0..K {
                    let product = i32::from(activation[s * K + k]) * i32::from(weight[k * 32 + o]);
                    sum = sum.wrapping_add(product);
                }
                sums[s * 32 + o] = sum;
            }
        }
        black_box(&mut sums);
    });
    (64 * K * 32) as f64 / one
}

/// 32 x 1024 times 1024 x 32 in fp16, converted to and summed in f32: three loops, nothing else.
fn naive_float(time: Duration) -> f64 {
    let value = |i: usize| f16::from_f32((i * 7 % 61) as f32 / 16.0);
    let activation: Vec<f16> = (0..32 * K).map(value).collect();
    let weight: Vec<f16> = (0..K * 32).map(value).collect();
    let mut sums = vec![0f32; 32 * 32];
    let one = seconds(time, || {
        let (activation, weight) = (black_box(&activation), black_box(&weight));
        for s in 0..32 {
            for o in 0..32 {
                let mut sum = 0.0;
                for k in 0..K {
                    sum += activation[s * K + k].to_f32() * weight[k * 32 + o].to_f32();
                }
                sums[s * 32 + o] = sum;
            }
        }
        black_box(&mut sums);
    });
    (32 * K * 32) as f64 / one
}
