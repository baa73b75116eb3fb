//! Warnings about tables, and the conditions on tables made in memory.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::tables::{InterventionMask, MISSING, Source};
use prequential::{Error, ReadOptions, Table, Values, Variable};

/// All warnings, one on a line.
fn shown(table: &Table) -> String {
    table.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn labels(name: &str, n_rows: u32, code: impl Fn(u32) -> u32) -> Variable {
    let levels = ["a", "b", "c"].map(String::from).to_vec();
    let values = Values::Labels { levels, codes: (0..n_rows).map(code).collect() };
    Variable { name: name.into(), values, intervened: None }
}

fn numbers(name: &str, n_rows: u32, number: impl Fn(f64) -> f64) -> Variable {
    let values = Values::Numbers((0..n_rows).map(f64::from).map(number).collect());
    Variable { name: name.into(), values, intervened: None }
}

fn problems(variables: Vec<Variable>) -> String {
    match Table::new(variables) {
        Err(Error::Table { problems }) => {
            let shown =
                problems.iter().map(|problem| format!("error: {}\nhint: {}", problem.what, problem.hint));
            shown.collect::<Vec<_>>().join("\n")
        }
        other => panic!("expected problems of a table, found {other:?}"),
    }
}

#[test]
fn odd_columns_of_a_file_are_kept_with_a_warning() {
    let rows: String = (0..60)
        .map(|row| {
            let x = f64::from(row).sin();
            let rare = if row % 5 < 2 { x.to_string() } else { String::new() };
            let seen = if row % 2 == 0 { "yes" } else { "NA" };
            let answer = ["no", "perhaps", "yes"][row as usize % 3];
            format!("{x},{x},3,{seen},{rare},{},{answer},set\n", row % 3)
        })
        .collect();
    let header = "x,x again,unit,seen,rare,code,answer,intervention\n";
    let text = format!("{header}{}", rows.replace(",set\n", ",code\n"));
    let table = Table::from_bytes("clinic.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(table.n_vars(), 7);
    insta::assert_snapshot!(shown(&table), @"
    `clinic.csv` has only 60 rows; with fewer than 100, most edges remain uncertain
    `clinic.csv`, column `unit`: always `3`, so nothing can be learned about it; leave it out with `ignore: unit`
    `clinic.csv`, column `seen`: always `yes` where it is observed, so only its missing cells carry information; leave it out with `ignore: seen`
    `clinic.csv`, column `rare`: 60 % of the cells are missing; leave it out with `ignore: rare` if they are not missing at random
    `clinic.csv`, column `code`: set by intervention in every row, so nothing can be learned about its causes
    `clinic.csv`, column `x again`: a copy of `x`; leave one of them out with `ignore: x again`
    `clinic.csv`, column `answer`: a copy of `code`; leave one of them out with `ignore: answer`
    ");
}

#[test]
fn a_column_called_int_that_is_kept_as_a_variable_is_doubted() {
    let read = |row: fn(u32) -> String| {
        let rows: String = (0..100).map(|number| row(number) + "\n").collect();
        Table::from_bytes("clinic.csv", format!("a,b,INT\n{rows}").as_bytes(), &ReadOptions::default())
            .unwrap()
    };
    let names = read(|row| format!("{},{},{}", row % 2, row % 3, ["a", "b"][row as usize % 4 / 2]));
    insta::assert_snapshot!(shown(&names), @"`clinic.csv`, column `INT`: kept as a variable, because not all of its cells are column numbers from 0 to 2; read interventions from it with `interventions: INT`, leave it out with `ignore: INT`, or confirm it as a variable with `labels: INT`");
    let scores = read(|row| format!("{},{},{}", row % 2, row % 3, row % 30));
    insta::assert_snapshot!(shown(&scores), @"`clinic.csv`, column `INT`: kept as a variable, because not all of its cells are column numbers from 0 to 2; read interventions from it with `interventions: INT`, leave it out with `ignore: INT`, or confirm it as a variable with `numbers: INT`");
}

#[test]
fn whole_numbers_that_all_differ_are_doubted_unless_declared() {
    let rows: String = (0..100).map(|row| format!("{},{}\n", row * 77 % 100 * 3 / 2, row % 2)).collect();
    let read = |options: &ReadOptions| {
        Table::from_bytes("clinic.csv", format!("case,sex\n{rows}").as_bytes(), options).unwrap()
    };
    insta::assert_snapshot!(shown(&read(&ReadOptions::default())), @"`clinic.csv`, column `case`: 100 whole numbers from 0 to 148, no two the same, as in an identifier; leave it out with `ignore: case` if it is one, or confirm it with `numbers: case`");
    let declared = ReadOptions { numbers: vec!["case".into()], ..ReadOptions::default() };
    assert!(read(&declared).warnings().is_empty());
}

#[test]
fn a_tidy_table_has_no_warning() {
    let table = Table::new(vec![numbers("x", 100, f64::sin), labels("y", 100, |row| row % 3)]).unwrap();
    assert!(table.warnings().is_empty());
    assert_eq!(table.source(), None);
}

#[test]
fn the_kinds_of_variables_made_in_memory_are_not_doubted() {
    let counting = numbers("row", 200, |row| row);
    let levels: Vec<String> = (0..200).map(|level| format!("P{level}")).collect();
    let values = Values::Labels { levels, codes: (0..200).collect() };
    let identifier = Variable { name: "id".into(), values, intervened: None };
    assert!(Table::new(vec![counting, identifier]).is_ok());
}

#[test]
fn all_broken_promises_of_a_table_are_reported_together() {
    let mut marked = labels("marked", 20, |row| row % 2);
    marked.intervened = Some(vec![true; 19]);
    let mut twice = labels("levels", 20, |row| row % 2);
    twice.values = Values::Labels { levels: vec!["a".into(), "a".into()], codes: vec![0; 20] };
    let variables = vec![
        numbers("x", 20, f64::sin),
        numbers("x", 20, f64::cos),
        numbers("", 20, f64::cos),
        numbers("short", 19, f64::cos),
        numbers("dose", 20, |row| 1.0 / (row - 7.0)),
        labels("code", 20, |row| row % 4),
        labels("gone", 20, |_| MISSING),
        marked,
        twice,
    ];
    insta::assert_snapshot!(problems(variables), @"
    error: two variables are called `x`
    hint: give each a different name
    error: variable 3 has no name
    hint: name it
    error: column `short`: found 19 rows, expected 20
    hint: give every column one cell for each row
    error: column `dose` is inf at row 7 (counting from 0)
    hint: replace it or drop the row; code lengths need finite numbers
    error: column `code`: code 3 at row 3 (counting from 0), but there are 3 levels
    hint: codes are positions in `levels`, or `MISSING`
    error: column `marked`: 19 cells of `intervened` for 20 rows
    hint: state for each row whether the cell was set
    error: column `levels`: two levels are the same
    hint: merge them
    error: column `gone`: every cell is missing
    hint: leave it out with `ignore: gone`
    ");
}

#[test]
fn a_table_needs_rows_and_variables() {
    insta::assert_snapshot!(problems(vec![numbers("x", 9, f64::sin)]), @"
    error: the table has 1 variable, expected at least 2
    hint: add variables
    error: the table has 9 rows, expected at least 10
    hint: add rows; learning a graph takes hundreds of them
    ");
    insta::assert_snapshot!(problems(vec![]), @"
    error: the table has 0 variables, expected at least 2
    hint: add variables
    error: the table has 0 rows, expected at least 10
    hint: add rows; learning a graph takes hundreds of them
    ");
}

#[test]
fn the_source_holds_paths_options_and_fingerprints_of_the_bytes_on_disk() {
    let rows: String = (0..100).map(|row| format!("{},{}\n", row % 2, row % 3)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, format!("a,b\n{rows}")).unwrap();
    let table = Table::read(&path, &ReadOptions::default()).unwrap();
    // From `sha256sum`.
    let sha256 = "56ede63247abde3fe9c4bcd74a4a2580fe58f363ac7eeca26b07f20e08bcd30c".to_string();
    let expected = Source {
        path: path.display().to_string(),
        sha256,
        options: ReadOptions::default(),
        mask_sha256: None,
    };
    assert_eq!(table.source(), Some(&expected));

    let mask = folder.path().join("mask.csv");
    std::fs::write(&mask, format!("a\n{}", "0\n".repeat(100))).unwrap();
    let options =
        ReadOptions { intervention_mask: Some(InterventionMask::File(mask)), ..ReadOptions::default() };
    let table = Table::read(&path, &options).unwrap();
    let mask_sha256 = "b61e5015850eb31f9f2f1de5aef72ee4faf72edaf5a0d25c29e911ac2aca27e9".to_string();
    assert_eq!(table.source(), Some(&Source { options, mask_sha256: Some(mask_sha256), ..expected }));
}

#[test]
fn labels_that_look_missing_and_names_that_look_like_data_are_pointed_out() {
    let rows: String = (0..120).map(|row| format!("{},{}\n", row % 2, ["a", "b", "N/A"][row % 3])).collect();
    let read = |header: &str, options: &ReadOptions| {
        let text = format!("{header}{rows}");
        shown(&Table::from_bytes("clinic.csv", text.as_bytes(), options).unwrap())
    };
    insta::assert_snapshot!(read("0,1.5\n", &ReadOptions::default()), @"
    `clinic.csv`: every name is a number; if the first row is data, put a row of names above it
    `clinic.csv`, column `1.5`: `N/A` is read as a label; declare missing cells with `missing: N/A`
    ");
    let options = ReadOptions { missing: vec!["N/A".into()], ..ReadOptions::default() };
    assert_eq!(read("x,y\n", &options), "");
}

#[test]
fn numbers_in_disguise_are_labels_with_a_warning() {
    let rows: String = (0..200).map(|row| format!("${};{}\n", row % 30, row / 7 % 2)).collect();
    let read = |rows: &str, options: &ReadOptions| {
        let table = Table::from_bytes("clinic.csv", format!("dose;sex\n{rows}").as_bytes(), options).unwrap();
        shown(&table)
    };
    insta::assert_snapshot!(read(&rows, &ReadOptions::default()), @"
    `clinic.csv`, column `dose`: read as 30 labels; write plain numbers: `0` instead of `$0`
    ");
    // So few numbers would be labels too.
    let few: String = (0..200).map(|row| format!("${};{}\n", row % 6, row / 7 % 2)).collect();
    assert_eq!(read(&few, &ReadOptions::default()), "");
}

/// Numbers between 0 and 1 that do not hang on each other.
fn scattered(row: f64, step: f64) -> f64 {
    (row * row * step).fract()
}

#[test]
fn columns_that_are_others_in_disguise_are_doubted() {
    let table = Table::new(vec![
        numbers("a", 300, |row| scattered(row, 0.754_877)),
        numbers("b", 300, |row| scattered(row, 0.569_840)),
        numbers("exp a", 300, |row| scattered(row, 0.754_877).exp()),
        numbers("nearly -b", 300, |row| 1e-3 * scattered(row, 0.3) - scattered(row, 0.569_840)),
        numbers("a + 2 b", 300, |row| scattered(row, 0.754_877) + 2.0 * scattered(row, 0.569_840)),
        numbers("a b", 300, |row| scattered(row, 0.754_877) * scattered(row, 0.569_840)),
        labels("town", 300, |row| (scattered(f64::from(row), 0.381_966) * 3.0) as u32),
        labels("country", 300, |row| u32::from(scattered(f64::from(row), 0.381_966) * 3.0 >= 1.0)),
    ]);
    let mut variables = table.unwrap().variables().to_vec();
    // Of three labels it has two.
    if let Values::Labels { levels, .. } = &mut variables[7].values {
        levels.truncate(2);
    }
    insta::assert_snapshot!(shown(&Table::new(variables).unwrap()), @"
    column `exp a`: increases whenever `a` increases: two names for one quantity? Leave one of them out with `ignore: exp a`
    column `nearly -b`: almost always decreases when `b` increases: two names for one quantity? Leave one of them out with `ignore: nearly -b`
    column `a + 2 b`: a linear combination of other columns, so their effects cannot be separated; leave one of them out, as with `ignore: a + 2 b`
    column `country`: is determined by `town` in every row, so no other column can explain it; leave one of them out, as with `ignore: country`
    ");
}

#[test]
fn a_series_over_time_is_doubted_and_a_sorted_column_is_not() {
    let wave = |row: f64, step: f64| (row / 30.0 + step).sin() + 0.3 * scattered(row, 0.754_877 + step);
    let series = Table::new(vec![
        numbers("x", 300, |row| wave(row, 0.0)),
        numbers("y", 300, |row| wave(row, 1.0)),
        labels("z", 300, |row| row / 50 % 3),
        labels("w", 300, |row| (scattered(f64::from(row), 0.381_966) * 3.0) as u32),
    ]);
    insta::assert_snapshot!(shown(&series.unwrap()), @"
    the table: rows resemble the rows before them (`z`: correlation 0.97, and 2 other columns), but are assumed independent; in a time series the evidence is overstated; if the rows are only sorted, there is no harm
    ");
    let sorted = Table::new(vec![
        numbers("x", 300, |row| row.sqrt()),
        numbers("y", 300, |row| scattered(row, 0.569_840)),
        numbers("z", 300, |row| scattered(row, 0.3)),
    ]);
    assert_eq!(shown(&sorted.unwrap()), "");
    let counted = Table::new(vec![labels("x", 300, |row| row / 150), labels("y", 300, |row| row / 50 % 3)]);
    assert_eq!(shown(&counted.unwrap()), "");
}
