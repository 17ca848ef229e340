//! Faults to order: `HMX_STANDIN_FAULT`, a list with commas.
//!
//! | word | what happens |
//! |---|---|
//! | `open=CODE` | opening the skel fails with this code |
//! | `sessions=N` | a process gets N sessions, session 0 among them (4) |
//! | `no-uri` | the library does not make URIs |
//! | `no-capability` | every capability reads 0 |
//! | `no-vtcm` | the DSP has no VTCM to give |
//! | `hang` | a program never ends |
//! | `die` | the DSP dies under a program: 0x2e, then 0x72 for everything |
//! | `crash` | the library itself dies under a program |
//! | `silent` | a program's call reports success and does nothing |
//! | `stale` | the answer is one to an earlier call |
//! | `short` | half the image comes back, and the answer says so |
//! | `torn` | half the image comes back, and the answer claims all of it |
//! | `wrong` | one bit of the image or result is wrong, and the answer vouches for it |
//!
//! The last eight may end in `@N`: only the Nth program that runs, counted over all processes
//! in the file that `HMX_STANDIN_COUNT` names. A missing `rpcmem_alloc2` cannot be ordered,
//! because a symbol is there or not; tests overwrite its name in a copy of the library.

use hmx_abi::Arch;
use hmx_abi::errors::parse_code;
use std::io::Write;
use std::sync::OnceLock;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the table above
pub enum Fault {
    Open(u32),
    Sessions(u32),
    NoUri,
    NoCapability,
    NoVtcm,
    Hang,
    Die,
    Crash,
    Silent,
    Stale,
    Short,
    Torn,
    Wrong,
}

/// A fault, and which program it is for (all without a number).
type Order = (Fault, Option<u64>);

fn orders() -> &'static [Order] {
    static ORDERS: OnceLock<Vec<Order>> = OnceLock::new();
    ORDERS.get_or_init(|| {
        let list = std::env::var("HMX_STANDIN_FAULT").unwrap_or_default();
        list.split(',')
            .filter(|word| !word.is_empty())
            .filter_map(|word| {
                let order = read(word);
                if order.is_none() {
                    super::log::error(&format!("HMX_STANDIN_FAULT: `{word}` is no fault"));
                }
                order
            })
            .collect()
    })
}

fn read(word: &str) -> Option<Order> {
    let (word, program) = match word.split_once('@') {
        Some((word, number)) => (word, Some(number.parse().ok()?)),
        None => (word, None),
    };
    let fault = match word.split_once('=') {
        Some(("open", code)) => Fault::Open(parse_code(code).ok()?),
        Some(("sessions", number)) => Fault::Sessions(number.parse().ok()?),
        Some(_) => return None,
        None => match word {
            "no-uri" => Fault::NoUri,
            "no-capability" => Fault::NoCapability,
            "no-vtcm" => Fault::NoVtcm,
            "hang" => Fault::Hang,
            "die" => Fault::Die,
            "crash" => Fault::Crash,
            "silent" => Fault::Silent,
            "stale" => Fault::Stale,
            "short" => Fault::Short,
            "torn" => Fault::Torn,
            "wrong" => Fault::Wrong,
            _ => return None,
        },
    };
    Some((fault, program))
}

/// Whether this fault was ordered for everything.
pub fn ordered(fault: &Fault) -> bool {
    orders().iter().any(|order| *order == (fault.clone(), None))
}

/// The code that opening fails with.
pub fn open_code() -> Option<u32> {
    orders().iter().find_map(|(fault, _)| match fault {
        Fault::Open(code) => Some(*code),
        _ => None,
    })
}

/// Sessions a process gets.
pub fn sessions() -> u32 {
    let ordered = orders().iter().find_map(|(fault, _)| match fault {
        Fault::Sessions(number) => Some(*number),
        _ => None,
    });
    ordered.unwrap_or(4)
}

/// The faults for the program that begins now.
pub fn of_program() -> Vec<Fault> {
    let number = count();
    orders()
        .iter()
        .filter(|(_, program)| program.is_none() || *program == number)
        .map(|(fault, _)| fault.clone())
        .collect()
}

/// Counts programs over processes: the length of a file that each one appends a byte to.
fn count() -> Option<u64> {
    let file = std::env::var_os("HMX_STANDIN_COUNT")?;
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(file)
        .ok()?;
    file.write_all(b".").ok()?;
    Some(file.metadata().ok()?.len())
}

/// The architecture to claim.
pub fn arch() -> Arch {
    let named = std::env::var("HMX_STANDIN_ARCH").ok();
    named
        .and_then(|name| name.parse().ok())
        .unwrap_or(Arch::V81)
}
