use super::*;
use crate::dump::Origin;
use crate::untouched::POISON;
use hmx_abi::Evidence;
use proptest::prelude::*;

fn origin() -> Origin {
    Origin {
        target: "sim".to_owned(),
        arch: Arch::V81,
        evidence: Evidence::VendorModel,
        probe: "ones".to_owned(),
        skel_sha256: None,
        seed: Some(7),
        facts: BTreeMap::from([("soc".to_owned(), "none".to_owned())]),
    }
}

fn dump(written: &[u8]) -> Dump {
    let mut first = vec![POISON[0]; written.len() + 64];
    let mut second = vec![POISON[1]; written.len() + 64];
    first[32..32 + written.len()].copy_from_slice(written);
    second[32..32 + written.len()].copy_from_slice(written);
    Dump::of(origin(), "question = \"?\"\n", first, &second, POISON).unwrap()
}

fn refusal(dir: &Path) -> String {
    Dump::read(dir).unwrap_err().to_string()
}

#[test]
fn a_dump_is_replaced_by_a_dump_and_nothing_else_is_overwritten() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("a/b");
    dump(&[1, 2, 3]).write(&dir).unwrap();
    dump(&[4, 5])
        .write_with(&dir, &[("report.txt", b"hello")])
        .unwrap();
    assert_eq!(Dump::read(&dir).unwrap(), dump(&[4, 5]));
    assert_eq!(fs::read(dir.join("report.txt")).unwrap(), b"hello");
    assert_eq!(fs::read_dir(tmp.path().join("a")).unwrap().count(), 1);
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    let error = dump(&[1]).write(&dir).unwrap_err();
    assert!(matches!(error, DumpError::NotADump { .. }));

    let other = tmp.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("precious"), "x").unwrap();
    let error = dump(&[1]).write(&other).unwrap_err().to_string();
    assert!(error.contains("holds more than a dump"), "{error}");
    assert_eq!(fs::read(other.join("precious")).unwrap(), b"x");
    let error = dump(&[1]).write(&other.join("precious")).unwrap_err();
    assert!(matches!(error, DumpError::NotADump { .. }));
}

#[test]
fn each_defect_is_named() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("d");
    let spoil = |name: &str, change: &dyn Fn(String) -> String| {
        dump(&[9; 40]).write(&dir).unwrap();
        let file = dir.join(name);
        // Latin-1 keeps every byte of the binary file apart.
        let text: String = fs::read(&file)
            .unwrap()
            .into_iter()
            .map(char::from)
            .collect();
        let bytes: Vec<u8> = change(text).chars().map(|c| c as u8).collect();
        fs::write(&file, bytes).unwrap();
        refusal(&dir)
    };
    let expect = |found: String, wanted: &str| assert!(found.contains(wanted), "{found}");
    expect(
        spoil(VTCM, &|t| t.chars().skip(1).collect()),
        "vtcm.bin is cut short",
    );
    expect(spoil(VTCM, &|t| t + "x"), "vtcm.bin was edited");
    expect(
        spoil(VTCM, &|t| t.replacen('\t', "x", 1)),
        "vtcm.bin was edited",
    );
    expect(spoil(PROBE, &|t| t + "\n"), "probe.toml was edited");
    expect(
        spoil(MANIFEST, &|t| t.replace("sim", "device")),
        "manifest.json was edited",
    );
    expect(
        spoil(MANIFEST, &|t| t.replacen('{', "{\"extra\": 1,", 1)),
        "manifest.json was edited",
    );
    expect(
        spoil(MANIFEST, &|t| t.replace("\"format\": 1", "\"format\": 2")),
        "format 2 is unknown",
    );
    expect(spoil(MANIFEST, &|_| String::new()), "is no manifest");
    expect(spoil(MANIFEST, &|_| "[1]".to_owned()), "is no manifest");
    for name in [VTCM, PROBE, MANIFEST] {
        dump(&[1]).write(&dir).unwrap();
        fs::remove_file(dir.join(name)).unwrap();
        expect(refusal(&dir), &format!("{name} is missing"));
        fs::remove_dir_all(&dir).unwrap();
    }
    expect(refusal(&tmp.path().join("nowhere")), "is no folder");
}

#[test]
fn a_sealed_manifest_of_an_unknown_version_is_named() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("d");
    dump(&[1]).write(&dir).unwrap();
    let value = serde_json::from_slice(&fs::read(dir.join(MANIFEST)).unwrap()).unwrap();
    let mut object: Object = serde_json::from_value(value).unwrap();
    object.insert("arch".to_owned(), "v99".into());
    object.insert(SEAL.to_owned(), digest(&object).into());
    fs::write(dir.join(MANIFEST), serde_json::to_vec(&object).unwrap()).unwrap();
    let found = refusal(&dir);
    assert!(
        found.contains("`v99` is no architecture version"),
        "{found}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("d");
        dump(&bytes).write(&dir).unwrap();
        prop_assert_eq!(Dump::read(&dir).unwrap(), dump(&bytes));
    }

    #[test]
    fn one_changed_byte_is_refused(which in 0usize..3, at in any::<usize>(), flip in 1u8..) {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("d");
        dump(&[3; 20]).write(&dir).unwrap();
        let file = dir.join([MANIFEST, PROBE, VTCM][which]);
        let mut bytes = fs::read(&file).unwrap();
        let at = at % bytes.len();
        // White space between the tokens of the manifest carries no meaning.
        prop_assume!(!bytes[at].is_ascii_whitespace() || which != 0);
        bytes[at] ^= flip;
        prop_assume!(which != 0 || !bytes[at].is_ascii_whitespace());
        fs::write(&file, bytes).unwrap();
        prop_assert!(Dump::read(&dir).is_err());
    }
}
