//! Text tables: whatever the bytes, an error, or a table that stays the same when it is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::{Kind, ReadOptions, Table};
use prequential_fuzz::check_table;

fuzz_target!(|bytes: &[u8]| {
    if let Some(table) = check_table("t.csv", bytes, &ReadOptions::default()) {
        check_round_trip(&table);
    }
});

fn check_round_trip(table: &Table) {
    let is_set = table.variables().iter().any(|variable| variable.intervened.is_some());
    let has_mark = table.names()[0].starts_with('\u{feff}');
    // `Table::to_csv` lists what it cannot keep.
    if is_set || has_mark {
        return;
    }
    let of_kind = |kind: Kind| {
        let variables = table.variables().iter().filter(|variable| variable.kind() == kind);
        variables.map(|variable| variable.name.clone()).collect()
    };
    let options = ReadOptions {
        labels: of_kind(Kind::Categorical),
        numbers: of_kind(Kind::Continuous),
        ..ReadOptions::default()
    };
    let again = Table::from_bytes("again.csv", table.to_csv().as_bytes(), &options)
        .expect("a written table can be read");
    // As text, for a missing number is NaN and differs from itself.
    assert_eq!(format!("{:?}", again.variables()), format!("{:?}", table.variables()));
}
