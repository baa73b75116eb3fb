//! The trait of searches: settings that can be described, and the way from code lengths to a graph.

use std::fmt::Debug;

use serde_json::{Map, Value};

use super::constraints::Constraints;
use super::limits::Limits;
use super::visited::Visited;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, NodeSet};
use crate::score::{CodeLengths, FamilyLengths, dag_length};

/// A search with all its settings resolved.
pub(crate) trait SearchMethod: Debug + Send + Sync {
    /// What is fixed about it.
    fn description(&self) -> SearchDescription;

    /// Every setting by name, variables called `names`.
    fn settings(&self, _names: &[String]) -> Map<String, Value> {
        Map::new()
    }

    /// About how many families it will request without chosen candidates: at least and at most.
    fn expected_requests(&self, _size: &ProblemSize) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Refuses problems that cannot be searched, before any work.
    fn check(&self, constraints: &Constraints, limits: &Limits) -> Result<()>;

    /// About how many bytes it needs besides the code lengths.
    fn memory(&self, n_vars: usize) -> f64;

    /// Finds the best graph. There is always one: the families of the smallest allowed graph are scored.
    ///
    /// If it is stopped, it returns the best graph so far and claims no proof.
    fn find(&self, problem: &Problem) -> Result<SearchResult>;

    /// The best graph by other code lengths than those by which `from` was found, searched for quickly;
    /// `None` if it was stopped, or there is none.
    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>>;

    /// The result under other code lengths of the same families, such as those of a single network, instead
    /// of `answer`; `None` if a second search would take too long.
    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>>;
}

/// What is fixed about a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchDescription {
    /// The name by which users choose it.
    pub(crate) name: &'static str,
    /// A one-line summary.
    pub(crate) summary: &'static str,
    /// Whether families are scored as the search needs them, not all in advance; such a search proves
    /// nothing.
    pub(crate) scores_on_demand: bool,
}

/// The size of a problem, known before any family is scored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemSize {
    pub(crate) n_vars: f64,
    pub(crate) n_rows: f64,
    /// Ordered pairs of dependent variables.
    pub(crate) n_dependent_pairs: f64,
}

/// A search problem.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) lengths: &'a dyn FamilyLengths,
    pub(crate) constraints: &'a Constraints,
    pub(crate) limits: &'a Limits,
    /// How many graphs the ranking lists.
    pub(crate) top: usize,
    /// How many neighbours of the best graph are wanted, however long the ranking.
    pub(crate) n_near: usize,
    /// The candidate parents to try first, if they are known.
    pub(crate) candidates: Option<&'a Candidates>,
    /// A good graph: a local search starts only there.
    pub(crate) start: Option<&'a Dag>,
    /// The seed of random choices.
    pub(crate) seed: u64,
    pub(crate) stop: Stop<'a>,
}

impl Problem<'_> {
    /// The code length of a graph that was found.
    pub(super) fn length_of(&self, dag: &Dag) -> Nats {
        dag_length(self.lengths, dag).unwrap_or_else(|| panic!("the best graph has scored families"))
    }
}

/// The candidate parents that a local search tries first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidates {
    /// For each child.
    pub(crate) parents: Vec<NodeSet>,
    /// For each child, pairs that may gain more jointly than separately.
    pub(crate) joint: Vec<Vec<(usize, usize)>>,
}

/// The result of a search.
pub(crate) struct SearchResult {
    /// The best graph.
    pub(crate) dag: Dag,
    /// Its code length.
    pub(crate) code_length: Nats,
    /// For each edge of the graph, the shortest code of any graph in which it is reversed; `None` if there is
    /// none.
    pub(crate) reversed: Vec<Option<Nats>>,
    /// The best graphs, best first, this one included.
    pub(crate) ranking: Vec<(Dag, Nats)>,
    /// The neighbours of the best graph.
    pub(crate) near: Vec<Dag>,
    /// How it was found.
    pub(crate) report: SearchReport,
    /// The graphs over which probabilities can be summed.
    pub(crate) support: PosteriorSupport,
}

/// Which graphs a search knows the code lengths of.
pub(crate) enum PosteriorSupport {
    /// All, by their families.
    Families(CodeLengths),
    /// The visited graphs.
    Visited(Visited),
}

/// How a graph was found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SearchReport {
    /// Whether it is proven that no allowed graph of scored families has a shorter code.
    pub is_proven: bool,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
    /// How many graphs were compared one by one, if all were.
    pub n_graphs: Option<usize>,
    /// How many graphs a search without proof visited.
    pub n_visited: Option<usize>,
    /// A lower bound on the code length of any allowed graph of scored families, from searches that have one.
    pub lower_bound: Option<Nats>,
}

impl SearchReport {
    /// A proof by comparing all graphs at once.
    pub(super) const PROVEN: SearchReport = SearchReport {
        is_proven: true,
        is_stopped: false,
        n_graphs: None,
        n_visited: None,
        lower_bound: None,
    };
}

/// The result of a second search.
pub(crate) struct RerunResult {
    /// The best graph.
    pub(crate) dag: Dag,
    /// For each edge of the first answer, the shortest code of any graph in which it is reversed.
    pub(crate) reversed: Vec<Option<Nats>>,
}

/// The edges of `dag`, reversed.
pub(super) fn reversed_edges(dag: &Dag) -> Vec<(usize, usize)> {
    dag.edges().iter().map(|&(from, to)| (to, from)).collect()
}

/// The graphs of a ranking.
pub(super) fn dags<'a>(graphs: impl IntoIterator<Item = &'a (Dag, Nats)>) -> Vec<Dag> {
    graphs.into_iter().map(|(dag, _)| dag.clone()).collect()
}
