//! Code lengths of counts against K2 and BDeu scores of the package pgmpy, stored by `data/pgmpy/make_oracle.py`.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::path::Path;

use prequential::internals::{FamilyLengths, Quantised};
use prequential::{Dag, Estimator, Family, FamilySelection, Nats, Plan, Prior, ReadOptions, Settings, Table};

/// The priors under which code lengths are minus the stored scores, in their order.
const PRIORS: [Prior; 3] = [Prior::Alpha(1.0), Prior::SampleSize(1.0), Prior::SampleSize(10.0)];

type Edges = Vec<(String, String)>;

#[derive(serde::Deserialize)]
struct Stored {
    package: String,
    sha256: String,
    /// Child, parents, scores.
    families: Vec<(String, Vec<String>, [f64; 3])>,
    /// Edges, scores.
    graphs: Vec<(Edges, [f64; 3])>,
}

struct Oracle {
    stored: Stored,
    table: Table,
    data: Quantised,
    number_of: HashMap<String, usize>,
}

impl Oracle {
    fn read(name: &str) -> Result<Oracle, Box<dyn Error>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pgmpy");
        let stored: Stored = serde_json::from_slice(&std::fs::read(folder.join(format!("{name}.json")))?)?;
        let table = Table::read(folder.join(format!("{name}.csv.gz")), &ReadOptions::default())?;
        assert_eq!(stored.package, "pgmpy 1.1.2");
        let sha256 = table.source().map(|source| &source.sha256);
        assert_eq!(sha256, Some(&stored.sha256), "{name}: another table was scored");
        let data = Quantised::new(&table, 8);
        let number_of = table.names().into_iter().zip(0..).collect();
        Ok(Oracle { stored, table, data, number_of })
    }

    fn family(&self, child: &str, parents: &[String]) -> Family {
        Family::new(self.number_of[child], parents.iter().map(|parent| self.number_of[parent]).collect())
    }

    /// The code length that a score of `families` stands for.
    ///
    /// For each combination of parent values that occurs in no row, K2 of pgmpy is too high by ln Gamma(child levels): it
    /// leaves the combination out of one of two sums that should cancel.
    fn expected(&self, score: f64, prior: Prior, families: impl Iterator<Item = Family>) -> f64 {
        let too_high: f64 = match prior {
            Prior::Alpha(_) => families.map(|family| self.not_cancelled(&family)).sum(),
            Prior::SampleSize(_) | Prior::Mixed => 0.0,
        };
        too_high - score
    }

    fn not_cancelled(&self, family: &Family) -> f64 {
        let columns: Vec<_> = family.parents.iter().map(|parent| self.data.column(parent)).collect();
        let values = |row: usize| columns.iter().map(|column| column.codes[row]).collect();
        let seen: HashSet<Vec<u32>> = (0..self.data.n_rows()).map(values).collect();
        let n_possible: usize = columns.iter().map(|column| column.n_levels).product();
        (n_possible - seen.len()) as f64 * libm::lgamma(self.data.column(family.child).n_levels as f64)
    }

    fn settings(&self, prior: Prior) -> Settings {
        Settings {
            estimator: Estimator::default().with_prior(prior),
            max_parents: Some(3),
            ..Settings::default()
        }
    }
}

fn assert_close(Nats(found): Nats, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: found {found}, expected {expected}");
}

#[test]
fn code_lengths_of_families_are_minus_the_scores_of_pgmpy() {
    for (name, n_families) in [("asia", 364), ("random_12", 444)] {
        let oracle = Oracle::read(name).unwrap();
        assert_eq!(oracle.stored.families.len(), n_families);
        for (i, prior) in PRIORS.into_iter().enumerate() {
            let found = Plan::new(&oracle.table, &oracle.settings(prior))
                .unwrap()
                .score(FamilySelection::All, &())
                .unwrap();
            let lengths = found.scores.lengths(oracle.table.n_vars());
            for (child, parents, scores) in &oracle.stored.families {
                let family = oracle.family(child, parents);
                let expected = oracle.expected(scores[i], prior, [family.clone()].into_iter());
                let what = format!("{name}, {prior:?}, {child} | {parents:?}");
                assert_close(lengths.code_length(&family).unwrap(), expected, &what);
            }
        }
    }
}

#[test]
fn code_lengths_of_graphs_are_minus_the_scores_of_pgmpy() {
    for name in ["asia", "random_12"] {
        let oracle = Oracle::read(name).unwrap();
        assert_eq!(oracle.stored.graphs.len(), 9);
        for (edges, scores) in &oracle.stored.graphs {
            let numbered = edges.iter().map(|(from, to)| (oracle.number_of[from], oracle.number_of[to]));
            let dag = Dag::from_edges(oracle.table.n_vars(), numbered).unwrap();
            for (&score_of_pgmpy, prior) in scores.iter().zip(PRIORS) {
                let found = Plan::new(&oracle.table, &oracle.settings(prior))
                    .unwrap()
                    .score(FamilySelection::Graph(&dag), &())
                    .unwrap();
                let expected = oracle.expected(score_of_pgmpy, prior, dag.families());
                let what = format!("{name}, {prior:?}, {edges:?}");
                assert_close(found.total.unwrap(), expected, &what);
            }
        }
    }
}

#[test]
fn some_stored_families_have_unseen_parent_values_and_most_have_not() {
    let oracle = Oracle::read("random_12").unwrap();
    let families = oracle.stored.families.iter().map(|(child, parents, _)| oracle.family(child, parents));
    let n_corrected = families.filter(|family| oracle.not_cancelled(family) > 0.0).count();
    assert_eq!(n_corrected, 49);
}
