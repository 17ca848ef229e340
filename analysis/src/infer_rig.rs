//! The single-tile program that inference runs again and again, and its operands.

use crate::infer::InferError;
use hmx_abi::op::{ActElem, ActMode, Format, Loader, WeightMode};
use hmx_abi::{Inst, Op, Packet, Program, instructions};

/// Bytes of each operand area. Larger than a tile needs, so that its end is found, too.
pub const AREA: usize = 2048;

const ACTIVATION: u32 = 0x0000;
const WEIGHT: u32 = 0x1000;
const READOUT: u32 = 0x2000;
const BIAS: u32 = 0x3000;
const PEDESTAL_ACTIVATION: u32 = 0x4000;
const PEDESTAL_WEIGHT: u32 = 0x5000;
const IMAGE: usize = 0x6000;
const POISON: u8 = 0xA5;

/// What to infer: the three instructions of a single-tile multiply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Weight loader.
    pub loader: Loader,
    /// Activation element.
    pub activation: ActElem,
    /// Activation crouton channel-major.
    pub activation_cm: bool,
    /// Output format.
    pub convert: Format,
    /// Readout channel-major.
    pub convert_cm: bool,
}

const LOADERS: [(&str, Loader); 9] = [
    ("b", Loader::B),
    ("sm", Loader::Sm),
    ("n", Loader::N),
    ("c", Loader::C),
    ("sc", Loader::Sc),
    ("ubit", Loader::Ubit),
    ("sbit", Loader::Sbit),
    ("hf", Loader::Hf),
    ("f8", Loader::F8),
];
const ACTIVATIONS: [(&str, (ActElem, bool)); 4] = [
    ("ub", (ActElem::Ub, false)),
    ("ub:cm", (ActElem::Ub, true)),
    ("hf", (ActElem::Hf, false)),
    ("f8", (ActElem::F8, false)),
];
const CONVERTS: [(&str, (Format, bool)); 6] = [
    ("ub", (Format::Ub, false)),
    ("ub:cm", (Format::Ub, true)),
    ("uh:2x1", (Format::Uh2x1, false)),
    ("uh:2x2", (Format::Uh2x2, false)),
    ("hf", (Format::Hf, false)),
    ("f8", (Format::F8, false)),
];

fn pick<T: Copy>(what: &'static str, given: &str, from: &[(&str, T)]) -> Result<T, InferError> {
    let found = from.iter().find(|(name, _)| *name == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = from.iter().map(|(name, _)| *name).collect();
        InferError::Unknown {
            what,
            given: given.to_owned(),
            choices: names.join(", "),
        }
    })
}

impl Request {
    /// Reads the three names as the assembly writes them: `n`, `ub`, `uh:2x1`.
    pub fn parse(loader: &str, activation: &str, convert: &str) -> Result<Request, InferError> {
        let loader = pick("loader", loader, &LOADERS)?;
        let (activation, activation_cm) = pick("activation", activation, &ACTIVATIONS)?;
        let (convert, convert_cm) = pick("convert", convert, &CONVERTS)?;
        Ok(Request {
            loader,
            activation,
            activation_cm,
            convert,
            convert_cm,
        })
    }

    /// Whether the activation is a float: then the accumulator is the float plane.
    pub fn float(&self) -> bool {
        self.activation != ActElem::Ub
    }

    /// An activation element that is "on": 1 for integers; for floats 1.2998 or 1.375, so
    /// that a product is no copy of the weight and every bit of the weight reaches every
    /// byte of the readout.
    pub fn one(&self) -> &'static [u8] {
        match self.activation {
            ActElem::Ub => &[1],
            ActElem::Hf => &[0x33, 0x3D],
            ActElem::F8 => &[0x3B],
        }
    }

    /// The bias entry that makes a convert show the accumulator unscaled: its low bits
    /// where they are integers, a factor of one for floats.
    fn bias_word(&self) -> u32 {
        match self.convert {
            Format::Hf | Format::F8 => 0x3C00,
            Format::Uh2x1 | Format::Uh2x2 => 16 << 10,
            Format::Ub | Format::UbSc0 | Format::UbSc1 => 24 << 10,
        }
    }

    fn program(&self, pedestal: bool) -> Result<Program<u32>, InferError> {
        let float = self.float();
        let activation = Op::Activation {
            elem: self.activation,
            mode: ActMode::Plain,
            cm: self.activation_cm,
        };
        let weight = Op::Weight {
            loader: self.loader,
            mode: WeightMode::Plain,
        };
        let multiply = |a: u32, w: u32| {
            Ok(Packet::Multiply(
                inst(activation, a, AREA as u32 - 1)?,
                inst(weight, w, AREA as u32 - 1)?,
            ))
        };
        let mut program = vec![
            Packet::Single(inst(Op::LoadBias { wide: true }, BIAS, 0)?),
            Packet::Single(inst(Op::ClearAcc { float }, 0, 0)?),
        ];
        if pedestal {
            program.push(multiply(PEDESTAL_ACTIVATION, PEDESTAL_WEIGHT)?);
        }
        program.push(multiply(ACTIVATION, WEIGHT)?);
        let store = match self.convert {
            Format::F8 => {
                let convert = Op::Convert {
                    format: self.convert,
                };
                program.push(Packet::Single(inst(convert, 0, 0)?));
                Op::StoreCvt {
                    cm: false,
                    deep: false,
                    x2: false,
                    f8: true,
                }
            }
            format => Op::ConvertStore {
                after: true,
                retain: false,
                pos: false,
                cm: self.convert_cm,
                sat: false,
                format,
            },
        };
        program.push(Packet::Single(inst(store, READOUT, 0)?));
        Ok(program)
    }
}

