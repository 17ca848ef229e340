//! The converts: from accumulator cells to results, at once or into a pipeline.

use crate::{
    Executed, Fault, Hmx, Memory,
    convert_fixed::{self, Limited},
    convert_float,
    pipeline::Cells,
    state::FloatRow,
    store::{self, Split},
};
use hmx_abi::op::Format;

impl Hmx {
    #[allow(clippy::too_many_arguments)] // the fields of one instruction
    pub(crate) fn convert_store(
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

    pub(crate) fn convert(
        &mut self,
        rs: u32,
        format: Format,
        syntax: &'static str,
    ) -> Result<(), Fault> {
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

    fn run_convert(
        &self,
        format: Format,
        set: usize,
        fixed: convert_fixed::Choices,
        float: convert_float::Choices,
        high: bool,
        cells: &mut Cells,
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

    pub(crate) fn converted(&self, format: Format) -> Executed {
        let float = matches!(format, Format::Hf | Format::F8);
        Executed {
            converted: if float { 1024 } else { 2048 },
            ..self.done(float)
        }
    }

    /// Clears the current set's plane and selects the other set.
    pub(crate) fn release(&mut self, format: Format) {
        let state = &mut *self.state;
        match format {
            Format::Hf | Format::F8 => {
                state.float[state.current] = [FloatRow::zero(self.params.exp_min); 32]
            }
            _ => state.fixed[state.current] = [[0; 32]; 64],
        }
        state.current ^= 1;
    }
}
