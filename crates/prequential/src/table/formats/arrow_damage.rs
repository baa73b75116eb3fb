//! Checks for damage to Arrow files that their decoder would not notice: sizes beyond the file.

use arrow_ipc::{Block, Footer, Message, RecordBatch as ArrowBatch, root_as_footer, root_as_message};
use arrow_schema::ArrowError;

/// A file is a stream of messages after these bytes, and a footer.
pub(super) const FILE_START: &[u8] = b"ARROW1";

/// A buffer that decompresses to more than this many bytes is damaged if its ratio exceeds [`MAX_RATIO`].
const MAX_UNPACKED: i64 = 1 << 28;
const MAX_RATIO: i64 = 1000;

/// Fails if the footer of a file lists messages that the file does not contain; the decoder would allocate
/// memory for them.
pub(super) fn check_blocks(bytes: &[u8]) -> std::result::Result<(), ArrowError> {
    // Without a footer the decoder reports what is wrong.
    let Some(footer) = footer(bytes) else { return Ok(()) };
    let dictionaries = footer.dictionaries().into_iter().flat_map(|blocks| blocks.iter());
    let batches = footer.recordBatches().into_iter().flat_map(|blocks| blocks.iter());
    dictionaries.chain(batches).try_for_each(|block| {
        let range = block_range(block).and_then(|range| bytes.get(range));
        check_messages(range.ok_or_else(|| damaged("A block reaches beyond the file"))?)
    })
}

fn footer(bytes: &[u8]) -> Option<Footer<'_>> {
    let (rest, length) = bytes.strip_suffix(FILE_START)?.split_last_chunk()?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok()?;
    root_as_footer(&rest[rest.len().checked_sub(length)?..]).ok()
}

fn block_range(block: &Block) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(block.offset()).ok()?;
    let described = usize::try_from(block.metaDataLength()).ok()?;
    let body = usize::try_from(block.bodyLength()).ok()?;
    Some(start..start.checked_add(described)?.checked_add(body)?)
}

/// Fails if a buffer of a batch reaches beyond its message; the decoder would panic. It finds most other damage itself.
pub(super) fn check_messages(mut bytes: &[u8]) -> std::result::Result<(), ArrowError> {
    while let Some((message, rest)) = next_message(bytes) {
        let body_length = usize::try_from(message.bodyLength()).unwrap_or(usize::MAX);
        let body = rest.get(..body_length).ok_or_else(|| damaged("A message reaches beyond the file"))?;
        let of_dictionary = || message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
        if let Some(batch) = message.header_as_record_batch().or_else(of_dictionary) {
            check_batch(&batch, body)?;
        }
        bytes = &rest[body_length..];
    }
    Ok(())
}

fn check_batch(batch: &ArrowBatch<'_>, body: &[u8]) -> std::result::Result<(), ArrowError> {
    for buffer in batch.buffers().into_iter().flat_map(|buffers| buffers.iter()) {
        let start = usize::try_from(buffer.offset()).ok();
        let end =
            start.zip(usize::try_from(buffer.length()).ok()).and_then(|(start, n)| start.checked_add(n));
        let bytes = start.zip(end).and_then(|(start, end)| body.get(start..end));
        let bytes = bytes.ok_or_else(|| damaged("A buffer reaches beyond its message"))?;
        let unpacked = bytes.first_chunk().map_or(0, |length| i64::from_le_bytes(*length));
        let believable = unpacked <= MAX_UNPACKED.max(MAX_RATIO.saturating_mul(buffer.length()));
        if batch.compression().is_some() && !believable {
            return Err(damaged("A buffer is too small for what it should unpack to"));
        }
    }
    Ok(())
}

fn damaged(what: &str) -> ArrowError {
    ArrowError::ParseError(what.into())
}

/// The first message, and what follows its description; nothing at the end, or if the bytes are not a
/// message.
fn next_message(bytes: &[u8]) -> Option<(Message<'_>, &[u8])> {
    // Old files lack the mark.
    let bytes = bytes.strip_prefix(&[0xff; 4]).unwrap_or(bytes);
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok().filter(|&length| length > 0)?;
    let (described, rest) = bytes.split_at_checked(length)?;
    Some((root_as_message(described).ok()?, rest))
}
