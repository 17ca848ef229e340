//! Black-box inference of memory layouts from position-coded probes.
//!
//! What is taken as given: the value format of an activation element (which bits make a small number),
//! and that a readout byte depends on sums of products of one activation and one weight
//! element each. Everything about *where* is found: which bits of the weight area form an
//! element, which activation and which weight elements meet, and which readout bytes show
//! their product. Numbers are then given by address: input channels k and rows in the order
//! in which they appear in the activation tile, output channels n in the weight tile.

use crate::closed_form::{ClosedForm, Placement};
use crate::infer_rig::{Answer, Request, Rig};
use crate::infer_steps::Search;
use hmx_abi::Program;
use hmx_abi::tile::Layout;
use serde::Serialize;

/// Why inference did not come to a result.
#[derive(Debug, thiserror::Error)]
pub enum InferError {
    /// `{given}` is no {what} that inference knows; use one of: {choices}
    #[error("`{given}` is no {what} that inference knows; use one of: {choices}")]
    Unknown {
        /// Which of the three options.
        what: &'static str,
        /// What was given.
        given: String,
        /// What may be given.
        choices: String,
    },
    /// the instruction table has no such instruction; choose another combination
    #[error("the instruction table has no such instruction; choose another combination")]
    NoInstruction,
    /// no activation element changes the readout with any weight: this combination multiplies nothing here; choose a convert of the same kind (float or fixed point) as the activation
    #[error(
        "no activation element changes the readout with any weight: this combination multiplies nothing here; choose a convert of the same kind (float or fixed point) as the activation"
    )]
    Silent,
    /// the target gave back {found} bytes for an image of {sent}; it must give back the whole image
    #[error(
        "the target gave back {found} bytes for an image of {sent}; it must give back the whole image"
    )]
    ShortImage {
        /// Bytes given back.
        found: usize,
        /// Bytes sent.
        sent: usize,
    },
    /// (the target's own error)
    #[error(transparent)]
    Target(Box<dyn std::error::Error + Send + Sync>),
}

/// The layout of one tile, as found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Rows (input channels k for weights).
    pub rows: usize,
    /// Columns (input channels k for activations, output channels n else).
    pub columns: usize,
    /// Width of an element in bits.
    pub bits: u32,
    /// Elements whose place was found.
    pub known: usize,
    /// Whether every element has a place of its own.
    pub bijection: bool,
    /// The layout of the HMX reference that is exactly this.
    pub layout: Option<Layout>,
    /// Its closed form.
    pub closed_form: ClosedForm,
    /// The places (bit addresses).
    #[serde(skip)]
    pub placement: Placement,
}

/// What inference found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inferred {
    /// The activation tile: (row, k).
    pub activation: Part,
    /// The weight tile: (k, n).
    pub weight: Part,
    /// The readout: (shown row, n).
    pub readout: Part,
    /// The activation row that each readout row shows.
    pub rows_shown: Vec<usize>,
    /// The activation rows that reach the readout only as a carry, and the readout row each
    /// one is added to.
    pub carried_rows: Vec<(usize, usize)>,
    /// Program runs needed.
    pub probes: usize,
    /// Anything that did not fit the picture.
    pub notes: Vec<String>,
}

/// Finds the layouts of a single-tile multiply. `run` executes a program on an image
/// (addresses are offsets into it) under a USR value and gives back the image after it.
pub fn infer<F>(request: &Request, run: F) -> Result<Inferred, InferError>
where
    F: FnMut(&Program<u32>, &[u8], u32) -> Answer,
{
    let mut search = Search::new(request, Rig::new(request, run)?)?;
    search.channels()?;
    search.columns()?;
    search.rows()?;
    search.readout()?;
    if !request.float() {
        search.carries()?;
    }
    Ok(search.result())
}

/// The tile layouts of the HMX reference.
pub const LAYOUTS: [Layout; 9] = [
    Layout::CroutonUb,
    Layout::CroutonUbCm,
    Layout::CroutonHf,
    Layout::WeightB,
    Layout::WeightN,
    Layout::WeightC,
    Layout::WeightBit,
    Layout::FlatUb,
    Layout::FlatHf,
];

impl Part {
    /// Judges a placement of elements `bits` wide. `candidates` are tried in order.
    pub fn of(placement: Placement, bits: u32, candidates: &[Layout]) -> Part {
        let layout = candidates.iter().copied().find(|l| {
            l.shape() == (placement.rows, placement.columns)
                && l.bits() == bits
                && (0..placement.at.len()).all(|i| {
                    let slot = l.slot(i / placement.columns, i % placement.columns);
                    placement.at[i] == Some(slot.byte as u32 * 8 + slot.bit)
                })
        });
        Part {
            rows: placement.rows,
            columns: placement.columns,
            bits,
            known: placement.known(),
            bijection: placement.is_bijection(),
            layout,
            closed_form: placement.closed_form(),
            placement,
        }
    }
}

#[cfg(test)]
#[path = "infer_tests.rs"]
mod tests;
