//! A listing of code: packets with addresses, HMX words as mnemonics.

use super::elf::{Code, Image};
use super::llvm::LlvmText;
use super::packet_view::View;
use super::packets;
use super::summary::{Summary, Tally};
use hmx_abi::Arch;
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;

/// What to list.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only packets with HMX in them.
    pub only_hmx: bool,
    /// Only this piece of code, and this range of words in it.
    pub part: Option<(usize, Range<usize>)>,
    /// The version the code is meant for.
    pub arch: Option<Arch>,
}

/// One packet, for JSON.
#[derive(Debug, Serialize)]
pub struct PacketRecord {
    /// Address of the first word.
    pub address: u32,
    /// The words.
    pub words: Vec<String>,
    /// The packet as one line of assembly.
    pub text: String,
    /// Whether there is HMX in it.
    pub hmx: bool,
    /// How it breaks the pairing rules, if it does.
    pub problem: Option<String>,
}

/// Goes through the packets chosen and counts them.
fn each(
    image: &Image,
    llvm: Option<&LlvmText>,
    choice: &Choice,
    mut found: impl FnMut(&View<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Summary> {
    let mut tally = Tally::default();
    for (piece, code) in image.code.iter().enumerate() {
        let range = match &choice.part {
            Some((chosen, range)) if *chosen == piece => range.clone(),
            Some(_) => continue,
            None => 0..code.words.len(),
        };
        let start = range.start;
        let words = code.words.get(range).unwrap_or_default();
        for packet in packets::split(words) {
            let first = start + packet.start;
            let words = words.get(packet).unwrap_or_default();
            let view = View {
                piece,
                first,
                address: code.address.wrapping_add(first as u32 * 4),
                words,
                hmx: packets::inspect(words),
                llvm,
            };
            tally.packet(&code.name, view.address, words, view.hmx.as_ref());
            if view.hmx.is_some() || !choice.only_hmx {
                found(&view)?;
            }
        }
    }
    Ok(tally.finish(image.arch(), choice.arch))
}

/// The listing as text, handed to `out` in pieces.
///
/// # Errors
/// Those of `out`.
pub fn text(
    image: &Image,
    llvm: Option<&LlvmText>,
    choice: &Choice,
    mut out: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<Summary> {
    let mut page = String::new();
    let mut shown = None;
    let mut symbols = image.symbols.iter().peekable();
    let summary = each(image, llvm, choice, |view| {
        if shown != Some(view.piece) {
            shown = Some(view.piece);
            if let Some(Code { name, address, .. }) = image.code.get(view.piece) {
                let _ = write!(page, "\n{name}, from {address:#010x}\n");
            }
        }
        // Symbols up to here; of those passed over (with --only-hmx), the last is printed.
        let here = (view.piece, view.address);
        let mut name = None;
        while let Some(s) = symbols.next_if(|s| (s.code, s.address) <= here) {
            if s.code == view.piece {
                name = Some(s);
            }
        }
        if let Some(s) = name {
            let _ = writeln!(page, "{:08x} <{}>:", s.address, s.name);
        }
        view.lines(&mut page);
        if page.len() >= 1 << 16 {
            out(&page)?;
            page.clear();
        }
        Ok(())
    })?;
    out(&page)?;
    Ok(summary)
}

/// The listing as one line for each packet, for pasted words.
///
/// # Errors
/// None in practice; the signature is that of the other forms.
pub fn short(
    image: &Image,
    llvm: Option<&LlvmText>,
    choice: &Choice,
) -> anyhow::Result<(Vec<String>, Summary)> {
    let mut lines = Vec::new();
    let summary = each(image, llvm, choice, |view| {
        let mut line = view.line();
        if let Some(problem) = view.problem() {
            let _ = write!(line, "  // {problem}");
        }
        lines.push(line);
        Ok(())
    })?;
    Ok((lines, summary))
}

/// The packets of every piece of code, for JSON.
///
/// # Errors
/// None in practice; the signature is that of the other forms.
pub fn records(
    image: &Image,
    llvm: Option<&LlvmText>,
    choice: &Choice,
) -> anyhow::Result<(Vec<Vec<PacketRecord>>, Summary)> {
    let mut records: Vec<Vec<PacketRecord>> = image.code.iter().map(|_| Vec::new()).collect();
    let summary = each(image, llvm, choice, |view| {
        if let Some(list) = records.get_mut(view.piece) {
            list.push(PacketRecord {
                address: view.address,
                words: view.words.iter().map(|w| format!("{w:#010x}")).collect(),
                text: view.line(),
                hmx: view.hmx.is_some(),
                problem: view.problem(),
            });
        }
        Ok(())
    })?;
    Ok((records, summary))
}

/// An image of pasted words.
pub fn of_words(words: Vec<u32>) -> Image {
    Image {
        kind: super::elf::FileKind::Other,
        version: 0,
        stripped: true,
        code: vec![Code {
            name: "words".to_owned(),
            address: 0,
            words,
        }],
        symbols: Vec::new(),
    }
}

/// The words of a symbol: from its address, as many as it says or up to the next symbol.
///
/// # Errors
/// There is no such symbol; the nearest names are given.
pub fn symbol(image: &Image, name: &str) -> anyhow::Result<(usize, Range<usize>)> {
    let Some(symbol) = image.symbols.iter().find(|s| s.name == name) else {
        let mut near: Vec<&str> = image.symbols.iter().map(|s| s.name.as_str()).collect();
        near.sort_by_cached_key(|n| strsim::damerau_levenshtein(n, name));
        near.dedup();
        near.truncate(3);
        let hint = if near.is_empty() {
            "the file has no symbols; list all of it without --symbol".to_owned()
        } else {
            format!("the nearest are {}", near.join(", "))
        };
        anyhow::bail!("there is no symbol `{name}` in the code; {hint}");
    };
    let next = image
        .symbols
        .iter()
        .find(|s| s.code == symbol.code && s.address > symbol.address)
        .map(|s| s.address);
    let code = image.code.get(symbol.code);
    let (base, length) = code.map_or((0, 0), |c| (c.address, c.words.len()));
    let index = |address: u32| address.wrapping_sub(base) as usize / 4;
    let start = index(symbol.address).min(length);
    let end = match (symbol.size, next) {
        (0, Some(next)) => index(next),
        (0, None) => length,
        (size, _) => index(symbol.address.wrapping_add(size)),
    };
    Ok((symbol.code, start..end.clamp(start, length)))
}
