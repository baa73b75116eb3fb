//! Estimates of a run against its actual cost.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::progress::{Span, Stage};
use prequential::{FamilySelection, Plan, Settings, Table};
use prequential_simulate::Experiment;

fn functions(n_vars: usize, n_rows: usize) -> Table {
    let experiment = Experiment::RandomFunctions { n_vars, is_additive: false };
    experiment.simulate(n_rows, 5).unwrap().table
}

fn stages(plan: &Plan) -> Vec<Stage> {
    plan.estimate().unwrap().stages.iter().map(|stage| stage.stage).collect()
}

#[test]
fn what_is_certain_is_said_exactly() {
    let table = Experiment::Asia.simulate(500, 1).unwrap().table;
    let plan = Plan::new(&table, &Settings::default()).unwrap();
    assert_eq!(stages(&plan), [Stage::InitialScoring, Stage::Search, Stage::Probabilities]);
    let estimate = plan.estimate().unwrap();
    let n_families = plan.learn(&()).unwrap().cost.n_families;
    assert_eq!(estimate.n_opening(), Some(n_families));
    assert_eq!(estimate.n_families(), Span::exactly(n_families as f64));
    assert_eq!(estimate.n_networks, Span::exactly(0.0));
    let scoring = plan.estimate_score(FamilySelection::All).unwrap();
    assert_eq!(scoring.n_families(), Span::exactly(n_families as f64));
    assert_eq!(scoring.stages.len(), 1);
}

#[test]
fn families_that_hang_on_the_table_are_a_range_around_what_is_scored() {
    let table = functions(8, 200);
    let plan = Plan::new(&table, &Settings::default()).unwrap();
    assert_eq!(stages(&plan), [Stage::InitialScoring, Stage::Search, Stage::Networks, Stage::Probabilities]);
    let estimate = plan.estimate().unwrap();
    let learned = plan.learn(&()).unwrap();
    let is_near =
        |said: Span, found: usize| said.least / 2.0 <= found as f64 && found as f64 <= 2.0 * said.most;
    assert!(
        is_near(estimate.n_families(), learned.cost.n_families),
        "{estimate:?} {}",
        learned.cost.n_families
    );
    let n_trained = learned.approximations.networks.unwrap().n_families;
    assert!(is_near(estimate.stages[2].n_families, n_trained), "{estimate:?} {n_trained}");
    assert!(
        is_near(estimate.n_networks, learned.cost.n_trainings),
        "{estimate:?} {}",
        learned.cost.n_trainings
    );
}

#[cfg(feature = "store")]
#[test]
fn what_a_store_has_is_no_work() {
    let directory = tempfile::TempDir::new().unwrap();
    let settings = Settings { store: Some(directory.path().join("s.db")), ..Settings::default() };
    let plan = Plan::new(&functions(7, 100), &settings).unwrap();
    plan.learn(&()).unwrap();
    let estimate = plan.estimate().unwrap();
    assert_eq!((estimate.n_families(), estimate.n_networks), (Span::exactly(0.0), Span::exactly(0.0)));
}

#[test]
fn memory_grows_with_rows_and_threads() {
    let memory = |n_rows: usize, threads: usize| {
        let settings = Settings { threads: Some(threads), ..Settings::default() };
        Plan::new(&functions(4, n_rows), &settings).unwrap().estimate().unwrap().memory
    };
    let (few, more, threads) = (memory(100, 1), memory(400, 1), memory(400, 3));
    assert!(few < more && more < threads, "{few} {more} {threads}");
}
