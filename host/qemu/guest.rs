//! The guest process: start, messages, time limit, end.

pub use super::guest_error::GuestError;

use super::control::{Control, Kind, Message};
use super::masked::Masked;
use super::place::Place;
use super::shared::Shared;
use crate::tools;
use command_fds::{CommandFdExt, FdMapping};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running guest.
pub struct Guest {
    child: Child,
    requests: PipeWriter,
    answers: PipeReader,
    control: Shared,
    /// Shared VTCM; the guest sees it at [`super::control::VTCM`].
    pub vtcm: Shared,
    /// Shared buffers; the guest sees them at [`super::control::DDR`].
    pub ddr: Shared,
    base: u32,
    skel: Masked,
    limit: Duration,
}

impl Guest {
    /// Starts `runner` under qemu-hexagon and has it load `skel`.
    ///
    /// `vtcm` and `ddr` are bytes, multiples of 64 KiB. `limit` bounds every later request.
    pub fn start(
        runner: &Path,
        skel: &Path,
        entry: &str,
        vtcm: usize,
        ddr: usize,
        limit: Duration,
    ) -> Result<Guest, GuestError> {
        let qemu = tools::qemu()?;
        let skel = Masked::new(std::fs::read(skel)?);
        let mut image = Shared::new("hmx-skel", skel.file.len())?;
        image.bytes_mut().copy_from_slice(&skel.file);
        let mut control = Shared::new("hmx-control", Control::BYTES)?;
        Control::of(&mut control).describe(vtcm, ddr, skel.file.len(), entry);
        let (vtcm, ddr) = (Shared::new("hmx-vtcm", vtcm)?, Shared::new("hmx-ddr", ddr)?);
        let (request_read, request_write) = io::pipe()?;
        let (answer_read, answer_write) = io::pipe()?;
        let mut command = Command::new(qemu);
        command
            .args(["-cpu", "v73"])
            .arg(runner)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let fds: [OwnedFd; 6] = [
            request_read.into(),
            answer_write.into(),
            control.file().try_clone()?.into(),
            vtcm.file().try_clone()?.into(),
            ddr.file().try_clone()?.into(),
            image.file().try_clone()?.into(),
        ];
        let mappings = (3..).zip(fds).map(|(child_fd, parent_fd)| FdMapping {
            parent_fd,
            child_fd,
        });
        command
            .fd_mappings(mappings.collect())
            .map_err(|e| io::Error::other(e.to_string()))?;
        // SAFETY: the closure only makes one system call, which is allowed between fork and exec.
        unsafe {
            command.pre_exec(|| {
                // Nothing stays behind when this process is killed.
                rustix::process::set_parent_process_death_signal(Some(
                    rustix::process::Signal::KILL,
                ))?;
                Ok(())
            });
        }
        let child = command.spawn()?;
        drop(command); // closes this side's copies of the guest's descriptors
        let mut guest = Guest {
            child,
            requests: request_write,
            answers: answer_read,
            control,
            vtcm,
            ddr,
            base: 0,
            skel,
            limit,
        };
        let ready = guest.receive(Instant::now() + limit)?;
        match ready.kind() {
            Some(Kind::Ready) => guest.base = ready.value,
            _ => return Err(guest.failure(ready)),
        }
        Ok(guest)
    }

    /// The control page.
    pub fn control(&mut self) -> &mut Control {
        Control::of(&mut self.control)
    }

    /// The process number, for tests that kill it.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The skel as the guest got it.
    pub fn skel(&self) -> &[u8] {
        &self.skel.file
    }

    /// Guest address of the skel's address 0.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Puts the original words into `control.trap`.
    fn unmask(&mut self) {
        let trap = &mut Control::of(&mut self.control).trap;
        let first = trap.pc.wrapping_sub(self.base);
        let count = trap.count.min(4) as usize;
        for (word, i) in trap.word[..count].iter_mut().zip(0..) {
            *word = self.skel.original(first.wrapping_add(4 * i), *word);
        }
    }

    /// Control page and VTCM together, for a trap.
    fn trapped(&mut self) -> (&mut Control, &mut [u8]) {
        (Control::of(&mut self.control), self.vtcm.bytes_mut())
    }

