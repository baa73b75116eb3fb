//! Parquet files: whatever the bytes, a table or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::ReadOptions;
use prequential_fuzz::{check_table, let_panics_be_caught};

fuzz_target!(init: let_panics_be_caught(), |bytes: &[u8]| {
    check_table("t.parquet", bytes, &ReadOptions::default());
});
