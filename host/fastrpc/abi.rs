//! Types of the FastRPC library's C interface.
//!
//! Sizes were measured with the open library's headers for a 64-bit host, and are asserted
//! here. Request numbers and structures: remote.h of the same library.

use std::ffi::{c_char, c_int, c_void};

/// `remote_handle64`: on the host a pointer to a record inside the library, not portable
/// between processes.
pub type Handle = u64;

/// `remote_buf`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct RemoteBuf {
    /// First byte.
    pub pv: *mut c_void,
    /// Bytes.
    pub len: usize,
}

/// `remote_dma_handle`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct RemoteDma {
    /// File descriptor of a dma-buf.
    pub fd: i32,
    /// Offset in it.
    pub offset: u32,
}

/// `remote_arg`: one buffer or handle of a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub union RemoteArg {
    /// A buffer.
    pub buf: RemoteBuf,
    /// `remote_handle`
    pub handle: u32,
    /// `remote_handle64`
    pub handle64: Handle,
    /// A dma-buf.
    pub dma: RemoteDma,
}

/// Request of `remote_handle_control`: ask a capability.
pub const GET_DSP_INFO: u32 = 2;
/// Requests of `remote_session_control`.
pub const UNSIGNED_MODULE: u32 = 2;
/// Asks whether the process on the DSP is signed.
pub const PROCESS_TYPE: u32 = 10;
/// Reserves another session of a domain.
pub const RESERVE_NEW_SESSION: u32 = 13;
/// Makes the URI of a module on a session.
pub const GET_URI: u32 = 15;

/// `remote_dsp_capability`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Capability {
    /// Domain asked.
    pub domain: u32,
    /// Attribute asked: `fastrpc::capability`.
    pub attribute: u32,
    /// The answer.
    pub value: u32,
}

/// Data of [`UNSIGNED_MODULE`] and [`PROCESS_TYPE`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DomainValue {
    /// Effective domain.
    pub domain: c_int,
    /// In: enable. Out: process type, 0 signed, 1 unsigned.
    pub value: c_int,
}

/// Data of [`RESERVE_NEW_SESSION`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ReserveSession {
    /// Domain name.
    pub domain_name: *const c_char,
    /// Its length.
    pub domain_name_len: u32,
    /// A name for the session.
    pub session_name: *const c_char,
    /// Its length.
    pub session_name_len: u32,
    /// Out: domain number to use in other requests.
    pub effective_domain: u32,
    /// Out: number of the session.
    pub session: u32,
}

/// Data of [`GET_URI`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SessionUri {
    /// Domain name.
    pub domain_name: *const c_char,
    /// Its length.
    pub domain_name_len: u32,
    /// Session number.
    pub session: u32,
    /// URI of the module without domain.
    pub module_uri: *const c_char,
    /// Its length.
    pub module_uri_len: u32,
    /// Out: the URI to open.
    pub uri: *mut c_char,
    /// Room for it.
    pub uri_len: u32,
}

/// `int remote_handle64_open(const char *name, remote_handle64 *handle)`
pub type HandleOpen = unsafe extern "C" fn(*const c_char, *mut Handle) -> c_int;
/// `int remote_handle64_invoke(remote_handle64 handle, uint32_t scalars, remote_arg *args)`
pub type HandleInvoke = unsafe extern "C" fn(Handle, u32, *mut RemoteArg) -> c_int;
/// `int remote_handle64_close(remote_handle64 handle)`
pub type HandleClose = unsafe extern "C" fn(Handle) -> c_int;
/// `int remote_session_control(uint32_t request, void *data, uint32_t length)` and
/// `remote_handle_control`, which has the same form.
pub type Control = unsafe extern "C" fn(u32, *mut c_void, u32) -> c_int;
/// `void *rpcmem_alloc(int heap, uint32_t flags, int size)`
pub type MemoryAlloc = unsafe extern "C" fn(c_int, u32, c_int) -> *mut c_void;
/// `void *rpcmem_alloc2(int heap, uint32_t flags, size_t size)`
pub type MemoryAlloc2 = unsafe extern "C" fn(c_int, u32, usize) -> *mut c_void;
/// `void rpcmem_free(void *memory)`
pub type MemoryFree = unsafe extern "C" fn(*mut c_void);
/// `int rpcmem_to_fd(void *memory)`
pub type MemoryToFd = unsafe extern "C" fn(*mut c_void) -> c_int;

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<RemoteBuf>() == 16);
    assert!(size_of::<RemoteDma>() == 8);
    assert!(size_of::<RemoteArg>() == 16 && align_of::<RemoteArg>() == 8);
    assert!(size_of::<Capability>() == 12);
    assert!(size_of::<DomainValue>() == 8);
    assert!(size_of::<ReserveSession>() == 40);
    assert!(size_of::<SessionUri>() == 48);
};
