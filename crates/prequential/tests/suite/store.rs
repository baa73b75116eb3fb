//! Stores: what they return, what they refuse, and that they do not touch other files.
#![cfg(feature = "store")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

use prequential::internals::FamilyLengths;
use prequential::scores::{LocalScores, StoreInfo, merge_stores, search_scores};
use prequential::workers::Shard;
use prequential::{
    Counts, DocumentOptions, Estimator, Exact, Family, FamilySelection, Fourier, HillClimb, Knowledge,
    Learned, Linear, Mix, Order, Plan, Search, Settings, Statement, Table, Values, Variable, learn,
};
use prequential_simulate::Experiment;
use tempfile::TempDir;

fn table() -> Table {
    Experiment::Star5.simulate(60, 1).unwrap().table
}

/// Labels and numbers, missing cells and interventions.
fn mixed_table() -> Table {
    let mut variables = Experiment::Chain3.simulate(80, 2).unwrap().table.variables().to_vec();
    if let Values::Numbers(numbers) = &mut variables[0].values {
        numbers[3] = f64::NAN;
    }
    variables[1].intervened = Some((0..80).map(|row| row % 7 == 0).collect());
    let codes = (0..80).map(|row| row * row % 3).collect();
    let levels = ["low", "middle", "high"].map(String::from).to_vec();
    variables.push(Variable {
        name: "label".into(),
        values: Values::Labels { levels, codes },
        intervened: None,
    });
    Table::new(variables).unwrap()
}

fn fourier(store: Option<&Path>) -> Settings {
    Settings {
        estimator: Fourier::default().into(),
        store: store.map(Path::to_path_buf),
        ..Settings::default()
    }
}

/// Everything but the cost, to the byte.
fn result(learned: &Learned) -> String {
    let view = DocumentOptions { families: true, ..DocumentOptions::default() };
    let mut json: serde_json::Value = serde_json::from_str(&learned.document(&view).to_json()).unwrap();
    json.as_object_mut().unwrap().remove("cost");
    json.to_string()
}

fn directory() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("scores.db");
    (directory, path)
}

fn n_families(path: &Path) -> usize {
    StoreInfo::read(path).unwrap().contexts.iter().map(|context| context.n_scored()).sum()
}

#[test]
fn a_run_from_the_store_ends_with_the_same_bytes() {
    let (_directory, path) = directory();
    let table = mixed_table();
    let twice =
        |estimator: Estimator| Settings { estimator: estimator.with_networks(2), ..Settings::default() };
    let orders = |estimator: Estimator| Settings { permutations: 2, ..twice(estimator) };
    let all = [
        orders(Counts::default().into()),
        orders(Linear::default().into()),
        orders(Fourier::default().into()),
        twice(Mix::default().into()),
        orders(Mix::default().into()),
    ];
    for (number, without) in all.into_iter().enumerate() {
        let estimator = without.estimator.name();
        let with = Settings { store: Some(path.clone()), ..without.clone() };
        let expected = result(&learn(&table, &without).unwrap());
        let first = learn(&table, &with).unwrap();
        let second = learn(&table, &with).unwrap();
        assert_eq!((first.cost.n_reused, second.cost.n_reused), (0, second.cost.n_families), "{estimator}");
        assert_eq!(second.cost.n_trainings, 0);
        assert!(result(&first) == expected && result(&second) == expected, "{estimator}");
        // Mix keeps codes with and without networks apart; in two row orders it goes on from one.
        let n_contexts = [1, 2, 3, 5, 5][number];
        assert_eq!(StoreInfo::read(&path).unwrap().contexts.len(), n_contexts);
    }
}

#[test]
fn other_searches_other_knowledge_and_other_names_reuse_everything() {
    let (_directory, path) = directory();
    let table = table();
    learn(&table, &fourier(Some(&path))).unwrap();
    let forbidden = vec![Statement { value: ("A".to_string(), "C".to_string()), place: "here".into() }];
    let knowledge = Knowledge { forbidden, ..Knowledge::default() };
    let mut others = vec![
        Settings { knowledge, ..fourier(None) },
        Settings { max_parents: Some(2), top: 3, ..fourier(None) },
    ];
    others.extend(
        [Exact.into(), HillClimb::default().into(), Order::default().into()]
            .map(|search| Settings { search, ..fourier(None) }),
    );
    for without in others {
        let learned = learn(&table, &Settings { store: Some(path.clone()), ..without.clone() }).unwrap();
        assert_eq!(learned.cost.n_reused, learned.cost.n_families, "{:?}", without.search);
        assert!(result(&learned) == result(&learn(&table, &without).unwrap()));
    }
    let mut variables = table.variables().to_vec();
    variables.iter_mut().for_each(|variable| variable.name.push_str(" (new)"));
    let renamed = Table::new(variables).unwrap();
    let learned = learn(&renamed, &fourier(Some(&path))).unwrap();
    assert_eq!(learned.cost.n_reused, 80);
    assert_eq!(StoreInfo::read(&path).unwrap().names, renamed.names());
}

