//! The command `prequential`.

fn main() {}
