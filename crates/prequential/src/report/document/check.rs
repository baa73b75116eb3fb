//! What types alone cannot tell of a result: names are known, graphs have no cycles, curves are as long as their rows.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use super::curves::{CurveMoments, RankingCurves};
use super::read::{complaint, read};
use super::{ResultDocument, ScoredFamily};
use crate::base::error::{Error, Result};
use crate::base::message::{Call, message};
use crate::graph::Dag;
use crate::run::NamedPair;
use crate::shape::{EdgeShape, Predicted};

impl ResultDocument {
    /// The result in `text`, the JSON of a run; `source` is the file that complaints name.
    ///
    /// [`Error::Format`] names the key if the JSON is not a result, or makes no sense.
    pub fn parse(text: &str, source: &str) -> Result<ResultDocument> {
        let document: ResultDocument = read(text, source)?;
        check(&document, source)?;
        Ok(document)
    }

    /// The result in a file.
    pub fn read(path: impl AsRef<Path>) -> Result<ResultDocument> {
        let path = path.as_ref();
        let bytes = fs::read(path);
        let bytes =
            bytes.map_err(|source| Error::File { action: "read", path: path.to_path_buf(), source })?;
        let source = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|_| Error::Format {
            path: source.clone(),
            line: None,
            problem: "this is not JSON: it is not UTF-8 text".into(),
            hint: message!["give the `result.json` of ", Call::LearnToFiles],
        })?;
        ResultDocument::parse(&text, &source)
    }
}

/// Refuses a result that makes no sense; `source` is the file that complaints name.
fn check(result: &ResultDocument, source: &str) -> Result<()> {
    let names: Vec<String> = result.data.variables.iter().map(|variable| variable.name.clone()).collect();
    let checks =
        Checks { source, numbers: names.iter().map(String::as_str).zip(0..).collect(), names: &names };
    let mut seen = HashSet::new();
    if let Some((i, name)) = names.iter().enumerate().find(|(_, name)| !seen.insert(name.as_str())) {
        let problem = format!("two variables are called `{name}`");
        return Err(checks.error(&format!("data.variables[{i}].name"), &problem));
    }
    checks.graphs(result)?;
    checks.settings(result)?;
    for (i, pair) in result.pairs.iter().flatten().enumerate() {
        checks.edge(&format!("pairs[{i}]"), [("a", &pair.a), ("b", &pair.b)])?;
    }
    for (i, edge) in result.agreement.iter().flat_map(|agreement| &agreement.edges).enumerate() {
        checks.edge(&format!("agreement.edges[{i}]"), [("from", &edge.from), ("to", &edge.to)])?;
    }
    result.shapes.iter().enumerate().try_for_each(|(i, shape)| checks.shape(i, shape))?;
    let mut families = result.families.iter().flatten().enumerate();
    families.try_for_each(|(i, family)| checks.family(i, family))?;
    result.curves.as_ref().map_or(Ok(()), |curves| checks.curves(curves, result.ranking.len()))
}

/// The variables that a result may name.
struct Checks<'a> {
    source: &'a str,
    names: &'a [String],
    numbers: HashMap<&'a str, usize>,
}

