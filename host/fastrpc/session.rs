//! One process on the DSP with the skel in it.

use super::abi::{
    self, DomainValue, Handle, PROCESS_TYPE, RESERVE_NEW_SESSION, RemoteArg, RemoteBuf,
    ReserveSession, SessionUri, UNSIGNED_MODULE,
};
use super::capability::CDSP;
use super::failure::{Failure, Step};
use super::library::Library;
use hmx_abi::scalars::Scalars;
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, CString, c_void};
use std::sync::Arc;

/// Sessions a device has: 0 to 3.
pub const SESSIONS: u32 = 4;
const DOMAIN: &CStr = c"cdsp";

/// Signed or unsigned: what the process on the DSP may load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum, Default)]
#[serde(rename_all = "lowercase")]
pub enum Pd {
    /// Loads any skel (on Windows: any that a signed catalog lists).
    #[default]
    Unsigned,
    /// Loads signed skels only.
    Signed,
}

/// How a session is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// 0 to 3.
    pub session: u32,
    /// Which process to ask for.
    pub pd: Pd,
    /// File name of the skel, without a folder.
    pub skel: String,
    /// Entry symbol of the skel.
    pub entry: &'static str,
}

/// A session. Closing takes it; a handle cannot be used after that.
pub struct Session {
    library: Arc<Library>,
    handle: Handle,
    /// What was opened.
    pub uri: String,
    /// What the library says the process is; `None`: it does not say.
    pub pd: Option<Pd>,
    /// The URI was put together here, because the library does not make one.
    pub own_uri: bool,
    ended: Option<Failure>,
}

impl Session {
    /// Reserves (unless session 0), asks for the process wanted, opens the skel; in this
    /// order, because the kind of process is fixed by the first open.
    pub fn open(library: &Arc<Library>, opening: &Opening) -> Result<Session, Failure> {
        let domain = match opening.session {
            0 => CDSP,
            wanted => reserve(library, wanted)?,
        };
        let (uri, own_uri) = uri(library, opening);
        let unsigned = opening.pd == Pd::Unsigned;
        let answer = control_domain(library, UNSIGNED_MODULE, domain, unsigned.into());
        answer.map_err(|code| Failure {
            step: Step::UnsignedPd,
            code,
        })?;
        let mut handle: Handle = 0;
        let text = CString::new(uri.clone()).map_err(|_| Failure {
            step: Step::Open,
            code: 0xe,
        })?;
        // SAFETY: a C string and a place for the handle, both alive during the call.
        let code = unsafe { (library.open)(text.as_ptr(), &raw mut handle) };
        check(Step::Open, code)?;
        let pd = match control_domain(library, PROCESS_TYPE, domain, -1) {
            Ok(0) => Some(Pd::Signed),
            Ok(1) => Some(Pd::Unsigned),
            _ => None,
        };
        Ok(Session {
            library: Arc::clone(library),
            handle,
            uri,
            pd,
            own_uri,
            ended: None,
        })
    }

    /// The library this session belongs to.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Calls a method. Once a call shows that the process is gone, every further one fails
    /// with the same code: a dead session may report success without doing anything.
    pub fn invoke(
        &mut self,
        scalars: Scalars,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), Failure> {
        if let Some(failure) = self.ended {
            return Err(failure);
        }
        let counts = (usize::from(scalars.inputs), usize::from(scalars.outputs));
        assert_eq!((inputs.len(), outputs.len()), counts, "call of the stub");
        let buffer = |start: *mut u8, len| RemoteArg {
            buf: RemoteBuf {
                pv: start.cast(),
                len,
            },
        };
        let mut args: Vec<RemoteArg> = inputs
            .iter()
            .map(|bytes| buffer(bytes.as_ptr().cast_mut(), bytes.len()))
            .collect();
        args.extend(
            outputs
                .iter_mut()
                .map(|bytes| buffer(bytes.as_mut_ptr(), bytes.len())),
        );
        // SAFETY: the handle is open (it lives as long as this value); there is one argument
        // for each count of the scalars word, in its order; inputs are only read, outputs are
        // borrowed exclusively, and the call is synchronous.
        let code = unsafe { (self.library.invoke)(self.handle, scalars.word(), args.as_mut_ptr()) };
        check(Step::Invoke, code).inspect_err(|&failure| {
            if failure.ends_session() {
                self.ended = Some(failure);
            }
        })
    }

