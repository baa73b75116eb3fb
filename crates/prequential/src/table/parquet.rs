//! Reads Parquet files, row by row.

use std::collections::HashSet;
use std::sync::Arc;

use ::parquet::basic::{ConvertedType, LogicalType, PageType, Repetition, Type as Physical};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use ::parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use ::parquet::record::Field;
use ::parquet::schema::types::Type;

use super::decode::{Decoded, decode};
use super::input::Input;
use super::raw::{Keep, RawColumn, RawTable};
use crate::base::error::Result;

/// Reads the whole file.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<RawTable> {
    let bytes = bytes::Bytes::from(input.read_all()?);
    decode(&input.path, "Parquet", || read_file(bytes, &input.path, keep))
}

fn read_file(bytes: bytes::Bytes, path: &str, keep: &Keep) -> Decoded<ParquetError> {
    let reader = SerializedFileReader::new(bytes)?;
    let schema = reader.metadata().file_metadata().schema();
    let fields = schema.get_fields();
    let header = fields.iter().map(|field| field.name().trim_ascii().to_string()).collect();
    let mut problems = Vec::new();
    let mut table = match RawTable::new(path, header, keep, &mut problems) {
        Ok(table) => table,
        Err(error) => return Ok(Err(error)),
    };
    for (column, field) in table.columns.iter_mut().zip(fields) {
        column.refused = unreadable_type(field);
    }
    fill(&mut table, &reader)?;
    Ok(table.finish(problems))
}

/// Reads the cells of the columns that are kept and readable.
fn fill(table: &mut RawTable, reader: &SerializedFileReader<bytes::Bytes>) -> ParquetResult<()> {
    let schema = reader.metadata().file_metadata().schema();
    let positions: Vec<usize> = (0..table.columns.len())
        .filter(|&position| table.columns[position].kept && table.columns[position].refused.is_none())
        .collect();
    let fields = positions.iter().map(|&position| Arc::clone(&schema.get_fields()[position])).collect();
    let wanted = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
    for group in 0..reader.num_row_groups() {
        check_sizes(reader.metadata().row_group(group))?;
        let group = reader.get_row_group(group)?;
        table.n_rows += group.metadata().num_rows() as usize;
        if positions.is_empty() {
            continue;
        }
        check_dictionaries(group.as_ref(), &wanted)?;
        for row in group.get_row_iter(Some(wanted.clone()))? {
            for (&position, (_, field)) in positions.iter().zip(row?.get_column_iter()) {
                push(&mut table.columns[position], field)?;
            }
        }
    }
    Ok(())
}

/// Every column without lists has a value, or a null, for each row; a damaged count would be believed and rows made up.
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

/// A dictionary has no more values than bytes; a damaged count would be believed, and memory made ready for it.
fn check_dictionaries(group: &dyn RowGroupReader, wanted: &Type) -> ParquetResult<()> {
    let names: HashSet<&str> = wanted.get_fields().iter().map(|field| field.name()).collect();
    let is_wanted = |column: usize| {
        let path = group.metadata().column(column).column_path();
        path.parts().first().is_some_and(|name| names.contains(name.as_str()))
    };
    for column in (0..group.num_columns()).filter(|&column| is_wanted(column)) {
        let mut pages = group.get_column_page_reader(column)?;
        while let Some(page) = pages.get_next_page()? {
            if page.page_type() == PageType::DICTIONARY_PAGE
                && page.num_values() as usize > page.buffer().len()
            {
                return Err(ParquetError::General("a dictionary of more values than bytes".into()));
            }
        }
    }
    Ok(())
}

fn push(column: &mut RawColumn, field: &Field) -> ParquetResult<()> {
    match field {
        Field::Null => column.push(""),
        Field::Bool(value) => column.push(if *value { "true" } else { "false" }),
        Field::Byte(value) => column.push(&value.to_string()),
        Field::Short(value) => column.push(&value.to_string()),
        Field::Int(value) => column.push(&value.to_string()),
        Field::Long(value) => column.push(&value.to_string()),
        Field::UByte(value) => column.push(&value.to_string()),
        Field::UShort(value) => column.push(&value.to_string()),
        Field::UInt(value) => column.push(&value.to_string()),
        Field::ULong(value) => column.push(&value.to_string()),
        Field::Float16(value) => column.push_number(value.to_f32()),
        Field::Float(value) => column.push_number(*value),
        Field::Double(value) => column.push_number(*value),
        Field::Str(text) => column.push(text),
        Field::Bytes(text) => column.push(text.as_utf8()?),
        other => return Err(ParquetError::General(format!("unexpected value {other}"))),
    }
    Ok(())
}

/// The type of a column that holds neither numbers, texts nor truth values.
fn unreadable_type(field: &Type) -> Option<String> {
    let info = field.get_basic_info();
    if field.is_group() || (info.has_repetition() && info.repetition() == Repetition::REPEATED) {
        return Some("list or struct".into());
    }
    let physical = field.get_physical_type();
    if let Some(logical) = info.logical_type_ref() {
        let is_half = matches!(logical, LogicalType::Float16);
        let is_plain = matches!(
            logical,
            LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Integer { .. }
        );
        return (!is_half && !is_plain).then(|| type_name(logical));
    }
    use ConvertedType as C;
    match info.converted_type() {
        C::NONE if matches!(physical, Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY) => {
            Some(physical.to_string())
        }
        C::NONE | C::UTF8 | C::ENUM | C::JSON => None,
        C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => None,
        C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => None,
        other => Some(other.to_string()),
    }
}

/// The name of a type without its parameters: `Timestamp`.
fn type_name(logical: &LogicalType) -> String {
    let described = format!("{logical:?}");
    described.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
}
