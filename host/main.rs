//! The `hmx` command.
fn main() {}
