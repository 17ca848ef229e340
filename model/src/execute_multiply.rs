//! The multiply: an activation and a weight load in one packet.

use crate::{
    Executed, Fault, Hmx, Memory,
    load::{Load, Operands},
    multiply_fixed, multiply_float,
    state::State,
    stream,
};
use hmx_abi::{
    Evidence, Inst,
    op::{ActElem, Loader, Op},
};

impl Hmx {
    pub(crate) fn multiply(
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
}