#[test]
fn more_row_orders_reuse_those_that_are_there() {
    let (_directory, path) = directory();
    let table = table();
    let with = |permutations: usize| Settings { permutations, ..fourier(Some(&path)) };
    learn(&table, &with(1)).unwrap();
    let three = learn(&table, &with(3)).unwrap();
    assert_eq!(three.cost.n_reused, 0);
    assert!(result(&three) == result(&learn(&table, &Settings { store: None, ..with(3) }).unwrap()));
    assert_eq!(learn(&table, &with(2)).unwrap().cost.n_reused, 80);
    let context = &StoreInfo::read(&path).unwrap().contexts[0];
    assert_eq!((context.n_orders, context.n_families.clone()), (3, vec![5, 20, 30, 20, 5]));
}

/// What went wrong and the way out, with the directory taken out.
fn refusal(table: &Table, path: &Path) -> String {
    let error = learn(table, &fourier(Some(path))).unwrap_err();
    let text = format!("{error}\n{}", error.hint());
    text.replace(&format!("{}/", path.parent().unwrap().display()), "")
}

#[test]
fn another_table_is_refused_and_the_store_left_as_it_is() {
    let (_directory, path) = directory();
    Plan::new(&table(), &Settings { max_parents: Some(1), ..fourier(Some(&path)) })
        .unwrap()
        .score(FamilySelection::All, &())
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(
        refusal(&mixed_table(), &path),
        "store `scores.db`: it holds code lengths of another table: of 60 rows of A, B, C, D, E, not of 80 rows of A, B, C, label\n\
         name another file: a store belongs to one table, read with the same columns and kinds"
    );
    let other = Experiment::Star5.simulate(60, 2).unwrap().table;
    assert!(refusal(&other, &path).starts_with(
        "store `scores.db`: it holds code lengths of another table with the same columns but other cells: of 60 rows"
    ));
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn what_is_not_a_store_or_damaged_is_refused_and_never_written() {
    let (_directory, path) = directory();
    let table = table();
    learn(&table, &fourier(Some(&path))).unwrap();
    let sound = std::fs::read(&path).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = path.with_file_name(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let other_kind = "it is not a store but another kind of file\nit was left unchanged; name another file";
    let text = write("notes.txt", b"these are notes\n");
    assert_eq!(refusal(&table, &text), format!("store `notes.txt`: {other_kind}"));
    // A file of another program, and one of a later version.
    let mut bytes = sound.clone();
    bytes[68..72].copy_from_slice(&[0, 0, 0, 9]);
    let foreign = write("foreign.db", &bytes);
    assert_eq!(
        refusal(&table, &foreign),
        "store `foreign.db`: it is an SQLite file of another program\nit was left unchanged; name another file"
    );
    let mut bytes = sound.clone();
    bytes[60..64].copy_from_slice(&[0, 0, 0, 9]);
    let newer = write("newer.db", &bytes);
    assert_eq!(
        refusal(&table, &newer),
        "store `newer.db`: it was made by another version of prequential (format 9, this one reads 1)\n\
         use that version, or name another file"
    );
    let mut damaged = Vec::new();
    for (name, length) in
        [("half.db", sound.len() / 2), ("page.db", 4096), ("stub.db", 100), ("header.db", 16)]
    {
        damaged.push(write(name, &sound[..length]));
    }
    let mut bytes = sound.clone();
    bytes[4096..].iter_mut().for_each(|byte| *byte = 0x5a);
    damaged.push(write("pages.db", &bytes));
    for path in damaged {
        let before = std::fs::read(&path).unwrap();
        let message = refusal(&table, &path);
        assert!(message.contains(": the file is damaged ("), "{message}");
        assert!(
            message
                .ends_with("restore it from a copy, or name another file: everything is then scored again")
        );
        assert!(std::fs::read(&path).unwrap() == before, "{message}");
        assert!(StoreInfo::read(&path).is_err());
    }
    for path in [text, foreign, newer] {
        assert!(StoreInfo::read(&path).is_err() && LocalScores::read_store(&path, None).is_err());
    }
}

#[test]
fn a_flipped_bit_changes_no_answer() {
    let (_directory, path) = directory();
    Plan::new(&table(), &Settings { max_parents: Some(2), ..fourier(Some(&path)) })
        .unwrap()
        .score(FamilySelection::All, &())
        .unwrap();
    let (sound, expected) = (std::fs::read(&path).unwrap(), LocalScores::read_store(&path, None).unwrap());
    let (flipped, merged) = (path.with_file_name("flipped.db"), path.with_file_name("merged.db"));
    let mut n_refused = 0;
    // Every few bytes, beyond the first page with its names and settings.
    for place in (4096..sound.len()).step_by(97) {
        let mut bytes = sound.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&flipped, bytes).unwrap();
        let read = LocalScores::read_store(&flipped, None);
        let _ = std::fs::remove_file(&merged);
        let copied = merge_stores(&merged, std::slice::from_ref(&flipped))
            .and_then(|_| LocalScores::read_store(&merged, None));
        n_refused += usize::from(read.is_err());
        for scores in read.into_iter().chain(copied) {
            for (family, length) in &scores.lengths {
                assert_eq!(expected.lengths.get(family), Some(length), "byte {place}");
            }
        }
    }
    assert!(n_refused > 50, "{n_refused} of {}", sound.len() / 97);
}

#[test]
fn places_where_no_file_can_be_are_refused() {
    let (directory, path) = directory();
    let message = refusal(&table(), directory.path());
    assert!(message.ends_with("it is a directory\nname a file"), "{message}");
    assert_eq!(
        refusal(&table(), &path.join("below")).replace(&path.display().to_string(), "scores.db"),
        "store `below`: it cannot be opened\ncheck that the directory exists and can be written, and that the file can be read"
    );
    assert_eq!(
        StoreInfo::read(&path).unwrap_err().to_string().replace(&path.display().to_string(), "scores.db"),
        "cannot read `scores.db`: No such file or directory (os error 2)"
    );
    // An empty file holds nothing that could be lost.
    std::fs::write(&path, "").unwrap();
    assert!(StoreInfo::read(&path).unwrap_err().to_string().ends_with("it is empty"));
    learn(&table(), &fourier(Some(&path))).unwrap();
    assert_eq!(n_families(&path), 80);
}

#[test]
fn parts_merge_to_the_whole() {
    let (_directory, whole) = directory();
    let table = table();
    let parts: Vec<PathBuf> =
        (1..=3).map(|number| whole.with_file_name(format!("part{number}.db"))).collect();
    for (number, path) in parts.iter().enumerate() {
        let shard = Shard::new(number + 1, 3).unwrap();
        let scored = Plan::new(&table, &fourier(Some(path)))
            .unwrap()
            .score(FamilySelection::Shard(shard), &())
            .unwrap();
        assert_eq!((scored.cost.n_families, scored.cost.n_reused), (n_families(path), 0));
    }
    let merged = merge_stores(&whole, &parts).unwrap();
    assert_eq!((merged.n_added, merged.n_known), (80, 0));
    assert_eq!(merge_stores(&whole, &parts[..1]).unwrap().n_added, 0);
    let learned = learn(&table, &fourier(Some(&whole))).unwrap();
    assert_eq!(learned.cost.n_reused, 80);
    assert!(result(&learned) == result(&learn(&table, &fourier(None)).unwrap()));
}

#[test]
fn merging_refuses_other_tables_other_codes_and_itself() {
    let (_directory, path) = directory();
    let other = path.with_file_name("other.db");
    let settings = |path: &Path| Settings { max_parents: Some(1), ..fourier(Some(path)) };
    Plan::new(&table(), &settings(&path)).unwrap().score(FamilySelection::All, &()).unwrap();
    Plan::new(&mixed_table(), &settings(&other)).unwrap().score(FamilySelection::All, &()).unwrap();
    let message = |out: &Path, inputs: &[PathBuf]| {
        let text = merge_stores(out, inputs).unwrap_err().to_string();
        text.replace(&format!("{}/", path.parent().unwrap().display()), "")
    };
    let both = [path.clone(), other.clone()];
    let fresh = path.with_file_name("fresh.db");
    assert!(
        message(&fresh, &both)
            .starts_with("store `other.db`: it holds code lengths of another table: of 80 rows")
    );
    assert!(!fresh.exists());
    assert_eq!(message(&path, &both[..1]), "store `scores.db`: it cannot be merged into itself");
    // The same family, the same settings, another code: of another seed, in truth.
    let changed = path.with_file_name("changed.db");
    Plan::new(&table(), &Settings { seed: 9, ..settings(&changed) })
        .unwrap()
        .score(FamilySelection::All, &())
        .unwrap();
    let connection = rusqlite::Connection::open(&changed).unwrap();
    connection.execute("ATTACH ?1 AS other", [path.to_str().unwrap()]).unwrap();
    connection
        .execute("UPDATE context SET (sha256, settings) = (SELECT sha256, settings FROM other.context)", [])
        .unwrap();
    drop(connection);
    let shown = message(&path, std::slice::from_ref(&changed));
    assert!(shown.starts_with("store `scores.db`: its code length of `"), "{shown}");
    assert!(shown.ends_with("` differs from that of `changed.db`"), "{shown}");
    // A code that was not written so.
    let connection = rusqlite::Connection::open(&changed).unwrap();
    connection
        .execute("UPDATE family SET code = CAST(code || x'00' AS BLOB) WHERE parents = '0' AND child = 2", [])
        .unwrap();
    drop(connection);
    let fresh = path.with_file_name("fresh.db");
    let damage = "the file is damaged (the code of a family with the parents number \"0\" differs from what was written)";
    assert_eq!(message(&fresh, std::slice::from_ref(&changed)), format!("store `changed.db`: {damage}"));
    // A run that comes across it says so.
    let message = refusal(&table(), &changed);
    assert!(
        message.contains(
            "damaged (the code of a family with the parents number \"0\" differs from what was written)"
        ),
        "{message}"
    );
}

#[test]
fn exports_say_what_was_scored_and_searches_find_the_same_graph() {
    let (_directory, path) = directory();
    let table = table();
    let learned = learn(&table, &fourier(Some(&path))).unwrap();
    let stored = LocalScores::read_store(&path, None).unwrap();
    assert_eq!(stored.names, table.names());
    let lengths = learned.scores.lengths(5);
    assert_eq!(stored.lengths.len(), 80);
    assert!(stored.lengths.iter().all(|(family, length)| lengths.code_length(family) == Some(*length)));
    let imported = LocalScores::from_jkl(&stored.to_jkl().unwrap(), "star5.jkl").unwrap();
    assert_eq!(imported, stored);
    let searched = |search: Search| {
        let settings = Settings { search, ..Settings::default() };
        search_scores(&imported, &settings, &()).unwrap().answer
    };
    for search in [Search::default(), Exact.into()] {
        let answer = searched(search);
        assert_eq!(
            (&answer.dag, answer.code_length),
            (&learned.answer.dag, learned.answer.code_length),
            "the best graph is the best wherever its code lengths come from"
        );
    }
    for search in [HillClimb::default().into(), Order::default().into()] {
        assert!(searched(search).code_length >= learned.answer.code_length);
    }
    let json: serde_json::Value = serde_json::from_str(&stored.to_json()).unwrap();
    assert_eq!(json["families"].as_array().unwrap().len(), 80);
    assert_eq!(
        json["families"][0]["code_length_nats"],
        lengths.code_length(&Family::new(0, [].into_iter().collect())).unwrap().0
    );
    let csv = stored.to_csv();
    assert!(csv.starts_with("child,parents,code_length_nats\n\"A\",\"[]\",") && csv.lines().count() == 81);
    // Two settings in one store: the choice is the user's.
    learn(&table, &Settings { seed: 7, ..fourier(Some(&path)) }).unwrap();
    let error = LocalScores::read_store(&path, None).unwrap_err();
    assert!(error.to_string().ends_with("families were scored with 2 different settings"));
    assert_eq!(error.hint().to_string(), "choose with `settings`: 1 (fourier, seed 0); 2 (fourier, seed 7)");
    assert!(
        LocalScores::read_store(&path, Some(3))
            .unwrap_err()
            .to_string()
            .ends_with("it has no settings number 3")
    );
    assert_eq!(LocalScores::read_store(&path, Some(1)).unwrap(), stored);
}

#[test]
fn a_search_needs_a_graph_to_begin_with() {
    let scores = LocalScores::from_jkl("2\na 1\n-1 1 b\nb 1\n-1 0\n", "x.jkl").unwrap();
    let error = search_scores(&scores, &Settings::default(), &()).unwrap_err();
    assert_eq!(error.to_string(), "there is no code length of `a`, where every search begins");
    let many: String = (0..40).map(|node| format!("v{node} 1\n-1 0\n")).collect();
    let many = LocalScores::from_jkl(&format!("40\n{many}"), "x.jkl").unwrap();
    assert_eq!(search_scores(&many, &Settings::default(), &()).unwrap().answer.dag.n_edges(), 0);
    assert!(search_scores(&many, &Settings { search: Exact.into(), ..Settings::default() }, &()).is_err());
}
