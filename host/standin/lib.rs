//! A library with the C symbols of libcdsprpc and no device behind them: calls go to the
//! skel's own entry, compiled for this computer, and HMX instructions to hmx-model.
//!
//! `HMX_FASTRPC_LIB` names it. `HMX_STANDIN_ARCH` (v81) is the architecture it claims;
//! `HMX_STANDIN_FAULT` orders faults (see [`faults`]), `HMX_STANDIN_SKEL` another skel (see
//! guest.rs and search.rs). It follows the open library where that
//! was exercised without a device: domain and session checks, codes, order of requests.
//! It says in its answers that a model is behind it, so no reading can pass for silicon.

pub mod faults;
#[cfg(target_os = "linux")]
mod guest;
mod log;
mod memory;
mod place;
mod search;
mod session;

use faults::Fault;
use hmx_workbench::fastrpc::abi::{
    Capability, DomainValue, GET_DSP_INFO, GET_URI, Handle, PROCESS_TYPE, RESERVE_NEW_SESSION,
    RemoteArg, ReserveSession, SessionUri, UNSIGNED_MODULE,
};
use std::ffi::{CStr, c_char, c_int, c_void};

const OK: u32 = 0;
const BAD_PARAMETER: u32 = 0xe;
const UNSUPPORTED: u32 = 0x14;
const NO_HANDLE: u32 = 0x2c;
/// What X2 Elite answers when a fifth session is reserved.
const SESSION_LIMIT: u32 = 0x200;

/// `remote_handle64_open`
///
/// # Safety
/// `name` is a C string or null, `handle` can be written or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn remote_handle64_open(name: *const c_char, handle: *mut Handle) -> c_int {
    if name.is_null() || handle.is_null() {
        return BAD_PARAMETER.cast_signed();
    }
    // SAFETY: not null, and the caller promises a C string and a place to write.
    let (uri, handle) = unsafe { (CStr::from_ptr(name).to_string_lossy(), &mut *handle) };
    *handle = 0;
    match session::open(&uri) {
        Ok(opened) => {
            *handle = opened;
            0
        }
        Err(code) => {
            log::error(&format!("opening {uri} failed with {code:#x}"));
            code.cast_signed()
        }
    }
}

/// `remote_handle64_invoke`
///
/// # Safety
/// `args` points to as many arguments as the scalars word counts, each with a buffer of the
/// length it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn remote_handle64_invoke(
    handle: Handle,
    scalars: u32,
    args: *mut RemoteArg,
) -> c_int {
    // SAFETY: passed on with the caller's promise.
    unsafe { place::invoke(handle, scalars, args) }.cast_signed()
}

/// `remote_handle64_close`
#[unsafe(no_mangle)]
pub extern "C" fn remote_handle64_close(handle: Handle) -> c_int {
    match session::close(handle) {
        true => 0,
        false => NO_HANDLE.cast_signed(),
    }
}

/// The request's data, if it has the size of its structure.
///
/// # Safety
/// `data` is null or points to `length` bytes that nobody else uses during the call.
unsafe fn request<'a, T>(data: *mut c_void, length: u32) -> Option<&'a mut T> {
    let fits = length as usize == size_of::<T>() && data.cast::<T>().is_aligned();
    // SAFETY: not null, aligned, and of the right length; every structure asked for here
    // consists of integers and pointers, for which all bytes are valid.
    (!data.is_null() && fits).then(|| unsafe { &mut *data.cast::<T>() })
}

/// `remote_handle_control`
///
/// # Safety
/// `data` is null or points to `length` bytes that nobody else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn remote_handle_control(
    number: u32,
    data: *mut c_void,
    length: u32,
) -> c_int {
    if number != GET_DSP_INFO {
        return UNSUPPORTED.cast_signed();
    }
    // SAFETY: the caller's promise.
    let Some(ask) = (unsafe { request::<Capability>(data, length) }) else {
        return BAD_PARAMETER.cast_signed();
    };
    ask.value = match ask.attribute {
        _ if faults::ordered(&Fault::NoCapability) => 0,
        1 => 1,
        3 => 4,
        4 => place::VTCM,
        5 => 1,
        6 => {
            let number = faults::arch().number();
            0x8c00 | ((number / 10) << 4) | (number % 10)
        }
        7 | 8 => 32,
        _ => 0,
    };
    0
}

/// `remote_session_control`
///
/// # Safety
/// `data` is null or points to `length` bytes that nobody else uses during the call; pointers
/// in it are valid for the lengths beside them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn remote_session_control(
    number: u32,
    data: *mut c_void,
    length: u32,
) -> c_int {
    // SAFETY: the caller's promise, which each structure is looked at under.
    let code = unsafe {
        match number {
            UNSIGNED_MODULE => request::<DomainValue>(data, length)
                .map_or(BAD_PARAMETER, |ask| session::unsigned(ask.value != 0)),
            PROCESS_TYPE => request::<DomainValue>(data, length).map_or(BAD_PARAMETER, |ask| {
                ask.value = session::is_unsigned().into();
                OK
            }),
            RESERVE_NEW_SESSION => {
                request::<ReserveSession>(data, length).map_or(BAD_PARAMETER, |ask| {
                    match session::reserve() {
                        Some(session) => {
                            (ask.session, ask.effective_domain) = (session, 3 + 8 * session);
                            OK
                        }
                        None => SESSION_LIMIT,
                    }
                })
            }
            GET_URI if faults::ordered(&Fault::NoUri) => UNSUPPORTED,
            GET_URI => {
                request::<SessionUri>(data, length).map_or(BAD_PARAMETER, |ask| write_uri(ask))
            }
            _ => UNSUPPORTED,
        }
    };
    code.cast_signed()
}

/// Makes a module's URI as the open library does: by appending domain and session.
///
/// # Safety
/// The pointers in `ask` are valid for the lengths beside them.
unsafe fn write_uri(ask: &mut SessionUri) -> u32 {
    const BAD_SIZE: u32 = 0x4d;
    if ask.module_uri.is_null() || ask.uri.is_null() {
        return BAD_PARAMETER;
    }
    // SAFETY: not null, and valid for these lengths by the caller's promise.
    let (module, room) = unsafe {
        (
            std::slice::from_raw_parts(ask.module_uri.cast::<u8>(), ask.module_uri_len as usize),
            std::slice::from_raw_parts_mut(ask.uri.cast::<u8>(), ask.uri_len as usize),
        )
    };
    let tail = format!("&_dom=cdsp&_session={}\0", ask.session);
    let made = [module, tail.as_bytes()].concat();
    match room.get_mut(..made.len()) {
        Some(room) => {
            room.copy_from_slice(&made);
            OK
        }
        None => BAD_SIZE,
    }
}
