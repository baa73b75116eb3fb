//! Local scores of other solvers: whatever the text, an error, or code lengths that are written and read again as they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::scores::LocalScores;
use prequential_fuzz::checked;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(scores) = checked(LocalScores::from_jkl(text, "scores.jkl")) else { return };
    // Names that the format cannot hold are refused.
    let Some(written) = checked(scores.to_jkl()) else { return };
    let again = checked(LocalScores::from_jkl(&written, "again.jkl"));
    assert_eq!(again.as_ref(), Some(&scores), "what is written is read again");
});