    /// Sends a request and answers traps with `packet` until the guest is done; what the
    /// called function returned.
    pub fn request(
        &mut self,
        kind: Kind,
        mut packet: impl FnMut(&mut Control, &mut [u8]) -> Result<u32, String>,
    ) -> Result<u32, GuestError> {
        let deadline = Instant::now() + self.limit;
        self.send(Message::new(kind, 0))?;
        loop {
            let message = self.receive(deadline)?;
            match message.kind() {
                Some(Kind::Done) => return Ok(message.value),
                Some(Kind::Trap) => {
                    self.unmask();
                    let (control, vtcm) = self.trapped();
                    match packet(control, vtcm) {
                        Ok(resume) => self.send(Message::new(Kind::Resume, resume))?,
                        Err(why) => {
                            let place = Box::new(self.place());
                            self.stop();
                            return Err(GuestError::Packet { why, place });
                        }
                    }
                }
                _ => return Err(self.failure(message)),
            }
        }
    }

    /// The error behind a message that is no answer.
    fn failure(&mut self, message: Message) -> GuestError {
        let text = self.control().text();
        let place = Box::new(self.place());
        match message.kind() {
            Some(Kind::BadSkel) => GuestError::BadSkel(text),
            Some(Kind::NoSymbol) if message.value == 1 => GuestError::Import(text),
            Some(Kind::NoSymbol) => GuestError::Export(text),
            Some(Kind::Died) => {
                let what = match message.value {
                    5 => "a trap".to_owned(),
                    6 => text,
                    7 => "a misaligned or unmapped access".to_owned(),
                    8 => "an arithmetic fault".to_owned(),
                    11 => format!(
                        "an access to unmapped memory ({:#x})",
                        self.control().trap.r[0]
                    ),
                    n => format!("signal {n}"),
                };
                self.stop();
                GuestError::Died { what, place }
            }
            _ => {
                self.stop();
                GuestError::Gone(format!("unexpected message {}", message.kind))
            }
        }
    }

    /// The place in `control.trap`, with symbol and disassembly.
    fn place(&mut self) -> Place {
        let base = self.base;
        let trap = &Control::of(&mut self.control).trap;
        Place::find(
            &self.skel.file,
            base,
            trap.pc,
            &trap.word[..trap.count.min(4) as usize],
        )
    }

    fn send(&mut self, message: Message) -> Result<(), GuestError> {
        if self.requests.write_all(&message.bytes()).is_err() {
            return Err(self.gone());
        }
        Ok(())
    }

    fn receive(&mut self, deadline: Instant) -> Result<Message, GuestError> {
        if !self.readable(deadline.saturating_duration_since(Instant::now()))? {
            return Err(self.hang());
        }
        let mut bytes = [0; Message::BYTES];
        if self.answers.read_exact(&mut bytes).is_err() {
            return Err(self.gone());
        }
        Ok(Message::from_bytes(bytes))
    }

    fn readable(&self, within: Duration) -> io::Result<bool> {
        let end = Instant::now() + within;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let timeout = Timespec {
                tv_sec: left.as_secs() as _,
                tv_nsec: left.subsec_nanos() as _,
            };
            let mut fds = [PollFd::new(&self.answers, PollFlags::IN)];
            match poll(&mut fds, Some(&timeout)) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(e) => return Err(e.into()),
                Ok(n) => return Ok(n > 0),
            }
        }
    }

    /// Asks a guest that does not answer where it is, and stops it.
    fn hang(&mut self) -> GuestError {
        let asked = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(asked, rustix::process::Signal::ALARM);
        if matches!(self.readable(Duration::from_secs(1)), Ok(true)) {
            let mut bytes = [0; Message::BYTES];
            let _ = self.answers.read_exact(&mut bytes);
        }
        let place = Box::new(self.place());
        self.stop();
        GuestError::Hang {
            limit: self.limit,
            place,
        }
    }

    /// The pipe is closed: the process is ending by itself.
    fn gone(&mut self) -> GuestError {
        let soon = Instant::now() + Duration::from_secs(1);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < soon {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.stop();
        GuestError::Gone(match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(e) => e.to_string(),
        })
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.stop();
        let _ = self.child.wait();
    }
}
