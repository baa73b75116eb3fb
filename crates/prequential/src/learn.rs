//! The pipeline: table -> code lengths -> DAG -> result.

use std::time::Instant;

use cpu_time::ProcessTime;

use crate::error::{Error, Result};
use crate::graph::{Comparison, Cpdag, Dag, Family, compare};
use crate::nats::Nats;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::posterior::{EdgeEvidence, EdgeProbabilities, by_enumeration, by_layers, evidence};
use crate::score::{
    CURVE_POINTS, CodeLengths, Curves, Effort, FamilyCode, FamilyCurve, FamilyScorer, Moments, checkpoints,
    dag_length,
};
use crate::search::{OrderGraph, exhaustive, k_best};
use crate::settings::{Search, Settings};
use crate::table::{Quantised, Table};

/// The most variables for which the runners-up of exact search are found: about k n further searches, seconds in all.
pub(crate) const MAX_K_BEST: usize = 18;

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
    /// The best graph of each network alone, with the other experts: where they differ, the answer hangs on luck. Empty without
    /// networks, with one, and for more variables than can be searched again.
    pub by_net: Vec<Dag>,
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
    /// `[network][family]`: the code lengths that each network alone would have given, with the other experts.
    pub by_net: Vec<Vec<f64>>,
    /// Curves of models, kept while scoring.
    pub(crate) curves: Option<Curves>,
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
        let by_net = best_by_net(&scores, &plan)?;
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
            by_net,
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
    /// How the code lengths of the scored families grow with the rows, over the row orders of the settings or over the networks,
    /// each alone. Counts are coded again; of other estimators the curves were kept.
    pub fn curves(&self) -> Result<Curves> {
        if let Some(curves) = &self.scores.curves {
            return Ok(curves.of_families(&self.scores.families));
        }
        in_pool(self.settings.threads, || {
            let n_rows = self.data.n_rows();
            let order = |repeat| self.settings.order_of_rows(n_rows, repeat);
            let points = checkpoints(n_rows, CURVE_POINTS);
            let families = &self.scores.families;
            let model = self.settings.model();
            Curves::new(&self.data, &model, families, &points, self.settings.n_orders(), order)
        })
    }
}

impl Scores {
    /// The code lengths, for searching.
    pub fn lengths(&self, n_vars: usize) -> CodeLengths {
        self.filled(n_vars, self.moments.iter().map(|moments| moments.mean))
    }

    /// The code lengths that network number `net` alone would have given.
    fn lengths_by_net(&self, n_vars: usize, net: usize) -> CodeLengths {
        self.filled(n_vars, self.by_net[net].iter().copied())
    }

    fn filled(&self, n_vars: usize, values: impl Iterator<Item = f64>) -> CodeLengths {
        let max_parents = self.families.iter().map(|family| family.parents.len()).max().unwrap_or(0);
        let mut lengths = CodeLengths::new(n_vars, max_parents);
        for (family, value) in self.families.iter().zip(values) {
            lengths.set(family, Nats(value));
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
        [only] if !only[i].by_net.is_empty() => {
            Moments { mean: only[i].length.0, ..Moments::of(only[i].by_net.iter().copied()) }
        }
        orders => Moments::of(orders.iter().map(|codes| codes[i].length.0)),
    };
    let moments = (0..families.len()).map(moments).collect();
    let n_nets = if settings.estimator.has_networks() { settings.n_nets() } else { 0 };
    // A family without parents has no network: all agree.
    let alone = |code: &FamilyCode, net: usize| code.by_net.get(net).copied().unwrap_or(code.length.0);
    let by_net = (0..n_nets).map(|net| by_order[0].iter().map(|code| alone(code, net)).collect()).collect();
    let effort = by_order.iter().flatten().map(|code| code.effort).sum();
    let curves = kept_curves(&families, data.n_rows(), by_order);
    Ok(Scores { families, moments, by_net, curves, effort })
}

/// Curves of models: over row orders or, with networks, over networks. Counts have none.
fn kept_curves(families: &[Family], n_rows: usize, by_order: Vec<Vec<FamilyCode>>) -> Option<Curves> {
    let n_curves = by_order.first()?.iter().map(|code| code.curves.len()).max().filter(|&n| n > 0)?;
    let n_orders = by_order.len().max(n_curves);
    let mut curves: Vec<Vec<FamilyCurve>> = families.iter().map(|_| Vec::with_capacity(n_orders)).collect();
    for code in by_order {
        curves.iter_mut().zip(code).for_each(|(curves, code)| curves.extend(code.curves));
    }
    Some(Curves::kept(families, n_rows, curves, n_orders))
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

/// The best graph of each network alone, if there are several and searching again is cheap.
fn best_by_net(scores: &Scores, plan: &Plan) -> Result<Vec<Dag>> {
    let n_vars = plan.constraints.n_vars();
    if scores.by_net.len() < 2 || n_vars > MAX_K_BEST {
        return Ok(Vec::new());
    }
    let best = |net| {
        let lengths = scores.lengths_by_net(n_vars, net);
        match plan.settings.search {
            Search::Exhaustive => Ok(exhaustive(&lengths, &plan.constraints)?.dag(0)),
            Search::Exact | Search::Auto => {
                OrderGraph::new(&lengths, &plan.constraints, &plan.settings.limits)
                    .map(|search| exactly_best(&search))
            }
        }
    };
    (0..scores.by_net.len()).map(best).collect()
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

fn exactly_best(search: &OrderGraph) -> Dag {
    search.best_dag().unwrap_or_else(|| panic!("constraints are checked: some graph is allowed"))
}

fn find_exactly(lengths: &CodeLengths, plan: &Plan) -> Result<Found> {
    let (constraints, limits) = (&plan.constraints, &plan.settings.limits);
    let search = OrderGraph::new(lengths, constraints, limits)?;
    let dag = exactly_best(&search);
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

/// How many networks alone, with the other experts, find what all find together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// The same graph.
    pub same_graph: usize,
    /// A graph of the same equivalence class.
    pub same_class: usize,
    /// Each edge of the graph, in the order of [`Dag::edges`].
    pub edges: Vec<usize>,
}

impl Learned {
    /// How many networks alone find the same; an answer on which they differ hangs on luck.
    pub fn agreement(&self) -> Agreement {
        let n_where = |holds: &dyn Fn(&Dag) -> bool| self.by_net.iter().filter(|dag| holds(dag)).count();
        let has_edge = |&(from, to): &(usize, usize)| n_where(&|dag| dag.parents(to).contains(from));
        Agreement {
            same_graph: n_where(&|dag| *dag == self.dag),
            same_class: n_where(&|dag| Cpdag::of(dag) == self.cpdag),
            edges: self.dag.edges().iter().map(has_edge).collect(),
        }
    }

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
