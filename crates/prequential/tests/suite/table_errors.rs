//! Every error message about a table file, as the user sees it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

use prequential::tables::InterventionMask;
use prequential::{Error, ReadOptions, Table};

/// Error and hint, as the command line shows them; each problem of a table with its own.
fn shown(error: Error) -> String {
    match &error {
        Error::Table { problems } => {
            let shown =
                problems.iter().map(|problem| format!("error: {}\nhint: {}", problem.what, problem.hint));
            shown.collect::<Vec<_>>().join("\n")
        }
        _ => format!("error: {error}\nhint: {}", error.hint()),
    }
}

fn error_of_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> String {
    match Table::from_bytes(name, bytes, options) {
        Err(error) => shown(error),
        Ok(table) => panic!("expected an error, found a table of {} rows", table.n_rows()),
    }
}

fn error_of(text: &str, options: &ReadOptions) -> String {
    error_of_bytes("clinic.csv", text.as_bytes(), options)
}

/// A file with the given header and 200 rows.
fn csv(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..200).map(|number| row(number) + "\n").collect();
    format!("{header}\n{rows}")
}

/// A number with many different values that does not count the rows.
fn noise(row: usize) -> f64 {
    (row as f64).sin()
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| name.to_string()).collect()
}

fn plain() -> ReadOptions {
    ReadOptions::default()
}

