//! Exhaustive search: every DAG, ranked.

use super::constraints::Constraints;
use super::exact::Exact;
use super::heuristic::best_so_far;
use super::limits::Limits;
use super::method::{
    PosteriorSupport, Problem, RerunResult, SearchDescription, SearchMethod, SearchReport, SearchResult,
    reversed_edges,
};
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::{CodeLengths, FamilyLengths};

/// All DAGs, ranked: up to 6 variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exhaustive;

/// How many graphs there are over this many variables.
const N_GRAPHS: [f64; 7] = [1.0, 1.0, 3.0, 25.0, 543.0, 29_281.0, 3_781_503.0];

impl SearchMethod for Exhaustive {
    fn description(&self) -> SearchDescription {
        SearchDescription {
            name: "exhaustive",
            summary: "All DAGs, ranked: up to 6 variables",
            scores_on_demand: false,
        }
    }

    fn check(&self, constraints: &Constraints, _limits: &Limits) -> Result<()> {
        check_enumerable(constraints.n_vars())
    }

    fn memory(&self, n_vars: usize) -> f64 {
        let n_graphs = N_GRAPHS.get(n_vars).copied().unwrap_or(f64::INFINITY);
        size_of::<Ranked>() as f64 * n_graphs
    }

    fn find(&self, problem: &Problem) -> Result<SearchResult> {
        let lengths = CodeLengths::of(problem.lengths, problem.constraints.max_parents());
        let Some(graphs) = exhaustive_until(&lengths, problem.constraints, problem.stop)? else {
            return best_so_far(problem, &lengths);
        };
        let dag = graphs.dag(0);
        let listed = |places: std::ops::Range<usize>| places.take_while(|&i| i < graphs.len());
        Ok(SearchResult {
            code_length: graphs.code_length(0),
            reversed: graphs.best_with_edges(&reversed_edges(&dag)),
            ranking: listed(0..problem.top).map(|i| (graphs.dag(i), graphs.code_length(i))).collect(),
            near: listed(1..1 + problem.n_near).map(|i| graphs.dag(i)).collect(),
            report: SearchReport { n_graphs: Some(graphs.len()), ..SearchReport::PROVEN },
            support: PosteriorSupport::Families(lengths),
            dag,
        })
    }

    /// Finds the first graph of the full ranking, up to ties, much faster.
    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>> {
        Exact.refine(problem, from)
    }

    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>> {
        let graphs = exhaustive_until(problem.lengths, problem.constraints, problem.stop)?;
        let again = |graphs: RankedDags| RerunResult {
            reversed: graphs.best_with_edges(&reversed_edges(answer)),
            dag: graphs.dag(0),
        };
        Ok(graphs.map(again))
    }
}

/// The most variables whose DAGs are enumerated: 6 have 3,781,503, 7 would have 1,138,779,265.
pub const MAX_ENUMERATED: usize = 6;

/// All DAGs that the constraints allow, best first.
///
/// Ties go to the graph with fewer edges, then to the one whose edges have the lower numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedDags {
    n_vars: usize,
    ranked: Vec<Ranked>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Ranked {
    code_length: f64,
    /// The parents of node i in bits 8 i to 8 i + 7.
    parents: u64,
}

impl RankedDags {
    /// How many graphs there are.
    pub fn len(&self) -> usize {
        self.ranked.len()
    }

    /// Whether it is empty: no allowed graph consists of scored families.
    pub fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }

    /// The graph in place `rank`, from 0.
    pub fn dag(&self, rank: usize) -> Dag {
        let parents = self.ranked[rank].parents.to_le_bytes();
        let sets = parents[..self.n_vars].iter().map(|&bits| NodeSet::from_bits(u64::from(bits))).collect();
        Dag::from_parents(sets).unwrap_or_else(|cycle| panic!("only acyclic graphs are ranked: {cycle}"))
    }

    /// The code length of the graph in place `rank`.
    pub fn code_length(&self, rank: usize) -> Nats {
        Nats(self.ranked[rank].code_length)
    }

    /// The shortest code of any graph with the edge `from -> to`.
    pub fn best_with_edge(&self, from: usize, to: usize) -> Option<Nats> {
        let found = self.ranked.iter().find(|graph| has_edge(graph.parents, from, to));
        found.map(|graph| Nats(graph.code_length))
    }

    /// The shortest code of any graph with each of these edges.
    fn best_with_edges(&self, edges: &[(usize, usize)]) -> Vec<Option<Nats>> {
        edges.iter().map(|&(from, to)| self.best_with_edge(from, to)).collect()
    }

    /// Calls `visit(code_length, edges)` for every graph, best first; bit `8 * to + from` of `edges` is `from -> to`.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Nats, u64)) {
        self.ranked.iter().for_each(|graph| visit(Nats(graph.code_length), graph.parents));
    }
}

