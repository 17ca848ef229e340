//! Inference on the functional model: it must find the layouts of the HMX reference, which
//! it is not told.

use hmx_abi::Arch;
use hmx_abi::tile::Layout;
use hmx_analysis::Request;
use hmx_analysis::infer::{Inferred, infer};
use hmx_model::{Hmx, Vtcm};

fn found(loader: &str, activation: &str, convert: &str) -> Inferred {
    let request = Request::parse(loader, activation, convert).unwrap();
    let found = infer(&request, |program, image, usr| {
        let mut image = image.to_vec();
        let mut hmx = Hmx::new(Arch::V81);
        hmx.set_usr(usr);
        for packet in program {
            let mut vtcm = Vtcm {
                base: 0,
                bytes: &mut image,
            };
            hmx.execute(packet, &mut vtcm)?;
        }
        Ok(image)
    })
    .unwrap();
    println!("{loader} {activation} {convert}\n{}", found.text(100));
    found
}

#[test]
fn fp16_tiles() {
    let f = found("hf", "hf", "hf");
    for part in [&f.activation, &f.weight, &f.readout] {
        assert_eq!(part.layout, Some(Layout::CroutonHf), "{}", f.text(100));
    }
    assert_eq!(f.rows_shown, (0..32).collect::<Vec<_>>());
    assert_eq!(f.notes, Vec::<String>::new());
}

#[test]
fn integer_weights_have_the_width_of_their_loader() {
    for (loader, layout) in [
        ("b", Layout::WeightB),
        ("sm", Layout::WeightB),
        ("n", Layout::WeightN),
        ("c", Layout::WeightC),
        ("sc", Layout::WeightC),
        ("ubit", Layout::WeightBit),
        ("sbit", Layout::WeightBit),
    ] {
        let f = found(loader, "ub", "ub");
        assert_eq!(f.weight.layout, Some(layout), "{loader}\n{}", f.text(100));
        assert_eq!(f.activation.layout, Some(Layout::CroutonUb), "{loader}");
        assert_eq!(f.readout.layout, Some(Layout::CroutonUb), "{loader}");
    }
}

#[test]
fn channel_major_croutons() {
    let f = found("n", "ub:cm", "ub:cm");
    assert_eq!(f.activation.layout, Some(Layout::CroutonUbCm));
    assert_eq!(f.readout.layout, Some(Layout::CroutonUbCm));
}

#[test]
fn uh_2x1_shows_odd_positions_and_adds_the_even_ones_above() {
    for loader in ["ubit", "n", "b"] {
        let f = found(loader, "ub", "uh:2x1");
        assert_eq!(
            f.activation.layout,
            Some(Layout::CroutonUb),
            "{}",
            f.text(100)
        );
        assert_eq!(f.readout.layout, Some(Layout::CroutonHf));
        assert_eq!(f.rows_shown, (0..32).map(|r| 2 * r + 1).collect::<Vec<_>>());
        assert_eq!(
            f.carried_rows,
            (0..32).map(|r| (2 * r, r)).collect::<Vec<_>>()
        );
    }
}

/// The integer loaders with fp16 activations: what they read are fp16 halfwords.
#[test]
fn mixed_packets_read_halfwords() {
    for (loader, channels) in [("n", 8), ("ubit", 16), ("sbit", 16)] {
        let f = found(loader, "hf", "hf");
        assert_eq!(
            (f.weight.rows, f.weight.bits),
            (channels, 16),
            "{}",
            f.text(100)
        );
    }
}

#[test]
fn uh_2x2_shows_one_column_of_two() {
    let f = found("n", "ub", "uh:2x2");
    assert_eq!(f.readout.columns, 16, "{}", f.text(100));
    assert_eq!(f.readout.rows, 32);
    assert_eq!(
        (f.weight.rows, f.weight.columns, f.weight.bits),
        (32, 16, 4)
    );
    assert_eq!(f.activation.layout, Some(Layout::CroutonUb));
}
