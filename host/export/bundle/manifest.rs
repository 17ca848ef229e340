//! `manifest.json`: what a bundle holds and what it must agree with.

use super::BundleError;
use super::example::Example;
use crate::export::File;
use crate::export::golden::{Golden, golden};
use crate::export::identity::sha256;
use crate::kernels::{Kernel, Shape};
use crate::native::ffi;
use crate::plan::View;
use crate::skel_build::{ENTRY, SKEL};
use hmx_abi::Arch;
use hmx_abi::call::{
    Answer, CALL_VERSION, COUNTERS_SIZE, Facts, INFO, PLAN_SIZE, PROBE, PROBLEM_SIZE, Question, RUN,
};
use hmx_abi::wire::Method;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Manifest<'a> {
    format: &'static str,
    format_version: u32,
    hmx_version: &'static str,
    kernel: Kernel,
    kernel_id: u32,
    architectures: &'a [Arch],
    abi_version: u32,
    call_version: u32,
    skel: &'static str,
    entry: &'static str,
    methods: BTreeMap<&'static str, Call>,
    struct_sizes: BTreeMap<&'static str, usize>,
    golden: Golden,
    example: View,
    sha256: BTreeMap<&'a str, String>,
}

#[derive(Serialize)]
struct Call {
    number: u8,
    scalars: String,
}

fn call(method: &Method) -> Call {
    Call {
        number: method.number,
        scalars: method
            .scalars()
            .map_or(String::new(), |s| format!("{:#010x}", s.word())),
    }
}

/// The manifest of these files, itself not among them.
pub fn text(
    kernel: Kernel,
    archs: &[Arch],
    example: &Example,
    files: &[File],
) -> Result<String, BundleError> {
    let shape: &Shape = &example.shape;
    let manifest = Manifest {
        format: "hmx-bundle",
        format_version: 1,
        hmx_version: env!("CARGO_PKG_VERSION"),
        kernel,
        kernel_id: kernel.id(),
        architectures: archs,
        abi_version: ffi::ABI_VERSION,
        call_version: CALL_VERSION,
        skel: SKEL,
        entry: ENTRY,
        methods: [("info", &INFO), ("probe", &PROBE), ("run", &RUN)]
            .map(|(name, method)| (name, call(method)))
            .into(),
        struct_sizes: [
            ("hmxwb_answer", size_of::<Answer>()),
            ("hmxwb_counters", COUNTERS_SIZE),
            ("hmxwb_facts", size_of::<Facts>()),
            ("hmxwb_plan", PLAN_SIZE),
            ("hmxwb_problem", PROBLEM_SIZE),
            ("hmxwb_question", size_of::<Question>()),
        ]
        .into(),
        golden: golden(kernel),
        example: View::new(kernel, shape, &example.plan),
        sha256: files
            .iter()
            .map(|file| {
                let hash = sha256(&file.bytes);
                (file.path.as_str(), hash)
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}
