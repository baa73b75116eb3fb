//! The page as a whole: what it holds, what it may do, and what it refuses.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::base::error::{Error, Result};
use crate::estimator::Counts;
use crate::report::{DocumentOptions, ResultDocument};
use crate::run::{Settings, learn};
use crate::search::Search;
use crate::table::test_tables;

/// A small result with every key that may be there.
fn full_result() -> Value {
    json!({
        "schema": 2, "kind": "learned", "version": "0.2.0",
        "data": {
            "path": "tables/garden.csv", "rows": 200, "sha256": "ab12",
            "variables": [
                {"name": "rain", "kind": "categorical", "bins": 2, "rows_used": 200, "missing": 0, "intervened": 0},
                {"name": "wet", "kind": "continuous", "bins": 128, "rows_used": 180, "missing": 5, "intervened": 15},
                {"name": "slip", "kind": "categorical", "bins": 3, "rows_used": 200, "missing": 0, "intervened": 0},
            ],
            "options": {"columns": [], "missing": ["?"]},
            "warnings": ["`slip` has few rows in a level"],
        },
        "settings": {
            "estimator": {"name": "mix", "networks": 3, "network": {"hidden": [32, 32]}},
            "search": {"name": "order", "restarts": 4},
            "quantisation": {"bins": 128, "binning": "normal", "inputs": "quantised"},
            "max_parents": 2, "seed": 7, "row_orders": 1, "row_order": "shuffled", "require": [["rain", "wet"]],
            "forbid": [["slip", "rain"]], "tiers": [["rain"], ["wet", "slip"]], "roots": ["rain"], "leaves": ["slip"],
            "start": [["rain", "slip"]], "memory_limit_bytes": 8589934592u64, "top": 2,
        },
        "dag": {"code_length_nats": 1234.5, "edges": [
            {"from": "rain", "to": "wet", "probability": 0.99, "linked": 0.999, "basis": "all-graphs", "removal_nats": 120.25,
             "reversal_nats": null, "removal_spread_nats": 2.5, "reversal_spread_nats": null, "sign": "+", "strength": 0.668,
             "explains": 0.737},
            {"from": "wet", "to": "slip", "probability": 0.7, "linked": 0.95, "basis": "all-graphs", "removal_nats": 12.0,
             "reversal_nats": 1.5},
        ]},
        "shapes": [
            {"from": "rain", "to": "wet", "at": ["no", "yes", null], "rows": [120, 60, 5],
             "predicted": {"low": [0.5, 2.0, 1.0], "median": [1.0, 3.0, 2.0], "high": [2.0, 4.5, 3.0]},
             "points": [["no", 1.25], ["yes", 3.5], [null, 2.0]]},
            {"from": "wet", "to": "slip", "at": [0.5, 1.0, 4.0], "rows": [40, 40, 40],
             "predicted": {"levels": ["none", "one", "two"], "shares": [[0.8, 0.6, 0.3], [0.1, 0.2, 0.3], [0.1, 0.2, 0.4]],
                           "observed": [[0.8, 0.6, 0.3], [0.1, 0.2, 0.3], [0.1, 0.2, 0.4]]}},
        ],
        "cpdag": {"directed": [["rain", "wet"]], "undirected": [["wet", "slip"]]},
        "ranking": [
            {"edges": [["rain", "wet"], ["wet", "slip"]], "code_length_nats": 1234.5, "excess_nats": 0.0},
            {"edges": [["rain", "wet"], ["slip", "wet"], ["rain", "slip"]], "code_length_nats": 1236.0, "excess_nats": 1.5},
        ],
        "pairs": [
            {"a": "rain", "b": "wet", "linked": 0.999, "a_to_b": 0.99, "b_to_a": 0.009, "basis": "all-graphs"},
            {"a": "rain", "b": "slip", "linked": 0.2, "a_to_b": 0.15, "b_to_a": 0.05, "basis": "all-graphs"},
            {"a": "wet", "b": "slip", "linked": 0.95, "a_to_b": 0.7, "b_to_a": 0.25, "basis": "all-graphs"},
        ],
        "posterior": {"method": "layers", "basis": "all-graphs", "expected_links": 2.25, "link_temperature": 1.5,
                      "direction_temperature": 5.0},
        "agreement": {"over": "networks", "n": 3, "same_graph": 2, "same_class": 3, "edges": [
            {"from": "rain", "to": "wet", "found_by": 3}, {"from": "wet", "to": "slip", "found_by": 2}]},
        "families": [
            {"child": "wet", "parents": ["rain"], "code_length_nats": 800.125, "spread_nats": 1.5},
            {"child": "wet", "parents": [], "code_length_nats": 920.375, "spread_nats": 0.5},
        ],
        "truth": {"shd": 1, "shd_cpdag": 1, "sid": 2, "equivalent": false, "exact": false, "expected_shd": 1.25},
        "search": {"method": "order", "proven": false, "graphs": null, "visited": 1500},
        "partial": {"reason": "time limit", "scored_families": 9, "planned_families": 12, "command": "prequential learn x"},
        "curves": {
            "over": "networks", "n": 3, "rows": [1, 10, 200],
            "graphs": [
                {"rank": 0, "excess_nats": {"mean": [0.0, 0.0, 0.0], "sd": [0.0, 0.0, 0.0]}},
                {"rank": 1, "excess_nats": {"mean": [0.0, 0.5, 1.5], "sd": [0.0, 0.25, 0.5]}},
            ],
            "families": [{"child": "wet", "parents": ["rain"], "next_step_nats": {"mean": [4.0, null, 3.5], "sd": [0.0, null, 0.1]}}],
        },
        "cost": {"families": 12, "training_runs": 30, "gradient_steps": 900, "cpu_seconds": 1.26, "wall_seconds": 0.75, "reused_families": 0,
                 "command": "prequential learn tables/garden.csv --out 'my garden'"},
    })
}

