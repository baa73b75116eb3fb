//! The pipeline: table -> code lengths -> DAG -> result.

use std::time::Instant;

use cpu_time::ProcessTime;

use crate::error::{Error, Result};
use crate::estimator::Model;
use crate::graph::{Comparison, Cpdag, Dag, Family, compare};
use crate::nats::Nats;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::posterior::{EdgeEvidence, EdgeProbabilities, by_enumeration, by_layers, evidence};
use crate::score::{CodeLengths, Curves, Effort, FamilyCode, FamilyScorer, Moments, checkpoints, dag_length};
use crate::search::{OrderGraph, exhaustive, k_best};
use crate::settings::{Search, Settings};
use crate::table::{Quantised, Table};

/// The most variables for which the runners-up of exact search are found: about k n further searches.
pub(crate) const MAX_K_BEST: usize = 15;

/// What was learnt from a table.
#[derive(Debug)]
pub struct Learned {
    /// The settings in force.
    pub settings: Settings,
    /// The quantised table, in file order.
    pub data: Quantised,
    /// Code lengths and spreads of all scored families.
    pub scores: Scores,
    /// The graph with the shortest code.
    pub dag: Dag,
    /// Its code length.
    pub code_length: Nats,
    /// What speaks for each of its edges.
    pub evidence: Vec<EdgeEvidence>,
    /// Its Markov equivalence class.
    pub cpdag: Cpdag,
    /// The best graphs, best first, this one included.
    pub ranking: Vec<(Dag, Nats)>,
    /// How many graphs were compared one by one; `None` if the search proved its answer without that.
    pub n_graphs: Option<usize>,
    /// Probabilities of edges; `None` for more variables than can be summed over.
    pub posterior: Option<EdgeProbabilities>,
    /// What the run cost.
    pub cost: Cost,
}

/// Families with their code lengths.
#[derive(Debug, Clone)]
pub struct Scores {
    /// The scored families.
    pub families: Vec<Family>,
    /// Each family's code length and its spread: mean and standard deviation over row orders or, with networks, the code
    /// length of their averaged prediction and the standard deviation of what each alone would have given.
    pub moments: Vec<Moments>,
    /// What training networks took.
    pub(crate) effort: Effort,
}

/// What scoring without a search gave.
#[derive(Debug)]
pub struct Scored {
    /// The settings in force.
    pub settings: Settings,
    /// The quantised table, in file order.
    pub data: Quantised,
    /// Code lengths and spreads.
    pub scores: Scores,
    /// The code length of the graph whose families were scored, if one was given.
    pub total: Option<Nats>,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Families scored.
    pub n_families: usize,
    /// Networks trained.
    pub n_trainings: usize,
    /// Gradient steps of all of them.
    pub n_steps: usize,
    /// CPU seconds of the process.
    pub cpu_seconds: f64,
    /// Seconds on the clock.
    pub wall_seconds: f64,
}

/// How a learnt graph compares with a known one.
#[derive(Debug, Clone, PartialEq)]
pub struct TruthReport {
    /// Distances.
    pub comparison: Comparison,
    /// The expected structural Hamming distance under the posterior, where there is one.
    pub expected_shd: Option<f64>,
}

/// Learns the graph under which `table` is cheapest to predict.
pub fn learn(table: &Table, settings: &Settings) -> Result<Learned> {
    learn_observed(table, settings, &())
}

/// The same, telling `observer` how far it is.
pub fn learn_observed(table: &Table, settings: &Settings, observer: &dyn Observer) -> Result<Learned> {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let plan = Plan::new(table, settings)?;
    plan.check_search()?;
    plan.check_scoring()?;
    in_pool(settings.threads, || {
        let scores = score_families(&plan.data, &plan.settings, plan.families(), observer)?;
        observer.searching();
        let found = find(&scores.lengths(table.n_vars()), &plan)?;
        let cost = Cost {
            n_families: scores.families.len(),
            n_trainings: scores.effort.n_trainings,
            n_steps: scores.effort.n_steps,
            cpu_seconds: cpu.elapsed().as_secs_f64(),
            wall_seconds: wall.elapsed().as_secs_f64(),
        };
        Ok(Learned {
            settings: plan.settings,
            data: plan.data,
            scores,
            cpdag: Cpdag::of(&found.dag),
            dag: found.dag,
            code_length: found.code_length,
            evidence: found.evidence,
            ranking: found.ranking,
            n_graphs: found.n_graphs,
            posterior: found.posterior,
            cost,
        })
    })
}

/// Scores families without searching: those of `dag`, or all that the settings allow.
pub fn score(
    table: &Table,
    settings: &Settings,
    dag: Option<&Dag>,
    observer: &dyn Observer,
) -> Result<Scored> {
    let plan = Plan::new(table, settings)?;
    if dag.is_none() {
        plan.check_scoring()?;
    }
    in_pool(settings.threads, || {
        let families = dag.map_or_else(|| plan.families(), |dag| dag.families().collect());
        let scores = score_families(&plan.data, &plan.settings, families, observer)?;
        let total = dag.map(|_| scores.moments.iter().map(|moments| Nats(moments.mean)).sum());
        Ok(Scored { settings: plan.settings, data: plan.data, scores, total })
    })
}

