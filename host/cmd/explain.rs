//! `hmx explain`

use crate::shell::{Outcome, Shell};
use hmx_abi::errors::{self, Entry, Explanation, Origin, Side};
use serde_json::json;

/// Say what an error code of FastRPC or the DSP means, why it comes, and what to do
#[derive(clap::Args)]
pub struct Args {
    /// The code: hex or decimal, with or without the DSP offset 0x80000400, negative, or a
    /// name such as AEE_EUNABLETOLOAD
    #[arg(allow_hyphen_values = true)]
    code: String,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let found = errors::explain(errors::parse_code(&args.code)?);
    if shell.json() {
        shell.value(&as_json(&found))?;
    } else {
        shell.line(as_text(&found))?;
    }
    Ok(if found.entries.is_empty() {
        Outcome::Failed
    } else {
        Outcome::Expected
    })
}

fn made_by(found: &Explanation) -> String {
    let number = found.number;
    match found.origin {
        Origin::Dsp => format!("made on the DSP: {number:#x} with the offset 0x80000400"),
        Origin::Host if found.number == 0 => "success".to_owned(),
        Origin::Host => "made by the library on this side, or a DSP code without its offset".into(),
        Origin::Kernel => format!("a negative errno: {number}"),
        Origin::Unknown => "from a range that no layer of FastRPC is known to use".to_owned(),
    }
}

fn known_from(entry: &Entry) -> &'static str {
    match entry.source {
        "header" => "the public header",
        "code" => "the open library, read or run without a device",
        _ => "reports of users",
    }
}

/// When an entry holds, if that needs saying.
fn condition(entry: &Entry, found: &Explanation) -> Option<&'static str> {
    match (entry.side, found.origin) {
        (Side::Dsp, Origin::Host) => Some("if it came from the DSP and a log left the offset out"),
        (Side::Qnn, _) => Some("if QNN printed it"),
        (Side::Host, _) if found.entries.len() > 1 => Some("if the library on this side made it"),
        _ => None,
    }
}

fn as_text(found: &Explanation) -> String {
    let mut text = format!("{:#x} ({})", found.code, found.code.cast_signed());
    if found.entries.is_empty() {
        text += &format!(
            "\n  {}; it is not in the table\n  next: look for an earlier error in the library's log, then run `hmx doctor`",
            made_by(found)
        );
        return text;
    }
    text += &format!(": {}", made_by(found));
    for entry in &found.entries {
        text += &format!("\n\n{}: {}", entry.name, entry.meaning);
        if let Some(condition) = condition(entry, found) {
            text += &format!(" ({condition})");
        }
        text += &format!(
            "\n  layer: {}\n  likely causes, likeliest first:",
            entry.layer
        );
        for (number, cause) in (1..).zip(&entry.causes) {
            text += &format!("\n    {number}. {cause}");
        }
        text += &format!("\n  next: {}", entry.next);
        text += &format!("\n  known from: {}", known_from(entry));
    }
    text
}

fn as_json(found: &Explanation) -> serde_json::Value {
    let entries: Vec<_> = found
        .entries
        .iter()
        .map(|entry| {
            json!({
                "name": entry.name,
                "layer": entry.layer,
                "meaning": entry.meaning,
                "condition": condition(entry, found),
                "causes": entry.causes,
                "next": entry.next,
                "source": entry.source,
            })
        })
        .collect();
    json!({
        "code": format!("{:#x}", found.code),
        "signed": found.code.cast_signed(),
        "number": found.number,
        "made_by": made_by(found),
        "entries": entries,
    })
}
