//! What the `gguf` crate leaves open about a header: version, nesting, length, alignment.

use super::GgufError;
use ::gguf::{GGUFFile, GGUFMetadata, GGUFMetadataValue};
use std::path::Path;

/// The file starts like a GGUF file of a version that is read.
pub(super) fn check_start(path: &Path, head: &[u8], length: u64) -> Result<(), GgufError> {
    if !head.starts_with(b"GGUF") {
        return Err(GgufError::Foreign {
            path: path.to_owned(),
        });
    }
    match head.get(4..8) {
        Some(&[a, b, c, d]) => match u32::from_le_bytes([a, b, c, d]) {
            2 | 3 => Ok(()),
            version => Err(GgufError::Version {
                path: path.to_owned(),
                version,
            }),
        },
        _ => Err(GgufError::Truncated {
            path: path.to_owned(),
            what: "its header".to_owned(),
            wanted: 24,
            length,
        }),
    }
}

/// Arrays of arrays in the metadata, one in another, that are believed.
const NESTING: usize = 16;

/// Whether the bytes hold "an array of arrays" many times in a row. The crate descends into each, so a hostile file
/// could exhaust the stack.
pub(super) fn nests_deeply(head: &[u8]) -> bool {
    const ARRAY: [u8; 4] = 9u32.to_le_bytes();
    // Type and length of an array take 12 bytes, and then the next one follows.
    let starts = |at: usize| head.get(at..at + 4) == Some(&ARRAY[..]);
    (0..head.len()).any(|at| (0..NESTING).all(|depth| starts(at + 12 * depth)))
}

/// Where the tensor data may start: the crate does not say how much it has read.
pub(super) fn header_length(file: &GGUFFile) -> u64 {
    let metadata = file.header.metadata.iter();
    let metadata: u64 = metadata
        .map(|m| 8 + m.key.len() as u64 + 4 + value_length(&m.value))
        .sum();
    let tensors = file.tensors.iter();
    let tensors: u64 = tensors
        .map(|t| 8 + t.name.len() as u64 + 4 + 8 * t.dimensions.len() as u64 + 4 + 8)
        .sum();
    24 + metadata + tensors
}

fn value_length(value: &GGUFMetadataValue) -> u64 {
    use GGUFMetadataValue as V;
    match value {
        V::Uint8(_) | V::Int8(_) | V::Bool(_) => 1,
        V::Uint16(_) | V::Int16(_) => 2,
        V::Uint32(_) | V::Int32(_) | V::Float32(_) => 4,
        V::Uint64(_) | V::Int64(_) | V::Float64(_) => 8,
        V::String(text) => 8 + text.len() as u64,
        V::Array(array) => 12 + array.value.iter().map(value_length).sum::<u64>(),
    }
}

/// `general.alignment`, 32 when the file does not say; `None` for a value that is no power of two.
pub(super) fn alignment(metadata: &[GGUFMetadata]) -> Option<u64> {
    let value = metadata
        .iter()
        .find(|m| m.key == "general.alignment")
        .map(|m| &m.value);
    let alignment = match value {
        None => 32,
        Some(GGUFMetadataValue::Uint32(n)) => u64::from(*n),
        Some(GGUFMetadataValue::Uint64(n)) => *n,
        Some(_) => 0,
    };
    (alignment.is_power_of_two() && alignment <= 1 << 20).then_some(alignment)
}
