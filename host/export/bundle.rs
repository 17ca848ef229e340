//! The bundle: a kernel for programs in C that call it over FastRPC, without any runtime.

mod example;
mod manifest;

use super::File;
use super::golden::weight_format;
use crate::kernels::{Kernel, ProblemError};
use crate::packers::PackError;
use crate::plan::PlanError;
use crate::skel_build::{self, BuildError, SKEL};
use crate::verify::kernel::RunError;
use hmx_abi::Arch;
use std::path::PathBuf;

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// a bundle needs the skel of at least one architecture: v73, v75, v79 or v81
    #[error("a bundle needs the skel of at least one architecture: v73, v75, v79 or v81")]
    NoArch,
    /// The skel cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// cannot read the skel that was built, {path}: {source}
    #[error("cannot read the skel that was built, {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The example's problem is none of the kernel.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The example's problem has no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The example's weights cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The example's shape does not fit.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The manifest cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Files that are the same in every bundle.
const FIXED: [(&str, &str); 9] = [
    ("include/hmxwb.h", include_str!("../../abi/include/hmxwb.h")),
    (
        "include/hmxwb_call.h",
        include_str!("../../abi/include/hmxwb_call.h"),
    ),
    (
        "include/hmxwb_fastrpc.h",
        include_str!("bundle/hmxwb_fastrpc.h"),
    ),
    ("include/hmxwb_run.h", include_str!("bundle/hmxwb_run.h")),
    ("example.c", include_str!("bundle/example.c")),
    ("Makefile", include_str!("bundle/Makefile")),
    ("formats.md", include_str!("../../docs/formats.md")),
    ("LICENSE-MIT", include_str!("../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")),
];

/// The files of a kernel's bundle, with a skel for each architecture. Builds the skels where needed.
pub fn files(kernel: Kernel, archs: &[Arch]) -> Result<Vec<File>, BundleError> {
    let mut archs = archs.to_vec();
    archs.sort();
    archs.dedup();
    let newest = *archs.last().ok_or(BundleError::NoArch)?;
    let mut files = Vec::new();
    for &arch in &archs {
        let path = skel_build::skel(arch)?;
        let bytes = std::fs::read(&path).map_err(|source| BundleError::Read { path, source })?;
        files.push(File::new(format!("skel/{arch}/{SKEL}"), bytes));
    }
    files.extend(FIXED.map(|(path, text)| File::new(path, text)));
    let example = example::Example::new(kernel)?;
    files.push(File::new("include/example_problem.h", example.header()?));
    files.push(File::new("README.md", readme(kernel, &archs, newest)));
    files.push(File::new(
        "manifest.json",
        manifest::text(kernel, &archs, &example, &files)?,
    ));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn readme(kernel: Kernel, archs: &[Arch], newest: Arch) -> String {
    let names: Vec<String> = archs.iter().map(Arch::to_string).collect();
    let [m, n, k] = example::SHAPE;
    include_str!("bundle/README.md")
        .replace("{{kernel}}", kernel.name())
        .replace("{{version}}", env!("CARGO_PKG_VERSION"))
        .replace("{{archs}}", &names.join(", "))
        .replace("{{arch}}", &newest.to_string())
        .replace("{{shape}}", &format!("{m} x {n} x {k}"))
        .replace("{{weight_format}}", weight_format(kernel).name())
}
