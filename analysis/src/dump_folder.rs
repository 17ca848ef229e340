//! Writing and reading dump folders.

use crate::dump::{Dump, FORMAT, MANIFEST, Manifest, PROBE, VTCM, sha256};
use crate::dump_error::DumpError;
use hmx_abi::Arch;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The key of `manifest.json` that seals the others.
const SEAL: &str = "manifest_sha256";

type Object = BTreeMap<String, Value>;

impl Dump {
    /// Writes the dump folder `dir`. It is built beside its final place and renamed, so that
    /// a half-written dump never has the final name. A dump that is there already is
    /// replaced; a folder that holds any other file is left alone.
    pub fn write(&self, dir: &Path) -> Result<(), DumpError> {
        self.write_with(dir, &[])
    }

    /// Like [`Dump::write`], with further files (`report.txt`, `report.html`) beside
    /// the three of a dump. Reading a dump ignores them.
    pub fn write_with(&self, dir: &Path, beside: &[(&str, &[u8])]) -> Result<(), DumpError> {
        self.check()?;
        let replaces = match fs::read_dir(dir) {
            Ok(entries) => {
                let mut names = entries.map(|e| e.map(|e| e.file_name()));
                if !names.all(|name| name.is_ok_and(|name| ours(&name.to_string_lossy()))) {
                    return Err(DumpError::NotADump { dir: dir.into() });
                }
                true
            }
            Err(e) if e.kind() == ErrorKind::NotFound => false,
            Err(_) => return Err(DumpError::NotADump { dir: dir.into() }),
        };
        let building = sibling(dir, "new");
        let parent = dir.parent().filter(|p| !p.as_os_str().is_empty());
        if let Some(parent) = parent {
            fs::create_dir_all(parent).map_err(unwritable(parent))?;
        }
        let written = self
            .fill(&building, beside)
            .and_then(|()| put_in_place(&building, dir, replaces));
        if written.is_err() {
            // What is left of the attempt is ours alone; the error is the one to report.
            let _ = fs::remove_dir_all(&building);
        }
        written
    }

    fn fill(&self, dir: &Path, beside: &[(&str, &[u8])]) -> Result<(), DumpError> {
        fs::create_dir(dir).map_err(unwritable(dir))?;
        let manifest = sealed(&self.manifest)?;
        let own: [(&str, &[u8]); 3] = [
            (MANIFEST, manifest.as_bytes()),
            (PROBE, self.probe.as_bytes()),
            (VTCM, &self.vtcm),
        ];
        for (name, bytes) in own.iter().chain(beside) {
            let file = dir.join(name);
            fs::write(&file, bytes).map_err(unwritable(&file))?;
        }
        Ok(())
    }

    /// Reads and checks the dump folder `dir`.
    pub fn read(dir: &Path) -> Result<Dump, DumpError> {
        if !dir.is_dir() {
            return Err(DumpError::NoFolder { dir: dir.into() });
        }
        let manifest = manifest(&file(dir, MANIFEST)?)?;
        let vtcm = file(dir, VTCM)?;
        let probe = String::from_utf8(file(dir, PROBE)?).map_err(|_| DumpError::NotText)?;
        let dump = Dump {
            manifest,
            probe,
            vtcm,
        };
        dump.check()?;
        Ok(dump)
    }
}

/// Whether a dump folder may hold a file of this name.
fn ours(name: &str) -> bool {
    [MANIFEST, PROBE, VTCM].contains(&name) || name.starts_with("report")
}

fn put_in_place(building: &Path, dir: &Path, replaces: bool) -> Result<(), DumpError> {
    if !replaces {
        return fs::rename(building, dir).map_err(unwritable(dir));
    }
    let old = sibling(dir, "old");
    fs::rename(dir, &old).map_err(unwritable(dir))?;
    if let Err(cause) = fs::rename(building, dir) {
        let _ = fs::rename(&old, dir); // back to where we were
        return Err(DumpError::Unwritable {
            file: dir.into(),
            cause,
        });
    }
    fs::remove_dir_all(&old).map_err(unwritable(&old))
}

/// A hidden name beside `dir` that no other process uses.
fn sibling(dir: &Path, what: &str) -> PathBuf {
    let name = dir.file_name().unwrap_or("dump".as_ref()).to_string_lossy();
    dir.with_file_name(format!(".{name}.{}.{what}", std::process::id()))
}

fn unwritable(file: &Path) -> impl FnOnce(std::io::Error) -> DumpError {
    let file = file.to_owned();
    move |cause| DumpError::Unwritable { file, cause }
}

fn file(dir: &Path, name: &str) -> Result<Vec<u8>, DumpError> {
    let file = dir.join(name);
    fs::read(&file).map_err(|cause| match cause.kind() {
        ErrorKind::NotFound => DumpError::Missing { file },
        _ => DumpError::Unreadable { file, cause },
    })
}

/// The manifest as written: its keys and their digest.
fn sealed(manifest: &Manifest) -> Result<String, DumpError> {
    let cause = |e: serde_json::Error| DumpError::NotAManifest {
        cause: e.to_string(),
    };
    let value = serde_json::to_value(manifest).map_err(cause)?;
    let mut object: Object = serde_json::from_value(value).map_err(cause)?;
    object.insert(SEAL.to_owned(), Value::String(digest(&object)));
    serde_json::to_string_pretty(&object).map_err(cause)
}

/// Digest over the keys, sorted, in compact form: whatever the white space of the file.
fn digest(object: &Object) -> String {
    let text: Vec<String> = object
        .iter()
        .filter(|(key, _)| *key != SEAL)
        .map(|(key, value)| format!("{}:{}\n", Value::String(key.clone()), sorted(value)))
        .collect();
    sha256(text.concat().as_bytes())
}

/// A value with the keys of its objects in order, whatever the map type holds them in.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<_> = map.iter().collect();
            pairs.sort_by_key(|(key, _)| *key);
            let pairs: Vec<String> = pairs
                .into_iter()
                .map(|(k, v)| format!("{}:{}", Value::String(k.clone()), sorted(v)))
                .collect();
            format!("{{{}}}", pairs.join(","))
        }
        other => other.to_string(),
    }
}

fn manifest(bytes: &[u8]) -> Result<Manifest, DumpError> {
    let cause = |e: serde_json::Error| DumpError::NotAManifest {
        cause: e.to_string(),
    };
    let object: Object = serde_json::from_slice(bytes).map_err(cause)?;
    match object.get("format").map(|f| (f.as_u64(), f)) {
        Some((Some(n), _)) if n == u64::from(FORMAT) => {}
        Some((Some(n), _)) => {
            return Err(DumpError::Format {
                found: u32::try_from(n).unwrap_or(u32::MAX),
            });
        }
        _ => {
            return Err(DumpError::NotAManifest {
                cause: "no `format` number".to_owned(),
            });
        }
    }
    if object.get(SEAL) != Some(&Value::String(digest(&object))) {
        return Err(DumpError::ManifestEdited);
    }
    if let Some(Value::String(arch)) = object.get("arch") {
        arch.parse::<Arch>().map_err(DumpError::Arch)?;
    }
    serde_json::from_value(Value::Object(object.into_iter().collect())).map_err(cause)
}

#[cfg(test)]
#[path = "dump_tests.rs"]
mod tests;
