//! One packet: every check first, then the effect (HMX reference: "Instructions").
//!
//! `execute_multiply` has the multiply, `execute_convert` the converts.

use crate::{
    Fault, Lanes, Memory, Params, bias,
    state::{FloatRow, State},
    store::{self, Axis, Split},
};
use hmx_abi::{
    Arch, Evidence, Inst, Packet,
    op::{Format, Op},
};

/// What executing a packet said about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Class of evidence behind the packet's effect on this architecture.
    pub evidence: Evidence,
    /// An integer loader met a float activation: see the findings.
    pub mixed: bool,
    /// Multiply-accumulates done.
    pub macs: u64,
    /// Weight vectors consumed, 128 bytes each.
    pub vectors: u32,
    /// Accumulator cells converted.
    pub converted: u32,
}

/// One HMX unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hmx {
    pub(crate) arch: Arch,
    pub(crate) params: &'static Params,
    usr: u32,
    pub(crate) lanes: Lanes,
    pub(crate) state: Box<State>,
}

impl Hmx {
    /// A unit after reset.
    pub fn new(arch: Arch) -> Hmx {
        Hmx::with_lanes(arch, Lanes::fastest())
    }

    /// A unit after reset whose inner loops run in the given form.
    pub fn with_lanes(arch: Arch, lanes: Lanes) -> Hmx {
        let params = Params::of(arch);
        Hmx {
            arch,
            params,
            usr: 0,
            lanes,
            state: State::new(params.exp_min),
        }
    }

    /// The version this unit behaves like.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Sets the user status register: bit 20 inf/nan enable, bit 21 nan propagate.
    pub fn set_usr(&mut self, usr: u32) {
        self.usr = usr;
    }

    /// The user status register.
    pub fn usr(&self) -> u32 {
        self.usr
    }

    /// inf/nan enable.
    pub(crate) fn special(&self) -> bool {
        self.usr & 1 << 20 != 0
    }

    /// nan propagate.
    pub(crate) fn propagate(&self) -> bool {
        self.usr & 1 << 21 != 0
    }

    /// Everything the unit remembers: accumulators, bias registers, convert pipelines.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Executes one packet on `memory`. After a [`Fault`] the unit and the memory are as before.
    pub fn execute(
        &mut self,
        packet: &Packet<u32>,
        memory: &mut impl Memory,
    ) -> Result<Executed, Fault> {
        match packet {
            Packet::Multiply(activation, weight) => self.multiply(activation, weight, memory),
            Packet::Single(inst) => self.single(inst, memory),
        }
    }

    pub(crate) fn available(&self, inst: &Inst<u32>) -> Result<(), Fault> {
        let (arch, syntax) = (self.arch, inst.instr.syntax);
        if arch < inst.instr.introduced {
            let introduced = inst.instr.introduced;
            return Err(Fault::TooNew {
                syntax,
                introduced,
                arch,
            });
        }
        match inst.instr.removed {
            Some(removed) if arch >= removed => Err(Fault::Removed {
                syntax,
                removed,
                arch,
            }),
            _ => Ok(()),
        }
    }

    pub(crate) fn done(&self, float: bool) -> Executed {
        Executed {
            evidence: if float {
                self.params.float
            } else {
                self.params.fixed
            },
            mixed: false,
            macs: 0,
            vectors: 0,
            converted: 0,
        }
    }

    fn single(&mut self, inst: &Inst<u32>, memory: &mut impl Memory) -> Result<Executed, Fault> {
        self.available(inst)?;
        let (rs, rt, syntax) = (inst.rs, inst.rt, inst.instr.syntax);
        match inst.instr.op {
            Op::Activation { .. } | Op::Weight { .. } => Err(Fault::LoneLoad { syntax }),
            Op::LoadBias { wide } => {
                let set = self.bias_set(rs, wide, syntax)?;
                bias::load(&mut self.state.bias[set], rs, wide, memory)?;
                Ok(self.done(false))
            }
            Op::StoreBias { wide } => {
                let set = self.bias_set(rs, wide, syntax)?;
                bias::store(&self.state.bias[set], rs, wide, memory)?;
                Ok(self.done(false))
            }
            Op::ClearAcc { float: false } => {
                self.state.fixed = [[[0; 32]; 64]; 2];
                Ok(self.done(false))
            }
            Op::ClearAcc { float: true } => {
                self.state.float = [[FloatRow::zero(self.params.exp_min); 32]; 2];
                Ok(self.done(true))
            }
            Op::SwapAcc { float } => {
                self.state.current ^= 1;
                Ok(self.done(float))
            }
            Op::ShiftAcc => {
                for cell in self.state.fixed.as_flattened_mut().as_flattened_mut() {
                    *cell <<= 16;
                }
                Ok(self.done(false))
            }
            Op::ConvertStore {
                after,
                retain,
                pos,
                cm,
                sat,
                format,
            } => {
                let axis = match format {
                    Format::Ub => Some(Axis::X),
                    Format::Uh2x1 | Format::Uh2x2 => Some(Axis::Y),
                    _ => None,
                };
                let split = Split { after, axis, cm };
                self.convert_store(rs, rt, format, split, pos, sat, memory)?;
                if !retain {
                    self.release(format);
                }
                Ok(self.converted(format))
            }
            Op::Convert { format } => {
                if matches!(format, Format::UbSc0 | Format::UbSc1) {
                    return Err(Fault::Unsupported { syntax });
                }
                self.convert(rs, format, syntax)?;
                Ok(self.converted(format))
            }
            Op::StoreCvt { cm, deep, f8, .. } => {
                let (first, second) = store::two_step_blocks(rs, rt, cm)?;
                memory.store(first, 2048)?;
                if let Some(second) = second {
                    memory.store(second, 2048)?;
                }
                let pipeline = if f8 {
                    &self.state.cvt_f8
                } else {
                    &self.state.cvt
                };
                store::two_step(pipeline, rs, rt, cm, deep, memory)?;
                Ok(self.done(f8))
            }
        }
    }

    /// The bias set of Rs; a fault when bits are set that belong to no field.
    fn bias_set(&self, rs: u32, wide: bool, syntax: &'static str) -> Result<usize, Fault> {
        let (_, len) = bias::area(rs, wide);
        let align = len as u32;
        let stray = rs & (align - 1) & !3;
        if stray != 0 {
            return Err(Fault::Misaligned {
                syntax,
                at: rs,
                stray,
                align,
            });
        }
        Ok(self.set_number(rs))
    }

    pub(crate) fn set_number(&self, field: u32) -> usize {
        (field & 3) as usize % self.params.bias_sets
    }
}
