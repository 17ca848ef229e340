//! Compiles dsp-kernels/ for this computer.
fn main() {
    println!("cargo:rerun-if-changed=dsp-kernels");
}