#[test]
fn a_text_among_numbers() {
    let age = |row| if row == 199 { "n/a".to_string() } else { noise(row).to_string() };
    let text = csv("age,sex", |row| format!("{},{}", age(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 201, column `age`: expected a number, found `n/a`
    hint: declare missing cells with `missing: n/a`, or read the column as labels with `labels: age`
    ");
}

#[test]
fn a_text_in_a_column_declared_as_numbers() {
    let text = csv("sex,age", |row| format!("{},{}", ["f", "m"][row % 2], noise(row)));
    let options = ReadOptions { numbers: names(&["sex"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` line 2, column `sex`: expected a number, found `f` (and 1 other text in other rows)
    hint: declare missing cells with `missing: f, m`, or read the column as labels with `labels: sex`
    ");
}

#[test]
fn an_infinite_number() {
    let dose = |row| if row == 35 { "-inf".to_string() } else { noise(row).to_string() };
    let text = csv("dose,sex", |row| format!("{},{}", dose(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 37, column `dose`: expected a finite number, found `-inf`
    hint: replace it, or declare it as missing with `missing: -inf`; code lengths need finite numbers
    ");
}

#[test]
fn too_few_rows_and_variables() {
    insta::assert_snapshot!(error_of("a\n1\n2\n1\n", &plain()), @"
    error: `clinic.csv` has 1 variable, expected at least 2
    hint: check that the names in the header are separated by commas, tabs or semicolons
    error: `clinic.csv` has 3 rows, expected at least 10
    hint: add rows; learning a graph takes hundreds of them
    ");
    insta::assert_snapshot!(error_of("a,b\n", &plain()), @"
    error: `clinic.csv` has 0 rows, expected at least 10
    hint: add rows; learning a graph takes hundreds of them
    ");
    let text = csv("a,b,intervention", |row| format!("{},{},", row % 2, row % 3));
    let options = ReadOptions { ignore: names(&["b"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`intervention` was read as interventions), expected at least 2
    hint: name more columns with `columns`, or fewer with `ignore`; if `intervention` is an ordinary variable, read it with `labels: intervention`
    ");
}

#[test]
fn a_column_of_interventions_among_the_columns_asked_for_is_no_variable() {
    let text = csv("a,b,INT", |row| format!("{},{},{}", row % 2, row % 3, row % 3));
    let options = ReadOptions { columns: names(&["a", "INT"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`INT` was read as interventions), expected at least 2
    hint: name more columns with `columns`, or fewer with `ignore`; if `INT` is an ordinary variable, read it with `labels: INT`
    ");
    let options = ReadOptions { interventions: Some("INT".into()), ..options };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`INT` was read as interventions), expected at least 2
    hint: name more columns with `columns`, or fewer with `ignore`
    ");
    let options = ReadOptions { columns: names(&["INT", "b", "a"]), ..plain() };
    assert_eq!(Table::from_bytes("clinic.csv", text.as_bytes(), &options).unwrap().names(), ["b", "a"]);
}

#[test]
fn identifiers_of_all_kinds_are_reported_together() {
    let text = csv("patient id,row,age,sex", |row| format!("P{row},{},{},{}", row + 1, noise(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `patient id`: no two of its 200 labels are the same, as in an identifier
    hint: leave it out with `ignore: patient id`, or keep it with `labels: patient id`
    error: `clinic.csv`, column `row`: counts the rows, from 1 to 200, as an identifier does
    hint: leave it out with `ignore: row`, or keep it with `numbers: row`
    ");
}

#[test]
fn an_identifier_is_found_in_any_order_of_rows() {
    let text = csv("row,sex", |row| format!("{},{}", 1000 + row * 77 % 200, row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `row`: counts the rows, from 1000 to 1199, as an identifier does
    hint: leave it out with `ignore: row`, or keep it with `numbers: row`
    ");
    let options = ReadOptions { numbers: names(&["row"]), ..plain() };
    let table = Table::from_bytes("clinic.csv", text.as_bytes(), &options).unwrap();
    assert!(table.warnings().is_empty());
}

#[test]
fn too_many_labels() {
    let text = csv("city,sex", |row| format!("town {},{}", row % 60, row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `city`: 60 different labels in 200 rows, above the limit of 50
    hint: leave it out with `ignore: city`, merge rare labels, or keep it with `labels: city`
    ");
}

#[test]
fn more_labels_than_any_declaration_allows() {
    let rows: String = (0..66_000).map(|row| format!("{row},{}\n", row % 2)).collect();
    let options = ReadOptions { labels: names(&["a"]), ..plain() };
    insta::assert_snapshot!(error_of(&format!("a,b\n{rows}"), &options), @"
    error: `clinic.csv`, column `a`: 66,000 different labels in 66,000 rows, above the limit of 65,535
    hint: leave it out with `ignore: a`, or read it as numbers with `numbers: a`
    ");
}

#[test]
fn a_column_without_a_value() {
    let text = csv("a,b,c", |row| format!("{},{},NA", row % 2, row % 3));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `c`: every cell is missing
    hint: leave it out with `ignore: c`
    ");
}

#[test]
fn options_that_name_no_column() {
    let text = csv("age,sex", |row| format!("{},{}", noise(row), row % 2));
    let options = [
        ReadOptions { columns: names(&["age", "sexx"]), ..plain() },
        ReadOptions { ignore: names(&["weight"]), ..plain() },
        ReadOptions { labels: names(&["Sex"]), ..plain() },
        ReadOptions { numbers: names(&["agee"]), ..plain() },
        ReadOptions { interventions: Some("arm".into()), ..plain() },
    ];
    let all: Vec<String> = options.iter().map(|options| error_of(&text, options)).collect();
    insta::assert_snapshot!(all.join("\n"), @"
    error: `columns` names `sexx`, but there is no such column
    hint: did you mean `sex`?
    error: `ignore` names `weight`, but there is no such column
    hint: the columns are: age, sex
    error: `labels` names `Sex`, but there is no such column
    hint: did you mean `sex`?
    error: `numbers` names `agee`, but there is no such column
    hint: did you mean `age`?
    error: `interventions` names `arm`, but there is no such column
    hint: the columns are: age, sex
    ");
}

#[test]
fn names_and_rows_of_a_broken_file_are_reported_together() {
    insta::assert_snapshot!(error_of(",a,b,a\n0,1,2,3\n1,2,3\n2,3,4\n", &plain()), @"
    error: `clinic.csv`: 2 columns are called `a` (columns 2, 4)
    hint: give every column a different name in the header
    error: `clinic.csv` line 3: found 3 cells, expected 4 as in the header (and 1 more such line)
    hint: write one cell for every name in the header, with the same separator
    ");
}

#[test]
fn a_quote_that_is_never_closed() {
    let text = csv("a,b", |row| if row == 9 { "1,\"x".into() } else { format!("{},{}", row % 2, row % 3) });
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 11: a double quote is opened but never closed
    hint: close it; a double quote inside a quoted cell is written twice
    ");
    insta::assert_snapshot!(error_of("a,\"b\n1,2\n", &plain()), @"
    error: `clinic.csv` line 1: a double quote is opened but never closed
    hint: close it; a double quote inside a quoted cell is written twice
    ");
}

#[test]
fn text_that_is_not_utf_8() {
    insta::assert_snapshot!(error_of_bytes("clinic.csv", b"a,b\n1,2\n1,caf\xe9\n", &plain()), @"
    error: `clinic.csv` line 3, column `b`: the text is not UTF-8
    hint: save the file in UTF-8, for example with `iconv --from-code latin1 --to-code utf-8`; or leave the column out with `ignore: b`
    ");
    insta::assert_snapshot!(error_of_bytes("-", b"a,caf\xe9\n1,2\n", &plain()), @"
    error: standard input line 1, name of column 2: the text is not UTF-8
    hint: save the file in UTF-8, for example with `iconv --from-code latin1 --to-code utf-8`
    ");
}

#[test]
fn empty_and_unreadable_files() {
    insta::assert_snapshot!(error_of("", &plain()), @"
    error: `clinic.csv`: the file is empty
    hint: expected a line with the names of the columns, and a line for each row
    ");
    let absent = Table::read(Path::new("no/such/file.csv"), &plain()).unwrap_err();
    insta::assert_snapshot!(shown(absent), @r"
    error: cannot read `no/such/file.csv`: No such file or directory (os error 2)
    hint: check the path; it is relative to the current directory
    ");
}

#[test]
fn damaged_files() {
    insta::assert_snapshot!(error_of_bytes("t.csv.gz", b"a,b\n1,2\n", &plain()), @"
    error: `t.csv.gz`: the name ends in `.gz`, but the bytes are not gzip
    hint: compress it again with `gzip`, or remove `.gz` from its name if it is not compressed
    ");
    let cut = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4";
    insta::assert_snapshot!(error_of_bytes("t.csv.gz", cut, &plain()), @"
    error: `t.csv.gz`: the gzip data are damaged (incomplete deflate stream)
    hint: test it with `gzip --test`, and copy or compress it again
    ");
}

#[cfg(feature = "arrow")]
#[test]
fn damaged_binary_files() {
    insta::assert_snapshot!(error_of_bytes("t.parquet", b"PAR1 and so on", &plain()), @"
    error: `t.parquet`: not a Parquet file, or a damaged one (Parquet error: Invalid Parquet file. Corrupt footer)
    hint: write it again, or convert it to CSV
    ");
    insta::assert_snapshot!(error_of_bytes("t.arrow", b"ARROW1 and so on", &plain()), @"
    error: `t.arrow`: not an Arrow file, or a damaged one (Parser error: Arrow file does not contain correct footer)
    hint: write it again, or convert it to CSV
    ");
}

#[test]
fn contradictory_options() {
    let text = csv("age,sex", |row| format!("{},{}", noise(row), row % 2));
    let options = ReadOptions { labels: names(&["age"]), numbers: names(&["age"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: both `labels` and `numbers` name column `age`
    hint: name it in one of them
    ");
}

#[test]
fn interventions_on_unknown_variables() {
    let set = |row| ["", "a", "a;dose", "x"][row % 4];
    let text = csv("a,b,intervention", |row| format!("{},{},{}", row % 2, row % 3, set(row)));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 4, column `intervention`: `dose` is not the name of a column (and 1 other unknown name)
    hint: write names of columns in `intervention`, separated by `;`; if it is an ordinary variable, read it with `labels: intervention`
    ");
}

#[test]
fn interventions_on_columns_beyond_the_last() {
    let text = csv("a,b,target", |row| format!("{},{},{}", row % 2, row % 3, row % 4));
    let options = ReadOptions { interventions: Some("target".into()), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` line 5, column `target`: expected a number from 0 to 2, found `3`
    hint: 0 stands for no intervention, 1 for the first column of the file, and so on, not counting the column of interventions
    ");
}

#[test]
fn masks_that_do_not_fit() {
    let text = csv("a,b", |row| format!("{},{}", row % 2, row % 3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mask.csv");
    let error = |mask: String| {
        std::fs::write(&path, mask).unwrap();
        let options =
            ReadOptions { intervention_mask: Some(InterventionMask::File(path.clone())), ..plain() };
        error_of(&text, &options).replace(&folder.path().display().to_string(), "")
    };
    insta::assert_snapshot!(error("a\n1\n".into()), @"
    error: `/mask.csv` has 1 row, but `clinic.csv` has 200 rows
    hint: the mask needs one row for each row of the table
    ");
    insta::assert_snapshot!(error(csv("weight", |_| "0".into())), @"
    error: `/mask.csv` names `weight`, but there is no such column
    hint: the columns are: a, b
    ");
    insta::assert_snapshot!(error(csv("a", |row| if row == 3 { "yes".into() } else { "1".into() })), @"
    error: `/mask.csv` line 5, column `a`: expected 0 or 1, found `yes`
    hint: write 1 where the variable was set by intervention, 0 elsewhere
    ");
}

#[test]
fn decimal_commas_between_commas_make_rows_longer_than_the_header() {
    let text = csv("dose,sex", |row| format!("{},{}", noise(row).to_string().replace('.', ","), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 3: found 3 cells, expected 2 as in the header (and 198 more such lines)
    hint: give every column a name in the header, also that of row names; write decimals with a point, not a comma
    ");
}

#[test]
fn lines_above_the_header() {
    let text = csv("# from the clinic\nage,sex", |row| format!("{},{}", noise(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 2: found 2 cells, expected 1 as in the header (and 200 more such lines)
    hint: start the file with the names of the columns; remove other lines above them
    ");
}

#[test]
fn rows_shorter_than_the_header() {
    insta::assert_snapshot!(error_of(&csv("a,b,c", |row| format!("{}", row % 2)), &plain()), @"
    error: `clinic.csv` line 2: found 1 cell, expected 3 as in the header (and 199 more such lines)
    hint: write one cell for every name in the header, with the same separator
    ");
}

#[test]
fn numbers_in_disguise() {
    let pay = csv("pay,sex", |row| format!("\"{}\",{}", group(1000 + row * row * 7), row % 2));
    let price = csv("price,sex", |row| format!("${}.50,{}", row * row % 197, row % 2));
    let share = csv("share,sex", |row| format!("{:.1} %,{}", noise(row) * 100.0, row % 2));
    let day = csv("day,sex", |row| format!("{:02}.{:02}.2024,{}", 1 + row % 28, 1 + row % 12, row % 2));
    let few = csv("pay,sex", |row| match row {
        50 => "\"1,234\",0".to_string(),
        _ => format!("{},{}", noise(row), row % 2),
    });
    let all = [pay, price, share, day, few].map(|text| error_of(&text, &plain()));
    insta::assert_snapshot!(all.join("\n"), @"
    error: `clinic.csv`, column `pay`: no two of its 200 labels are the same, as in an identifier
    hint: write plain numbers: `1000` or `1.000` instead of `1,000`
    error: `clinic.csv`, column `price`: 99 different labels in 200 rows, above the limit of 50
    hint: write plain numbers: `0.5` instead of `$0.50`
    error: `clinic.csv`, column `share`: 176 different labels in 200 rows, above the limit of 50
    hint: write plain numbers: `-0.9` instead of `-0.9 %`
    error: `clinic.csv`, column `day`: 84 different labels in 200 rows, above the limit of 50
    hint: write dates like `2024-02-29`, which are read as days, or leave the column out with `ignore: day`
    error: `clinic.csv` line 52, column `pay`: expected a number, found `1,234`
    hint: write plain numbers: `1234` or `1.234` instead of `1,234`
    ");
}

/// `12,345`.
fn group(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn text_that_is_utf_16() {
    let text = csv("age,sex", |row| format!("{},{}", noise(row), row % 2));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], little.as_slice()].concat();
    let all = [marked, little].map(|bytes| error_of_bytes("clinic.csv", &bytes, &plain()));
    insta::assert_snapshot!(all.join("\n"), @"
    error: `clinic.csv`: the text is UTF-16, not UTF-8
    hint: save the file in UTF-8, for example with `iconv --from-code UTF-16 --to-code utf-8`
    error: `clinic.csv`: the text is UTF-16LE, not UTF-8
    hint: save the file in UTF-8, for example with `iconv --from-code UTF-16LE --to-code utf-8`
    ");
}

#[test]
fn files_that_are_no_tables() {
    let heads: [&[u8]; 14] = [
        b"PK\x03\x04\x14\0\0\0\x08\0",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"BZh91AY&SY",
        b"\xfd7zXZ\0\0\x04",
        b"\x28\xb5\x2f\xfd\x04\x88",
        b"7z\xbc\xaf\x27\x1c\0\x04",
        b"%PDF-1.4\n%\xe2\xe3",
        b"SQLite format 3\0\x10\0",
        b"\x89HDF\r\n\x1a\n",
        b"\x93NUMPY\x01\0v\0",
        b"RDX3\nX\n\0\0",
        b"[{\"age\": 1, \"sex\": 0}]",
        b"{\"age\": [1, 2]}",
        b"<!DOCTYPE html>\n<html>",
    ];
    let all = heads.map(|head| error_of_bytes("clinic.csv", head, &plain()));
    insta::assert_snapshot!(all.join("\n"), @"
    error: `clinic.csv`: this is not a table but a zip archive or a spreadsheet (.xlsx, .ods)
    hint: open it in a spreadsheet program and save the sheet as CSV (UTF-8)
    error: `clinic.csv`: this is not a table but an old spreadsheet (.xls)
    hint: open it in a spreadsheet program and save the sheet as CSV (UTF-8)
    error: `clinic.csv`: this is not a table but a file compressed with bzip2
    hint: decompress it first, with `bunzip2`; the only compressed files that are read are .gz
    error: `clinic.csv`: this is not a table but a file compressed with xz
    hint: decompress it first, with `unxz`; the only compressed files that are read are .gz
    error: `clinic.csv`: this is not a table but a file compressed with zstd
    hint: decompress it first, with `unzstd`; the only compressed files that are read are .gz
    error: `clinic.csv`: this is not a table but a 7z archive
    hint: extract it first, with `7z x`
    error: `clinic.csv`: this is not a table but a PDF document
    hint: get the table itself, as CSV
    error: `clinic.csv`: this is not a table but an SQLite database
    hint: export the table with `sqlite3 -header -csv FILE 'select * from ...'`
    error: `clinic.csv`: this is not a table but an HDF5 file
    hint: convert the table to CSV, Parquet or Arrow
    error: `clinic.csv`: this is not a table but a NumPy array
    hint: convert the table to CSV, Parquet or Arrow
    error: `clinic.csv`: this is not a table but an R workspace
    hint: write the table with `write.csv(table, 'table.csv', row.names = FALSE)`
    error: `clinic.csv`: this is not a table but JSON
    hint: convert the table to CSV, Parquet or Arrow
    error: `clinic.csv`: this is not a table but JSON
    hint: convert the table to CSV, Parquet or Arrow
    error: `clinic.csv`: this is not a table but a web page
    hint: download the table itself; this may be an error or login page
    ");
}

#[test]
fn zero_bytes() {
    let text = csv("a,b", |row| format!("{},{}", row % 2, if row > 197 { "x\0" } else { "y" }));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 200, column `b`: a zero byte, which text cannot contain (and 1 more such cell)
    hint: write the file again; or leave the column out with `ignore: b`
    ");
    insta::assert_snapshot!(error_of("a\0,b\n1,2\n", &plain()), @"
    error: `clinic.csv` line 1, name of column 1: a zero byte, which text cannot contain
    hint: give a file of text, Parquet or Arrow
    ");
}

#[test]
fn names_that_are_missing_or_shared_by_the_thousand() {
    let nameless = format!("{}\n", ",".repeat(9_999));
    let shared: Vec<String> = (0..10_000).map(|column| format!("c{}", column / 2)).collect();
    insta::assert_snapshot!(error_of(&nameless, &plain()), @"
    error: `clinic.csv`: columns 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 9,980 more have no name
    hint: name every column in the header, the first line of the file
    ");
    insta::assert_snapshot!(error_of(&shared.join(","), &plain()), @"
    error: `clinic.csv`: 2 columns are called `c0` (columns 1, 2)
    hint: give every column a different name in the header
    error: `clinic.csv`: 2 columns are called `c1` (columns 3, 4)
    hint: give every column a different name in the header
    error: `clinic.csv`: 2 columns are called `c2` (columns 5, 6)
    hint: give every column a different name in the header
    error: `clinic.csv`: 2 columns are called `c3` (columns 7, 8)
    hint: give every column a different name in the header
    error: `clinic.csv`: 2 columns are called `c4` (columns 9, 10) (and 4,995 other shared names)
    hint: give every column a different name in the header
    ");
}

#[test]
fn more_variables_than_a_graph_can_have() {
    let header: Vec<String> = (0..10_001).map(|column| format!("c{column}")).collect();
    let row = vec!["0"; 10_001].join(",") + "\n" + &vec!["1"; 10_001].join(",") + "\n";
    let text = format!("{}\n{}", header.join(","), row.repeat(5));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` has 10,001 variables, above the limit of 10,000
    hint: keep the columns that matter with `columns`; if rows are variables, transpose the table
    ");
}

#[test]
fn a_row_longer_than_memory_should_hold() {
    let text = format!("a,b\n1,2\n\"{}", "x\n".repeat(34 << 20));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 3: a row of more than 64 MiB
    hint: check that this is a table, and that all double quotes are closed
    ");
}

#[test]
fn a_packed_file_cut_in_its_rows() {
    use std::io::Write;
    let text = csv("a,b", |row| format!("{},{}", noise(row), row % 3));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let half = &packed[..packed.len() / 2];
    insta::assert_snapshot!(error_of_bytes("t.csv.gz", half, &plain()), @"
    error: `t.csv.gz`: the gzip data are damaged (incomplete deflate stream)
    hint: test it with `gzip --test`, and copy or compress it again
    ");
}

#[test]
fn a_directory_and_a_stream_without_bytes() {
    let directory = Table::read(Path::new("."), &plain()).unwrap_err();
    insta::assert_snapshot!(shown(directory), @"
    error: cannot read `.`: Is a directory (os error 21)
    hint: name a file in this directory
    ");
    insta::assert_snapshot!(error_of_bytes("-", b"", &plain()), @"
    error: standard input: the file is empty
    hint: expected a line with the names of the columns, and a line for each row
    ");
}

#[test]
fn masks_with_many_wrong_cells() {
    let text = csv("a,b", |row| format!("{},{}", row % 2, row % 3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mask.csv");
    std::fs::write(&path, csv("a", |row| format!("x{row}"))).unwrap();
    let options = ReadOptions { intervention_mask: Some(InterventionMask::File(path)), ..plain() };
    let error = error_of(&text, &options).replace(&folder.path().display().to_string(), "");
    insta::assert_snapshot!(error, @"
    error: `/mask.csv` line 2, column `a`: expected 0 or 1, found `x0` (and 199 other wrong cells)
    hint: write 1 where the variable was set by intervention, 0 elsewhere
    ");
}

#[test]
fn options_about_the_intervention_column() {
    let text = csv("age,arm", |row| format!("{},{}", noise(row), row % 2));
    let named = ReadOptions { interventions: Some("arm".into()), ..plain() };
    let all = [
        ReadOptions { labels: names(&["arm"]), ..named.clone() },
        ReadOptions { numbers: names(&["arm"]), ..named.clone() },
        ReadOptions { ignore: names(&["arm"]), ..named.clone() },
    ];
    let all: Vec<String> = all.iter().map(|options| error_of(&text, options)).collect();
    insta::assert_snapshot!(all.join("\n"), @"
    error: both `interventions` and `labels` name column `arm`
    hint: remove it from `labels`
    error: both `interventions` and `numbers` name column `arm`
    hint: remove it from `numbers`
    error: both `interventions` and `ignore` name column `arm`
    hint: remove it from `ignore`
    ");
    let named_wrong = csv("a,b,arm", |row| format!("{},{},{}", row % 2, row % 3, ["a", "x"][row % 2]));
    insta::assert_snapshot!(error_of(&named_wrong, &named), @"
    error: `clinic.csv` line 3, column `arm`: `x` is not the name of a column
    hint: write names of columns in `arm`, separated by `;`, or nothing where nothing was set
    ");
}

#[test]
fn names_with_escapes_are_shown_and_not_obeyed() {
    let text = csv("a\u{1b}[2J,\"b\nc\"", |row| format!("{},NA", noise(row)));
    insta::assert_snapshot!(error_of(&text, &plain()), @r#"
    error: `clinic.csv`, column `b\nc`: every cell is missing
    hint: leave it out with `ignore: b\nc`
    "#);
    let options = ReadOptions { ignore: names(&["\u{1b}[31mred"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @r#"
    error: `ignore` names `\u{1b}[31mred`, but there is no such column
    hint: the columns are: a\u{1b}[2J, b\nc
    "#);
}
