//! Knowledge files: whatever the text, an error, or knowledge that can be applied to variables or contradicts itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::{Constraints, Knowledge};
use prequential_fuzz::checked;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(knowledge) = checked(Knowledge::from_toml(text, "rules.toml")) else { return };
    let names = ["a", "b", "c", "d", "e"].map(String::from);
    let Some(constraints) = checked(Constraints::new(&knowledge, &names, None)) else { return };
    assert!(constraints.families().next().is_some(), "some graph obeys knowledge without contradictions");
});
