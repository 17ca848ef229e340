//! The library's log: syslog where there is one, as the open library does it.

/// One line.
#[cfg(unix)]
pub fn error(text: &str) {
    let Ok(text) = std::ffi::CString::new(text) else {
        return;
    };
    // SAFETY: a format with one string, and one C string.
    unsafe { libc::syslog(libc::LOG_ERR, c"%s".as_ptr(), text.as_ptr()) };
}

/// One line.
#[cfg(not(unix))]
pub fn error(text: &str) {
    eprintln!("{text}");
}
