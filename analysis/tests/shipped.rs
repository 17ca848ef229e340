//! Every shipped probe on the functional model: verdicts, agreement with the recorded silicon,
//! conclusions, and the generated parts of docs/findings.md.

use hmx_abi::{Arch, Evidence};
use hmx_analysis::agreement::agreement;
use hmx_analysis::{
    Agreement, Judgement, Reading, Verdict, conclusions, findings, judge, standings,
};
use hmx_model::{Hmx, Vtcm};
use hmx_probes::{Probe, find, shipped, untouched};
use std::path::Path;

const POISON: [u8; 2] = [0xA5, 0x5A];

/// The images after two runs under two poison patterns.
fn images(probe: &Probe, arch: Arch) -> ([Vec<u8>; 2], Evidence) {
    let mut evidence = Evidence::Silicon;
    let images = POISON.map(|poison| {
        let mut image = probe.image(poison);
        let mut hmx = Hmx::new(arch);
        hmx.set_usr(probe.usr);
        for packet in &probe.program {
            let mut vtcm = Vtcm {
                base: 0,
                bytes: &mut image,
            };
            let executed = hmx
                .execute(packet, &mut vtcm)
                .unwrap_or_else(|e| panic!("{}: {e}", probe.name));
            evidence = evidence.weaker(executed.evidence);
        }
        image
    });
    (images, evidence)
}

/// Judges two images.
fn judged(probe: &Probe, images: &[Vec<u8>; 2], evidence: Evidence) -> Judgement {
    let untouched = untouched(probe, POISON, [&images[0], &images[1]]);
    let kept = |at: u32| {
        untouched
            .iter()
            .any(|(start, len)| (*start..start + len).contains(&at))
    };
    let unsettled: Vec<(u32, u32)> = (0..probe.image_len as u32)
        .filter(|&at| images[0][at as usize] != images[1][at as usize] && !kept(at))
        .map(|at| (at, 1))
        .collect();
    judge(
        probe,
        &Reading {
            image: &images[0],
            untouched: &untouched,
            unsettled: &unsettled,
            evidence,
        },
    )
}

fn run(probe: &Probe, arch: Arch) -> Judgement {
    let (images, evidence) = images(probe, arch);
    judged(probe, &images, evidence)
}

fn all() -> Vec<(&'static Probe, Judgement)> {
    shipped().iter().map(|p| (p, run(p, Arch::V81))).collect()
}

