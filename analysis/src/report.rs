//! What an HTML report shows of each probe.

use crate::analyze::{analyze, matrix};
use crate::dump::Dump;
use crate::picture::Picture;
use crate::text::{byte_ranges, distinct};
use crate::untouched::written;
use crate::verdict::{Judgement, Verdict};
use hmx_abi::{Arch, Evidence, Inst, Packet};
use hmx_probes::Probe;

pub use crate::report_page::page;

/// One probe in a report. Build it with [`ReportItem::of`] and add what else is known.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportItem {
    /// Probe name.
    pub name: String,
    /// Its question.
    pub question: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Whether a mismatch is one that the findings describe.
    pub known: bool,
    /// The readout in short.
    pub reading: String,
    /// The silicon reading recorded for it, in short.
    pub recorded: Option<String>,
    /// Whether the readout agrees with it: `reproduced`, `disagrees as documented`, ...
    pub agreement: Option<String>,
    /// Class of evidence of the readout; none where the probe was refused.
    pub evidence: Option<Evidence>,
    /// Target that ran it.
    pub target: String,
    /// Architecture that ran it.
    pub arch: Arch,
    /// What the outcome means, and remarks.
    pub notes: Vec<String>,
    /// The program, a packet a line.
    pub program: Vec<String>,
    /// What analysis says: a heading and a text each.
    pub findings: Vec<(String, String)>,
    /// Staged tiles, then readouts.
    pub pictures: Vec<Picture>,
}

/// A statement on top of a report, with its class of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement.
    pub text: String,
    /// Class of evidence behind it.
    pub evidence: Evidence,
}

impl ReportItem {
    /// The report of one dump; `probe` is the definition it holds.
    pub fn of(dump: &Dump, probe: &Probe, verdict: Verdict) -> ReportItem {
        let analysis = analyze(dump, probe);
        let mut pictures = Vec::new();
        for t in &probe.tiles {
            let form = (t.layout, t.element);
            pictures.push(Picture::new(&t.name, true, t.at, form, &t.bytes, &[]));
        }
        let mut findings = Vec::new();
        let mut reading = Vec::new();
        for (r, a) in probe.readouts.iter().zip(&analysis.readouts) {
            let at = (r.at as usize).min(dump.vtcm.len());
            let end = at.saturating_add(r.len).min(dump.vtcm.len());
            let mask = written(&dump.manifest.untouched, at..end);
            let form = (r.layout, r.element);
            pictures.push(Picture::new(
                &r.name,
                false,
                r.at,
                form,
                &dump.vtcm[at..end],
                &mask,
            ));
            let values = distinct(&matrix(dump, r).distinct());
            reading.push(values.clone());
            let of = |what: &str| match probe.readouts.len() {
                1 => what.to_owned(),
                _ => format!("{what} ({})", r.name),
            };
            let c = &a.coverage;
            findings.push((
                of("written"),
                format!(
                    "{} of {} elements, {} not zero",
                    c.written, c.elements, c.nonzero
                ),
            ));
            findings.push((of("values"), values));
            findings.push((of("product"), a.product.sentence()));
            if let Some(p) = &a.positions {
                findings.push((of("places"), p.sentence()));
            }
        }
        if !analysis.spilled.is_empty() {
            findings.push((
                "guard bytes overwritten".to_owned(),
                byte_ranges(&analysis.spilled),
            ));
        }
        if !analysis.unstable.is_empty() {
            let ranges = byte_ranges(&analysis.unstable);
            findings.push(("depends on memory no tile staged".to_owned(), ranges));
        }
        ReportItem {
            name: probe.name.clone(),
            question: probe.question.clone(),
            verdict,
            known: false,
            reading: reading.join("; "),
            recorded: None,
            agreement: None,
            evidence: Some(analysis.evidence),
            target: analysis.target,
            arch: analysis.arch,
            notes: Vec::new(),
            program: probe.program.iter().map(packet).collect(),
            findings,
            pictures,
        }
    }
}

impl ReportItem {
    /// The report of one judged dump.
    pub fn judged(dump: &Dump, probe: &Probe, judgement: &Judgement) -> ReportItem {
        let mut item = ReportItem::of(dump, probe, judgement.verdict);
        item.reading.clone_from(&judgement.readout);
        if let Some(outcome) = &judgement.outcome {
            item.notes
                .push(format!("{} [{}]", outcome.meaning, outcome.evidence));
        }
        if let Some(why) = judgement.why() {
            item.notes.push(why);
        }
        item
    }

    /// A probe that the target refused: there is nothing to draw but its tiles.
    pub fn refused(probe: &Probe, target: &str, arch: Arch, why: &str) -> ReportItem {
        ReportItem {
            name: probe.name.clone(),
            question: probe.question.clone(),
            verdict: Verdict::Refused,
            known: false,
            reading: why.to_owned(),
            recorded: None,
            agreement: None,
            evidence: None,
            target: target.to_owned(),
            arch,
            notes: Vec::new(),
            program: probe.program.iter().map(packet).collect(),
            findings: Vec::new(),
            pictures: Vec::new(),
        }
    }
}

/// A packet as the assembly writes it, with literal operands.
fn packet(packet: &Packet<u32>) -> String {
    let one = |i: &Inst<u32>| {
        i.instr
            .syntax
            .replace("Rs", &format!("{:#x}", i.rs))
            .replace("Rt", &format!("{:#x}", i.rt))
    };
    match packet {
        Packet::Multiply(a, w) => format!("{{ {}; {} }}", one(a), one(w)),
        Packet::Single(i) => format!("{{ {} }}", one(i)),
    }
}

/// A report of the given probes.
pub fn html(items: &[ReportItem]) -> String {
    page("HMX probes", &[], items)
}
