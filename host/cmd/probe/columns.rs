//! The columns of `hmx probe run`: widths that give every probe one line.

use comfy_table::{ColumnConstraint, Table};
use unicode_width::UnicodeWidthStr;

/// One column. Widths are in characters of a terminal.
struct Column {
    header: &'static str,
    /// The least that is worth printing; a column without a share is as wide as its content.
    least: usize,
    /// Its part of the width that is left over.
    share: usize,
}

const fn whole(header: &'static str) -> Column {
    Column {
        header,
        least: 0,
        share: 0,
    }
}

const fn cuttable(header: &'static str, least: usize, share: usize) -> Column {
    Column {
        header,
        least,
        share,
    }
}

const COLUMNS: [Column; 6] = [
    whole("probe"),
    cuttable("question", 13, 5),
    cuttable("readout", 15, 2),
    whole("verdict"),
    cuttable("recorded", 13, 1),
    cuttable("agreement", 11, 1),
];

/// What is left out where the least of all columns is too wide, in this order.
const SPARED: [usize; 2] = [1, 4];

/// Blanks between two columns.
const GAP: usize = 2;

/// Fills `table`, which is to be `width` characters wide.
pub fn fill(table: &mut Table, width: usize, rows: &[[String; 6]]) {
    let widths = widths(width, rows);
    let shown = |cells: [&str; 6]| {
        let cells = cells.into_iter().zip(widths);
        let shown = cells.filter(|(_, width)| *width > 0);
        shown
            .map(|(text, width)| cut(text, width))
            .collect::<Vec<_>>()
    };
    table.set_header(shown(COLUMNS.map(|c| c.header)));
    table.add_rows(
        rows.iter()
            .map(|row| shown(row.each_ref().map(String::as_str))),
    );
    let last = table.column_count() - 1;
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        // The table itself puts one blank between two columns.
        let right = if at == last { 0 } else { GAP - 1 };
        column.set_padding((0, right as u16));
    }
}

/// The width of each column; 0 for one that is left out.
fn widths(width: usize, rows: &[[String; 6]]) -> [usize; 6] {
    let needs: [usize; 6] = std::array::from_fn(|at| {
        let cells = rows.iter().map(|row| row[at].width());
        cells.max().unwrap_or(0).max(COLUMNS[at].header.width())
    });
    let mut widths: [usize; 6] = std::array::from_fn(|at| match COLUMNS[at].share {
        0 => needs[at],
        _ => needs[at].min(COLUMNS[at].least),
    });
    let taken = |widths: &[usize; 6]| {
        let shown = widths.iter().filter(|width| **width > 0);
        shown.map(|width| width + GAP).sum::<usize>() - GAP
    };
    for column in SPARED {
        if taken(&widths) > width {
            widths[column] = 0;
        }
    }
    while taken(&widths) < width {
        let wanting = (0..6).filter(|at| (1..needs[*at]).contains(&widths[*at]));
        let given = |at: &usize| (widths[*at] - COLUMNS[*at].least) * 100 / COLUMNS[*at].share;
        let Some(poorest) = wanting.min_by_key(given) else {
            break;
        };
        widths[poorest] += 1;
    }
    widths
}

/// `text` on one line of at most `width` characters: whole words, then `…` where some are missing.
fn cut(text: &str, width: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.width() <= width {
        return line;
    }
    let starts = (1..words.len()).rev().map(|count| words[..count].join(" "));
    let letters = |count| line.chars().take(count).collect();
    starts
        .chain((0..width).rev().map(letters))
        .map(|start: String| format!("{}…", start.trim_end_matches([',', '.', ' '])))
        .find(|start| start.width() <= width)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Global, Shell};

    fn row(question: &str, readout: &str) -> [String; 6] {
        ["w4a8-ones", question, readout, "pass", "", ""].map(str::to_owned)
    }

    fn printed(width: usize, rows: &[[String; 6]]) -> Vec<String> {
        let global = Global {
            json: false,
            quiet: true,
        };
        let mut table = Shell::new(global).table([]);
        fill(&mut table, width, rows);
        table.trim_fmt().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_cut_text_ends_after_a_whole_word() {
        assert_eq!(cut("rows 32, 64, ...", 16), "rows 32, 64, ...");
        assert_eq!(cut("rows 32, 64, ...", 15), "rows 32, 64…");
        assert_eq!(cut("rows 32, 64, ...", 11), "rows 32…");
        assert_eq!(cut("rows 1, 2, ... (2 not zero)", 15), "rows 1, 2…");
        assert_eq!(cut("two\nlines", 20), "two lines");
        assert_eq!(cut("0.0099 everywhere", 5), "0.00…");
    }

    #[test]
    fn every_row_is_one_line_within_the_width() {
        let long = "Is weight.n the int4 loader, ".repeat(8);
        let rows = [row(&long, &long), row("Is it?", "16")];
        for width in 60..250 {
            let lines = printed(width, &rows);
            assert_eq!(lines.len(), 2 + rows.len(), "{width}");
            assert!(lines.iter().all(|l| l.width() <= width), "{width}");
        }
    }

    #[test]
    fn the_question_gives_way_first_and_gets_what_is_left() {
        let rows = [row("Is weight.n the int4 loader?", "16 everywhere")];
        let question = |width| {
            let lines = printed(width, &rows);
            let start = lines[0].find("question")?;
            Some(lines[2][start..].split("  ").next()?.to_owned())
        };
        assert_eq!(question(60), None);
        assert_eq!(question(75).as_deref(), Some("Is weight.n the…"));
        assert_eq!(
            question(100).as_deref(),
            Some("Is weight.n the int4 loader?")
        );
    }
}
