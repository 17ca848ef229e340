//! `certificate.json`: what an exported kernel was verified with, and what lies in its folder.

use super::File;
use super::identity::{Identity, sha256};
use super::llama::Llama;
use super::silicon::Silicon;
use super::validate::Run;
use crate::kernels::Kernel;
use hmx_abi::Arch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Its name in an export's folder.
pub const NAME: &str = "certificate.json";
/// Version of the form.
const FORMAT: u32 = 1;
/// A verification may be used again for this long.
pub const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// What was verified, when and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The kernel's name.
    pub kernel: String,
    /// Of what.
    pub identity: Identity,
    /// When, as RFC 3339.
    pub at: String,
    /// The runs.
    pub runs: Vec<Run>,
    /// Targets that could not run, and why.
    pub left_out: Vec<String>,
    /// SHA-256 of the skel that was run under QEMU, for each architecture.
    pub skels: BTreeMap<Arch, String>,
}

/// The content of the file. One more key, `certificate_sha256`, seals the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Version of this form.
    pub format: u32,
    /// The runtime: ggml-hexagon or bundle.
    pub runtime: String,
    /// The llama.cpp that the folder is for; none for a bundle.
    pub llama: Option<Llama>,
    /// The verification.
    pub verified: Verified,
    /// When the folder was written, as RFC 3339.
    pub exported_at: String,
    /// What is known from a device.
    pub silicon: Silicon,
    /// SHA-256 of every other file of the folder.
    pub files: BTreeMap<String, String>,
}

/// Why a file is no certificate that can be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// there is no {0}; name a folder that `hmx export` wrote
    #[error("there is no {0}; name a folder that `hmx export` wrote")]
    Missing(String),
    /// {0}: {1}
    #[error("{0}: {1}")]
    Unreadable(String, std::io::Error),
    /// {NAME} was edited, or a later version of this tool wrote it ({0})
    #[error("{NAME} was edited, or a later version of this tool wrote it ({0})")]
    Edited(String),
    /// the certificate cannot be used: {0}; leave --certificate out to verify again
    #[error("the certificate cannot be used: {0}; leave --certificate out to verify again")]
    Unfit(String),
}

impl Certificate {
    /// A certificate for these files.
    pub fn new(
        runtime: &str,
        llama: Option<Llama>,
        verified: Verified,
        silicon: Silicon,
        files: &[File],
    ) -> Certificate {
        Certificate {
            format: FORMAT,
            runtime: runtime.to_owned(),
            llama,
            verified,
            exported_at: now(),
            silicon,
            files: files
                .iter()
                .map(|f| (f.path.clone(), sha256(&f.bytes)))
                .collect(),
        }
    }

    /// As it is written.
    ///
    /// # Errors
    /// None in practice: every part can be written as JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut value = serde_json::to_value(self)?;
        let seal = sha256(serde_json::to_string(&value)?.as_bytes());
        value["certificate_sha256"] = seal.into();
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }

    /// Reads the certificate of an export's folder, or the file itself.
    ///
    /// # Errors
    /// It is not there, cannot be read, or is not as it was written.
    pub fn read(path: &Path) -> Result<Certificate, CertificateError> {
        let file = match path.is_dir() {
            true => path.join(NAME),
            false => path.to_owned(),
        };
        let shown = file.display().to_string();
        let text = std::fs::read_to_string(&file).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => CertificateError::Missing(shown),
            std::io::ErrorKind::InvalidData => CertificateError::Edited("it is no text".to_owned()),
            _ => CertificateError::Unreadable(shown, e),
        })?;
        Certificate::parse(&text)
    }

    fn parse(text: &str) -> Result<Certificate, CertificateError> {
        let edited = |what: &dyn std::fmt::Display| CertificateError::Edited(what.to_string());
        let mut value: serde_json::Value = serde_json::from_str(text).map_err(|e| edited(&e))?;
        let sealed = value
            .as_object_mut()
            .and_then(|o| o.remove("certificate_sha256"));
        let seal = sha256(value.to_string().as_bytes());
        if sealed.as_ref().and_then(|s| s.as_str()) != Some(seal.as_str()) {
            return Err(edited(&"its seal certificate_sha256 does not match"));
        }
        let certificate: Certificate = serde_json::from_value(value).map_err(|e| edited(&e))?;
        match certificate.format {
            FORMAT => Ok(certificate),
            other => Err(edited(&format!("form {other}, this tool knows {FORMAT}"))),
        }
    }
}

impl Verified {
    /// This verification, when it may stand in for a new one of `kernel` with what is `here` now.
    ///
    /// # Errors
    /// It is of another kernel, of something else, or too old.
    pub fn usable(self, kernel: Kernel, here: &Identity) -> Result<Verified, CertificateError> {
        let unfit = |why: String| Err(CertificateError::Unfit(why));
        if self.kernel != kernel.name() {
            return unfit(format!("it is for {}", self.kernel));
        }
        if let Some(what) = self.identity.differences(here).first() {
            return unfit(format!("{what} are not those it was made with"));
        }
        if self.identity.tool_sha256 != here.tool_sha256 {
            return unfit("another build of this tool made it".to_owned());
        }
        if !within(&self.at, &now()) {
            return unfit(format!("it was made at {}, more than a day ago", self.at));
        }
        Ok(self)
    }
}

/// The present time, as RFC 3339.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Whether `later` is at most [`LIFETIME`] after `at`.
pub fn within(at: &str, later: &str) -> bool {
    let (Ok(at), Ok(later)) = (
        humantime::parse_rfc3339(at),
        humantime::parse_rfc3339(later),
    ) else {
        return false;
    };
    later.duration_since(at).is_ok_and(|age| age <= LIFETIME)
}
