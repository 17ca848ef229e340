//! What can go wrong with a guest.

use super::place::Place;
use crate::tools::ToolError;
use std::io;
use std::time::Duration;

/// Why the guest could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// A tool is missing or too old.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// the qemu guest cannot be run: {0}
    #[error("the qemu guest cannot be run: {0}")]
    System(#[from] io::Error),
    /// the skel cannot be loaded: {0}; rebuild it with `hmx skel build` and look at `hmx skel check`
    #[error(
        "the skel cannot be loaded: {0}; rebuild it with `hmx skel build` and look at `hmx skel check`"
    )]
    BadSkel(String),
    /// the skel imports `{0}`, which the guest runner does not have; take the call out or add it to dsp-kernels/guest/shims.c
    #[error(
        "the skel imports `{0}`, which the guest runner does not have; \
         take the call out or add it to dsp-kernels/guest/shims.c"
    )]
    Import(String),
    /// the skel does not export `{0}`; `hmx skel check` lists what it exports
    #[error("the skel does not export `{0}`; `hmx skel check` lists what it exports")]
    Export(String),
    /// the guest ran into {what} at {place}
    #[error("the guest ran into {what} at {place}")]
    Died {
        /// The signal, in words.
        what: String,
        /// Where.
        place: Box<Place>,
    },
    /// a packet cannot be emulated: {why}, at {place}
    #[error("a packet cannot be emulated: {why}, at {place}")]
    Packet {
        /// What is wrong with it.
        why: String,
        /// Where.
        place: Box<Place>,
    },
    /// the guest did not answer within {limit:?}; it was at {place} and has been stopped
    #[error("the guest did not answer within {limit:?}; it was at {place} and has been stopped")]
    Hang {
        /// The time limit.
        limit: Duration,
        /// Where it was.
        place: Box<Place>,
    },
    /// the guest is gone ({0}); run again, and if it repeats look at the last step that worked
    #[error(
        "the guest is gone ({0}); run again, and if it repeats look at the last step that worked"
    )]
    Gone(String),
}
