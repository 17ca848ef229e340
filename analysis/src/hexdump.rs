//! Bytes for people.

/// A hexdump of `bytes`, with offsets counted from `at`.
pub fn hexdump(bytes: &[u8], at: usize) -> String {
    let mut text = String::new();
    for (i, line) in hexdump::hexdump_iter(bytes).enumerate() {
        // The crate ends each line with the offset in its own slice; ours starts at `at`.
        let body: String = line.chars().collect();
        let body = body.trim_end();
        let cut = body.char_indices().rev().nth(7).map_or(0, |(i, _)| i);
        if i * 16 < bytes.len() {
            text += &format!("{:08x} {}\n", at + i * 16, body[..cut].trim_end());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hexdump_counts_from_its_range() {
        let text = hexdump(&[0x41; 20], 0x100);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("00000100 |41414141"), "{text}");
        assert!(lines[1].starts_with("00000110 |41414141"), "{text}");
        assert!(lines[0].contains("AAAA"), "{text}");
    }
}
