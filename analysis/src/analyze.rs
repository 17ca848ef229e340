//! Everything one dump tells, with no target at hand.

use crate::decode::{Coverage, Distinct, Matrix};
use crate::dump::Dump;
use crate::fit::{Fit, fit, hf_spacing};
use crate::positions::{Positions, positions};
use crate::product::{Expected, expected};
use crate::untouched::{runs, written};
use hmx_abi::tile::Layout;
use hmx_abi::{Arch, Evidence};
use hmx_probes::{Element, Probe, Readout};
use serde::Serialize;

/// What a dump tells. Its JSON form is stable; docs/reports.md describes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// Probe name.
    pub probe: String,
    /// Its question.
    pub question: String,
    /// Target that ran it.
    pub target: String,
    /// Architecture that ran it.
    pub arch: Arch,
    /// Class of evidence of the readout.
    pub evidence: Evidence,
    /// Each readout.
    pub readouts: Vec<ReadoutAnalysis>,
    /// Ranges (offset, length) written outside every readout: guard bytes and tiles.
    pub spilled: Vec<(u32, u32)>,
    /// Ranges that depend on memory that no tile staged.
    pub unstable: Vec<(u32, u32)>,
}

/// What one readout tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadoutAnalysis {
    /// Its name.
    pub name: String,
    /// Offset in the image.
    pub at: u32,
    /// Bytes.
    pub len: usize,
    /// How it is looked at.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
    /// What was written.
    pub coverage: Coverage,
    /// The distinct values written.
    pub distinct: Vec<Distinct>,
    /// How the values follow the product of the staged tiles.
    pub product: ProductFit,
    /// Which product elements the values show, where the tiles tell them apart.
    pub positions: Option<Positions>,
}

/// The affine law between the product and the readout.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ProductFit {
    /// Readout row r was compared with product row `row`.
    Fitted {
        /// The correspondence that fits best: `r`, `2*r`, `2*r+1`.
        row: String,
        /// The law.
        fit: Fit,
    },
    /// There is no product to compare with.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// Analyses a dump; `probe` is the definition that the dump holds.
pub fn analyze(dump: &Dump, probe: &Probe) -> Analysis {
    let m = &dump.manifest;
    Analysis {
        probe: probe.name.clone(),
        question: probe.question.clone(),
        target: m.target.clone(),
        arch: m.arch,
        evidence: m.evidence,
        readouts: probe
            .readouts
            .iter()
            .map(|r| readout(dump, probe, r))
            .collect(),
        spilled: spilled(dump, probe),
        unstable: m.unstable.clone(),
    }
}

/// A readout of a dump as a matrix.
pub fn matrix(dump: &Dump, readout: &Readout) -> Matrix {
    let at = (readout.at as usize).min(dump.vtcm.len());
    let end = at.saturating_add(readout.len).min(dump.vtcm.len());
    let mask = written(&dump.manifest.untouched, at..end);
    Matrix::decode(readout.layout, readout.element, &dump.vtcm[at..end], &mask)
}

/// The unit of the last place at a value of this element type.
pub fn spacing(element: Element) -> fn(f64) -> f64 {
    match element {
        Element::Hf => hf_spacing,
        _ => |_| 1.0,
    }
}

fn readout(dump: &Dump, probe: &Probe, readout: &Readout) -> ReadoutAnalysis {
    let matrix = matrix(dump, readout);
    let product = expected(probe, readout.at);
    let positions = product
        .as_ref()
        .ok()
        .and_then(|p| positions(p, &matrix, spacing(readout.element)));
    ReadoutAnalysis {
        name: readout.name.clone(),
        at: readout.at,
        len: readout.len,
        layout: readout.layout,
        element: readout.element,
        coverage: matrix.coverage(),
        distinct: matrix.distinct(),
        product: match product {
            Ok(product) => product_fit(&product, &matrix),
            Err(reason) => ProductFit::Unknown { reason },
        },
        positions,
    }
}

fn product_fit(product: &Expected, readout: &Matrix) -> ProductFit {
    // A readout with fewer rows than the product may show every row, the even or the odd ones.
    let candidates: [(&str, usize, usize); 3] = [("r", 1, 0), ("2*r+1", 2, 1), ("2*r", 2, 0)];
    let mut best: Option<(String, Fit)> = None;
    for (name, a, b) in candidates {
        let pairs: Option<Vec<(f64, f64)>> = readout
            .iter()
            .filter(|(_, cell)| cell.written)
            .map(|((r, c), cell)| Some((product.get(a * r + b, c)?, cell.value)))
            .collect();
        let Some(pairs) = pairs else { continue };
        let found = fit(&pairs, spacing(readout.element));
        let better = match &best {
            None => true,
            Some((_, before)) => rank(&found) > rank(before),
        };
        if better {
            best = Some((name.to_owned(), found));
        }
    }
    match best {
        Some((row, fit)) => ProductFit::Fitted { row, fit },
        None => ProductFit::Unknown {
            reason: format!(
                "the readout has elements beyond the product's {} x {}",
                product.rows, product.columns
            ),
        },
    }
}

fn rank(fit: &Fit) -> u8 {
    match fit {
        Fit::Affine(_) => 3,
        Fit::OneExpected { ratio: Some(_), .. } => 2,
        Fit::NotAffine(_) | Fit::OneExpected { .. } => 1,
        Fit::Nothing { .. } => 0,
    }
}

/// Bytes outside every readout that are not as they were staged.
fn spilled(dump: &Dump, probe: &Probe) -> Vec<(u32, u32)> {
    let staged = probe.image(dump.manifest.poison[0]);
    let len = dump.vtcm.len().min(staged.len());
    let mut changed: Vec<bool> = (0..len).map(|i| dump.vtcm[i] != staged[i]).collect();
    for readout in &probe.readouts {
        let range = readout.range();
        changed[range.start.min(len)..range.end.min(len)].fill(false);
    }
    runs(len, |i| changed[i])
}

impl ProductFit {
    /// One sentence for people.
    pub fn sentence(&self) -> String {
        let (row, fit) = match self {
            ProductFit::Unknown { reason } => return format!("no product to compare: {reason}"),
            ProductFit::Fitted { row, fit } => (row, fit),
        };
        let rows = match row.as_str() {
            "r" => String::new(),
            law => format!(", row r from product row {law}"),
        };
        match fit {
            Fit::Affine(l) | Fit::NotAffine(l) => {
                let word = if matches!(fit, Fit::Affine(_)) {
                    "linear"
                } else {
                    "not linear; best line"
                };
                format!(
                    "{word}: {} * product + {}, residual {} ({} ulp) over {} elements{rows}",
                    l.scale, l.offset, l.residual, l.residual_ulp, l.points
                )
            }
            Fit::OneExpected {
                expected,
                least,
                most,
                ratio,
            } => match ratio {
                Some(ratio) => format!(
                    "the product is {expected} everywhere and reads {least}: ratio {ratio}; a uniform product cannot tell scale from offset"
                ),
                None if least == most => format!(
                    "the product is {expected} everywhere and reads {least}; a uniform product cannot tell scale from offset"
                ),
                None => format!(
                    "the product is {expected} everywhere but reads {least} to {most}: not a function of the product"
                ),
            },
            Fit::Nothing { not_finite: 0 } => "nothing was written".to_owned(),
            Fit::Nothing { not_finite } => {
                format!("{not_finite} readings or products are infinite or NaN: no line fitted")
            }
        }
    }
}
