//! What a result file says, checked: names are known, graphs have no cycles, numbers are numbers.

use std::collections::HashMap;

use serde_json::Value;

use super::super::svg::OPEN_DIRECTION;
use super::curves::Curves;
use super::reader::{At, Numbers, Pair};
use crate::base::error::Result;
use crate::graph::Dag;

/// The schema that this version reads.
const SCHEMA: usize = 1;

/// A result, as far as a report shows it.
pub(super) struct Facts<'a> {
    pub(super) names: Vec<String>,
    pub(super) version: &'a str,
    pub(super) data: Data<'a>,
    /// Every setting, as it stands in the file.
    pub(super) settings: &'a Value,
    pub(super) knowledge: Knowledge,
    pub(super) dag: Dag,
    pub(super) code_length: f64,
    pub(super) edges: Vec<Edge>,
    pub(super) directed: Vec<Pair>,
    pub(super) undirected: Vec<Pair>,
    pub(super) ranking: Vec<Ranked>,
    pub(super) posterior: Option<Posterior<'a>>,
    pub(super) agreement: Option<Agreement<'a>>,
    pub(super) families: Option<Vec<ScoredFamily>>,
    pub(super) truth: Option<Truth>,
    pub(super) search: Search<'a>,
    pub(super) partial: Option<Partial<'a>>,
    pub(super) curves: Option<Curves<'a>>,
    /// As it stands in the file.
    pub(super) cost: &'a Value,
}

pub(super) struct Data<'a> {
    pub(super) path: Option<&'a str>,
    pub(super) rows: usize,
    pub(super) sha256: Option<&'a str>,
    pub(super) variables: Vec<Variable<'a>>,
    pub(super) warnings: Vec<&'a str>,
    /// How the file was read, as it stands in the result.
    pub(super) options: Option<&'a Value>,
}

pub(super) struct Variable<'a> {
    pub(super) kind: &'a str,
    pub(super) bins: usize,
    pub(super) rows_used: usize,
    pub(super) missing: usize,
    pub(super) intervened: usize,
}

/// What the reader's own graphs are held against.
#[derive(Default)]
pub(super) struct Knowledge {
    pub(super) require: Vec<Pair>,
    pub(super) forbid: Vec<Pair>,
    pub(super) tiers: Vec<Vec<usize>>,
    pub(super) roots: Vec<usize>,
    pub(super) leaves: Vec<usize>,
    pub(super) max_parents: Option<usize>,
}

/// An edge of the best graph, and what speaks for it.
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) probability: Option<f64>,
    pub(super) tempered: Option<f64>,
    pub(super) removal: Option<f64>,
    pub(super) removal_spread: Option<f64>,
    pub(super) reversal: Option<f64>,
    pub(super) reversal_spread: Option<f64>,
}

impl Edge {
    /// Whether the data hardly tell its direction.
    pub(super) fn is_open(&self) -> bool {
        self.reversal.is_some_and(|reversal| reversal < OPEN_DIRECTION)
    }
}

pub(super) struct Ranked {
    pub(super) dag: Dag,
    pub(super) excess: f64,
}

pub(super) struct Posterior<'a> {
    pub(super) method: &'a str,
    pub(super) temperature: Option<f64>,
    pub(super) expected_links: f64,
}

/// How many networks or row orders alone find the same.
pub(super) struct Agreement<'a> {
    /// What they are: `networks` or `row orders`.
    pub(super) over: &'a str,
    pub(super) networks: usize,
    pub(super) same_graph: usize,
    pub(super) same_class: usize,
    pub(super) edges: HashMap<Pair, usize>,
}

pub(super) struct ScoredFamily {
    pub(super) child: usize,
    /// In the order of the variables.
    pub(super) parents: Vec<usize>,
    pub(super) code_length: f64,
    pub(super) spread: Option<f64>,
}

pub(super) struct Truth {
    pub(super) shd: usize,
    pub(super) shd_cpdag: usize,
    pub(super) sid: Option<usize>,
    pub(super) equivalent: bool,
    pub(super) exact: bool,
    pub(super) expected_shd: Option<f64>,
}

pub(super) struct Search<'a> {
    pub(super) method: &'a str,
    pub(super) proven: bool,
    pub(super) graphs: Option<usize>,
    pub(super) visited: Option<usize>,
}

/// Why the work stopped early, and how to go on.
pub(super) struct Partial<'a> {
    pub(super) reason: &'a str,
    pub(super) scored: usize,
    pub(super) planned: Option<usize>,
    pub(super) command: Option<&'a str>,
}

