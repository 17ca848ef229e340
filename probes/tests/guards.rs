//! Staging: poison, tiles and guard bytes lie where they should, and touching a guard is seen.

use hmx_probes::{GUARD, find, shipped, untouched};

#[test]
fn every_tile_and_readout_has_guards_on_both_sides() {
    for probe in shipped() {
        let image = probe.image(0xCC);
        assert_eq!(image.len(), probe.image_len);
        assert_eq!(probe.check_guards(&image), Ok(()), "{}", probe.name);
        for (name, guard) in probe.guards() {
            assert_eq!(guard.len(), GUARD, "{} {name}", probe.name);
        }
        for tile in &probe.tiles {
            assert_eq!(
                image[tile.range()],
                tile.bytes,
                "{} {}",
                probe.name,
                tile.name
            );
        }
        for readout in &probe.readouts {
            assert!(image[readout.range()].iter().all(|&b| b == 0xCC));
        }
    }
}

#[test]
fn the_first_touched_guard_byte_is_reported() {
    let probe = find("fp16-ones").unwrap();
    let mut image = probe.image(0xCC);
    let end = probe.readouts[0].range().end;
    image[end + 3] ^= 1;
    image[end + 9] ^= 1;
    let touched = probe.check_guards(&image).unwrap_err();
    assert_eq!(touched.at as usize, end + 3);
    assert_eq!(touched.beside, "out");
    assert_eq!(touched.count, 2);
    assert!(probe.check_guards(&image[..end]).is_err());
}

#[test]
fn untouched_bytes_are_those_that_keep_what_was_staged_in_both_runs() {
    let probe = find("fp16-ones").unwrap();
    let poison = [0xA5, 0x5A];
    let mut after = poison.map(|p| probe.image(p));
    let all = untouched(probe, poison, [&after[0], &after[1]]);
    assert_eq!(all, vec![(0, probe.image_len as u32)]);
    let at = probe.readouts[0].at as usize;
    // A byte that happens to equal one run's poison still counts as written.
    after[0][at] = 0xA5;
    after[1][at] = 0xA5;
    let rest = untouched(probe, poison, [&after[0], &after[1]]);
    assert_eq!(
        rest,
        vec![
            (0, at as u32),
            (at as u32 + 1, (probe.image_len - at - 1) as u32)
        ]
    );
}