    /// Closes the handle.
    pub fn close(mut self) -> Result<(), Failure> {
        let code = self.give_up();
        check(Step::Close, code)
    }

    /// Closes the handle if it is still open.
    fn give_up(&mut self) -> i32 {
        match std::mem::take(&mut self.handle) {
            0 => 0,
            // SAFETY: the handle was open, and is forgotten by the line above.
            handle => unsafe { (self.library.close)(handle) },
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.give_up();
    }
}

fn check(step: Step, code: i32) -> Result<(), Failure> {
    match code.cast_unsigned() {
        0 => Ok(()),
        code => Err(Failure { step, code }),
    }
}

/// One request that carries a domain and a value; gives back the value.
fn control_domain(library: &Library, request: u32, domain: u32, value: i32) -> Result<i32, u32> {
    let mut data = DomainValue {
        domain: domain.cast_signed(),
        value,
    };
    match control(library, request, &mut data) {
        0 => Ok(data.value),
        code => Err(code),
    }
}

fn control<T>(library: &Library, request: u32, data: &mut T) -> u32 {
    let length = size_of::<T>() as u32;
    let data: *mut c_void = (&raw mut *data).cast();
    // SAFETY: every request above is sent with its own structure, whose size was asserted;
    // pointers in it outlive the call.
    unsafe { (library.session_control)(request, data, length) }.cast_unsigned()
}

/// Reserves sessions until the wanted one is ours; gives back its effective domain.
pub(super) fn reserve(library: &Library, wanted: u32) -> Result<u32, Failure> {
    loop {
        let name = c"hmx";
        let mut data = ReserveSession {
            domain_name: DOMAIN.as_ptr(),
            domain_name_len: DOMAIN.count_bytes() as u32,
            session_name: name.as_ptr(),
            session_name_len: name.count_bytes() as u32,
            effective_domain: 0,
            session: 0,
        };
        match control(library, RESERVE_NEW_SESSION, &mut data) {
            0 if data.session >= wanted => return Ok(data.effective_domain),
            0 => {}
            code => {
                return Err(Failure {
                    step: Step::Reserve,
                    code,
                });
            }
        }
    }
}

impl Library {
    /// How many sessions this process could have, session 0 among them, and the code that
    /// ended the count. Takes the sessions: use it in a process of its own.
    pub fn count_sessions(&self) -> (u32, Option<Failure>) {
        for wanted in 1..=SESSIONS {
            if let Err(failure) = reserve(self, wanted) {
                return (wanted, Some(failure));
            }
        }
        (SESSIONS + 1, None)
    }
}

/// The URI to open: the library's, or, where it makes none, our own.
fn uri(library: &Library, opening: &Opening) -> (String, bool) {
    let module = format!("file:///{}?{}&_modver=1.0", opening.skel, opening.entry);
    made_by_library(library, &module, opening.session).map_or_else(
        || {
            let session = match opening.session {
                0 => String::new(),
                number => format!("&_session={number}"),
            };
            (format!("{module}&_dom=cdsp{session}"), true)
        },
        |uri| (uri, false),
    )
}

fn made_by_library(library: &Library, module: &str, session: u32) -> Option<String> {
    let text = CString::new(module).ok()?;
    let mut room = vec![0u8; module.len() + 64];
    let mut data = SessionUri {
        domain_name: DOMAIN.as_ptr(),
        domain_name_len: DOMAIN.count_bytes() as u32,
        session,
        module_uri: text.as_ptr(),
        module_uri_len: module.len() as u32,
        uri: room.as_mut_ptr().cast(),
        uri_len: room.len() as u32,
    };
    if control(library, abi::GET_URI, &mut data) != 0 {
        return None;
    }
    let made = CStr::from_bytes_until_nul(&room).ok()?.to_str().ok()?;
    // A library that reports success without writing anything would have us open nothing.
    made.starts_with(module).then(|| made.to_owned())
}
