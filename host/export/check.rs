//! `hmx export --check`: is a folder still what was exported, and is it still current?

use super::certificate::{Certificate, CertificateError, NAME, now, within};
use super::folder;
use super::identity::{Identity, sha256};
use super::llama;
use serde::Serialize;
use std::path::Path;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Each thing that is not as it must be, one sentence.
    pub problems: Vec<String>,
    /// What is worth knowing and no problem.
    pub remarks: Vec<String>,
    /// Files that are as they were written.
    pub files: usize,
}

/// Checks the folder `dir`, and against the llama.cpp folder `tree` when one is given.
///
/// # Errors
/// The folder or its certificate cannot be read.
pub fn check(dir: &Path, tree: Option<&Path>) -> anyhow::Result<Report> {
    let mut report = Report {
        problems: Vec::new(),
        remarks: Vec::new(),
        files: 0,
    };
    let certificate = match Certificate::read(dir) {
        Ok(certificate) => certificate,
        Err(error @ CertificateError::Edited(_)) => {
            report.problems.push(error.to_string());
            return Ok(report);
        }
        Err(error) => return Err(error.into()),
    };
    check_files(dir, &certificate, &mut report)?;
    check_age(&certificate, &mut report);
    check_identity(&certificate, &Identity::here()?, &mut report);
    check_llama(&certificate, tree, &mut report)?;
    Ok(report)
}

fn check_files(dir: &Path, certificate: &Certificate, report: &mut Report) -> anyhow::Result<()> {
    for (path, digest) in &certificate.files {
        match std::fs::read(dir.join(path)) {
            Ok(bytes) if sha256(&bytes) == *digest => report.files += 1,
            Ok(_) => report.problems.push(format!("{path} was edited")),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                report.problems.push(format!("{path} is missing"))
            }
            Err(e) => report.problems.push(format!("{path}: {e}")),
        }
    }
    for path in folder::list(dir)? {
        if path != NAME && !certificate.files.contains_key(&path) {
            report.problems.push(format!("{path} was not exported"));
        }
    }
    Ok(())
}

fn check_age(certificate: &Certificate, report: &mut Report) {
    let (verified, exported) = (&certificate.verified.at, &certificate.exported_at);
    if !within(verified, exported) {
        report.problems.push(format!(
            "the certificate was stale: exported at {exported}, verified at {verified}; a verification holds for a day"
        ));
    }
    // RFC 3339 in UTC sorts as text.
    if *exported > now() {
        report.problems.push(format!(
            "the certificate is from the future ({exported}); is this computer's clock right?"
        ));
    }
}

fn check_identity(certificate: &Certificate, here: &Identity, report: &mut Report) {
    let then = &certificate.verified.identity;
    for what in then.differences(here) {
        report.problems.push(format!(
            "the certificate is stale: {what} have changed since; export {} again",
            certificate.verified.kernel
        ));
    }
    if then.tool_sha256 != here.tool_sha256 {
        report.remarks.push(format!(
            "verified with another build of hmx (version {})",
            then.tool
        ));
    }
}

fn check_llama(
    certificate: &Certificate,
    tree: Option<&Path>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let Some(made_for) = &certificate.llama else {
        if tree.is_some() {
            anyhow::bail!(
                "--llama is for exports to ggml-hexagon; this folder is a {}",
                certificate.runtime
            );
        }
        return Ok(());
    };
    if made_for.version != llama::VERSION {
        report.problems.push(format!(
            "made for {}, this tool exports for {}",
            made_for.version,
            llama::VERSION
        ));
    }
    if let Some(tree) = tree {
        if !tree.join("ggml/src/ggml-hexagon").is_dir() {
            anyhow::bail!(
                "{} has no ggml/src/ggml-hexagon; --llama names a llama.cpp folder",
                tree.display()
            );
        }
        let others = made_for.differences(tree);
        report.problems.extend(others.iter().map(|what| {
            format!(
                "{what} in {}: patched already, or not {}",
                tree.display(),
                made_for.version
            )
        }));
    }
    Ok(())
}
