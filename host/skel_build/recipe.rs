//! What is built, from which sources, with which flags.

use super::toolchain::Toolchain;
use super::{KERNELS, SHARED, SKEL};
use hmx_abi::Arch;
use include_dir::Dir;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// What is built: sources, flags, how it is linked.
pub struct Recipe {
    /// File name of the result.
    pub name: &'static str,
    /// Files below dsp-kernels/.
    pub sources: Vec<PathBuf>,
    /// For the compiler.
    pub flags: Vec<String>,
    /// For the linker.
    pub link: Vec<&'static str>,
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

impl Recipe {
    /// The skel: the C files at the top of dsp-kernels/, and what is for Hexagon only.
    pub fn skel(arch: Arch) -> Recipe {
        let mut flags = strings(&[
            "--target=hexagon-unknown-elf",
            "-mhvx",
            "-mhvx-length=128B",
            "-mhvx-qfloat",
            "-mhvx-ieee-fp",
            "-O2",
            "-fPIC",
            "-fvisibility=hidden",
            "-ffreestanding",
            "-fno-builtin",
            "-Wall",
            "-Wextra",
            "-Werror",
        ]);
        flags.push(format!("-mcpu=hexagon{arch}"));
        Recipe {
            name: SKEL,
            sources: [Some(&KERNELS), KERNELS.get_dir("hexagon")]
                .into_iter()
                .flatten()
                .flat_map(sources)
                .collect(),
            flags,
            link: vec!["-shared", "-soname", SKEL, "--hash-style=sysv"],
        }
    }

    /// The skel with the entries of dsp-kernels/bench/.
    pub fn bench(arch: Arch) -> Recipe {
        let mut recipe = Recipe::skel(arch);
        recipe.name = "libhmxwb_bench.so";
        recipe
            .sources
            .extend(KERNELS.get_dir("bench").into_iter().flat_map(sources));
        recipe
    }

    /// The runner: dsp-kernels/guest/. It is for qemu's v73 whatever the skel is for.
    pub fn runner() -> Recipe {
        Recipe {
            name: "hmx-guest-runner",
            sources: KERNELS.get_dir("guest").map(sources).unwrap_or_default(),
            flags: strings(&[
                "--target=hexagon-unknown-linux-musl",
                "-mcpu=hexagonv73",
                "-O2",
                "-ffreestanding",
                "-fno-builtin",
                "-fno-stack-protector",
                "-Wall",
                "-Wextra",
                "-Werror",
            ]),
            link: vec!["-static"],
        }
    }

    /// Digest of everything that the result depends on.
    pub fn key(&self, tools: &Toolchain) -> String {
        let mut hash = Sha256::new();
        hash.update(&tools.version);
        for word in self
            .flags
            .iter()
            .map(String::as_str)
            .chain(self.link.iter().copied())
        {
            hash.update(word);
            hash.update([0]);
        }
        add_sources(&mut hash);
        format!("{:x}", hash.finalize())[..16].to_owned()
    }
}

/// C and assembly files of one folder, in order of their names.
fn sources(dir: &Dir) -> Vec<PathBuf> {
    let code = |p: &&Path| matches!(p.extension().and_then(|e| e.to_str()), Some("c" | "S"));
    let mut found: Vec<PathBuf> = dir
        .files()
        .map(|f| f.path())
        .filter(code)
        .map(Path::to_owned)
        .collect();
    found.sort();
    found
}

/// All C sources and headers, with their names and lengths.
pub(crate) fn add_sources(hash: &mut Sha256) {
    for dir in [&KERNELS, &SHARED] {
        hash_dir(hash, dir);
    }
}

fn hash_dir(hash: &mut Sha256, dir: &Dir) {
    for file in dir.files() {
        hash.update(file.path().to_string_lossy().as_bytes());
        hash.update([0]);
        hash.update((file.contents().len() as u64).to_le_bytes());
        hash.update(file.contents());
    }
    for below in dir.dirs() {
        hash_dir(hash, below);
    }
}
