//! The skel's file: found, fit for the device, listed in a signed catalog.

use super::Place;
use crate::device::settings::Settings;
use crate::finding::{Finding, State};
use crate::skel::{catalog, check};
use crate::skel_build::ENTRY;
use hmx_abi::Arch;
use std::path::PathBuf;

/// Every check of this kind.
pub fn examine(place: &Place, settings: &Settings, arch: Option<Arch>) -> Vec<Finding> {
    let what = "skel";
    let name = settings.skel_name();
    let on_list = || {
        let folders = place.search_list();
        let files = folders.iter().map(|folder| folder.join(&name));
        files.into_iter().find(|file| file.exists())
    };
    let Some(file): Option<PathBuf> = settings.skel.clone().or_else(on_list) else {
        return vec![Finding::cannot_tell(
            what,
            format!("no {name} on the search list"),
            "build it with `hmx skel build`, and name it with HMX_SKEL",
        )];
    };
    let data = match std::fs::read(&file) {
        Ok(data) => data,
        Err(error) => {
            return vec![Finding::problem(
                what,
                format!("{}: {error}", file.display()),
                "build it with `hmx skel build`",
            )];
        }
    };
    let wanted = check::Wanted {
        arch,
        entry: ENTRY,
        signed: false,
    };
    let mut found = match check::check(&data, &wanted) {
        Err(error) => {
            return vec![Finding::problem(
                what,
                format!("{}: {error}", file.display()),
                "build it again with `hmx skel build`",
            )];
        }
        Ok(found) => found
            .into_iter()
            .filter(|finding| finding.state == State::Problem)
            .map(|finding| Finding {
                what: format!("skel, {}", finding.what),
                ..finding
            })
            .collect::<Vec<_>>(),
    };
    if found.is_empty() {
        found.push(Finding::ok(
            what,
            format!("{} passes `hmx skel check`", file.display()),
        ));
    }
    let cat = file.with_extension("cat");
    if let Ok(bytes) = std::fs::read(&cat) {
        found.extend(catalog::check(&bytes, &name, &data));
    } else if cfg!(windows) {
        found.push(Finding::cannot_tell(
            "catalog",
            format!("no {} beside the skel", cat.display()),
            "Windows loads a skel only if an installed, signed catalog lists it: `hmx skel sign`",
        ));
    }
    found
}
