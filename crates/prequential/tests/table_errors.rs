//! The whole message of everything that can be wrong with a file, as the user sees it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

use prequential::{Error, ReadOptions, Table};

/// Error and hint, as the command line shows them; each problem of a table with its own.
fn shown(error: Error) -> String {
    match &error {
        Error::Table { problems } => {
            let shown = problems.iter().map(|problem| format!("error: {problem}\nhint: {}", problem.hint));
            shown.collect::<Vec<_>>().join("\n")
        }
        _ => format!("error: {error}\nhint: {}", error.hint().unwrap_or_default()),
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
    hint: declare missing cells with `--missing n/a`, or read the column as labels with `--labels age`
    ");
}

#[test]
fn a_text_in_a_column_declared_as_numbers() {
    let text = csv("sex,age", |row| format!("{},{}", ["f", "m"][row % 2], noise(row)));
    let options = ReadOptions { numbers: names(&["sex"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` line 2, column `sex`: expected a number, found `f` (and 1 other text in other rows)
    hint: declare missing cells with `--missing f,m`, or read the column as labels with `--labels sex`
    ");
}

#[test]
fn an_infinite_number() {
    let dose = |row| if row == 35 { "-inf".to_string() } else { noise(row).to_string() };
    let text = csv("dose,sex", |row| format!("{},{}", dose(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 37, column `dose`: expected a finite number, found `-inf`
    hint: replace it, or declare it as missing with `--missing -inf`; code lengths need finite numbers
    ");
}

#[test]
fn too_few_rows_and_variables() {
    insta::assert_snapshot!(error_of("a\n1\n2\n1\n", &plain()), @"
    error: `clinic.csv` has 1 variable, expected at least 2
    hint: check that the names in the header are separated by commas, tabs or semicolons
    error: `clinic.csv` has 3 rows, expected at least 10
    hint: add rows; a graph takes hundreds of them to learn
    ");
    insta::assert_snapshot!(error_of("a,b\n", &plain()), @"
    error: `clinic.csv` has 0 rows, expected at least 10
    hint: add rows; a graph takes hundreds of them to learn
    ");
    let text = csv("a,b,intervention", |row| format!("{},{},", row % 2, row % 3));
    let options = ReadOptions { ignore: names(&["b"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`intervention` was taken for interventions), expected at least 2
    hint: name more columns with `--columns`, or fewer with `--ignore`; if `intervention` is a variable of its own, read it with `--labels intervention`
    ");
}

#[test]
fn a_column_of_interventions_among_the_columns_asked_for_is_no_variable() {
    let text = csv("a,b,INT", |row| format!("{},{},{}", row % 2, row % 3, row % 3));
    let options = ReadOptions { columns: names(&["a", "INT"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`INT` was taken for interventions), expected at least 2
    hint: name more columns with `--columns`, or fewer with `--ignore`; if `INT` is a variable of its own, read it with `--labels INT`
    ");
    let options = ReadOptions { interventions: Some("INT".into()), ..options };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: `clinic.csv` has 1 variable (`INT` was taken for interventions), expected at least 2
    hint: name more columns with `--columns`, or fewer with `--ignore`
    ");
    let options = ReadOptions { columns: names(&["INT", "b", "a"]), ..plain() };
    assert_eq!(Table::from_bytes("clinic.csv", text.as_bytes(), &options).unwrap().names(), ["b", "a"]);
}

#[test]
fn identifiers_of_all_kinds_are_reported_together() {
    let text = csv("patient id,row,age,sex", |row| format!("P{row},{},{},{}", row + 1, noise(row), row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `patient id`: no two of its 200 labels are the same, as in an identifier
    hint: leave it out with `--ignore 'patient id'`, or keep it with `--labels 'patient id'`
    error: `clinic.csv`, column `row`: counts the rows, from 1 to 200, as an identifier does
    hint: leave it out with `--ignore row`, or keep it with `--numbers row`
    ");
}

#[test]
fn an_identifier_is_found_in_any_order_of_rows() {
    let text = csv("row,sex", |row| format!("{},{}", 1000 + row * 77 % 200, row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `row`: counts the rows, from 1000 to 1199, as an identifier does
    hint: leave it out with `--ignore row`, or keep it with `--numbers row`
    ");
    let options = ReadOptions { numbers: names(&["row"]), ..plain() };
    let table = Table::from_bytes("clinic.csv", text.as_bytes(), &options).unwrap();
    assert!(table.warnings().is_empty());
}

#[test]
fn few_rows_make_numbers_look_like_identifiers() {
    let rows: String = (0..15).map(|row| format!("{},{}\n", noise(row), row % 2)).collect();
    insta::assert_snapshot!(error_of(&format!("x,y\n{rows}"), &plain()), @"
    error: `clinic.csv`, column `x`: no two of its 15 labels are the same, as in an identifier
    hint: leave it out with `--ignore x`, or keep it with `--numbers x`
    ");
}

#[test]
fn too_many_labels() {
    let text = csv("city,sex", |row| format!("town {},{}", row % 60, row % 2));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `city`: 60 different labels in 200 rows, above the limit of 50
    hint: leave it out with `--ignore city`, join rare labels, or keep it with `--labels city`
    ");
}

#[test]
fn more_labels_than_any_declaration_allows() {
    let rows: String = (0..66_000).map(|row| format!("{row},{}\n", row % 2)).collect();
    let options = ReadOptions { labels: names(&["a"]), ..plain() };
    insta::assert_snapshot!(error_of(&format!("a,b\n{rows}"), &options), @"
    error: `clinic.csv`, column `a`: 66,000 different labels in 66,000 rows, above the limit of 65,535
    hint: leave it out with `--ignore a`, or read it as numbers with `--numbers a`
    ");
}

#[test]
fn a_column_without_a_value() {
    let text = csv("a,b,c", |row| format!("{},{},NA", row % 2, row % 3));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv`, column `c`: every cell is missing
    hint: leave it out with `--ignore c`
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
    error: `--columns` names `sexx`, but there is no such column
    hint: did you mean `sex`?
    error: `--ignore` names `weight`, but there is no such column
    hint: the columns are: age, sex
    error: `--labels` names `Sex`, but there is no such column
    hint: did you mean `sex`?
    error: `--numbers` names `agee`, but there is no such column
    hint: did you mean `age`?
    error: `--interventions` names `arm`, but there is no such column
    hint: the columns are: age, sex
    ");
}

#[test]
fn names_and_rows_of_a_broken_file_are_reported_together() {
    insta::assert_snapshot!(error_of(",a,b,a\n0,1,2,3\n1,2,3\n2,3,4\n", &plain()), @"
    error: `clinic.csv`: column 1 has no name
    hint: name it in the header; if it is a row index of pandas, write the file with `index=False`
    error: `clinic.csv`: 2 columns are called `a` (columns 2, 4)
    hint: give every column a name of its own in the header
    error: `clinic.csv` line 3: found 3 cells, expected 4 as in the header (and 1 more such line)
    hint: mend the line; a cell that contains the delimiter or a line break must be in double quotes
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
    hint: save the file in UTF-8, for example with `iconv --from-code latin1 --to-code utf-8`; or leave the column out with `--ignore b`
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
    hint: expected a header and rows
    ");
    let absent = Table::read(Path::new("no/such/file.csv"), &plain()).unwrap_err();
    insta::assert_snapshot!(shown(absent), @r"
    error: cannot read `no/such/file.csv`: No such file or directory (os error 2)
    hint: check the path; it is taken from the current directory
    ");
}

#[test]
fn damaged_files() {
    insta::assert_snapshot!(error_of_bytes("t.csv.gz", b"a,b\n1,2\n", &plain()), @"
    error: `t.csv.gz`: the name ends in `.gz`, but the bytes are not gzip
    hint: pack it again with `gzip`, or take `.gz` off its name if it is not packed
    ");
    let cut = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4";
    insta::assert_snapshot!(error_of_bytes("t.csv.gz", cut, &plain()), @"
    error: `t.csv.gz`: the gzip data are damaged (incomplete deflate stream)
    hint: test it with `gzip --test`, and copy or pack it again
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

#[cfg(not(feature = "arrow"))]
#[test]
fn binary_files_without_the_feature() {
    insta::assert_snapshot!(error_of_bytes("t.parquet", b"PAR1", &plain()), @"
    error: `t.parquet`: this build of prequential reads no Parquet and Arrow files
    hint: build it with the feature `arrow`, or convert the file to CSV
    ");
}

#[test]
fn contradictory_options() {
    let text = csv("age,sex", |row| format!("{},{}", noise(row), row % 2));
    let options = ReadOptions { labels: names(&["age"]), numbers: names(&["age"]), ..plain() };
    insta::assert_snapshot!(error_of(&text, &options), @"
    error: both `--labels` and `--numbers` name column `age`
    hint: name it in one of them
    ");
}

#[test]
fn interventions_on_unknown_variables() {
    let set = |row| ["", "a", "a;dose", "x"][row % 4];
    let text = csv("a,b,intervention", |row| format!("{},{},{}", row % 2, row % 3, set(row)));
    insta::assert_snapshot!(error_of(&text, &plain()), @"
    error: `clinic.csv` line 4, column `intervention`: `dose` is not the name of a column (and 1 other unknown name)
    hint: write names of columns in `intervention`, separated by `;`; if it is a variable of its own, read it with `--labels intervention`
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
        let options = ReadOptions { intervention_mask: Some(path.clone()), ..plain() };
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
fn decimal_commas_are_recognised() {
    let rows: String =
        (0..200).map(|row| format!("{};{},{:03}\n", row % 2, row % 150 % 7, 5 * (row % 150) + 1)).collect();
    let error = Table::from_bytes("excel.csv", format!("a;n\n{rows}").as_bytes(), &plain()).unwrap_err();
    assert_eq!(error.hint().unwrap(), "write decimals with a point: `0.5` instead of `0,5`");
}