fn has_edge(parents: u64, from: usize, to: usize) -> bool {
    parents >> (8 * to + from) & 1 == 1
}

/// Ranks every DAG that `constraints` allow and whose families are scored.
///
/// Returns [`Error::TooLarge`] for more than [`MAX_ENUMERATED`] variables.
pub fn exhaustive(lengths: &dyn FamilyLengths, constraints: &Constraints) -> Result<RankedDags> {
    let ranked = exhaustive_until(lengths, constraints, Stop::never())?;
    Ok(ranked.unwrap_or_else(|| panic!("nobody stops it")))
}

/// Like [`exhaustive`], but `None` if it was stopped.
fn exhaustive_until(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    stop: Stop,
) -> Result<Option<RankedDags>> {
    let n_vars = lengths.n_vars();
    check_enumerable(n_vars)?;
    let choices = (0..n_vars).map(|child| choices(lengths, constraints, child)).collect();
    let mut enumeration = DagEnumeration { choices, ranked: Vec::new(), stop };
    enumeration.extend(PartialDag { code_length: 0.0, parents: 0, ancestors: [0; MAX_ENUMERATED] }, 0);
    if stop.now() {
        return Ok(None);
    }
    let mut ranked = enumeration.ranked;
    let n_edges = |graph: &Ranked| graph.parents.count_ones();
    ranked.sort_unstable_by(|a, b| {
        let by_edges = || n_edges(a).cmp(&n_edges(b)).then(a.parents.cmp(&b.parents));
        a.code_length.total_cmp(&b.code_length).then_with(by_edges)
    });
    Ok(Some(RankedDags { n_vars, ranked }))
}

/// Returns [`Error::TooLarge`] for more than [`MAX_ENUMERATED`] variables.
fn check_enumerable(n_vars: usize) -> Result<()> {
    if n_vars <= MAX_ENUMERATED {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "exhaustive search",
        n_vars,
        needed: "over a billion graphs".to_string(),
        limit: format!("{MAX_ENUMERATED} variables (3,781,503 graphs)"),
        hint: message![
            "use ",
            OptionName::Search.set("exact"),
            ", which finds the same best graph without visiting every one",
        ],
    })
}

fn choices(lengths: &dyn FamilyLengths, constraints: &Constraints, child: usize) -> Vec<(u8, f64)> {
    let mut choices = Vec::new();
    lengths.for_each(child, &mut |parents, length| {
        if constraints.allows(&Family::new(child, parents.clone())) {
            choices.extend(parents.to_bits().map(|bits| (bits as u8, length.0)));
        }
    });
    choices
}

/// Builds graphs by choosing the parents of node 0, then 1, and so on, never closing a cycle.
struct DagEnumeration<'a> {
    choices: Vec<Vec<(u8, f64)>>,
    ranked: Vec<Ranked>,
    stop: Stop<'a>,
}

/// The node at which the stop condition is checked: often enough, and not for every graph.
const ASKED_AT: usize = 2;

#[derive(Clone, Copy)]
struct PartialDag {
    code_length: f64,
    parents: u64,
    ancestors: [u8; MAX_ENUMERATED],
}

impl DagEnumeration<'_> {
    fn extend(&mut self, partial: PartialDag, child: usize) {
        if child == self.choices.len() {
            self.ranked.push(Ranked { code_length: partial.code_length, parents: partial.parents });
            return;
        }
        if child == ASKED_AT && self.stop.now() {
            return;
        }
        for i in 0..self.choices[child].len() {
            let (parents, length) = self.choices[child][i];
            if let Some(longer) = partial.with_parents(child, parents, length) {
                self.extend(longer, child + 1);
            }
        }
    }
}

impl PartialDag {
    fn with_parents(mut self, child: usize, parents: u8, length: f64) -> Option<PartialDag> {
        let is_below = |node: usize| self.ancestors[node] >> child & 1 == 1;
        let below = (0..MAX_ENUMERATED).filter(|&node| is_below(node)).fold(0u8, |set, node| set | 1 << node);
        if parents & below != 0 {
            return None;
        }
        let above = (0..MAX_ENUMERATED).filter(|&node| parents >> node & 1 == 1);
        let above = above.fold(parents, |set, node| set | self.ancestors[node]);
        let changed = (0..MAX_ENUMERATED).filter(|&node| node == child || below >> node & 1 == 1);
        changed.for_each(|node| self.ancestors[node] |= above);
        self.code_length += length;
        self.parents |= u64::from(parents) << (8 * child);
        Some(self)
    }
}
