//! The result as JSON, schema 1: the contract for every other view.

use serde_json::{Value, json};

use super::probabilities::probabilities_in_words;
use crate::base::nats::Nats;
use crate::base::observer::StopReason;
use crate::estimator::{Prior, Schedule};
use crate::graph::{Dag, Family};
use crate::run::result::{Answer, Cost, Learned, Partial, Scored, TruthReport};
use crate::run::settings::Settings;
use crate::score::{Curves, Moments, Scores};
use crate::search::Statement;
use crate::table::{Kind, Quantised, Source, Table};

/// Checkpoints over which the next-step loss is averaged in the result: a factor of 1.6 in rows.
const SMOOTHING: usize = 4;

/// What goes into the result besides what is always there.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonOptions<'a> {
    /// The code length of every scored family, and the curves of those in the ranking.
    pub families: bool,
    /// A comparison with a known graph.
    pub truth: Option<&'a TruthReport>,
    /// The command that would continue a run that was stopped.
    pub command: Option<&'a str>,
}

/// The whole result as one object. Nothing in it but `cost` differs between runs with the same input and settings.
pub fn result_json(table: &Table, learned: &Learned, options: JsonOptions) -> Value {
    let names = table.names();
    let mut result = json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "data": data_json(table, &learned.data),
        "settings": settings_json(&learned.settings),
        "search": search_json(&learned.settings, &learned.answer, learned.partial.is_none()),
        "dag": dag_json(learned, &names),
        "cpdag": cpdag_json(&learned.answer, &names),
        "ranking": ranking_json(&learned.answer, &names),
        "posterior": posterior_json(learned, &names),
    });
    if let Some(partial) = &learned.partial {
        result["partial"] = partial_json(partial, options.command);
    }
    if !learned.by_repeat.is_empty() {
        result["agreement"] = agreement_json(learned, &names);
    }
    if options.families {
        result["families"] = families_json(&learned.scores, learned.settings.repeats.unwrap_or(1), &names);
        result["curves"] = ranking_curves_json(learned, &names);
    }
    if let Some(truth) = options.truth {
        result["truth"] = truth_json(truth);
    }
    result["cost"] = cost_json(&learned.cost);
    result
}

/// How the answer was found; it is proven only if `all_scored`.
pub(super) fn search_json(settings: &Settings, answer: &Answer, all_scored: bool) -> Value {
    json!({
        "method": settings.search,
        "proven": answer.found.is_proven && all_scored,
        "graphs": answer.found.n_graphs,
        "visited": answer.found.n_visited,
    })
}

pub(super) fn cpdag_json(answer: &Answer, names: &[String]) -> Value {
    let cpdag = answer.cpdag();
    json!({
        "directed": pairs_json(&cpdag.directed(), names),
        "undirected": pairs_json(&cpdag.undirected(), names),
    })
}

pub(super) fn ranking_json(answer: &Answer, names: &[String]) -> Value {
    let one = |(dag, length): &(Dag, Nats)| {
        json!({
            "edges": edges_json(dag, names),
            "code_length_nats": length,
            "excess_nats": answer.excess(*length),
        })
    };
    answer.ranking.iter().map(one).collect()
}

fn cost_json(cost: &Cost) -> Value {
    json!({
        "families": cost.n_families,
        "training_runs": cost.n_trainings,
        "gradient_steps": cost.n_steps,
        "cpu_seconds": cost.cpu_seconds,
        "wall_seconds": cost.wall_seconds,
        "reused_families": cost.n_reused,
    })
}

fn partial_json(partial: &Partial, command: Option<&str>) -> Value {
    let reason = match partial.reason {
        StopReason::TimeLimit => "time limit",
        StopReason::Interrupted => "interrupted",
        StopReason::MemoryLimit => "memory limit",
    };
    json!({
        "reason": reason, "scored_families": partial.n_scored, "planned_families": partial.n_planned,
        "command": command,
    })
}

/// How the graphs of the ranking fare as the rows come in, and what each of their families costs for the next row.
fn ranking_curves_json(learned: &Learned, names: &[String]) -> Value {
    let curves = &learned.curves;
    let graphs = learned.answer.ranking.iter().enumerate().map(|(rank, (dag, _))| {
        json!({ "rank": rank, "excess_nats": moments_json(curves.excess(dag, &learned.answer.dag)) })
    });
    let family = |(number, family): (usize, &Family)| {
        json!({
            "child": names[family.child],
            "parents": parents_json(family, names),
            "next_step_nats": moments_json(curves.next_step(number, SMOOTHING)),
        })
    };
    let graphs: Vec<Value> = graphs.collect();
    // Those of the best graph come first.
    let mut ordered: Vec<(usize, &Family)> = curves.families().iter().enumerate().collect();
    ordered.sort_by_key(|(_, family)| learned.answer.dag.parents(family.child) != &family.parents);
    let families: Vec<Value> = ordered.into_iter().map(family).collect();
    json!({
        "over": repeats_are(learned), "n": learned.settings.repeats, "rows": curves.checkpoints(), "graphs": graphs, "families": families,
    })
}

