//! One table in every format is the same table.
#![cfg(feature = "arrow")]
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use crate::table_files;

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type, Int8Type};
use arrow_array::*;
use arrow_schema::{DataType, Field, Schema};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use prequential::{ReadOptions, Table, Values};
use proptest::prelude::*;
use table_files::{arrow_file, arrow_stream, gzip};

/// Cells of one table: numbers, whole numbers, texts, truth values, short floats.
#[derive(Debug, Clone)]
struct Cells {
    number: Vec<Option<f64>>,
    whole: Vec<i64>,
    text: Vec<Option<&'static str>>,
    truth: Vec<bool>,
    short: Vec<f32>,
}

fn example() -> Cells {
    let rows = 0..300_usize;
    Cells {
        number: rows.clone().map(|row| (row % 7 != 0).then(|| (row as f64).sin() * 1e-7)).collect(),
        whole: rows.clone().map(|row| (row * row) as i64 - 1000).collect(),
        text: rows.clone().map(|row| [Some("b"), Some("a, \"c\""), None][row % 3]).collect(),
        truth: rows.clone().map(|row| row % 5 < 2).collect(),
        short: rows.map(|row| (row as f32).cos()).collect(),
    }
}

/// A number as our readers of binary files spell it, which shows where few numbers become labels.
fn spelt<N: Copy + Into<f64> + std::fmt::Display + std::fmt::LowerExp>(number: N) -> String {
    let size = number.into().abs();
    let short = size == 0.0 || (1e-5..1e16).contains(&size);
    if short { number.to_string() } else { format!("{number:e}") }
}

fn csv(cells: &Cells) -> Vec<u8> {
    let mut text = "number,whole,text,truth,short\n".to_string();
    for row in 0..cells.number.len() {
        let number = cells.number[row].map(spelt).unwrap_or_default();
        let label = cells.text[row].unwrap_or_default().replace('"', "\"\"");
        text += &format!(
            "{number},{},\"{label}\",{},{}\n",
            cells.whole[row],
            cells.truth[row],
            spelt(cells.short[row])
        );
    }
    text.into_bytes()
}

