//! The wire format of the vendor's interface compiler, for the argument kinds that
//! `hmxwb.idl` uses.
//!
//! All `in` structures and primitives travel in one input buffer, each at its natural
//! alignment in the order of declaration; a sequence puts its element count (u32) there too,
//! an output sequence its capacity. The bytes of each input sequence follow as buffers of
//! their own. All `rout` structures share the first output buffer; output sequences follow.
//! A stub sends the shared buffers rounded up to their largest alignment; a skel accepts
//! anything that reaches the end of the last member.
//!
//! Source: prebuilt stubs and skels of the vendor, exercised under emulation from both ends.

use crate::scalars::{Scalars, TooMany};

/// One argument of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// `in` primitive or structure.
    In {
        /// Bytes.
        size: usize,
        /// Natural alignment.
        align: usize,
    },
    /// `rout` primitive or structure.
    Out {
        /// Bytes.
        size: usize,
        /// Natural alignment.
        align: usize,
    },
    /// `in sequence<octet>`
    InBytes,
    /// `rout sequence<octet>`
    OutBytes,
}

/// A method of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Position in the IDL; open and close are 0 and 1.
    pub number: u8,
    /// Arguments in the order of declaration.
    pub args: &'static [Arg],
}

/// A shared buffer: where its members lie.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shared {
    /// Offset and size of each member.
    pub members: Vec<(usize, usize)>,
    /// First byte after the last member: what a skel demands.
    pub end: usize,
    /// Rounded up to the largest alignment: what a stub sends.
    pub size: usize,
    align: usize,
}

/// {expected} bytes are needed, {found} are there; host and skel were built from different versions of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{expected} bytes are needed, {found} are there; host and skel were built from different versions of the interface"
)]
pub struct Misfit {
    /// Bytes the layout has.
    pub expected: usize,
    /// Bytes given.
    pub found: usize,
}

impl Shared {
    fn push(&mut self, size: usize, align: usize) {
        let at = self.end.next_multiple_of(align);
        self.members.push((at, size));
        self.end = at + size;
        self.align = self.align.max(align);
        self.size = self.end.next_multiple_of(self.align);
    }

    /// Puts one piece of bytes into each member; the gaps are zero.
    pub fn pack(&self, pieces: &[&[u8]]) -> Result<Vec<u8>, Misfit> {
        let misfit = |expected, found| Misfit { expected, found };
        if pieces.len() != self.members.len() {
            return Err(misfit(self.members.len(), pieces.len()));
        }
        let mut bytes = vec![0; self.size];
        for (&(at, size), piece) in self.members.iter().zip(pieces) {
            if piece.len() != size {
                return Err(misfit(size, piece.len()));
            }
            bytes[at..at + size].copy_from_slice(piece);
        }
        Ok(bytes)
    }

    /// The members of a buffer that was received.
    pub fn unpack<'a>(&self, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Misfit> {
        if bytes.len() < self.end {
            return Err(Misfit {
                expected: self.end,
                found: bytes.len(),
            });
        }
        Ok(self
            .members
            .iter()
            .map(|&(at, size)| &bytes[at..at + size])
            .collect())
    }
}

impl Method {
    /// The shared input buffer, absent when no argument lives in it.
    pub fn shared_in(&self) -> Option<Shared> {
        self.shared(|arg| match arg {
            Arg::In { size, align } => Some((size, align)),
            Arg::InBytes | Arg::OutBytes => Some((4, 4)),
            Arg::Out { .. } => None,
        })
    }

    /// The shared output buffer, absent when no argument lives in it.
    pub fn shared_out(&self) -> Option<Shared> {
        self.shared(|arg| match arg {
            Arg::Out { size, align } => Some((size, align)),
            _ => None,
        })
    }

    fn shared(&self, pick: impl Fn(Arg) -> Option<(usize, usize)>) -> Option<Shared> {
        let mut shared = Shared::default();
        for (size, align) in self.args.iter().copied().filter_map(pick) {
            shared.push(size, align);
        }
        (!shared.members.is_empty()).then_some(shared)
    }