/// A result with only the required parts.
fn plain_result() -> Value {
    let mut result = full_result();
    let object = result.as_object_mut().unwrap();
    for key in ["agreement", "families", "truth", "partial", "curves", "shapes"] {
        object.remove(key);
    }
    result["posterior"] = Value::Null;
    result["pairs"] = Value::Null;
    result
}

/// The page of a result.
fn page_of(result: &Value) -> Result<String> {
    Ok(ResultDocument::parse(&result.to_string(), "result")?.to_html())
}

/// What stands between two texts.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let from = page.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    &page[from..from + page[from..].find(end).unwrap()]
}

#[test]
fn the_page_of_a_full_result_reads_well() {
    let page = page_of(&full_result()).unwrap();
    insta::assert_snapshot!(between(&page, "<body>", "<script id"));
}

#[test]
fn every_part_that_a_result_may_lack_is_left_out() {
    let page = page_of(&plain_result()).unwrap();
    for part in ["id=\"truth\"", "id=\"excess\"", "id=\"next-step\"", "class=\"banner\"", "id=\"shapes\""] {
        assert!(!page.contains(part), "{part}");
        assert!(page_of(&full_result()).unwrap().contains(part), "{part}");
    }
    assert!(page.contains("no code lengths of families"));
}

#[test]
fn a_result_that_was_read_again_has_the_same_views() {
    let table = test_tables::labels(300);
    let learned = learn(&table, &Settings::default()).unwrap();
    let document = learned.document(&DocumentOptions { families: true, ..DocumentOptions::default() });
    let again = ResultDocument::parse(&document.to_json(), "result").unwrap();
    assert_eq!(again.to_text(), document.to_text());
    assert_eq!(again.to_html(), document.to_html());
    assert_eq!((again.to_svg(), again.shapes_to_svg()), (document.to_svg(), document.shapes_to_svg()));
    assert_eq!((again.edges_to_csv(), again.to_json()), (document.edges_to_csv(), document.to_json()));
    assert_eq!(document.to_text(), learned.to_text());
}

