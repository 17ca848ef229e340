use super::*;
use hmx_abi::{Op, Packet};
use proptest::prelude::*;

/// A unit with layouts of its own: row x k activation bytes, k x n weight nibbles, and
/// 32-bit sums whose low byte is stored. Nothing of it is known to inference.
struct Unit {
    activation: Vec<usize>,
    weight: Vec<usize>,
    readout: Vec<usize>,
}

const ROWS: usize = 16;
const CHANNELS: usize = 8;
const COLUMNS: usize = 16;

impl Unit {
    fn run(&self, program: &Program<u32>, image: &[u8]) -> Vec<u8> {
        let mut image = image.to_vec();
        let mut acc = vec![0i32; ROWS * COLUMNS];
        for packet in program {
            match packet {
                Packet::Multiply(a, w) => {
                    for r in 0..ROWS {
                        for n in 0..COLUMNS {
                            acc[r * COLUMNS + n] += self.dot(&image, a.rs, w.rs, r, n);
                        }
                    }
                }
                Packet::Single(i) if matches!(i.instr.op, Op::ConvertStore { .. }) => {
                    for (i, sum) in acc.iter().enumerate() {
                        image[0x2000 + self.readout[i]] = *sum as u8;
                    }
                }
                Packet::Single(_) => {}
            }
        }
        image
    }

    fn dot(&self, image: &[u8], a: u32, w: u32, r: usize, n: usize) -> i32 {
        (0..CHANNELS)
            .map(|k| {
                let x = image[a as usize + self.activation[r * CHANNELS + k]];
                let at = self.weight[k * COLUMNS + n];
                let nibble = image[w as usize + at / 2] >> (at % 2 * 4) & 15;
                i32::from(x) * i32::from((nibble << 4) as i8 >> 4)
            })
            .sum()
    }

    fn found(&self) -> Inferred {
        let request = Request::parse("n", "ub", "ub").unwrap();
        infer(&request, |program, image, _| Ok(self.run(program, image))).unwrap()
    }
}

fn permutation(bits: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..bits).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(move |order| {
            (0..1 << bits)
                .map(|i: usize| {
                    order
                        .iter()
                        .enumerate()
                        .fold(0, |a, (b, to)| a | (i >> b & 1) << to)
                })
                .collect()
        })
}

fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<_>>()).prop_shuffle()
}

/// The found places of elements, as sets for each row: names are free, structure is not.
fn same_structure(found: &Placement, truth: &[usize], unit: usize) -> bool {
    let rows = |at: &dyn Fn(usize) -> usize, rows: usize, columns: usize| {
        let mut sets: Vec<Vec<usize>> = (0..rows)
            .map(|r| {
                let mut set: Vec<usize> = (0..columns).map(|c| at(r * columns + c)).collect();
                set.sort_unstable();
                set
            })
            .collect();
        sets.sort();
        sets
    };
    found.is_bijection()
        && rows(
            &|i| found.at[i].unwrap() as usize / unit,
            found.rows,
            found.columns,
        ) == rows(&|i| truth[i], found.rows, found.columns)
}

fn check(unit: &Unit) -> Inferred {
    let found = unit.found();
    assert_eq!(
        (found.activation.rows, found.activation.columns),
        (ROWS, CHANNELS)
    );
    assert_eq!(
        (found.weight.rows, found.weight.columns),
        (CHANNELS, COLUMNS)
    );
    assert_eq!(found.weight.bits, 4);
    assert!(same_structure(
        &found.activation.placement,
        &unit.activation,
        8
    ));
    assert!(same_structure(&found.weight.placement, &unit.weight, 4));
    assert!(same_structure(&found.readout.placement, &unit.readout, 8));
    // The three agree with each other: predict a product by the found layouts alone.
    let mut image = vec![0u8; 0x6000];
    let (r, k, n) = (5, 3, 11);
    image[found.activation.placement.at[r * CHANNELS + k].unwrap() as usize / 8] = 3;
    let w = found.weight.placement.at[k * COLUMNS + n].unwrap() as usize;
    image[0x1000 + w / 8] = 2 << (w % 8);
    let request = Request::parse("n", "ub", "ub").unwrap();
    let mut seen = Vec::new();
    let _ = infer(&request, |program, _, _| {
        seen = unit.run(program, &image);
        Err("once".into())
    });
    let p = found.readout.placement.at[r * COLUMNS + n].unwrap() as usize / 8;
    assert_eq!(seen[0x2000 + p], 6);
    assert_eq!(seen[0x2000..0x2100].iter().filter(|b| **b != 0).count(), 1);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn bit_permutations_are_found(activation in permutation(7), weight in permutation(7), readout in permutation(8)) {
        let found = check(&Unit { activation, weight, readout });
        prop_assert!(found.notes.is_empty(), "{:?}", found.notes);
    }

    #[test]
    fn layouts_without_any_law_are_found(activation in shuffled(128), weight in shuffled(128), readout in shuffled(256)) {
        let found = check(&Unit { activation, weight, readout });
        prop_assert_eq!(found.activation.closed_form, ClosedForm::None);
    }
}

#[test]
fn a_unit_that_multiplies_nothing_is_said_to() {
    let request = Request::parse("n", "ub", "ub").unwrap();
    let error = infer(&request, |_, image, _| Ok(image.to_vec())).unwrap_err();
    assert!(matches!(error, InferError::Silent), "{error}");
    let error = Request::parse("n4", "ub", "ub").unwrap_err().to_string();
    assert!(error.contains("`n4` is no loader"), "{error}");
}
