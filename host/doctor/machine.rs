//! What the operating system shows: search lists, device nodes, daemon, process shell.

pub use super::place::Place;

use crate::device::settings::{SEARCH_PATH, SEARCH_PATH_FIRST, has_colon};
use crate::fastrpc::platform;
use crate::finding::Finding;
use std::path::Path;

/// Folders that the open library and Android search after the variables' ones.
const DEFAULT_FOLDERS: [&str; 5] = [
    "/usr/lib/rfsa/adsp",
    "/usr/lib/dsp",
    "/vendor/lib/rfsa/adsp",
    "/vendor/dsp",
    "/vendor/dsp/cdsp",
];

/// Every check of this kind.
pub fn examine(place: &Place) -> Vec<Finding> {
    let mut found = vec![search_lists(place)];
    found.extend(library_path(place));
    if cfg!(unix) {
        found.extend([nodes(place), heap(place), shell(place), daemon(place)]);
    }
    if cfg!(windows) {
        found.push(test_signing());
    }
    found
}

fn search_lists(place: &Place) -> Finding {
    let what = "search list";
    for name in [SEARCH_PATH_FIRST, SEARCH_PATH] {
        let Some(value) = place.variable(name) else {
            continue;
        };
        if has_colon(value) {
            return Finding::problem(
                what,
                format!("{name}={value} uses `:`, so it is one folder that does not exist"),
                "separate the folders with `;`",
            );
        }
        let gone: Vec<String> = place
            .search_list()
            .iter()
            .filter(|folder| !folder.is_dir())
            .map(|folder| folder.display().to_string())
            .collect();
        return match gone.as_slice() {
            [] => Finding::ok(what, format!("{name}={value}")),
            gone => Finding::problem(
                what,
                format!("{name} names {}, which does not exist", gone.join(", ")),
                "name the folder of the skel",
            ),
        };
    }
    Finding::cannot_tell(
        what,
        format!("neither {SEARCH_PATH_FIRST} nor {SEARCH_PATH} is set"),
        "HMX_SKEL=FILE makes hmx set it for its own jobs",
    )
}

/// `/vendor/lib64` in the linker's list breaks sessions on Android (reported with Termux).
fn library_path(place: &Place) -> Option<Finding> {
    let list = place.variable("LD_LIBRARY_PATH")?;
    let vendor = list
        .split(':')
        .any(|folder| Path::new(folder) == Path::new("/vendor/lib64"));
    vendor.then(|| {
        Finding::problem(
            "LD_LIBRARY_PATH",
            "contains /vendor/lib64, which makes the session fail on Android",
            "take it out",
        )
    })
}

fn nodes(place: &Place) -> Finding {
    let what = "device node";
    let names = [
        "/dev/fastrpc-cdsp-secure",
        "/dev/fastrpc-cdsp",
        "/dev/adsprpc-smd-secure",
        "/dev/adsprpc-smd",
    ];
    let there: Vec<&str> = names
        .into_iter()
        .filter(|name| place.file(name).exists())
        .collect();
    if there.is_empty() {
        return Finding::problem(
            what,
            "no /dev/fastrpc-cdsp: the kernel drives no compute DSP",
            "on a device, enable the fastrpc driver and start the DSP; elsewhere use --target sim",
        );
    }
    let usable = |name: &&&str| platform::may_use(&place.file(name));
    match there.iter().find(usable) {
        Some(name) => Finding::ok(what, format!("{name} may be used")),
        None => Finding::problem(
            what,
            format!("{} may not be used by this user", there.join(", ")),
            "add the user to the group that owns it (often `fastrpc`), or add a udev rule",
        ),
    }
}

fn heap(place: &Place) -> Finding {
    let what = "shared memory";
    let heap = place.file("/dev/dma_heap/system");
    match (heap.exists(), platform::may_use(&heap)) {
        (true, true) => Finding::ok(what, "/dev/dma_heap/system may be used"),
        (true, false) => Finding::problem(
            what,
            "/dev/dma_heap/system may not be used by this user",
            "add a udev rule or a group for it",
        ),
        (false, _) => Finding::cannot_tell(
            what,
            "no /dev/dma_heap/system",
            "a kernel without CONFIG_DMABUF_HEAPS_SYSTEM falls back to the driver's own buffers",
        ),
    }
}