#[test]
fn every_search_ends_in_the_same_words_in_text_and_on_the_page() {
    let table = test_tables::labels(200);
    for search in Search::all() {
        let estimator = Counts::default().into();
        let learned = learn(&table, &Settings { estimator, search, ..Settings::default() }).unwrap();
        let document = learned.document(&DocumentOptions::default());
        let name = learned.plan.search();
        let words = format!("Search {}.", document.search_in_words());
        assert!(words.starts_with(&format!("Search {name}: ")), "{words}");
        assert!(document.to_text().contains(&words), "{words}");
        let page = document.to_html();
        let meaning =
            if learned.answer.found.is_proven { "This is a proof" } else { "A graph with a shorter" };
        assert!(page.contains(&format!("{words} {meaning}")), "{words}");
    }
}

#[test]
fn an_edge_has_the_same_direction_wherever_it_stands() {
    let mut result = full_result();
    result["dag"]["edges"][1]["probability"] = json!(0.05);
    result["pairs"][2] = json!({"a": "wet", "b": "slip", "linked": 0.95, "a_to_b": 0.05, "b_to_a": 0.9, "basis": "all-graphs"});
    let document = ResultDocument::parse(&result.to_string(), "result").unwrap();
    let text = document.to_text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("wet -> slip")).collect();
    assert!(lines[0].contains("0.950   0.050   0.900"), "{text}");
    assert_eq!(lines[1], "Probabilities favour the other direction for wet -> slip");
    assert!(!text.contains("slip -> wet  "), "{text}");
    let page = document.to_html();
    let edge = "<bdi class=\"name\">wet</bdi> → <bdi class=\"name\">slip</bdi>";
    assert!(between(&page, "id=\"evidence\"", "</section>").contains(edge));
    assert!(page.contains(
        "Probabilities favour the other direction for wet → slip (5 % this way, 90 % the other way)."
    ));
    assert!(page.contains("For 1 link (dashed too) the probabilities favour the other direction."));
    let csv = document.edges_to_csv();
    assert!(csv.contains("\"wet\",\"slip\",1,<-,0.95,0.05,0.9,all-graphs,12.0,,1.5,\n"), "{csv}");
    assert!(document.to_svg().contains(
        "wet -&gt; slip: removing it costs 12.0 nats, probability 0.05, probabilities favour the other direction"
    ));
    assert_eq!(document.edges()[1].to, "slip");
}

#[test]
fn nothing_is_fetched_and_nothing_runs_but_the_one_script() {
    let page = page_of(&full_result()).unwrap();
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"").replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
        let content = between(&page, &format!("<{element}>"), &format!("</{element}>"));
        let hash = super::page::base64(&Sha256::digest(content.as_bytes()));
        assert!(policy.contains(&format!("{directive} 'sha256-{hash}'")), "{policy}");
    }
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    for reference in [" src=", " href=", " style=", "@import", " onclick=", "url("] {
        assert!(!page.contains(reference), "{reference}");
    }
    let namespace = "http://www.w3.org/2000/svg";
    assert_eq!(
        page.matches("http").count() - page.matches("http-equiv").count(),
        page.matches(namespace).count()
    );
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "<script>alert(1)</script><!-- \" ' & </title>\u{202e}";
    let text = full_result().to_string().replace("\"wet\"", &Value::from(hostile).to_string());
    let text = text.replace("tables/garden.csv", "</script><script>alert(2)");
    let page = ResultDocument::parse(&text, "result").unwrap().to_html();
    assert!(
        !page.contains("<script>alert") && !page.contains("<!--") && page.matches("<script").count() == 2
    );
    let data: Value = serde_json::from_str(between(&page, "application/json\">", "</script>")).unwrap();
    assert_eq!(data["names"][1], hostile);
}

#[test]
fn families_go_in_compactly() {
    let page = page_of(&full_result()).unwrap();
    let data: Value = serde_json::from_str(between(&page, "application/json\">", "</script>")).unwrap();
    assert_eq!(data["families"], json!([[], [[800.125, 1.5, 0], [920.375, 0.5]], []]));
    assert_eq!(data["knowledge"]["tiers"], json!([[0], [1, 2]]));
    assert_eq!(data["proven"], false);
}

/// The complaint and the way out about a result with one change.
fn complaint(change: impl Fn(&mut Value)) -> String {
    let mut result = full_result();
    change(&mut result);
    let error = page_of(&result).unwrap_err();
    format!("{error}\nhint: {}\n", error.hint())
}

