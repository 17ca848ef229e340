//! One packet: every check first, then the effect (HMX reference: "Instructions").

use crate::{
    Fault, Lanes, Memory, Params, bias,
    convert_fixed::{self, Limited},
    convert_float,
    load::{Load, Operands},
    multiply_fixed, multiply_float,
    state::{FloatRow, State},
    store::{self, Axis, Split},
    stream,
};
use hmx_abi::{
    Arch, Evidence, Inst, Packet,
    op::{ActElem, Format, Loader, Op},
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
    arch: Arch,
    params: &'static Params,
    usr: u32,
    lanes: Lanes,
    state: Box<State>,
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

    fn special(&self) -> bool {
        self.usr & 1 << 20 != 0
    }

    fn propagate(&self) -> bool {
        self.usr & 1 << 21 != 0
    }

    fn available(&self, inst: &Inst<u32>) -> Result<(), Fault> {
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

    fn done(&self, float: bool) -> Executed {
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

    fn multiply(
        &mut self,
        activation: &Inst<u32>,
        weight: &Inst<u32>,
        memory: &mut impl Memory,
    ) -> Result<Executed, Fault> {
        let (elem, mode, cm, loader, weight_mode) = match (activation.instr.op, weight.instr.op) {
            (Op::Activation { elem, mode, cm }, Op::Weight { loader, mode: w }) => {
                (elem, mode, cm, loader, w)
            }
            _ => {
                return Err(Fault::NotAMultiply {
                    first: activation.instr.syntax,
                    second: weight.instr.syntax,
                });
            }
        };
        self.available(activation)?;
        self.available(weight)?;
        if loader == Loader::N2x {
            return Err(Fault::Unsupported {
                syntax: weight.instr.syntax,
            });
        }
        let float = elem != ActElem::Ub;
        let mixed = float != stream::is_float(loader);
        let contributing = match (mixed, elem, loader, self.params.mixed) {
            (false, ..) => None,
            (true, ActElem::Hf, Loader::Ubit | Loader::Sbit, true) => Some(16),
            (true, ActElem::Hf, Loader::N, true) => Some(8),
            _ => {
                return Err(Fault::UnknownMix {
                    activation: activation.instr.syntax,
                    weight: weight.instr.syntax,
                    arch: self.arch,
                });
            }
        };
        let load = Load::new(
            (elem, mode, cm),
            (loader, weight_mode),
            Operands {
                activation: (activation.rs, activation.rt),
                weight: (weight.rs, weight.rt),
            },
            self.params.bf16,
            contributing,
        );
        let used = load.check(memory)?;
        let special = self.special();
        let State {
            fixed,
            float: floats,
            current,
            ..
        } = &mut *self.state;
        let macs = if float {
            multiply_float::multiply(
                &load,
                floats,
                *current,
                memory,
                self.params,
                special,
                self.lanes,
            )?
        } else {
            multiply_fixed::multiply(&load, fixed, *current, memory, self.lanes)?
        };
        load.report(used, memory);
        Ok(Executed {
            evidence: if mixed {
                Evidence::SiliconFit
            } else {
                self.done(float).evidence
            },
            mixed,
            macs,
            vectors: used.vectors,
            ..self.done(float)
        })
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

    fn converted(&self, format: Format) -> Executed {
        let float = matches!(format, Format::Hf | Format::F8);
        Executed {
            converted: if float { 1024 } else { 2048 },
            ..self.done(float)
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

    fn set_number(&self, field: u32) -> usize {
        (field & 3) as usize % self.params.bias_sets
    }

    /// Clears the current set's plane and selects the other set.
    fn release(&mut self, format: Format) {
        let state = &mut *self.state;
        match format {
            Format::Hf | Format::F8 => {
                state.float[state.current] = [FloatRow::zero(self.params.exp_min); 32]
            }
            _ => state.fixed[state.current] = [[0; 32]; 64],
        }
        state.current ^= 1;
    }

    #[allow(clippy::too_many_arguments)] // the fields of one instruction
    fn convert_store(
        &self,
        rs: u32,
        rt: u32,
        format: Format,
        split: Split,
        pos: bool,
        sat: bool,
        memory: &mut impl Memory,
    ) -> Result<(), Fault> {
        let fixed = convert_fixed::Choices {
            legacy: true,
            saturate: sat,
            extra: false,
            select: 3,
            feedback: None,
        };
        let float = convert_float::Choices {
            bf16: false,
            fine: false,
            maxnorm: false,
            positive: pos,
            special: self.special(),
            propagate: self.propagate(),
            feedback: None,
        };
        let mut cells = [[0; 32]; 64];
        self.run_convert(format, 0, fixed, float, false, &mut cells);
        Ok(store::one_step(&cells, rs, rt, split, memory)?)
    }

    fn run_convert(
        &self,
        format: Format,
        set: usize,
        fixed: convert_fixed::Choices,
        float: convert_float::Choices,
        high: bool,
        cells: &mut crate::pipeline::Cells,
    ) {
        let state = &*self.state;
        let (bias, current) = (&state.bias[set], state.current);
        match format {
            Format::Ub | Format::UbSc0 | Format::UbSc1 => {
                convert_fixed::ub(&state.fixed[current], bias, fixed, cells)
            }
            Format::Uh2x1 => convert_fixed::uh_2x1(&state.fixed[current], bias, fixed, cells),
            Format::Uh2x2 => convert_fixed::uh_2x2(&state.fixed[current], bias, fixed, cells),
            Format::Hf => convert_float::hf(&state.float[current], bias, float, cells),
            Format::F8 => convert_float::f8(&state.float[current], bias, float, high, cells),
        }
    }

    fn convert(&mut self, rs: u32, format: Format, syntax: &'static str) -> Result<(), Fault> {
        let bit = |n: u32| rs >> n & 1 == 1;
        let feedback = match (rs >> 2 & 3, format) {
            (0, _) => None,
            (1, Format::Ub | Format::Hf) => Some((Limited::OutputBias, bit(4))),
            (2, Format::Ub | Format::Hf) => Some((Limited::Scale, bit(4))),
            _ => return Err(Fault::UnknownFeedback { syntax, rs }),
        };
        let fixed = convert_fixed::Choices {
            legacy: false,
            saturate: !bit(1),
            extra: bit(5),
            select: rs >> 9 & 3,
            feedback,
        };
        let float = convert_float::Choices {
            bf16: self.params.bf16 && bit(7),
            fine: bit(8),
            maxnorm: bit(6),
            positive: !bit(1),
            special: self.special(),
            propagate: self.propagate(),
            feedback,
        };
        let is_f8 = format == Format::F8;
        let mut future = if is_f8 {
            self.state.cvt_f8.future
        } else {
            self.state.cvt.future
        };
        let set = self.set_number(rs >> 12);
        self.run_convert(format, set, fixed, float, bit(11), &mut future);
        let pipeline = if is_f8 {
            &mut self.state.cvt_f8
        } else {
            &mut self.state.cvt
        };
        pipeline.future = future;
        match feedback {
            None => pipeline.age(),
            Some(_) => pipeline.replace(),
        }
        if !bit(0) {
            self.release(format);
        }
        Ok(())
    }
}
