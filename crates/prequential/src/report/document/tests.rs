//! Every kind of object: what it looks like, and that reading and writing it again gives the same bytes.

use serde_json::{Value, json};

use super::super::comparison::ComparisonDocument;
use super::super::local_scores::LocalScoresDocument;
use super::super::options::DocumentOptions;
use super::super::plan::PlanDocument;
use super::super::scored::ScoreDocument;
use super::super::searched::SearchDocument;
use super::curves::CurvesDocument;
use super::read::read;
use super::{Document, ResultDocument};
use crate::estimator::{Fourier, Mix};
use crate::graph::{Dag, NamedDag};
use crate::run::{FamilySelection, Plan, Settings, learn, search_scores};
use crate::score::LocalScores;
use crate::search::HillClimb;
use crate::table::{Table, Values, Variable};

/// Rain makes wet; a column of numbers follows wet.
fn garden() -> Table {
    let labels = |name: &str, codes: Vec<u32>| Variable {
        name: name.into(),
        values: Values::Labels { levels: vec!["no".into(), "yes".into()], codes },
        intervened: None,
    };
    let rain: Vec<u32> = (0..60).map(|row| u32::from(row % 3 == 0)).collect();
    let wet: Vec<u32> = rain.iter().enumerate().map(|(row, &rain)| rain ^ u32::from(row % 10 == 0)).collect();
    let slips = wet.iter().enumerate().map(|(row, &wet)| f64::from(3 * wet) + (row * 7 % 11) as f64 / 10.0);
    let slips = Variable {
        name: "slips".into(),
        values: Values::Numbers(slips.collect()),
        intervened: Some((0..60).map(|row| row < 5).collect()),
    };
    Table::new(vec![labels("rain", rain), labels("wet", wet), slips]).unwrap()
}

/// What differs from run to run set to 0, numbers to 6 digits, long lists cut after two.
fn golden(text: &str) -> String {
    fn settle(key: &str, value: &mut Value) {
        match value {
            Value::Number(_) if key.ends_with("seconds") || ["threads", "bytes"].contains(&key) => {
                *value = json!(0);
            }
            Value::Number(number) if number.is_f64() => {
                // What is left of a difference of equal sums depends on the machine.
                let number = number.as_f64().filter(|number| number.abs() > 1e-9).unwrap_or(0.0);
                let rounded: f64 = format!("{number:.6e}").parse().unwrap();
                *value = json!(rounded);
            }
            Value::Array(items) => {
                items.truncate(if key == "variables" { 3 } else { 2 });
                items.iter_mut().for_each(|item| settle(key, item));
            }
            // At least and at most so many.
            Value::Object(entries) if key.ends_with("seconds") => {
                entries.values_mut().for_each(|value| settle(key, value));
            }
            Value::Object(entries) => entries.iter_mut().for_each(|(key, value)| settle(key, value)),
            _ => {}
        }
    }
    let mut value: Value = serde_json::from_str(text).unwrap();
    value["version"] = json!("x.y.z");
    settle("", &mut value);
    format!("{value:#}")
}

/// The text itself, after it was read and written again to the same bytes.
fn returned<T: Document>(text: String) -> String {
    assert!(text.ends_with("}\n"));
    assert_eq!(read::<T>(&text, "text").unwrap().write(), text);
    text
}

fn settings() -> Settings {
    Settings { estimator: Fourier::default().into(), permutations: 2, top: 2, ..Settings::default() }
}

#[test]
fn learned() {
    let table = garden();
    let learned = learn(&table, &settings()).unwrap();
    let truth = learned.against(&Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap());
    let options = DocumentOptions { families: true, truth: Some(&truth), ..DocumentOptions::default() };
    insta::assert_snapshot!(golden(&returned::<ResultDocument>(learned.document(&options).to_json())));
}

#[test]
fn settings_of_networks_and_of_a_search_without_proof_name_their_start() {
    let start = Some(Dag::from_edges(3, [(0, 2)]).unwrap());
    let search = HillClimb { start, ..HillClimb::default() }.into();
    let estimator = Mix { networks: 2, ..Mix::default() }.into();
    let plan = Plan::new(&garden(), &Settings { estimator, search, ..settings() }).unwrap();
    let written = json!(plan.resolved(&plan.constraints));
    assert_eq!(written["search"]["start"], json!([["rain", "slips"]]));
    assert_eq!((&written["search"]["name"], &written["search"]["tabu"]), (&json!("hill-climb"), &json!(15)));
    assert_eq!(
        (&written["estimator"]["name"], &written["estimator"]["networks"]),
        (&json!("mix"), &json!(2))
    );
    assert_eq!(written["row_orders"], json!(2));
}

#[test]
fn scored_and_curves() {
    let table = garden();
    let dag = Dag::from_edges(3, [(0, 1)]).unwrap();
    let scored = Plan::new(&table, &settings()).unwrap().score(FamilySelection::Graph(&dag), &()).unwrap();
    let text = scored.document(&DocumentOptions::default()).to_json();
    insta::assert_snapshot!("scored", golden(&returned::<ScoreDocument>(text)));
    let curves = scored.curves().unwrap().to_json(&table.names());
    insta::assert_snapshot!("curves", golden(&returned::<CurvesDocument>(curves)));
}

#[test]
fn planned() {
    let table = garden();
    let plan = Plan::new(&table, &settings()).unwrap();
    let estimate = plan.estimate().unwrap();
    let text = plan.document(&estimate, &DocumentOptions::default()).to_json();
    let mut golden: Value = serde_json::from_str(&golden(&returned::<PlanDocument>(text))).unwrap();
    // As in a result.
    golden["data"] = Value::Null;
    golden["settings"] = Value::Null;
    golden["estimate"]["memory_bytes"] = json!(0);
    insta::assert_snapshot!(format!("{golden:#}"));
}

#[test]
fn local_scores_and_what_a_search_of_them_finds() {
    let scores = LocalScores::from_jkl("2\nrain 1\n-10.5 0\nwet 2\n-20 0\n-12.25 1 rain\n", "x.jkl").unwrap();
    insta::assert_snapshot!("local_scores", golden(&returned::<LocalScoresDocument>(scores.to_json())));
    let searched = search_scores(&scores, &Settings::default(), &()).unwrap();
    insta::assert_snapshot!("searched", golden(&returned::<SearchDocument>(searched.to_json())));
}

#[test]
fn comparison() {
    let named = |edges: [(usize, usize); 2]| {
        let names = ["rain", "wet", "slips"].map(String::from).to_vec();
        NamedDag { names, dag: Dag::from_edges(3, edges).unwrap() }
    };
    let (graph, truth) = (named([(1, 0), (1, 2)]), named([(0, 1), (0, 2)]));
    let compared = ComparisonDocument::new((&graph, "ours"), (&truth, "theirs")).unwrap();
    insta::assert_snapshot!(golden(&returned::<ComparisonDocument>(compared.to_json())));
}

#[cfg(feature = "store")]
#[test]
fn store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("scores.db");
    learn(&garden(), &Settings { store: Some(path.clone()), ..settings() }).unwrap();
    let text = returned::<super::super::store::StoreDocument>(
        crate::score::StoreInfo::read(&path).unwrap().to_json(),
    );
    let mut golden: Value = serde_json::from_str(&golden(&text)).unwrap();
    golden["path"] = json!("scores.db");
    golden["contexts"][0]["settings"] = json!({"seed": golden["contexts"][0]["settings"]["seed"]});
    insta::assert_snapshot!(format!("{golden:#}"));
}
