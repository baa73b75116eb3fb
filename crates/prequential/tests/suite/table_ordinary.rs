//! Common irregularities of files: how each is read, or the hint.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::tables::OrderedLabels;
use prequential::{Error, Kind, ReadOptions, Table};

/// The columns as they were read, then all that is said about them; or the complaint.
fn reading(header: &str, row: impl Fn(usize) -> String, options: &ReadOptions) -> String {
    let rows: String = (0..120).map(|number| row(number) + "\n").collect();
    match Table::from_bytes("clinic.csv", format!("{header}\n{rows}").as_bytes(), options) {
        Ok(table) => {
            let kind = |kind| if kind == Kind::Continuous { "numbers" } else { "labels" };
            let columns = table.variables().iter().map(|v| format!("{}: {}", v.name, kind(v.kind())));
            let notes = table.notes().iter().map(|note| format!("note: {note}"));
            let warnings = table.warnings().iter().map(|warning| format!("warning: {warning}"));
            columns.chain(notes).chain(warnings).collect::<Vec<_>>().join("\n")
        }
        Err(Error::Table { problems }) => {
            let shown =
                problems.iter().map(|problem| format!("error: {}\nhint: {}", problem.what, problem.hint));
            shown.collect::<Vec<_>>().join("\n")
        }
        Err(error) => format!("error: {error}\nhint: {}", error.hint()),
    }
}

fn read(header: &str, row: impl Fn(usize) -> String) -> String {
    reading(header, row, &ReadOptions::default())
}

/// A number with two decimals and many different values.
fn noise(row: usize) -> f64 {
    (500.0 * (row as f64).sin()).round() / 100.0
}

fn ordered(column: &str, levels: &[&str]) -> ReadOptions {
    let levels = levels.iter().map(|level| level.to_string()).collect();
    ReadOptions { ordered: vec![OrderedLabels { column: column.into(), levels }], ..ReadOptions::default() }
}

