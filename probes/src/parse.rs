//! From TOML text to a checked probe.

use crate::definition::{Assembled, Grid, Probe, Readout, Tile};
use crate::error::{At, Problem};
use crate::family::{Member, toml_problem};
use crate::file::{self, Fill};
use crate::place::{self, Placed};
use crate::program::{self, Text};
use crate::{fill, outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The image of a file that does not say its size.
const DEFAULT_IMAGE: u64 = 0x8000;
/// The largest VTCM there is.
const LARGEST_IMAGE: u64 = 8 << 20;

/// The names of a probe's things, in one name space.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn add(&mut self, name: &toml::Spanned<String>) -> Result<String, At> {
        let text = name.as_ref();
        let register = text
            .strip_prefix(['r', 'R'])
            .is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
        let good = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && text.len() <= 40
            && !register;
        if !good {
            return Err(At::new(name.span(), Problem::BadName(text.clone())));
        }
        if !self.0.insert(text.clone()) {
            return Err(At::new(name.span(), Problem::Twice(text.clone())));
        }
        Ok(text.clone())
    }
}

/// The probe of one member of the file `stem`.
pub(crate) fn probe(stem: &str, member: &Member) -> Result<Probe, At> {
    let text = &member.text;
    let file: file::File = toml::from_str(text).map_err(|e| toml_problem(&e, text))?;
    let question = file.question.as_ref().trim().to_owned();
    if question.is_empty() || question.contains('\n') {
        let why = "a probe opens with its question, in one line".to_owned();
        let key = "question";
        return Err(At::new(file.question.span(), Problem::Value { key, why }));
    }
    let image_len = image(file.image.as_ref())?;
    let grids = file.tile.iter().map(grid).collect::<Result<Vec<_>, _>>()?;
    let mut names = Names::default();
    for table in &file.tile {
        names.add(&table.name)?;
    }
    let readouts = file
        .readout
        .iter()
        .map(|t| readout(t, &mut names))
        .collect::<Result<Vec<_>, _>>()?;
    if readouts.is_empty() {
        let why = "it has no [[readout]], so nothing would be read back".to_owned();
        return Err(At::new(file.question.span(), Problem::Outcome(why)));
    }
    place::check(&placed(&file, &grids), image_len)?;
    let tiles = file
        .tile
        .iter()
        .zip(&grids)
        .map(|(table, grid)| tile(table, *grid))
        .collect::<Result<Vec<_>, _>>()?;
    let assembled = file
        .assembled
        .iter()
        .map(|t| assemble(t, &readouts, &mut names))
        .collect::<Result<Vec<_>, _>>()?;
    let symbols: BTreeMap<String, u32> = tiles
        .iter()
        .map(|t| (t.name.clone(), t.at))
        .chain(readouts.iter().map(|r| (r.name.clone(), r.at)))
        .collect();
    let source = Text::new(file.program.as_ref(), file.program.span(), text);
    let packets = source.assemble(&symbols, image_len)?;
    let arch_min = source.arch_min(&packets, file.arch.as_ref().map(|a| *a.as_ref()))?;
    let mut probe = Probe {
        name: match &member.variant {
            Some(variant) => format!("{stem}-{variant}"),
            None => stem.to_owned(),
        },
        question,
        source: text.clone(),
        arch_min,
        usr: file.usr,
        image_len,
        tiles,
        readouts,
        assembled,
        program: program::strip(packets),
        outcomes: Vec::new(),
        recorded: file.recorded,
        seed: file.tile.iter().find_map(|t| match t.fill.as_ref() {
            Fill::Random(random) => Some(random.seed),
            _ => None,
        }),
    };
    probe.outcomes = file
        .outcome
        .iter()
        .map(|t| outcome::outcome(t, &probe))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(second) = file.outcome.iter().filter(|o| o.expected).nth(1) {
        let why = "two outcomes are marked `expected`; at most one can be".to_owned();
        return Err(At::new(second.meaning.span(), Problem::Outcome(why)));
    }
    Ok(probe)
}

fn image(said: Option<&toml::Spanned<u64>>) -> Result<usize, At> {
    let size = said.map_or(DEFAULT_IMAGE, |s| *s.as_ref());
    match usize::try_from(size) {
        Ok(len) if (2048..=LARGEST_IMAGE).contains(&size) && size.is_multiple_of(2048) => Ok(len),
        _ => {
            let why = format!("{size:#x} is no multiple of 2048 from 0x800 to {LARGEST_IMAGE:#x}");
            let span = said.map_or(0..0, toml::Spanned::span);
            Err(At::new(span, Problem::Value { key: "image", why }))
        }
    }
}

