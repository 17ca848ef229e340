//! Reads tensors of a GGUF file: the header with the `gguf` crate, the data here, every size checked.
//!
//! The crate reads strictly (unknown value or tensor types are errors) and says "incomplete" for a short buffer, so a
//! growing part of the file is enough for the header, and a truncated file is told from a foreign one.

use crate::packers::q4_0;
use ::gguf::{GGMLType, GGUFFile, GGUFMetadata, GGUFMetadataValue, GGUFTensorInfo};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of the header that are read first.
const FIRST_READ: u64 = 1 << 16;
/// Arrays of arrays in the metadata, one in another, that are believed.
const NESTING: usize = 16;

/// Why a file or a tensor was not read.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    /// Cannot read {path}: {source}. Check the name and its permissions.
    #[error("cannot read {}: {source}. Check the name and its permissions", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// {path} is no GGUF file: it does not start with `GGUF`. Give a model file written by llama.cpp or the gguf package.
    #[error(
        "{} is no GGUF file: it does not start with `GGUF`. Give a model file written by llama.cpp or the gguf package", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// {path} has GGUF version {version}; versions 2 and 3, little-endian, are read. Convert the model again with a current llama.cpp.
    #[error(
        "{} has GGUF version {version}; versions 2 and 3, little-endian, are read. Convert the model again with a current llama.cpp", path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// {path} is truncated: {what} ends at byte {wanted}, the file at {length}. Download or copy it again.
    #[error(
        "{} is truncated: {what} ends at byte {wanted}, the file at {length}. Download or copy it again", path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Which part is incomplete.
        what: String,
        /// Where it should end; for the header, at least there.
        wanted: u64,
        /// Bytes of the file.
        length: u64,
    },
    /// The header of {path} is malformed ({why}). Convert the model again.
    #[error("the header of {} is malformed ({why}). Convert the model again", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// {path} has no tensor `{name}`; it has {available}. Name one of them with --tensor.
    #[error("{} has no tensor `{name}`; it has {available}. Name one of them with --tensor", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// Names of the tensors that would serve.
        available: String,
    },
    /// Tensor `{name}` of {path} is {found}, but {wanted} is needed. Name another with --tensor, or quantise the model with `llama-quantize`.
    #[error(
        "tensor `{name}` of {} is {found}, but {wanted} is needed. Name another with --tensor, or quantise the model with `llama-quantize`", path.display()
    )]
    Unsuitable {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its type and shape.
        found: String,
        /// What is needed.
        wanted: String,
    },
}

/// A GGUF file whose header has been read.
pub struct Gguf {
    path: PathBuf,
    tensors: Vec<GGUFTensorInfo>,
    data_start: u64,
    length: u64,
}

/// A two-dimensional tensor: `rows` rows of `k` values.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix<T> {
    /// Rows.
    pub rows: usize,
    /// Values of a row.
    pub k: usize,
    /// Q4_0 blocks in ggml's byte order, or values.
    pub data: Vec<T>,
}

impl Gguf {
    /// Reads the header of a file.
    pub fn open(path: &Path) -> Result<Gguf, GgufError> {
        let io = |source| GgufError::Io {
            path: path.to_owned(),
            source,
        };
        let malformed = |why: String| GgufError::Malformed {
            path: path.to_owned(),
            why,
        };
        let mut file = File::open(path).map_err(io)?;
        let length = file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut size = FIRST_READ.min(length);
        loop {
            let mut head = Vec::new();
            file.rewind().map_err(io)?;
            (&mut file).take(size).read_to_end(&mut head).map_err(io)?;
            check_start(path, &head, length)?;
            if nests_deeply(&head) {
                return Err(malformed("arrays nested without end".to_owned()));
            }
            match GGUFFile::read(&head) {
                Ok(Some(parsed)) => {
                    let end = header_length(&parsed);
                    let alignment = alignment(&parsed.header.metadata).ok_or_else(|| {
                        malformed("general.alignment is no power of two".to_owned())
                    })?;
                    return Ok(Gguf {
                        path: path.to_owned(),
                        tensors: parsed.tensors,
                        data_start: end.next_multiple_of(alignment),
                        length,
                    });
                }
                Ok(None) if size < length => size = size.saturating_mul(8).min(length),
                Ok(None) => {
                    return Err(GgufError::Truncated {
                        path: path.to_owned(),
                        what: "its header".to_owned(),
                        wanted: length + 1,
                        length,
                    });
                }
                // The crate's text holds the rest of the file; it is of no use to a reader.
                Err(_) => {
                    return Err(malformed(
                        "a value or tensor type that this reader does not know, or text that is not UTF-8"
                            .to_owned(),
                    ));
                }
            }
        }
    }

