//! Columns and masks of interventions: the first byte chooses, the rest is the mask, or cells of the column.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::tables::InterventionMask;
use prequential::{Column, ReadOptions};
use prequential_fuzz::check_table;

/// A table of 12 rows whose last column is called `name` and has the lines of `cells`, over and over.
fn table(name: &str, cells: &str) -> String {
    let cells: Vec<&str> = cells.lines().collect();
    let cell =
        |row: usize| cells.get(row % cells.len().max(1)).copied().unwrap_or_default().replace('"', "\"\"");
    let rows: String = (0..12).map(|row| format!("{},{},\"{}\"\n", row % 2, row % 3, cell(row))).collect();
    format!("a,b;c,{name}\n{rows}")
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let named = ReadOptions { interventions: Some("arm".into()), ..ReadOptions::default() };
    match choice % 4 {
        0 => check_table("t.csv", table("intervention", &text).as_bytes(), &ReadOptions::default()),
        1 => check_table("t.csv", table("INT", &text).as_bytes(), &ReadOptions::default()),
        2 => check_table("t.csv", table("arm", &text).as_bytes(), &named),
        _ => {
            let mask = vec![Column::texts("a", (0..12).map(|row| text.lines().nth(row)))];
            let mask = Some(InterventionMask::Columns(mask));
            let masked = ReadOptions { intervention_mask: mask, ..ReadOptions::default() };
            check_table("t.csv", table("d", "0\n1\n1\n1").as_bytes(), &masked)
        }
    };
});
