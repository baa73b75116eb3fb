//! The result of a run: the graph, the evidence for it, and the cost of the run.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::base::nats::Nats;
use crate::base::observer::Stage;
use crate::base::stop::StopReason;
use crate::graph::{Comparison, Cpdag, Dag, compare};
use crate::posterior::{EdgeEvidence, EdgeProbabilities, PosteriorBasis, PosteriorMethod};
use crate::run::contexts::ContextEffect;
use crate::run::families::ParentSetPruning;
use crate::run::gating::NetworkGating;
use crate::run::plan::Plan;
use crate::score::{Curves, Scores};
use crate::search::SearchReport;
use crate::shape::{EdgeShape, shapes_of_family};

/// The result of learning from a table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Learned {
    /// The resolved settings: every choice that was made.
    pub plan: Plan,
    /// Code lengths and spreads of all scored families.
    pub scores: Scores,
    /// The result of the search.
    pub answer: Answer,
    /// The best graph of each single network, with the other experts, or of each row order: where they
    /// differ, the answer depends on chance. Empty with one of them, with counts, and for more variables than
    /// can be searched again.
    pub by_repeat: Vec<Dag>,
    /// The effect of contexts on each variable of the best graph; empty if the table has none.
    pub contexts: Vec<ContextEffect>,
    /// The learning curves of the families of the graphs in the ranking.
    pub curves: Curves,
    /// Why the run is partial, if it is; then nothing is proven.
    pub partial: Option<Partial>,
    /// The approximations: what was not scored, and by which rules.
    pub approximations: Approximations,
    /// The cost of the run.
    pub cost: RunCost,
    /// Fitted when they are first asked for.
    pub(super) shapes: OnceLock<Vec<EdgeShape>>,
}

/// The approximations of a run: what it left out because it could hardly have changed the answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Approximations {
    /// The gating of networks; `None` if every family has them, or none has.
    pub networks: Option<NetworkGating>,
    /// The pruning of large parent sets; `None` if all were scored, or a search requested them.
    pub parent_sets: Option<ParentSetPruning>,
}

/// The answer of a search: everything that follows from code lengths alone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The graph with the shortest code.
    pub dag: Dag,
    /// Its code length.
    pub code_length: Nats,
    /// The evidence for each of its edges.
    pub evidence: Vec<EdgeEvidence>,
    /// The best graphs, best first, this one included.
    pub ranking: Vec<(Dag, Nats)>,
    /// How it was found.
    pub found: SearchReport,
    /// Probabilities of edges; `None` for more variables than can be summed over.
    pub posterior: Option<EdgeProbabilities>,
    /// Why there are none.
    pub no_posterior: Option<String>,
}

impl Answer {
    /// The Markov equivalence class of the graph.
    pub fn cpdag(&self) -> Cpdag {
        Cpdag::of(&self.dag)
    }

    /// Nats by which a graph's code is longer than the best.
    pub fn excess(&self, code_length: Nats) -> Nats {
        // Rounding may put an equally good graph slightly below.
        Nats((code_length - self.code_length).0.max(0.0))
    }

    /// The gap between the code length and its proven lower bound, from searches that have one: 0 if it is
    /// optimal.
    pub fn gap(&self) -> Option<Nats> {
        let gap = |bound: Nats| if self.found.is_proven { Nats(0.0) } else { self.code_length - bound };
        self.found.lower_bound.map(gap)
    }

    /// The graphs over which its probabilities sum.
    pub fn basis(&self) -> PosteriorBasis {
        let is_visited =
            self.posterior.as_ref().is_some_and(|posterior| posterior.method == PosteriorMethod::Visited);
        match (self.found.is_stopped, is_visited) {
            (true, _) => PosteriorBasis::StoppedRun,
            (false, true) => PosteriorBasis::GraphsLookedAt,
            (false, false) => PosteriorBasis::AllGraphs,
        }
    }

    /// The probability of `from -> to`, if probabilities could be computed.
    pub fn edge_probability(&self, from: usize, to: usize) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.edge_probability(from, to))
    }
}

/// A run that was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Partial {
    /// The reason.
    pub reason: StopReason,
    /// How many families were scored.
    #[serde(rename = "scored_families")]
    pub n_scored: usize,
    /// How many were planned, if that is known: searches that request families as they go cannot tell.
    #[serde(rename = "planned_families")]
    pub n_planned: Option<usize>,
}

/// The result of scoring without a search.
#[derive(Debug)]
#[non_exhaustive]
pub struct Scored {
    /// The resolved settings: every choice that was made.
    pub plan: Plan,
    /// Code lengths and spreads.
    pub scores: Scores,
    /// The code length of the graph whose families were scored, if one was given.
    pub total: Option<Nats>,
    /// Why the scoring is partial, if it is.
    pub partial: Option<Partial>,
    /// The cost of the run.
    pub cost: RunCost,
}

