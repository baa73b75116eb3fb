//! What a run gives: the graph, what speaks for it, and what it cost.

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

/// What was learnt from a table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Learned {
    /// What was done: every choice that was made.
    pub plan: Plan,
    /// Code lengths and spreads of all scored families.
    pub scores: Scores,
    /// What the search found.
    pub answer: Answer,
    /// The best graph of each network alone, with the other experts, or of each row order: where they differ, the answer hangs on
    /// luck. Empty with one of them, with counts, and for more variables than can be searched again.
    pub by_repeat: Vec<Dag>,
    /// What contexts have to do with each variable of the best graph; empty if the table has none.
    pub contexts: Vec<ContextEffect>,
    /// How the families of the graphs in the ranking fare as the rows come in.
    pub curves: Curves,
    /// Why the run did not go to its end, if that is so; then nothing is proven.
    pub partial: Option<Partial>,
    /// What was not scored, and by which rules.
    pub approximations: Approximations,
    /// What the run cost.
    pub cost: RunCost,
    /// Fitted when they are first asked for.
    pub(super) shapes: OnceLock<Vec<EdgeShape>>,
}

/// What a run did without because it could not, or hardly, have changed the answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Approximations {
    /// Where networks were trained; `None` if every family has them, or none has.
    pub networks: Option<NetworkGating>,
    /// Which large parent sets were scored; `None` if all were, or a search asked for them as it went.
    pub parent_sets: Option<ParentSetPruning>,
}

/// What a search found: all that can be said from code lengths alone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The graph with the shortest code.
    pub dag: Dag,
    /// Its code length.
    pub code_length: Nats,
    /// What speaks for each of its edges.
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
        // Rounding may put an equally good graph a hair below.
        Nats((code_length - self.code_length).0.max(0.0))
    }

    /// How far the code length lies above what is proven to be the least, from searches that know that: 0 where it is the least.
    pub fn gap(&self) -> Option<Nats> {
        let gap = |bound: Nats| if self.found.is_proven { Nats(0.0) } else { self.code_length - bound };
        self.found.lower_bound.map(gap)
    }

    /// What its probabilities were summed over.
    pub fn basis(&self) -> PosteriorBasis {
        let is_visited =
            self.posterior.as_ref().is_some_and(|posterior| posterior.method == PosteriorMethod::Visited);
        match (self.found.is_stopped, is_visited) {
            (true, _) => PosteriorBasis::StoppedRun,
            (false, true) => PosteriorBasis::GraphsLookedAt,
            (false, false) => PosteriorBasis::AllGraphs,
        }
    }

    /// The probability of `from -> to`, where probabilities could be computed.
    pub fn edge_probability(&self, from: usize, to: usize) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.edge_probability(from, to))
    }
}

/// A run that was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Partial {
    /// Why.
    pub reason: StopReason,
    /// How many families were scored.
    #[serde(rename = "scored_families")]
    pub n_scored: usize,
    /// How many there are to score, if that is known: searches that ask as they go cannot tell.
    #[serde(rename = "planned_families")]
    pub n_planned: Option<usize>,
}

/// What scoring without a search gave.
#[derive(Debug)]
#[non_exhaustive]
pub struct Scored {
    /// What was done: every choice that was made.
    pub plan: Plan,
    /// Code lengths and spreads.
    pub scores: Scores,
    /// The code length of the graph whose families were scored, if one was given.
    pub total: Option<Nats>,
    /// Why not everything was scored, if that is so.
    pub partial: Option<Partial>,
    /// What the run cost.
    pub cost: RunCost,
}

/// What a run cost.
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
    /// Seconds on the clock.
    pub wall_seconds: f64,
    /// Of the families, those that an earlier run had scored.
    #[serde(rename = "reused_families")]
    pub n_reused: usize,
    /// What each stage took, in their order; families of the networks' stage are those that networks were trained for.
    #[serde(default)]
    pub stages: Vec<StageCost>,
}

/// What one stage of a run took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StageCost {
    /// Which.
    pub stage: Stage,
    /// Families scored in it, or trained networks for.
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

/// How a learnt graph compares with a known one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TruthReport {
    /// Distances.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The expected structural Hamming distance under the posterior, where there is one.
    pub expected_shd: Option<f64>,
}

/// How many networks alone, with the other experts, or row orders find what all find together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agreement {
    /// The same graph.
    pub same_graph: usize,
    /// A graph of the same equivalence class.
    pub same_class: usize,
    /// Each edge of the graph, in the order of [`Dag::edges`].
    pub edges: Vec<usize>,
}

impl Learned {
    /// Probabilities of edges; `None` for more variables than can be summed over.
    pub fn probabilities(&self) -> Option<&EdgeProbabilities> {
        self.answer.posterior.as_ref()
    }

    /// What they were summed over: who shows one shows this beside it.
    pub fn basis(&self) -> PosteriorBasis {
        if self.partial.is_some() { PosteriorBasis::StoppedRun } else { self.answer.basis() }
    }

    /// How many networks or row orders alone find the same; an answer on which they differ hangs on luck.
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

    /// How the child of every edge of the answer changes with its parent, the other parents and the contexts that act on it as they come;
    /// in the order of [`Dag::edges`]. They are fitted when they are first asked for.
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

    /// Nats a row that an edge of the answer saves, the other parents being known: of the rows in which the child is coded.
    ///
    /// `None` if the graph without the edge was not scored, or is not allowed.
    pub fn strength(&self, edge: &EdgeEvidence) -> Option<f64> {
        let n_rows = self.plan.data.column(edge.to).n_rows_used().max(1);
        edge.removal.map(|removal| removal.0 / n_rows as f64)
    }

    /// How the learnt graph compares with `truth`.
    pub fn against(&self, truth: &Dag) -> TruthReport {
        TruthReport {
            comparison: compare(&self.answer.dag, truth),
            expected_shd: self.answer.posterior.as_ref().map(|posterior| posterior.expected_shd(truth)),
        }
    }
}

/// Nats a row as a share of what is uncertain: 1 - exp(-2 nats), which is the share of the variance where parent and child are normal.
///
/// After Linfoot's informational correlation (1957). An edge that saves nothing explains nothing.
pub(crate) fn explains(strength: f64) -> f64 {
    1.0 - (-2.0 * strength.max(0.0)).exp()
}