fn batch(cells: &Cells) -> RecordBatch {
    let columns: [(&str, ArrayRef); 5] = [
        ("number", Arc::new(Float64Array::from(cells.number.clone()))),
        ("whole", Arc::new(Int64Array::from(cells.whole.clone()))),
        ("text", Arc::new(StringArray::from(cells.text.clone()))),
        ("truth", Arc::new(BooleanArray::from(cells.truth.clone()))),
        ("short", Arc::new(Float32Array::from(cells.short.clone()))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

fn parquet(cells: &Cells) -> Vec<u8> {
    let schema = "message t { optional double number; required int64 whole; optional binary text (STRING); \
                  required boolean truth; required float short; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let levels = |present: Vec<bool>| present.into_iter().map(i16::from).collect::<Vec<i16>>();
    macro_rules! column {
        ($kind:ty, $values:expr, $levels:expr) => {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<$kind>().write_batch(&$values, $levels, None).unwrap();
            column.close().unwrap();
        };
    }
    let numbers: Vec<f64> = cells.number.iter().flatten().copied().collect();
    let present = levels(cells.number.iter().map(Option::is_some).collect());
    column!(DoubleType, numbers, Some(&present));
    column!(Int64Type, cells.whole, None);
    let texts: Vec<ByteArray> = cells.text.iter().flatten().map(|text| ByteArray::from(*text)).collect();
    let present = levels(cells.text.iter().map(Option::is_some).collect());
    column!(ByteArrayType, texts, Some(&present));
    column!(BoolType, cells.truth, None);
    column!(FloatType, cells.short, None);
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

fn read(name: &str, bytes: &[u8]) -> Table {
    Table::from_bytes(name, bytes, &ReadOptions::default()).unwrap()
}

/// NaN differs from itself, so tables with missing numbers are compared by what they print.
fn assert_same(a: &Table, b: &Table) {
    assert_eq!(format!("{:?}", a.variables()), format!("{:?}", b.variables()));
}

#[test]
fn all_formats_give_the_same_table() {
    let cells = example();
    let from_csv = read("t.csv", &csv(&cells));
    let kinds: Vec<bool> =
        from_csv.variables().iter().map(|variable| matches!(variable.values, Values::Numbers(_))).collect();
    assert_eq!(kinds, [true, true, false, false, true]);
    assert_same(&from_csv, &read("t.csv.gz", &gzip(&csv(&cells))));
    assert_same(&from_csv, &read("t.parquet", &parquet(&cells)));
    assert_same(&from_csv, &read("t.arrow", &arrow_file(&batch(&cells))));
    assert_same(&from_csv, &read("t.arrows", &arrow_stream(&batch(&cells))));
}

#[test]
fn the_first_bytes_tell_the_format_if_the_name_does_not() {
    let cells = example();
    let from_csv = read("table", &csv(&cells));
    for bytes in
        [parquet(&cells), arrow_file(&batch(&cells)), arrow_stream(&batch(&cells)), gzip(&csv(&cells))]
    {
        assert_same(&from_csv, &read("table", &bytes));
    }
    assert_same(&from_csv, &read("table.gz", &gzip(&parquet(&cells))));
    assert_same(&from_csv, &read("-", &gzip(&csv(&cells))));
}

#[test]
fn every_plain_arrow_type_is_read() {
    let words: Vec<Option<&str>> = (0..120).map(|row| [Some("x"), Some("y"), None][row % 3]).collect();
    let whole = |row: usize| (row % 4) as i64;
    macro_rules! numbers {
        ($array:ty, $number:ty) => {
            Arc::new((0..120).map(|row| Some(whole(row) as $number)).collect::<$array>())
        };
    }
    let dictionary: DictionaryArray<Int8Type> = words.iter().copied().collect();
    let half = |row| <Float16Type as ArrowPrimitiveType>::Native::from_f32(whole(row) as f32);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i8", numbers!(Int8Array, i8)),
        ("i16", numbers!(Int16Array, i16)),
        ("i32", numbers!(Int32Array, i32)),
        ("i64", numbers!(Int64Array, i64)),
        ("u8", numbers!(UInt8Array, u8)),
        ("u16", numbers!(UInt16Array, u16)),
        ("u32", numbers!(UInt32Array, u32)),
        ("u64", numbers!(UInt64Array, u64)),
        ("f16", Arc::new(Float16Array::from_iter_values((0..120).map(half)))),
        ("f32", numbers!(Float32Array, f32)),
        ("f64", numbers!(Float64Array, f64)),
        ("utf8", Arc::new(StringArray::from(words.clone()))),
        ("large", Arc::new(LargeStringArray::from(words.clone()))),
        ("view", Arc::new(StringViewArray::from(words.clone()))),
        ("dictionary", Arc::new(dictionary)),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap();
    let table = read("t.arrow", &arrow_stream(&batch));
    let values = |position: usize| &table.variables()[position].values;
    for position in 1..11 {
        assert_eq!(values(position), values(0));
    }
    for position in 12..15 {
        assert_eq!(values(position), values(11));
    }
}

#[test]
fn other_arrow_types_are_named_unless_they_are_left_out() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("a", Arc::new(Int32Array::from_iter_values((0..20).map(|row| row % 2)))),
        ("b", Arc::new(Int32Array::from_iter_values((0..20).map(|row| row % 3)))),
        ("bytes", Arc::new(BinaryArray::from_iter_values((0..20).map(|_| b"x")))),
        ("time", Arc::new(Time32SecondArray::from_iter_values(0..20))),
        ("gone", Arc::new(NullArray::new(20))),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap();
    let bytes = arrow_file(&batch);
    let error = Table::from_bytes("t.arrow", &bytes, &ReadOptions::default()).unwrap_err();
    insta::assert_snapshot!(format!("{error}\n{}", error.hint()), @"
    `t.arrow`, column `bytes`: expected numbers, dates, texts or truth values, found the type Binary
    `t.arrow`, column `time`: expected numbers, dates, texts or truth values, found the type Time32(s)
    `t.arrow`, column `gone`: every cell is missing
    convert the column, or leave it out with `ignore: bytes`
    convert the column, or leave it out with `ignore: time`
    leave it out with `ignore: gone`
    ");
    let options = ReadOptions { columns: vec!["b".into(), "a".into()], ..ReadOptions::default() };
    assert_eq!(Table::from_bytes("t.arrow", &bytes, &options).unwrap().names(), ["b", "a"]);
}

#[test]
fn parquet_types_without_numbers_or_texts_are_named() {
    let schema = "message t { required int32 when (TIME(MILLIS,true)); required fixed_len_byte_array(3) bytes; \
                  required fixed_len_byte_array(17) cost (DECIMAL(40,2)); required group pair { required int32 left; } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default())).unwrap();
    writer.close().unwrap();
    let error = Table::from_bytes("t.parquet", &bytes, &ReadOptions::default()).unwrap_err();
    insta::assert_snapshot!(error, @"
    `t.parquet`, column `when`: expected numbers, dates, texts or truth values, found the type Time
    `t.parquet`, column `bytes`: expected numbers, dates, texts or truth values, found the type FIXED_LEN_BYTE_ARRAY
    `t.parquet`, column `cost`: expected numbers, dates, texts or truth values, found the type Decimal of 40 digits
    `t.parquet`, column `pair`: expected numbers, dates, texts or truth values, found the type list or struct
    `t.parquet` has 0 rows, expected at least 10
    ");
}

#[test]
fn texts_of_binary_formats_are_placed_by_row() {
    let texts =
        (0..100).map(|row| if row == 41 { "?!".to_string() } else { format!("{}", f64::from(row).sqrt()) });
    let schema =
        Schema::new(vec![Field::new("x", DataType::Utf8, false), Field::new("y", DataType::Boolean, false)]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(texts)),
        Arc::new(BooleanArray::from((0..100).map(|row| row % 2 == 0).collect::<Vec<_>>())),
    ];
    let batch = RecordBatch::try_new(Arc::new(schema), columns).unwrap();
    let error = Table::from_bytes("t.arrow", &arrow_file(&batch), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "`t.arrow` row 42, column `x`: expected a number, found `?!`");
}

/// A panic is caught, but the default hook prints it.
#[test]
fn damage_is_found_before_a_decoder_panics() {
    let mut cells = example();
    cells.number.truncate(30);
    cells.whole.truncate(30);
    cells.text.truncate(30);
    cells.truth.truncate(30);
    cells.short.truncate(30);
    let (file, stream) = (arrow_file(&batch(&cells)), arrow_stream(&batch(&cells)));
    // Damage to the footer of an Arrow file is not always found.
    let before_footer = file.len() / 2;
    let files = [
        ("t.parquet", parquet(&cells), usize::MAX),
        ("t.arrow", file, before_footer),
        ("t.arrows", stream, usize::MAX),
    ];
    for (name, bytes, end) in files {
        for at in (0..bytes.len().min(end)).step_by(3) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x7f;
            if let Err(error) = Table::from_bytes(name, &damaged, &ReadOptions::default()) {
                assert!(!error.to_string().contains("the decoder failed"), "{name}, byte {at}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_tables_are_the_same_in_all_formats(
        rows in prop::collection::vec(
            (prop::option::of(any::<f64>().prop_filter("finite", |x| x.is_finite())), any::<i64>(), 0..3_usize, any::<bool>(),
             any::<f32>().prop_filter("finite", |x| x.is_finite())),
            60..90,
        )
    ) {
        let cells = Cells {
            number: rows.iter().map(|row| row.0).collect(),
            whole: rows.iter().map(|row| row.1).collect(),
            text: rows.iter().map(|row| [Some("b"), Some("a"), None][row.2]).collect(),
            truth: rows.iter().map(|row| row.3).collect(),
            short: rows.iter().map(|row| row.4).collect(),
        };
        let from_csv = Table::from_bytes("t.csv", &csv(&cells), &ReadOptions::default());
        prop_assume!(from_csv.is_ok());
        let from_csv = from_csv.unwrap();
        assert_same(&from_csv, &read("t.parquet", &parquet(&cells)));
        assert_same(&from_csv, &read("t.arrow", &arrow_file(&batch(&cells))));
    }

    #[test]
    fn few_numbers_have_the_same_labels_in_all_formats(
        levels in prop::collection::vec(any::<f64>().prop_filter("finite", |x| x.is_finite()), 2..6),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 60),
    ) {
        let cells = Cells {
            number: picks.iter().map(|pick| Some(*pick.get(&levels))).collect(),
            whole: (0..60).map(|row| row % 7).collect(),
            text: (0..60).map(|row| Some(["a", "b"][row % 2])).collect(),
            truth: (0..60).map(|row| row % 3 == 0).collect(),
            short: (0..60).map(|row| (row % 5) as f32).collect(),
        };
        let from_csv = read("t.csv", &csv(&cells));
        assert_same(&from_csv, &read("t.parquet", &parquet(&cells)));
        assert_same(&from_csv, &read("t.arrow", &arrow_file(&batch(&cells))));
    }

    #[test]
    fn no_bytes_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), magic in 0..6_usize) {
        let head: &[u8] = [&b""[..], b"PAR1", b"ARROW1\0\0", &[0xff; 4], &[0x1f, 0x8b, 8, 0], b"a,b\n"][magic];
        let bytes = [head, &bytes].concat();
        for name in ["t", "t.csv", "t.gz", "t.parquet", "t.arrow", "-"] {
            let _ = Table::from_bytes(name, &bytes, &ReadOptions::default());
        }
        let _ = Table::from_bytes("t.csv.gz", &gzip(&bytes), &ReadOptions::default());
    }

    #[test]
    fn no_text_makes_reading_panic(text in "([ab,;\"\n\r\t01. é-]|NA){0,200}") {
        let _ = Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default());
    }

    #[test]
    fn no_damage_to_a_file_makes_reading_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let cells = example();
        let files = [
            ("t.parquet", parquet(&cells)),
            ("t.arrow", arrow_file(&batch(&cells))),
            ("t.arrows", arrow_stream(&batch(&cells))),
            ("t.csv.gz", gzip(&csv(&cells))),
        ];
        for (name, mut bytes) in files {
            changes.iter().for_each(|(at, byte)| { let at = at.index(bytes.len()); bytes[at] = *byte; });
            cut.iter().for_each(|cut| bytes.truncate(cut.index(bytes.len())));
            let _ = Table::from_bytes(name, &bytes, &ReadOptions::default());
        }
    }
}

/// Files of a few kilobytes, found by fuzzing, for which a decoder would ask for gigabytes.
#[test]
fn damaged_sizes_are_found_before_memory_is_made_ready_for_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/damaged");
    let error = |name: &str| {
        let error =
            Table::from_bytes(name, &std::fs::read(folder.join(name)).unwrap(), &ReadOptions::default());
        error.unwrap_err().to_string()
    };
    insta::assert_snapshot!(error("huge-block.arrow"), @"
    `huge-block.arrow`: not an Arrow file, or a damaged one (Parser error: A block reaches beyond the file)
    ");
    insta::assert_snapshot!(error("huge-dictionary.parquet"), @"
    `huge-dictionary.parquet`: not a Parquet file, or a damaged one (Parquet error: a dictionary of more values than bytes)
    ");
}

/// An empty column takes no space in an Arrow file, however many rows it says it has.
#[test]
fn columns_of_nothing_are_not_filled_cell_by_cell() {
    let schema = Arc::new(Schema::new(vec![Field::new("gone", DataType::Null, true)]));
    let batch = RecordBatch::try_new(schema, vec![Arc::new(NullArray::new(200_000_000))]).unwrap();
    let error = Table::from_bytes("t.arrow", &arrow_stream(&batch), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("column `gone`: every cell is missing"), "{error}");
}
