//! From float cells to fp16, bf16 and f8 results (HMX reference: "fp16 convert").

use crate::{
    bias::{Constant, FloatBias},
    convert_fixed::Limited,
    encode_float::{Sum, encode, encode_f8},
    number::sticky_shift,
    pipeline::{Cells, join, split},
    state::{FloatPlane, inf},
};

/// What the instruction, its Rs and USR choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// Result and constants are bf16.
    pub bf16: bool,
    /// Round to 4 more fraction bits, then truncate.
    pub fine: bool,
    /// Overflow gives the largest finite number.
    pub maxnorm: bool,
    /// Negatives become +0.
    pub positive: bool,
    /// inf/nan enable.
    pub special: bool,
    /// nan propagate.
    pub propagate: bool,
    /// What a feedback convert limits, and whether the larger value is taken.
    pub feedback: Option<(Limited, bool)>,
}

/// Accumulator bias, shape, scale and output bias of one cell.
fn evaluate(sig: i32, exp: i32, flags: i32, bias: &FloatBias, choices: Choices) -> Sum {
    let scale = if bias.negate {
        bias.scale.negated()
    } else {
        bias.scale
    };
    // Accumulator plus bias, 22 fraction bits, aligned to the larger exponent.
    let add = bias.accumulator;
    let (sum, e) = if add.sig == 0 {
        (i64::from(sig), exp)
    } else {
        let e = exp.max(add.exp - 1);
        let cell = sticky_shift(i64::from(sig), e - exp);
        (cell + sticky_shift(add.sig << 8, e - (add.exp - 1)), e)
    };
    let mut x_inf = flags | add.inf;
    // 13 fraction bits and no redundant sign bit: `x * 2^-14 * 2^ex`.
    let magnitude = if sum < 0 { !sum } else { sum };
    let shift = 64 - magnitude.leading_zeros() as i32 - 15;
    let (mut x, ex) = (
        if shift > 0 {
            sticky_shift(sum, shift)
        } else {
            sum << -shift
        },
        e + shift - 8,
    );
    if sum == 0 {
        x = 0;
    }
    let stays_nan = x_inf == inf::NAN && choices.propagate;
    let mut scale = scale;
    match bias.shape {
        1 if x_inf != 0 && !stays_nan && x_inf & inf::POS != 0 => (x, x_inf) = (0, 0),
        2 if x_inf != 0 && !stays_nan && x_inf & inf::NEG != 0 => (x, x_inf) = (0, 0),
        1 => x = x.min(0),
        2 => x = x.max(0),
        3 if x_inf == inf::NEG || (x_inf == 0 && x < 0) => scale = scale.negated(),
        _ => {}
    }
    let product_inf = product_inf(x, x_inf, scale);
    let result_inf = product_inf | bias.output.inf;
    let product = if x_inf == 0 { x * scale.sig } else { 0 };
    let output = bias.output.sig;
    let (ep, eo) = (ex + scale.exp - 2, bias.output.exp - 1);
    let top = match (product != 0, output != 0) {
        (true, true) => ep.max(eo),
        (true, false) => ep,
        _ => eo,
    };
    let product = if product == 0 {
        0
    } else {
        sticky_shift(product, top - ep)
    };
    let output = if output == 0 {
        0
    } else {
        sticky_shift(output << 13, top - eo)
    };
    Sum {
        sum: product + output,
        unit: top - 26,
        inf: result_inf,
    }
}

fn product_inf(x: i64, x_inf: i32, scale: Constant) -> i32 {
    if x_inf | scale.inf == 0 {
        return 0;
    }
    let zero = (x_inf == 0 && x == 0) || (scale.inf == 0 && scale.sig == 0);
    if zero || x_inf == inf::NAN || scale.inf == inf::NAN {
        return inf::NAN;
    }
    let negative = (x_inf == inf::NEG || (x_inf == 0 && x < 0))
        != (scale.inf == inf::NEG || (scale.inf == 0 && scale.sig < 0));
    if negative { inf::NEG } else { inf::POS }
}

/// A bias entry after feedback: the chosen field limited by the previous result.
fn limited(mut bias: FloatBias, previous: u32, choices: Choices) -> FloatBias {
    if let Some((field, larger)) = choices.feedback {
        let previous = Constant::of_result(previous, choices.bf16, choices.special);
        let field = match field {
            Limited::OutputBias => &mut bias.output,
            Limited::Scale => &mut bias.scale,
        };
        let previous_is_larger = previous.value() > field.value();
        if previous_is_larger == (larger != bias.negate) {
            *field = previous;
        }
    }
    bias
}

/// hf: a 16-bit result in the two cells of rows 2r and 2r+1.
pub fn hf(plane: &FloatPlane, bias: &[u64; 32], choices: Choices, future: &mut Cells) {
    for (r, row) in plane.iter().enumerate() {
        for o in 0..32 {
            let constants = FloatBias::of(bias[o], choices.bf16, choices.special);
            let previous = join(future[2 * r][o], future[2 * r + 1][o]);
            let constants = limited(constants, previous, choices);
            let value = evaluate(row.sig[o], row.exp[o], row.inf[o], &constants, choices);
            (future[2 * r][o], future[2 * r + 1][o]) = split(encode(value, choices));
        }
    }
}

/// f8: one byte of the slot (row 2r the low one, row 2r+1 the high one), the other stays.
pub fn f8(plane: &FloatPlane, bias: &[u64; 32], choices: Choices, high: bool, future: &mut Cells) {
    for (r, row) in plane.iter().enumerate() {
        for o in 0..32 {
            let constants = FloatBias::of(bias[o], choices.bf16, choices.special);
            let value = evaluate(row.sig[o], row.exp[o], row.inf[o], &constants, choices);
            future[2 * r + usize::from(high)][o] = (encode_f8(value, choices) << 4) as u16;
        }
    }
}
