//! Reads tensors of a GGUF file: the header with the `gguf` crate, the data here, every size checked.
//!
//! The crate reads strictly (unknown value or tensor types are errors) and says "incomplete" for a short buffer, so a
//! growing part of the file is enough for the header, and a truncated file is told from a foreign one.

mod error;
mod header;

pub use error::GgufError;

use crate::packers::q4_0;
use ::gguf::{GGMLType, GGUFFile, GGUFTensorInfo};
use header::{alignment, check_start, header_length, nests_deeply};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of the header that are read first.
const FIRST_READ: u64 = 1 << 16;

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

#[cfg(test)]
mod tests;
