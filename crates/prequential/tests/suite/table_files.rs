//! Bytes of files in every format.
#![allow(dead_code, reason = "every test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::io::Write;
#[cfg(feature = "arrow")]
use {
    arrow_array::RecordBatch,
    arrow_ipc::writer::{FileWriter, StreamWriter},
};

/// Packed.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// As an Arrow file.
#[cfg(feature = "arrow")]
pub(crate) fn arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    // Two batches, to see that codes go on from one to the next.
    let half = batch.num_rows() / 2;
    writer.write(&batch.slice(0, half)).unwrap();
    writer.write(&batch.slice(half, batch.num_rows() - half)).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

/// As an Arrow stream.
#[cfg(feature = "arrow")]
pub(crate) fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}