fn inst(op: Op, rs: u32, rt: u32) -> Result<Inst<u32>, InferError> {
    let row = instructions().iter().find(|i| i.op == op);
    row.map(|instr| Inst { instr, rs, rt })
        .ok_or(InferError::NoInstruction)
}

/// What a target gives back, or why it did not.
pub type Answer = Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>>;

/// A program on a target, shot by shot.
pub struct Rig<F> {
    run: F,
    plain: Program<u32>,
    carrying: Program<u32>,
    image: Vec<u8>,
    /// Runs made so far.
    pub probes: usize,
}

impl<F: FnMut(&Program<u32>, &[u8], u32) -> Answer> Rig<F> {
    /// Prepares the image and the two programs (with and without a pedestal).
    pub fn new(request: &Request, run: F) -> Result<Rig<F>, InferError> {
        let mut image = vec![POISON; IMAGE];
        for (at, len) in [(ACTIVATION, AREA), (WEIGHT, AREA), (BIAS, 256)] {
            image[at as usize..at as usize + len].fill(0);
        }
        for entry in 0..32 {
            let at = BIAS as usize + entry * 4;
            image[at..at + 4].copy_from_slice(&request.bias_word().to_le_bytes());
        }
        Ok(Rig {
            run,
            plain: request.program(false)?,
            carrying: request.program(true)?,
            image,
            probes: 0,
        })
    }

    /// The readout area (whatever lies in it) after a multiply of these operand areas.
    pub fn shot(&mut self, activation: &[u8], weight: &[u8]) -> Result<Vec<u8>, InferError> {
        self.fire(activation, weight, None, POISON)
    }

    /// Like [`Rig::shot`], on top of the product of 1 (every activation byte) with
    /// `pedestal`: partial sums then lie just below a carry.
    pub fn carried(
        &mut self,
        activation: &[u8],
        weight: &[u8],
        pedestal: &[u8],
    ) -> Result<Vec<u8>, InferError> {
        self.fire(activation, weight, Some(pedestal), POISON)
    }

    /// Which bytes of the readout area the convert writes.
    pub fn written(&mut self) -> Result<Vec<bool>, InferError> {
        let zeros = [0; AREA];
        let first = self.fire(&zeros, &zeros, None, POISON)?;
        let second = self.fire(&zeros, &zeros, None, !POISON)?;
        let kept = |(a, b): (&u8, &u8)| *a == POISON && *b == !POISON;
        Ok(first.iter().zip(&second).map(|p| !kept(p)).collect())
    }

    fn fire(
        &mut self,
        activation: &[u8],
        weight: &[u8],
        pedestal: Option<&[u8]>,
        poison: u8,
    ) -> Result<Vec<u8>, InferError> {
        let mut put = |at: u32, bytes: &[u8]| {
            self.image[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        };
        put(ACTIVATION, activation);
        put(WEIGHT, weight);
        put(READOUT, &[poison; AREA]);
        if let Some(weights) = pedestal {
            put(PEDESTAL_ACTIVATION, &[1; AREA]);
            put(PEDESTAL_WEIGHT, weights);
        }
        let program = match pedestal {
            Some(_) => &self.carrying,
            None => &self.plain,
        };
        self.probes += 1;
        let image = (self.run)(program, &self.image, 0).map_err(InferError::Target)?;
        let start = READOUT as usize;
        let area = image.get(start..start + AREA);
        area.map(<[u8]>::to_vec).ok_or(InferError::ShortImage {
            found: image.len(),
            sent: IMAGE,
        })
    }
}
