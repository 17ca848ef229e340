//! Target `qemu`: the real skel under `qemu-hexagon`.
//!
//! The guest runner (`dsp-kernels/guest/`) loads the very skel file that a device would
//! get. It takes invokes over a pipe and shares VTCM and the buffers with this process.
//! HMX packets, and the HVX float instructions that QEMU lacks, trap; they come here as
//! raw words with the register values and are executed by `hmx-model` on the shared VTCM.
//!
//! | module | is |
//! |---|---|
//! | [`session`] | FastRPC calls into the guest |
//! | [`shared`] | memory that both processes see |
//! | [`guest`], [`guest_error`] | the process, its messages, its time limit, its failures |
//! | [`cost`] | instructions and packets of a call |
//! | [`masked`] | words that QEMU would run as something else |
//! | [`trap`] | one trapped packet: HMX by the model, HVX float by [`hvx_float`] |
//! | [`crate::tools`] | finding `qemu-hexagon`, clang and lld, and how to get them |

pub mod control;
pub mod cost;
pub mod guest;
pub mod guest_error;
pub mod hvx_float;
pub mod lanes;
pub mod masked;
pub mod packet_rest;
pub mod place;
pub mod session;
pub mod shared;
pub mod trap;
pub mod words;
