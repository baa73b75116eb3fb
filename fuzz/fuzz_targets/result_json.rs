//! Results of earlier runs, hand-edited or of other programs: whatever the JSON, an error or a page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::ResultDocument;
use prequential_fuzz::checked;

fuzz_target!(|bytes: &[u8]| {
    let Ok(result) = std::str::from_utf8(bytes) else { return };
    let Some(document) = checked(ResultDocument::parse(result, "result.json")) else { return };
    let page = document.to_html();
    assert!(!page.contains("<script>alert"), "names stay text");
});