impl<'a> Facts<'a> {
    /// Reads a whole result; `source` is the file that complaints name.
    pub(super) fn read(result: &'a Value, source: &'a str) -> Result<Facts<'a>> {
        let top = At::top(result, source);
        let version = check_schema(&top)?;
        let (names, data) = read_data(&top.get("data")?)?;
        let numbers: Numbers = names.iter().map(String::as_str).zip(0..).collect();
        let (dag, edges, code_length) = read_dag(&top.get("dag")?, &numbers, &names)?;
        let settings = top.get("settings")?;
        let class = top.get("cpdag")?;
        let ranking = read_ranking(&top.get("ranking")?, &numbers, &names)?;
        let optional = |key: &str| top.find(key);
        Ok(Facts {
            version,
            data,
            settings: settings.value,
            knowledge: read_knowledge(&settings, &numbers)?,
            dag,
            code_length,
            edges,
            directed: class.get("directed")?.pairs(&numbers)?,
            undirected: class.get("undirected")?.pairs(&numbers)?,
            posterior: optional("posterior").map(|at| read_posterior(&at)).transpose()?,
            agreement: optional("agreement").map(|at| read_agreement(&at, &numbers)).transpose()?,
            families: optional("families").map(|at| read_families(&at, &numbers)).transpose()?,
            truth: optional("truth").map(|at| read_truth(&at)).transpose()?,
            search: read_search(&top, &settings)?,
            partial: optional("partial").map(|at| read_partial(&at)).transpose()?,
            curves: optional("curves").map(|at| Curves::read(&at, &numbers, ranking.len())).transpose()?,
            cost: top.get("cost")?.value,
            ranking,
            names,
        })
    }
}

/// Refuses what is no result of this schema; returns the version that wrote it.
fn check_schema<'a>(top: &At<'a>) -> Result<&'a str> {
    if !top.value.is_object() || top.value.get("schema").is_none() {
        return Err(top.error("this is not a result: it has no key `schema`"));
    }
    let version = top.find("version").and_then(|at| at.text().ok()).unwrap_or("unknown");
    let schema = top.get("schema")?;
    if schema.count()? == SCHEMA {
        return Ok(version);
    }
    let problem = format!("this is schema {}, but this version reads schema {SCHEMA}", schema.count()?);
    let hint = format!("use the `prequential` that wrote it (version {version}), or run `learn` again");
    Err(schema.error_with_hint(&problem, &hint))
}

fn read_data<'a>(at: &At<'a>) -> Result<(Vec<String>, Data<'a>)> {
    let (mut names, mut variables) = (Vec::new(), Vec::new());
    let mut seen: HashMap<&str, ()> = HashMap::new();
    for item in at.get("variables")?.items()? {
        let name = item.get("name")?;
        if seen.insert(name.text()?, ()).is_some() {
            return Err(name.error(&format!("two variables are called `{}`", name.text()?)));
        }
        names.push(name.text()?.to_string());
        let count_or_0 = |key: &str| item.find(key).map_or(Ok(0), |at| at.count());
        variables.push(Variable {
            kind: item.get("kind")?.text()?,
            bins: item.get("bins")?.count()?,
            rows_used: item.get("rows_used")?.count()?,
            missing: count_or_0("missing")?,
            intervened: count_or_0("intervened")?,
        });
    }
    let warnings = at.find("warnings").map_or(Ok(Vec::new()), |at| at.items())?;
    let data = Data {
        path: at.find("path").map(|at| at.text()).transpose()?,
        rows: at.get("rows")?.count()?,
        sha256: at.find("sha256").map(|at| at.text()).transpose()?,
        variables,
        warnings: warnings.iter().map(At::text).collect::<Result<_>>()?,
        options: at.find("options").map(|at| at.value),
    };
    Ok((names, data))
}

fn read_knowledge(at: &At, numbers: &Numbers) -> Result<Knowledge> {
    let edges = |key: &str| at.find(key).map_or(Ok(Vec::new()), |at| at.pairs(numbers));
    let nodes = |key: &str| at.find(key).map_or(Ok(Vec::new()), |at| at.nodes(numbers));
    let tiers = at.find("tiers").map_or(Ok(Vec::new()), |at| at.items())?;
    Ok(Knowledge {
        require: edges("require")?,
        forbid: edges("forbid")?,
        tiers: tiers.iter().map(|tier| tier.nodes(numbers)).collect::<Result<_>>()?,
        roots: nodes("roots")?,
        leaves: nodes("leaves")?,
        max_parents: at.find("max_parents").map(|at| at.count()).transpose()?,
    })
}

fn read_dag(at: &At, numbers: &Numbers, names: &[String]) -> Result<(Dag, Vec<Edge>, f64)> {
    let list = at.get("edges")?;
    let edges = list.items()?.iter().map(|at| read_edge(at, numbers)).collect::<Result<Vec<Edge>>>()?;
    let dag = acyclic(&list, edges.iter().map(|edge| (edge.from, edge.to)).collect(), names)?;
    Ok((dag, edges, at.get("code_length_nats")?.number()?))
}

