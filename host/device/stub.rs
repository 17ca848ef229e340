//! The host's side of `hmxwb.idl`: packs questions, believes only answers that vouch for
//! themselves.

use crate::fastrpc::{Buffer, Failure, Session};
use bytemuck::{bytes_of, pod_read_unaligned};
use hmx_abi::call::{Answer, Facts, INFO, NoAnswer, PROBE, Question, RUN, status_text};
use hmx_abi::scalars::Scalars;
use hmx_abi::wire::{Method, Misfit};
use std::ops::DerefMut;

/// Fill of output buffers before a call: what the DSP did not write is seen.
pub const SENTINEL: u8 = 0xc6;

/// A way to reach a skel: a FastRPC session, or a guest of the qemu target.
pub trait Channel {
    /// Why a call failed.
    type Error: std::error::Error;
    /// A buffer that a call can hand over.
    type Memory: DerefMut<Target = [u8]>;

    /// `len` bytes, all `fill`.
    fn buffer(&self, len: usize, fill: u8) -> Result<Self::Memory, Self::Error>;

    /// Calls a method: one input and output for each count of the scalars word.
    fn invoke(
        &mut self,
        scalars: Scalars,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), Self::Error>;
}

impl Channel for Session {
    type Error = Failure;
    type Memory = Buffer;

    fn buffer(&self, len: usize, fill: u8) -> Result<Buffer, Failure> {
        Buffer::new(self.library(), len, fill)
    }

    fn invoke(
        &mut self,
        scalars: Scalars,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), Failure> {
        Session::invoke(self, scalars, inputs, outputs)
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoResult<E: std::error::Error = Failure> {
    /// the call failed
    #[error("{0}")]
    Call(E),
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

/// A kernel's problem with its data.
#[derive(Debug, Clone, Copy)]
pub struct KernelCall<'a> {
    /// `struct hmxwb_problem`
    pub problem: &'a [u8],
    /// `struct hmxwb_plan`
    pub plan: &'a [u8],
    /// Activations.
    pub activations: &'a [u8],
    /// Packed weights.
    pub weights: &'a [u8],
    /// Bytes of scratch memory.
    pub scratch_len: usize,
    /// Bytes of the result.
    pub result_len: usize,
}

/// What a kernel gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computed {
    /// The result, vouched for.
    pub result: Vec<u8>,
    /// `struct hmxwb_counters`
    pub counters: Vec<u8>,
    /// Processor cycles; 0: not counted.
    pub cycles: u64,
}

/// A session and the number of its next call.
pub struct Stub<C: Channel = Session> {
    session: C,
    sequence: u32,
}

impl<C: Channel> Stub<C> {
    /// Takes over a session.
    pub fn new(session: C, sequence: u32) -> Stub<C> {
        Stub { session, sequence }
    }

    /// Gives the session back.
    pub fn into_session(self) -> C {
        self.session
    }

    /// The session.
    pub fn session(&mut self) -> &mut C {
        &mut self.session
    }

    fn buffer(&self, len: usize, fill: u8) -> Result<C::Memory, NoResult<C::Error>> {
        self.session.buffer(len, fill).map_err(NoResult::Call)
    }

    /// A buffer of the session with these bytes.
    fn holding(&self, bytes: &[u8]) -> Result<C::Memory, NoResult<C::Error>> {
        let mut buffer = self.buffer(bytes.len(), 0)?;
        buffer.copy_from_slice(bytes);
        Ok(buffer)
    }

    /// Who is the skel?
    pub fn info(&mut self) -> Result<Facts, NoResult<C::Error>> {
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
    ) -> Result<(Vec<u8>, Answer), NoResult<C::Error>> {
        let program = self.holding(program)?;
        let image = self.holding(image)?;
        let mut after = self.buffer(image.len(), SENTINEL)?;
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

    /// Runs a kernel.
    pub fn run(&mut self, kernel: &KernelCall<'_>) -> Result<Computed, NoResult<C::Error>> {
        let activations = self.holding(kernel.activations)?;
        let weights = self.holding(kernel.weights)?;
        let mut scratch = self.buffer(kernel.scratch_len, SENTINEL)?;
        let mut result = self.buffer(kernel.result_len, SENTINEL)?;
        let lengths = [&activations, &weights, &scratch, &result]
            .map(|buffer| (buffer.len() as u32).to_le_bytes());
        let mut pieces = vec![kernel.problem, kernel.plan];
        pieces.extend(lengths.iter().map(|length| &length[..]));
        let (answer, counters) = self.ask(
            &RUN,
            &pieces,
            &[&activations, &weights],
            &mut [&mut scratch, &mut result],
        )?;
        answer.vouches_for(&result)?;
        Ok(Computed {
            result: result.to_vec(),
            counters,
            cycles: answer.cycles,
        })
    }

    /// One call. Gives back the answer, which is one to this question with status 0, and the
    /// bytes of the shared output buffer after it.
    fn ask(
        &mut self,
        method: &Method,
        pieces: &[&[u8]],
        sequences: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(Answer, Vec<u8>), NoResult<C::Error>> {
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
        self.session
            .invoke(scalars, &inputs, &mut every)
            .map_err(NoResult::Call)?;
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
