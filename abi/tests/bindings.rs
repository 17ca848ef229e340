//! The committed bindings are what bindgen makes of the C headers, and both sides lay the
//! structs out alike. `BLESS=1` writes the bindings anew.
//!
//! Needs libclang (Debian and Ubuntu: `apt-get install libclang-dev`). Without it the tests
//! fail and say so; `HMX_SKIP_BINDGEN=1` skips them on purpose.

use bindgen::callbacks::{DeriveInfo, ParseCallbacks, TypeKind};
use std::panic::{self, AssertUnwindSafe};
use std::{env, fs, path::Path};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bindings.rs");
const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
const STDINT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/include");

const HOST: &str = "x86_64-unknown-linux-gnu";
const DSP: &str = "hexagon-unknown-elf";

const TOP: &str = "\
//! What the C headers in `abi/include/` say, made by bindgen; do not edit.
//! Renew with: BLESS=1 cargo test -p hmx-abi --test bindings

#![allow(missing_docs, non_camel_case_types, clippy::all, clippy::undocumented_unsafe_blocks)]
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags, rustdoc::bare_urls)]
";

/// Structs are plain bytes: bytemuck refuses them when there is padding.
#[derive(Debug)]
struct PlainBytes;

impl ParseCallbacks for PlainBytes {
    fn add_derives(&self, info: &DeriveInfo<'_>) -> Vec<String> {
        match info.kind {
            // The guest runner's structs hold wide registers, aligned with padding before them.
            TypeKind::Struct if !info.name.starts_with("hmxwb_guest_") => {
                vec!["bytemuck::Pod".into(), "bytemuck::Zeroable".into()]
            }
            _ => Vec::new(),
        }
    }
}

fn generate(target: &str) -> String {
    let mut headers: Vec<String> = fs::read_dir(INCLUDE)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "h"))
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    headers.sort();
    assert!(!headers.is_empty(), "no header in {INCLUDE}");
    let builder = bindgen::Builder::default()
        .headers(headers)
        .clang_args([
            &format!("--target={target}"),
            "-nostdinc",
            "-ffreestanding",
            "-fparse-all-comments",
            "-I",
            STDINT,
            "-I",
            INCLUDE,
        ])
        .allowlist_file(format!("{INCLUDE}/.*"))
        .use_core()
        .disable_header_comment()
        .raw_line(TOP)
        .prepend_enum_name(false)
        .derive_default(true)
        .derive_eq(true)
        .parse_callbacks(Box::new(PlainBytes));
    // Without libclang, bindgen panics.
    match panic::catch_unwind(AssertUnwindSafe(|| builder.generate())) {
        Ok(Ok(bindings)) => bindings.to_string(),
        Ok(Err(error)) => panic!("the headers in {INCLUDE} cannot be read: {error}"),
        Err(_) => panic!(
            "libclang is needed to check the bindings: apt-get install libclang-dev, \
             or set LIBCLANG_PATH to its folder, or skip this test on purpose with HMX_SKIP_BINDGEN=1"
        ),
    }
}

fn skipped() -> bool {
    let skip = env::var_os("HMX_SKIP_BINDGEN").is_some();
    if skip {
        eprintln!("skipped: HMX_SKIP_BINDGEN is set");
    }
    skip
}

#[test]
fn the_bindings_are_fresh() {
    if skipped() {
        return;
    }
    let wanted = generate(HOST);
    if env::var_os("BLESS").is_some() {
        fs::write(COMMITTED, &wanted).unwrap();
    }
    let found = fs::read_to_string(Path::new(COMMITTED))
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        found == wanted,
        "{COMMITTED} is stale; renew it with BLESS=1 cargo test -p hmx-abi --test bindings"
    );
}

/// bindgen writes size, alignment and every field offset into the bindings, so equal text
/// means equal layout. The types of the enums themselves differ (Hexagon makes them short);
/// a struct that held one would differ in its size.
#[test]
fn host_and_dsp_lay_structs_out_alike() {
    if skipped() {
        return;
    }
    let layout = |target: &str| {
        let text = generate(target);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let is_type = |l: &String| l.starts_with("pub type ");
        assert!(lines.iter().any(|l| l.contains("Offset of field")));
        lines
            .into_iter()
            .filter(|l| !is_type(l))
            .collect::<Vec<_>>()
    };
    let (host, dsp) = (layout(HOST), layout(DSP));
    for (host, dsp) in host.iter().zip(&dsp) {
        assert_eq!(host, dsp, "left: {HOST}, right: {DSP}");
    }
    assert_eq!(host.len(), dsp.len());
}
