//! One table as text, as Parquet, as Arrow and from memory: the same table, and the same bytes of result.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::table_files;

use prequential::tables::InterventionMask;
use prequential::{Column, DocumentOptions, Linear, ReadOptions, Settings, Table, learn};
use proptest::prelude::*;
use table_files::gzip;

const N_ROWS: usize = 240;

/// The table, cell by cell.
struct Cells;

impl Cells {
    fn dose(row: usize) -> Option<f64> {
        (row % 11 != 3).then(|| (row as f64 * 1.7).sin() * 1e-7)
    }

    fn short(row: usize) -> f32 {
        (row as f32 * 0.3).cos()
    }

    fn visits(row: usize) -> Option<i64> {
        (row % 13 != 5).then_some((row * 7 % 5) as i64 - 2)
    }

    /// Keys that differ in digits which a float does not hold.
    fn key(row: usize) -> u64 {
        u64::MAX - (row % 4) as u64
    }

    fn cured(row: usize) -> Option<bool> {
        (row % 17 != 2).then_some(row * row % 7 < 3)
    }

    fn sex(row: usize) -> Option<&'static str> {
        [Some("f"), Some("m"), Some("o, \"x\""), None][row * 5 % 7 % 4]
    }

    /// In hundredths.
    fn cost(row: usize) -> i64 {
        (row * row % 977) as i64 * 25 - 5000
    }

    /// Days since 1970-01-01, many of them.
    fn born(row: usize) -> Option<i32> {
        (row % 19 != 4).then_some((row * 37 % 211) as i32 * 100 - 3000)
    }

    /// Days since 1970-01-01, few of them.
    fn batch(row: usize) -> i32 {
        18_690 + (row * 3 % 4) as i32
    }

    /// Milliseconds since 1970-01-01.
    fn seen(row: usize) -> i64 {
        1_614_000_000_123 + (row as i64 * row as i64 % 1009) * 3_600_500
    }

    fn set(row: usize) -> Option<&'static str> {
        [None, Some("dose"), Some("visits;dose"), None, None][row % 5]
    }
}

