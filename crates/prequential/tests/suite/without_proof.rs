//! Searches without proof: how often they find the proven optimum, and what they may claim.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use prequential::internals::{
    ClimbSettings, CodeLengths, FamilyLengths, OrderGraph, Visited, by_visited, dag_length, hill_climb,
    order_search,
};
use prequential::results::Partial;
use prequential::{
    Constraints, Counts, Exact, Family, FamilySelection, HillClimb, Limits, Nats, NodeSet, Observer, Order,
    Plan, Result, Search, Settings, StopReason, learn,
};
use prequential_simulate::Experiment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::random_tables::{random_constraints, random_lengths};

type SearchFn = fn(&dyn FamilyLengths, &Constraints, &ClimbSettings) -> Result<Visited>;

const SEARCHES: [(&str, SearchFn); 2] = [("hill-climb", hill_climb), ("order", order_search)];

#[test]
fn the_proven_optimum_is_found_on_nearly_all_random_tables() {
    let mut misses = [Vec::new(), Vec::new()];
    for seed in 1..=100 {
        let n_vars = 8 + (seed % 5) as usize;
        let table = Experiment::RandomCategorical { n_vars }.simulate(1_000, seed).unwrap().table;
        let settings = Settings { max_parents: Some(4), ..Settings::default() };
        let lengths = Plan::new(&table, &settings)
            .unwrap()
            .score(FamilySelection::All, &())
            .unwrap()
            .scores
            .lengths(n_vars);
        let constraints = Constraints::none(n_vars).with_max_parents(4);
        let best = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap().best_dag().unwrap();
        let shortest = dag_length(&lengths, &best).unwrap();
        for (missed, (_, search)) in misses.iter_mut().zip(SEARCHES) {
            let found = search(&lengths, &constraints, &ClimbSettings::default()).unwrap().best(1).remove(0);
            assert!((found.1 - shortest).0 > -1e-6, "seed {seed}: shorter than the optimum");
            if (found.1 - shortest).0 > 1e-6 {
                missed.push(seed);
            }
        }
    }
    // Measured: of seeds up to 200, hill climbing misses 27, 31, 82, 111, 128, 138 and 158, order search 54, 144 and 199.
    for (missed, (name, _)) in misses.iter().zip(SEARCHES) {
        assert!(missed.len() <= 6, "{name} misses {missed:?}");
    }
}

/// Code lengths that write down which families were asked for, and refuse those never asked for.
struct Asked {
    lengths: CodeLengths,
    asked: Mutex<HashSet<Family>>,
}

impl Asked {
    fn new(lengths: CodeLengths) -> Asked {
        Asked { lengths, asked: Mutex::default() }
    }
}

impl FamilyLengths for Asked {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.asked.lock().unwrap().extend(families.iter().cloned());
        Ok(())
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).filter(|_| self.asked.lock().unwrap().contains(family))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, visit);
    }
}

#[test]
fn constraints_of_every_kind_are_obeyed_and_nothing_else_is_asked_for() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for table in 0..300 {
        let n_vars = rng.random_range(3..8);
        let gap = [0.1, 10.0, 10_000.0][table % 3];
        let lengths = Asked::new(random_lengths(n_vars, gap, &mut rng));
        let constraints = random_constraints(n_vars, &mut rng);
        let start = constraints.smallest_dag();
        for (name, search) in SEARCHES {
            let settings =
                ClimbSettings { restarts: 3, tabu_steps: 3, seed: table as u64, ..ClimbSettings::default() };
            let visited = search(&lengths, &constraints, &settings).unwrap();
            let (best, shortest) = visited.best(1).remove(0);
            assert!(shortest.0 <= dag_length(&lengths, &start).unwrap().0 + 1e-9, "{name}");
            for (dag, length) in visited.all() {
                assert!(constraints.allow(&dag), "{name}: {dag:?}");
                assert!(
                    (length - dag_length(&lengths, &dag).unwrap()).0.abs() < 1e-9 * (1.0 + gap),
                    "{name}"
                );
                assert!(length.0 >= shortest.0);
            }
            let again = search(&lengths, &constraints, &settings).unwrap().best(1).remove(0);
            assert_eq!(again.0, best, "{name}: the same twice");
            let from_best = ClimbSettings { start: Some(best), restarts: 0, ..settings };
            let resumed = search(&lengths, &constraints, &from_best).unwrap().best(1).remove(0);
            assert!(resumed.1.0 <= shortest.0 + 1e-9 * (1.0 + gap), "{name}: never longer than its start");
        }
        assert!(lengths.asked.lock().unwrap().iter().all(|family| constraints.allows(family)));
    }
}

