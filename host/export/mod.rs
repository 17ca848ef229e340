//! What leaves the workbench: a kernel with all that a runtime needs to carry it.
//!
//! [`validate`] says whether it may leave, `w4a16` and others write the files for a runtime,
//! [`certificate`] seals them, [`check`] holds a folder against its certificate later.

pub mod amalgam;
pub mod bundle;
pub mod certificate;
pub mod check;
pub mod folder;
pub mod golden;
pub mod identity;
pub mod llama;
pub mod silicon;
pub mod validate;
pub mod w4a16;
pub mod w4a8;

use crate::kernels::Kernel;
use llama::Llama;

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it goes: below the export's folder, parts joined with `/`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file at a path below the export's folder.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> File {
        File {
            path: path.into(),
            bytes: bytes.into(),
        }
    }
}

/// Who is to carry the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Runtime {
    /// llama.cpp's backend
    GgmlHexagon,
    /// Anything that speaks FastRPC: skel, C headers, an example
    Bundle,
}

impl Runtime {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Runtime::GgmlHexagon => "ggml-hexagon",
            Runtime::Bundle => "bundle",
        }
    }
}

/// The files of a form, and the llama.cpp they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The files, without golden.json and certificate.json.
    pub files: Vec<File>,
    /// None for a bundle.
    pub llama: Option<Llama>,
}

/// Whether there is a form of a kernel for a runtime.
///
/// # Errors
/// There is none; the text says what there is.
pub fn check_form(kernel: Kernel, runtime: Runtime) -> anyhow::Result<()> {
    match (runtime, kernel) {
        (Runtime::Bundle, _) | (Runtime::GgmlHexagon, Kernel::W4A16Fused | Kernel::W4A8) => Ok(()),
        (Runtime::GgmlHexagon, _) => anyhow::bail!(
            "{kernel} has no form for ggml-hexagon; mm_w4a16_fused and mm_w4a8 have one; \
             every kernel has the form --runtime bundle"
        ),
    }
}

/// Makes the files of a kernel for a runtime.
///
/// # Errors
/// There is no such form, or a skel cannot be built.
pub fn form(kernel: Kernel, runtime: Runtime) -> anyhow::Result<Form> {
    check_form(kernel, runtime)?;
    let (files, patch) = match (runtime, kernel) {
        (Runtime::GgmlHexagon, Kernel::W4A8) => (w4a8::files(), Some(w4a8::PATCH)),
        (Runtime::GgmlHexagon, _) => (w4a16::files(), Some(w4a16::PATCH)),
        (Runtime::Bundle, _) => (bundle::files(kernel, &validate::ARCHS)?, None),
    };
    Ok(Form {
        files,
        llama: patch.map(Llama::pinned),
    })
}
