//! The library without Parquet, Arrow and the store: built and run by `make test-without-features` alone.
#![cfg(not(any(feature = "arrow", feature = "store")))]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::PathBuf;

use prequential::{Error, ReadOptions, Settings, Table, learn};

fn shown(error: Error) -> String {
    let first = match &error {
        Error::Table { problems } => Some((problems[0].what.to_string(), problems[0].hint.to_string())),
        _ => None,
    };
    let (what, hint) = first.unwrap_or_else(|| (error.to_string(), error.hint().to_string()));
    format!("error: {what}\nhint: {hint}")
}

fn read(name: &str, bytes: &[u8]) -> Result<Table, Error> {
    Table::from_bytes(name, bytes, &ReadOptions::default())
}

/// b follows a in three of four rows.
fn table() -> Table {
    let row = |row: usize| format!("{},{}\n", row % 2, if row % 8 < 6 { row % 2 } else { 1 - row % 2 });
    let rows: String = (0..200).map(row).collect();
    read("clinic.csv", format!("a,b\n{rows}").as_bytes()).unwrap()
}

#[test]
fn binary_files_are_named_as_what_this_build_does_not_read() {
    insta::assert_snapshot!(shown(read("t.parquet", b"PAR1").unwrap_err()), @"
    error: `t.parquet`: this build of prequential cannot read Parquet and Arrow files
    hint: build it with the feature `arrow`, or convert the file to CSV
    ");
    // Known by its first bytes alone.
    assert!(shown(read("t", b"ARROW1").unwrap_err()).contains("cannot read Parquet and Arrow files"));
}

#[test]
fn a_csv_file_is_learnt_and_its_result_says_which_table_it_was() {
    let table = table();
    let learned = learn(&table, &Settings::default()).unwrap();
    assert_eq!(learned.answer.dag.n_edges(), 1);
    let json = learned.to_json();
    // As `sha256sum` says of the file.
    assert!(json.contains("a5b7fdf0603925090967beacbcab47723c578d8b7f448eb4c6024d784b18b13c"), "{json}");
}

#[test]
fn a_store_is_refused_before_any_work() {
    let settings = Settings { store: Some(PathBuf::from("codes.db")), ..Settings::default() };
    insta::assert_snapshot!(shown(learn(&table(), &settings).unwrap_err()), @"
    error: store `codes.db`: this build of prequential cannot store code lengths
    hint: build it with the feature `store`
    ");
}
