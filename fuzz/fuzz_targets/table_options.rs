//! Text tables with options: the first line of the input says which, the rest is the table.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prequential::tables::OrderedLabels;
use prequential::ReadOptions;
use prequential_fuzz::check_table;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (first, table) = bytes.split_at(end);
    let first = String::from_utf8_lossy(first);
    // Seven lists of names between bars: columns, ignore, labels, numbers, missing, interventions, ordered.
    let mut lists = first
        .split('|')
        .map(|list| list.split(',').filter(|name| !name.is_empty()).map(String::from).collect());
    let mut next = || -> Vec<String> { lists.next().unwrap_or_default() };
    let mut options = ReadOptions {
        columns: next(),
        ignore: next(),
        labels: next(),
        numbers: next(),
        missing: next(),
        interventions: next().pop(),
        ..ReadOptions::default()
    };
    options.ordered = next().into_iter().map(|column| OrderedLabels { column, levels: Vec::new() }).collect();
    check_table("-", table.get(1..).unwrap_or_default(), &options);
});
