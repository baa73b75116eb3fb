//! Near-valid tables with any options: a table, or an error with its place and a hint.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::tables::{InterventionMask, OrderedLabels};
use prequential::{Error, ReadOptions, Table};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cells that some part of the reader treats in a way of its own.
fn cell() -> impl Strategy<Value = String> {
    let odd = select(std::vec![
        "",
        "NA",
        "NaN",
        "?",
        "n/a",
        "inf",
        "-inf",
        "1e400",
        "1e-400",
        "-0",
        "00",
        "1_000",
        "1,5",
        "1.000,5",
        "\"1,234\"",
        "\"a\nb\"",
        "\"say \"\"x\"\"\"",
        "\"",
        "$5",
        "5 %",
        "2024-02-29",
        "18446744073709551616",
        "\u{feff}",
        "\0",
        "\r",
        "a;b",
        "a",
        "b",
        " x ",
        "é",
        "日本",
        "\u{1b}[2J",
        "1;2",
        "3",
        "0x10",
    ]);
    let number = (-30_i32..30).prop_map(|number| (f64::from(number) / 4.0).to_string());
    prop_oneof![2 => odd.prop_map(String::from), 3 => number]
}

fn column_name() -> impl Strategy<Value = &'static str> {
    select(std::vec![
        "a",
        "b",
        "c",
        "INT",
        "intervention",
        "\"a, b\"",
        "\"x\ny\"",
        "",
        "<b>",
        "\u{1b}c",
        "a b"
    ])
}

/// A header and rows that mostly have as many cells.
fn table() -> impl Strategy<Value = String> {
    (vec(column_name(), 1..5), select(std::vec![",", ";", "\t"])).prop_flat_map(|(header, delimiter)| {
        let n = header.len();
        let width = prop_oneof![50 => Just(n), 1 => 0..n + 2];
        let row = width.prop_flat_map(|width| vec(cell(), width));
        (Just(header.join(delimiter)), vec(row, 0..40), Just(delimiter)).prop_map(
            |(header, rows, delimiter)| {
                let rows: Vec<String> = rows.iter().map(|row| row.join(delimiter)).collect();
                format!("{header}\n{}\n", rows.join("\n"))
            },
        )
    })
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let name = select(std::vec!["a", "b", "c", "INT", "intervention", "a, b", "x\ny", "nobody", "1.5"]);
    vec(name.prop_map(String::from), 0..3)
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let rarely = || prop_oneof![2 => Just(Vec::new()), 1 => names()];
    let ordered = (rarely(), rarely()).prop_map(|(columns, levels)| {
        let labels = |column| OrderedLabels { column, levels: levels.clone() };
        columns.into_iter().map(labels).collect()
    });
    let interventions = prop::option::weighted(0.2, names());
    (rarely(), rarely(), rarely(), rarely(), ordered, rarely(), interventions).prop_map(
        |(columns, ignore, labels, numbers, ordered, missing, interventions)| ReadOptions {
            columns,
            ignore,
            labels,
            numbers,
            ordered,
            missing,
            interventions: interventions.unwrap_or_default().pop(),
            intervention_mask: None,
        },
    )
}

/// Every problem has its place and its way out, each on one line that a terminal shows as it is.
fn check(result: prequential::Result<Table>) {
    let error = match result {
        Ok(table) => return assert!(table.n_rows() >= 10 && table.n_vars() >= 2),
        Err(error) => error,
    };
    let problems = match &error {
        Error::Table { problems } => {
            problems.iter().map(|problem| (problem.what.to_string(), problem.hint.to_string())).collect()
        }
        other => vec![(other.to_string(), other.hint().to_string())],
    };
    assert!(!problems.is_empty());
    for (what, hint) in problems {
        let options = ["`columns`", "`ignore`", "`labels`", "`numbers`", "`ordered`", "`interventions`"];
        let has_place = ["t.csv", "mask.csv"].iter().chain(&options).any(|place| what.contains(place));
        assert!(has_place && !hint.is_empty(), "{what} / {hint}");
        assert!(!what.contains(char::is_control) && !hint.contains(char::is_control), "{what} / {hint}");
        assert!(what.len() < 1000 && hint.len() < 1000, "{what} / {hint}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn near_valid_tables_with_any_options(text in table(), options in options()) {
        check(Table::from_bytes("t.csv", text.as_bytes(), &options));
    }

    #[test]
    fn tables_of_any_bytes_after_a_header(bytes in vec(any::<u8>(), 0..300), options in options()) {
        check(Table::from_bytes("t.csv", &[b"a,b,c\n".as_slice(), &bytes].concat(), &options));
    }

    #[test]
    fn any_cells_in_a_column_of_interventions(
        cells in vec(select(std::vec!["", "a", "b", "a;b", "b ; a", ";", "0", "1", "2", "2.0", "9", "-1", "1e300", "NA", "x", "a;x", "\u{7}"]), 1..5),
        name in select(std::vec!["intervention", "INT", "arm"]),
    ) {
        let rows: String = (0..20).map(|row| format!("{},{},{}\n", row % 2, row % 3, cells[row % cells.len()])).collect();
        let interventions = Some("arm".to_string()).filter(|arm| arm == name);
        let options = ReadOptions { interventions, ..ReadOptions::default() };
        check(Table::from_bytes("t.csv", format!("a,b,{name}\n{rows}").as_bytes(), &options));
    }
}

proptest! {
    // Each case writes a file.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_mask(near in table(), bytes in vec(any::<u8>(), 0..100), is_near in any::<bool>(), fits in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mask.csv");
        let rows: String = (0..20).map(|row| format!("{},{}\n", row % 2, row % 3)).collect();
        let mask = match (fits, is_near) {
            (true, _) => format!("a\n{}", rows.replace(",0", "").replace(",1", "").replace(",2", "")).into_bytes(),
            (_, true) => near.into_bytes(),
            _ => bytes,
        };
        std::fs::write(&path, mask).unwrap();
        let options = ReadOptions { intervention_mask: Some(InterventionMask::File(path)), ..ReadOptions::default() };
        check(Table::from_bytes("t.csv", format!("a,b\n{rows}").as_bytes(), &options));
    }
}
