//! The paper's tabular experiments have the paper's results; the numeric ones run and report the expected
//! fields.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::cell::RefCell;

use prequential::tuning::BlockwiseSettings;
use prequential::{Counts, Estimator, Fourier, Knowledge, Linear, Neural, Schedule, Settings, Statement};
use prequential_paper::{DataSetDone, ReproduceOptions, Reproducible};
use serde_json::Value;

/// The result of an experiment, its numbers parsed.
#[derive(Debug)]
struct Reproduced {
    json: Value,
    markdown: String,
    plots: Vec<(String, String)>,
}

fn reproduce(name: &str, options: &ReproduceOptions) -> prequential::Result<Reproduced> {
    let result = Reproducible::named(name).unwrap().reproduce(options)?;
    let json = serde_json::from_str(&result.json).unwrap();
    Ok(Reproduced { json, markdown: result.markdown, plots: result.plots })
}

fn runs(experiment: &str, repeats: usize) -> (Vec<Value>, Vec<(String, String)>, String) {
    let options = ReproduceOptions { n_seeds: 5, permutations: Some(repeats), ..ReproduceOptions::default() };
    let result = reproduce(experiment, &options).unwrap();
    // The spread over row orders is stated, drawn or not.
    for series in result.json["next_step_loss"].as_array().unwrap() {
        assert!(series["sd"].as_array().unwrap().iter().any(|sd| sd.as_f64().unwrap_or(0.0) > 0.0));
    }
    (result.json["runs"].as_array().unwrap().clone(), result.plots, result.markdown)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn tabular_chain_is_led_by_its_class_and_dense_graphs_trail() {
    let (runs, plots, markdown) = runs("tabular-chain", 50);
    assert_eq!(runs.len(), 5);
    for run in runs {
        // The class led in 200 of 200 seeds.
        assert_eq!(run["class_leads"], true);
        // Worst of 200 seeds: 61.8 nats.
        assert!(number(&run["least_excess_of_fully_connected_nats"]) > 50.0);
        let gap = &run["loss_of_A_given_B_C_less_given_B"];
        // Over 200 seeds: 0.066 to 0.172 early, -0.001 to 0.014 late.
        assert!(number(&gap["rows_50_to_200"]) > 0.03);
        assert!(number(&gap["last_checkpoint"]).abs() < 0.03);
    }
    assert_svgs(&plots);
    assert!(markdown.contains("lead in 5 of 5 data sets"), "{markdown}");
}

#[test]
fn cancer_is_found_only_after_interventions() {
    let (runs, plots, markdown) = runs("cancer", 2);
    for run in runs {
        // Of 200 seeds the truth led in none before, in 198 at the end (not in 99 and 185).
        assert_ne!(run["place_of_truth"]["before"], 1);
        assert_eq!(run["place_of_truth"]["end"], 1);
        assert_ne!(run["best_before"][0]["graph"], run["best_at_end"][0]["graph"]);
    }
    assert_svgs(&plots);
    assert!(markdown.contains("in 5 of 5 at the end"), "{markdown}");
}

/// A quick run with counts over two data seeds; every run of it has the fields that all have.
fn small(experiment: &str) -> Reproduced {
    let options = ReproduceOptions {
        rows: Some(300),
        n_seeds: 2,
        settings: Settings { estimator: Counts::default().into(), ..Settings::default() },
        ..ReproduceOptions::default()
    };
    let result = reproduce(experiment, &options).unwrap();
    assert_eq!((&result.json["rows"], &result.json["estimator"]), (&300.into(), &"counts".into()));
    let command = result.json["command"].as_str().unwrap();
    assert!(command.ends_with(" --rows 300 --seed 1 --seeds 2 --estimator counts"), "{command}");
    assert!(result.markdown.contains(command) && !result.markdown.contains("NaN"), "{}", result.markdown);
    for run in result.json["runs"].as_array().unwrap() {
        assert!(run["seed"] == 1 || run["seed"] == 2);
        assert_eq!(run["exact"], run["shd"] == 0);
        assert_eq!(run["exact"], run["true_graph"] == run["best_graph"]);
        assert!(run["equivalent"] == true || run["exact"] == false);
        assert!(run["found"] == false || run["exact"] == true);
        assert!(number(&run["place_of_truth"]) >= 1.0 && number(&run["cpu_seconds"]) >= 0.0);
        assert_eq!(run["place_of_truth"] == 1, number(&run["excess_of_truth_nats"]) <= 1e-6);
        assert_eq!(run["margin_nats"], run["ranking"][1]["excess_nats"]);
        assert!(
            number(&run["gain_nats_per_row"]).is_finite() && number(&run["truth_nats_per_row"]).is_finite()
        );
    }
    result
}

#[test]
fn case_studies_draw_curves_and_list_every_seed() {
    for (experiment, n_graphs, n_shown) in [("chain3", 25, 25), ("star5", 29_281, 14)] {
        let result = small(experiment);
        let runs = result.json["runs"].as_array().unwrap();
        assert_eq!((runs.len(), &runs[0]["graphs"]), (2, &n_graphs.into()));
        assert_svgs(&result.plots);
        let excess = result.json["excess_code_length"].as_array().unwrap();
        // The true graph is drawn, be it among the best or not, and the best curve ends where the ranking says.
        let truth = excess.iter().find(|series| series["name"] == runs[0]["true_graph"]).unwrap();
        assert!((n_shown..=n_shown + 1).contains(&excess.len()));
        let end = |series: &Value| number(series["mean"].as_array().unwrap().last().unwrap());
        assert_eq!(end(truth), 0.0);
        assert!((end(&excess[0]) + number(&runs[0]["excess_of_truth_nats"])).abs() < 1e-6);
    }
}

#[test]
fn chains_of_five_stand_beside_the_papers_graphs() {
    let result = small("chain5");
    assert_eq!(result.json["runs"].as_array().unwrap().len(), 4);
    for (i, name) in ["chain5", "chain5-periodic"].into_iter().enumerate() {
        let (ours, paper) = (&result.json["chains"][i], &result.json["paper"][i]);
        assert_eq!((&ours["set"], &paper["set"]), (&name.into(), &name.into()));
        assert_eq!(paper["ranking"][0]["graph"], "A -> B, B -> C, C -> D, D -> E");
        assert_eq!(ours["excess_of_the_papers_graphs_nats"][0].as_array().unwrap().len(), 5);
        assert_eq!(ours["data_sets"], 2);
    }
    assert_eq!(result.json["paper"][0]["ranking"][4]["excess_nats"], 1348.0);
    assert!(result.markdown.contains("+4678.0"), "{}", result.markdown);
}

#[test]
fn benchmarks_have_a_line_per_data_set_and_means_of_all() {
    for (experiment, n_sets, paper) in
        [("yu", 10, "| the paper | 0.7 | 8 |"), ("mechanisms", 20, "| the paper | 1.9 | 12 |")]
    {
        let result = small(experiment);
        let runs = result.json["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 2 * n_sets);
        let mean = runs.iter().map(|run| number(&run["shd"])).sum::<f64>() / runs.len() as f64;
        assert!((number(&result.json["mean"]["shd"]) - mean).abs() < 1e-12);
        assert_eq!(result.json["seeds"].as_array().unwrap().len(), 2);
        assert_eq!(
            (&result.json["seeds"][1]["seed"], &result.json["mean"]["seed"]),
            (&2.into(), &Value::Null)
        );
        assert!(result.markdown.contains(paper), "{}", result.markdown);
        let lines = result.markdown.lines().filter(|line| line.contains(" of 2 |")).count();
        assert_eq!(lines, n_sets);
    }
}

#[test]
fn primes_are_multiplied_by_regressions_and_factorised_by_counts() {
    let settings = Settings { estimator: Fourier::default().into(), ..Settings::default() };
    let options = ReproduceOptions { rows: Some(500), settings, ..ReproduceOptions::default() };
    let result = reproduce("primes", &options).unwrap();
    let lines = result.json["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let lead = number(&line["lead_nats"][0]);
        match line["estimator"].as_str().unwrap() {
            "fourier" => assert!(lead > 200.0, "{line}"),
            _ => assert!(lead < -50.0, "{line}"),
        }
    }
    assert_eq!(lines[2]["runs"][0]["exact"], true);
}

#[test]
fn regret_grows_by_half_a_logarithm_for_every_parameter() {
    let options = ReproduceOptions { rows: Some(20_000), n_seeds: 5, ..ReproduceOptions::default() };
    let result = reproduce("theorem1", &options).unwrap();
    let models = result.json["models"].as_array().unwrap();
    let of = |name: &str| models.iter().find(|model| model["name"] == name).unwrap();
    for (name, parameters) in [("tabular-chain, no edges", 12.0), ("tabular-chain, its graph", 44.0)] {
        assert_eq!(number(&of(name)["parameters"]), parameters);
        let by_slope = number(&of(name)["parameters_by_slope"]);
        assert!((by_slope / parameters - 1.0).abs() < 0.1, "{name}: {by_slope}");
    }
    assert!(result.plots[0].1.contains("44/2 ln n") && !result.plots[0].1.contains("NaN"));
}

#[test]
fn every_score_is_asked_of_every_network() {
    let options = ReproduceOptions { rows: Some(1_000), n_seeds: 1, ..ReproduceOptions::default() };
    let result = reproduce("scores", &options).unwrap();
    let lines = result.json["lines"].as_array().unwrap();
    let shd = |network: &str, score: &str| {
        let of = |line: &&Value| line["network"] == network && line["score"] == score;
        lines.iter().find(of).unwrap()["shd_of_classes"][0].as_u64().unwrap()
    };
    assert_eq!(lines.len(), 21);
    for score in ["the plug-in code (alpha 0.5)", "K2 (alpha 1)", "BIC", "fNML", "qNML"] {
        assert_eq!(shd("tabular-chain", score), 0);
        // Of 46 links of ALARM and 666 pairs.
        assert!(shd("alarm", score) < 35, "{score}");
    }
}

#[test]
fn the_code_finds_the_class_where_rows_held_out_often_do_not() {
    let options = ReproduceOptions { rows: Some(300), n_seeds: 40, ..ReproduceOptions::default() };
    let result = reproduce("held-out", &options).unwrap();
    let choosers = &result.json["sizes"][0]["choosers"];
    let found = |chooser: usize| choosers[chooser]["true_class"].as_u64().unwrap();
    assert!(found(1) >= 36 && found(0) <= 34, "{choosers}");
    assert!(choosers[1]["smaller_model"].as_u64().unwrap() >= 38, "{choosers}");
}

#[test]
fn robustness_compares_every_variant_with_the_first() {
    let settings =
        Settings { estimator: Estimator::from(Neural::default()).with_networks(1), ..Settings::default() };
    let options = ReproduceOptions { rows: Some(300), n_seeds: 2, settings, ..ReproduceOptions::default() };
    let result = reproduce("robustness", &options).unwrap();
    let variants = result.json["variants"].as_array().unwrap();
    assert!(variants.len() >= 3);
    assert_eq!(result.json["runs"].as_array().unwrap().len(), 2 * variants.len());
    for variant in variants {
        for correlation in variant["rank_correlation"].as_array().unwrap() {
            assert!((-1.0..=1.0 + 1e-12).contains(&number(correlation)));
        }
    }
    assert!((number(&variants[0]["rank_correlation"][1]) - 1.0).abs() < 1e-12);
    let counts = Settings { estimator: Counts::default().into(), ..Settings::default() };
    let refused = reproduce("robustness", &ReproduceOptions { settings: counts, ..options }).unwrap_err();
    assert_eq!(refused.to_string(), "`robustness` varies networks, but the estimator is `counts`");
}

#[test]
fn ablations_change_one_part_each_and_switching_is_as_good_as_its_parts() {
    let tiny = BlockwiseSettings {
        hidden: vec![16; 2],
        n_splits: 3,
        n_frequencies: 8,
        frequency_scale: 2.0,
        max_steps: 40,
        learning_rates: vec![3e-3],
        ..BlockwiseSettings::default()
    };
    let neural = Neural { networks: 1, schedule: Schedule::Blockwise(tiny), ..Neural::default() };
    let settings = Settings { estimator: neural.into(), ..Settings::paper() };
    let options = ReproduceOptions { rows: Some(300), settings, ..ReproduceOptions::default() };
    let result = reproduce("ablations", &options).unwrap();
    let variants = result.json["variants"].as_array().unwrap();
    let code = |part: &str| {
        let of_part = |variant: &&Value| variant["variant"].as_str().unwrap().starts_with(part);
        number(&variants.iter().find(of_part).unwrap()["nats_per_row"][0])
    };
    assert_eq!(variants.len(), 7);
    // Three families, three choices in each of three blocks.
    let paid = 9.0 * 3f64.ln() / 300.0;
    let apart = code("not calibrated").min(code("3 x 32 units, not calibrated"));
    assert!(code("switching") <= apart + paid + 1e-9, "{variants:?}");
    assert!(code("as the paper") != code("warm start") && code("as the paper") != code("not calibrated"));
}

/// docs/results.md, if these tests stand beside it.
fn results() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_results_have_the_lines_that_their_commands_write() {
    let results = results();
    for (experiment, n_seeds) in [("held-out", 200), ("theorem1", 5)] {
        assert!(results.contains(&format!("prequential reproduce {experiment} --seeds {n_seeds}\n")));
        let options = ReproduceOptions { n_seeds, ..ReproduceOptions::default() };
        let markdown = reproduce(experiment, &options).unwrap().markdown;
        let lines: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
        assert!(lines.len() > 4, "{markdown}");
        for line in lines {
            assert!(results.contains(line), "docs/results.md lacks {line}");
        }
    }
}

#[test]
fn every_data_set_is_reported_when_it_is_done() {
    let lines = RefCell::new(Vec::new());
    let listener = |done: &DataSetDone| {
        lines.borrow_mut().push(format!("{}/{} {}", done.number, done.n_sets, done.outcome));
    };
    let options = ReproduceOptions { rows: Some(200), seed: 7, n_seeds: 2, ..ReproduceOptions::default() };
    Reproducible::named("chain3").unwrap().reproduce_observed(&options, &listener).unwrap();
    let lines = lines.into_inner();
    assert_eq!(lines.len(), 2);
    assert!(lines[1].starts_with("2/2 chain3, seed 8: SHD "), "{lines:?}");
}

#[test]
fn every_family_is_scored_whatever_the_settings_say_and_too_few_rows_are_refused() {
    let settings = Settings {
        max_parents: Some(0),
        knowledge: Knowledge {
            roots: vec![Statement { value: "no such variable".to_string(), place: "the test".into() }],
            ..Knowledge::default()
        },
        ..Settings::default()
    };
    let options = ReproduceOptions { rows: Some(200), settings, ..ReproduceOptions::default() };
    let result = reproduce("chain3", &options).unwrap();
    assert_eq!(result.json["runs"][0]["graphs"], 25);
    let too_few = ReproduceOptions { rows: Some(199), ..options };
    let error = reproduce("mechanisms", &too_few).unwrap_err();
    assert_eq!(error.to_string(), "an experiment needs a seed, a row order and 200 rows");
}

/// Both plots are there, well formed, with labels, and no curve leaves the axes or runs along the left one.
fn assert_svgs(plots: &[(String, String)]) {
    let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["next-step-loss.svg", "excess-code-length.svg"]);
    for (name, svg) in plots {
        let document = roxmltree::Document::parse(svg).unwrap();
        let of_kind = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        assert!(of_kind("text").count() >= 10 && !svg.contains("NaN"), "{name}");
        let curves: Vec<Vec<f64>> = of_kind("polyline")
            .filter_map(|line| line.attribute("points"))
            .map(|points| {
                points
                    .split_whitespace()
                    .map(|point| point.split(',').next().unwrap().parse().unwrap())
                    .collect()
            })
            .filter(|xs: &Vec<f64>| xs.len() > 10)
            .collect();
        assert!(curves.len() >= 4, "{name} has {} curves", curves.len());
        for xs in curves {
            let rising = xs.windows(2).all(|pair| pair[0] <= pair[1]);
            assert!(rising && xs[0] < xs[1], "{name}: {xs:?}");
        }
    }
}

#[test]
fn shifts_tell_the_direction_and_a_context_keeps_them_from_being_links() {
    let settings = Settings { estimator: Linear::default().into(), ..Settings::default() };
    let options = ReproduceOptions { settings, n_seeds: 2, ..ReproduceOptions::default() };
    let result = reproduce("shifts", &options).unwrap();
    assert_eq!(result.plots.len(), 4);
    for (name, svg) in &result.plots {
        let document = roxmltree::Document::parse(svg).unwrap();
        let n_curves = document.descendants().filter(|node| node.has_tag_name("polyline")).count();
        assert!(n_curves >= 2 && !svg.contains("NaN"), "{name}");
    }
    let gaps = |case: usize| result.json["adaptation"][case]["gap_nats"].as_array().unwrap().clone();
    for case in [0, 2] {
        assert!(gaps(case).iter().all(|gap| number(gap) > 10.0), "{:?}", gaps(case));
    }
    let arms = result.json["graphs"][0]["arms"].as_array().unwrap();
    let false_links =
        |arm: usize| arms[arm]["false_links"].as_array().unwrap().iter().map(number).sum::<f64>();
    assert_eq!(arms[2]["arm"], "environment as context");
    assert!(false_links(2) < false_links(0), "{arms:?}");
    assert!(result.markdown.contains("| numbers, environment as context | "), "{}", result.markdown);
}