    /// The scalars word of a call.
    pub fn scalars(&self) -> Result<Scalars, TooMany> {
        let count = |kind: Arg| self.args.iter().filter(|&&arg| arg == kind).count();
        let inputs = count(Arg::InBytes) + usize::from(self.shared_in().is_some());
        let outputs = count(Arg::OutBytes) + usize::from(self.shared_out().is_some());
        Scalars::buffers(self.number, inputs, outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const U16: Arg = Arg::In { size: 2, align: 2 };
    const U32: Arg = Arg::In { size: 4, align: 4 };
    const U64: Arg = Arg::In { size: 8, align: 8 };
    const BYTE: Arg = Arg::In { size: 1, align: 1 };

    fn shared_in(args: &'static [Arg]) -> Shared {
        Method { number: 2, args }
            .shared_in()
            .expect("it has members")
    }

    #[test]
    fn sizes_that_the_vendors_stubs_send_and_skels_demand() {
        let sent = |args| shared_in(args).size;
        let demanded = |args| shared_in(args).end;
        assert_eq!(sent(&[U64, U32]), 16);
        assert_eq!(sent(&[U32, U32, U32, U64]), 24);
        assert_eq!(shared_in(&[U32, U32, U32, U64]).members[3].0, 16);
        assert_eq!(demanded(&[U32, U16]), 6);
        assert_eq!(demanded(&[BYTE]), 1);
        assert_eq!(
            demanded(&[
                Arg::In {
                    size: 260,
                    align: 4
                },
                U32
            ]),
            264
        );
    }

    #[test]
    fn the_calculator_of_the_vendor() {
        let sum = Method {
            number: 2,
            args: &[Arg::InBytes, Arg::Out { size: 8, align: 8 }],
        };
        assert_eq!(sum.scalars().map(Scalars::word), Ok(0x0202_0100));
        assert_eq!(sum.shared_in().map(|s| s.size), Some(4));
        assert_eq!(sum.shared_out().map(|s| s.size), Some(8));
        let nothing = Method {
            number: 2,
            args: &[],
        };
        assert_eq!(nothing.scalars().map(Scalars::word), Ok(0x0200_0000));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let shared = shared_in(&[U64, U16]);
        assert!(shared.pack(&[&[0; 8]]).is_err());
        assert!(shared.pack(&[&[0; 8], &[0; 3]]).is_err());
        assert!(shared.unpack(&[0; 9]).is_err());
        assert!(shared.unpack(&[0; 10]).is_ok());
    }

    fn member() -> impl Strategy<Value = (usize, usize, usize)> {
        (0u32..4, 1usize..6, any::<u8>()).prop_map(|(log, times, seed)| {
            let align = 1 << log;
            (align * times, align, seed.into())
        })
    }

    proptest! {
        #[test]
        fn members_are_aligned_apart_and_come_back(
            members in proptest::collection::vec(member(), 1..12),
        ) {
            let mut shared = Shared::default();
            for &(size, align, _) in &members {
                shared.push(size, align);
            }
            let pieces: Vec<Vec<u8>> =
                members.iter().map(|&(size, _, seed)| vec![seed as u8; size]).collect();
            let borrowed: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            let bytes = shared.pack(&borrowed).unwrap();
            prop_assert_eq!(bytes.len(), shared.size);
            prop_assert!(shared.size - shared.end < 8);
            prop_assert_eq!(shared.unpack(&bytes).unwrap(), borrowed.clone());
            prop_assert_eq!(shared.unpack(&bytes[..shared.end]).unwrap(), borrowed);
            let mut end = 0;
            for (&(at, size), &(_, align, _)) in shared.members.iter().zip(&members) {
                prop_assert_eq!(at % align, 0);
                prop_assert!(at >= end && at - end < align);
                end = at + size;
            }
        }
    }
}
