//! Fills: how a tile gets its known bytes. The list is closed; `docs/probes.md` documents it.

use crate::definition::{Element, Grid};
use crate::element;
use crate::file::Fill;
use crate::formula::Formula;

/// The bytes of a filled tile, or why it cannot be filled so.
pub(crate) fn bytes(fill: &Fill, grid: Grid, element: Element) -> Result<Vec<u8>, String> {
    match fill {
        Fill::Byte(b) => Ok(vec![*b; grid.bytes()]),
        Fill::Hex(text) => {
            let bytes = hex(text)?;
            if bytes.len() != grid.bytes() {
                let (got, want) = (bytes.len(), grid.bytes());
                return Err(format!("{got} bytes are given, the tile has {want}"));
            }
            Ok(bytes)
        }
        Fill::Words(words) => {
            let bits = grid.layout.bits();
            let fits = |w: u32| u64::from(w) < 1u64 << bits;
            codes(grid, |r, c| {
                let word = cycled(cycled(words, r)?.as_slice(), c).copied()?;
                if !fits(word) {
                    return Err(format!("{word:#x} is wider than {bits} bits"));
                }
                Ok(word)
            })
        }
        _ => {
            let value = values(fill)?;
            let bits = grid.layout.bits();
            codes(grid, |r, c| {
                let v = value(r, c)?;
                element.encode(bits, v).ok_or_else(|| {
                    format!("{v} at row {r}, column {c} is no {bits}-bit {element:?} value; choose one that it holds exactly")
                })
            })
        }
    }
}

type Value<'a> = Box<dyn Fn(usize, usize) -> Result<f64, String> + 'a>;

/// The value at (row, column) of the fills that give values.
fn values(fill: &Fill) -> Result<Value<'_>, String> {
    Ok(match fill {
        Fill::Uniform(v) => Box::new(|_, _| Ok(*v)),
        Fill::Identity(v) => Box::new(|r, c| Ok(if r == c { *v } else { 0.0 })),
        Fill::Rows(list) => Box::new(|r, _| cycled(list, r).copied()),
        Fill::Columns(list) => Box::new(|_, c| cycled(list, c).copied()),
        Fill::Formula(text) => {
            let formula = formula(text)?;
            Box::new(move |r, c| Ok(at(&formula, r, c)? as f64))
        }
        Fill::Quantised(q) => {
            let codes = formula(&q.codes)?;
            Box::new(move |r, c| {
                let code = at(&codes, r, c)?;
                let above = code
                    .checked_sub(q.zero)
                    .ok_or("code - zero leaves 64 bits")?;
                Ok(q.scale * above as f64)
            })
        }
        Fill::Random(random) => {
            let step = random.step.unwrap_or(1.0);
            let steps = ((random.max - random.min) / step).floor();
            if !(step > 0.0 && (0.0..1e9).contains(&steps)) {
                return Err("`min` must not exceed `max`, and `step` must be above 0".to_owned());
            }
            let choices = steps as u64 + 1;
            Box::new(move |r, c| {
                // The position, not the order of filling, decides the value.
                let draw = split_mix(random.seed ^ split_mix((r as u64) << 32 | c as u64));
                Ok(random.min + step * (draw % choices) as f64)
            })
        }
        Fill::Byte(_) | Fill::Hex(_) | Fill::Words(_) => {
            return Err("this fill gives bits, not values".to_owned());
        }
    })
}

/// Writes the code of every element.
fn codes(
    grid: Grid,
    code: impl Fn(usize, usize) -> Result<u32, String>,
) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; grid.bytes()];
    let (rows, columns) = grid.shape();
    for r in 0..rows {
        for c in 0..columns {
            element::write(&mut bytes, grid.slot(r, c), code(r, c)?);
        }
    }
    Ok(bytes)
}

fn cycled<T>(list: &[T], i: usize) -> Result<&T, String> {
    let length = list.len().max(1);
    list.get(i % length)
        .ok_or_else(|| "a list is empty".to_owned())
}

pub(crate) fn formula(text: &str) -> Result<Formula, String> {
    Formula::parse(text, &["r", "c"]).map_err(|e| e.to_string())
}

fn at(formula: &Formula, r: usize, c: usize) -> Result<i64, String> {
    formula
        .value(&[r as i64, c as i64])
        .ok_or_else(|| format!("`{}` has no value at row {r}, column {c}", formula.text()))
}

/// Bytes from hexadecimal text; white space does not count.
pub(crate) fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c.to_digit(16) {
            Some(d) => Ok(d as u8),
            None => Err(format!("`{c}` is no hexadecimal digit")),
        })
        .collect::<Result<_, _>>()?;
    if !digits.len().is_multiple_of(2) {
        return Err("an odd number of hexadecimal digits".to_owned());
    }
    Ok(digits.chunks(2).map(|d| d[0] << 4 | d[1]).collect())
}

/// SplitMix64 (Steele, Lea, Flood 2014): one well-mixed word per input.
fn split_mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Along;
    use crate::file::{Quantised, Random};
    use hmx_abi::tile::Layout;

    fn grid(layout: Layout) -> Grid {
        Grid {
            layout,
            tiles: 1,
            along: Along::Columns,
        }
    }

    #[test]
    fn a_formula_lands_where_the_layout_says() {
        let fill = Fill::Formula("(r*3 + c) % 256".to_owned());
        let b = bytes(&fill, grid(Layout::CroutonUb), Element::Unsigned).unwrap();
        // Position 5, channel 7: line 1, byte 7*4 + 1.
        assert_eq!(b[128 + 29], 22);
    }

    #[test]
    fn int4_codes_of_all_ones_fill_both_nibbles() {
        let b = bytes(&Fill::Uniform(1.0), grid(Layout::WeightN), Element::Signed).unwrap();
        assert_eq!(b, vec![0x11; 512]);
        let b = bytes(&Fill::Uniform(-8.0), grid(Layout::WeightN), Element::Signed).unwrap();
        assert_eq!(b, vec![0x88; 512]);
    }

    #[test]
    fn quantised_codes_are_expanded() {
        let fill = Fill::Quantised(Quantised {
            codes: "r % 16".to_owned(),
            zero: 8,
            scale: 0.5,
        });
        let b = bytes(&fill, grid(Layout::FlatHf), Element::Hf).unwrap();
        let first = half::f16::from_le_bytes([b[0], b[1]]);
        assert_eq!(first.to_f64(), -4.0);
    }

    #[test]
    fn random_values_stay_in_range_and_repeat() {
        let fill = |seed| {
            Fill::Random(Random {
                seed,
                min: -8.0,
                max: 7.0,
                step: None,
            })
        };
        let one = bytes(&fill(1), grid(Layout::WeightN), Element::Signed).unwrap();
        assert_eq!(
            one,
            bytes(&fill(1), grid(Layout::WeightN), Element::Signed).unwrap()
        );
        assert_ne!(
            one,
            bytes(&fill(2), grid(Layout::WeightN), Element::Signed).unwrap()
        );
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let e = bytes(
            &Fill::Uniform(300.0),
            grid(Layout::CroutonUb),
            Element::Unsigned,
        );
        assert!(e.unwrap_err().contains("300"));
        assert!(hex("0g").is_err());
        assert!(hex("012").is_err());
    }
}
