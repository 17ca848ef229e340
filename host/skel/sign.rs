//! What signing takes on each platform: files to write and commands to run, in order.
//!
//! Nothing here was tried on a device. The Windows order is the one that users of other
//! skels document: INF, Inf2Cat, signtool, verification, installation.

use std::fmt;
use std::path::{Path, PathBuf};

/// Platforms with their own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Platform {
    /// Windows on Snapdragon: a signed catalog lists the skel.
    Windows,
    /// Linux: unsigned process, or a test signature.
    Linux,
    /// Android: unsigned process, or a test signature.
    Android,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Write a file.
    Write(PathBuf, String),
    /// Copy a file.
    Copy(PathBuf, PathBuf),
    /// Run a program; a failure ends everything.
    Run(PathBuf, Vec<String>),
    /// Look at the catalog: signature there, skel listed.
    CheckCatalog(PathBuf),
    /// Something that only the user can do or decide.
    Tell(String),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Write(path, text) => {
                write!(f, "write {}:", path.display())?;
                text.lines().try_for_each(|line| write!(f, "\n    {line}"))
            }
            Action::Copy(from, to) => write!(f, "copy {} to {}", from.display(), to.display()),
            Action::Run(program, args) => {
                write!(f, "run {}", quoted(&program.display().to_string()))?;
                args.iter()
                    .try_for_each(|arg| write!(f, " {}", quoted(arg)))
            }
            Action::CheckCatalog(path) => write!(
                f,
                "check that {} holds a signature and lists the skel",
                path.display()
            ),
            Action::Tell(text) => write!(f, "note: {text}"),
        }
    }
}

fn quoted(text: &str) -> String {
    match text.contains(' ') {
        true => format!("\"{text}\""),
        false => text.to_owned(),
    }
}

/// What is to be signed, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The skel.
    pub skel: PathBuf,
    /// Folder for everything that is written.
    pub out: PathBuf,
    /// Certificate with private key (.pfx), for Windows.
    pub certificate: Option<PathBuf>,
    /// Windows SDK `bin` folder of one version, with `x86` and `arm64` in it.
    pub sdk: Option<PathBuf>,
    /// Test signature of one device (`testsig-0x<serial>.so`), for Linux and Android.
    pub testsig: Option<PathBuf>,
}

/// An order that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOrder {
    /// {0} has no file name
    #[error("{0} has no file name; name the skel's file")]
    NoName(PathBuf),
    /// signing for Windows needs a certificate; name a .pfx file with --cert, or make a self-signed one with the code-signing purpose (docs/device/windows.md)
    #[error(
        "signing for Windows needs a certificate; name a .pfx file with --cert, or make a self-signed one with the code-signing purpose (docs/device/windows.md)"
    )]
    NoCertificate,
    /// {0} is no test signature; its name must be `testsig-0x<serial>.so`, as the signer of the vendor's SDK writes it
    #[error(
        "{0} is no test signature; its name must be testsig-0x<serial>.so, as the signer of the vendor's SDK writes it"
    )]
    NoTestsig(PathBuf),
}

/// Everything to do, in order.
pub fn actions(platform: Platform, order: &Order) -> Result<Vec<Action>, BadOrder> {
    match platform {
        Platform::Windows => windows(order),
        Platform::Linux | Platform::Android => unsigned_or_testsig(platform, order),
    }
}

fn windows(order: &Order) -> Result<Vec<Action>, BadOrder> {
    let name = file_name(&order.skel)?;
    let stem = name.strip_suffix(".so").unwrap_or(name);
    let certificate = order.certificate.as_ref().ok_or(BadOrder::NoCertificate)?;
    let tool = |folder: &str, program: &str| match &order.sdk {
        Some(sdk) => sdk.join(folder).join(program),
        None => PathBuf::from(program),
    };
    let signtool = tool("arm64", "signtool.exe");
    let cat = order.out.join(format!("{stem}.cat"));
    let inf = order.out.join(format!("{stem}.inf"));
    let text = |path: &Path| path.display().to_string();
    let args = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    Ok(vec![
        Action::Tell("a self-signed certificate counts only with Secure Boot off and test signing on (`bcdedit /set testsigning on`, then restart), and in both Trusted Root and Trusted Publishers".to_owned()),
        Action::Copy(order.skel.clone(), order.out.join(name)),
        Action::Write(inf.clone(), inf_text(name, stem)),
        Action::Run(
            tool("x86", "Inf2Cat.exe"),
            args(&[&format!("/driver:{}", text(&order.out)), "/os:10_25H2_ARM64"]),
        ),
        Action::Run(
            signtool.clone(),
            args(&["sign", "/fd", "sha256", "/f", &text(certificate), &text(&cat)]),
        ),
        Action::CheckCatalog(cat.clone()),
        Action::Run(signtool, args(&["verify", "/v", "/pa", &text(&cat)])),
        Action::Tell(format!(
            "install with `pnputil /add-driver {} /install`, and run with HMX_SKEL={}; `pnputil /delete-driver` with the published name removes it",
            text(&inf),
            text(&order.out.join(name))
        )),
    ])
}

