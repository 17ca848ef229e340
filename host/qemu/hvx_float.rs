//! HVX float instructions, which QEMU lacks: decoded by a table, executed lane by lane.
//!
//! `hvx_float.tsv` lists every HVX instruction that reads or writes a float format, with
//! the encoding that LLVM 22 gives it. What an instruction does follows from its syntax:
//! the operation, the formats of its operands and the format of its result.
//!
//! Class `inferred` throughout: results are the exact value rounded once, to nearest even,
//! to the format of the destination. `qf16` and `qf32` keep a value in the bits of `hf` and
//! `sf`: the real bits of a qfloat register are not public, and programs that only hand
//! them from one float instruction to the next cannot tell.

use super::control::Trap;
use super::lanes::{Element, Lanes};
use super::packet_rest::{self, Rest};
use std::sync::LazyLock;

/// One row of the table, taken apart.
#[derive(Debug)]
struct Row {
    syntax: &'static str,
    mask: u32,
    bits: u32,
    form: Option<Form>,
}

/// What a supported instruction does.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Form {
    operation: Operation,
    /// Format of the result, and whether it takes a register pair.
    result: (Element, bool),
    /// Formats of the operands.
    first: (Element, bool),
    second: Option<Second>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Second {
    Vector(Element),
    /// A general register, its low element in every lane.
    Scalar(Element),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
    Convert,
    Add,
    Sub,
    Mpy,
    Max,
    Min,
    Abs,
    Neg,
    /// Even lanes from the first operand, odd lanes from the second.
    Narrow,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!("hvx_float.tsv").lines().skip(1);
    lines.filter_map(row).collect()
});

fn row(line: &'static str) -> Option<Row> {
    let (syntax, encoding) = line.split_once('\t')?;
    let gather =
        |pick: fn(char) -> bool| encoding.chars().fold(0, |w, c| w << 1 | u32::from(pick(c)));
    Some(Row {
        syntax,
        mask: gather(|c| matches!(c, '0' | '1')),
        bits: gather(|c| c == '1'),
        form: form(syntax),
    })
}

/// Reads the effect off the syntax; `None` for what is not executed.
fn form(syntax: &str) -> Option<Form> {
    let (target, source) = syntax.split_once('=')?;
    let result = operand(target)?;
    let (name, arguments) = match source.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')')?),
        None => ("=", source),
    };
    let mut arguments = arguments.split(',');
    let first = operand(arguments.next()?)?;
    let second = match arguments.next() {
        None => None,
        Some(a) if a.starts_with("Rt32") => Some(Second::Scalar(Element::named(&a[5..])?)),
        Some(a) => Some(Second::Vector(operand(a).filter(|o| !o.1)?.0)),
    };
    let operation = match (name, second.is_some()) {
        ("=" | "vcvt", false) => Operation::Convert,
        ("vabs", false) => Operation::Abs,
        ("vneg" | "vfneg", false) => Operation::Neg,
        ("vadd", true) => Operation::Add,
        ("vsub", true) => Operation::Sub,
        ("vmpy", true) => Operation::Mpy,
        ("vmax" | "vfmax", true) => Operation::Max,
        ("vmin" | "vfmin", true) => Operation::Min,
        ("vcvt", true) if result.0 == Element::Hf && first.0 == Element::Sf => Operation::Narrow,
        _ => return None,
    };
    // The rounding of `vcvt` to integers is not public.
    let guessed = name == "vcvt" && result.0.is_integer();
    // Widening by lane pairs and narrowing from a register pair have a known lane order, others not.
    let lanes = |what| Lanes::new(what).len();
    let fits = lanes(result) == lanes(first) * if operation == Operation::Narrow { 2 } else { 1 };
    (fits && !guessed).then_some(Form {
        operation,
        result,
        first,
        second,
    })
}

/// `Vu32.hf`, `Vuu32.qf32`, ...: the element and whether it is a register pair.
fn operand(text: &str) -> Option<(Element, bool)> {
    let (register, element) = text.split_once('.')?;
    let pair = matches!(register, "Vdd32" | "Vuu32" | "Vxx32");
    let single = matches!(register, "Vd32" | "Vu32" | "Vv32" | "Vx32");
    (pair || single).then_some((Element::named(element)?, pair))
}

fn find(word: u32) -> Option<&'static Row> {
    ROWS.iter().find(|r| word & r.mask == r.bits)
}

/// The syntax of a HVX float instruction; `None` for any other word.
pub fn syntax(word: u32) -> Option<&'static str> {
    find(word).map(|r| r.syntax)
}

/// Executes the float instructions of the packet in `trap`; how the guest runs the others.
pub fn emulate(trap: &mut Trap) -> Result<Rest, String> {
    let count = trap.count.clamp(1, 4) as usize;
    let before = trap.v;
    let (mut written, mut emulated) = (0, [false; 4]);
    for (i, done) in emulated.iter_mut().enumerate().take(count) {
        let word = trap.word[i];
        let Some(row) = find(word) else { continue };
        let form = row
            .form
            .ok_or_else(|| format!("the emulator does not execute `{}` yet", row.syntax))?;
        *done = true;
        written |= execute(form, word, &before, &trap.r, &mut trap.v);
    }
    if written == 0 {
        return Err(
            "no instruction in it is known to QEMU, to the HMX table or to the HVX float table"
                .to_owned(),
        );
    }
    trap.written = written;
    packet_rest::split(trap, emulated)
}

/// Executes one instruction: reads `before`, writes `after`; the registers written.
fn execute(
    form: Form,
    word: u32,
    before: &[[u8; 128]; 32],
    r: &[u32; 32],
    after: &mut [[u8; 128]; 32],
) -> u32 {
    let field = |shift: u32| (word >> shift & 31) as usize;
    let (d, u, v) = (field(0), field(8), field(16));
    let first = Lanes::read(form.first, before, u);
    let second = match form.second {
        Some(Second::Vector(e)) => Some(Lanes::read((e, false), before, v)),
        _ => None,
    };
    let scalar = match form.second {
        Some(Second::Scalar(e)) => e.decode(r[v]),
        _ => 0.0,
    };
    let mut out = Lanes::new(form.result);
    for i in 0..out.len() {
        let lane = match form.operation {
            Operation::Narrow => i / 2,
            _ => i,
        };
        let a = first.get(lane);
        let b = second.as_ref().map_or(scalar, |lanes| lanes.get(lane));
        let exact = match form.operation {
            Operation::Convert => a,
            Operation::Add => a + b,
            Operation::Sub => a - b,
            Operation::Mpy => a * b,
            Operation::Max => a.max(b),
            Operation::Min => a.min(b),
            Operation::Abs => a.abs(),
            Operation::Neg => -a,
            Operation::Narrow if i % 2 == 0 => a,
            Operation::Narrow => b,
        };
        out.set(i, exact);
    }
    out.write(after, d)
}
