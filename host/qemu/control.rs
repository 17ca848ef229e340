//! The control page and the messages: `abi/include/hmxwb_guest.h` in Rust.

use super::shared::Shared;
use bytemuck::{Pod, Zeroable};

/// Guest address of VTCM.
pub const VTCM: u32 = 0xD800_0000;
/// Guest address of the shared buffers.
pub const DDR: u32 = 0x5000_0000;

/// Most buffers of one invoke.
pub const MAX_BUFS: usize = 510;

/// What a message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // documented in the header
pub enum Kind {
    Ready = 1,
    Invoke = 2,
    Done = 3,
    Trap = 4,
    Resume = 5,
    Died = 6,
    NoSymbol = 7,
    BadSkel = 8,
    Quit = 9,
    Call = 10,
}

/// The whole packet is done: go on behind it.
pub const RESUME_NEXT: u32 = 0;
/// Write the vectors, then run `trap.rest`, then go on.
pub const RESUME_EARLY: u32 = 1;
/// Run `trap.rest`, then write the vectors, then go on.
pub const RESUME_LATE: u32 = 2;

/// One message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Message {
    /// A [`Kind`].
    pub kind: u32,
    /// Its value.
    pub value: u32,
}

impl Message {
    /// Length on the pipe.
    pub const BYTES: usize = size_of::<Message>();

    /// A message.
    pub fn new(kind: Kind, value: u32) -> Message {
        Message {
            kind: kind as u32,
            value,
        }
    }

    /// What it says; `None` for a number that no version knows.
    pub fn kind(self) -> Option<Kind> {
        use Kind::*;
        [
            Ready, Invoke, Done, Trap, Resume, Died, NoSymbol, BadSkel, Quit, Call,
        ]
        .into_iter()
        .find(|k| *k as u32 == self.kind)
    }

    /// As sent.
    pub fn bytes(self) -> [u8; Message::BYTES] {
        bytemuck::cast(self)
    }

    /// As received.
    pub fn from_bytes(bytes: [u8; Message::BYTES]) -> Message {
        bytemuck::cast(bytes)
    }
}

/// A packet that trapped.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Trap {
    /// Guest address of the packet.
    pub pc: u32,
    /// Words in it, 1 to 4.
    pub count: u32,
    /// The words.
    pub word: [u32; 4],
    /// The packet without what was emulated.
    pub rest: [u32; 4],
    /// General registers.
    pub r: [u32; 32],
    /// Whether `v` is filled in.
    pub vectors: u32,
    /// The answer: bit i set means `v[i]` is new.
    pub written: u32,
    /// The answer: 1 + index of a PC-relative branch in `rest`; 0: none.
    pub branch: u32,
    /// Its distance field: bit i of the distance, in words, goes to the i-th set bit.
    pub field: u32,
    /// Where it goes, as a guest address.
    pub target: u32,
    /// The answer: 1 when `rest` ends a loop or may go elsewhere than behind the packet.
    pub leaves: u32,
    pad: [u32; 16],
    /// Vector registers.
    pub v: [[u8; 128]; 32],
}

/// One buffer of an invoke, by guest address.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Buf {
    /// Guest address, inside DDR.
    pub address: u32,
    /// Bytes.
    pub len: u32,
}

/// The control page.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Control {
    magic: u32,
    version: u32,
    vtcm_size: u32,
    ddr_size: u32,
    skel_size: u32,
    /// Scalars word of the invoke.
    pub scalars: u32,
    /// Module handle of the invoke.
    pub handle: u32,
    /// Buffers of the invoke.
    pub buf_count: u32,
    entry: [u8; 96],
    text: [u8; 248],
    /// Instructions that QEMU ran in the last call, and its DMA instructions.
    pub instructions: u64,
    /// Packets, the same way.
    pub packets: u64,
    /// Packets emulated in the last call.
    pub traps: u64,
    /// User DMA descriptors carried out since the start.
    pub dma_transfers: u64,
    /// Bytes they moved.
    pub dma_bytes: u64,
    /// The buffers.
    pub buf: [Buf; MAX_BUFS],
    call_name: [u8; 96],
    call_args: [u32; 4],
    /// The packet that trapped last.
    pub trap: Trap,
}

// The places where C has them.
const _: () = {
    assert!(std::mem::offset_of!(Control, instructions) == 376);
    assert!(std::mem::offset_of!(Control, buf) == 416);
    assert!(std::mem::offset_of!(Control, trap) == 4608);
    assert!(std::mem::offset_of!(Control, trap) % 128 == 0);
    assert!(std::mem::offset_of!(Trap, v) == 256);
};

impl Control {
    /// Bytes of the page as mapped: a multiple of 64 KiB.
    pub const BYTES: usize = size_of::<Control>().next_multiple_of(1 << 16);

    /// The page in its shared memory.
    pub fn of(shared: &mut Shared) -> &mut Control {
        bytemuck::from_bytes_mut(&mut shared.bytes_mut()[..size_of::<Control>()])
    }

    /// What the runner reads when it starts.
    pub fn describe(&mut self, vtcm: usize, ddr: usize, skel: usize, entry: &str) {
        self.magic = 0x584d_4847;
        self.version = 2;
        self.vtcm_size = vtcm as u32;
        self.ddr_size = ddr as u32;
        self.skel_size = skel as u32;
        put(&mut self.entry, entry);
    }

    /// Names the function of the next [`Kind::Call`] and its arguments.
    pub fn call(&mut self, name: &str, args: [u32; 4]) {
        put(&mut self.call_name, name);
        self.call_args = args;
    }

    /// The detail of a failure.
    pub fn text(&self) -> String {
        let end = self.text.iter().position(|b| *b == 0);
        String::from_utf8_lossy(&self.text[..end.unwrap_or(self.text.len())]).into_owned()
    }
}

/// Writes a C string, cut short if it must be.
fn put(field: &mut [u8], text: &str) {
    field.fill(0);
    let len = text.len().min(field.len() - 1);
    field[..len].copy_from_slice(&text.as_bytes()[..len]);
}
