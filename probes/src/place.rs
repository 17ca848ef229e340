//! Where tiles and readouts may lie: aligned, inside the image, apart from each other.

use crate::error::{At, Problem};
use crate::staging::GUARD;
use hmx_abi::tile::Layout;
use std::ops::Range;

/// Something that takes room in the image.
pub(crate) struct Placed {
    /// `tile `act``
    pub what: String,
    /// A tile that is staged, not a readout.
    pub staged: bool,
    pub layout: Layout,
    pub at: u32,
    pub bytes: usize,
    /// Of its `at` in the file.
    pub span: Range<usize>,
}

impl Placed {
    fn end(&self) -> u64 {
        u64::from(self.at) + self.bytes as u64
    }

    fn alignment(&self) -> u32 {
        match self.layout {
            Layout::Bias => 256,
            Layout::WeightB | Layout::WeightN | Layout::WeightC | Layout::WeightBit => 128,
            _ => 2048,
        }
    }
}

/// Checks all of them; the first that is wrong is reported.
pub(crate) fn check(all: &[Placed], image: usize) -> Result<(), At> {
    for (i, this) in all.iter().enumerate() {
        let wrong = |problem| Err(At::new(this.span.clone(), problem));
        let align = this.alignment();
        if !this.at.is_multiple_of(align) {
            return wrong(Problem::Misaligned {
                what: this.what.clone(),
                at: this.at,
                align,
            });
        }
        let guard = GUARD as u64;
        if u64::from(this.at) < guard {
            return wrong(Problem::Value {
                key: "at",
                why: format!(
                    "the first {GUARD} bytes of the image are guard bytes; use {align:#x} or more"
                ),
            });
        }
        if this.end() + guard > image as u64 {
            return wrong(Problem::OutsideImage {
                what: this.what.clone(),
                at: this.at.into(),
                end: this.end(),
                image,
            });
        }
        for other in &all[..i] {
            let same_view =
                !this.staged && !other.staged && this.at == other.at && this.bytes == other.bytes;
            let apart = this.end() + guard <= u64::from(other.at)
                || other.end() + guard <= u64::from(this.at);
            if !apart && !same_view {
                return wrong(Problem::Overlap {
                    a: this.what.clone(),
                    b: other.what.clone(),
                    guard: GUARD,
                    free: free(all, i),
                });
            }
        }
    }
    Ok(())
}

/// The lowest offset where `all[i]` fits beside the ones before it.
fn free(all: &[Placed], i: usize) -> u64 {
    let align = u64::from(all[i].alignment());
    let guard = GUARD as u64;
    let size = all[i].bytes as u64;
    let fits = |at: u64| {
        all[..i]
            .iter()
            .all(|o| at + size + guard <= u64::from(o.at) || o.end() + guard <= at)
    };
    let after = all[..i]
        .iter()
        .map(|o| (o.end() + guard).next_multiple_of(align));
    std::iter::once(guard.next_multiple_of(align))
        .chain(after)
        .filter(|&at| fits(at))
        .min()
        .unwrap_or(align)
}
