//! From a place in compiler output back to the line of the source it came from.

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// File as the compiler names it; `None` for the text itself.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: usize,
}

/// How a compiler marks inline assembly.
const BLOCK: &str = "//# InlineAsm Start";

/// Which block of inline assembly, counted from 0, holds this byte; `None` outside of all.
pub fn block_at(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    let start = before.rfind(BLOCK)?;
    let inside = !before.get(start..)?.contains("//# InlineAsm End");
    inside.then(|| before.matches(BLOCK).count() - 1)
}

/// The source line of a block of inline assembly, in text compiled with line numbers: that
/// of the last `.loc` before it.
pub fn of_block(text_with_lines: &str, block: usize) -> Option<Place> {
    let (start, _) = text_with_lines.match_indices(BLOCK).nth(block)?;
    let before = text_with_lines.get(..start)?;
    // `.loc 0 8 3 is_stmt 1    // a.c:8:3`
    let loc = before
        .lines()
        .rev()
        .find(|l| l.trim_start().starts_with(".loc"))?;
    let numbers: Vec<&str> = loc.split_whitespace().collect();
    let line = numbers.get(2)?.parse().ok().filter(|&l| l > 0)?;
    let file = loc
        .split_once("//")
        .and_then(|(_, note)| note.split_whitespace().next())
        .and_then(|place| place.rsplitn(3, ':').nth(2))
        .map(str::to_owned);
    Some(Place { file, line })
}

/// The line of a byte in assembly text, by the line markers a preprocessor left
/// (`# 12 "file.S"`), if there are any.
pub fn of_text(text: &str, at: usize) -> Place {
    let mut place = Place {
        file: None,
        line: 1,
    };
    let before = text.get(..at).unwrap_or(text);
    let mut lines = before.split('\n').peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_none() {
            break; // the line of the byte itself
        }
        match marker(line) {
            Some(marked) => place = marked,
            None => place.line += 1,
        }
    }
    place
}

/// `# 12 "file.S" 1`
fn marker(line: &str) -> Option<Place> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(" \"")?;
    Some(Place {
        line: number.parse().ok()?,
        file: Some(rest.split_once('"')?.0.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
f:
\t.loc\t0 3 3 is_stmt 0     // a.c:3:3 @[ a.c:6:31 ]
\t//# InlineAsm Start
\tmxclracc
\t//# InlineAsm End
\t.loc\t1 18 3              // dir/b.h:18:3
\t{ r0 = #1 }
\t//# InlineAsm Start
\tmxswapacc
\t//# InlineAsm End
\tnop
";

    #[test]
    fn blocks_are_counted_and_found_again() {
        let place = |what: &str| block_at(TEXT, TEXT.find(what).unwrap());
        assert_eq!(place("mxclracc"), Some(0));
        assert_eq!(place("mxswapacc"), Some(1));
        assert_eq!(place("r0 = #1"), None);
        assert_eq!(place("nop"), None);
        let at = |file: &str, line| {
            Some(Place {
                file: Some(file.to_owned()),
                line,
            })
        };
        assert_eq!(of_block(TEXT, 0), at("a.c", 3));
        assert_eq!(of_block(TEXT, 1), at("dir/b.h", 18));
        assert_eq!(of_block(TEXT, 2), None);
    }

    #[test]
    fn line_markers_are_followed() {
        let text = "# 1 \"x.S\"\n# 7 \"x.S\" 2\nnop\nmxclracc";
        let place = of_text(text, text.find("mxcl").unwrap());
        assert_eq!((place.file.as_deref(), place.line), (Some("x.S"), 8));
        let plain = of_text("nop\n\nmxclracc", 6);
        assert_eq!((plain.file, plain.line), (None, 3));
    }
}