    /// Names of the two-dimensional Q4_0 tensors, in the order of the file.
    pub fn q4_0_names(&self) -> Vec<&str> {
        self.names(GGMLType::Q4_0)
    }

    /// Names of the two-dimensional F32 tensors with `k` values in a row.
    pub fn f32_names(&self, k: usize) -> Vec<&str> {
        let fits = |name: &&str| {
            let info = self.tensors.iter().find(|t| t.name == *name);
            info.is_some_and(|t| t.dimensions.first() == Some(&(k as u64)))
        };
        self.names(GGMLType::F32).into_iter().filter(fits).collect()
    }

    fn names(&self, kind: GGMLType) -> Vec<&str> {
        let fits = |t: &&GGUFTensorInfo| t.tensor_type == kind && t.dimensions.len() == 2;
        let tensors = self.tensors.iter().filter(fits);
        tensors.map(|t| t.name.as_str()).collect()
    }

    /// A Q4_0 tensor.
    pub fn q4_0(&self, name: &str) -> Result<Matrix<u8>, GgufError> {
        let (info, rows, k) = self.find(name, GGMLType::Q4_0, "a two-dimensional Q4_0 tensor")?;
        let bytes = q4_0::byte_length(rows, k).map_err(|e| GgufError::Malformed {
            path: self.path.clone(),
            why: format!("tensor `{name}`: {e}"),
        })?;
        let data = self.read(info, bytes as u64)?;
        Ok(Matrix { rows, k, data })
    }

    /// An F32 tensor.
    pub fn f32(&self, name: &str) -> Result<Matrix<f32>, GgufError> {
        let (info, rows, k) = self.find(name, GGMLType::F32, "a two-dimensional F32 tensor")?;
        // The product of the dimensions fits: `find` has checked it.
        let bytes = self.read(info, (rows * k) as u64 * 4)?;
        let data = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        Ok(Matrix { rows, k, data })
    }

    fn find(
        &self,
        name: &str,
        kind: GGMLType,
        wanted: &str,
    ) -> Result<(&GGUFTensorInfo, usize, usize), GgufError> {
        let Some(info) = self.tensors.iter().find(|t| t.name == name) else {
            let names = self.names(kind);
            return Err(GgufError::Missing {
                path: self.path.clone(),
                name: name.to_owned(),
                available: match names.len() {
                    0 => format!("no {kind:?} matrix at all"),
                    1..=8 => names.join(", "),
                    n => format!("{} and {} more", names[..8].join(", "), n - 8),
                },
            });
        };
        let unsuitable = |wanted: &str| GgufError::Unsuitable {
            path: self.path.clone(),
            name: name.to_owned(),
            found: format!("{:?} of shape {:?}", info.tensor_type, info.dimensions),
            wanted: wanted.to_owned(),
        };
        let (true, &[k, rows]) = (info.tensor_type == kind, &info.dimensions[..]) else {
            return Err(unsuitable(wanted));
        };
        let small = k
            .checked_mul(rows)
            .is_some_and(|n| (1..1 << 40).contains(&n));
        match (usize::try_from(rows), usize::try_from(k)) {
            (Ok(rows), Ok(k)) if small => Ok((info, rows, k)),
            _ => Err(unsuitable(
                "a tensor that is neither empty nor absurdly large",
            )),
        }
    }

    fn read(&self, info: &GGUFTensorInfo, bytes: u64) -> Result<Vec<u8>, GgufError> {
        let io = |source| GgufError::Io {
            path: self.path.clone(),
            source,
        };
        let start = self.data_start.saturating_add(info.offset);
        let end = start.saturating_add(bytes);
        if end > self.length {
            return Err(GgufError::Truncated {
                path: self.path.clone(),
                what: format!("tensor `{}`", info.name),
                wanted: end,
                length: self.length,
            });
        }
        let mut file = File::open(&self.path).map_err(io)?;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        // Bounded by the file's length, checked above.
        let mut data = vec![0; bytes as usize];
        file.read_exact(&mut data).map_err(io)?;
        Ok(data)
    }
}