impl Scored {
    /// How the code lengths of the scored families grow with the rows, over the row orders of the settings.
    pub fn curves(&self) -> Result<Curves> {
        in_pool(self.settings.threads, || {
            let n_rows = self.data.n_rows();
            let order = |repeat| self.settings.order_of_rows(n_rows, repeat);
            let points = checkpoints(n_rows, 20);
            let families = &self.scores.families;
            // Every order has one network of its own: curves differ by order and by network.
            let model = Model { n_nets: 1, ..self.settings.model() };
            Curves::new(&self.data, &model, families, &points, self.settings.repeats.unwrap_or(1), order)
        })
    }
}

impl Scores {
    /// The means, for searching.
    pub fn lengths(&self, n_vars: usize) -> CodeLengths {
        let max_parents = self.families.iter().map(|family| family.parents.len()).max().unwrap_or(0);
        let mut lengths = CodeLengths::new(n_vars, max_parents);
        for (family, moments) in self.families.iter().zip(&self.moments) {
            lengths.set(family, Nats(moments.mean));
        }
        lengths
    }
}

/// Scores `families` of `data` once per row order; with networks there is one order.
fn score_families(
    data: &Quantised,
    settings: &Settings,
    families: Vec<Family>,
    observer: &dyn Observer,
) -> Result<Scores> {
    observer.scoring(families.len() * settings.n_orders());
    let model = settings.model();
    let score = |repeat| {
        let ordered = data.reordered(&settings.order_of_rows(data.n_rows(), repeat));
        FamilyScorer::new(&ordered, &model.for_repeat(repeat)).code_lengths(&families, observer)
    };
    let by_order = (0..settings.n_orders()).map(score).collect::<Result<Vec<Vec<FamilyCode>>>>()?;
    let moments = |i: usize| match &by_order[..] {
        [only] => Moments { mean: only[i].length.0, sd: only[i].spread },
        several => Moments::of(several.iter().map(|codes| codes[i].length.0)),
    };
    let moments = (0..families.len()).map(moments).collect();
    let effort = by_order.iter().flatten().map(|code| code.effort).sum();
    Ok(Scores { families, moments, effort })
}

/// Runs `work` on its own threads; nothing global is touched.
pub(crate) fn in_pool<R: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Error::Setting {
        what: format!("cannot start worker threads: {error}"),
        hint: "use fewer with `--threads`".to_string(),
    })?;
    pool.install(work)
}

/// What a search found.
struct Found {
    dag: Dag,
    code_length: Nats,
    evidence: Vec<EdgeEvidence>,
    ranking: Vec<(Dag, Nats)>,
    n_graphs: Option<usize>,
    posterior: Option<EdgeProbabilities>,
}

fn find(lengths: &CodeLengths, plan: &Plan) -> Result<Found> {
    match plan.settings.search {
        Search::Exhaustive => find_exhaustively(lengths, plan),
        Search::Exact | Search::Auto => find_exactly(lengths, plan),
    }
}

fn find_exhaustively(lengths: &CodeLengths, plan: &Plan) -> Result<Found> {
    let graphs = exhaustive(lengths, &plan.constraints)?;
    let (dag, code_length) = (graphs.dag(0), graphs.code_length(0));
    let best_with = |edges: &[(usize, usize)]| {
        edges.iter().map(|&(from, to)| graphs.best_with_edge(from, to)).collect::<Vec<_>>()
    };
    Ok(Found {
        evidence: evidence(&dag, code_length, lengths, &plan.constraints, best_with),
        ranking: (0..graphs.len().min(plan.settings.top))
            .map(|i| (graphs.dag(i), graphs.code_length(i)))
            .collect(),
        n_graphs: Some(graphs.len()),
        posterior: Some(by_enumeration(&graphs)),
        dag,
        code_length,
    })
}

fn find_exactly(lengths: &CodeLengths, plan: &Plan) -> Result<Found> {
    let (constraints, limits) = (&plan.constraints, &plan.settings.limits);
    let search = OrderGraph::new(lengths, constraints, limits)?;
    let dag = search.best_dag().unwrap_or_else(|| panic!("constraints are checked: some graph is allowed"));
    let code_length =
        dag_length(lengths, &dag).unwrap_or_else(|| panic!("the best graph has scored families"));
    let evidence = evidence(&dag, code_length, lengths, constraints, |edges| search.best_with_edges(edges));
    drop(search);
    let ranking = if constraints.n_vars() <= MAX_K_BEST {
        k_best(lengths, constraints, limits, plan.settings.top)?
    } else {
        vec![(dag.clone(), code_length)]
    };
    let posterior = by_layers(lengths, constraints);
    Ok(Found { dag, code_length, evidence, ranking, n_graphs: None, posterior })
}

impl Learned {
    /// Nats by which a graph's code is longer than the best.
    pub fn excess(&self, code_length: Nats) -> Nats {
        // Rounding may put an equally good graph a hair below.
        Nats((code_length - self.code_length).0.max(0.0))
    }

    /// The probability of `from -> to`, where probabilities could be computed.
    pub fn edge_probability(&self, from: usize, to: usize) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.edge_probability(from, to))
    }

    /// How the learnt graph compares with `truth`.
    pub fn against(&self, truth: &Dag) -> TruthReport {
        TruthReport {
            comparison: compare(&self.dag, truth),
            expected_shd: self.posterior.as_ref().map(|posterior| posterior.expected_shd(truth)),
        }
    }
}
