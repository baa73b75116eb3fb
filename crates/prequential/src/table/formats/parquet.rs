//! Reads Parquet files, column by column.

use ::parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{DataType, Int96};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use ::parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use ::parquet::schema::types::Type;
use arrow_array::ArrowPrimitiveType;
use arrow_array::types::Float16Type;
use bytes::Bytes;

use super::decimals::decimal;
use super::decode::{Decoded, decode};
use super::input::Input;
use crate::base::error::Result;
use crate::table::columns::numbers::from_single;
use crate::table::columns::{Contents, Found, Header, InputTable, Keep, Texts, dates};
use crate::table::wording::Places;

/// How many rows are read at once, so that a damaged count allocates no more memory than they need.
const MAX_ROWS_AT_ONCE: usize = 1 << 16;

/// The number of 1970-01-01 among the days that old files count.
const JULIAN_DAY_OF_1970: i64 = 2_440_588;

/// The number of digits that 128 bits hold.
const MAX_DIGITS: i32 = 38;

/// Reads the whole file.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<InputTable> {
    let bytes = Bytes::from(input.read_all()?);
    decode(&input.path, "Parquet", || read_file(bytes, &input.path, keep))
}

fn read_file(bytes: Bytes, path: &str, keep: &Keep) -> Decoded<ParquetError> {
    let reader = SerializedFileReader::new(bytes)?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let (places, mut problems) = (Places::of_file(path), Vec::new());
    let header = match Header::new(fields.iter().map(|field| field.name()), keep, &places, &mut problems) {
        Ok(header) => header,
        Err(error) => return Ok(Err(error)),
    };
    reader.metadata().row_groups().iter().try_for_each(check_sizes)?;
    let n_rows = reader.metadata().row_groups().iter().map(|group| group.num_rows() as usize).sum();
    let leaves = first_leaves(&reader, fields.len());
    let found = (0..fields.len()).map(|position| match header.kept[position] {
        false => Ok(Found::LeftOut),
        true => match Meaning::of(&fields[position]) {
            Err(unreadable) => Ok(Found::Unreadable(unreadable)),
            Ok(meaning) => read_column(&reader, leaves[position], meaning).map(Found::Contents),
        },
    });
    let found = found.collect::<ParquetResult<Vec<Found>>>()?;
    Ok(InputTable::new(header, found, n_rows, places, problems))
}

/// For each column of the table, its number among those of the file, where a struct is several.
fn first_leaves(reader: &SerializedFileReader<Bytes>, n_columns: usize) -> Vec<usize> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let mut leaves = vec![0; n_columns];
    (0..schema.num_columns()).rev().for_each(|leaf| leaves[schema.get_column_root_idx(leaf)] = leaf);
    leaves
}

fn read_column(
    reader: &SerializedFileReader<Bytes>,
    leaf: usize,
    meaning: Meaning,
) -> ParquetResult<Contents> {
    let mut all: Option<Contents> = None;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        check_dictionary(group.as_ref(), leaf)?;
        let n_rows = group.metadata().num_rows() as usize;
        let more = contents(group.get_column_reader(leaf)?, meaning, n_rows)?;
        match &mut all {
            Some(all) => all.append(more),
            None => all = Some(more),
        }
    }
    Ok(all.unwrap_or(Contents::Texts(Texts::default())))
}

/// Every column without lists has a value, or a null, for each row; a damaged count would otherwise create
/// rows.
///
/// Nor may a column lie before the file or be of negative size, for the decoder would panic.
fn check_sizes(group: &RowGroupMetaData) -> ParquetResult<()> {
    let n_rows = group.num_rows();
    let mut flat = group.columns().iter().filter(|column| column.column_descr().max_rep_level() == 0);
    if n_rows < 0 || flat.any(|column| column.num_values() != n_rows) {
        return Err(ParquetError::General("columns of different lengths".into()));
    }
    let start = |column: &ColumnChunkMetaData| {
        column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset())
    };
    if group.columns().iter().any(|column| start(column) < 0 || column.compressed_size() < 0) {
        return Err(ParquetError::General("a column of negative size".into()));
    }
    Ok(())
}

/// A dictionary has at most as many values as bytes; a damaged count would otherwise allocate memory.
fn check_dictionary(group: &dyn RowGroupReader, leaf: usize) -> ParquetResult<()> {
    let mut pages = group.get_column_page_reader(leaf)?;
    while let Some(page) = pages.peek_next_page()? {
        if !page.is_dict {
            pages.skip_next_page()?;
            continue;
        }
        let page = pages.get_next_page()?;
        if page.is_some_and(|page| page.num_values() as usize > page.buffer().len()) {
            return Err(damaged("a dictionary of more values than bytes"));
        }
    }
    Ok(())
}

fn damaged(what: &str) -> ParquetError {
    ParquetError::General(what.into())
}