fn grid(table: &file::TileTable) -> Result<Grid, At> {
    let tiles = table.tiles.as_ref().map_or(1, |t| *t.as_ref());
    if !(1..=64).contains(&tiles) {
        let span = table.tiles.as_ref().map_or(0..0, toml::Spanned::span);
        let why = format!("{tiles} tiles; a stack has 1 to 64");
        return Err(At::new(span, Problem::Value { key: "tiles", why }));
    }
    fits(&table.element, table.layout)?;
    Ok(Grid {
        layout: table.layout,
        tiles,
        along: table.along,
    })
}

/// Halves need 16 bits.
fn fits(element: &toml::Spanned<crate::Element>, layout: hmx_abi::tile::Layout) -> Result<(), At> {
    if element.as_ref().fits(layout.bits()) {
        return Ok(());
    }
    let why = format!(
        "`hf` elements need 16 bits, the layout has {}",
        layout.bits()
    );
    Err(At::new(
        element.span(),
        Problem::Value {
            key: "element",
            why,
        },
    ))
}

fn placed(file: &file::File, grids: &[Grid]) -> Vec<Placed> {
    let tiles = file.tile.iter().zip(grids).map(|(t, grid)| Placed {
        what: format!("tile `{}`", t.name.as_ref()),
        staged: true,
        layout: t.layout,
        at: *t.at.as_ref(),
        bytes: grid.bytes(),
        span: t.at.span(),
    });
    let readouts = file.readout.iter().map(|r| Placed {
        what: format!("readout `{}`", r.name.as_ref()),
        staged: false,
        layout: r.layout,
        at: *r.at.as_ref(),
        bytes: r.layout.bytes(),
        span: r.at.span(),
    });
    tiles.chain(readouts).collect()
}

fn tile(table: &file::TileTable, grid: Grid) -> Result<Tile, At> {
    let name = table.name.as_ref().clone();
    let element = *table.element.as_ref();
    let bytes = fill::bytes(table.fill.as_ref(), grid, element).map_err(|why| {
        let tile = format!("tile `{name}`");
        At::new(table.fill.span(), Problem::Fill { tile, why })
    })?;
    Ok(Tile {
        name,
        at: *table.at.as_ref(),
        bytes,
        layout: grid.layout,
        element,
        tiles: grid.tiles,
        along: grid.along,
    })
}

fn readout(table: &file::ReadoutTable, names: &mut Names) -> Result<Readout, At> {
    fits(&table.element, table.layout)?;
    Ok(Readout {
        name: names.add(&table.name)?,
        at: *table.at.as_ref(),
        len: table.layout.bytes(),
        layout: table.layout,
        element: *table.element.as_ref(),
    })
}

fn assemble(
    table: &file::AssembledTable,
    readouts: &[Readout],
    names: &mut Names,
) -> Result<Assembled, At> {
    let find = |part: &toml::Spanned<String>| {
        let found = readouts.iter().find(|r| r.name == *part.as_ref());
        found
            .cloned()
            .ok_or_else(|| no_such(part.as_ref(), "readout", readouts, part.span()))
    };
    let parts = table
        .parts
        .iter()
        .map(find)
        .collect::<Result<Vec<_>, _>>()?;
    let name = names.add(&table.name)?;
    let bits: u32 = parts.iter().map(|p| p.layout.bits()).sum();
    let shapes: BTreeSet<_> = parts.iter().map(|p| p.layout.shape()).collect();
    if shapes.len() != 1 || bits > 32 {
        let why = "`parts` are readouts of one shape that give at most 32 bits together";
        return Err(At::new(table.name.span(), Problem::Outcome(why.to_owned())));
    }
    Ok(Assembled { name, parts })
}

/// A name that is none of these readouts.
pub(crate) fn no_such(
    name: &str,
    kind: &'static str,
    readouts: &[Readout],
    span: Range<usize>,
) -> At {
    let known = readouts.iter().map(|r| r.name.clone()).collect();
    let name = name.to_owned();
    At::new(span, Problem::NoSuchName { name, kind, known })
}
