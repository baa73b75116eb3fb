//! Two small tables for tests inside the library; those outside have `prequential-simulate`.

use super::{Table, Values, Variable};

fn table(values: [Values; 3]) -> Table {
    let variables = ["a", "b", "c"].into_iter().zip(values);
    let variables = variables.map(|(name, values)| Variable { name: name.into(), values, intervened: None });
    Table::new(variables.collect()).unwrap_or_else(|error| panic!("{error}"))
}

/// Labels: b is a copy of a in all but every seventh row, c a copy of b in all but every fifth.
pub(crate) fn labels(n_rows: u32) -> Table {
    let a = |row: u32| row * row / 3 % 2;
    let b = move |row| a(row) ^ u32::from(row % 7 == 0);
    let c = move |row| b(row) ^ u32::from(row % 5 == 0);
    let values = |code: &dyn Fn(u32) -> u32| Values::Labels {
        levels: ["no", "yes"].map(String::from).to_vec(),
        codes: (0..n_rows).map(code).collect(),
    };
    table([values(&a), values(&b), values(&c)])
}