/// Year, month and day, counted one day after another from 1970-01-01 (or back).
fn date(days: i32) -> String {
    let (mut year, mut left) = (1970, days);
    let is_leap = |year: i32| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let length = |year: i32| 365 + i32::from(is_leap(year));
    while left < 0 {
        year -= 1;
        left += length(year);
    }
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let february = 28 + i32::from(is_leap(year));
    let mut month = 1;
    for n_days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < n_days {
            break;
        }
        left -= n_days;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

fn time(milliseconds: i64) -> String {
    let (day, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    let (seconds, fraction) = (rest / 1000, rest % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{} {hours:02}:{minutes:02}:{:02}.{fraction:03}", date(day as i32), seconds % 60)
}

fn text<T: ToString>(cell: Option<T>) -> String {
    cell.map(|cell| cell.to_string()).unwrap_or_default()
}

fn csv() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header =
        ["dose", "short", "visits", "key", "cured", "sex", "cost", "born", "batch", "seen", "intervention"];
    writer.write_record(header).unwrap();
    for row in 0..N_ROWS {
        let cost = Cells::cost(row);
        let cells = [
            text(Cells::dose(row)),
            Cells::short(row).to_string(),
            text(Cells::visits(row)),
            Cells::key(row).to_string(),
            text(Cells::cured(row)),
            text(Cells::sex(row)),
            format!("{}{}.{:02}", if cost < 0 { "-" } else { "" }, cost.abs() / 100, cost.abs() % 100),
            text(Cells::born(row).map(date)),
            date(Cells::batch(row)),
            time(Cells::seen(row)),
            text(Cells::set(row)),
        ];
        writer.write_record(cells).unwrap();
    }
    writer.into_inner().unwrap()
}

fn columns() -> Vec<Column> {
    let rows = || 0..N_ROWS;
    let short: Vec<f32> = rows().map(Cells::short).collect();
    let days = |milliseconds: i64| {
        (milliseconds / 86_400_000) as f64 + (milliseconds % 86_400_000) as f64 / 86_400_000.0
    };
    vec![
        Column::numbers("dose", rows().map(|row| Cells::dose(row).unwrap_or(f64::NAN)).collect()),
        Column::single_numbers("short", &short),
        Column::integers("visits", rows().map(|row| Cells::visits(row).map(i128::from))),
        Column::integers("key", rows().map(|row| Some(i128::from(Cells::key(row))))),
        Column::booleans("cured", rows().map(Cells::cured).collect()),
        Column::texts("sex", rows().map(Cells::sex)),
        Column::numbers("cost", rows().map(|row| Cells::cost(row) as f64 / 100.0).collect()),
        Column::dates("born", rows().map(|row| Cells::born(row).map_or(f64::NAN, f64::from)).collect()),
        Column::dates("batch", rows().map(|row| f64::from(Cells::batch(row))).collect()),
        Column::dates("seen", rows().map(|row| days(Cells::seen(row))).collect()),
        Column::texts("intervention", rows().map(Cells::set)),
    ]
}

#[cfg(feature = "arrow")]
fn batch() -> arrow_array::RecordBatch {
    use std::sync::Arc;

    use arrow_array::types::Int16Type;
    use arrow_array::*;

    let rows = || 0..N_ROWS;
    let cost = Decimal128Array::from_iter_values(rows().map(|row| Cells::cost(row).into()));
    let seen = TimestampMillisecondArray::from_iter_values(rows().map(Cells::seen));
    let sex: DictionaryArray<Int16Type> = rows().map(Cells::sex).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("dose", Arc::new(rows().map(Cells::dose).collect::<Float64Array>())),
        ("short", Arc::new(Float32Array::from_iter_values(rows().map(Cells::short)))),
        ("visits", Arc::new(rows().map(Cells::visits).collect::<Int64Array>())),
        ("key", Arc::new(UInt64Array::from_iter_values(rows().map(Cells::key)))),
        ("cured", Arc::new(rows().map(Cells::cured).collect::<BooleanArray>())),
        ("sex", Arc::new(sex)),
        ("cost", Arc::new(cost.with_precision_and_scale(10, 2).unwrap())),
        ("born", Arc::new(rows().map(Cells::born).collect::<Date32Array>())),
        ("batch", Arc::new(Date32Array::from_iter_values(rows().map(Cells::batch)))),
        ("seen", Arc::new(seen.with_timezone("+01:00"))),
        ("intervention", Arc::new(rows().map(Cells::set).collect::<StringArray>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap()
}

#[cfg(feature = "arrow")]
fn parquet() -> Vec<u8> {
    use parquet::data_type::*;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use parquet::schema::parser::parse_message_type;

    type Group<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut Vec<u8>>;

    fn write<T: DataType>(group: &mut Group, cells: impl Iterator<Item = Option<T::T>>) {
        let cells: Vec<Option<T::T>> = cells.collect();
        let levels: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
        let values: Vec<T::T> = cells.into_iter().flatten().collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<T>().write_batch(&values, Some(&levels), None).unwrap();
        column.close().unwrap();
    }

    let schema = "message t { optional double dose; optional float short; optional int64 visits; \
                  optional int64 key (INTEGER(64,false)); optional boolean cured; optional binary sex (STRING); \
                  optional fixed_len_byte_array(5) cost (DECIMAL(10,2)); optional int32 born (DATE); \
                  optional int32 batch (DATE); optional int64 seen (TIMESTAMP(MILLIS,true)); \
                  optional binary intervention (STRING); }";
    let schema = std::sync::Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, WriterProperties::default().into()).unwrap();
    // Two groups of rows, to see that one goes on where the other ended.
    for rows in [0..100, 100..N_ROWS] {
        let rows = || rows.clone();
        let bytes = |text: &str| ByteArray::from(text);
        let cost = |row| FixedLenByteArray::from(Cells::cost(row).to_be_bytes()[3..].to_vec());
        let mut group = writer.next_row_group().unwrap();
        write::<DoubleType>(&mut group, rows().map(Cells::dose));
        write::<FloatType>(&mut group, rows().map(|row| Some(Cells::short(row))));
        write::<Int64Type>(&mut group, rows().map(Cells::visits));
        write::<Int64Type>(&mut group, rows().map(|row| Some(Cells::key(row) as i64)));
        write::<BoolType>(&mut group, rows().map(Cells::cured));
        write::<ByteArrayType>(&mut group, rows().map(|row| Cells::sex(row).map(bytes)));
        write::<FixedLenByteArrayType>(&mut group, rows().map(|row| Some(cost(row))));
        write::<Int32Type>(&mut group, rows().map(Cells::born));
        write::<Int32Type>(&mut group, rows().map(|row| Some(Cells::batch(row))));
        write::<Int64Type>(&mut group, rows().map(|row| Some(Cells::seen(row))));
        write::<ByteArrayType>(&mut group, rows().map(|row| Cells::set(row).map(bytes)));
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// The table from every format, read with `options`, the one from text first.
fn tables(options: &ReadOptions) -> Vec<(&'static str, Table)> {
    let files = [
        ("t.csv", csv()),
        ("t.csv.gz", gzip(&csv())),
        #[cfg(feature = "arrow")]
        ("t.parquet", parquet()),
        #[cfg(feature = "arrow")]
        ("t.arrow", table_files::arrow_file(&batch())),
        #[cfg(feature = "arrow")]
        ("t.arrows", table_files::arrow_stream(&batch())),
    ];
    let read =
        |(name, bytes): (&'static str, Vec<u8>)| (name, Table::from_bytes(name, &bytes, options).unwrap());
    let mut tables: Vec<(&str, Table)> = files.into_iter().map(read).collect();
    tables.push(("memory", Table::from_columns(columns(), options).unwrap()));
    tables
}

/// NaN differs from itself, but not when printed.
fn shown(table: &Table) -> String {
    format!("{:#?}", table.variables())
}

fn assert_all_same(tables: &[(&str, Table)]) {
    let (_, from_text) = &tables[0];
    for (name, table) in tables {
        assert_eq!(shown(table), shown(from_text), "{name}");
        assert_eq!(table.fingerprint(), from_text.fingerprint(), "{name}");
        assert_eq!(table.warnings().len(), from_text.warnings().len(), "{name}");
        assert_eq!(table.notes().len(), from_text.notes().len(), "{name}");
    }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| name.to_string()).collect()
}

#[test]
fn every_format_gives_the_same_table() {
    let tables = tables(&ReadOptions::default());
    assert_all_same(&tables);
    let kinds: String =
        tables[0].1.variables().iter().map(|variable| format!("{:?} ", variable.kind())).collect();
    let (labels, numbers) = ("Categorical ", "Continuous ");
    let expected = [numbers, numbers, labels, labels, labels, labels, numbers, numbers, labels, numbers];
    assert_eq!(kinds, expected.concat());
    assert_eq!(tables.len(), if cfg!(feature = "arrow") { 6 } else { 3 });
}

#[test]
fn every_format_obeys_the_same_options() {
    for options in [
        ReadOptions { columns: names(&["seen", "sex", "visits", "batch"]), ..ReadOptions::default() },
        ReadOptions { missing: names(&["-2", "m", "2021-03-04", "false"]), ..ReadOptions::default() },
        ReadOptions { numbers: names(&["visits", "batch", "key"]), ..ReadOptions::default() },
        ReadOptions {
            labels: names(&["visits", "cured"]),
            ignore: names(&["key"]),
            ..ReadOptions::default()
        },
    ] {
        assert_all_same(&tables(&options));
    }
}

#[test]
fn every_format_gives_the_same_bytes_of_result() {
    let columns = names(&["dose", "visits", "cured", "sex", "born", "batch"]);
    let tables = tables(&ReadOptions { columns, ..ReadOptions::default() });
    let results: Vec<String> = tables.iter().map(|(_, table)| result(table)).collect();
    for ((name, _), result) in tables.iter().zip(&results) {
        assert_eq!(*result, results[0], "{name}");
    }
    assert!(results[0].contains("\"born\""));
}

/// The result without where the table came from and what it cost.
fn result(table: &Table) -> String {
    let settings = Settings { estimator: Linear::default().into(), ..Settings::default() };
    let learned = learn(table, &settings).unwrap();
    let text = learned.document(&DocumentOptions { families: true, ..DocumentOptions::default() }).to_json();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["cost"].take();
    ["path", "sha256", "options", "notes", "warnings"].iter().for_each(|key| drop(json["data"][key].take()));
    json.to_string()
}

#[test]
fn a_mask_by_value_is_a_mask_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mask.csv");
    let is_set = |row: usize| row % 9 == 4;
    let rows: String = (0..N_ROWS).map(|row| format!("{}\n", u8::from(is_set(row)))).collect();
    std::fs::write(&path, format!("sex\n{rows}")).unwrap();
    let by_value = vec![Column::booleans("sex", (0..N_ROWS).map(|row| Some(is_set(row))).collect())];
    let read = |mask: InterventionMask| {
        Table::from_columns(
            columns(),
            &ReadOptions { intervention_mask: Some(mask), ..ReadOptions::default() },
        )
        .unwrap()
    };
    let (from_file, from_value) =
        (read(InterventionMask::File(path)), read(InterventionMask::Columns(by_value)));
    assert_eq!(shown(&from_file), shown(&from_value));
    let set = from_file.variables()[5].intervened.as_ref().unwrap();
    assert_eq!(set.iter().filter(|set| **set).count(), (0..N_ROWS).filter(|&row| is_set(row)).count());
}

#[test]
fn columns_in_memory_are_judged_like_those_of_a_file() {
    let error = |columns: Vec<Column>, options: &ReadOptions| {
        let error = Table::from_columns(columns, options).unwrap_err();
        format!("{error}\n{}", error.hint())
    };
    let rows = || 0..50_i32;
    let sine = || Column::numbers("x", rows().map(|row| f64::from(row).sin()).collect());
    let sex = || Column::texts("sex", rows().map(|row| Some(["f", "m"][row as usize % 2])));
    let plain = ReadOptions::default();
    let infinite = Column::numbers("y", rows().map(|row| 1.0 / (f64::from(row) - 7.0)).collect());
    let id = Column::integers("id", rows().map(|row| Some(i128::from(row))));
    let gone = Column::booleans("gone", vec![None; 50]);
    let text = |row: i32| if row == 9 { "n/a".to_string() } else { f64::from(row).cos().to_string() };
    let mixed = Column::texts("mixed", rows().map(|row| Some(text(row))));
    insta::assert_snapshot!(error(vec![sine(), infinite, id, gone, mixed], &plain), @"
    row 7 (counting from 0), column `y`: expected a finite number, found `inf`
    row 9 (counting from 0), column `mixed`: expected a number, found `n/a`
    column `id`: counts the rows, from 0 to 49, as an identifier does
    column `gone`: every cell is missing
    replace it, or declare it as missing with `missing: inf`; code lengths need finite numbers
    declare missing cells with `missing: n/a`, or read the column as labels with `labels: mixed`
    leave it out with `ignore: id`, or keep it with `numbers: id`
    leave it out with `ignore: gone`
    ");
    let short = Column::numbers("short", vec![0.5; 49]);
    insta::assert_snapshot!(error(vec![sine(), sine(), short, Column::texts(" ", [Some("a"); 50])], &plain), @"
    the table: column 4 has no name
    the table: 2 columns are called `x` (columns 1, 2)
    column `short`: found 49 rows, expected 50
    name every column
    give every column a different name
    give every column one cell for each row
    ");
    insta::assert_snapshot!(error(vec![sine()], &plain), @"
    the table has 1 variable, expected at least 2
    give at least two columns
    ");
    let mask = |columns| ReadOptions {
        intervention_mask: Some(InterventionMask::Columns(columns)),
        ..plain.clone()
    };
    insta::assert_snapshot!(error(vec![sine(), sex()], &mask(vec![Column::booleans("z", vec![None; 50])])), @"
    the mask of interventions names `z`, but there is no such column
    the columns are: x, sex
    ");
    insta::assert_snapshot!(error(vec![sine(), sex()], &mask(vec![Column::numbers("x", vec![0.5; 50])])), @"
    row 0 (counting from 0), column `x`: expected 0 or 1, found `0.5`
    write 1 where the variable was set by intervention, 0 elsewhere
    ");
    insta::assert_snapshot!(error(vec![sine(), sex()], &mask(vec![Column::numbers("x", vec![0.0; 49])])), @"
    the mask of interventions has 49 rows, but the table has 50 rows
    the mask needs one row for each row of the table
    ");
}

/// A cell of every type, few different ones or many.
type Row = (Option<f64>, Option<i64>, Option<bool>, Option<usize>, Option<i32>, f32);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let number = prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        (-4..4).prop_map(f64::from),
        Just(-0.0),
        Just(-99.0)
    ];
    let whole = prop_oneof![any::<i64>(), -3..3_i64];
    let cell = (
        prop::option::of(number),
        prop::option::weighted(0.9, whole),
        prop::option::of(any::<bool>()),
        prop::option::of(0..4_usize),
        prop::option::weighted(0.8, prop_oneof![-9000..30_000, 0..3]),
        any::<f32>().prop_filter("finite", |x| x.is_finite()),
    );
    // Repeated, so that some columns have few different cells.
    (prop::collection::vec(cell, 2..60), 1..8_usize).prop_map(|(rows, n)| rows.repeat(n))
}

/// Texts that stand for numbers, for nothing and for themselves.
const TEXTS: [&str; 4] = ["1", "1.0", "x;y", "n/a"];

/// As programs write floats: far from 1 with an exponent.
fn spelt<N: Copy + Into<f64> + ToString + std::fmt::LowerExp>(number: N) -> String {
    let size = number.into().abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) { number.to_string() } else { format!("{number:e}") }
}

fn written(rows: &[Row]) -> String {
    let lines = rows.iter().map(|row| {
        let (number, word) = (row.0.map(spelt), row.3.map(|word| TEXTS[word]));
        let day = row.4.map(date);
        format!(
            "{},{},{},{},{},{}\n",
            text(number),
            text(row.1),
            text(row.2),
            text(word),
            text(day),
            spelt(row.5)
        )
    });
    format!("number,whole,truth,word,day,short\n{}", lines.collect::<String>())
}

fn in_memory(rows: &[Row]) -> Vec<Column> {
    let cells = || rows.iter();
    let short: Vec<f32> = cells().map(|row| row.5).collect();
    vec![
        Column::numbers("number", cells().map(|row| row.0.unwrap_or(f64::NAN)).collect()),
        Column::integers("whole", cells().map(|row| row.1.map(i128::from))),
        Column::booleans("truth", cells().map(|row| row.2).collect()),
        Column::categories("word", &TEXTS, cells().map(|row| row.3)),
        Column::dates("day", cells().map(|row| row.4.map_or(f64::NAN, f64::from)).collect()),
        Column::single_numbers("short", &short),
    ]
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let some = |list: &'static [&'static str]| {
        prop::sample::subsequence(list, 0..=list.len()).prop_map(|list| names(&list))
    };
    let all = ["number", "whole", "truth", "word", "day", "short"];
    // Declared as labels, numbers of a text file keep their spelling.
    (
        some(&["-99", "n/a", "-1", "1970-01-02", "true"]),
        prop::sample::subsequence(all.to_vec(), 0..3),
        some(&["truth", "word"]),
    )
        .prop_map(|(missing, numbers, labels)| {
            let numbers = names(&numbers).into_iter().filter(|name| !labels.contains(name)).collect();
            ReadOptions { missing, numbers, labels, ..ReadOptions::default() }
        })
}

proptest! {
    #[test]
    fn random_columns_in_memory_are_what_their_text_is(rows in rows(), options in options()) {
        let from_text = Table::from_bytes("t.csv", written(&rows).as_bytes(), &options);
        let from_memory = Table::from_columns(in_memory(&rows), &options);
        match (from_text, from_memory) {
            (Ok(from_text), Ok(from_memory)) => {
                prop_assert_eq!(shown(&from_memory), shown(&from_text));
                prop_assert_eq!(from_memory.fingerprint(), from_text.fingerprint());
                prop_assert_eq!(from_memory.warnings().len(), from_text.warnings().len());
            }
            (Err(from_text), Err(from_memory)) => {
                prop_assert_eq!(from_memory.hint().to_string(), from_text.hint().to_string());
            }
            (from_text, from_memory) => prop_assert!(false, "{from_text:?} but {from_memory:?}"),
        }
    }

    #[test]
    fn columns_written_as_text_come_back(rows in rows()) {
        let Ok(table) = Table::from_columns(in_memory(&rows), &ReadOptions::default()) else { return Ok(()) };
        let of_kind = |numbers: bool| {
            let is_number = |name: &&prequential::Variable| (name.kind() == prequential::Kind::Continuous) == numbers;
            table.variables().iter().filter(is_number).map(|variable| variable.name.clone()).collect()
        };
        let options = ReadOptions { numbers: of_kind(true), labels: of_kind(false), ..ReadOptions::default() };
        let again = Table::from_bytes("t.csv", table.to_csv().as_bytes(), &options).unwrap();
        prop_assert_eq!(shown(&again), shown(&table));
    }
}
