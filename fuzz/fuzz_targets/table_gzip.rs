//! Packed text tables: the bytes as a gzip file, and packed and then damaged in one byte.
#![no_main]

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;
use prequential::ReadOptions;
use prequential_fuzz::check_table;

const MAGIC: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::default();
    check_table("t.csv.gz", &[MAGIC, bytes].concat(), &options);
    let Some((place, text)) = bytes.split_first_chunk::<2>() else { return };
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text).expect("memory takes every byte");
    let mut packed = packer.finish().expect("memory takes every byte");
    check_table("t.csv.gz", &packed, &options);
    let place = usize::from(u16::from_le_bytes(*place)) % packed.len();
    packed[place] ^= 1 << (text.len() % 8);
    check_table("t.csv.gz", &packed, &options);
    check_table("t.csv.gz", &packed[..place], &options);
});