#[test]
fn learning_scores_fewer_families_and_reports_the_graphs_it_looked_at() {
    let simulated = Experiment::Asia.simulate(3_000, 1).unwrap();
    let run = |search: Search, threads| {
        let estimator = Counts::default().into();
        let settings = Settings { search, estimator, threads: Some(threads), ..Settings::default() };
        learn(&simulated.table, &settings).unwrap()
    };
    let exact = run(Exact.into(), 2);
    for search in without_proof() {
        let (one, two) = (run(search.clone(), 1), run(search, 2));
        assert_eq!(
            (&one.answer.dag, one.answer.code_length, one.cost.n_families),
            (&two.answer.dag, two.answer.code_length, two.cost.n_families)
        );
        assert_eq!(one.answer.dag, exact.answer.dag);
        assert!(!one.answer.found.is_proven && one.answer.found.n_visited.unwrap() > 100);
        assert!(one.cost.n_families < exact.cost.n_families / 2, "{} families", one.cost.n_families);
        for (ours, proven) in one.answer.evidence.iter().zip(&exact.answer.evidence) {
            assert_eq!((ours.from, ours.to), (proven.from, proven.to));
            assert!((ours.removal.unwrap() - proven.removal.unwrap()).0.abs() < 1e-9);
            // Only graphs that were looked at count: the best reversal may not be among them.
            assert!(ours.reversal.is_none_or(|cost| cost.0 >= proven.reversal.unwrap().0 - 1e-9));
        }
        let (ours, proven) = (one.answer.posterior.unwrap(), exact.answer.posterior.as_ref().unwrap());
        // Measured: 0.09 away from the exact probabilities with hill climbing, 0.24 with order search, which looks at fewer graphs.
        for (from, to) in one.answer.dag.edges() {
            assert!((ours.edge_probability(from, to) - proven.edge_probability(from, to)).abs() < 0.4);
        }
    }
}

#[test]
fn weights_of_visited_graphs_are_those_of_their_code_lengths() {
    let dag = |edges: &[(usize, usize)]| prequential::Dag::from_edges(2, edges.iter().copied()).unwrap();
    let graphs = [(dag(&[(0, 1)]), Nats(5.0)), (dag(&[]), Nats(5.0 + 3f64.ln()))];
    let posterior = by_visited(graphs.clone());
    assert!((posterior.edge_probability(0, 1) - 0.75).abs() < 1e-12);
    assert!((posterior.expected_links() - 0.75).abs() < 1e-12);
    assert!((posterior.expected_shd(&graphs[1].0) - 0.75).abs() < 1e-12);
}

/// The searches that prove nothing.
fn without_proof() -> [Search; 2] {
    [HillClimb::default().into(), Order::default().into()]
}

/// Stops after so many families.
struct StopAfter {
    n_families: usize,
    scored: AtomicUsize,
}

impl Observer for StopAfter {
    fn scored(&self, n_families: usize) {
        self.scored.fetch_add(n_families, Ordering::Relaxed);
    }

    fn stop(&self) -> Option<StopReason> {
        (self.scored.load(Ordering::Relaxed) >= self.n_families).then_some(StopReason::TimeLimit)
    }
}

#[test]
fn a_run_that_is_stopped_returns_the_best_of_what_is_scored() {
    let table = Experiment::Asia.simulate(2_000, 1).unwrap().table;
    let whole = learn(&table, &Settings::default()).unwrap();
    for search in without_proof().into_iter().chain([Exact.into()]) {
        for n_families in [0, 20, 100] {
            let settings = Settings { search: search.clone(), threads: Some(1), ..Settings::default() };
            let observer = StopAfter { n_families, scored: AtomicUsize::new(0) };
            let learned = Plan::new(&table, &settings).unwrap().learn(&observer).unwrap();
            let Partial { reason, n_scored, n_planned, .. } = learned.partial.unwrap();
            assert_eq!(reason, StopReason::TimeLimit);
            assert!(n_scored >= 8 && n_scored < n_families + 20, "{search:?} {n_families}: {n_scored}");
            assert_eq!(n_planned.is_some(), search == Exact.into());
            assert!(learned.answer.code_length >= whole.answer.code_length);
            assert_eq!(n_families == 0, learned.answer.dag.n_edges() == 0, "{search:?} {n_families}");
        }
        let settings = Settings { search, ..Settings::default() };
        let observer = StopAfter { n_families: 1_000_000, scored: AtomicUsize::new(0) };
        assert_eq!(Plan::new(&table, &settings).unwrap().learn(&observer).unwrap().partial, None);
    }
}

#[test]
fn a_search_that_may_take_no_more_memory_returns_the_best_so_far() {
    let table = Experiment::Alarm.simulate(500, 1).unwrap().table;
    for search in without_proof() {
        let settings = Settings { search: search.clone(), ..Settings::default() };
        let whole = learn(&table, &settings).unwrap();
        let n_families = |memory| {
            let learned = learn(&table, &Settings { limits: Limits { memory }, ..settings.clone() }).unwrap();
            let partial = learned.partial.unwrap();
            assert_eq!(partial.reason, StopReason::MemoryLimit);
            assert!(
                learned.answer.code_length >= whole.answer.code_length && learned.answer.dag.n_edges() > 0
            );
            partial.n_scored
        };
        let (fewer, more) = (n_families(1 << 20), n_families(3 << 19));
        assert!(fewer < more && more < 3 * whole.cost.n_families / 4, "{search:?} {fewer} {more}");
    }
}
