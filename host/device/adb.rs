//! Commands for a phone over adb. Untested on a phone; `--dry-run` shows what would run.

use std::fmt;
use std::path::Path;

/// What to do with the phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Step {
    /// Copy hmx and the skel to the phone.
    Push,
    /// Run hmx there.
    Run,
    /// Copy the results here.
    Pull,
    /// Delete the folder on the phone.
    Remove,
}

/// A phone, and the folder there that everything lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    /// Serial number, where several phones are connected.
    pub serial: Option<String>,
    /// Absolute folder on the phone.
    pub folder: String,
}

/// One call of adb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdbCommand {
    /// Everything after `adb`.
    pub args: Vec<String>,
}

impl fmt::Display for AdbCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("adb")?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// An order for the phone that would go wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPhone {
    /// `{0}` is no folder of its own on a phone; name one below another, such as /data/local/tmp/hmx
    #[error(
        "`{0}` is no folder of its own on a phone; name one below another, such as /data/local/tmp/hmx"
    )]
    Folder(String),
    /// {0} is not a path that adb can be given; rename it
    #[error("{0} is not a path that adb can be given; rename it")]
    Path(String),
}

/// Quoted for the phone's shell and for reading.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:+,@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

impl Phone {
    fn adb(&self, args: &[&str]) -> AdbCommand {
        let serial = self.serial.iter().flat_map(|s| ["-s", s]);
        AdbCommand {
            args: serial
                .chain(args.iter().copied())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// The folder, which is deleted as a whole by [`Phone::remove`]: at least two levels deep,
    /// without a step up.
    fn folder(&self) -> Result<&str, BadPhone> {
        let folder = self.folder.trim_end_matches('/');
        let parts: Vec<&str> = folder.split('/').skip(1).collect();
        let good = folder.starts_with('/')
            && parts.len() >= 2
            && parts.iter().all(|part| !matches!(*part, "" | "." | ".."))
            && folder != "/data/local/tmp";
        match good {
            true => Ok(folder),
            false => Err(BadPhone::Folder(self.folder.clone())),
        }
    }

    /// Copies hmx and the skel.
    pub fn push(&self, hmx: &Path, skel: &Path) -> Result<Vec<AdbCommand>, BadPhone> {
        let folder = self.folder()?;
        let there = |name: &str| format!("{folder}/{name}");
        let make = format!("mkdir -p {}", quoted(folder));
        let allow = format!("chmod 755 {}", quoted(&there("hmx")));
        Ok(vec![
            self.adb(&["shell", &make]),
            self.adb(&["push", text(hmx)?, &there("hmx")]),
            self.adb(&["push", text(skel)?, &there(crate::skel_build::SKEL)]),
            self.adb(&["shell", &allow]),
        ])
    }

    /// Runs hmx in the folder, with the skel that was pushed.
    pub fn run(&self, command: &[String]) -> Result<AdbCommand, BadPhone> {
        let folder = self.folder()?;
        let skel = format!("{folder}/{}", crate::skel_build::SKEL);
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        let line = format!(
            "cd {} && HMX_SKEL={} TMPDIR={} ./hmx {}",
            quoted(folder),
            quoted(&skel),
            quoted(folder),
            words.join(" ")
        );
        Ok(self.adb(&["shell", &line]))
    }

    /// Copies the results here.
    pub fn pull(&self, out: &Path) -> Result<AdbCommand, BadPhone> {
        let results = format!("{}/results", self.folder()?);
        Ok(self.adb(&["pull", &results, text(out)?]))
    }

    /// Deletes the folder on the phone.
    pub fn remove(&self) -> Result<AdbCommand, BadPhone> {
        let line = format!("rm -rf {}", quoted(self.folder()?));
        Ok(self.adb(&["shell", &line]))
    }
}

fn text(path: &Path) -> Result<&str, BadPhone> {
    path.to_str()
        .filter(|text| !text.starts_with('-'))
        .ok_or_else(|| BadPhone::Path(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone(folder: &str) -> Phone {
        Phone {
            serial: Some("A1".to_owned()),
            folder: folder.to_owned(),
        }
    }

    #[test]
    fn commands_name_the_phone_and_quote_what_needs_it() {
        let run = phone("/data/local/tmp/h x")
            .run(&["probe".to_owned(), "it's".to_owned()])
            .unwrap();
        assert_eq!(run.args[..3], ["-s", "A1", "shell"]);
        assert_eq!(
            run.args[3],
            r"cd '/data/local/tmp/h x' && HMX_SKEL='/data/local/tmp/h x/libhmxwb_skel.so' TMPDIR='/data/local/tmp/h x' ./hmx probe 'it'\''s'"
        );
    }

    #[test]
    fn folders_that_are_not_ones_own_are_refused() {
        for folder in [
            "",
            "/",
            "/data",
            "hmx",
            "/data/local/tmp",
            "/data/local/tmp/",
            "/data/../x",
            "//x",
        ] {
            assert!(phone(folder).remove().is_err(), "{folder}");
        }
        assert!(phone("/data/local/tmp/hmx/").remove().is_ok());
    }
}
