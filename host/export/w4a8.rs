//! `mm_w4a8` as an op of ggml-hexagon: its sources, the packing of weights, and the patch that takes it in.

use super::File;
use super::amalgam::{amalgamate, amalgamate_beside};
use crate::packers::Format;

/// Where files of ggml-hexagon go.
const RUNTIME: &str = "files/ggml/src/ggml-hexagon";
/// Headers of `abi/include/` and `dsp-kernels/include/` that the op's sources get from `hmxwb-w4a8-ops.h`.
const SHARED: [&str; 2] = ["hmxwb.h", "regions.h"];

/// The patch that puts the op to use.
pub const PATCH: &str = include_str!("w4a8/llama.patch");

/// The export's files, without certificate.
pub fn files() -> Vec<File> {
    let repack = include_str!("w4a8/hmxwb-w4a8-repack.h")
        .replace("@RAMP_SHA256@", Format::Q4_0NTile.golden_digest());
    let shared = amalgamate(include_str!("w4a8/hmxwb-w4a8-ops.h"));
    let op = amalgamate_beside(include_str!("w4a8/hmxwb-w4a8-ops.c"), &SHARED);
    let host = include_str!("w4a8/hmxwb-w4a8-host.h").to_owned();
    let runtime = |name: &str, text: String| File::new(format!("{RUNTIME}/{name}"), text);
    vec![
        File::new("README.md", include_str!("w4a8/README.md")),
        File::new("llama.patch", PATCH),
        runtime("hmxwb-w4a8-repack.h", repack),
        runtime("hmxwb-w4a8-host.h", host),
        runtime("htp/hmxwb-w4a8-ops.h", shared),
        runtime("htp/hmxwb-w4a8-ops.c", op),
        File::new(
            "test-backend-ops.inc",
            include_str!("w4a8/test-backend-ops.inc"),
        ),
    ]
}
