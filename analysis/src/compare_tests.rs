use super::*;
use crate::dump::Origin;
use crate::untouched::POISON;
use hmx_probes::find;
use std::collections::BTreeMap;

/// The model's own run of a shipped probe, as a dump.
fn dump(name: &str) -> (Dump, Probe) {
    let probe = find(name).unwrap().clone();
    let images = POISON.map(|poison| {
        let mut image = probe.image(poison);
        let mut hmx = Hmx::new(hmx_abi::Arch::V81);
        hmx.set_usr(probe.usr);
        for packet in &probe.program {
            let mut memory = Vtcm {
                base: 0,
                bytes: &mut image,
            };
            hmx.execute(packet, &mut memory).unwrap();
        }
        image
    });
    let origin = Origin {
        target: "sim".to_owned(),
        arch: hmx_abi::Arch::V81,
        evidence: hmx_abi::Evidence::VendorModel,
        probe: name.to_owned(),
        skel_sha256: None,
        seed: probe.seed,
        facts: BTreeMap::new(),
    };
    let [first, second] = images;
    let dump = Dump::of(origin, &probe.source, first, &second, POISON).unwrap();
    assert_eq!(dump.definition().unwrap().name, name);
    (dump, probe)
}

#[test]
fn the_model_equals_itself_and_one_changed_element_is_named() {
    let (mut dump, probe) = dump("fp16-ones");
    let model = Side::model(&dump, &probe).unwrap();
    let same = compare(&Side::of("dump", &dump), &model, &probe).unwrap();
    assert!(same.equal, "{}", same.text(100));

    let readout = &probe.readouts[0];
    let slot = readout.layout.slot(3, 7);
    let at = readout.at as usize + slot.byte;
    dump.vtcm[at] += 5;
    let other = compare(&Side::of("dump", &dump), &model, &probe).unwrap();
    let found = other.readouts[0].first.clone().unwrap();
    assert_eq!(
        (found.at, found.row, found.column, found.ulp),
        (at, 3, 7, Some(5))
    );
    assert_eq!(found.b, Some((Number(32.0), 0x5000)));
    assert_eq!(other.readouts[0].different, 1);

    // A byte that one side did not write differs whatever it holds.
    dump.manifest.untouched.push((readout.at, 2));
    let other = compare(&Side::of("dump", &dump), &model, &probe).unwrap();
    assert_eq!(other.readouts[0].written_by_one, 1);
    // A guard byte that was written is told apart from the readout.
    dump.vtcm[readout.at as usize - 1] ^= 0xFF;
    let other = compare(&Side::of("dump", &dump), &model, &probe).unwrap();
    assert_eq!(other.elsewhere, [(readout.at - 1, 1)]);
    assert_eq!(crate::analyze(&dump, &probe).spilled, [(readout.at - 1, 1)]);
}

#[test]
fn runs_of_different_probes_are_not_compared() {
    let (ones, probe) = dump("fp16-ones");
    let (other, _) = dump("fp16-identity");
    let error = compare(&Side::of("a", &ones), &Side::of("b", &other), &probe).unwrap_err();
    assert!(error.to_string().contains("different probes"), "{error}");
}

#[test]
fn analysis_of_ones_gives_the_ratio() {
    let (dump, probe) = dump("fp16-ones");
    let analysis = crate::analyze(&dump, &probe);
    let r = &analysis.readouts[0];
    assert_eq!((r.coverage.written, r.distinct.len()), (1024, 1));
    assert!(
        r.product.sentence().contains("ratio 1"),
        "{}",
        r.product.sentence()
    );
    assert!(analysis.spilled.is_empty());
    let html = crate::report::html(&[crate::ReportItem::of(&dump, &probe, crate::Verdict::Pass)]);
    assert!(html.contains("fp16-ones") && html.contains("data:image/png"));
    for word in ["http://", "https://", "src=\"/", "<link"] {
        assert!(!html.contains(word), "not self-contained: {word}");
    }
}
