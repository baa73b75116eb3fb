//! What types alone cannot tell of a result: names are known, graphs have no cycles, curves are as long as their rows.

use std::collections::{HashMap, HashSet};
use std::fmt::Arguments;

use super::super::curves::{CurveMoments, RankingCurves};
use super::read::complaint;
use super::{LearnedEdge, RankedGraph, ResultDocument, ScoredFamily};
use crate::base::error::{Error, Result};
use crate::graph::Dag;
use crate::run::{NamedPair, ResolvedSettings};
use crate::shape::{EdgeShape, Predicted};

/// Refuses a result that makes no sense; `source` is the file that complaints name.
pub(super) fn check(result: &ResultDocument, source: &str) -> Result<()> {
    let names: Vec<String> = result.data.variables.iter().map(|variable| variable.name.clone()).collect();
    let numbers = names.iter().cloned().zip(0..).collect();
    let checks = Checks { source, names: &names, numbers: &numbers };
    checks.variables()?;
    checks.best_graph(result)?;
    checks.ranking(result)?;
    checks.rest(result)
}

/// What types alone cannot tell.
struct Checks<'a> {
    source: &'a str,
    names: &'a [String],
    numbers: &'a HashMap<String, usize>,
}

impl Checks<'_> {
    fn best_graph(&self, result: &ResultDocument) -> Result<()> {
        let edge = |(i, edge): (usize, &LearnedEdge)| {
            let from = self.node(format_args!("dag.edges[{i}].from"), &edge.from)?;
            let to = self.node(format_args!("dag.edges[{i}].to"), &edge.to)?;
            if from == to {
                return Err(
                    self.error(format_args!("dag.edges[{i}]"), "an edge joins two different variables")
                );
            }
            Ok((from, to))
        };
        let edges = result.dag.edges.iter().enumerate().map(edge).collect::<Result<Vec<_>>>()?;
        self.acyclic(format_args!("dag.edges"), edges)
    }

    /// No two are called the same.
    fn variables(&self) -> Result<()> {
        let mut seen = HashSet::new();
        match self.names.iter().enumerate().find(|(_, name)| !seen.insert(name.as_str())) {
            None => Ok(()),
            Some((i, name)) => Err(self.error(
                format_args!("data.variables[{i}].name"),
                &format!("two variables are called `{name}`"),
            )),
        }
    }

    fn ranking(&self, result: &ResultDocument) -> Result<()> {
        result.ranking.iter().enumerate().try_for_each(|(i, ranked): (usize, &RankedGraph)| {
            let key = format!("ranking[{i}].edges");
            self.acyclic(format_args!("{key}"), self.pairs(format_args!("{key}"), &ranked.edges)?)
        })
    }

    fn rest(&self, result: &ResultDocument) -> Result<()> {
        self.settings(&result.settings)?;
        self.pairs(format_args!("cpdag.directed"), &result.cpdag.directed)?;
        self.pairs(format_args!("cpdag.undirected"), &result.cpdag.undirected)?;
        self.ends("pairs", result.pairs.iter().flatten().map(|pair| (&pair.a, &pair.b)))?;
        let agreed = result.agreement.iter().flat_map(|agreement| &agreement.edges);
        self.ends("agreement", agreed.map(|edge| (&edge.from, &edge.to)))?;
        result.shapes.iter().enumerate().try_for_each(|(i, shape)| self.shape(i, shape))?;
        let mut families = result.families.iter().flatten().enumerate();
        families.try_for_each(|(i, family)| self.family(i, family))?;
        result.curves.as_ref().map_or(Ok(()), |curves| self.curves(curves, result.ranking.len()))
    }

    fn settings(&self, settings: &ResolvedSettings) -> Result<()> {
        self.pairs(format_args!("settings.require"), &settings.require)?;
        self.pairs(format_args!("settings.forbid"), &settings.forbid)?;
        for (i, tier) in settings.tiers.iter().enumerate() {
            self.nodes(format_args!("settings.tiers[{i}]"), tier)?;
        }
        self.nodes(format_args!("settings.roots"), &settings.roots)?;
        self.nodes(format_args!("settings.leaves"), &settings.leaves)?;
        Ok(())
    }

    fn family(&self, i: usize, family: &ScoredFamily) -> Result<()> {
        let child = self.node(format_args!("families[{i}].child"), &family.child)?;
        let parents = self.nodes(format_args!("families[{i}].parents"), &family.parents)?;
        let mut seen = HashSet::from([child]);
        if parents.iter().all(|&parent| seen.insert(parent)) {
            return Ok(());
        }
        let key = format_args!("families[{i}].parents");
        Err(self.error(key, "parents differ from each other and from the child"))
    }

    /// Every list of a shape is as long as its values are many.
    fn shape(&self, i: usize, shape: &EdgeShape) -> Result<()> {
        self.node(format_args!("shapes[{i}].from"), &shape.from)?;
        self.node(format_args!("shapes[{i}].to"), &shape.to)?;
        let n_values = shape.at.len();
        let lists: Vec<&Vec<f64>> = match &shape.predicted {
            Predicted::Number { low, median, high } => vec![low, median, high],
            Predicted::Labels { levels, shares, observed }
                if [shares.len(), observed.len()] == [levels.len(); 2] =>
            {
                shares.iter().chain(observed).collect()
            }
            Predicted::Labels { .. } => {
                let key = format_args!("shapes[{i}].predicted");
                return Err(self.error(key, "every level has shares of its own"));
            }
        };
        if lists.iter().all(|list| list.len() == n_values) {
            return Ok(());
        }
        let problem = format!("expected {n_values} values, as many as in `shapes[{i}].at`");
        Err(self.error(format_args!("shapes[{i}].predicted"), &problem))
    }

    fn curves(&self, curves: &RankingCurves, n_ranked: usize) -> Result<()> {
        let n_rows = curves.rows.len();
        for (i, graph) in curves.graphs.iter().enumerate() {
            if graph.rank >= n_ranked {
                let key = format_args!("curves.graphs[{i}].rank");
                return Err(self.error(key, "there is no such place in `ranking`"));
            }
            self.moments(format_args!("curves.graphs[{i}].excess_nats"), &graph.excess_nats, n_rows)?;
        }
        for (i, family) in curves.families.iter().enumerate() {
            self.node(format_args!("curves.families[{i}].child"), &family.child)?;
            self.nodes(format_args!("curves.families[{i}].parents"), &family.parents)?;
            self.moments(
                format_args!("curves.families[{i}].next_step_nats"),
                &family.next_step_nats,
                n_rows,
            )?;
        }
        Ok(())
    }

    fn moments(&self, key: Arguments, moments: &CurveMoments, n_rows: usize) -> Result<()> {
        let wrong = [("mean", &moments.mean), ("sd", &moments.sd)];
        match wrong.into_iter().find(|(_, values)| values.len() != n_rows) {
            None => Ok(()),
            Some((what, values)) => {
                let problem = format!("{} values for {n_rows} rows in `curves.rows`", values.len());
                Err(self.error(format_args!("{key}.{what}"), &problem))
            }
        }
    }

    /// The ends of the edges of one part are known.
    fn ends<'e>(&self, part: &str, edges: impl Iterator<Item = (&'e String, &'e String)>) -> Result<()> {
        for (i, (from, to)) in edges.enumerate() {
            self.node(format_args!("{part}.edges[{i}].from"), from)?;
            self.node(format_args!("{part}.edges[{i}].to"), to)?;
        }
        Ok(())
    }

    fn node(&self, key: Arguments, name: &str) -> Result<usize> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let problem = format!("expected the name of a variable in `data.variables`, found `{name:?}`");
            self.error(key, &problem)
        })
    }

    fn nodes(&self, key: Arguments, names: &[String]) -> Result<Vec<usize>> {
        names.iter().enumerate().map(|(i, name)| self.node(format_args!("{key}[{i}]"), name)).collect()
    }

    fn pairs(&self, key: Arguments, pairs: &[NamedPair]) -> Result<Vec<(usize, usize)>> {
        let one = |(i, NamedPair(a, b)): (usize, &NamedPair)| {
            Ok((self.node(format_args!("{key}[{i}][0]"), a)?, self.node(format_args!("{key}[{i}][1]"), b)?))
        };
        pairs.iter().enumerate().map(one).collect()
    }

    fn acyclic(&self, key: Arguments, edges: Vec<(usize, usize)>) -> Result<()> {
        let n_edges = edges.len();
        let dag = Dag::from_edges(self.names.len(), edges).map_err(|cycle| {
            self.error(key, &format!("the edges form a cycle: {}", cycle.display(self.names)))
        })?;
        if dag.n_edges() < n_edges { Err(self.error(key, "an edge stands here twice")) } else { Ok(()) }
    }

    fn error(&self, key: Arguments, problem: &str) -> Error {
        complaint(self.source, &key.to_string(), problem)
    }
}