/// How stored values are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Themselves.
    Plain,
    /// Whole numbers without a sign.
    Unsigned,
    /// Floats of 16 bits.
    Half,
    /// Whole numbers to be divided by ten to the power of this.
    Decimal(i32),
    /// Days since 1970-01-01.
    Date,
    /// Points in time since 1970-01-01, in so many units per day.
    Timestamp(i64),
}

impl Meaning {
    /// The meaning of the values of a column, or its type if that holds neither numbers, dates, texts nor
    /// truth values.
    fn of(field: &Type) -> std::result::Result<Meaning, String> {
        let info = field.get_basic_info();
        if field.is_group() || (info.has_repetition() && info.repetition() == Repetition::REPEATED) {
            return Err("list or struct".into());
        }
        match info.logical_type_ref() {
            Some(logical) => Meaning::of_logical(logical),
            None => Meaning::of_converted(field, info.converted_type()),
        }
    }

    fn of_logical(logical: &LogicalType) -> std::result::Result<Meaning, String> {
        match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Ok(Meaning::Plain),
            LogicalType::Integer(integer) if integer.is_signed => Ok(Meaning::Plain),
            LogicalType::Integer(_) => Ok(Meaning::Unsigned),
            LogicalType::Float16 => Ok(Meaning::Half),
            LogicalType::Decimal(decimal) => Meaning::decimal(decimal.precision, decimal.scale),
            LogicalType::Date => Ok(Meaning::Date),
            LogicalType::Timestamp(timestamp) => Ok(Meaning::Timestamp(match timestamp.unit {
                TimeUnit::MILLIS => dates::MILLISECONDS_PER_DAY,
                TimeUnit::MICROS => dates::MICROSECONDS_PER_DAY,
                TimeUnit::NANOS => dates::NANOSECONDS_PER_DAY,
            })),
            other => Err(type_name(other)),
        }
    }

    /// The meaning of the values in older files.
    fn of_converted(field: &Type, converted: ConvertedType) -> std::result::Result<Meaning, String> {
        use ConvertedType as C;
        match converted {
            C::NONE if field.get_physical_type() == Physical::FIXED_LEN_BYTE_ARRAY => {
                Err(field.get_physical_type().to_string())
            }
            C::NONE | C::UTF8 | C::ENUM | C::JSON => Ok(Meaning::Plain),
            C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => Ok(Meaning::Plain),
            C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Ok(Meaning::Unsigned),
            C::DECIMAL => Meaning::decimal(field.get_precision(), field.get_scale()),
            C::DATE => Ok(Meaning::Date),
            C::TIMESTAMP_MILLIS => Ok(Meaning::Timestamp(dates::MILLISECONDS_PER_DAY)),
            C::TIMESTAMP_MICROS => Ok(Meaning::Timestamp(dates::MICROSECONDS_PER_DAY)),
            other => Err(other.to_string()),
        }
    }

    fn decimal(precision: i32, scale: i32) -> std::result::Result<Meaning, String> {
        match precision {
            ..=MAX_DIGITS => Ok(Meaning::Decimal(scale)),
            _ => Err(format!("Decimal of {precision} digits")),
        }
    }
}

/// The name of a type without its parameters: `Time`.
fn type_name(logical: &LogicalType) -> String {
    let described = format!("{logical:?}");
    described.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
}

/// The cells of a part of a column.
fn contents(reader: ColumnReader, meaning: Meaning, n_rows: usize) -> ParquetResult<Contents> {
    use ColumnReader as R;
    use Meaning as M;
    Ok(match (reader, meaning) {
        (R::BoolColumnReader(reader), _) => Contents::Booleans(cells(reader, n_rows)?.collect()),
        (R::Int32ColumnReader(reader), M::Date) => days(reader, n_rows, f64::from)?,
        (R::Int32ColumnReader(reader), M::Decimal(scale)) => decimals(cells(reader, n_rows)?, scale),
        (R::Int32ColumnReader(reader), M::Unsigned) => {
            integers(reader, n_rows, |value| (value as u32).into())?
        }
        (R::Int32ColumnReader(reader), _) => integers(reader, n_rows, i128::from)?,
        (R::Int64ColumnReader(reader), M::Timestamp(units_per_day)) => {
            days(reader, n_rows, |count| dates::from_units(count, units_per_day))?
        }
        (R::Int64ColumnReader(reader), M::Decimal(scale)) => decimals(cells(reader, n_rows)?, scale),
        (R::Int64ColumnReader(reader), M::Unsigned) => {
            integers(reader, n_rows, |value| (value as u64).into())?
        }
        (R::Int64ColumnReader(reader), _) => integers(reader, n_rows, i128::from)?,
        (R::Int96ColumnReader(reader), _) => days(reader, n_rows, old_timestamp)?,
        (R::FloatColumnReader(reader), _) => numbers(reader, n_rows, from_single)?,
        (R::DoubleColumnReader(reader), _) => numbers(reader, n_rows, |number| number)?,
        (R::ByteArrayColumnReader(reader), M::Decimal(scale)) => {
            decimals(whole_numbers(cells(reader, n_rows)?)?.into_iter(), scale)
        }
        (R::ByteArrayColumnReader(reader), _) => texts(reader, n_rows)?,
        (R::FixedLenByteArrayColumnReader(reader), M::Decimal(scale)) => {
            decimals(whole_numbers(cells(reader, n_rows)?)?.into_iter(), scale)
        }
        (R::FixedLenByteArrayColumnReader(reader), _) => numbers(reader, n_rows, |bytes| half(bytes.data()))?,
    })
}

