//! LLVM's own tools, where this computer has them: finding them, and the text that
//! llvm-objdump prints for words that are not HMX.

use super::elf::{Code, Image};
use super::packets;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Oldest LLVM whose Hexagon disassembler and compiler are good enough.
const OLDEST: u32 = 19;
/// Newest version looked for under a name with its number.
const NEWEST: u32 = 40;
/// From this many words on, several llvm-objdump work side by side.
const SHARED_FROM: usize = 256 * 1024;

/// A program of LLVM.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
}

/// Finds a program such as `clang`: the one named by the environment variable, else the
/// newest `clang-NN` in PATH, else a plain `clang` that is new enough. `None` without one.
pub fn find(name: &str, variable: &str) -> Option<Tool> {
    if let Some(path) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
        return Some(Tool { path: path.into() });
    }
    let folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let in_path = |name: &str| {
        folders
            .iter()
            .map(|f| f.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
            .find(|p| p.is_file())
    };
    let numbered = (OLDEST..=NEWEST)
        .rev()
        .find_map(|n| in_path(&format!("{name}-{n}")));
    let path = numbered.or_else(|| in_path(name).filter(|p| version(p) >= Some(OLDEST)))?;
    Some(Tool { path })
}

/// The major version a program of LLVM reports.
fn version(path: &Path) -> Option<u32> {
    let out = Command::new(path).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let (_, after) = text.split_once("version ")?;
    after.split('.').next()?.trim().parse().ok()
}

/// Where a word's text stands: the buffer, and the bytes in it.
type Place = (usize, Range<usize>);

/// LLVM's text for every word of an image.
#[derive(Debug)]
pub struct LlvmText {
    /// For every piece of code, the place of each word's text.
    places: Vec<Vec<Option<Place>>>,
    /// What the runs of llvm-objdump printed.
    buffers: Vec<String>,
}

/// One run of llvm-objdump.
struct Run {
    arguments: Vec<OsString>,
    /// The pieces it prints, in this order.
    pieces: Vec<usize>,
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
        let mut text = LlvmText {
            places: image
                .code
                .iter()
                .map(|c| vec![None; c.words.len()])
                .collect(),
            buffers: Vec::new(),
        };
        for (n, (run, mut child)) in runs.iter().zip(children).enumerate() {
            child.wait()?;
            text.add(std::fs::read_to_string(output(n))?, image, run);
        }
        Ok(text)
    }

    fn add(&mut self, buffer: String, image: &Image, run: &Run) {
        let number = self.buffers.len();
        let mut pieces = run.pieces.iter().copied();
        let mut current = None;
        let mut at = 0;
        for line in buffer.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if let Some(rest) = line.strip_prefix("Disassembly of section ") {
                let name = rest.trim_end().trim_end_matches(':');
                current = pieces.find(|&p| run.own_object || image.code[p].name == name);
                continue;
            }
            let (Some(piece), Some((address, text))) = (current, line.split_once(':')) else {
                continue;
            };
            let Ok(address) = u32::from_str_radix(address.trim_start(), 16) else {
                continue;
            };
            let index = address.wrapping_sub(image.code[piece].address) as usize / 4;
            if let Some(place) = self.places[piece].get_mut(index) {
                *place = Some((number, start + (line.len() - text.len())..at));
            }
        }
        self.buffers.push(buffer);
    }

    /// The text of a word without braces, and what follows the closing brace (`:endloop0`).
    pub fn word(&self, piece: usize, index: usize) -> Option<(&str, &str)> {
        let (buffer, range) = self.places.get(piece)?.get(index)?.clone()?;
        let line = self.buffers.get(buffer)?.get(range)?.trim();
        let line = line.strip_prefix('{').unwrap_or(line);
        let (text, suffix) = line.rsplit_once('}').unwrap_or((line, ""));
        Some((text.trim(), suffix.trim()))
    }
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
            pieces: (0..image.code.len()).collect(),
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
                pieces: vec![index],
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
                pieces: vec![index],
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
