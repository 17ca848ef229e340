//! What HMX a file uses, and which versions can run it.

use super::packets::HmxPacket;
use hmx_abi::{Arch, Instr, instructions};
use serde::Serialize;

/// How often one instruction is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Use {
    /// As in the table.
    pub instruction: &'static str,
    /// How often.
    pub count: usize,
    /// First version that has it.
    pub introduced: Arch,
    /// First version that no longer has it.
    pub removed: Option<Arch>,
}

/// A packet that breaks the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Where it lies: the section and the address.
    pub section: String,
    /// Address of its first word.
    pub address: u32,
    /// Its words.
    pub words: Vec<String>,
    /// What is wrong.
    pub problem: String,
}

/// The figures of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Words of code.
    pub words: usize,
    /// Packets.
    pub packets: usize,
    /// Packets with HMX in them.
    pub hmx_packets: usize,
    /// HMX words.
    pub hmx_words: usize,
    /// The instructions used, in the order of the table.
    pub uses: Vec<Use>,
    /// The oldest version that can run the file: one that has all its HMX instructions and
    /// is not older than the version it was built for. `None` without HMX or without such
    /// a version.
    pub lowest_arch: Option<Arch>,
    /// Packets that break the pairing rules.
    pub broken: Vec<Broken>,
    /// Instructions that the version asked for does not have, each with the reason.
    pub unavailable: Vec<String>,
}

/// Counts while a listing is made.
#[derive(Debug)]
pub struct Tally {
    counts: Vec<usize>,
    words: usize,
    packets: usize,
    hmx_packets: usize,
    hmx_words: usize,
    broken: Vec<Broken>,
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            counts: vec![0; instructions().len()],
            words: 0,
            packets: 0,
            hmx_packets: 0,
            hmx_words: 0,
            broken: Vec::new(),
        }
    }
}

impl Tally {
    /// Counts a packet.
    pub fn packet(&mut self, section: &str, address: u32, words: &[u32], hmx: Option<&HmxPacket>) {
        self.words += words.len();
        self.packets += 1;
        let Some(hmx) = hmx else { return };
        self.hmx_packets += 1;
        for decoded in hmx.words.iter().flatten() {
            self.hmx_words += 1;
            let row = instructions()
                .iter()
                .position(|i| std::ptr::eq(i, decoded.instr));
            if let Some(count) = row.and_then(|r| self.counts.get_mut(r)) {
                *count += 1;
            }
        }
        if let Err(problem) = &hmx.packet {
            self.broken.push(Broken {
                section: section.to_owned(),
                address,
                words: words.iter().map(|w| format!("{w:#010x}")).collect(),
                problem: problem.to_string(),
            });
        }
    }

    /// The figures. `built_for` is the version of the file, `wanted` the version asked for.
    pub fn finish(self, built_for: Option<Arch>, wanted: Option<Arch>) -> Summary {
        let used: Vec<(&'static Instr, usize)> = instructions()
            .iter()
            .zip(self.counts)
            .filter(|&(_, count)| count > 0)
            .collect();
        let can_run = |&arch: &Arch| {
            built_for.is_none_or(|b| arch >= b) && used.iter().all(|(i, _)| i.available(arch))
        };
        let unavailable = wanted.map_or_else(Vec::new, |arch| {
            used.iter()
                .filter_map(|(i, _)| i.check(arch).err())
                .map(|e| e.to_string())
                .collect()
        });
        Summary {
            words: self.words,
            packets: self.packets,
            hmx_packets: self.hmx_packets,
            hmx_words: self.hmx_words,
            lowest_arch: if used.is_empty() {
                None
            } else {
                Arch::ALL.into_iter().find(can_run)
            },
            uses: used
                .iter()
                .map(|&(i, count)| Use {
                    instruction: i.syntax,
                    count,
                    introduced: i.introduced,
                    removed: i.removed,
                })
                .collect(),
            broken: self.broken,
            unavailable,
        }
    }
}

impl Summary {
    /// The lines of the summary, for people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{} words in {} packets; HMX: {} words in {} packets",
            self.words, self.packets, self.hmx_words, self.hmx_packets
        )];
        for u in &self.uses {
            let removed = u
                .removed
                .map_or(String::new(), |r| format!(", gone from {r} on"));
            lines.push(format!(
                "{:>8}  {}  (from {}{removed})",
                u.count, u.instruction, u.introduced
            ));
        }
        match (self.lowest_arch, self.uses.is_empty()) {
            (Some(arch), _) => lines.push(format!("needs {arch} or later")),
            (None, true) => {}
            (None, false) => lines.push("no version has all of these instructions".to_owned()),
        }
        lines.extend(self.unavailable.iter().cloned());
        if !self.uses.is_empty() {
            lines.push(format!(
                "packets that break the pairing rules: {}",
                self.broken.len()
            ));
        }
        for b in &self.broken {
            lines.push(format!(
                "  {} {:#x}: {}: {}",
                b.section,
                b.address,
                b.words.join(" "),
                b.problem
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::packets::inspect;
    use super::*;

    fn tally(packets: &[&[u32]]) -> Tally {
        let mut tally = Tally::default();
        for words in packets {
            tally.packet(".text", 0x40, words, inspect(words).as_ref());
        }
        tally
    }

    #[test]
    fn the_lowest_version_is_that_of_the_newest_instruction_and_of_the_file() {
        let packets: [&[u32]; 3] = [
            &[0x9200_41E4, 0x9202_E3EF],
            &[0xA6E0_DA10], // cvt.hf=acc(r0), from v73
            &[0x7F00_C000],
        ];
        let s = tally(&packets).finish(None, Some(Arch::V69));
        assert_eq!(
            (s.words, s.packets, s.hmx_packets, s.hmx_words),
            (4, 3, 2, 3)
        );
        assert_eq!(s.lowest_arch, Some(Arch::V73));
        assert_eq!(s.uses.iter().map(|u| u.count).sum::<usize>(), 3);
        assert_eq!(s.unavailable.len(), 1);
        assert!(s.unavailable[0].contains("needs v73 or later"));
        let s = tally(&packets).finish(Some(Arch::V75), None);
        assert_eq!(s.lowest_arch, Some(Arch::V75));
    }

    #[test]
    fn a_removed_instruction_bounds_the_version_from_above() {
        let shift: &[u32] = &[0xA6E0_C017];
        let s = tally(&[shift]).finish(Some(Arch::V79), None);
        assert_eq!(s.lowest_arch, None);
        assert!(
            s.lines()
                .contains(&"no version has all of these instructions".to_owned())
        );
        assert_eq!(
            tally(&[shift]).finish(None, None).lowest_arch,
            Some(Arch::V68)
        );
    }

    #[test]
    fn broken_packets_are_listed_with_their_place() {
        let s = tally(&[&[0x9200_41E4, 0x7F00_C000]]).finish(None, None);
        assert_eq!(s.broken.len(), 1);
        assert_eq!(
            s.lines().last().unwrap(),
            "  .text 0x40: 0x920041e4 0x7f00c000: HMX and other instructions stand in one packet"
        );
    }
}
