//! Compression: files as long as scores say, from which every byte of a table is restored.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::compression::{CompressSettings, Compressed, compress, decompress};
use prequential::{
    Counts, Dag, Estimator, FamilySelection, Fourier, Linear, Mix, Plan, ReadOptions, Settings, Table, Values,
};
use prequential_simulate::Experiment;

fn read(text: &str) -> Table {
    Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// Compresses, and sees that every byte comes back.
fn there_and_back(text: &str, dag: &Dag, estimator: Estimator) -> Compressed {
    let settings = CompressSettings { estimator, seed: 3 };
    let compressed = compress(text.as_bytes(), &read(text), dag, &settings).unwrap();
    assert!(decompress("t.prq", &compressed.bytes).unwrap() == text.as_bytes());
    let sizes = &compressed.sizes;
    assert_eq!(sizes.file, compressed.bytes.len());
    assert_eq!(sizes.file, sizes.header + sizes.digits + sizes.code);
    compressed
}

/// What a score counts for the same graph, without what it pays for the names of parents and for networks that it might have had.
fn score(text: &str, dag: &Dag, estimator: Estimator) -> f64 {
    let n_vars = dag.n_nodes() as f64;
    let settings = Settings { estimator: estimator.clone(), seed: 3, ..Settings::default() };
    let table = read(text);
    let plan = Plan::new(&table, &settings).unwrap();
    let total = plan.score(FamilySelection::Graph(dag), &()).unwrap().total.unwrap().0;
    let has_edge_prior = !matches!(estimator, Estimator::Counts(_)) && dag.n_nodes() > 2;
    let edge_prior = if has_edge_prior { (n_vars - 1.0).ln() * dag.n_edges() as f64 } else { 0.0 };
    total - edge_prior - weight_of_networks(&table, dag, &estimator)
}

/// Regressions weigh 2, counts and networks 1 each; labels with labels for parents have counts beside regressions.
fn weight_of_networks(table: &Table, dag: &Dag, estimator: &Estimator) -> f64 {
    if !matches!(estimator, Estimator::Mix(_)) {
        return 0.0;
    }
    let is_label = |node: usize| matches!(table.variables()[node].values, Values::Labels { .. });
    let of_child = |child: usize| {
        let parents = dag.parents(child);
        let is_counted = is_label(child) && !parents.is_empty() && parents.iter().all(is_label);
        if is_counted { (4.0_f64 / 3.0).ln() } else { 1.5_f64.ln() }
    };
    (0..dag.n_nodes()).map(of_child).sum()
}

/// The code is as long as the score of its table: the two sum up the same predictive distributions.
fn assert_as_long_as_its_score(text: &str, dag: &Dag, estimator: Estimator) -> Compressed {
    let compressed = there_and_back(text, dag, estimator.clone());
    let (sizes, score) = (&compressed.sizes, score(text, dag, estimator));
    // Only rounding keeps them apart: worst of these tables 2e-8.
    assert!((sizes.nats - score).abs() < 1e-6 * score, "{} nats, score {score}", sizes.nats);
    assert!(sizes.excess().abs() < 0.001, "{sizes:?}: {}", sizes.excess());
    compressed
}

fn mix() -> Estimator {
    Mix { networks: 0, ..Mix::default() }.into()
}

#[test]
fn labels_are_coded_as_they_are_counted() {
    let asia = Experiment::Asia.simulate(5_000, 1).unwrap();
    let text = asia.table.to_csv();
    let file = assert_as_long_as_its_score(&text, &asia.truth, Counts::default().into());
    assert!(file.bytes.len() < 2_400, "{}", file.bytes.len());
    assert_eq!(file.sizes.digits, 0);
    assert_as_long_as_its_score(&text, &asia.truth, mix());
}

#[test]
fn alarm_comes_back() {
    let alarm = Experiment::Alarm.simulate(3_000, 1).unwrap();
    assert_as_long_as_its_score(&alarm.table.to_csv(), &alarm.truth, Counts::default().into());
}

#[test]
fn numbers_with_all_their_digits_come_back() {
    let star = Experiment::Star5.simulate(400, 1).unwrap();
    for estimator in [Linear::default().into(), Fourier::default().into()] {
        assert_as_long_as_its_score(&star.table.to_csv(), &star.truth, estimator);
    }
}

/// Rows of whole numbers, decimals, zeros that come again, labels, and missing cells, each given the ones before.
fn mixed_rows(n_rows: u32, is_gappy: bool) -> Vec<Vec<String>> {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut row = || {
        let age = 20.0 + 60.0 * draw() * draw();
        let rain = if draw() < 0.4 { 0.0 } else { (3.0 * (draw() + draw())).exp() };
        let group = if draw() * 100.0 < age { "\"old, or \"\"so\"\"\"" } else { "young" };
        let wet = rain.sqrt() + draw();
        let cells = [
            format!("{age:.0}"),
            rain.to_string(),
            group.to_string(),
            format!("{wet:.2}"),
            format!("{:.4}", 2.0 * wet),
        ];
        let is_gap = |place: usize, share: f64| is_gappy && place < 4 && share < 0.1;
        let gappy = cells.into_iter().enumerate();
        gappy.map(|(place, cell)| if is_gap(place, draw()) { "NA".into() } else { cell }).collect()
    };
    (0..n_rows).map(|_| row()).collect()
}

fn text_of(rows: &[Vec<String>], line_end: &str) -> String {
    let lines = rows.iter().map(|row| row.join(",") + line_end);
    format!("age,rain,group,wet cm,copy{line_end}") + &lines.collect::<String>()
}

fn mixed(n_rows: u32, is_gappy: bool) -> (String, Dag) {
    let dag = Dag::from_edges(5, [(0, 2), (1, 2), (1, 3), (2, 3), (3, 4), (0, 4)]).unwrap();
    (text_of(&mixed_rows(n_rows, is_gappy), "\r\n"), dag)
}

#[test]
fn mixed_tables_with_missing_cells_come_back() {
    for (is_gappy, estimator) in [(false, Linear::default().into()), (true, mix())] {
        let (text, dag) = mixed(800, is_gappy);
        let file = assert_as_long_as_its_score(&text, &dag, estimator);
        assert_eq!(file.sizes.missing > 100, is_gappy, "{:?}", file.sizes);
    }
}

/// Counts with many zeros, answers from 1 to 5, amounts that are often nothing, and a label that depends on them.
fn hurdle(n_rows: u32) -> (String, Dag) {
    let mut state = 7_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut row = || {
        let x = 2.0 * (draw() + draw() + draw()) - 3.0;
        let visits = if draw() < 0.5 - 0.15 * x {
            0.0
        } else {
            1.0 + (3.0 * draw() + 4.0 * draw() + x).max(0.0).floor()
        };
        let answer = (3.0 + 1.2 * x + 2.0 * draw() - 1.0).round().clamp(1.0, 5.0);
        let cost = if draw() < 0.4 { 0.0 } else { ((x + draw()).exp() * 100.0).round() / 100.0 };
        let group = if draw() < 0.5 + 0.1 * visits { "b" } else { "a" };
        format!("{x:.2},{visits},{answer},{cost},{group}\n")
    };
    let rows: String = (0..n_rows).map(|_| row()).collect();
    let dag = Dag::from_edges(5, [(0, 1), (0, 2), (1, 3), (0, 3), (1, 4)]).unwrap();
    (format!("x,visits,answer,cost,group\n{rows}"), dag)
}

#[test]
fn values_that_are_often_the_same_are_coded_as_they_are_scored() {
    let (text, dag) = hurdle(300);
    for estimator in [Linear::default().into(), mix()] {
        assert_as_long_as_its_score(&text, &dag, estimator);
    }
}

#[test]
fn odd_texts_come_back() {
    let none = Dag::empty(5);
    let mut rows = mixed_rows(120, true);
    // Signs, blanks, quotes, trailing zeros, other spellings of no value, and no line break at the end.
    for (i, row) in rows.iter_mut().enumerate() {
        for cell in row.iter_mut() {
            *cell = match (i % 12, cell == "NA") {
                (3, true) => " ? ".to_string(),
                (3, false) if !cell.starts_with('"') => format!(" {cell}"),
                (5, false) if cell.starts_with(|first: char| first.is_ascii_digit()) => format!("+{cell}"),
                (7, false) if cell.contains('.') => format!("{cell}0"),
                (9, false) if !cell.starts_with('"') => format!("\"{cell}\""),
                _ => cell.clone(),
            };
        }
    }
    there_and_back(text_of(&rows, "\n").trim_end(), &none, Estimator::default());
    // Names of rows, which are no variable.
    let text = text_of(&mixed_rows(120, false), "\n");
    let named = text.lines().enumerate().map(|(i, line)| match i {
        0 => format!("\"\",{line}\n"),
        _ => format!("\"{i}\",{line}\n"),
    });
    there_and_back(&named.collect::<String>(), &none, Linear::default().into());
}

#[test]
fn lines_that_come_in_runs_are_coded_once() {
    let (text, dag) = mixed(60, true);
    let (names, lines) = text.split_once("\r\n").unwrap();
    let runs = lines.split_inclusive("\r\n").enumerate().map(|(i, line)| line.repeat(1 + 40 * (i % 2)));
    let text = format!("{names}\r\n{}", runs.collect::<String>());
    let file = there_and_back(&text, &dag, Linear::default().into());
    assert_eq!((file.sizes.n_rows, file.sizes.n_coded), (60 + 30 * 40, 60));
}

#[test]
fn what_cannot_be_brought_back_is_refused() {
    let (text, dag) = mixed(120, false);
    let refused = |text: &str, estimator: Estimator| {
        let settings = CompressSettings { estimator, seed: 0 };
        let error = compress(text.as_bytes(), &read(text), &dag, &settings).unwrap_err();
        format!("{error}; {}", error.hint())
    };
    let blank = refused(&text.replacen("\r\n", "\r\n\r\n", 3), mix());
    assert!(blank.contains("byte for byte; ") && blank.contains("blank lines"), "{blank}");
    let networks = refused(&text, Mix::default().into());
    assert!(networks.contains("`mix`") && networks.contains("without networks"), "{networks}");
    let bins = refused(&text, Counts::default().into());
    assert!(bins.contains("bins numbers") && bins.contains("linear"), "{bins}");
}

#[test]
fn damaged_files_are_refused() {
    let (text, dag) = mixed(150, true);
    let file = there_and_back(&text, &dag, Linear::default().into()).bytes;
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1 << (place % 8);
        let error = decompress("t.prq", &damaged).unwrap_err().to_string();
        let expected = if place < 4 { "not a compressed table" } else { "damaged" };
        assert!(error.contains(expected), "{place}: {error}");
    }
    for length in (0..file.len()).step_by(7) {
        assert!(decompress("t.prq", &file[..length]).is_err(), "{length}");
    }
    let longer = [&file[..], b"\0"].concat();
    assert!(decompress("t.prq", &longer).is_err());
}
