//! Building and reading HMX code without the vendor's SDK: ELF files to listings
//! (`hmx disasm`), assembly text to words (`hmx asm`), and a compiler wrapper that turns
//! the HMX mnemonics of inline assembly into words (`hmx cc`).

pub mod driver;
mod dynamic;
pub mod elf;
mod extent;
pub mod jobs;
pub mod listing;
pub mod llvm;
mod packet_view;
pub mod packets;
pub mod rewrite;
pub mod source;
pub mod summary;
mod tokens;
mod tools;
