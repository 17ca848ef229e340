//! `mm_w4a8` as an op of ggml-hexagon: its sources, the packing of weights, and the patch that takes it in.

use super::File;
use super::amalgam::amalgamate;
use crate::packers::Format;

/// Where ggml-hexagon lies in a llama.cpp folder.
const RUNTIME: &str = "files/ggml/src/ggml-hexagon";

/// The files of the export.
pub fn files() -> Vec<File> {
    let repack = include_str!("w4a8/hmxwb-w4a8-repack.h")
        .replace("@RAMP_SHA256@", Format::Q4_0NTile.golden_digest());
    let shared = amalgamate(include_str!("w4a8/hmxwb-w4a8-ops.h"));
    vec![
        File::new(format!("{RUNTIME}/hmxwb-w4a8-repack.h"), repack),
        File::new(format!("{RUNTIME}/htp/hmxwb-w4a8-ops.h"), shared),
    ]
}
