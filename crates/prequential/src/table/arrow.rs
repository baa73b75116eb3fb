//! Reads Arrow IPC files and streams, also known as Feather.

use std::io::Cursor;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, downcast_integer_array};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::{Block, Footer, Message, RecordBatch as ArrowBatch, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, DataType, SchemaRef};

use super::decode::{Decoded, decode};
use super::input::Input;
use super::raw::{Keep, RawColumn, RawTable};
use crate::base::error::Result;

/// A file is a stream of messages after these bytes, and a footer.
const FILE_START: &[u8] = b"ARROW1";

/// What unpacks to more than this many bytes must have been so many times smaller, or it is damaged.
const MAX_UNPACKED: i64 = 1 << 28;
const MAX_RATIO: i64 = 1000;

/// Reads the whole file.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<RawTable> {
    let bytes = input.read_all()?;
    decode(&input.path, "Arrow", || {
        if bytes.starts_with(FILE_START) {
            check_blocks(&bytes)?;
            let reader = FileReader::try_new(Cursor::new(&bytes), None)?;
            read_batches(reader.schema(), reader, &input.path, keep)
        } else {
            check_messages(&bytes)?;
            let reader = StreamReader::try_new(bytes.as_slice(), None)?;
            read_batches(reader.schema(), reader, &input.path, keep)
        }
    })
}

/// Fails if the footer of a file tells of messages that the file does not hold; the decoder would make room for them.
fn check_blocks(bytes: &[u8]) -> std::result::Result<(), ArrowError> {
    // Without a footer the decoder says what is wrong.
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
fn check_messages(mut bytes: &[u8]) -> std::result::Result<(), ArrowError> {
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

/// The first message, and what follows its description; nothing at the end, or where the bytes make no sense.
fn next_message(bytes: &[u8]) -> Option<(Message<'_>, &[u8])> {
    // Old files do without the mark.
    let bytes = bytes.strip_prefix(&[0xff; 4]).unwrap_or(bytes);
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok().filter(|&length| length > 0)?;
    let (described, rest) = bytes.split_at_checked(length)?;
    Some((root_as_message(described).ok()?, rest))
}

fn read_batches(
    schema: SchemaRef,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    path: &str,
    keep: &Keep,
) -> Decoded<ArrowError> {
    let header = schema.fields().iter().map(|field| field.name().trim_ascii().to_string()).collect();
    let mut problems = Vec::new();
    let mut table = match RawTable::new(path, header, keep, &mut problems) {
        Ok(table) => table,
        Err(error) => return Ok(Err(error)),
    };
    for (column, field) in table.columns.iter_mut().zip(schema.fields()) {
        column.refused = (!is_readable(field.data_type())).then(|| field.data_type().to_string());
    }
    for batch in batches {
        let batch = batch?;
        table.n_rows += batch.num_rows();
        let columns = table.columns.iter_mut().zip(batch.columns());
        for (column, array) in columns.filter(|(column, _)| column.kept && column.refused.is_none()) {
            push(column, array.as_ref());
        }
    }
    Ok(table.finish(problems))
}

/// Whether the type holds numbers, texts or truth values.
fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        // Nothing but missing cells, as many as the file says: a billion of them take no space in it.
        DataType::Null => false,
        DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_readable(values),
        other => {
            other.is_integer() || matches!(other, DataType::Float16 | DataType::Float32 | DataType::Float64)
        }
    }
}

/// Appends all cells of `array`, whose type is readable.
fn push(column: &mut RawColumn, array: &dyn Array) {
    downcast_integer_array!(
        array => push_each(column, array.iter(), |column, value| column.push(&value.to_string())),
        DataType::Boolean => push_each(column, array.as_boolean().iter(), |column, value| {
            column.push(if value { "true" } else { "false" })
        }),
        DataType::Utf8 => push_each(column, array.as_string::<i32>().iter(), RawColumn::push),
        DataType::LargeUtf8 => push_each(column, array.as_string::<i64>().iter(), RawColumn::push),
        DataType::Utf8View => push_each(column, array.as_string_view().iter(), RawColumn::push),
        DataType::Float16 => {
            let numbers = array.as_primitive::<arrow_array::types::Float16Type>();
            push_each(column, numbers.iter(), |column, value| column.push_number(value.to_f32()))
        }
        DataType::Float32 => {
            push_each(column, array.as_primitive::<arrow_array::types::Float32Type>().iter(), RawColumn::push_number)
        }
        DataType::Float64 => {
            push_each(column, array.as_primitive::<arrow_array::types::Float64Type>().iter(), RawColumn::push_number)
        }
        DataType::Dictionary(_, _) => push_dictionary(column, array),
        other => unreachable!("a column of type {other} was let in"),
    )
}

fn push_each<T>(
    column: &mut RawColumn,
    cells: impl Iterator<Item = Option<T>>,
    push: impl Fn(&mut RawColumn, T),
) {
    for cell in cells {
        match cell {
            Some(value) => push(column, value),
            None => column.push(""),
        }
    }
}

/// Appends the cells of an array that refers to its distinct values by number.
fn push_dictionary(column: &mut RawColumn, array: &dyn Array) {
    let dictionary = array.as_any_dictionary();
    let mut values = RawColumn::default();
    push(&mut values, dictionary.values().as_ref());
    let keys = if values.codes.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
    for (row, key) in keys.into_iter().enumerate() {
        if array.is_null(row) || values.codes.is_empty() {
            column.push("");
        } else {
            column.push(values.texts.text(values.codes[key]));
        }
    }
}
