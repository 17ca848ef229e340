//! `hmx skel`

use crate::shell::{Outcome, Shell};
use anyhow::{Context, bail};
use hmx_abi::Arch;
use hmx_workbench::finding::any_problem;
use hmx_workbench::skel::sign::{Action, Order, Platform};
use hmx_workbench::skel::{catalog, check, sign};
use hmx_workbench::{skel_build, whole_file};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Build, check or sign the library that runs on the DSP
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Build the skel with clang and lld (or the SDK that HEXAGON_SDK_ROOT names)
    Build(Build),
    /// Look through a skel for everything that would stop the DSP's loader
    Check(Check),
    /// Sign a skel, or say why that is not needed
    Sign(Sign),
}

#[derive(clap::Args)]
struct Build {
    /// The device's architecture: v73, v75, v79, v81
    #[arg(long, default_value = "v81")]
    arch: Arch,
    /// Where to write it
    #[arg(long, value_name = "FILE", default_value = skel_build::SKEL)]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Check {
    /// The skel (.so)
    file: PathBuf,
    /// The device's architecture: v73, v75, v79, v81
    #[arg(long)]
    arch: Option<Arch>,
    /// Symbol that the DSP calls
    #[arg(long, default_value = skel_build::ENTRY)]
    entry: String,
    /// A skel without a signature is a problem
    #[arg(long)]
    signed: bool,
    /// Also check this Windows catalog: signature there, skel listed
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Sign {
    /// The skel (.so)
    file: PathBuf,
    /// Where it is to run
    #[arg(long)]
    platform: Platform,
    /// Folder for everything that is written
    #[arg(long, value_name = "DIR", default_value = "signed-skel")]
    out: PathBuf,
    /// Windows: certificate with private key
    #[arg(long, value_name = "PFX", env = "HMX_CERT")]
    cert: Option<PathBuf>,
    /// Windows: folder of the Windows SDK with `x86` and `arm64` in it
    #[arg(long, value_name = "DIR", env = "WINDOWS_SDK_BIN")]
    sdk: Option<PathBuf>,
    /// Linux, Android: test signature made for the device, testsig-0xSERIAL.so
    #[arg(long, value_name = "FILE")]
    testsig: Option<PathBuf>,
    /// Print what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    match args.what {
        What::Build(args) => run_build(&args, shell),
        What::Check(args) => run_check(&args, shell),
        What::Sign(args) => run_sign(&args, shell),
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

fn run_build(args: &Build, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let built = read(&skel_build::skel(args.arch)?)?;
    whole_file::write(&args.out, &built)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    if shell.json() {
        let facts = serde_json::json!({
            "file": args.out,
            "arch": args.arch,
            "bytes": built.len(),
            "sha256": format!("{:x}", Sha256::digest(&built)),
        });
        shell.value(&facts)?;
    } else {
        shell.line(format_args!(
            "{}: skel for {}, {} bytes",
            args.out.display(),
            args.arch,
            built.len()
        ))?;
        shell.line(format_args!(
            "check it with `hmx skel check {} --arch {}`",
            args.out.display(),
            args.arch
        ))?;
    }
    Ok(Outcome::Expected)
}

fn run_check(args: &Check, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let data = read(&args.file)?;
    let wanted = check::Wanted {
        arch: args.arch,
        entry: &args.entry,
        signed: args.signed,
    };
    let mut found = check::check(&data, &wanted)
        .with_context(|| format!("cannot check {}", args.file.display()))?;
    if let Some(file) = &args.catalog {
        found.extend(catalog::check(&read(file)?, &name(&args.file), &data));
    }
    super::doctor::print(&found, shell)?;
    Ok(match any_problem(&found) {
        true => Outcome::Failed,
        false => Outcome::Expected,
    })
}

fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn run_sign(args: &Sign, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let order = Order {
        skel: args.file.clone(),
        out: args.out.clone(),
        certificate: args.cert.clone(),
        sdk: args.sdk.clone(),
        testsig: args.testsig.clone(),
    };
    let skel = read(&args.file)?;
    let actions = sign::actions(args.platform, &order)?;
    if args.dry_run {
        for action in &actions {
            shell.line(action)?;
        }
        return Ok(Outcome::Expected);
    }
    if args.platform == Platform::Windows && !cfg!(windows) {
        bail!("Inf2Cat and signtool exist on Windows only; --dry-run prints what to run there");
    }
    for action in &actions {
        shell.line(action)?;
        act(action, &name(&args.file), &skel)?;
    }
    Ok(Outcome::Expected)
}

fn act(action: &Action, skel_name: &str, skel: &[u8]) -> anyhow::Result<()> {
    let make_room = |path: &Path| match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder),
        None => Ok(()),
    };
    match action {
        Action::Tell(_) => {}
        Action::Write(path, text) => {
            make_room(path)
                .and_then(|()| std::fs::write(path, text))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Action::Copy(from, to) => {
            make_room(to)
                .and_then(|()| std::fs::copy(from, to))
                .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        }
        Action::Run(program, args) => {
            let status = Command::new(program).args(args).status();
            let status = status.with_context(|| {
                format!(
                    "cannot start {}; install the Windows SDK and WDK, or name their folder with --sdk",
                    program.display()
                )
            })?;
            if !status.success() {
                bail!("{} failed ({status}); nothing is signed", program.display());
            }
        }
        Action::CheckCatalog(path) => {
            let found = catalog::check(&read(path)?, skel_name, skel);
            if let Some(problem) = found
                .into_iter()
                .find(|f| any_problem(std::slice::from_ref(f)))
            {
                bail!("{}: {}; {}", path.display(), problem.seen, problem.next);
            }
        }
    }
    Ok(())
}