#[test]
fn complaints_name_the_key_and_the_way_out() {
    let complaints = [
        complaint(|result| *result = json!([["rain", "wet"]])),
        complaint(|result| *result = json!({"rows": 3})),
        complaint(|result| result["schema"] = json!(1)),
        complaint(|result| result["schema"] = json!(3)),
        complaint(|result| result["schema"] = json!("two")),
        complaint(|result| result["kind"] = json!("plan")),
        complaint(|result| result["kind"] = json!("novel")),
        complaint(|result| drop(result.as_object_mut().unwrap().remove("kind"))),
        complaint(|result| drop(result.as_object_mut().unwrap().remove("cpdag"))),
        complaint(|result| drop(result["dag"]["edges"][1].as_object_mut().unwrap().remove("to"))),
        complaint(|result| result["dag"]["edges"][1]["removal_nats"] = json!("much")),
        complaint(|result| result["dag"]["code_length_nats"] = json!(null)),
        complaint(|result| result["search"]["proven"] = json!("maybe")),
        complaint(|result| result["data"]["variables"][0]["kind"] = json!("mixed")),
        complaint(|result| result["dag"]["edges"][1]["to"] = json!("snow")),
        complaint(|result| result["dag"]["edges"][1]["to"] = json!("wet")),
        complaint(|result| result["dag"]["edges"][1] = result["dag"]["edges"][0].clone()),
        complaint(|result| {
            result["ranking"][1]["edges"] = json!([["rain", "wet"], ["wet", "slip"], ["slip", "rain"]])
        }),
        complaint(|result| result["ranking"][1]["edges"][0] = json!(["rain"])),
        complaint(|result| result["cpdag"]["undirected"][0] = json!(["wet", "snow"])),
        complaint(|result| result["data"]["variables"][2]["name"] = json!("rain")),
        complaint(|result| result["data"]["rows"] = json!(-2)),
        complaint(|result| result["families"][0]["parents"] = json!(["rain", "rain"])),
        complaint(|result| result["settings"]["roots"] = json!("rain")),
        complaint(|result| result["settings"]["search"] = json!("order")),
        complaint(|result| result["agreement"]["over"] = json!("years")),
        complaint(|result| result["shapes"][0]["from"] = json!("snow")),
        complaint(|result| result["shapes"][0]["predicted"]["low"] = json!([0.5])),
        complaint(|result| result["shapes"][1]["predicted"]["shares"] = json!([[0.5]])),
        complaint(|result| result["curves"]["graphs"][1]["excess_nats"]["sd"] = json!([0.0])),
    ];
    insta::assert_snapshot!(complaints.join("\n"));
}

#[test]
fn texts_that_are_no_results_are_named() {
    for (text, expected) in [
        ("{\n\"schema\": 2,\n", "`mine.json` line 3: this is not JSON: EOF while parsing"),
        ("[]", "`mine.json`: this is not a result: it has no key `schema`"),
    ] {
        let message = ResultDocument::parse(text, "mine.json").unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

/// Every place in a value, as JSON pointers.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            entries.iter().for_each(|(key, value)| places(value, format!("{here}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| places(value, format!("{here}/{i}"), found));
        }
        _ => {}
    }
    found.push(here);
}

#[test]
fn no_nonsense_anywhere_makes_it_panic() {
    let result = full_result();
    let mut all = Vec::new();
    places(&result, String::new(), &mut all);
    let nonsense = [
        Value::Null,
        json!("rain"),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!([]),
        json!({}),
        json!([[["rain"]]]),
        json!(true),
    ];
    let mut n_refused = 0;
    for place in &all {
        for other in &nonsense {
            let mut result = result.clone();
            *result.pointer_mut(place).unwrap() = other.clone();
            if let Err(error) = page_of(&result) {
                assert!(
                    matches!(error, Error::Format { .. }) && !error.hint().is_empty(),
                    "{place}: {error}"
                );
                n_refused += 1;
            }
        }
    }
    assert!(n_refused > all.len(), "{n_refused} of {} refused", all.len() * nonsense.len());
}
