//! Graphs in CSV: whatever the text, an error, or a graph that stays the same when it is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::GraphFormat;
use prequential_fuzz::round_trip;

fuzz_target!(|bytes: &[u8]| round_trip(bytes, GraphFormat::Csv));
