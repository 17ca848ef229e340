//! How the device is to be reached: from the environment.

use crate::fastrpc::{Pd, platform, session::SESSIONS};
use crate::skel_build::SKEL;
use hmx_abi::Arch;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folder list of the DSP's loader on every platform.
pub const SEARCH_PATH: &str = "ADSP_LIBRARY_PATH";
/// Wins over [`SEARCH_PATH`] where it is set (open library).
pub const SEARCH_PATH_FIRST: &str = "DSP_LIBRARY_PATH";

/// What a device job needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `HMX_SKEL`: the skel's file. Without it the loader searches for [`SKEL`].
    pub skel: Option<PathBuf>,
    /// `HMX_DEVICE_SESSION`: 0 to 3.
    pub session: u32,
    /// `HMX_DEVICE_PD`: unsigned (default) or signed.
    pub pd: Pd,
    /// `HMX_DEVICE_TIMEOUT`: seconds that one job may take.
    pub timeout: Duration,
    /// `HMX_DEVICE_UNCHECKED=1`: also send programs that fault in the model.
    pub unchecked: bool,
    /// Architecture the user named.
    pub arch: Option<Arch>,
    /// FastRPC library to open in place of the platform's, or of the one `HMX_FASTRPC_LIB` names.
    pub library: Option<PathBuf>,
    /// Program that has the subcommand `device-worker`: this one.
    pub worker: PathBuf,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// {name} is `{value}`; it must be {expected}
    #[error("{name} is `{value}`; it must be {expected}")]
    Value {
        /// Variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
    /// {name} is `{value}`, and `:` does not separate folders for the DSP's loader: it would look for one folder of that name; write `;`
    #[error(
        "{name} is `{value}`, and `:` does not separate folders for the DSP's loader: it would look for one folder of that name; write `;`"
    )]
    Colon {
        /// Variable.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// this program cannot find its own file to start device jobs with: {0}
    #[error("this program cannot find its own file to start device jobs with: {0}")]
    Worker(String),
}

impl Settings {
    /// Reads the settings from the environment.
    pub fn from_environment(arch: Option<Arch>) -> Result<Settings, BadSetting> {
        let worker = std::env::current_exe().map_err(|e| BadSetting::Worker(e.to_string()))?;
        Settings::read(arch, worker, |name| std::env::var_os(name))
    }

    /// The same for a look at what is wrong: a `:` in a search list is found there, not
    /// refused here.
    pub fn for_doctor(arch: Option<Arch>) -> Result<Settings, BadSetting> {
        let worker = std::env::current_exe().map_err(|e| BadSetting::Worker(e.to_string()))?;
        Settings::read(arch, worker, |name| match name {
            SEARCH_PATH | SEARCH_PATH_FIRST => None,
            _ => std::env::var_os(name),
        })
    }

