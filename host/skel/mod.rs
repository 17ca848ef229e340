//! Skels as files: checked before anything is sent, signed where the platform demands it.

pub mod catalog;
pub mod check;
pub mod elf;
mod instructions;
pub mod known;
mod linkage;
pub mod sign;
pub mod signature;
