//! Files, pipes and mistakes on the command line: exit codes, outputs, and nothing on the wrong stream.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// Runs `prequential` at the top of the repository.
fn prequential(args: &[&str], input: &str) -> Output {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    cargo_bin_cmd!("prequential").current_dir(top).args(args).write_stdin(input).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = prequential(args, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).display().to_string()
}

#[test]
fn the_bundled_table_is_what_its_command_makes() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let directory = TempDir::new().unwrap();
    let (table, graph) = (path(&directory, "a.csv"), path(&directory, "a.json"));
    let output = prequential(&["simulate", "asia", "--seed", "1", "--out", &table, "--truth", &graph], "");
    assert_eq!((output.status.code(), stdout(&output).len()), (Some(0), 0));
    assert_eq!(std::fs::read(table).unwrap(), std::fs::read(top.join("asia.csv")).unwrap());
    assert_eq!(std::fs::read(graph).unwrap(), std::fs::read(top.join("asia-graph.json")).unwrap());
}

#[test]
fn a_result_goes_to_stdout_and_files_and_nothing_to_stderr() {
    let directory = TempDir::new().unwrap();
    let out = path(&directory, "deep/result");
    let graph = path(&directory, "best.graphml");
    let args = [
        "learn",
        "data/asia.csv",
        "--out",
        &out,
        "--graph",
        &graph,
        "--truth",
        "data/asia-graph.json",
        "--format",
        "json",
    ];
    let output = prequential(&args, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut written: Value =
        serde_json::from_str(&std::fs::read_to_string(path(&directory, "deep/result/result.json")).unwrap())
            .unwrap();
    assert_eq!(written["families"].as_array().unwrap().len(), 1024);
    for only_written in ["families", "curves"] {
        written.as_object_mut().unwrap().remove(only_written);
    }
    assert_eq!(shown, written);
    assert_eq!(shown["truth"]["shd_cpdag"], 1);
    let names: Vec<_> = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    // Result, page, graph as picture and as DOT, shapes, and the code lengths.
    assert_eq!(names.len(), 6, "{names:?}");
    // All views of the graph agree.
    let dot = path(&directory, "deep/result/graph.dot");
    let result = path(&directory, "deep/result/result.json");
    for other in [&graph, &result] {
        assert_eq!(json(&["compare", &dot, other, "--format", "json"])["exact"], true);
    }
    let svg = std::fs::read_to_string(path(&directory, "deep/result/graph.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("bronc"));
}

#[test]
fn standard_input_is_a_table_too() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/titanic.csv"))
        .unwrap();
    let piped = prequential(&["learn", "-", "--format", "json"], &text);
    let piped: Value = serde_json::from_slice(&piped.stdout).unwrap();
    let read = json(&["learn", "data/titanic.csv", "--format", "json"]);
    assert_eq!(piped["dag"], read["dag"]);
    assert_eq!(piped["data"]["path"], "-");
    assert_eq!(piped["data"]["sha256"], read["data"]["sha256"]);
}

#[test]
fn thread_count_changes_no_byte() {
    let run = |threads: &str| {
        let mut result = json(&[
            "learn",
            "data/asia.csv",
            "--families",
            "--format",
            "json",
            "--permutations",
            "3",
            "--threads",
            threads,
        ]);
        result.as_object_mut().unwrap().remove("cost");
        result.to_string()
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn bad_input_exits_with_1_and_bad_usage_with_2() {
    let code = |args: &[&str]| prequential(args, "").status.code();
    assert_eq!(code(&["learn", "no-such-file.csv"]), Some(1));
    assert_eq!(code(&["learn", "data/asia.csv", "--require", "asia to tub"]), Some(1));
    assert_eq!(code(&["learn", "data/asia.csv", "--truth", "data/titanic-rules.toml"]), Some(1));
    assert_eq!(code(&["learn", "data/asia.csv", "--search", "magic"]), Some(2));
    assert_eq!(code(&["learn", "data/asia.csv", "--alpha", "1", "--ess", "1"]), Some(2));
    assert_eq!(code(&["reproduce"]), Some(2));
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["--version"]), Some(0));
}

#[test]
fn extreme_settings_are_answered_and_never_crash() {
    let first_line = |args: &[&str]| {
        let output = prequential(args, "");
        (output.status.code(), stderr(&output).lines().next().unwrap_or_default().to_string())
    };
    let alpha = "error: `--alpha` is 1e308, but must lie between 0.000001 and 1000000".to_string();
    assert_eq!(first_line(&["learn", "data/asia.csv", "--alpha", "1e308"]), (Some(1), alpha));
    let bins = "error: `--bins` is 18446744073709551615, but must be at most 65536".to_string();
    assert_eq!(first_line(&["learn", "data/titanic.csv", "--bins", "18446744073709551615"]), (Some(1), bins));
    assert_eq!(first_line(&["learn", "data/titanic.csv", "--max-parents", "0"]).0, Some(0));
    let out = TempDir::new().unwrap().path().display().to_string();
    let reproduce = [
        "reproduce",
        "tabular-chain",
        "--permutations",
        "1",
        "--seeds",
        "2",
        "--seed",
        "18446744073709551615",
        "--out",
        &out,
    ];
    assert_eq!(first_line(&reproduce).0, Some(0));
}

#[test]
fn work_that_does_not_fit_is_refused_at_once() {
    let directory = TempDir::new().unwrap();
    let table = path(&directory, "wide.csv");
    let made = prequential(
        &["simulate", "random-categorical", "--variables", "60", "--rows", "100", "--out", &table],
        "",
    );
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let refused = prequential(&["score", &table, "--max-parents", "12"], "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).starts_with("error: scoring over 60 variables needs "), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("hint: lower `--max-parents`"), "{}", stderr(&refused));
    let refused = prequential(&["learn", &table, "--search", "exact"], "");
    assert!(
        stderr(&refused)
            .starts_with("error: exact search over 60 variables needs more than 2^59 code lengths")
    );
    // One graph with a large family needs no table of all families of that size.
    let graph = path(&directory, "star.json");
    let edges: Vec<[String; 2]> = (2..=13).map(|i| [format!("V{i}"), "V1".to_string()]).collect();
    std::fs::write(&graph, serde_json::to_string(&edges).unwrap()).unwrap();
    assert_eq!(prequential(&["score", &table, "--graph", &graph], "").status.code(), Some(0));
    // Nor are all of them counted.
    let args = ["score", &table, "--graph", &graph, "--max-parents", "12"];
    assert_eq!(prequential(&args, "").status.code(), Some(0));
}

#[test]
fn names_with_commas_and_tokens_with_hyphens_can_be_given() {
    let rows: String = (0..200)
        .map(|row| format!("{},{},{}\n", row % 2, (row / 2) % 3, if row % 9 == 0 { -99 } else { row % 4 }))
        .collect();
    let table = format!("\"a, b\",c,d\n{rows}");
    let output =
        prequential(&["learn", "-", "--ignore", "\"a, b\"", "--missing", "-99", "--format", "json"], &table);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let variables = result["data"]["variables"].as_array().unwrap();
    assert_eq!((variables.len(), &variables[1]["missing"]), (2, &serde_json::json!(23)));
    let tiers = prequential(&["learn", "-", "--tiers", "\"a, b\"; c , d;"], &table);
    assert_eq!(tiers.status.code(), Some(0), "{}", stderr(&tiers));
}

#[test]
fn score_equivalent_graphs_are_told_apart_by_rule_not_by_rounding() {
    // With `--ess` all members of a class have the same code length; which one is shown must not depend on the order of rows.
    let run = |seed: &str| {
        let result = json(&["learn", "data/asia.csv", "--ess", "5", "--seed", seed, "--format", "json"]);
        for edge in result["dag"]["edges"].as_array().unwrap() {
            assert!(edge["reversal_nats"].as_f64().unwrap() >= 0.0);
        }
        let ends = |edge: &Value| (edge["from"].clone(), edge["to"].clone());
        result["dag"]["edges"].as_array().unwrap().iter().map(ends).collect::<Vec<_>>()
    };
    let first = run("0");
    assert!((1..6).all(|seed| run(&seed.to_string()) == first));
}

#[test]
fn a_bad_output_path_fails_before_the_table_is_read() {
    let output = prequential(&["learn", "no-such-file.csv", "--graph", "no/such/directory/graph.dot"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write `no/such/directory/graph.dot`"), "{}", stderr(&output));
    let output = prequential(&["learn", "data/asia.csv", "--graph", "README"], "");
    assert!(
        stderr(&output).contains("end the name with .json, .dot, .graphml or .csv"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_unfinished_run_leaves_earlier_results_alone() {
    let directory = TempDir::new().unwrap();
    std::fs::write(path(&directory, "result.json"), "precious").unwrap();
    let out = directory.path().display().to_string();
    assert_eq!(prequential(&["learn", "no-such-file.csv", "--out", &out], "").status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(path(&directory, "result.json")).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
}

#[test]
fn warnings_go_to_stderr_beside_json_unless_quiet() {
    let rows: String = (0..200).map(|row| format!("{},{},same\n", row % 2, row % 3 % 2)).collect();
    let table = format!("a,b,c\n{rows}");
    let loud = prequential(&["learn", "-", "--format", "json"], &table);
    assert!(stderr(&loud).starts_with("warning: ") && stderr(&loud).contains("`c`"), "{}", stderr(&loud));
    let shown: Value = serde_json::from_slice(&loud.stdout).unwrap();
    assert_eq!(shown["data"]["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(stderr(&prequential(&["learn", "-", "--format", "json", "--quiet"], &table)), "");
}

#[test]
fn score_of_a_graph_is_the_sum_of_its_families_and_what_learn_says() {
    let directory = TempDir::new().unwrap();
    let graph = path(&directory, "best.json");
    let learned = json(&["learn", "data/asia.csv", "--graph", &graph, "--format", "json"]);
    let scored = json(&["score", "data/asia.csv", "--graph", &graph, "--format", "json"]);
    assert_eq!(learned["dag"]["code_length_nats"], scored["code_length_nats"]);
    let families = scored["families"].as_array().unwrap();
    let total: f64 = families.iter().map(|family| family["code_length_nats"].as_f64().unwrap()).sum();
    assert!((total - scored["code_length_nats"].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn curves_hold_every_family_and_end_at_its_code_length() {
    let directory = TempDir::new().unwrap();
    let file = path(&directory, "curves.json");
    let scored =
        json(&["score", "data/titanic.csv", "--permutations", "4", "--curves", &file, "--format", "json"]);
    let curves: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(curves["rows"].as_array().unwrap().last().unwrap(), 2201);
    let families = curves["families"].as_array().unwrap();
    assert_eq!(families.len(), 32);
    for (curve, family) in families.iter().zip(scored["families"].as_array().unwrap()) {
        let end = curve["cumulative_nats"]["mean"].as_array().unwrap().last().unwrap().as_f64().unwrap();
        assert!((end - family["code_length_nats"].as_f64().unwrap()).abs() < 1e-6);
        assert!(family["spread_nats"].as_f64().unwrap() < 1e-6);
    }
}

#[test]
fn reproduce_writes_plots_numbers_and_a_summary() {
    let directory = TempDir::new().unwrap();
    let out = directory.path().display().to_string();
    let output = prequential(
        &["reproduce", "tabular-chain", "cancer", "--rows", "500", "--permutations", "3", "--out", &out],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for experiment in ["tabular-chain", "cancer"] {
        for file in ["summary.md", "numbers.json", "next-step-loss.svg", "excess-code-length.svg"] {
            assert!(
                directory.path().join(experiment).join(file).metadata().unwrap().len() > 200,
                "{experiment} {file}"
            );
        }
        assert!(
            stdout(&output)
                .contains(&format!("reproduce {experiment} --rows 500 --permutations 3 --seed 1 --seeds 1"))
        );
    }
}

#[test]
fn experiments_with_numbers_say_which_data_set_is_done_unless_quiet() {
    let directory = TempDir::new().unwrap();
    let out = directory.path().display().to_string();
    let args = ["reproduce", "chain3", "chain5", "--rows", "300", "--estimator", "counts", "--out", &out];
    let output = prequential(&args, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 3);
    assert!(stderr(&output).starts_with("1/1 chain3, seed 1: SHD "), "{}", stderr(&output));
    assert!(stdout(&output).contains("reproduce chain3 --rows 300 --seed 1 --seeds 1 --estimator counts"));
    assert!(stdout(&output).ends_with("chain5: summary.md, numbers.json\n"), "{}", stdout(&output));
    for file in ["summary.md", "numbers.json", "next-step-loss.svg", "excess-code-length.svg"] {
        assert!(directory.path().join("chain3").join(file).metadata().unwrap().len() > 200, "{file}");
    }
    let quiet = prequential(&[&args[..], &["--quiet", "--preset", "default"]].concat(), "");
    assert_eq!((quiet.status.code(), stderr(&quiet).len()), (Some(0), 0));
}

#[test]
fn a_simulated_set_is_chosen_by_number() {
    let table = |args: &[&str]| {
        let output = prequential(&[&["simulate"], args, &["--rows", "50"]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(table(&["mechanisms"]), table(&["mechanisms", "--set", "1"]));
    assert_ne!(table(&["mechanisms", "--set", "2"]), table(&["mechanisms", "--set", "3"]));
    assert_ne!(table(&["yu-a", "--set", "2"]), table(&["yu-b", "--set", "2"]));
    assert_ne!(table(&["chain5"]), table(&["chain5-periodic"]));
    assert!(table(&["star5"]).starts_with("A,B,C,D,E\n"));
}

#[test]
fn options_that_would_do_nothing_are_refused_before_work() {
    let complaint = |options: &[&str]| {
        let output = prequential(&[&["learn", "data/star5.csv"], options].concat(), "");
        (output.status.code(), stderr(&output))
    };
    let cases: [(&[&str], &str); 8] = [
        (
            &["--dropout", "0.5"],
            "error: `--dropout` is an option of `--schedule blockwise`, but the schedule is `replay`",
        ),
        (
            &["--learning-rate", "1,2"],
            "error: `--learning-rate` has 2 values, but `--schedule replay` takes one",
        ),
        (
            &["--estimator", "counts", "--hidden", "8"],
            "error: `--hidden` is an option of networks, but the estimator is `counts`",
        ),
        (
            &["--max-configurations", "9"],
            "error: `--max-configurations` limits tables of counts, but the estimator is `mix`",
        ),
        (
            &["--estimator", "mix", "--schedule", "blockwise"],
            "error: `--schedule blockwise` does not mix with other estimators",
        ),
        (
            &["--parent-values", "raw"],
            "error: `--parent-values raw` is for networks trained from scratch, as in the paper",
        ),
        (
            &["--hidden", "0"],
            "error: `--hidden` is [0]: a network has at most 20 hidden layers of 1 to 16384 units",
        ),
        (&["--preset", "paper", "--splits", "0"], "error: `--splits` is 0, but must lie between 1 and 1000"),
    ];
    for (options, expected) in cases {
        let (code, message) = complaint(options);
        assert_eq!((code, message.lines().next()), (Some(1), Some(expected)), "{options:?}");
        assert!(
            message.lines().nth(1).is_some_and(|hint| hint.starts_with("hint: ")),
            "{options:?}: {message}"
        );
    }
}

#[test]
fn a_report_is_made_again_from_its_result_and_replaces_the_old_one() {
    let directory = TempDir::new().unwrap();
    let out = directory.path().display().to_string();
    let output = prequential(&["learn", "data/asia.csv", "--out", &out, "--quiet"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (result, report) = (path(&directory, "result.json"), path(&directory, "report.html"));
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    std::fs::write(&report, "old").unwrap();
    let output = prequential(&["report", &result], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), format!("Written: {report}\n")));
    assert_eq!(std::fs::read_to_string(&report).unwrap(), page);
    let elsewhere = path(&directory, "elsewhere.html");
    prequential(&["report", &result, "--out", &elsewhere], "");
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), page);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 7, "no drafts are left");
}

#[test]
fn a_file_that_is_no_result_is_refused_and_leaves_the_old_report() {
    let directory = TempDir::new().unwrap();
    let (result, report) = (path(&directory, "result.json"), path(&directory, "report.html"));
    std::fs::write(&report, "old").unwrap();
    for (text, problem) in [
        (
            "{\"schema\": 9, \"version\": \"3.0\"}",
            "key `schema`: this is schema 9, but this version reads schema 2",
        ),
        ("{\"schema\": 1}", "key `schema`: this is schema 1, made by version 0.1"),
        ("{\"schema\": 2, \"kind\": \"plan\", \"version\": \"\"}", "key `kind`: this is the plan of a run"),
        ("{\"schema\": 2, \"kind\": \"learned\", \"version\": \"\"}", "key `data` is missing"),
        ("from,to", "line 1: this is not JSON"),
    ] {
        std::fs::write(&result, text).unwrap();
        let output = prequential(&["report", &result], "");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.contains(problem) && message.contains(&result) && message.contains("\nhint: "),
            "{message}"
        );
    }
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "old");
}

#[test]
fn a_plan_is_shown_without_work() {
    let output = prequential(&["learn", "data/star5.csv", "--dry-run"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for line in [
        "Estimator  mix, 1 network per family",
        "Families   80 families (",
        " networks), at most 4 parents",
        "\n           opening ",
        ", 80 families\n",
        "\n           networks ",
        "Memory ",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("Best graph"));
    // Trained from scratch, a single family takes hours: the trial must not.
    let output = prequential(&["learn", "data/star5.csv", "--preset", "paper", "--dry-run"], "");
    assert!(stdout(&output).contains("80 families (960 networks)"), "{}", stdout(&output));
    assert!(stdout(&output).contains("at most"));
    let plan = json(&["learn", "data/asia.csv", "--search", "order", "--dry-run", "--format", "json"]);
    assert_eq!(plan["settings"]["search"]["name"], "order");
    let (search, families) = (&plan["estimate"]["stages"][1], &plan["estimate"]["families"]);
    assert_eq!(search["stage"], "search");
    // How many it will ask for is not certain.
    assert!(families["least"].as_f64() < families["most"].as_f64(), "{plan}");
    // Of `score`, what will be scored: all, a part, or one graph.
    let shown = |args: &[&str]| {
        let output = prequential(&[&["score", "data/star5.csv", "--dry-run"], args].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let all = shown(&["--max-parents", "1"]);
    assert!(all.contains("\nFamilies   25 families (25 networks), at most 1 parent\nTime "), "{all}");
    let part = shown(&["--shard", "1/2", "--store", "no-store.db"]);
    assert!(
        part.contains(", part 1/2 of those with at most 4 parents\n") && !part.contains("\nSearch"),
        "{part}"
    );
    let graph = shown(&["--graph", "data/star5-graph.json"]);
    assert!(graph.contains("\nFamilies   5 families ("), "{graph}");
    assert!(graph.contains(", those of the graph\n"), "{graph}");
}

#[test]
fn a_time_limit_gives_a_partial_answer_and_the_command_that_goes_on() {
    // Minutes of work: 80 families of 20 networks.
    let args =
        ["learn", "data/star5.csv", "--networks", "20", "--time-limit", "2s", "--format", "json", "--quiet"];
    let result = json(&args);
    assert_eq!(result["partial"]["reason"], "time limit");
    assert_eq!(result["partial"]["command"], format!("prequential {}", args.join(" ")));
    assert_eq!(result["search"]["proven"], false);
    assert!(result["partial"]["scored_families"].as_u64().unwrap() >= 5);
    assert_eq!(result["partial"]["planned_families"], 80);
    let args = ["score", "data/star5.csv", "--networks", "20", "--time-limit", "1s", "--quiet"];
    let text = stdout(&prequential(&args, ""));
    let command = format!("\nContinue with: prequential {} --store FILE\n", args.join(" "));
    assert!(text.contains("a partial answer, from ") && text.contains(&command), "{text}");
    let output =
        prequential(&["learn", "data/star5.csv", "--preset", "paper", "--time-limit", "1s", "--quiet"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with(
            "error: the run was stopped before a single graph was scored\nhint: give it more time"
        )
    );
}

#[test]
fn numbers_that_are_no_probabilities_say_so_wherever_they_stand() {
    let directory = TempDir::new().unwrap();
    let (out, edges) = (path(&directory, "out"), path(&directory, "edges.csv"));
    let unproven = ["learn", "data/asia.csv", "--search", "order", "--quiet"];
    // Minutes of work: 80 families of 20 networks.
    let stopped = ["learn", "data/star5.csv", "--networks", "20", "--time-limit", "2s", "--quiet"];
    for (args, basis, words) in [
        (&unproven[..], "graphs-looked-at", "shares of the graphs that the search visited"),
        (&stopped[..], "stopped-run", "before the run was stopped"),
    ] {
        let output = prequential(&[args, &["--out", &out, "--edges", &edges]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        let links = text.lines().filter(|line| line.contains(" -> ") || line.contains(" -- "));
        let shown: Vec<&str> = links.filter(|line| line.contains("  0.") || line.contains("  1.")).collect();
        // Two names and an arrow, then three numbers.
        let is_doubted = |line: &str| line.split_whitespace().skip(3).take(3).all(|cell| cell.ends_with('?'));
        assert!(!shown.is_empty() && shown.iter().all(|line| is_doubted(line)), "{text}");
        assert!(text.contains(words), "{text}");
        let result: Value =
            serde_json::from_str(&std::fs::read_to_string(format!("{out}/result.json")).unwrap()).unwrap();
        let pairs = result["pairs"].as_array().unwrap();
        assert!(!pairs.is_empty() && pairs.iter().all(|pair| pair["basis"] == basis), "{pairs:?}");
        let of_graph = result["dag"]["edges"].as_array().unwrap();
        assert!(!of_graph.is_empty() && of_graph.iter().all(|edge| edge["basis"] == basis), "{of_graph:?}");
        assert_eq!(result["posterior"]["basis"], basis);
        let csv = std::fs::read_to_string(&edges).unwrap();
        assert_eq!(csv.lines().skip(1).filter(|line| line.contains(basis)).count(), pairs.len(), "{csv}");
        let page = std::fs::read_to_string(format!("{out}/report.html")).unwrap();
        assert!(page.contains("Numbers with a question mark"), "the page says what they are");
        let picture = std::fs::read_to_string(format!("{out}/graph.svg")).unwrap();
        assert!(!picture.contains(", probability ") && picture.contains(", share "), "{picture}");
    }
}

#[test]
fn every_two_variables_are_a_line_of_the_edges_file() {
    let directory = TempDir::new().unwrap();
    let edges = path(&directory, "edges.csv");
    let result = json(&["learn", "data/asia.csv", "--edges", &edges, "--format", "json", "--quiet"]);
    let csv = std::fs::read_to_string(&edges).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "from,to,in_best_graph,direction,linked,from_to,to_from,basis,removal_nats,removal_spread_nats,reversal_nats,\
         reversal_spread_nats"
    );
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 28);
    let n_edges = result["dag"]["edges"].as_array().unwrap().len();
    assert!(lines.iter().enumerate().all(|(i, line)| line[2] == if i < n_edges { "1" } else { "0" }));
    let number = |text: &str| text.parse::<f64>().unwrap();
    for line in &lines {
        assert!((number(line[5]) + number(line[6]) - number(line[4])).abs() < 1e-9, "{line:?}");
        assert_eq!(line[7], "all-graphs");
    }
    assert!(lines.iter().any(|line| line[3] == "--") && lines.iter().any(|line| line[3] == "->"));
}
