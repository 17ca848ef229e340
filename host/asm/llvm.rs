//! The text that llvm-objdump prints for words that are not HMX.

pub use super::tools::{Tool, find};

use super::elf::{Code, Image};
use super::packets;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

/// From this many words on, several llvm-objdump work side by side.
const SHARED_FROM: usize = 256 * 1024;

/// LLVM's text for every word of an image.
#[derive(Debug)]
pub struct LlvmText {
    /// The parts of every piece of code, in order.
    pieces: Vec<Vec<Part>>,
    /// What the runs of llvm-objdump printed.
    buffers: Vec<String>,
}

/// The text of some words that follow each other.
#[derive(Debug)]
struct Part {
    words: Range<usize>,
    buffer: usize,
    /// For each word, where its text begins in the buffer.
    starts: Vec<usize>,
}

/// In [`Part::starts`]: there is no text for this word.
const NOWHERE: usize = usize::MAX;

/// One run of llvm-objdump.
struct Run {
    arguments: Vec<OsString>,
    /// What it prints: pieces of code and ranges of words in them, in this order.
    parts: Vec<(usize, Range<usize>)>,
    /// Whether the file is one of ours, with one piece as `.text`.
    own_object: bool,
}

impl LlvmText {
    /// Runs llvm-objdump over the image. `file` is the file it was read from, if any.
    ///
    /// # Errors
    /// The program cannot be started, or temporary files cannot be written.
    pub fn of(tool: &Tool, image: &Image, file: Option<&Path>) -> io::Result<LlvmText> {
        let folder = tempfile::tempdir()?;
        let runs = match file {
            Some(file) if !image.stripped => runs_over_file(image, file),
            _ => runs_over_pieces(image, folder.path())?,
        };
        let output = |n: usize| folder.path().join(format!("{n}.txt"));
        let mut children = Vec::new();
        for (n, run) in runs.iter().enumerate() {
            // llvm-objdump writes line by line, which is slow through a pipe.
            let child = Command::new(&tool.path)
                .args(["-d", "--no-show-raw-insn"])
                .args(features(image.version))
                .args(&run.arguments)
                .stdin(Stdio::null())
                .stdout(File::create(output(n))?)
                .stderr(Stdio::null())
                .spawn()?;
            children.push(child);
        }
        let printed: Vec<io::Result<(String, Vec<Part>)>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (runs.iter().zip(children).enumerate())
                .map(|(n, (run, mut child))| {
                    scope.spawn(move || {
                        child.wait()?;
                        let buffer = std::fs::read_to_string(output(n))?;
                        let parts = run.read(&buffer, n, image);
                        Ok((buffer, parts))
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined
                .map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut text = LlvmText {
            pieces: image.code.iter().map(|_| Vec::new()).collect(),
            buffers: Vec::new(),
        };
        for (run, printed) in runs.iter().zip(printed) {
            let (buffer, parts) = printed?;
            text.buffers.push(buffer);
            for ((piece, _), part) in run.parts.iter().zip(parts) {
                text.pieces[*piece].push(part);
            }
        }
        Ok(text)
    }

    /// The text of a word without braces, and what follows the closing brace (`:endloop0`).
    pub fn word(&self, piece: usize, index: usize) -> Option<(&str, &str)> {
        let parts = self.pieces.get(piece)?;
        let part = parts.iter().find(|part| part.words.contains(&index))?;
        let start = *part.starts.get(index - part.words.start)?;
        let rest = self.buffers.get(part.buffer)?.get(start..)?;
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let line = rest.get(..end)?.trim_ascii();
        let line = line.strip_prefix('{').unwrap_or(line);
        let (text, suffix) = line.rsplit_once('}').unwrap_or((line, ""));
        Some((text.trim_ascii(), suffix.trim_ascii()))
    }
}

impl Run {
    /// Finds the words in what was printed.
    fn read(&self, printed: &str, buffer: usize, image: &Image) -> Vec<Part> {
        let part = |(_, words): &(usize, Range<usize>)| Part {
            words: words.clone(),
            buffer,
            starts: vec![NOWHERE; words.len()],
        };
        let mut parts: Vec<Part> = self.parts.iter().map(part).collect();
        let mut coming = 0..parts.len();
        let mut current = None;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', printed.as_bytes()) {
            let at = start;
            start = end + 1;
            let line = &printed[at..end];
            if let Some(rest) = line.strip_prefix("Disassembly of section ") {
                let name = rest.trim_end().trim_end_matches(':');
                current =
                    coming.find(|&p| self.own_object || image.code[self.parts[p].0].name == name);
                continue;
            }
            let (Some(p), Some((address, length))) = (current, address(line)) else {
                continue;
            };
            let code = &image.code[self.parts[p].0];
            let index = address.wrapping_sub(code.address) as usize / 4;
            let within = index.wrapping_sub(parts[p].words.start);
            if let Some(place) = parts[p].starts.get_mut(within) {
                *place = at + length;
            }
        }
        parts
    }
}

/// The address that a line of words begins with, and the bytes up to behind its colon.
fn address(line: &str) -> Option<(u32, usize)> {
    let colon = line.bytes().take(20).position(|byte| byte == b':')?;
    let digits = line.get(..colon)?.trim_ascii_start();
    let address = u32::from_str_radix(digits, 16).ok()?;
    Some((address, colon + 1))
}

/// What to tell llvm-objdump about the version: everything up to it. It passes over names
/// that it does not know.
fn features(version: u32) -> Vec<OsString> {
    let newest = if version == 0 { 81 } else { version };
    let mut names = vec!["+hvx-length128b".to_owned()];
    for number in [65, 66, 67, 68, 69, 71, 73, 75, 79, 81] {
        if number <= newest {
            names.push(format!("+v{number}"));
            names.push(format!("+hvxv{number}"));
        }
    }
    names.extend(["+zreg", "+cabac", "+hvx-qfloat", "+hvx-ieee-fp"].map(str::to_owned));
    vec![format!("--mattr={}", names.join(",")).into()]
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Cuts words into ranges for the workers, each ending with a packet.
fn shares(words: &[u32], total: usize) -> Vec<Range<usize>> {
    if total < SHARED_FROM {
        return std::iter::once(0..words.len()).collect();
    }
    let target = total.div_ceil(workers());
    let mut shares: Vec<Range<usize>> = Vec::new();
    for packet in packets::split(words) {
        match shares.last_mut() {
            Some(share) if share.len() < target => share.end = packet.end,
            _ => shares.push(packet),
        }
    }
    shares
}

fn total(image: &Image) -> usize {
    image.code.iter().map(|c| c.words.len()).sum()
}

fn runs_over_file(image: &Image, file: &Path) -> Vec<Run> {
    let total = total(image);
    let mut names: Vec<&str> = image.code.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    let unique = names.windows(2).all(|w| w.first() != w.last());
    if total < SHARED_FROM || !unique {
        return vec![Run {
            arguments: vec![file.into()],
            parts: (image.code.iter().enumerate())
                .map(|(index, code)| (index, 0..code.words.len()))
                .collect(),
            own_object: false,
        }];
    }
    let mut runs = Vec::new();
    for (index, code) in image.code.iter().enumerate() {
        for share in shares(&code.words, total) {
            let address = |word: usize| u64::from(code.address) + word as u64 * 4;
            let mut arguments: Vec<OsString> = vec![
                "-j".into(),
                code.name.clone().into(),
                format!("--start-address={:#x}", address(share.start)).into(),
                format!("--stop-address={:#x}", address(share.end)).into(),
            ];
            arguments.push(file.into());
            runs.push(Run {
                arguments,
                parts: vec![(index, share.clone())],
                own_object: false,
            });
        }
    }
    runs
}

/// Without sections llvm-objdump prints nothing: every piece gets an object file of its own.
fn runs_over_pieces(image: &Image, folder: &Path) -> io::Result<Vec<Run>> {
    let total = total(image);
    let mut runs = Vec::new();
    for (index, code) in image.code.iter().enumerate() {
        for share in shares(&code.words, total) {
            let path = folder.join(format!("{}.o", runs.len()));
            std::fs::write(&path, object_file(code, share.clone())?)?;
            let address = u64::from(code.address) + share.start as u64 * 4;
            runs.push(Run {
                arguments: vec![format!("--adjust-vma={address:#x}").into(), path.into()],
                parts: vec![(index, share.clone())],
                own_object: true,
            });
        }
    }
    Ok(runs)
}

/// A Hexagon object file with these words as its text.
fn object_file(code: &Code, share: Range<usize>) -> io::Result<Vec<u8>> {
    use object::write::{Object, StandardSection};
    let words = code.words.get(share).unwrap_or_default();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut object = Object::new(
        object::BinaryFormat::Elf,
        object::Architecture::Hexagon,
        object::Endianness::Little,
    );
    let text = object.section_id(StandardSection::Text);
    object.append_section_data(text, &bytes, 4);
    object.write().map_err(io::Error::other)
}