impl Checks<'_> {
    fn graphs(&self, result: &ResultDocument) -> Result<()> {
        let mut edges = Vec::new();
        for (i, edge) in result.dag.edges.iter().enumerate() {
            let key = format!("dag.edges[{i}]");
            let (from, to) = self.edge(&key, [("from", &edge.from), ("to", &edge.to)])?;
            if from == to {
                return Err(self.error(&key, "an edge joins two different variables"));
            }
            edges.push((from, to));
        }
        self.acyclic("dag.edges", edges)?;
        for (i, ranked) in result.ranking.iter().enumerate() {
            let key = format!("ranking[{i}].edges");
            self.acyclic(&key, self.pairs(&key, &ranked.edges)?)?;
        }
        self.pairs("cpdag.directed", &result.cpdag.directed)?;
        self.pairs("cpdag.undirected", &result.cpdag.undirected)?;
        Ok(())
    }

    /// What the reader's own graphs are held against.
    fn settings(&self, result: &ResultDocument) -> Result<()> {
        let settings = &result.settings;
        self.pairs("settings.require", &settings.require)?;
        self.pairs("settings.forbid", &settings.forbid)?;
        for (i, tier) in settings.tiers.iter().enumerate() {
            self.nodes(&format!("settings.tiers[{i}]"), tier)?;
        }
        self.nodes("settings.roots", &settings.roots)?;
        self.nodes("settings.leaves", &settings.leaves)?;
        Ok(())
    }

    fn family(&self, i: usize, family: &ScoredFamily) -> Result<()> {
        let child = self.node(&format!("families[{i}].child"), &family.child)?;
        let key = format!("families[{i}].parents");
        let parents = self.nodes(&key, &family.parents)?;
        let mut seen = HashSet::from([child]);
        if parents.into_iter().all(|parent| seen.insert(parent)) {
            return Ok(());
        }
        Err(self.error(&key, "parents differ from each other and from the child"))
    }

    /// Every list of a shape is as long as its values are many.
    fn shape(&self, i: usize, shape: &EdgeShape) -> Result<()> {
        self.edge(&format!("shapes[{i}]"), [("from", &shape.from), ("to", &shape.to)])?;
        let (key, n_values) = (format!("shapes[{i}].predicted"), shape.at.len());
        let lists: Vec<&Vec<f64>> = match &shape.predicted {
            Predicted::Number { low, median, high } => vec![low, median, high],
            Predicted::Labels { levels, shares, observed } => {
                if [shares.len(), observed.len()] != [levels.len(); 2] {
                    return Err(self.error(&key, "every level has shares of its own"));
                }
                shares.iter().chain(observed).collect()
            }
        };
        if lists.into_iter().all(|list| list.len() == n_values) {
            return Ok(());
        }
        Err(self.error(&key, &format!("expected {n_values} values, as many as in `shapes[{i}].at`")))
    }

    fn curves(&self, curves: &RankingCurves, n_ranked: usize) -> Result<()> {
        let n_rows = curves.rows.len();
        for (i, graph) in curves.graphs.iter().enumerate() {
            if graph.rank >= n_ranked {
                let key = format!("curves.graphs[{i}].rank");
                return Err(self.error(&key, "there is no such place in `ranking`"));
            }
            self.moments(&format!("curves.graphs[{i}].excess_nats"), &graph.excess_nats, n_rows)?;
        }
        for (i, family) in curves.families.iter().enumerate() {
            self.node(&format!("curves.families[{i}].child"), &family.child)?;
            self.nodes(&format!("curves.families[{i}].parents"), &family.parents)?;
            self.moments(&format!("curves.families[{i}].next_step_nats"), &family.next_step_nats, n_rows)?;
        }
        Ok(())
    }

    fn moments(&self, key: &str, moments: &CurveMoments, n_rows: usize) -> Result<()> {
        let lists = [("mean", &moments.mean), ("sd", &moments.sd)];
        let Some((what, values)) = lists.into_iter().find(|(_, values)| values.len() != n_rows) else {
            return Ok(());
        };
        let problem = format!("{} values for {n_rows} rows in `curves.rows`", values.len());
        Err(self.error(&format!("{key}.{what}"), &problem))
    }

    fn node(&self, key: &str, name: &str) -> Result<usize> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let problem = format!("expected the name of a variable in `data.variables`, found `{name:?}`");
            self.error(key, &problem)
        })
    }

    fn nodes(&self, key: &str, names: &[String]) -> Result<Vec<usize>> {
        names.iter().enumerate().map(|(i, name)| self.node(&format!("{key}[{i}]"), name)).collect()
    }

    /// The two ends of what stands under `key`, each under a key of its own.
    fn edge(&self, key: &str, [(a, one), (b, other)]: [(&str, &String); 2]) -> Result<(usize, usize)> {
        Ok((self.node(&format!("{key}.{a}"), one)?, self.node(&format!("{key}.{b}"), other)?))
    }

    fn pairs(&self, key: &str, pairs: &[NamedPair]) -> Result<Vec<(usize, usize)>> {
        let numbered = |(i, NamedPair(a, b)): (usize, &NamedPair)| {
            Ok((self.node(&format!("{key}[{i}][0]"), a)?, self.node(&format!("{key}[{i}][1]"), b)?))
        };
        pairs.iter().enumerate().map(numbered).collect()
    }

    fn acyclic(&self, key: &str, edges: Vec<(usize, usize)>) -> Result<()> {
        let n_edges = edges.len();
        let dag = Dag::from_edges(self.names.len(), edges).map_err(|cycle| {
            self.error(key, &format!("the edges form a cycle: {}", cycle.display(self.names)))
        })?;
        if dag.n_edges() < n_edges { Err(self.error(key, "an edge stands here twice")) } else { Ok(()) }
    }

    fn error(&self, key: &str, problem: &str) -> Error {
        complaint(self.source, key, problem)
    }
}
