//! Interrupted runs: what they return, claim and keep, whenever and by whatever observer they are stopped.
#![cfg(feature = "store")]
#![allow(clippy::unwrap_used, reason = "a test that cannot unwrap has failed")]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use prequential::progress::Stage;
use prequential::scores::{LocalScores, search_scores};
use prequential::{
    Exact, Exhaustive, Family, HillClimb, Ilp, Nats, Observer, Order, Plan, Search, Settings, StopReason,
    StopToken, Table, learn,
};
use prequential_simulate::Experiment;

fn searches() -> [Search; 4] {
    [Exact.into(), Ilp.into(), HillClimb::default().into(), Order::default().into()]
}

fn proves(search: &Search) -> bool {
    [Exact.into(), Ilp.into()].contains(search)
}

fn asia() -> Table {
    Experiment::Asia.simulate(1_000, 1).unwrap().table
}

/// Says yes to one question, and no to all others.
struct SaysYesOnce {
    at: usize,
    n_asked: AtomicUsize,
}

impl SaysYesOnce {
    fn at(at: usize) -> SaysYesOnce {
        SaysYesOnce { at, n_asked: AtomicUsize::new(0) }
    }
}

impl Observer for SaysYesOnce {
    fn stop(&self) -> Option<StopReason> {
        (self.n_asked.fetch_add(1, Ordering::Relaxed) == self.at).then_some(StopReason::Interrupted)
    }
}

/// Every code length of the table.
fn all_lengths(table: &Table) -> BTreeMap<Family, Nats> {
    let scores = learn(table, &Settings { search: Exact.into(), ..Settings::default() }).unwrap().scores;
    let lengths = scores.moments.iter().map(|moments| Nats(moments.mean));
    scores.families.iter().cloned().zip(lengths).collect()
}

#[test]
fn who_says_stop_once_has_said_it() {
    let table = asia();
    let whole = all_lengths(&table);
    let directory = tempfile::TempDir::new().unwrap();
    for (number, search) in searches().into_iter().enumerate() {
        for at in [0, 1, 7, 40] {
            let path = directory.path().join(format!("{number}-{at}.db"));
            let settings = Settings { search: search.clone(), ..Settings::default() };
            let stored = Settings { store: Some(path.clone()), ..settings.clone() };
            let learned = Plan::new(&table, &stored).unwrap().learn(&SaysYesOnce::at(at)).unwrap();
            let partial = learned.partial.unwrap_or_else(|| panic!("{search:?} at {at} was stopped"));
            assert_eq!(partial.reason, StopReason::Interrupted);
            assert!(!learned.answer.found.is_proven, "{search:?} at {at}");
            assert!(partial.n_planned.is_none_or(|n_planned| partial.n_scored < n_planned));
            let kept = LocalScores::read_store(&path, None).unwrap();
            assert!(kept.lengths.iter().all(|(family, length)| whole[family] == *length));
            let resumed = learn(&table, &stored).unwrap();
            let unbroken = learn(&table, &settings).unwrap();
            assert_eq!((resumed.answer.dag, resumed.partial), (unbroken.answer.dag, None));
        }
    }
}

#[test]
fn a_token_stops_scoring_and_keeps_its_first_reason() {
    let stop = StopToken::new();
    stop.stop(StopReason::TimeLimit);
    stop.clone().stop(StopReason::Interrupted);
    let table = asia();
    for search in searches() {
        let plan = Plan::new(&table, &Settings { search, ..Settings::default() }).unwrap();
        let learned = plan.learn(&stop).unwrap();
        assert_eq!(learned.partial.unwrap().reason, StopReason::TimeLimit);
        assert_eq!(learned.answer.dag.n_edges(), 0, "only variables alone are scored");
        assert_eq!(plan.learn(&()).unwrap().partial, None, "the plan itself was not stopped");
    }
}