/// The cost of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunCost {
    /// Families scored.
    #[serde(rename = "families")]
    pub n_families: usize,
    /// Networks trained.
    #[serde(rename = "training_runs")]
    pub n_trainings: usize,
    /// Gradient steps of all of them.
    #[serde(rename = "gradient_steps")]
    pub n_steps: usize,
    /// CPU seconds of the process.
    pub cpu_seconds: f64,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// Of the families, those that an earlier run had scored.
    #[serde(rename = "reused_families")]
    pub n_reused: usize,
    /// What each stage took, in their order; families of the networks' stage are those that networks were trained for.
    #[serde(default)]
    pub stages: Vec<StageCost>,
}

/// The cost of one stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StageCost {
    /// Which.
    pub stage: Stage,
    /// Families scored in it, or for which networks were trained.
    #[serde(rename = "families")]
    pub n_families: usize,
    /// CPU seconds of the process.
    pub cpu_seconds: f64,
}

impl StageCost {
    /// Of a stage that begins.
    pub(super) fn new(stage: Stage) -> StageCost {
        StageCost { stage, n_families: 0, cpu_seconds: 0.0 }
    }
}

/// The comparison of a learned graph with a known one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TruthReport {
    /// Distances.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The expected structural Hamming distance under the posterior, where there is one.
    pub expected_shd: Option<f64>,
}

/// How many single networks, with the other experts, or row orders find the joint result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agreement {
    /// How many find the same graph.
    pub same_graph: usize,
    /// How many find a graph of the same equivalence class.
    pub same_class: usize,
    /// Each edge of the graph, in the order of [`Dag::edges`].
    pub edges: Vec<usize>,
}

impl Learned {
    /// Probabilities of edges; `None` for more variables than can be summed over.
    pub fn probabilities(&self) -> Option<&EdgeProbabilities> {
        self.answer.posterior.as_ref()
    }

    /// The graphs over which they sum; shown with every probability.
    pub fn basis(&self) -> PosteriorBasis {
        if self.partial.is_some() { PosteriorBasis::StoppedRun } else { self.answer.basis() }
    }

    /// How many single networks or row orders find the same; where they differ, the answer depends on chance.
    pub fn agreement(&self) -> Agreement {
        let n_where = |holds: &dyn Fn(&Dag) -> bool| self.by_repeat.iter().filter(|dag| holds(dag)).count();
        let has_edge = |&(from, to): &(usize, usize)| n_where(&|dag| dag.parents(to).contains(from));
        let class = self.answer.cpdag();
        Agreement {
            same_graph: n_where(&|dag| *dag == self.answer.dag),
            same_class: n_where(&|dag| Cpdag::of(dag) == class),
            edges: self.answer.dag.edges().iter().map(has_edge).collect(),
        }
    }

    /// The shape of every edge of the answer, averaged over the other parents and the contexts that act on
    /// the child (partial dependence); in the order of [`Dag::edges`]. They are fitted when they are first
    /// asked for.
    ///
    /// ```
    /// use prequential::{Settings, learn, results::Sign};
    /// use prequential_simulate::Experiment;
    /// let table = Experiment::Asia.simulate(2_000, 1)?.table;
    /// let learned = learn(&table, &Settings::default())?;
    /// assert!(learned.shapes().iter().any(|edge| edge.sign == Some(Sign::Rising)));
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn shapes(&self) -> &[EdgeShape] {
        self.shapes.get_or_init(|| self.fitted_shapes())
    }

    fn fitted_shapes(&self) -> Vec<EdgeShape> {
        let (columns, dag) = (self.plan.columns(), &self.answer.dag);
        let contexts: Vec<usize> = (dag.n_nodes()..columns.len()).collect();
        let acts = |child: usize| self.contexts.iter().any(|effect| effect.child == child && effect.acts());
        let family_shapes = |child: usize| {
            let parents: Vec<usize> = dag.parents(child).iter().collect();
            let held = if acts(child) { &contexts[..] } else { &[] };
            let shapes = shapes_of_family(&columns, child, &parents, held);
            parents.into_iter().map(move |parent| (parent, child)).zip(shapes).collect::<Vec<_>>()
        };
        let mut shapes: Vec<((usize, usize), EdgeShape)> =
            (0..dag.n_nodes()).flat_map(family_shapes).collect();
        shapes.sort_by_key(|(edge, _)| *edge);
        shapes.into_iter().map(|(_, shape)| shape).collect()
    }

    /// The strength of an edge: the nats per row that it saves given the other parents, over the rows in
    /// which the child is coded.
    ///
    /// `None` if the graph without the edge was not scored, or is not allowed.
    pub fn strength(&self, edge: &EdgeEvidence) -> Option<f64> {
        let n_rows = self.plan.data.column(edge.to).n_rows_used().max(1);
        edge.removal.map(|removal| removal.0 / n_rows as f64)
    }

    /// Compares the learned graph with `truth`.
    pub fn against(&self, truth: &Dag) -> TruthReport {
        TruthReport {
            comparison: compare(&self.answer.dag, truth),
            expected_shd: self.answer.posterior.as_ref().map(|posterior| posterior.expected_shd(truth)),
        }
    }
}

/// The strength as a share: 1 - exp(-2 nats), which is the share of the variance if parent and child are
/// normal.
///
/// After Linfoot's informational correlation (1957). An edge that saves nothing explains nothing.
pub(crate) fn explains(strength: f64) -> f64 {
    1.0 - (-2.0 * strength.max(0.0)).exp()
}