    fn read(
        arch: Option<Arch>,
        worker: PathBuf,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Settings, BadSetting> {
        let text = |name: &'static str, default: &str| {
            let value = variable(name).filter(|value| !value.is_empty());
            value.map_or(default.to_owned(), |v| v.to_string_lossy().into_owned())
        };
        let bad = |name, value: &str, expected| BadSetting::Value {
            name,
            value: value.to_owned(),
            expected,
        };
        let session = text("HMX_DEVICE_SESSION", "0");
        let pd = text("HMX_DEVICE_PD", "unsigned");
        let timeout = text("HMX_DEVICE_TIMEOUT", "30");
        let unchecked = text("HMX_DEVICE_UNCHECKED", "0");
        for name in [SEARCH_PATH, SEARCH_PATH_FIRST] {
            let value = text(name, "");
            if has_colon(&value) {
                return Err(BadSetting::Colon { name, value });
            }
        }
        Ok(Settings {
            skel: variable("HMX_SKEL")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from),
            session: session
                .parse()
                .ok()
                .filter(|&number| number < SESSIONS)
                .ok_or_else(|| bad("HMX_DEVICE_SESSION", &session, "a session from 0 to 3"))?,
            pd: match pd.as_str() {
                "unsigned" => Pd::Unsigned,
                "signed" => Pd::Signed,
                _ => return Err(bad("HMX_DEVICE_PD", &pd, "`unsigned` or `signed`")),
            },
            timeout: timeout
                .parse()
                .ok()
                .filter(|seconds| (1..=86_400).contains(seconds))
                .map(Duration::from_secs)
                .ok_or_else(|| {
                    bad(
                        "HMX_DEVICE_TIMEOUT",
                        &timeout,
                        "a number of seconds from 1 to 86400",
                    )
                })?,
            unchecked: match unchecked.as_str() {
                "0" => false,
                "1" => true,
                _ => return Err(bad("HMX_DEVICE_UNCHECKED", &unchecked, "`0` or `1`")),
            },
            arch,
            library: None,
            worker,
        })
    }

    /// The skel's file name, as the DSP's loader gets it.
    pub fn skel_name(&self) -> String {
        self.skel
            .as_deref()
            .and_then(Path::file_name)
            .map_or(SKEL.to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The search lists for a job: the skel's folder first, then what was there.
    pub fn search_paths(
        &self,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Vec<(&'static str, OsString)> {
        let Some(folder) = self.skel.as_deref().and_then(Path::parent) else {
            return Vec::new();
        };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let with = |rest: Option<OsString>| {
            let mut list = OsString::from(&folder);
            if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
                list.push(";");
                list.push(rest);
            }
            list
        };
        let mut lists = vec![(SEARCH_PATH, with(variable(SEARCH_PATH)))];
        if let Some(first) = variable(SEARCH_PATH_FIRST) {
            lists.push((SEARCH_PATH_FIRST, with(Some(first))));
        }
        lists
    }
}

/// Whether a search list uses `:` where the DSP's loader wants `;`.
pub fn has_colon(list: &str) -> bool {
    !platform::COLON_IN_PATHS && list.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, BadSetting> {
        let find = |name: &str| {
            let pair = pairs.iter().find(|(n, _)| *n == name);
            pair.map(|(_, value)| OsString::from(value))
        };
        Settings::read(None, PathBuf::from("hmx"), find)
    }

    #[test]
    fn defaults_and_values() {
        let plain = read(&[]).unwrap();
        assert_eq!((plain.session, plain.pd), (0, Pd::Unsigned));
        assert_eq!(plain.skel_name(), SKEL);
        assert!(plain.search_paths(|_| None).is_empty());
        let set = read(&[
            ("HMX_SKEL", "/x/y.so"),
            ("HMX_DEVICE_SESSION", "3"),
            ("HMX_DEVICE_PD", "signed"),
        ])
        .unwrap();
        assert_eq!((set.session, set.pd), (3, Pd::Signed));
        assert_eq!(set.skel_name(), "y.so");
    }

    #[test]
    #[cfg(unix)]
    fn the_skels_folder_comes_first_in_every_list_that_counts() {
        let set = read(&[("HMX_SKEL", "/x/y.so")]).unwrap();
        let both = |name: &str| Some(OsString::from(format!("/old/{name}")));
        assert_eq!(
            set.search_paths(both),
            [
                (SEARCH_PATH, "/x;/old/ADSP_LIBRARY_PATH".into()),
                (SEARCH_PATH_FIRST, "/x;/old/DSP_LIBRARY_PATH".into()),
            ]
        );
        assert_eq!(set.search_paths(|_| None), [(SEARCH_PATH, "/x".into())]);
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        for (name, value) in [
            ("HMX_DEVICE_SESSION", "4"),
            ("HMX_DEVICE_SESSION", "-1"),
            ("HMX_DEVICE_PD", "maybe"),
            ("HMX_DEVICE_TIMEOUT", "0"),
            ("HMX_DEVICE_UNCHECKED", "yes"),
        ] {
            let error = read(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(value), "{error}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_colon_in_a_search_list_is_refused() {
        let error = read(&[(SEARCH_PATH, "/a:/b")]).unwrap_err().to_string();
        assert!(error.contains("write `;`"), "{error}");
    }
}
