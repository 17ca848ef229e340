use super::*;
use crate::target::{Description, Ran, replay::Replay};
use hmx_abi::{Arch, Evidence};
use std::collections::BTreeMap;

/// A target whose "program" is a function on the image.
struct Fake(fn(&mut Vec<u8>));

impl Target for Fake {
    fn describe(&self) -> Description {
        Description {
            name: "fake".to_owned(),
            arch: Arch::V81,
            skel_sha256: None,
            facts: BTreeMap::new(),
        }
    }

    fn run(&mut self, job: &Job) -> Result<Ran, TargetError> {
        let mut image = job.image.clone();
        (self.0)(&mut image);
        Ok(Ran {
            image,
            evidence: Evidence::Inferred,
            notes: Vec::new(),
        })
    }
}

const TILE: usize = 0x800;
const OUT: usize = 0x2000;

/// A tile at 0x800, a readout at 0x2000, both 2048 bytes.
fn probe() -> Probe {
    let text = r#"
        question = "What does it write?"
        program = "mxclracc"
        [[tile]]
        name = "tile"
        at = 0x800
        layout = "flat-ub"
        element = "unsigned"
        fill = { byte = 7 }
        [[readout]]
        name = "out"
        at = 0x2000
        layout = "flat-ub"
        element = "unsigned"
    "#;
    Probe::parse("fake", text).expect("a good probe")
}

fn shown(program: fn(&mut Vec<u8>)) -> Run {
    run(&probe(), &mut Fake(program)).expect("the fake target runs everything")
}

fn verdict(program: fn(&mut Vec<u8>)) -> (Verdict, String) {
    let judgement = shown(program).judge(&probe());
    (judgement.verdict, judgement.why().unwrap_or_default())
}

#[test]
fn a_byte_written_with_the_value_of_one_poison_counts_as_written() {
    let r = shown(|image| image[OUT..OUT + 2].copy_from_slice(&POISON));
    let untouched = &r.dump.manifest.untouched;
    assert!(
        untouched.contains(&((OUT + 2) as u32, 2046)),
        "{untouched:x?}"
    );
    assert!(r.dump.manifest.unstable.is_empty() && r.stray.is_none());
}

#[test]
fn a_readout_alone_is_an_observation() {
    assert_eq!(verdict(|image| image[OUT] = 0).0, Verdict::Observation);
}

#[test]
fn writes_to_guards_and_tiles_and_far_away_are_mismatches() {
    let guard = verdict(|image| image[OUT - 1] ^= 1);
    assert_eq!(guard.0, Verdict::Mismatch);
    assert!(
        guard.1.contains("0x1fff") && guard.1.contains("`out`"),
        "{}",
        guard.1
    );
    let tile = verdict(|image| image[TILE + 9] = 0);
    assert_eq!(tile.0, Verdict::Mismatch);
    assert!(tile.1.contains("`tile`"), "{}", tile.1);
    let far = verdict(|image| image[0x7000] = 0);
    assert_eq!(far.0, Verdict::Mismatch);
    assert!(far.1.contains("0x7000"), "{}", far.1);
}

#[test]
fn results_from_unstaged_bytes_are_mismatches() {
    let (verdict, why) = verdict(|image| image[OUT] = image[0].wrapping_add(1));
    assert_eq!(verdict, Verdict::Mismatch);
    assert!(why.contains("0x2000"), "{why}");
}

#[test]
fn a_target_that_loses_bytes_fails() {
    let error = run(&probe(), &mut Fake(|image| image.truncate(63)));
    assert!(matches!(error, Err(TargetError::Failed(text)) if text.contains("63")));
}

fn recorded() -> Replay {
    Replay::new(vec![shown(|image| image[OUT] = 3).dump]).expect("a good dump")
}

#[test]
fn a_recorded_run_shows_the_same_again() {
    let again = run(&probe(), &mut recorded()).expect("recorded");
    let first = shown(|image| image[OUT] = 3);
    assert_eq!(again.dump.vtcm, first.dump.vtcm);
    let (again, first) = (again.dump.manifest, first.dump.manifest);
    assert_eq!(again.untouched, first.untouched);
    assert_eq!(again.unstable, first.unstable);
    assert_eq!(again.evidence, Evidence::Inferred);
}

#[test]
fn a_recorded_run_answers_only_for_its_own_probe() {
    let mut other = probe();
    other.tiles[0].bytes[3] = 9;
    let error = run(&other, &mut recorded());
    assert!(matches!(error, Err(TargetError::Refused(text)) if text.contains("fake")));
}