fn shell(place: &Place) -> Finding {
    let what = "process shell";
    let name = "fastrpc_shell_unsigned_3";
    let folders = DEFAULT_FOLDERS.iter().flat_map(|folder| {
        [
            place.file(folder).join(name),
            place.file(folder).join("cdsp").join(name),
        ]
    });
    match folders.into_iter().find(|file| file.exists()) {
        Some(file) => Finding::cannot_tell(
            what,
            format!("{} is there", file.display()),
            "whether it fits the firmware shows when a session opens (0x8000054f if not)",
        ),
        None => Finding::cannot_tell(
            what,
            format!("no {name} in the usual folders"),
            "products keep it in other folders too; if opening fails with 0x80000600, install the one that belongs to the firmware",
        ),
    }
}

/// The daemon that serves the DSP's file and log requests.
fn daemon(place: &Place) -> Finding {
    let what = "daemon";
    let Ok(processes) = std::fs::read_dir(place.file("/proc")) else {
        return Finding::cannot_tell(what, "processes cannot be listed", "look for cdsprpcd");
    };
    let runs = processes.flatten().any(|entry| {
        std::fs::read_to_string(entry.path().join("comm"))
            .is_ok_and(|name| name.trim() == "cdsprpcd")
    });
    match runs {
        true => Finding::ok(what, "cdsprpcd runs"),
        false => Finding::cannot_tell(
            what,
            "no cdsprpcd among the processes that can be seen",
            "start it to get log lines of the DSP; some products need it to open a session (0x80000600)",
        ),
    }
}

/// Whether Windows was started with test signing.
fn test_signing() -> Finding {
    let what = "test signing";
    let query = std::process::Command::new("reg")
        .args([
            "query",
            r"HKLM\SYSTEM\CurrentControlSet\Control",
            "/v",
            "SystemStartOptions",
        ])
        .output();
    match query {
        Ok(output) if output.status.success() => {
            match String::from_utf8_lossy(&output.stdout).contains("TESTSIGNING") {
                true => Finding::ok(what, "on"),
                false => Finding::cannot_tell(
                    what,
                    "off",
                    "a catalog with a self-signed certificate needs it: `bcdedit /set testsigning on`, then restart",
                ),
            }
        }
        _ => Finding::cannot_tell(what, "the registry could not be asked", ""),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::finding::State;

    fn place(variables: &[(&str, &str)]) -> (tempfile::TempDir, Place) {
        let root = tempfile::tempdir().unwrap();
        let place = Place {
            root: root.path().to_owned(),
            variables: variables
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect(),
        };
        (root, place)
    }

    fn touch(place: &Place, path: &str) {
        let file = place.file(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "").unwrap();
    }

    #[test]
    fn an_empty_machine_gets_no_ok() {
        let (_root, place) = place(&[]);
        for finding in examine(&place) {
            assert_ne!(finding.state, State::Ok, "{finding}");
            assert!(!finding.next.is_empty(), "{finding}");
        }
    }

    #[test]
    fn what_is_there_is_seen() {
        let (_root, place) = place(&[]);
        touch(&place, "/dev/fastrpc-cdsp");
        touch(&place, "/dev/dma_heap/system");
        touch(&place, "/usr/lib/dsp/cdsp/fastrpc_shell_unsigned_3");
        std::fs::create_dir_all(place.file("/proc/77")).unwrap();
        std::fs::write(place.file("/proc/77/comm"), "cdsprpcd\n").unwrap();
        assert_eq!(nodes(&place).state, State::Ok);
        assert_eq!(heap(&place).state, State::Ok);
        assert_eq!(daemon(&place).state, State::Ok);
        assert!(shell(&place).seen.contains("is there"));
    }

    #[test]
    fn search_lists_with_colons_or_missing_folders_are_problems() {
        let (root, mut place) = place(&[]);
        let there = root.path().display().to_string();
        let mut state = |name: &str, value: &str| {
            place.variables.clear();
            place.variables.insert(name.to_owned(), value.to_owned());
            search_lists(&place).state
        };
        assert_eq!(state(SEARCH_PATH, &there), State::Ok);
        assert_eq!(state(SEARCH_PATH, &format!("{there};{there}")), State::Ok);
        assert_eq!(
            state(SEARCH_PATH, &format!("{there}:{there}")),
            State::Problem
        );
        assert_eq!(state(SEARCH_PATH_FIRST, "/no/such"), State::Problem);
    }

    #[test]
    fn vendor_libraries_in_the_linkers_list_are_a_problem() {
        let found = |list| library_path(&place(&[("LD_LIBRARY_PATH", list)]).1);
        assert!(found("/x:/vendor/lib64/").is_some());
        assert!(found("/x:/vendor/lib").is_none());
    }
}
