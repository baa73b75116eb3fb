//! Lists of names on the command line: whatever the text, names or an error; names in quotes are read as they stand.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "the module of the command line, which is no library")]
#[path = "../../crates/prequential-cli/src/names.rs"]
mod names;

use names::Names;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Names::parse_tiers(text);
    let Ok(Names(list)) = Names::parse(text) else { return };
    let quoted: Vec<String> = list.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    assert_eq!(Names::parse(&quoted.join(",")), Ok(Names(list)));
});
