//! A tile or readout as pictures: by rows and columns, and as it lies in memory.

use crate::decode::{Matrix, Number};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmx_abi::tile::Layout;
use hmx_probes::Element;

/// Bytes of a picture at most; longer stacks of tiles are cut, and said to be.
pub const LIMIT: usize = 4 * 2048;

/// One staged tile or one readout, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its name in the probe.
    pub name: String,
    /// Whether it was staged (else read back).
    pub staged: bool,
    /// Offset in the image.
    pub at: u32,
    /// How it lies in memory.
    pub layout: Layout,
    /// What an element is.
    pub element: Element,
    /// Its bytes, at most [`LIMIT`].
    pub bytes: Vec<u8>,
    /// For each byte, whether it was staged or written.
    pub written: Vec<bool>,
    /// Bytes it really has.
    pub len: usize,
}

/// An indexed PNG and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// `data:` URL.
    pub url: String,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
}

/// Palette places: nothing there, not a finite number, then the scale.
const ABSENT: u8 = 0;
const NOT_FINITE: u8 = 1;
const SCALE: u8 = 2;

impl Picture {
    /// A picture of `bytes`, cut to [`LIMIT`].
    pub fn new(
        name: &str,
        staged: bool,
        at: u32,
        (layout, element): (Layout, Element),
        bytes: &[u8],
        written: &[bool],
    ) -> Picture {
        let cut = bytes.len().min(LIMIT);
        Picture {
            name: name.to_owned(),
            staged,
            at,
            layout,
            element,
            bytes: bytes[..cut].to_vec(),
            written: (0..cut)
                .map(|i| written.get(i).copied().unwrap_or(true))
                .collect(),
            len: bytes.len(),
        }
    }

    /// Its elements.
    pub fn matrix(&self) -> Matrix {
        Matrix::decode(self.layout, self.element, &self.bytes, &self.written)
    }

    /// The smallest and largest finite value that is there.
    pub fn range(&self) -> Option<(Number, Number)> {
        let matrix = self.matrix();
        let mut values = matrix
            .iter()
            .filter(|(_, c)| c.written && c.value.is_finite());
        let first = values.next()?.1.value;
        let (low, high) = values.fold((first, first), |(low, high), (_, c)| {
            (low.min(c.value), high.max(c.value))
        });
        Some((Number(low), Number(high)))
    }

    /// One pixel for each element, row by row.
    pub fn by_element(&self) -> Drawing {
        let matrix = self.matrix();
        let range = self.range();
        let pixels = matrix
            .cells
            .iter()
            .map(|cell| match cell {
                Some(c) if c.written => shade(c.value, range),
                _ => ABSENT,
            })
            .collect();
        draw(matrix.columns, matrix.rows, pixels)
    }

    /// One pixel for each byte, 128 bytes a line as HMX reads them; the shade is that of the
    /// element the byte belongs to (the first one, where a byte holds several).
    pub fn by_byte(&self) -> Drawing {
        let range = self.range();
        let lines = self.bytes.len().div_ceil(128);
        let mut pixels = vec![ABSENT; lines * 128];
        let width = self.layout.bits().div_ceil(8) as usize;
        for (_, cell) in self.matrix().iter() {
            if cell.bit == 0 && cell.written {
                pixels[cell.byte..cell.byte + width].fill(shade(cell.value, range));
            }
        }
        draw(128, lines, pixels)
    }

    /// The bytes for the script of the report.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

fn shade(value: f64, range: Option<(Number, Number)>) -> u8 {
    let Some((low, high)) = range.filter(|_| value.is_finite()) else {
        return NOT_FINITE;
    };
    let span = high.0 - low.0;
    let part = if span > 0.0 {
        (value - low.0) / span
    } else {
        0.5
    };
    SCALE + (part * f64::from(255 - SCALE)).round() as u8
}

/// Colours of the scale, evenly spaced from low to high: readable on light and dark, and
/// told apart without red and green.
const ANCHORS: [[f64; 3]; 5] = [
    [45.0, 40.0, 110.0],
    [40.0, 100.0, 165.0],
    [35.0, 160.0, 160.0],
    [130.0, 205.0, 100.0],
    [250.0, 225.0, 60.0],
];

/// The colour of the scale at `part` (0 low, 1 high).
pub fn colour(part: f64) -> [u8; 3] {
    let place = part.clamp(0.0, 1.0) * (ANCHORS.len() - 1) as f64;
    let i = (place as usize).min(ANCHORS.len() - 2);
    let t = place - i as f64;
    std::array::from_fn(|k| (ANCHORS[i][k] * (1.0 - t) + ANCHORS[i + 1][k] * t).round() as u8)
}

fn draw(width: usize, height: usize, pixels: Vec<u8>) -> Drawing {
    let mut palette = vec![0, 0, 0, 220, 40, 140];
    for i in SCALE..=255 {
        palette.extend(colour(f64::from(i - SCALE) / f64::from(255 - SCALE)));
    }
    // Writing to memory cannot fail, and an empty picture has no PNG: both leave no data.
    let png = png(width, height, &pixels, palette).unwrap_or_default();
    Drawing {
        url: format!("data:image/png;base64,{}", STANDARD.encode(png)),
        width,
        height,
    }
}

fn png(
    width: usize,
    height: usize,
    pixels: &[u8],
    palette: Vec<u8>,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_trns(vec![0]);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(drawing: &Drawing) -> Vec<u8> {
        let data = drawing.url.strip_prefix("data:image/png;base64,").unwrap();
        let bytes = STANDARD.decode(data).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    }

    #[test]
    fn both_views_show_the_same_elements() {
        let mut bytes = vec![0u8; 2048];
        bytes[2..4].copy_from_slice(&0x3C00u16.to_le_bytes()); // row 1, column 0
        let mut written = vec![true; 2048];
        written[128..256].fill(false);
        let form = (Layout::CroutonHf, Element::Hf);
        let picture = Picture::new("w", true, 0, form, &bytes, &written);
        let rows = pixels(&picture.by_element());
        assert_eq!((rows[0], rows[32], rows[64]), (SCALE, 255, ABSENT));
        let lines = pixels(&picture.by_byte());
        assert_eq!(
            (lines[0], lines[2], lines[3], lines[128]),
            (SCALE, 255, 255, ABSENT)
        );
        assert_eq!(picture.range(), Some((Number(0.0), Number(1.0))));
    }
}
