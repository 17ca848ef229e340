//! The HTML report: one self-contained file.

use crate::decode::hexdump;
use crate::picture::{LIMIT, Picture, colour};
use crate::report::{ReportItem, Statement};
use crate::text::layout_name;
use crate::verdict::Verdict;
use hmx_abi::tile::Layout;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// The verdict in words, and its style class.
fn verdict(item: &ReportItem) -> (String, &'static str) {
    match item.verdict {
        Verdict::Mismatch if item.known => ("known mismatch".to_owned(), "verdict known"),
        Verdict::Mismatch => ("mismatch".to_owned(), "verdict mismatch"),
        Verdict::Pass => ("pass".to_owned(), "verdict pass"),
        Verdict::Observation => ("observation".to_owned(), "verdict observation"),
        Verdict::Refused => ("refused".to_owned(), "verdict refused"),
    }
}

/// A report with a title and statements on top.
pub fn page(title: &str, statements: &[Statement], items: &[ReportItem]) -> String {
    let mut layouts: BTreeMap<String, Layout> = BTreeMap::new();
    for p in items.iter().flat_map(|i| &i.pictures) {
        layouts.insert(layout_name(p.layout), p.layout);
    }
    let few = items.len() <= 3;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(include_str!("report.css"))) }
            }
            body {
                header {
                    h1 { (title) }
                    (counts(items))
                }
                @if !statements.is_empty() {
                    ul.statements {
                        @for s in statements {
                            li { (s.text) " " span.evidence { (s.evidence) } }
                        }
                    }
                }
                (index(items))
                main { @for item in items { (section(item, few)) } }
                footer { (legend()) }
                script id="layouts" type="application/json" { (PreEscaped(tables(&layouts))) }
                script { (PreEscaped(include_str!("report.js"))) }
            }
        }
    }
    .into_string()
}

fn counts(items: &[ReportItem]) -> Markup {
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for item in items {
        *counts.entry(verdict(item)).or_default() += 1;
    }
    let mut places: Vec<String> = items
        .iter()
        .map(|i| format!("{} {}", i.target, i.arch))
        .collect();
    places.sort();
    places.dedup();
    html! {
        p.counts {
            @for ((name, class), n) in &counts { span class=(class) { (n) " " (name) } " " }
            span.where { "run on " (places.join(", ")) }
        }
    }
}

/// The table of all probes: what is not a pass comes first.
fn index(items: &[ReportItem]) -> Markup {
    let mut order: Vec<&ReportItem> = items.iter().collect();
    order.sort_by_key(|item| match item.verdict {
        Verdict::Mismatch if !item.known => 0,
        Verdict::Mismatch => 1,
        Verdict::Refused => 2,
        Verdict::Observation => 3,
        Verdict::Pass => 4,
    });
    let recorded = items
        .iter()
        .any(|i| i.recorded.is_some() || i.agreement.is_some());
    html! {
        div.scroll {
            table.index {
                thead { tr {
                    th { "verdict" } th { "probe" } th { "question" } th { "readout" }
                    @if recorded { th { "recorded silicon" } }
                    th { "evidence" }
                } }
                tbody {
                    @for item in order {
                        tr {
                            td { (badge(item)) }
                            td.name { a href={ "#" (anchor(&item.name)) } { (item.name) } }
                            td { (item.question) }
                            td.reading { (item.reading) }
                            @if recorded {
                                td {
                                    @if let Some(r) = &item.recorded { (r) }
                                    @if let Some(a) = &item.agreement { " " span.agreement { (a) } }
                                }
                            }
                            td { @if let Some(e) = item.evidence { span.evidence { (e) } } }
                        }
                    }
                }
            }
        }
    }
}

fn badge(item: &ReportItem) -> Markup {
    let (name, class) = verdict(item);
    html! { span class=(class) { (name) } }
}