/// Code lengths of 8 variables of which each has all others as possible parents.
fn given_scores() -> LocalScores {
    let names: Vec<String> = asia().names();
    LocalScores { names, lengths: all_lengths(&asia()) }
}

#[test]
fn a_search_of_given_scores_that_is_never_stopped_claims_what_it_did_before() {
    let scores = given_scores();
    for search in searches() {
        let settings = Settings { search: search.clone(), ..Settings::default() };
        let free = search_scores(&scores, &settings, &()).unwrap();
        assert_eq!(free.partial, None);
        assert_eq!(free.answer.found.is_proven, proves(&search));
    }
    assert!(
        search_scores(&scores, &Settings { search: Exhaustive.into(), ..Settings::default() }, &()).is_err()
    );
}

/// What a run says of itself, in order.
#[derive(Debug, Default)]
struct Diary(Mutex<Vec<Event>>);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    Planned,
    Scoring(usize),
    Scored(usize),
    Entered(Stage),
}

impl Diary {
    fn note(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }

    /// How many families were to be scored, and how many were, at most so many at any time.
    fn totals(&self) -> (usize, usize) {
        let (mut asked, mut scored) = (0, 0);
        for event in self.0.lock().unwrap().iter() {
            match event {
                Event::Scoring(n_families) => asked += n_families,
                Event::Scored(n_families) => scored += n_families,
                Event::Planned | Event::Entered(_) => {}
            }
            assert!(scored <= asked, "nothing is scored that was not asked for");
        }
        (asked, scored)
    }
}

impl Observer for Diary {
    fn planned(&self, _: &prequential::progress::Estimate) {
        self.note(Event::Planned);
    }

    fn scoring(&self, n_families: usize) {
        self.note(Event::Scoring(n_families));
    }

    fn scored(&self, n_families: usize) {
        self.note(Event::Scored(n_families));
    }

    fn entered(&self, stage: Stage) {
        self.note(Event::Entered(stage));
    }
}

#[test]
fn an_observer_is_told_of_every_family_once_and_of_every_stage() {
    let table = asia();
    for search in searches() {
        let plan = Plan::new(&table, &Settings { search: search.clone(), ..Settings::default() }).unwrap();
        let diary = Diary::default();
        let learned = plan.learn(&diary).unwrap();
        assert_eq!(diary.totals(), (learned.cost.n_families, learned.cost.n_families), "{search:?}");
        let events = diary.0.into_inner().unwrap();
        let n_planned = events.iter().filter(|&&one| one == Event::Planned).count();
        let proves = proves(&search);
        assert_eq!(n_planned, usize::from(proves));
        let stages: Vec<Stage> = events
            .iter()
            .filter_map(|event| match event {
                Event::Entered(stage) => Some(*stage),
                _ => None,
            })
            .collect();
        assert_eq!(stages, [Stage::InitialScoring, Stage::Search, Stage::Probabilities]);
        let of_stages: Vec<(Stage, usize)> =
            learned.cost.stages.iter().map(|stage| (stage.stage, stage.n_families)).collect();
        let n_families = learned.cost.n_families;
        assert_eq!(of_stages.iter().map(|(stage, _)| *stage).collect::<Vec<_>>(), stages);
        assert_eq!(of_stages.iter().map(|(_, n_families)| n_families).sum::<usize>(), n_families);
        // One that proves its answer has all scored beforehand.
        assert_eq!(of_stages[0].1 == n_families, proves, "{of_stages:?}");
    }
}

#[test]
fn what_a_store_has_is_neither_asked_for_nor_scored() {
    let directory = tempfile::TempDir::new().unwrap();
    let settings = Settings { store: Some(directory.path().join("s.db")), ..Settings::default() };
    let plan = Plan::new(&asia(), &settings).unwrap();
    plan.learn(&()).unwrap();
    let diary = Diary::default();
    plan.learn(&diary).unwrap();
    assert_eq!(diary.totals(), (0, 0));
}