fn read_edge(at: &At, numbers: &Numbers) -> Result<Edge> {
    let number = |key: &str| at.find(key).map(|at| at.number()).transpose();
    let (from, to) = (at.get("from")?.node(numbers)?, at.get("to")?.node(numbers)?);
    if from == to {
        return Err(at.error("an edge joins two different variables"));
    }
    Ok(Edge {
        from,
        to,
        probability: number("probability")?,
        tempered: number("tempered_probability")?,
        removal: at.get("removal_nats")?.number_or_null()?,
        removal_spread: number("removal_spread_nats")?,
        reversal: at.get("reversal_nats")?.number_or_null()?,
        reversal_spread: number("reversal_spread_nats")?,
    })
}

/// The graph with these edges, which stand at `at`.
fn acyclic(at: &At, edges: Vec<Pair>, names: &[String]) -> Result<Dag> {
    let n_edges = edges.len();
    let dag = Dag::from_edges(names.len(), edges)
        .map_err(|cycle| at.error(&format!("the edges form a cycle: {}", cycle.display(names))))?;
    if dag.n_edges() < n_edges { Err(at.error("an edge stands here twice")) } else { Ok(dag) }
}

fn read_ranking(at: &At, numbers: &Numbers, names: &[String]) -> Result<Vec<Ranked>> {
    let one = |at: &At| {
        let edges = at.get("edges")?;
        let dag = acyclic(&edges, edges.pairs(numbers)?, names)?;
        Ok(Ranked { dag, excess: at.get("excess_nats")?.number()? })
    };
    at.items()?.iter().map(one).collect()
}

fn read_posterior<'a>(at: &At<'a>) -> Result<Posterior<'a>> {
    Ok(Posterior {
        method: at.get("method")?.text()?,
        temperature: at.find("temperature").map(|at| at.number()).transpose()?,
        expected_links: at.get("expected_links")?.number()?,
    })
}

fn read_agreement<'a>(at: &At<'a>, numbers: &Numbers) -> Result<Agreement<'a>> {
    let edge = |at: &At| {
        let pair = (at.get("from")?.node(numbers)?, at.get("to")?.node(numbers)?);
        Ok((pair, at.get("networks")?.count()?))
    };
    Ok(Agreement {
        over: at.find("over").map_or(Ok("networks"), |at| at.text())?,
        networks: at.get("networks")?.count()?,
        same_graph: at.get("same_graph")?.count()?,
        same_class: at.get("same_class")?.count()?,
        edges: at.get("edges")?.items()?.iter().map(edge).collect::<Result<_>>()?,
    })
}

fn read_families(at: &At, numbers: &Numbers) -> Result<Vec<ScoredFamily>> {
    let one = |at: &At| {
        let child = at.get("child")?.node(numbers)?;
        let mut parents = at.get("parents")?.nodes(numbers)?;
        parents.sort_unstable();
        if parents.contains(&child) || parents.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(at.get("parents")?.error("parents differ from each other and from the child"));
        }
        Ok(ScoredFamily {
            child,
            parents,
            code_length: at.get("code_length_nats")?.number()?,
            spread: at.find("spread_nats").map(|at| at.number()).transpose()?,
        })
    };
    at.items()?.iter().map(one).collect()
}

fn read_truth(at: &At) -> Result<Truth> {
    Ok(Truth {
        shd: at.get("shd")?.count()?,
        shd_cpdag: at.get("shd_cpdag")?.count()?,
        sid: at.find("sid").map(|at| at.count()).transpose()?,
        equivalent: at.get("equivalent")?.flag()?,
        exact: at.get("exact")?.flag()?,
        expected_shd: at.find("expected_shd").map(|at| at.number()).transpose()?,
    })
}

/// The search, from its own key or, in results that lack it, from the settings.
fn read_search<'a>(top: &At<'a>, settings: &At<'a>) -> Result<Search<'a>> {
    let Some(at) = top.find("search") else {
        let method = settings.get("search")?.text()?;
        let proven = matches!(method, "exhaustive" | "exact");
        return Ok(Search { method, proven, graphs: None, visited: None });
    };
    let count = |key: &str| at.find(key).map(|at| at.count()).transpose();
    Ok(Search {
        method: at.get("method")?.text()?,
        proven: at.get("proven")?.flag()?,
        graphs: count("graphs")?,
        visited: count("visited")?,
    })
}

fn read_partial<'a>(at: &At<'a>) -> Result<Partial<'a>> {
    Ok(Partial {
        reason: at.get("reason")?.text()?,
        scored: at.get("scored_families")?.count()?,
        planned: at.find("planned_families").map(|at| at.count()).transpose()?,
        command: at.find("command").map(|at| at.text()).transpose()?,
    })
}
