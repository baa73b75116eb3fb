//! Reads Arrow IPC files and streams, also known as Feather.

use std::io::Cursor;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, RecordBatch, downcast_integer_array};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, SchemaRef, TimeUnit};

use super::arrow_damage::{FILE_START, check_blocks, check_messages};
use super::decimals::{decimal, scaled};
use super::decode::{Decoded, decode};
use super::input::Input;
use crate::base::error::{Error, Result};
use crate::table::columns::numbers::from_single;
use crate::table::columns::{Contents, Found, Header, InputTable, Keep, dates};
use crate::table::wording::Places;

/// Reads the whole file.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<InputTable> {
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

/// Reads batches in memory; columns that are not kept are skipped.
pub(crate) fn from_batches(
    schema: SchemaRef,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    keep: &Keep,
) -> Result<InputTable> {
    read_batches(schema, batches, "", keep).unwrap_or_else(|error| {
        Err(Error::Format {
            path: "the table".to_string(),
            line: None,
            problem: format!("its columns cannot be converted to Arrow arrays: {error}").into(),
            hint: "write the table to a file and read that".into(),
        })
    })
}

fn read_batches(
    schema: SchemaRef,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    path: &str,
    keep: &Keep,
) -> Decoded<ArrowError> {
    let (places, mut problems) = (Places::of_file(path), Vec::new());
    let names = schema.fields().iter().map(|field| field.name());
    let header = match Header::new(names, keep, &places, &mut problems) {
        Ok(header) => header,
        Err(error) => return Ok(Err(error)),
    };
    let types = schema.fields().iter().map(|field| field.data_type());
    let mut found: Vec<Found> =
        types.zip(&header.kept).map(|(data_type, &kept)| start(data_type, kept)).collect();
    let mut n_rows = 0;
    for batch in batches {
        let batch = batch?;
        n_rows += batch.num_rows();
        for (found, array) in found.iter_mut().zip(batch.columns()) {
            if let Found::Contents(all) = found {
                all.append(contents(array.as_ref()));
            }
        }
    }
    Ok(InputTable::new(header, found, n_rows, places, problems))
}

/// A column before its first batch.
fn start(data_type: &DataType, kept: bool) -> Found {
    match kept {
        false => Found::LeftOut,
        true if !is_readable(data_type) => Found::Unreadable(data_type.to_string()),
        true => Found::Contents(contents(&arrow_array::new_empty_array(data_type))),
    }
}

/// Whether the type holds numbers, dates, texts or truth values.
fn is_readable(data_type: &DataType) -> bool {
    use DataType::*;
    match data_type {
        // Only missing cells, as many as the file declares: a billion of them take no space in it.
        Null => false,
        Boolean | Utf8 | LargeUtf8 | Utf8View | Date32 | Date64 | Timestamp(_, _) => true,
        Dictionary(_, values) => is_readable(values),
        other => other.is_integer() || other.is_floating() || other.is_decimal(),
    }
}

/// All cells of `array`, whose type is readable.
fn contents(array: &dyn Array) -> Contents {
    use DataType as T;
    downcast_integer_array!(
        array => Contents::integers(array.iter().map(|cell| cell.map(i128::from))),
        T::Boolean => Contents::Booleans(array.as_boolean().iter().collect()),
        T::Utf8 => Contents::Texts(array.as_string::<i32>().iter().collect()),
        T::LargeUtf8 => Contents::Texts(array.as_string::<i64>().iter().collect()),
        T::Utf8View => Contents::Texts(array.as_string_view().iter().collect()),
        T::Float16 => numbers::<Float16Type>(array, |number| from_single(number.to_f32())),
        T::Float32 => numbers::<Float32Type>(array, from_single),
        T::Float64 => numbers::<Float64Type>(array, |number| number),
        T::Decimal32(_, scale) => decimals::<Decimal32Type>(array, *scale),
        T::Decimal64(_, scale) => decimals::<Decimal64Type>(array, *scale),
        T::Decimal128(_, scale) => decimals::<Decimal128Type>(array, *scale),
        T::Decimal256(_, scale) => numbers::<Decimal256Type>(array, |number| scaled(number, (*scale).into())),
        T::Date32 => days::<Date32Type>(array, f64::from),
        T::Date64 => days::<Date64Type>(array, |count| dates::from_units(count, dates::MILLISECONDS_PER_DAY)),
        T::Timestamp(unit, _) => timestamps(array, unit),
        T::Dictionary(_, _) => dictionary(array),
        other => unreachable!("a column of type {other} was let in"),
    )
}

fn numbers<T: ArrowPrimitiveType>(array: &dyn Array, number: impl Fn(T::Native) -> f64) -> Contents {
    Contents::Numbers(floats(array.as_primitive::<T>(), number))
}

fn days<T: ArrowPrimitiveType>(array: &dyn Array, days: impl Fn(T::Native) -> f64) -> Contents {
    Contents::Dates(floats(array.as_primitive::<T>(), days))
}

fn floats<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, float: impl Fn(T::Native) -> f64) -> Vec<f64> {
    array.iter().map(|cell| cell.map_or(f64::NAN, &float)).collect()
}

/// Decimals without a fraction are whole numbers, and may have more digits than a float holds.
fn decimals<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array, scale: i8) -> Contents {
    match scale {
        0 => Contents::integers(array.as_primitive::<T>().iter().map(|cell| cell.map(Into::into))),
        _ => numbers::<T>(array, |number| decimal(number.into(), scale.into())),
    }
}

/// Points in time; their zone tells how to display them, not when they are.
fn timestamps(array: &dyn Array, unit: &TimeUnit) -> Contents {
    match unit {
        TimeUnit::Second => units::<TimestampSecondType>(array, dates::SECONDS_PER_DAY),
        TimeUnit::Millisecond => units::<TimestampMillisecondType>(array, dates::MILLISECONDS_PER_DAY),
        TimeUnit::Microsecond => units::<TimestampMicrosecondType>(array, dates::MICROSECONDS_PER_DAY),
        TimeUnit::Nanosecond => units::<TimestampNanosecondType>(array, dates::NANOSECONDS_PER_DAY),
    }
}

fn units<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array, units_per_day: i64) -> Contents {
    days::<T>(array, |count| dates::from_units(count, units_per_day))
}

/// The cells of an array that refers to its distinct values by number.
fn dictionary(array: &dyn Array) -> Contents {
    let dictionary = array.as_any_dictionary();
    let values = contents(dictionary.values().as_ref());
    let keys = if values.len() == 0 { vec![0; array.len()] } else { dictionary.normalized_keys() };
    let is_there = |row: usize| values.len() > 0 && !array.is_null(row);
    values.take(keys.into_iter().enumerate().map(|(row, key)| is_there(row).then_some(key)))
}