/// The values of a part of a column, row by row, `None` where missing.
fn cells<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    n_rows: usize,
) -> ParquetResult<impl Iterator<Item = Option<T::T>>> {
    let (mut values, mut levels, mut n_read) = (Vec::new(), Vec::new(), 0);
    while n_read < n_rows {
        let n_more = (n_rows - n_read).min(MAX_ROWS_AT_ONCE);
        let (n_more, _, _) = reader.read_records(n_more, Some(&mut levels), None, &mut values)?;
        if n_more == 0 {
            return Err(damaged("columns of different lengths"));
        }
        n_read += n_more;
    }
    // A column that has a value in every row comes without levels.
    let mut values = values.into_iter();
    let is_there = move |row: usize| levels.get(row).is_none_or(|&level| level > 0);
    Ok((0..n_rows).map(move |row| if is_there(row) { values.next() } else { None }))
}

fn floats<T: DataType>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
    float: impl Fn(T::T) -> f64,
) -> ParquetResult<Vec<f64>> {
    Ok(cells(reader, n_rows)?.map(|cell| cell.map_or(f64::NAN, &float)).collect())
}

fn numbers<T: DataType>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
    number: impl Fn(T::T) -> f64,
) -> ParquetResult<Contents> {
    floats(reader, n_rows, number).map(Contents::Numbers)
}

fn days<T: DataType>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
    days: impl Fn(T::T) -> f64,
) -> ParquetResult<Contents> {
    floats(reader, n_rows, days).map(Contents::Dates)
}

fn integers<T: DataType>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
    integer: impl Fn(T::T) -> i128,
) -> ParquetResult<Contents> {
    Ok(Contents::integers(cells(reader, n_rows)?.map(|cell| cell.map(&integer))))
}

/// Decimals without a fraction are whole numbers, and may have more digits than a float holds.
fn decimals<N: Into<i128>>(cells: impl Iterator<Item = Option<N>>, scale: i32) -> Contents {
    let unscaled = cells.map(|cell| cell.map(Into::into));
    match scale {
        0 => Contents::integers(unscaled),
        _ => Contents::Numbers(
            unscaled.map(|cell| cell.map_or(f64::NAN, |cell| decimal(cell, scale))).collect(),
        ),
    }
}

fn texts<T: DataType<T = ::parquet::data_type::ByteArray>>(
    reader: ColumnReaderImpl<T>,
    n_rows: usize,
) -> ParquetResult<Contents> {
    let mut texts = Texts::default();
    for cell in cells(reader, n_rows)? {
        texts.push(cell.as_ref().map_or(Ok(""), |bytes| bytes.as_utf8())?);
    }
    Ok(Contents::Texts(texts))
}

/// Whole numbers written in as many bytes as they need, the highest first.
fn whole_numbers<B: AsRef<[u8]>>(cells: impl Iterator<Item = Option<B>>) -> ParquetResult<Vec<Option<i128>>> {
    let number = |bytes: B| {
        let bytes = bytes.as_ref();
        let mut all = [if bytes.first().is_some_and(|&first| first >= 0x80) { 0xff } else { 0 }; 16];
        let start =
            all.len().checked_sub(bytes.len()).ok_or_else(|| damaged("a decimal of too many bytes"))?;
        all[start..].copy_from_slice(bytes);
        Ok(i128::from_be_bytes(all))
    };
    cells.map(|cell| cell.map(number).transpose()).collect()
}

/// The number of a float of 16 bits.
fn half(bytes: &[u8]) -> f64 {
    let bits = bytes.first_chunk().copied().unwrap_or_default();
    from_single(<Float16Type as ArrowPrimitiveType>::Native::from_le_bytes(bits).to_f32())
}

/// Days of a timestamp in the old format: nanoseconds within a day counted from 4714 BC.
fn old_timestamp(timestamp: Int96) -> f64 {
    let [low, high, day] = [0, 1, 2].map(|part| i64::from(timestamp.data()[part]));
    let nanoseconds = (high << 32).wrapping_add(low);
    dates::days(day - JULIAN_DAY_OF_1970, 0) + dates::from_units(nanoseconds, dates::NANOSECONDS_PER_DAY)
}
