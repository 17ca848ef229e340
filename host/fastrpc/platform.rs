//! What differs between operating systems; nothing outside `host/fastrpc` asks which it is.

use std::path::{Path, PathBuf};

/// The Windows service whose driver folder holds the FastRPC library.
pub const WINDOWS_SERVICE: &str = "qcnspmcdm";

/// The folder of a Windows driver from its service's image path, as the registry has it.
/// `\SystemRoot` and `%SystemRoot%` stand for the Windows folder.
pub fn driver_folder(image_path: &str, windows: &str) -> Option<String> {
    let path = image_path.trim().trim_matches('"');
    let path = path.strip_prefix(r"\??\").unwrap_or(path);
    let absolute = [r"\SystemRoot\", r"%SystemRoot%\", r"%windir%\"]
        .iter()
        .find_map(|prefix| {
            let head = path.get(..prefix.len())?;
            head.eq_ignore_ascii_case(prefix)
                .then(|| format!(r"{windows}\{}", &path[prefix.len()..]))
        });
    let absolute = absolute.or_else(|| {
        let relative = path.get(..9)?;
        relative
            .eq_ignore_ascii_case(r"System32\")
            .then(|| format!(r"{windows}\{path}"))
    });
    let full = absolute.unwrap_or_else(|| path.to_owned());
    let (folder, file) = full.rsplit_once('\\')?;
    (!folder.is_empty() && !file.is_empty()).then(|| folder.to_owned())
}

/// The image path in what `reg query KEY /v ImagePath` prints.
pub fn image_path(reg_output: &str) -> Option<&str> {
    let line = reg_output
        .lines()
        .find(|line| line.trim_start().starts_with("ImagePath"))?;
    let rest = line.trim_start().strip_prefix("ImagePath")?.trim_start();
    let (kind, value) = rest.split_once(char::is_whitespace)?;
    kind.starts_with("REG_").then(|| value.trim())
}

/// Where the library is looked for, in order, and what stood in the way of looking.
pub fn candidates() -> (Vec<PathBuf>, Option<String>) {
    imp::candidates()
}

/// Makes the library print its log to this process's stderr as well, where the platform can.
/// Call it before the library is opened. Says whether that will work.
pub fn mirror_log() -> bool {
    imp::mirror_log()
}

/// Opens a dynamic library with its symbols kept to itself.
pub fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    imp::open(path)
}

/// Whether this user may read and write a device node, without opening it.
pub fn may_use(path: &Path) -> bool {
    imp::may_use(path)
}

/// Whether `:` may be part of a folder in a search list (as in `C:\`).
pub const COLON_IN_PATHS: bool = cfg!(windows);

#[cfg(unix)]
mod imp {
    use std::path::{Path, PathBuf};

    pub fn candidates() -> (Vec<PathBuf>, Option<String>) {
        let names = ["libcdsprpc.so", "libcdsprpc.so.1"];
        (names.map(PathBuf::from).to_vec(), None)
    }

    #[cfg(target_os = "android")]
    pub fn mirror_log() -> bool {
        false // Android's log goes to logcat only
    }

    #[cfg(not(target_os = "android"))]
    pub fn mirror_log() -> bool {
        // SAFETY: the name is a C string with static lifetime, which openlog keeps a pointer to.
        unsafe {
            libc::openlog(
                c"fastrpc".as_ptr(),
                libc::LOG_PERROR | libc::LOG_PID,
                libc::LOG_USER,
            );
        }
        true
    }

    pub fn may_use(path: &Path) -> bool {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::CString::new(path.as_os_str().as_bytes()).is_ok_and(|path| {
            // SAFETY: a C string that lives during the call.
            unsafe { libc::access(path.as_ptr(), libc::R_OK | libc::W_OK) == 0 }
        })
    }

    pub fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: loading runs the library's constructors. It is the platform's own FastRPC
        // library, or the one the user named; there is nothing to check beforehand.
        unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
    }
}

#[cfg(windows)]
mod imp {
    use super::{WINDOWS_SERVICE, driver_folder, image_path};
    use std::path::{Path, PathBuf};

    pub fn candidates() -> (Vec<PathBuf>, Option<String>) {
        let key = format!(r"HKLM\SYSTEM\CurrentControlSet\Services\{WINDOWS_SERVICE}");
        let windows = std::env::var("SystemRoot").unwrap_or_else(|_| r"C:\Windows".to_owned());
        let query = std::process::Command::new("reg")
            .args(["query", &key, "/v", "ImagePath"])
            .output();
        let printed = match query {
            Ok(output) if output.status.success() => {
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
            Ok(_) => {
                return (
                    Vec::new(),
                    Some(format!(
                        "the service {WINDOWS_SERVICE} is not installed; install the NPU driver"
                    )),
                );
            }
            Err(error) => {
                return (
                    Vec::new(),
                    Some(format!("the registry could not be asked: {error}")),
                );
            }
        };
        match image_path(&printed).and_then(|path| driver_folder(path, &windows)) {
            Some(folder) => (vec![Path::new(&folder).join("libcdsprpc.dll")], None),
            None => (
                Vec::new(),
                Some(format!(
                    "the service {WINDOWS_SERVICE} has an image path that cannot be read"
                )),
            ),
        }
    }

    pub fn mirror_log() -> bool {
        false // the DLL prints to the debugger only
    }

    pub fn may_use(path: &Path) -> bool {
        path.exists() // Windows has no device nodes
    }

    pub fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
        use libloading::os::windows::{LOAD_WITH_ALTERED_SEARCH_PATH, Library};
        // SAFETY: loading runs the library's entry point. It is the platform's own FastRPC
        // library, or the one the user named; there is nothing to check beforehand.
        unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) }.map(Into::into)
    }
}

#[cfg(not(any(unix, windows)))]
compile_error!("FastRPC exists on Linux, Android and Windows only");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_folder_of_every_spelling() {
        let inside = r"System32\DriverStore\FileRepository\qcnspmcdm8380.inf_arm64_1\x.sys";
        let folder = r"C:\Windows\System32\DriverStore\FileRepository\qcnspmcdm8380.inf_arm64_1";
        for path in [
            format!(r"\SystemRoot\{inside}"),
            format!(r"\systemroot\{inside}"),
            format!(r"%SystemRoot%\{inside}"),
            format!(r"\??\C:\Windows\{inside}"),
            format!("\"C:\\Windows\\{inside}\""),
            inside.to_owned(),
        ] {
            assert_eq!(
                driver_folder(&path, r"C:\Windows").as_deref(),
                Some(folder),
                "{path}"
            );
        }
        for path in ["", "x.sys", r"C:\Windows\", "ü"] {
            assert_eq!(driver_folder(path, r"C:\Windows"), None, "{path}");
        }
    }

    #[test]
    fn image_path_in_the_registry_listing() {
        let listing = "\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\X\r\n    ImagePath    REG_EXPAND_SZ    \\SystemRoot\\a b\\x.sys\r\n\r\n";
        assert_eq!(image_path(listing), Some(r"\SystemRoot\a b\x.sys"));
        assert_eq!(image_path("ERROR: not found"), None);
        assert_eq!(image_path("    ImagePath    "), None);
    }
}