fn refs<'a>(all: &'a [(&'static Probe, Judgement)]) -> Vec<(&'a Probe, &'a Judgement)> {
    all.iter().map(|(p, j)| (*p, j)).collect()
}

#[test]
fn every_shipped_probe_passes_on_the_model_or_is_an_observation() {
    let wrong: Vec<String> = all()
        .iter()
        .filter(|(p, j)| {
            let expected = if p.expected().is_some() {
                Verdict::Pass
            } else {
                Verdict::Observation
            };
            j.verdict != expected
        })
        .map(|(_, j)| {
            format!(
                "{}: {} - {}",
                j.probe,
                j.readout,
                j.why().unwrap_or_default()
            )
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_recorded_v81_values_come_out() {
    let short = |name: &str| run(find(name).unwrap(), Arch::V81).readout;
    assert_eq!(short("fp16-ones"), "32 everywhere");
    assert_eq!(short("w4a8-ubit-ones"), "4 everywhere");
    assert_eq!(short("w4a8-ubit-ramp"), "rows 8, 24, 40, 56, ...");
    assert_eq!(
        short("w4a8-uh2x2-placement"),
        "rows 8, 24, 40, 56, ... (256 of 1024 not zero)"
    );
    assert_eq!(short("w4a16-mixed-ubit-11"), "0.009895 everywhere");
    assert_eq!(short("w4a16-mixed-n-11"), "0.004948 everywhere");
    assert_eq!(short("w4a16-mixed-sbit-11"), "0.009895 everywhere");
    assert_eq!(short("w4a16-mixed-ubit-21"), "0.1603 everywhere");
}

#[test]
fn every_recorded_reading_is_reproduced_or_explained() {
    let all = all();
    for standing in standings(&refs(&all), Arch::V81) {
        let expected = match standing.id.as_str() {
            "fp16-ones" | "int-ones-2k" | "int-ramp-2k" => "reproduced",
            id if id.starts_with("mixed-") => "reproduced",
            "int-ramp-naive" => "disagrees as documented",
            _ => "observation",
        };
        assert_eq!(standing.agreement.to_string(), expected, "{standing:?}");
    }
}

/// Changes one halfword of a readout in both images and judges again.
fn spoiled(name: &str, offset: usize, change: impl Fn(u16) -> u16) -> (Judgement, Agreement) {
    let probe = find(name).unwrap();
    let (mut images, evidence) = images(probe, Arch::V81);
    for image in &mut images {
        let at = probe.readouts[0].at as usize + offset;
        let word = u16::from_le_bytes([image[at], image[at + 1]]);
        image[at..at + 2].copy_from_slice(&change(word).to_le_bytes());
    }
    let judgement = judged(probe, &images, evidence);
    let agreement = agreement(&probe.recorded[0], probe, &judgement, Arch::V81);
    (judgement, agreement)
}

#[test]
fn the_column_pair_reading_differs_in_placement_only() {
    let probe = find("w4a8-colpair").unwrap();
    let judgement = run(probe, Arch::V81);
    let agreement = agreement("int-colpair-naive", probe, &judgement, Arch::V81);
    let Agreement::Observation { why } = agreement else {
        panic!("{agreement:?}");
    };
    assert!(why.contains("same values in the same order"), "{why}");
    let (_, spoiled) = spoiled("w4a8-colpair", 0, |w| w + 1);
    assert!(matches!(spoiled, Agreement::Observation { why } if why.contains("recorded columns")));
}

#[test]
fn a_wrong_value_is_a_mismatch_and_a_disagreement() {
    for name in [
        "fp16-ones",
        "w4a8-ubit-ones",
        "w4a8-ubit-ramp",
        "w4a16-mixed-n-11",
    ] {
        let (judgement, agreement) = spoiled(name, 260, |w| w ^ 0x100);
        assert_eq!(judgement.verdict, Verdict::Mismatch, "{name}");
        assert!(judgement.why().unwrap().contains("offset"), "{name}");
        assert!(agreement.is_failure(), "{name}: {agreement:?}");
    }
}

#[test]
fn the_known_disagreement_is_excused_only_in_its_shape() {
    // Another value, a missing result, a result too many: no longer a matter of placement.
    for change in [|w: u16| w + 1, |_| 0] {
        let (_, agreement) = spoiled("w4a8-uh2x2-placement", 128, change);
        assert!(agreement.is_failure(), "{agreement:?}");
    }
    let (_, agreement) = spoiled("w4a8-uh2x2-placement", 4, |_| 8);
    assert!(agreement.is_failure(), "{agreement:?}");
    // As it comes from the model: a matter of placement.
    let (_, agreement) = spoiled("w4a8-uh2x2-placement", 128, |w| w);
    assert!(matches!(agreement, Agreement::DisagreesAsDocumented { .. }));
}

#[test]
fn the_silicon_placement_would_be_reproduced() {
    let probe = find("w4a8-uh2x2-placement").unwrap();
    let images = POISON.map(|poison| {
        let mut image = probe.image(poison);
        let out = &mut image[probe.readouts[0].range()];
        for (line, bytes) in out.chunks_mut(128).enumerate() {
            for (i, half) in bytes.chunks_mut(2).enumerate() {
                let value = if line < 8 && i < 32 {
                    16 * line as u16 + 8
                } else {
                    0
                };
                half.copy_from_slice(&value.to_le_bytes());
            }
        }
        image
    });
    let judgement = judged(probe, &images, Evidence::Silicon);
    assert_eq!(judgement.verdict, Verdict::Mismatch);
    assert_eq!(
        judgement.outcome.as_ref().unwrap().evidence,
        Evidence::Silicon
    );
    let agreement = agreement("int-ramp-naive", probe, &judgement, Arch::V81);
    assert_eq!(agreement, Agreement::Reproduced);
}

#[test]
fn guards_tiles_and_unwritten_cells_are_seen() {
    let probe = find("fp16-ones").unwrap();
    let (good, evidence) = images(probe, Arch::V81);
    let spoil = |at: usize, bytes: [u8; 2]| {
        let mut images = good.clone();
        images[0][at] = bytes[0];
        images[1][at] = bytes[1];
        judged(probe, &images, evidence)
    };
    let out = probe.readouts[0].range();
    let guard = spoil(out.end + 1, [1, 1]);
    assert_eq!(guard.verdict, Verdict::Mismatch);
    assert!(guard.why().unwrap().contains("guard"));
    let tile = spoil(probe.tiles[0].at as usize, [1, 1]);
    assert_eq!(tile.verdict, Verdict::Mismatch);
    assert_eq!(tile.changed_tile.as_deref(), Some("act"));
    let unsettled = spoil(out.start, [0, 1]);
    assert_eq!(unsettled.verdict, Verdict::Mismatch);
    assert_eq!(unsettled.unsettled, Some((out.start as u32, 1)));
    // A run that does nothing leaves poison, which no outcome matches.
    let nothing = judged(probe, &POISON.map(|p| probe.image(p)), evidence);
    assert_eq!(nothing.verdict, Verdict::Mismatch);
    assert_eq!(nothing.readout, "nothing written");
}

#[test]
fn another_outcome_is_named() {
    let probe = find("w4a8-ones").unwrap();
    let (mut images, evidence) = images(probe, Arch::V81);
    for image in &mut images {
        for (readout, value) in probe.readouts.iter().zip([4u8, 8]) {
            for half in image[readout.range()].chunks_mut(2) {
                half.copy_from_slice(&[value, 0]);
            }
        }
    }
    let judgement = judged(probe, &images, evidence);
    assert_eq!(judgement.verdict, Verdict::Mismatch);
    assert!(judgement.why().unwrap().contains("1-bit weights"));
}

#[test]
fn on_another_version_nothing_is_compared_with_v81_silicon() {
    let probe = find("fp16-ones").unwrap();
    let judgement = run(probe, Arch::V75);
    assert_eq!(judgement.verdict, Verdict::Pass);
    let agreement = agreement("fp16-ones", probe, &judgement, Arch::V75);
    assert!(matches!(agreement, Agreement::Observation { .. }));
}

#[test]
fn the_conclusions_hold_with_their_evidence_and_fall_with_their_readings() {
    let mut all = all();
    let made = conclusions(&refs(&all));
    assert!(made.iter().all(|c| c.holds), "{made:#?}");
    let classes: Vec<Evidence> = made.iter().map(|c| c.evidence).collect();
    use Evidence::{SiliconFit, VendorModel};
    assert_eq!(classes, [VendorModel, VendorModel, SiliconFit]);
    // Without the simulated readings the one recorded byte does not speak of weight.n.
    let none = conclusions(&[]);
    assert!(!none[1].holds);
    // A loader that read otherwise would reopen the question.
    for (probe, judgement) in &mut all {
        if probe.name == "w4a8-bytes-n-0x21" {
            judgement.views[0].values.fill(8.0);
        }
    }
    assert!(!conclusions(&refs(&all))[1].holds);
}

#[test]
fn the_findings_page_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md");
    let old = std::fs::read_to_string(&path).unwrap();
    let all = all();
    let new = findings::page(&old, &refs(&all), Arch::V81).unwrap();
    for block in findings::BLOCKS {
        assert!(
            new.contains(&format!("<!-- generated: {block} -->")),
            "{block}"
        );
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, new).unwrap();
    } else {
        assert!(
            old == new,
            "docs/findings.md is stale; run BLESS=1 cargo test -p hmx-analysis --test shipped"
        );
    }
}
