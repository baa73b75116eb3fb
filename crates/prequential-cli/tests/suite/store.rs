//! Killed runs, parallel runs, and the commands on stores.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use prequential::scores::StoreInfo;
use serde_json::Value;
use tempfile::TempDir;

fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("prequential"));
    command.current_dir(directory).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a run that must succeed prints.
fn run(directory: &Path, args: &[&str]) -> String {
    let output = command(directory, args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The bytes of a JSON result up to its cost, and the cost.
fn without_cost(text: &str) -> (String, Value) {
    let (before, _) = text.split_once("\n  \"cost\": {").unwrap();
    let json: Value = serde_json::from_str(text).unwrap();
    (before.to_string(), json["cost"].clone())
}

/// Runs `learn` with `--out out`, and reads what it wrote there.
fn result_file(directory: &Path, args: &[&str]) -> (String, Value) {
    run(directory, args);
    without_cost(&std::fs::read_to_string(directory.join("out/result.json")).unwrap())
}

fn n_families(store: &Path) -> usize {
    // While it is being made there is nothing to read.
    StoreInfo::read(store).map_or(0, |info| info.contexts.iter().map(|context| context.n_scored()).sum())
}

/// A directory with a table of five columns of numbers.
fn with_table(rows: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    run(directory.path(), &["simulate", "star5", "--rows", rows, "--out", "star5.csv"]);
    directory
}

const LEARN: [&str; 8] =
    ["learn", "star5.csv", "--families", "--format", "json", "--quiet", "--threads", "2"];

/// Waits until the store holds so many families, and kills the run without warning; whether it was still at work.
fn kill_at(mut running: Child, store: &Path, n_wanted: usize) -> bool {
    while n_families(store) < n_wanted && running.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = running.kill();
    !running.wait().unwrap().success()
}

#[test]
fn a_run_killed_at_twenty_moments_ends_with_the_same_bytes() {
    let directory = with_table("400");
    let at = directory.path();
    let networks = ["--estimator", "mix", "--networks", "1", "--out", "out"];
    let (expected, _) = result_file(at, &[&LEARN, &networks[..]].concat());
    assert!(expected.contains("\"families\": [") && expected.contains("\"curves\": {"));
    let store = at.join("s.db");
    let with_store = [&LEARN, &networks[..], &["--store", "s.db"]].concat();
    let (mut n_killed, mut n_before) = (0, 0);
    // Numbers of families between none and all but ten, from a generator of Lehmer's; the run goes on from each.
    let mut state = 20_260_115_u64;
    let mut draw = || {
        state = state * 48_271 % 0x7fff_ffff;
        (state % 70) as usize
    };
    let mut moments: Vec<usize> = (0..20).map(|_| draw()).collect();
    moments.sort_unstable();
    for (number, moment) in moments.into_iter().enumerate() {
        let mut running = command(at, &with_store).spawn().unwrap();
        if number % 2 == 1 {
            // Soon after it began, and nobody looks at the store: the next run finds it as the killed one left it.
            std::thread::sleep(Duration::from_millis(draw() as u64));
            let _ = running.kill();
            n_killed += usize::from(!running.wait().unwrap().success());
            continue;
        }
        n_killed += usize::from(kill_at(running, &store, moment));
        let n_after = n_families(&store);
        assert!(
            n_after >= moment.max(n_before),
            "{n_after} of {n_before} families are left, killed at {moment}"
        );
        n_before = n_after;
    }
    assert!(n_killed >= 5, "only {n_killed} of 20 runs were killed");
    n_before = n_families(&store);
    let (resumed, cost) = result_file(at, &with_store);
    assert_eq!(cost["reused_families"], n_before);
    assert!(resumed == expected);
    let (again, cost) = result_file(at, &with_store);
    assert_eq!((&cost["reused_families"], &cost["training_runs"]), (&cost["families"], &Value::from(0)));
    assert!(again == expected);
}

#[test]
fn results_in_a_directory_keep_their_code_lengths_there() {
    let directory = with_table("200");
    let at = directory.path();
    let stores = || {
        let files = std::fs::read_dir(at.join("out")).unwrap().map(|file| file.unwrap().file_name());
        files.filter(|name| name.to_string_lossy().ends_with(".db")).count()
    };
    let fourier = ["--estimator", "fourier", "--quiet", "--out", "out"];
    let learn = [&["learn", "star5.csv"], &fourier[..]].concat();
    run(at, &[&learn[..], &["--no-store"]].concat());
    assert_eq!(stores(), 0);
    // A run that is stopped says how to go on, and need not name a store; 50 networks a family take far longer than a second.
    let long = "learn star5.csv --networks 50 --threads 1 --quiet --out out --time-limit 1s";
    let stopped = run(at, &long.split(' ').collect::<Vec<_>>());
    assert!(stopped.contains(&format!("Continue with: prequential {long}\n")), "{stopped}");
    assert_eq!(stores(), 1);
    let (first, _) = result_file(at, &learn);
    let (again, cost) = result_file(at, &learn);
    assert_eq!(cost["reused_families"], cost["families"]);
    assert_eq!(first, again);
    // Other columns are another table: it has a file of its own, and nobody is refused.
    result_file(at, &[&learn[..], &["--columns", "A,B,C"]].concat());
    assert_eq!(stores(), 2);
}

#[test]
fn processes_that_share_a_store_disturb_each_other_in_nothing() {
    let directory = with_table("200");
    let at = directory.path();
    let alone = |seed: &'static str| [&LEARN, &["--estimator", "fourier", "--seed", seed][..]].concat();
    // The store does not exist yet: all of them try to make it.
    let start = |seed| (seed, command(at, &[alone(seed), vec!["--store", "s.db"]].concat()).spawn().unwrap());
    let runs: Vec<(&'static str, Child)> = ["1", "2", "2", "1"].into_iter().map(start).collect();
    for (seed, running) in runs {
        let output = running.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let (expected, _) = without_cost(&run(at, &alone(seed)));
        assert!(without_cost(&String::from_utf8(output.stdout).unwrap()).0 == expected);
    }
    assert_eq!(n_families(&at.join("s.db")), 160);
    // Who leaves alone tidies up; two that leave at the same moment may both take the other for still there.
    assert!(!at.join("s.db-wal").exists() && !at.join("s.db-shm").exists());
}

#[test]
fn parts_in_several_stores_are_scored_merged_described_and_searched() {
    let directory = with_table("100");
    let at = directory.path();
    let scoring = ["star5.csv", "--estimator", "linear", "--quiet"];
    for (shard, store) in [("1/2", "1.db"), ("2/2", "2.db")] {
        run(at, &[&["score"], &scoring[..], &["--shard", shard, "--store", store]].concat());
    }
    let merged = run(at, &["store", "merge", "all.db", "1.db", "2.db"]);
    assert_eq!(merged, "all.db: 80 code lengths added, 0 were there already\n");
    let info = run(at, &["store", "info", "all.db"]);
    assert!(
        info.contains(
            "code lengths of star5.csv: 100 rows, 5 variables\n  A, B, C, D, E\n\nSettings 1: linear"
        ),
        "{info}"
    );
    assert!(info.contains("       30  with 2 parents\n"), "{info}");
    let info: Value =
        serde_json::from_str(&run(at, &["store", "info", "all.db", "--format", "json"])).unwrap();
    assert_eq!(info["contexts"][0]["families_by_parents"], serde_json::json!([5, 20, 30, 20, 5]));
    let text = run(at, &[&["learn"], &scoring[..], &["--store", "all.db"]].concat());
    assert!(text.contains("Scored 80 families (80 of them from the store) of at most 4 parents"), "{text}");
    let text = run(at, &[&["score"], &scoring[..], &["--store", "all.db"]].concat());
    assert!(text.contains("\n80 families, 80 of them from the store\n"), "{text}");
    // The search from the store, and from what is exported of it.
    run(at, &["store", "export", "all.db", "--format", "jkl", "--out", "all.jkl"]);
    let context = command(at, &["search", "all.jkl", "--settings", "9"]).output().unwrap();
    assert!(
        stderr(&context)
            .starts_with("error: `--settings 9` selects settings of a store, but `all.jkl` is not a store")
    );
    let jkl = std::fs::File::open(at.join("all.jkl")).unwrap();
    let piped = command(at, &["search", "-"]).stdin(jkl).output().unwrap();
    assert!(String::from_utf8_lossy(&piped.stdout).contains("Best graph"), "{}", stderr(&piped));
    let search = |scores: &str| -> Value {
        serde_json::from_str(&run(at, &["search", scores, "--format", "json", "--graph", "best.json"]))
            .unwrap()
    };
    assert_eq!(search("all.db"), search("all.jkl"));
    let learned: Value =
        serde_json::from_str(&run(at, &[&["learn"], &scoring[..], &["--format", "json"]].concat())).unwrap();
    let searched = search("all.jkl");
    assert_eq!(searched["dag"]["code_length_nats"], learned["dag"]["code_length_nats"]);
    for key in ["cpdag", "ranking"] {
        assert_eq!(searched[key], learned[key]);
    }
    let text = run(at, &["search", "all.jkl", "--forbid", "A->C", "--max-parents", "1"]);
    assert!(text.starts_with("5 variables, 80 families.\nSearch exhaustive: all "), "{text}");
    assert!(!text.contains("  C\n    <- A"), "{text}");
}

#[test]
fn wrong_uses_of_stores_are_answered() {
    let directory = with_table("100");
    let at = directory.path();
    let failing = |args: &[&str]| {
        let output = command(at, args).output().unwrap();
        (output.status.code().unwrap(), stderr(&output))
    };
    let (code, text) = failing(&["score", "star5.csv", "--shard", "1/2"]);
    assert!(code == 2 && text.contains("--store <FILE>"), "{text}");
    let (code, text) = failing(&["score", "star5.csv", "--shard", "3/2", "--store", "s.db"]);
    assert!(
        code == 2 && text.contains("`--shard` is 3/2, but parts are numbered from 1 to their number"),
        "{text}"
    );
    assert_eq!(
        failing(&["learn", "star5.csv", "--store", "star5.csv"]),
        (
            1,
            "error: store `star5.csv`: it is not a store but another kind of file\n\
             hint: it was left unchanged; name another file\n"
                .to_string()
        )
    );
    assert_eq!(
        failing(&["search", "star5.csv"]),
        (
            1,
            "error: `star5.csv` line 1: expected the number of variables, found `A,B,C,D,E`\n\
             hint: a .jkl file has the number of variables, then for each variable `NAME SETS` and that many lines `SCORE PARENTS NAME ..`\n"
                .to_string()
        )
    );
    assert_eq!(failing(&["store", "info", "missing.db"]).0, 1);
    assert!(!at.join("missing.db").exists());
}