#[test]
fn decimal_commas() {
    let comma = |number: f64| number.to_string().replace('.', ",");
    insta::assert_snapshot!(read("dose;age", |row| format!("{};{}", comma(noise(row)), comma(noise(row + 7)))), @"
    dose: numbers
    age: numbers
    note: `clinic.csv`, column `dose`: commas are read as decimal points, as in `4,21`; read the cells as labels with `labels: dose`
    note: `clinic.csv`, column `age`: commas are read as decimal points, as in `3,28`; read the cells as labels with `labels: age`
    ");
    let gaps = |row: usize| if row % 20 == 3 { "missing".to_string() } else { comma(noise(row)) };
    insta::assert_snapshot!(read("dose;sex", |row| format!("{};{}", gaps(row), row % 2)), @"
    error: `clinic.csv` line 5, column `dose`: expected a number, found `missing`
    hint: declare missing cells with `missing: missing`, or read the column as labels with `labels: dose`
    ");
    insta::assert_snapshot!(read("pay;sex", |row| format!("1,{};{}", 100 + 7 * row, row % 2)), @"
    error: `clinic.csv`, column `pay`: no two of its 120 labels are the same, as in an identifier
    hint: write plain numbers: `1100` or `1.100` instead of `1,100`
    ");
}

#[test]
fn labels_that_differ_by_case_or_blanks() {
    let smoker = ["Yes", "yes ", "no", "No", "NO"];
    let city = ["New York", "New  York", "Bonn"];
    insta::assert_snapshot!(read("smoker,city", |row| format!("{},{}", smoker[row % 5], city[row % 3])), @"
    smoker: labels
    city: labels
    warning: `clinic.csv`, column `smoker`: `NO` and `No` and `no` differ only by case or blanks (and 1 other label), and are treated as different labels; use one spelling if they mean the same
    warning: `clinic.csv`, column `city`: `New  York` and `New York` differ only by case or blanks, and are treated as different labels; use one spelling if they mean the same
    ");
}

#[test]
fn codes_of_missing_cells() {
    let age = |row: usize| if row % 12 == 5 { 999 } else { 20 + row * 7 % 60 };
    let grade = |row: usize| if row % 9 == 2 { -99 } else { 1 + row as i32 % 5 };
    insta::assert_snapshot!(read("age,grade", |row| format!("{},{}", age(row), grade(row))), @"
    age: numbers
    grade: labels
    warning: `clinic.csv`, column `age`: 999 (10 rows) is far from the other numbers, which go from 20 to 78; if it stands for a missing cell, declare it with `missing: 999`
    warning: `clinic.csv`, column `grade`: -99 (14 rows) is far from the other numbers, which go from 1 to 5; if it stands for a missing cell, declare it with `missing: -99`
    ");
}

#[test]
fn the_word_missing() {
    let sex = ["f", "m", "missing"];
    insta::assert_snapshot!(read("dose,sex", |row| format!("{},{}", noise(row), sex[row % 3])), @"
    dose: numbers
    sex: labels
    warning: `clinic.csv`, column `sex`: `missing` is read as a label; declare missing cells with `missing: missing`
    ");
    let dose = |row: usize| if row % 20 == 3 { "missing".to_string() } else { noise(row).to_string() };
    insta::assert_snapshot!(read("dose,sex", |row| format!("{},{}", dose(row), sex[row % 2])), @"
    error: `clinic.csv` line 5, column `dose`: expected a number, found `missing`
    hint: declare missing cells with `missing: missing`, or read the column as labels with `labels: dose`
    ");
}

#[test]
fn ordered_labels() {
    let pain = ["none", "mild", "severe"];
    let row = |row: usize| format!("{},{}", noise(row), pain[row % 3]);
    insta::assert_snapshot!(reading("dose,pain", row, &ordered("pain", &[])), @"
    dose: numbers
    pain: numbers
    note: `clinic.csv`, column `pain`: read as numbers, `none` = 1, `mild` = 2, `severe` = 3
    ");
    let visits = ["10+", "0-4", "5-9"];
    let row = |row: usize| format!("{},{}", noise(row), visits[row % 3]);
    insta::assert_snapshot!(reading("dose,visits", row, &ordered("visits", &[])), @"
    dose: numbers
    visits: numbers
    note: `clinic.csv`, column `visits`: read as numbers, `0-4` = 1, `5-9` = 2, `10+` = 3
    ");
    let stage = ["early", "late", "NA", "middle"];
    let row = |row: usize| format!("{},{}", noise(row), stage[row % 4]);
    insta::assert_snapshot!(reading("dose,stage", row, &ordered("stage", &[])), @"
    error: `clinic.csv`, column `stage`: the order of its labels is unknown, such as `early` (and 2 other labels)
    hint: give it, lowest first, with `ordered: stage=early<late<middle`
    ");
    insta::assert_snapshot!(reading("dose,stage", row, &ordered("stage", &["early", "middle", "late"])), @"
    dose: numbers
    stage: numbers
    note: `clinic.csv`, column `stage`: read as numbers, `early` = 1, `middle` = 2, `late` = 3
    ");
    insta::assert_snapshot!(reading("dose,stage", row, &ordered("stage", &["early", "late"])), @"
    error: `clinic.csv`, column `stage`: label `middle` has no place in the order
    hint: add it, as in `ordered: stage=early<late<middle`, or declare it as missing with `missing: middle`
    ");
    let twice = ReadOptions { labels: vec!["stage".into()], ..ordered("stage", &[]) };
    insta::assert_snapshot!(reading("dose,stage", row, &twice), @"
    error: both `labels` and `ordered` name column `stage`
    hint: name it in one of them
    ");
    insta::assert_snapshot!(reading("dose,stage", row, &ordered("stages", &[])), @"
    error: `ordered` names `stages`, but there is no such column
    hint: did you mean `stage`?
    ");
}

#[test]
fn row_names_of_r_and_pandas() {
    let row = |row: usize| format!("\"{}\",{},{}", row + 1, noise(row), row % 2);
    insta::assert_snapshot!(read("\"\",dose,sex", row), @"
    dose: numbers
    sex: labels
    note: `clinic.csv`: the first column has no name and contains the names of the rows, so it is left out
    ");
    insta::assert_snapshot!(read("rownames,dose,sex", row), @"
    dose: numbers
    sex: labels
    note: `clinic.csv`: the first column, `rownames`, counts the rows, so it is left out; keep it with `numbers: rownames`
    ");
    let names = |row: usize| format!("\"Mazda {row}\",{},{}", noise(row), row % 2);
    insta::assert_snapshot!(read("\"\",dose,sex", names), @"
    dose: numbers
    sex: labels
    note: `clinic.csv`: the first column has no name and contains the names of the rows, so it is left out
    ");
    insta::assert_snapshot!(read("rownames,dose,sex", names), @"
    error: `clinic.csv`, column `rownames`: no two of its 120 labels are the same, as in an identifier
    hint: leave it out with `ignore: rownames`, or keep it with `labels: rownames`
    ");
    insta::assert_snapshot!(read("\"\",dose,sex", |row| format!("{},{},{}", row % 7, noise(row), row % 2)), @"
    error: `clinic.csv`: column 1 has no name
    hint: name it in the header; if it is a row index of pandas, write the file with `index=False`
    ");
    let kept = ReadOptions { numbers: vec!["X".into()], ..ReadOptions::default() };
    insta::assert_snapshot!(reading("X,dose,sex", row, &kept), @"
    X: numbers
    dose: numbers
    sex: labels
    ");
    insta::assert_snapshot!(read("dose,sex", row), @"
    error: `clinic.csv` line 2: found 3 cells, expected 2 as in the header (and 119 more such lines)
    hint: give every column a name in the header, also that of row names; write decimals with a point, not a comma
    ");
}

#[test]
fn dates() {
    let date = |row: usize| format!("2021-{:02}-{:02}", 1 + row % 12, 1 + row % 28);
    insta::assert_snapshot!(read("visit,dose", |row| format!("{},{}", date(row), noise(row))), @"
    visit: numbers
    dose: numbers
    note: `clinic.csv`, column `visit`: dates are read as days since 1970-01-01
    ");
    let german = |row: usize| format!("{}.{}.2021", 1 + row % 28, 1 + row % 12);
    insta::assert_snapshot!(read("visit,dose", |row| format!("{},{}", german(row), noise(row))), @"
    error: `clinic.csv`, column `visit`: 84 different labels in 120 rows, above the limit of 50
    hint: write dates like `2024-02-29`, which are read as days, or leave the column out with `ignore: visit`
    ");
}
