//! Symbols and libraries that the DSP's loader is known to provide: `known-symbols.tsv`.

/// Libraries a skel may need.
pub const LIBRARIES: [&str; 4] = ["libc.so", "libgcc.so", "libc++.so.1", "libc++abi.so.1"];

/// Where the table has this symbol from; `None`: it is not in the table. A `*` at the end
/// of a row stands for any ending.
pub fn symbol(name: &str) -> Option<&'static str> {
    include_str!("known-symbols.tsv")
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
        .find(|(row, _)| match row.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == *row,
        })
        .map(|(_, source)| source)
}

#[cfg(test)]
mod tests {
    use super::symbol;

    #[test]
    fn rows_and_prefixes() {
        assert_eq!(symbol("memcpy"), Some("prebuilt skel"));
        assert_eq!(symbol("qurt_mutex_lock"), Some("prebuilt skel"));
        assert_eq!(symbol("pthread_key_delete"), None);
        assert_eq!(symbol("memcpy2"), None);
    }
}
