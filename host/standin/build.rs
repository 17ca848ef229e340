//! Compiles the skel's entry for this computer. Everything it calls comes with the workbench.

use std::path::Path;

fn main() {
    let root = Path::new("../..");
    let kernels = root.join("dsp-kernels");
    for changed in [
        &kernels.join("skel.c"),
        &kernels.join("include"),
        &root.join("abi/include"),
    ] {
        println!("cargo:rerun-if-changed={}", changed.display());
    }
    cc::Build::new()
        .std("c11")
        .file(kernels.join("skel.c"))
        .include(kernels.join("include"))
        .include(root.join("abi/include"))
        .warnings(true)
        .extra_warnings(true)
        .compile("hmxwb_skel");
}
