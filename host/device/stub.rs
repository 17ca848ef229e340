//! The host's side of `hmxwb.idl`: packs questions, believes only answers that vouch for
//! themselves.

use crate::fastrpc::{Buffer, Failure, Session};
use bytemuck::{bytes_of, pod_read_unaligned};
use hmx_abi::call::{Answer, Facts, INFO, NoAnswer, PROBE, Question, status_text};
use hmx_abi::wire::{Method, Misfit};

/// Fill of output buffers before a call: what the DSP did not write is seen.
const SENTINEL: u8 = 0xc6;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoResult {
    /// the call failed
    #[error(transparent)]
    Call(#[from] Failure),
    /// the answer is none
    #[error(transparent)]
    Answer(#[from] NoAnswer),
    /// a structure of another size
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// the skel answered that it could not do it
    #[error("{}", refusal(.0))]
    Status(Answer),
}

fn refusal(answer: &Answer) -> String {
    let text = status_text(answer.status);
    match answer.detail {
        0 => format!("the skel could not do it: {text}"),
        code => format!(
            "the skel could not do it: {text} (the DSP's service said {})",
            crate::fastrpc::failure::in_short(code)
        ),
    }
}

/// A session and the number of its next call.
pub struct Stub {
    session: Session,
    sequence: u32,
}

impl Stub {
    /// Takes over a session.
    pub fn new(session: Session, sequence: u32) -> Stub {
        Stub { session, sequence }
    }

    /// Gives the session back.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Who is the skel?
    pub fn info(&mut self) -> Result<Facts, NoResult> {
        let (answer, rest) = self.ask(&INFO, &[], &[], &mut [])?;
        answer.vouches_for(&rest)?;
        Ok(pod_read_unaligned(&rest))
    }

    /// Runs a program on an image; gives back the image and the answer.
    pub fn probe(
        &mut self,
        usr: u32,
        program: &[u8],
        image: &[u8],
    ) -> Result<(Vec<u8>, Answer), NoResult> {
        let library = self.session.library();
        let program = Buffer::holding(library, program)?;
        let image = Buffer::holding(library, image)?;
        let mut after = Buffer::new(library, image.len(), SENTINEL)?;
        let lengths =
            [program.len(), image.len(), after.len()].map(|len| (len as u32).to_le_bytes());
        let pieces = [
            &usr.to_le_bytes()[..],
            &lengths[0],
            &lengths[1],
            &lengths[2],
        ];
        let (answer, _) = self.ask(&PROBE, &pieces, &[&program, &image], &mut [&mut after])?;
        answer.vouches_for(&after)?;
        Ok((after.to_vec(), answer))
    }

    /// One call. Gives back the answer, which is one to this question with status 0, and the
    /// bytes of the shared output buffer after it.
    fn ask(
        &mut self,
        method: &Method,
        pieces: &[&[u8]],
        sequences: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(Answer, Vec<u8>), NoResult> {
        self.sequence = self.sequence.wrapping_add(1);
        let question = Question::new(method, self.sequence);
        let mut all = vec![bytes_of(&question)];
        all.extend_from_slice(pieces);
        let shared = method.shared_in().unwrap_or_default().pack(&all)?;
        let layout = method.shared_out().unwrap_or_default();
        // Zero, not the sentinel: zeros can be no answer.
        let mut told = vec![0; layout.size];
        let mut inputs = vec![&shared[..]];
        inputs.extend_from_slice(sequences);
        let mut every: Vec<&mut [u8]> = vec![&mut told];
        every.extend(outputs.iter_mut().map(|bytes| &mut **bytes));
        let scalars = method.scalars().map_err(|_| Misfit {
            expected: 255,
            found: inputs.len(),
        })?;
        self.session.invoke(scalars, &inputs, &mut every)?;
        let members = layout.unpack(&told)?;
        let answer: Answer = members
            .first()
            .map_or(Answer::default(), |bytes| pod_read_unaligned(bytes));
        answer.answers(&question)?;
        if answer.status != 0 {
            return Err(NoResult::Status(answer));
        }
        Ok((answer, members[1..].concat()))
    }
}
