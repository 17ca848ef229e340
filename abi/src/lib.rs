//! What host and DSP share: the instruction table, the assembly, packets,
//! architecture versions, evidence classes and tile layouts.

mod answer;
pub mod arch;
pub mod asm;
#[rustfmt::skip] // as bindgen prints it
pub mod bindings;
pub mod call;
pub mod codec;
mod describe;
mod error_text;
pub mod errors;
pub mod evidence;
pub mod generated;
pub mod isa;
pub mod op;
pub mod packet;
mod packet_error;
mod packet_words;
pub mod scalars;
pub mod tile;
pub mod wire;

pub use arch::Arch;
pub use codec::{Decoded, PacketBits, Reg, decode, encode};
pub use evidence::Evidence;
pub use isa::{Instr, Kind, Unavailable, instructions};
pub use op::Op;
pub use packet::{Inst, Packet, PacketError, Program, WordsError};