/// The INF: one file, copied to the driver store (folder 13).
fn inf_text(name: &str, stem: &str) -> String {
    format!(
        "[Version]
Signature = \"$WINDOWS NT$\"
Class = ComputeAccelerator
ClassGuid = {{F01A9D53-3FF6-48D2-9F97-C8A7004BE10C}}
Provider = %Provider%
CatalogFile = {stem}.cat
DriverVer = 01/01/2026,{version}.0
PnpLockDown = 1

[DestinationDirs]
DefaultDestDir = 13

[SourceDisksNames]
1 = %Disk%

[SourceDisksFiles]
{name} = 1

[DefaultInstall.NTarm64]
CopyFiles = Skel

[Skel]
{name}

[Strings]
Provider = \"HMX workbench\"
Disk = \"HMX workbench skel\"
",
        version = env!("CARGO_PKG_VERSION"),
    )
}

fn unsigned_or_testsig(platform: Platform, order: &Order) -> Result<Vec<Action>, BadOrder> {
    let Some(testsig) = &order.testsig else {
        let more = match platform {
            Platform::Android => "an app must also declare <uses-native-library> for libcdsprpc.so",
            _ => {
                "the device needs fastrpc_shell_unsigned_3 in its DSP folder, and cdsprpcd for log lines"
            }
        };
        return Ok(vec![
            Action::Tell(
                "nothing to sign: hmx asks for an unsigned process on the DSP before it opens the skel, and such a process loads unsigned skels (unsigned is the default, HMX_DEVICE_PD=signed changes it)"
                    .to_owned(),
            ),
            Action::Tell(more.to_owned()),
            Action::Tell(
                "a product without unsigned processes answers 0x80000481 or 0x72; there a test signature made for this one device is needed (--testsig)"
                    .to_owned(),
            ),
        ]);
    };
    let name = file_name(testsig).ok().filter(|name| is_testsig(name));
    let name = name.ok_or_else(|| BadOrder::NoTestsig(testsig.clone()))?;
    Ok(vec![
        Action::Copy(testsig.clone(), order.out.join(name)),
        Action::Copy(order.skel.clone(), order.out.join(file_name(&order.skel)?)),
        Action::Tell(format!(
            "the DSP looks for the test signature on the skel's search path; run with HMX_SKEL={} HMX_DEVICE_PD=signed. It counts on the device with this serial number only, and only if that device allows test signatures",
            order.out.join(file_name(&order.skel)?).display()
        )),
    ])
}

fn is_testsig(name: &str) -> bool {
    name.strip_prefix("testsig-0x")
        .and_then(|rest| rest.strip_suffix(".so"))
        .is_some_and(|serial| !serial.is_empty() && serial.chars().all(|c| c.is_ascii_hexdigit()))
}

fn file_name(path: &Path) -> Result<&str, BadOrder> {
    path.file_name()
        .and_then(|name| name.to_str())
        .ok_or_else(|| BadOrder::NoName(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            skel: "build/libhmxwb_skel.so".into(),
            out: "signed".into(),
            certificate: Some("my cert.pfx".into()),
            sdk: None,
            testsig: None,
        }
    }

    #[test]
    fn windows_order_is_inf_catalog_signature_check_verification() {
        let all = actions(Platform::Windows, &order()).unwrap();
        let kinds: String = all
            .iter()
            .map(|action| match action {
                Action::Write(..) => 'w',
                Action::Copy(..) => 'c',
                Action::Run(program, _) if program.ends_with("Inf2Cat.exe") => 'i',
                Action::Run(..) => 's',
                Action::CheckCatalog(_) => 'k',
                Action::Tell(_) => 't',
            })
            .collect();
        assert_eq!(kinds, "tcwiskst");
        assert!(all[4].to_string().contains("\"my cert.pfx\""));
        let unsigned = Order {
            certificate: None,
            ..order()
        };
        assert_eq!(
            actions(Platform::Windows, &unsigned),
            Err(BadOrder::NoCertificate)
        );
    }

    #[test]
    fn a_test_signature_is_told_by_its_name() {
        let with = |testsig: &str| Order {
            testsig: Some(testsig.into()),
            ..order()
        };
        assert!(actions(Platform::Linux, &with("x/testsig-0x12ab.so")).is_ok());
        for name in ["testsig-0x.so", "testsig-12.so", "testsig-0xzz.so", ".."] {
            assert_eq!(
                actions(Platform::Android, &with(name)),
                Err(BadOrder::NoTestsig(name.into()))
            );
        }
    }

    #[test]
    fn without_one_nothing_is_written() {
        let all = actions(Platform::Linux, &order()).unwrap();
        assert!(all.iter().all(|a| matches!(a, Action::Tell(_))));
    }
}
