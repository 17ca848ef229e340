//! The generated parts of `docs/findings.md`.

use crate::agreement::{Agreement, standings};
use crate::conclusion::{Conclusion, conclusions};
use crate::recorded::recording;
use crate::verdict::Judgement;
use hmx_abi::Arch;
use hmx_probes::Probe;
use std::fmt::Write;

/// Names of the generated blocks of the page.
pub const BLOCKS: [&str; 4] = ["conclusions", "readings", "observations", "elimination"];

/// One generated block, as markdown.
pub fn block(name: &str, judged: &[(&Probe, &Judgement)], arch: Arch) -> Option<String> {
    Some(match name {
        "conclusions" => conclusions(judged)
            .iter()
            .map(|c| format!("* {c}\n"))
            .collect(),
        "readings" => readings(judged, arch),
        "observations" => observations(judged, arch),
        "elimination" => conclusions(judged).iter().map(table).collect(),
        _ => return None,
    })
}

/// The page with every block between `<!-- generated: NAME -->` and `<!-- end -->` made anew.
///
/// # Errors
/// A block that is unknown or never ends, by name.
pub fn page(old: &str, judged: &[(&Probe, &Judgement)], arch: Arch) -> Result<String, String> {
    const OPEN: &str = "<!-- generated: ";
    const END: &str = "<!-- end -->";
    let mut page = String::new();
    let mut rest = old;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(" -->").ok_or("a marker is not closed")?;
        let (_, after) = after
            .split_once(END)
            .ok_or_else(|| format!("block `{name}` has no end"))?;
        let made =
            block(name, judged, arch).ok_or_else(|| format!("there is no block `{name}`"))?;
        let _ = write!(page, "{before}{OPEN}{name} -->\n{made}{END}");
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// A cell of a markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

fn readings(judged: &[(&Probe, &Judgement)], arch: Arch) -> String {
    let mut text = String::from(
        "| reading | recorded on silicon | probe | simulated | agreement |\n|---|---|---|---|---|\n",
    );
    for standing in standings(judged, arch) {
        for name in &standing.probes {
            let Some((probe, judgement)) = judged.iter().find(|(p, _)| p.name == *name) else {
                continue;
            };
            let one = crate::agreement::agreement(&standing.id, probe, judgement, arch);
            let why = match &one {
                Agreement::Reproduced => String::new(),
                Agreement::DisagreesAsDocumented { why }
                | Agreement::Disagrees { why }
                | Agreement::Observation { why } => format!(": {}", cell(why)),
            };
            let _ = writeln!(
                text,
                "| {} | {} | `{name}` | {} | {one}{why} |",
                standing.id,
                cell(&standing.recorded),
                cell(&judgement.readout),
            );
        }
    }
    text
}

fn observations(judged: &[(&Probe, &Judgement)], arch: Arch) -> String {
    let all = standings(judged, arch);
    let mut text = String::new();
    for recorded in recording()
        .readings
        .iter()
        .filter(|r| !r.observed.is_readout())
    {
        if let Some(standing) = all.iter().find(|s| s.id == recorded.id) {
            let note = recorded
                .note
                .as_ref()
                .map_or(String::new(), |n| format!(" ({n})"));
            let model = recorded
                .model
                .as_ref()
                .map_or(String::new(), |m| format!("{m}: "));
            let _ = writeln!(
                text,
                "* {}: {model}{}{note}",
                recorded.id, standing.recorded
            );
        }
    }
    text
}

fn table(conclusion: &Conclusion) -> String {
    let mut text = format!("\n**{conclusion}**\n\n| hypothesis | fate |\n|---|---|\n");
    for fate in &conclusion.hypotheses {
        let what = fate
            .eliminated_by
            .as_deref()
            .map_or("survives".to_owned(), |by| format!("eliminated by {by}"));
        let _ = writeln!(text, "| {} | {} |", cell(&fate.hypothesis), cell(&what));
    }
    text
}
