//! The generated files are what the instruction table says. `BLESS=1` writes them anew.

use hmx_abi::generated::{c_header, isa_page};
use std::{env, fs, path::Path};

fn check(path: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    if env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, wanted).unwrap();
    }
    let found = fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        found == wanted,
        "{} is stale; renew it with BLESS=1 cargo test -p hmx-abi --test generated",
        path.display()
    );
}

#[test]
fn the_c_header_is_fresh() {
    check("dsp-kernels/include/hmx_words.h", &c_header());
}

#[test]
fn the_reference_page_is_fresh() {
    check("docs/isa.md", &isa_page());
}
