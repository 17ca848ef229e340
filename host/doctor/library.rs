//! The FastRPC library, the driver behind it, and an attempt to open the skel.

use crate::device::settings::Settings;
use crate::device::supervisor::{Report, supervise};
use crate::device::task::{Driver, Task, Work};
use crate::fastrpc::session::SESSIONS;
use crate::finding::Finding;
use hmx_abi::Arch;
use std::time::Duration;

/// No single look takes longer.
const LIMIT: Duration = Duration::from_secs(10);

/// Library, symbols, capabilities, sessions, opening.
pub fn examine(settings: &Settings) -> (Vec<Finding>, Option<Driver>) {
    let settings = Settings {
        timeout: settings.timeout.min(LIMIT),
        ..settings.clone()
    };
    let job = |work| {
        let task = Task {
            work,
            skel: settings.skel_name(),
            session: settings.session,
            pd: settings.pd,
            sequence: std::process::id(),
        };
        supervise(&settings, &task, &[])
    };
    let driver = match job(Work::Ask) {
        Err(lost) => Err(lost.to_string()),
        Ok(Report { reply, log, .. }) => reply.driver.ok_or_else(|| {
            let fault = reply.fault.map_or(String::new(), |fault| fault.text);
            format!("{fault}{log}")
        }),
    };
    let driver = match driver {
        Ok(driver) => driver,
        Err(text) => {
            let rest = [
                "optional symbols",
                "architecture",
                "unsigned process",
                "sessions",
                "opening the skel",
            ];
            let unseen =
                rest.map(|what| Finding::cannot_tell(what, "there is no library to ask", ""));
            let mut found = vec![Finding::problem(
                "FastRPC library",
                text,
                "without a DSP, use --target sim or --target qemu",
            )];
            found.extend(unseen);
            return (found, None);
        }
    };
    let mut found = vec![Finding::ok(
        "FastRPC library",
        driver.library.display().to_string(),
    )];
    found.push(symbols(&driver));
    found.extend(capabilities(&driver));
    found.push(match job(Work::CountSessions) {
        Err(lost) => Finding::problem("sessions", lost.to_string(), "see the steps above"),
        Ok(report) => sessions(report.reply.sessions),
    });
    found.push(match job(Work::Open) {
        Err(lost) => Finding::problem("opening the skel", lost.to_string(), ""),
        Ok(Report { reply, log, .. }) => match (reply.fault, reply.opened) {
            (None, Some(opened)) if opened.modelled => Finding::cannot_tell(
                "opening the skel",
                "a stand-in library answered; there is no silicon behind it",
                "unset HMX_FASTRPC_LIB to look at the device",
            ),
            (None, Some(opened)) => Finding::ok("opening the skel", opened.uri),
            (Some(fault), _) => Finding::problem(
                "opening the skel",
                format!("{}{log}", fault.text),
                fault.code.map_or(String::new(), |code| {
                    format!("`hmx explain {code:#x}` lists the causes")
                }),
            ),
            (None, None) => Finding::problem("opening the skel", "no reply", ""),
        },
    });
    (found, Some(driver))
}

/// The architecture that the driver names, if it is one with HMX.
pub fn arch(driver: Option<&Driver>) -> Option<Arch> {
    let number = driver?.capabilities.arch?;
    Arch::ALL.into_iter().find(|a| a.number() == number)
}

fn symbols(driver: &Driver) -> Finding {
    match driver.missing.as_slice() {
        [] => Finding::ok("optional symbols", "all there"),
        missing => Finding::cannot_tell(
            "optional symbols",
            format!("{} missing: an old driver", missing.join(", ")),
            "hmx falls back by itself; update the driver if something else fails",
        ),
    }
}

fn capabilities(driver: &Driver) -> Vec<Finding> {
    let known = &driver.capabilities;
    let unknown = match known.refused {
        Some(code) => format!(
            "the driver refused to answer: {}",
            crate::fastrpc::failure::in_short(code)
        ),
        None => "the driver answers 0, which means unknown".to_owned(),
    };
    vec![
        match (known.arch, arch(Some(driver))) {
            (_, Some(arch)) => Finding::ok("architecture", arch.to_string()),
            (Some(number), None) => Finding::problem(
                "architecture",
                format!("v{number}"),
                "this tool knows no HMX in that version",
            ),
            (None, None) => Finding::cannot_tell(
                "architecture",
                unknown.clone(),
                "name it with --arch where a command needs it",
            ),
        },
        match known.unsigned_pd {
            Some(_) => Finding::ok("unsigned process", "the driver allows it"),
            None => Finding::cannot_tell(
                "unsigned process",
                unknown,
                "if opening fails with 0x80000481 or 0x72, the product wants signed skels: `hmx skel sign`",
            ),
        },
    ]
}

fn sessions(counted: Option<(u32, Option<u32>)>) -> Finding {
    match counted {
        Some((count, _)) if count >= SESSIONS => {
            Finding::ok("sessions", format!("{SESSIONS} can be reserved"))
        }
        Some((count, code)) => Finding::cannot_tell(
            "sessions",
            format!(
                "{count} of {SESSIONS}; the next was refused: {}",
                code.map_or(String::new(), crate::fastrpc::failure::in_short)
            ),
            "session 0 is enough for hmx; others may be in use, or the product has one only",
        ),
        None => Finding::cannot_tell("sessions", "no reply", ""),
    }
}
