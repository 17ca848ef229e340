//! Compiles dsp-kernels/ for this computer.
//!
//! * `HMXWB_SANITIZE=address,undefined` builds the C code with those sanitizers of gcc; see scripts/sanitize.sh.
//! * The feature `planted-faults` builds in the defects that tests plant on purpose.

use std::path::Path;

/// Sources in dsp-kernels/; headers and everything else are found by their includes.
const SOURCES: [&str; 17] = [
    "activation.c",
    "check.c",
    "dma.c",
    "expand.c",
    "fault.c",
    "hmx_work.c",
    "integer.c",
    "kernels.c",
    "mm_hf.c",
    "mm_w4a16.c",
    "mm_w4a8.c",
    "mm_w4a8_channel.c",
    "probe.c",
    "quantise.c",
    "rows.c",
    "weights.c",
    "native/layout.c",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=dsp-kernels");
    println!("cargo:rerun-if-changed=abi/include");
    println!("cargo:rerun-if-env-changed=HMXWB_SANITIZE");

    let root = Path::new("dsp-kernels");
    let mut build = cc::Build::new();
    build
        .std("c11")
        .opt_level(2)
        .debug(true)
        .include(root.join("include"))
        .include(root.join("native"))
        .include("abi/include")
        .files(SOURCES.iter().map(|s| root.join(s)))
        .files(["machine.c", "dma_native.c", "exports.c"].map(|s| root.join("native").join(s)))
        .warnings(true)
        .extra_warnings(true);
    if !build.get_compiler().is_like_msvc() {
        build
            .flag("-Werror")
            .flag("-ffp-contract=off")
            .flag("-fno-fast-math");
    }
    if std::env::var_os("CARGO_FEATURE_PLANTED_FAULTS").is_some() {
        build.define("HMXWB_FAULTS", None);
    }
    if let Some(list) = sanitizers() {
        build
            .define("HMXWB_SANITIZED", None)
            .flag(format!("-fsanitize={list}"))
            .flag("-fno-sanitize-recover=all")
            .flag("-fno-omit-frame-pointer");
        // Rust links with -nodefaultlibs, so gcc would not add the runtimes for -fsanitize by itself.
        for name in list.split(',') {
            match name {
                "address" => println!("cargo:rustc-link-arg=-lasan"),
                "undefined" => println!("cargo:rustc-link-arg=-lubsan"),
                other => panic!("HMXWB_SANITIZE: `{other}` is neither address nor undefined"),
            }
        }
    }
    build.compile("hmxwb_native");
}

/// The value of `HMXWB_SANITIZE`, if it is set to something.
fn sanitizers() -> Option<String> {
    std::env::var("HMXWB_SANITIZE")
        .ok()
        .filter(|list| !list.is_empty())
}