fn anchor(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

fn section(item: &ReportItem, open: bool) -> Markup {
    html! {
        details.probe id=(anchor(&item.name)) open[open] {
            summary { (badge(item)) " " strong { (item.name) } " " span.question { (item.question) } }
            dl {
                @for note in &item.notes { dt { "note" } dd { (note) } }
                @if let Some(r) = &item.recorded {
                    dt { "recorded silicon" }
                    dd { (r) @if let Some(a) = &item.agreement { " — " (a) } }
                }
                @for (what, text) in &item.findings { dt { (what) } dd { (text) } }
            }
            div.pictures { @for p in &item.pictures { (figure(p)) } }
            details { summary { "program" } pre { @for line in &item.program { (line) "\n" } } }
            @for p in item.pictures.iter().filter(|p| !p.staged) {
                @let shown = p.bytes.len().min(512);
                details {
                    summary { "raw bytes of " (p.name) @if shown < p.len { ", first " (shown) " of " (p.len) } }
                    pre { (hexdump(&p.bytes[..shown], p.at as usize)) }
                }
            }
        }
    }
}

fn figure(p: &Picture) -> Markup {
    let (elements, bytes) = (p.by_element(), p.by_byte());
    let what = if p.staged { "tile" } else { "readout" };
    let unwritten = crate::untouched::runs(p.written.len(), |i| !p.written[i]);
    let unwritten: Vec<String> = unwritten
        .iter()
        .map(|(at, n)| format!("{at}+{n}"))
        .collect();
    // Elements are drawn as squares, but long stacks of rows a little flatter.
    let pixel = if elements.height > 64 { 4 } else { 8 };
    html! {
        figure class=(what) data-at=(p.at) data-layout=(layout_name(p.layout))
            data-element=(format!("{:?}", p.element).to_lowercase())
            data-bytes=(p.base64()) data-unwritten=(unwritten.join(" ")) {
            figcaption {
                strong { (p.name) } " " span.kind { (what) } br;
                (elements.height) " × " (elements.width) " " (layout_name(p.layout))
                @if p.len > LIMIT { ", first " (LIMIT) " of " (p.len) " bytes" }
            }
            div.view {
                img.element src=(elements.url) width=(elements.width * 8) height=(elements.height * pixel)
                    alt={ (what) " " (p.name) " by row and column" };
            }
            div.view {
                img.memory src=(bytes.url) width="256" height=(bytes.height * 6)
                    alt={ (what) " " (p.name) " in memory order, 128 bytes a line" };
            }
            div.scale {
                @match p.range() {
                    Some((low, high)) if low == high => { "all " (low) }
                    Some((low, high)) => { (low) span.ramp style={ "background:" (ramp()) } {} (high) }
                    None => { "nothing written" }
                }
            }
        }
    }
}

fn ramp() -> String {
    let stops: Vec<String> = (0..=8)
        .map(|i| {
            let [r, g, b] = colour(f64::from(i) / 8.0);
            format!("rgb({r} {g} {b})")
        })
        .collect();
    format!("linear-gradient(to right,{})", stops.join(","))
}

fn legend() -> Markup {
    html! {
        p {
            "Upper picture: elements by row (down) and column. Lower picture: the same bytes as they lie in VTCM, 128 a line. "
            span.swatch.absent {} " not written (kept both poison patterns), "
            span.swatch.notfinite {} " infinity or NaN. Point at an element for its value, bits and address."
        }
    }
}

/// For each layout: rows and bytes of a tile, bits of an element, and the bit address of
/// every element, so that the script knows no layout of its own.
fn tables(layouts: &BTreeMap<String, Layout>) -> String {
    let table = |layout: &Layout| {
        let (rows, columns) = layout.shape();
        let at: Vec<u64> = (0..rows * columns)
            .map(|i| layout.slot(i / columns, i % columns))
            .map(|s| s.byte as u64 * 8 + u64::from(s.bit))
            .collect();
        serde_json::json!({"rows": rows, "columns": columns, "bytes": layout.bytes(), "bits": layout.bits(), "at": at})
    };
    let all: serde_json::Map<String, serde_json::Value> = layouts
        .iter()
        .map(|(name, l)| (name.clone(), table(l)))
        .collect();
    serde_json::Value::Object(all).to_string()
}
