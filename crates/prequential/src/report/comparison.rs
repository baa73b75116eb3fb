//! Two graphs side by side: how far they are from each other, and what became of their edges.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::document::{Document, DocumentKind, named_pairs, this_version};
use crate::base::error::{Error, Result};
use crate::base::format::visible;
use crate::graph::{Comparison, Dag, NamedDag, ancestor_aid, compare};
use crate::run::NamedPair;

/// All distances between two graphs, and their edges by what became of them.
///
/// ```
/// use prequential::{Dag, NamedDag, results::ComparisonDocument};
/// let names = ["rain", "wet"].map(String::from).to_vec();
/// let graph = NamedDag { names: names.clone(), dag: Dag::from_edges(2, [(1, 0)])? };
/// let truth = NamedDag { names, dag: Dag::from_edges(2, [(0, 1)])? };
/// let compared = ComparisonDocument::new((&graph, "ours.dot"), (&truth, "truth.dot"))?;
/// assert!(compared.to_text().starts_with("Different graphs of one equivalence class"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonDocument {
    version: String,
    shd: usize,
    shd_cpdag: usize,
    sid: usize,
    ancestor_aid: usize,
    equivalent: bool,
    exact: bool,
    common: Vec<NamedPair>,
    /// As they point in the first graph.
    reversed: Vec<NamedPair>,
    /// Only in the first graph.
    extra: Vec<NamedPair>,
    /// Only in the second graph.
    absent: Vec<NamedPair>,
}

impl Document for ComparisonDocument {
    const KIND: DocumentKind = DocumentKind::Comparison;
}

impl ComparisonDocument {
    /// Compares a graph with another one, taken for the truth; each comes with the file, or option, that complaints name.
    ///
    /// Variables that only one of them has are isolated in the other; they must have one in common.
    pub fn new(graph: (&NamedDag, &str), truth: (&NamedDag, &str)) -> Result<ComparisonDocument> {
        let new: Vec<&String> = graph.0.names.iter().filter(|name| !truth.0.names.contains(name)).collect();
        if new.len() == graph.0.names.len() {
            return Err(Error::Setting {
                what: "the two graphs have no variable in common".into(),
                hint: "compare graphs over the same variables, by the same names".into(),
            });
        }
        let names: Vec<String> = truth.0.names.iter().chain(new).cloned().collect();
        let placed = |(named, source): (&NamedDag, &str)| named.onto(&names, source);
        Ok(ComparisonDocument::of(&placed(graph)?, &placed(truth)?, &names))
    }

    fn of(graph: &Dag, truth: &Dag, names: &[String]) -> ComparisonDocument {
        let Comparison { shd, shd_cpdag, sid, equivalent, exact } = compare(graph, truth);
        let edges = |dag: &Dag, keep: &dyn Fn(usize, usize) -> bool| {
            let kept: Vec<_> = dag.edges().into_iter().filter(|&(from, to)| keep(from, to)).collect();
            named_pairs(&kept, names)
        };
        ComparisonDocument {
            version: this_version(),
            shd,
            shd_cpdag,
            sid,
            ancestor_aid: ancestor_aid(truth, graph),
            equivalent,
            exact,
            common: edges(graph, &|from, to| truth.has_edge(from, to)),
            reversed: edges(graph, &|from, to| truth.has_edge(to, from)),
            extra: edges(graph, &|from, to| !truth.adjacent(from, to)),
            absent: edges(truth, &|from, to| !graph.adjacent(from, to)),
        }
    }

    /// All of it as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.write()
    }

    /// All distances, and the edges by what became of them; ends with a line break.
    pub fn to_text(&self) -> String {
        let verdict = match (self.exact, self.equivalent) {
            (true, _) => "The same graph\n",
            (_, true) => "Different graphs of one equivalence class\n",
            _ => "Different graphs of different equivalence classes\n",
        };
        let distances = [
            ("SHD", self.shd, "pairs whose edge differs; a reversal counts once"),
            ("SHD of classes", self.shd_cpdag, "the same between the equivalence classes"),
            ("SID", self.sid, "effects that the first graph's parents get wrong if the second is true"),
            ("ancestor adjustment", self.ancestor_aid, "the same, with ancestors to adjust for"),
        ];
        let lists = [
            ("common", &self.common),
            ("reversed", &self.reversed),
            ("only in the first", &self.extra),
            ("only in the second", &self.absent),
        ];
        let mut text = verdict.to_string();
        for (name, value, what) in distances {
            let _ = writeln!(text, "  {name:<20} {value:>4}  {what}");
        }
        for (what, list) in lists {
            let shown =
                list.iter().map(|NamedPair(from, to)| format!("{} -> {}", visible(from), visible(to)));
            let shown: Vec<String> = shown.collect();
            let shown = if shown.is_empty() { "none".to_string() } else { shown.join(", ") };
            let _ = writeln!(text, "  {what:<20} {:>4}  {shown}", list.len());
        }
        text
    }
}
