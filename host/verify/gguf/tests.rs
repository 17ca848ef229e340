use super::*;
use std::io::Write;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/minilm-layer0-q4_0.gguf")
}

fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn the_shipped_model_slice_reads_as_its_readme_says() {
    let gguf = Gguf::open(&sample()).unwrap();
    assert_eq!(
        gguf.q4_0_names(),
        ["blk.0.attn_q.weight", "blk.0.ffn_up.weight"]
    );
    assert_eq!(gguf.f32_names(384), ["blk.0.attn_input"]);
    let up = gguf.q4_0("blk.0.ffn_up.weight").unwrap();
    assert_eq!((up.rows, up.k, up.data.len()), (1536, 384, 1536 * 12 * 18));
    let input = gguf.f32("blk.0.attn_input").unwrap();
    assert_eq!((input.rows, input.k), (42, 384));
    let least = input.data.iter().copied().fold(f32::MAX, f32::min);
    let largest = input.data.iter().copied().fold(f32::MIN, f32::max);
    assert_eq!(
        (format!("{least:.2}"), format!("{largest:.2}")),
        ("-2.49".into(), "6.33".into())
    );
}

#[test]
fn every_truncation_is_an_error_and_never_a_panic() {
    let bytes = std::fs::read(sample()).unwrap();
    let cuts = (0..2048)
        .step_by(7)
        .chain((2048..bytes.len()).step_by(40_001));
    for cut in cuts.chain([bytes.len() - 1]) {
        let file = written(&bytes[..cut]);
        let outcome = Gguf::open(file.path()).and_then(|gguf| {
            gguf.q4_0("blk.0.attn_q.weight")?;
            gguf.q4_0("blk.0.ffn_up.weight")?;
            gguf.f32("blk.0.attn_input")
        });
        let error = outcome.expect_err("a truncated file was read");
        match error {
            GgufError::Foreign { .. } => assert!(cut < 4),
            GgufError::Truncated { .. } => {}
            other => panic!("{cut}: {other}"),
        }
    }
}

#[test]
fn foreign_and_damaged_files_are_told_apart() {
    let open = |bytes: &[u8]| Gguf::open(written(bytes).path()).err().unwrap();
    assert!(matches!(
        open(b"PK\x03\x04 a zip"),
        GgufError::Foreign { .. }
    ));
    assert!(matches!(
        open(b"GGUF\0\0\0\x03........"),
        GgufError::Version { .. }
    ));
    let mut bytes = std::fs::read(sample()).unwrap();
    bytes[24 + 8] = 0xFF;
    assert!(matches!(open(&bytes), GgufError::Malformed { .. }));
    let mut nested =
        b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0k".to_vec();
    nested.extend([9, 0, 0, 0]);
    for _ in 0..100_000 {
        nested.extend([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
    assert!(matches!(open(&nested), GgufError::Malformed { .. }));
}

#[test]
fn missing_and_unsuitable_tensors_are_named() {
    let gguf = Gguf::open(&sample()).unwrap();
    let missing = gguf.q4_0("nothing").unwrap_err().to_string();
    assert!(missing.contains("blk.0.attn_q.weight"), "{missing}");
    let unsuitable = gguf.q4_0("blk.0.attn_input").unwrap_err().to_string();
    assert!(
        unsuitable.contains("F32 of shape [384, 42]"),
        "{unsuitable}"
    );
}
