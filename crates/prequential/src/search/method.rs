//! What every search is: settings that can be described, and a way from code lengths to a graph.

use std::fmt::Debug;

use serde_json::{Map, Value};

use super::constraints::Constraints;
use super::limits::Limits;
use super::visited::Visited;
use crate::base::error::Result;
use crate::base::format::count;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, NodeSet};
use crate::score::{CodeLengths, FamilyLengths, dag_length};

/// A search with all its settings decided.
pub(crate) trait SearchMethod: Debug + Send + Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// What it is, in a line.
    fn summary(&self) -> &'static str;

    /// Every setting by name, variables called `names`.
    fn settings(&self, _names: &[String]) -> Map<String, Value> {
        Map::new()
    }

    /// What it will do, in half a sentence.
    fn plan_in_words(&self) -> String;

    /// What it did, in half a sentence; `of_scored` follows the graphs that it speaks of.
    fn report_in_words(&self, report: &SearchReport, of_scored: &str) -> String;

    /// Whether families are scored as the search needs them, not all beforehand; such a search proves nothing.
    fn is_lazy(&self) -> bool {
        false
    }

    /// How many families it will ask for as it goes where nobody chose candidates: at least and at most, about.
    fn expected_requests(&self, _size: &ProblemSize) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Refuses what cannot be searched, before any work.
    fn check(&self, constraints: &Constraints, limits: &Limits) -> Result<()>;

    /// Bytes that it takes besides the code lengths, about.
    fn memory(&self, n_vars: usize) -> f64;

    /// Finds the best graph. There is one: the smallest that the constraints allow has code lengths.
    ///
    /// If it is stopped, it answers with the best that can be had and claims no proof.
    fn find(&self, problem: &Problem) -> Result<SearchResult>;

    /// The best graph by other code lengths than those by which `from` was found, looked for as quickly as can be; `None` if it was
    /// stopped, or there is none.
    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>>;

    /// What other code lengths of the same families, such as those of one network alone, would have led to instead of `answer`; `None`
    /// where looking again would take too long.
    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>>;
}

/// What can be known of a search before any family is scored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemSize {
    pub(crate) n_vars: f64,
    pub(crate) n_rows: f64,
    /// Pairs of variables that go together, seen from either of them.
    pub(crate) n_dependent_pairs: f64,
}

/// What is searched.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) lengths: &'a dyn FamilyLengths,
    pub(crate) constraints: &'a Constraints,
    pub(crate) limits: &'a Limits,
    /// How many graphs the ranking lists.
    pub(crate) top: usize,
    /// How many graphs next to the best are wanted, however long the ranking.
    pub(crate) n_near: usize,
    /// Where to look for parents first, if that is known.
    pub(crate) candidates: Option<&'a Candidates>,
    /// A good graph: a search that goes from graph to graph begins there and starts nowhere else.
    pub(crate) start: Option<&'a Dag>,
    /// Draws what is left to chance.
    pub(crate) seed: u64,
    pub(crate) stop: Stop<'a>,
}

impl Problem<'_> {
    /// The code length of a graph that was found.
    pub(super) fn length_of(&self, dag: &Dag) -> Nats {
        dag_length(self.lengths, dag).unwrap_or_else(|| panic!("the best graph has scored families"))
    }
}

/// Where a search that goes from graph to graph looks for parents first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidates {
    /// For each child.
    pub(crate) parents: Vec<NodeSet>,
    /// For each child, pairs that may be worth more together than alone.
    pub(crate) joint: Vec<Vec<(usize, usize)>>,
}

/// What a search found.
pub(crate) struct SearchResult {
    /// The best graph.
    pub(crate) dag: Dag,
    /// Its code length.
    pub(crate) code_length: Nats,
    /// For each edge of the graph, the shortest code of any graph in which it is turned round; `None` if there is none.
    pub(crate) reversed: Vec<Option<Nats>>,
    /// The best graphs, best first, this one included.
    pub(crate) ranking: Vec<(Dag, Nats)>,
    /// The graphs next to the best.
    pub(crate) near: Vec<Dag>,
    /// How it was found.
    pub(crate) report: SearchReport,
    /// Over which graphs probabilities can be taken.
    pub(crate) support: PosteriorSupport,
}

/// Which graphs a search knows the code lengths of.
pub(crate) enum PosteriorSupport {
    /// All, by their families.
    Families(CodeLengths),
    /// Those that it looked at.
    Visited(Visited),
}

/// How a graph was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchReport {
    /// Whether it is proven that no allowed graph of scored families has a shorter code.
    pub is_proven: bool,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
    /// How many graphs were compared one by one, if all were.
    pub n_graphs: Option<usize>,
    /// How many graphs a search without proof looked at.
    pub n_visited: Option<usize>,
    /// A length that the code of no allowed graph of scored families falls short of, from searches that know one.
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

/// What a second look found.
pub(crate) struct RerunResult {
    /// The best graph.
    pub(crate) dag: Dag,
    /// For each edge of the first answer, the shortest code of any graph in which it is turned round.
    pub(crate) reversed: Vec<Option<Nats>>,
}

/// What a search without proof, or one that was stopped, did.
pub(super) fn looked_at(search: &str, report: &SearchReport) -> String {
    let stopped = if report.is_stopped { "stopped, " } else { "" };
    let n_visited = count(report.n_visited.unwrap_or(0));
    format!("{search}: {stopped}the best of {n_visited} graphs looked at, not proven to be the best of all")
}

/// The edges of `dag`, turned round.
pub(super) fn reversed_edges(dag: &Dag) -> Vec<(usize, usize)> {
    dag.edges().iter().map(|&(from, to)| (to, from)).collect()
}

/// The graphs of a ranking.
pub(super) fn dags<'a>(graphs: impl IntoIterator<Item = &'a (Dag, Nats)>) -> Vec<Dag> {
    graphs.into_iter().map(|(dag, _)| dag.clone()).collect()
}