/// What differs from repeat to repeat.
fn repeats_are(learned: &Learned) -> &'static str {
    if learned.settings.estimator.has_networks() { "networks" } else { "row orders" }
}

/// How many networks or row orders alone find the same: the graph, its class, each edge.
fn agreement_json(learned: &Learned, names: &[String]) -> Value {
    let agreement = learned.agreement();
    let edges = learned.answer.dag.edges().into_iter().zip(&agreement.edges);
    let edges: Vec<Value> = edges
        .map(|((from, to), networks)| json!({ "from": names[from], "to": names[to], "networks": networks }))
        .collect();
    json!({
        "over": repeats_are(learned), "networks": learned.by_repeat.len(), "same_graph": agreement.same_graph, "same_class": agreement.same_class,
        "edges": edges,
    })
}

/// Code lengths of families as a list of objects.
fn families_json(scores: &Scores, repeats: usize, names: &[String]) -> Value {
    let one = |(family, moments): (&Family, &Moments)| {
        json!({
            "child": names[family.child],
            "parents": parents_json(family, names),
            "code_length_nats": moments.mean,
            "spread_nats": (repeats > 1).then_some(moments.sd),
        })
    };
    scores.families.iter().zip(&scores.moments).map(one).collect()
}

/// What was read.
pub(super) fn data_json(table: &Table, data: &Quantised) -> Value {
    let variables = table.variables().iter().enumerate().map(|(node, variable)| {
        let column = data.column(node);
        let kind = match variable.kind() {
            Kind::Categorical => "categorical",
            Kind::Continuous => "continuous",
        };
        json!({
            "name": variable.name, "kind": kind, "bins": column.n_levels,
            "rows_used": column.n_rows_used(), "missing": column.n_missing,
            "intervened": variable.intervened.as_ref().map_or(0, |set| set.iter().filter(|&&set| set).count()),
        })
    });
    let variables: Vec<Value> = variables.collect();
    json!({
        "path": table.source().map(|source| &source.path),
        "rows": table.n_rows(),
        "sha256": table.source().map(|source| &source.sha256),
        "variables": variables,
        "options": table.source().map(options_json),
        "warnings": table.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// How the file was read.
fn options_json(source: &Source) -> Value {
    let options = &source.options;
    json!({
        "columns": options.columns, "ignore": options.ignore, "labels": options.labels, "numbers": options.numbers,
        "missing": options.missing, "interventions": options.interventions,
        "intervention_mask": options.intervention_mask.as_ref().and_then(|mask| mask.file()), "intervention_mask_sha256": source.mask_sha256,
    })
}

/// Every setting that can change the result.
pub(crate) fn settings_json(settings: &Settings) -> Value {
    let knowledge = &settings.knowledge;
    let edges = |statements: &[Statement<(String, String)>]| -> Vec<Value> {
        statements.iter().map(|statement| json!([statement.value.0, statement.value.1])).collect()
    };
    let names = |statements: &[Statement<String>]| -> Vec<String> {
        statements.iter().map(|statement| statement.value.clone()).collect()
    };
    let (alpha, ess) = match settings.prior {
        Prior::Alpha(alpha) => (Some(alpha), None),
        Prior::SampleSize(size) => (None, Some(size)),
    };
    let model = settings.model();
    json!({
        "estimator": settings.estimator, "alpha": alpha, "ess": ess, "bins": settings.n_bins,
        "binning": settings.binning, "inputs": settings.inputs,
        "fourier": model.estimator.has_regressions().then_some(&model.fourier),
        "schedule": model.estimator.has_networks().then_some(model.schedule),
        "network": model.estimator.has_networks().then(|| match model.schedule {
            Schedule::Replay => json!(model.replay),
            Schedule::Blockwise => json!(model.blockwise),
        }),
        "search": settings.search, "max_parents": settings.max_parents,
        "max_configurations": settings.max_configurations, "seed": settings.seed,
        "repeats": settings.repeats, "row_order": settings.row_order,
        "require": edges(&knowledge.required), "forbid": edges(&knowledge.forbidden),
        "tiers": knowledge.tiers.iter().map(|tier| &tier.value).collect::<Vec<_>>(),
        "roots": names(&knowledge.roots), "leaves": names(&knowledge.leaves),
        "restarts": settings.search.is_lazy().then_some(settings.restarts),
        "tabu": settings.search.is_lazy().then_some(settings.tabu),
        "start": settings.start.as_ref().map(Dag::edges),
        "memory_limit_bytes": settings.limits.memory, "top": settings.top,
    })
}

fn dag_json(learned: &Learned, names: &[String]) -> Value {
    let tempered = |from, to| learned.tempered.as_ref().map(|view| view.posterior.edge_probability(from, to));
    let edge = |edge: &crate::posterior::EdgeEvidence| {
        let probability = learned.answer.edge_probability(edge.from, edge.to);
        json!({
            "from": names[edge.from], "to": names[edge.to], "probability": probability,
            "tempered_probability": tempered(edge.from, edge.to),
            "removal_nats": edge.removal, "reversal_nats": edge.reversal,
            "removal_spread_nats": edge.removal_spread, "reversal_spread_nats": edge.reversal_spread,
        })
    };
    let edges: Vec<Value> = learned.answer.evidence.iter().map(edge).collect();
    json!({ "edges": edges, "code_length_nats": learned.answer.code_length })
}

fn posterior_json(learned: &Learned, names: &[String]) -> Value {
    let Some(posterior) = &learned.answer.posterior else { return Value::Null };
    let nodes = 0..names.len();
    let pairs = nodes.clone().flat_map(|from| nodes.clone().map(move |to| (from, to)));
    let tempered = |from, to| learned.tempered.as_ref().map(|view| view.posterior.edge_probability(from, to));
    let edge = |(from, to): (usize, usize)| {
        json!({
            "from": names[from], "to": names[to], "probability": posterior.edge_probability(from, to),
            "tempered": tempered(from, to),
        })
    };
    let edges: Vec<Value> = pairs.filter(|(from, to)| from != to).map(edge).collect();
    json!({
        "method": posterior.method, "edges": edges, "expected_links": posterior.expected_links(),
        "temperature": learned.tempered.as_ref().map(|view| view.temperature),
        "spread_of_gaps_nats": learned.tempered.as_ref().map(|view| view.spread),
        "in_words": learned.tempered.as_ref().map(|view| probabilities_in_words(view.spread, view.temperature)),
    })
}

fn truth_json(truth: &TruthReport) -> Value {
    json!({
        "shd": truth.comparison.shd, "shd_cpdag": truth.comparison.shd_cpdag,
        "sid": truth.comparison.sid, "equivalent": truth.comparison.equivalent, "exact": truth.comparison.exact,
        "expected_shd": truth.expected_shd,
    })
}

fn edges_json(dag: &Dag, names: &[String]) -> Value {
    pairs_json(&dag.edges(), names)
}

pub(super) fn parents_json(family: &Family, names: &[String]) -> Value {
    family.parents.iter().map(|parent| names[parent].as_str()).collect()
}

pub(super) fn pairs_json(pairs: &[(usize, usize)], names: &[String]) -> Value {
    pairs.iter().map(|&(a, b)| json!([names[a], names[b]])).collect()
}

/// Code lengths of families, and of the graph that they make if one was scored.
pub fn score_json(table: &Table, scored: &Scored, command: Option<&str>) -> Value {
    let mut result = json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "data": data_json(table, &scored.data),
        "settings": settings_json(&scored.settings),
        "families": families_json(&scored.scores, scored.settings.repeats.unwrap_or(1), &table.names()),
    });
    if let Some(total) = scored.total {
        result["code_length_nats"] = json!(total);
    }
    if let Some(partial) = &scored.partial {
        result["partial"] = partial_json(partial, command);
    }
    result["cost"] = cost_json(&scored.cost);
    result
}

fn moments_json(values: Vec<Moments>) -> Value {
    let each = |value: fn(&Moments) -> f64| values.iter().map(value).collect::<Vec<_>>();
    json!({ "mean": each(|moments| moments.mean), "sd": each(|moments| moments.sd) })
}

/// Curves of families: next-step and cumulative losses, mean and standard deviation over row orders or over networks, each
/// alone.
pub fn curves_json(curves: &Curves, names: &[String]) -> Value {
    let one = |(number, family): (usize, &Family)| {
        json!({
            "child": names[family.child],
            "parents": parents_json(family, names),
            "next_step_nats": moments_json(curves.next_step(number, 1)),
            "cumulative_nats": moments_json(curves.cumulative(number)),
        })
    };
    let families: Vec<Value> = curves.families().iter().enumerate().map(one).collect();
    json!({ "schema": 1, "rows": curves.checkpoints(), "families": families })
}
