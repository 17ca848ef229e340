//! `mm_w4a16_fused` for ggml-hexagon: its expansion and multiply core in the runtime's signatures.

use super::File;
use super::amalgam::amalgamate;

const HEADER: &str = include_str!("w4a16/kernels-tiled.h");
/// The patch that puts the header to use.
pub const PATCH: &str = include_str!("w4a16/llama.patch");

/// The export's files, without certificate.
pub fn files() -> Vec<File> {
    vec![
        File::new("README.md", include_str!("w4a16/README.md")),
        File::new("llama.patch", PATCH),
        File::new(
            "files/ggml/src/ggml-hexagon/htp/hmxwb-w4a16-kernels-tiled.h",
            amalgamate(HEADER),
        ),
        File::new(
            "test-backend-ops.inc",
            include_str!("w4a16/test-backend-ops.inc"),
        ),
    ]
}
