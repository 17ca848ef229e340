//! Outcomes: what a readout may be, checked against the probe's tiles and readouts.

use crate::definition::{Check, Expect, Outcome, Probe, Product, Readout};
use crate::error::{At, Problem};
use crate::file::{ExpectTable, OutcomeTable, ProductTable};
use crate::fill;
use crate::formula::Formula;
use hmx_abi::tile::Layout;
use std::ops::Range;

/// One `[[outcome]]`.
pub(crate) fn outcome(table: &OutcomeTable, probe: &Probe) -> Result<Outcome, At> {
    let mut checks = Vec::new();
    for (name, expect) in &table.expect {
        let span = expect.span();
        let view = view(name, probe, span.clone())?;
        let wrong = |why: String| At::new(span.clone(), Problem::Outcome(why));
        let statements = statements(expect.as_ref(), &view, probe).map_err(wrong)?;
        checks.extend(statements.into_iter().map(|expect| Check {
            readout: name.clone(),
            expect,
        }));
    }
    let meaning = table.meaning.as_ref().trim().to_owned();
    if meaning.is_empty() || checks.is_empty() {
        let why =
            "it needs a `meaning` in words and an `expect` for at least one readout".to_owned();
        return Err(At::new(table.meaning.span(), Problem::Outcome(why)));
    }
    Ok(Outcome {
        meaning,
        evidence: table.evidence,
        expected: table.expected,
        checks,
    })
}

/// What an outcome speaks about.
enum View<'a> {
    Readout(&'a Readout),
    Assembled(Layout),
}

impl View<'_> {
    fn layout(&self) -> Layout {
        match self {
            View::Readout(r) => r.layout,
            View::Assembled(layout) => *layout,
        }
    }
}

fn view<'a>(name: &str, probe: &'a Probe, span: Range<usize>) -> Result<View<'a>, At> {
    if let Some(readout) = probe.readout(name) {
        return Ok(View::Readout(readout));
    }
    let assembled = probe.assembled.iter().find(|a| a.name == name);
    if let Some(part) = assembled.and_then(|a| a.parts.first()) {
        return Ok(View::Assembled(part.layout));
    }
    let mut known: Vec<String> = probe.readouts.iter().map(|r| r.name.clone()).collect();
    known.extend(probe.assembled.iter().map(|a| a.name.clone()));
    Err(At::new(
        span,
        Problem::NoSuchName {
            name: name.to_owned(),
            kind: "readout",
            known,
        },
    ))
}

/// Every key of `expect = { READOUT = { ... } }` as a statement.
fn statements(table: &ExpectTable, view: &View, probe: &Probe) -> Result<Vec<Expect>, String> {
    let mut all = Vec::new();
    let (rows, columns) = view.layout().shape();
    if table.decimals.is_some() && table.uniform.is_none() {
        return Err("`decimals` goes with `uniform`".to_owned());
    }
    if table.decimals.is_some_and(|d| d > 12) {
        return Err("`decimals` is 0 to 12".to_owned());
    }
    if let Some(value) = table.uniform {
        let decimals = table.decimals;
        all.push(Expect::Uniform { value, decimals });
    }
    if let Some(text) = &table.formula {
        all.push(Expect::Formula(fill::formula(text)?));
    }
    if let Some(list) = &table.rows {
        all.push(Expect::Rows(cycle(list, rows, "rows")?));
    }
    if let Some(list) = &table.columns {
        all.push(Expect::Columns(cycle(list, columns, "columns")?));
    }
    if let Some(words) = &table.words {
        let words = cycle(words, rows, "rows of words")?;
        for row in &words {
            cycle(row, columns, "words")?;
        }
        all.push(Expect::Words(words));
    }
    if let Some(text) = &table.bytes {
        let bytes = fill::hex(text)?;
        match view {
            View::Readout(r) if r.len == bytes.len() => all.push(Expect::Bytes(bytes)),
            View::Readout(r) => {
                return Err(format!(
                    "`bytes` gives {} bytes, the readout has {}",
                    bytes.len(),
                    r.len
                ));
            }
            View::Assembled(_) => return Err("an assembled number has no bytes".to_owned()),
        }
    }
    if let Some(name) = &table.same_as {
        let other = probe
            .readout(name)
            .ok_or_else(|| format!("`{name}` is no readout"))?;
        match view {
            View::Readout(r) if r.len == other.len && r.name != other.name => {
                all.push(Expect::SameAs(name.clone()));
            }
            _ => return Err("`same-as` names another readout of the same size".to_owned()),
        }
    }
    if let Some(table) = &table.product {
        all.push(Expect::Product(product(table, rows, columns, probe)?));
    }
    all.extend(table.written.map(Expect::Written));
    all.extend(table.nonzero.map(Expect::Nonzero));
    if all.is_empty() {
        return Err("it says nothing about this readout".to_owned());
    }
    Ok(all)
}

/// A list that is repeated over `length` places must fit them a whole number of times.
fn cycle<T: Clone>(list: &[T], length: usize, what: &str) -> Result<Vec<T>, String> {
    if list.is_empty() || !length.is_multiple_of(list.len()) {
        return Err(format!(
            "{} {what} do not fit {length} a whole number of times",
            list.len()
        ));
    }
    Ok(list.to_vec())
}

fn product(
    table: &ProductTable,
    rows: usize,
    columns: usize,
    probe: &Probe,
) -> Result<Product, String> {
    let find = |name: &str| {
        probe
            .tile(name)
            .ok_or_else(|| format!("`{name}` is no tile"))
    };
    let (a, w) = (find(&table.activation)?, find(&table.weight)?);
    let (a_rows, a_columns) = a.grid().shape();
    let (w_rows, w_columns) = w.grid().shape();
    if a_columns != w_rows || w_columns < columns {
        return Err(format!(
            "{a_rows} x {a_columns} times {w_rows} x {w_columns} gives no {rows} x {columns} readout"
        ));
    }
    let row = match &table.row {
        Some(text) => Some(Formula::parse(text, &["r"]).map_err(|e| e.to_string())?),
        None => None,
    };
    let shown = |r: usize| match &row {
        Some(formula) => formula.value(&[r as i64]),
        None => Some(r as i64),
    };
    let inside = |r: &usize| shown(*r).is_some_and(|s| (0..a_rows as i64).contains(&s));
    if let Some(r) = (0..rows).find(|r| !inside(r)) {
        return Err(format!("readout row {r} shows no row of `{}`", a.name));
    }
    Ok(Product {
        activation: table.activation.clone(),
        weight: table.weight.clone(),
        row,
        add: table.add,
    })
}