fn check_start(path: &Path, head: &[u8], length: u64) -> Result<(), GgufError> {
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

/// Whether the bytes hold "an array of arrays" many times in a row. The crate descends into each, so a hostile file
/// could exhaust the stack.
fn nests_deeply(head: &[u8]) -> bool {
    const ARRAY: [u8; 4] = 9u32.to_le_bytes();
    // Type and length of an array take 12 bytes, and then the next one follows.
    let starts = |at: usize| head.get(at..at + 4) == Some(&ARRAY[..]);
    (0..head.len()).any(|at| (0..NESTING).all(|depth| starts(at + 12 * depth)))
}

/// Where the tensor data may start: the crate does not say how much it has read.
fn header_length(file: &GGUFFile) -> u64 {
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
fn alignment(metadata: &[GGUFMetadata]) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn sample() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/minilm-layer0-q4_0.gguf")
    }

    fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn the_shipped_model_slice_reads_as_its_readme_says() {
        let gguf = Gguf::open(&sample()).unwrap();
        assert_eq!(
            gguf.q4_0_names(),
            ["blk.0.attn_q.weight", "blk.0.ffn_up.weight"]
        );
        assert_eq!(gguf.f32_names(384), ["blk.0.attn_input"]);
        let up = gguf.q4_0("blk.0.ffn_up.weight").unwrap();
        assert_eq!((up.rows, up.k, up.data.len()), (1536, 384, 1536 * 12 * 18));
        let input = gguf.f32("blk.0.attn_input").unwrap();
        assert_eq!((input.rows, input.k), (42, 384));
        let least = input.data.iter().copied().fold(f32::MAX, f32::min);
        let largest = input.data.iter().copied().fold(f32::MIN, f32::max);
        assert_eq!(
            (format!("{least:.2}"), format!("{largest:.2}")),
            ("-2.49".into(), "6.33".into())
        );
    }

    #[test]
    fn every_truncation_is_an_error_and_never_a_panic() {
        let bytes = std::fs::read(sample()).unwrap();
        let cuts = (0..2048)
            .step_by(7)
            .chain((2048..bytes.len()).step_by(40_001));
        for cut in cuts.chain([bytes.len() - 1]) {
            let file = written(&bytes[..cut]);
            let outcome = Gguf::open(file.path()).and_then(|gguf| {
                gguf.q4_0("blk.0.attn_q.weight")?;
                gguf.q4_0("blk.0.ffn_up.weight")?;
                gguf.f32("blk.0.attn_input")
            });
            let error = outcome.expect_err("a truncated file was read");
            match error {
                GgufError::Foreign { .. } => assert!(cut < 4),
                GgufError::Truncated { .. } => {}
                other => panic!("{cut}: {other}"),
            }
        }
    }

    #[test]
    fn foreign_and_damaged_files_are_told_apart() {
        let open = |bytes: &[u8]| Gguf::open(written(bytes).path()).err().unwrap();
        assert!(matches!(
            open(b"PK\x03\x04 a zip"),
            GgufError::Foreign { .. }
        ));
        assert!(matches!(
            open(b"GGUF\0\0\0\x03........"),
            GgufError::Version { .. }
        ));
        let mut bytes = std::fs::read(sample()).unwrap();
        bytes[24 + 8] = 0xFF;
        assert!(matches!(open(&bytes), GgufError::Malformed { .. }));
        let mut nested =
            b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0k".to_vec();
        nested.extend([9, 0, 0, 0]);
        for _ in 0..100_000 {
            nested.extend([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        }
        assert!(matches!(open(&nested), GgufError::Malformed { .. }));
    }

    #[test]
    fn missing_and_unsuitable_tensors_are_named() {
        let gguf = Gguf::open(&sample()).unwrap();
        let missing = gguf.q4_0("nothing").unwrap_err().to_string();
        assert!(missing.contains("blk.0.attn_q.weight"), "{missing}");
        let unsuitable = gguf.q4_0("blk.0.attn_input").unwrap_err().to_string();
        assert!(
            unsuitable.contains("F32 of shape [384, 42]"),
            "{unsuitable}"
        );
    }
}
