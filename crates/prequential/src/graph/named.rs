//! A graph over named nodes, as in a graph file, not yet matched to the variables of a table.

use std::collections::HashMap;

use super::{Cycle, Dag};
use crate::base::error::{Error, Result};

/// A directed acyclic graph over named nodes.
///
/// ```
/// use prequential::{GraphFormat, parse_graph};
/// let graph = parse_graph("from,to\nrain,wet\n", GraphFormat::Csv, "truth.csv")?;
/// assert_eq!(graph.edges(), [("rain", "wet")]);
/// let table = ["wet", "sun", "rain"].map(String::from);
/// assert_eq!(graph.onto(&table, "truth.csv")?.edges(), [(2, 0)]);
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDag {
    /// The name of every node of `dag`, all different.
    pub names: Vec<String>,
    /// The edges.
    pub dag: Dag,
}

impl NamedDag {
    /// All edges as `(from, to)`, in node order.
    pub fn edges(&self) -> Vec<(&str, &str)> {
        let named = |(from, to): (usize, usize)| (self.names[from].as_str(), self.names[to].as_str());
        self.dag.edges().into_iter().map(named).collect()
    }

    /// The graph of these nodes and edges, and of the nodes that only edges name; `source` is where they were said.
    pub fn from_edges(nodes: &[String], edges: &[(String, String)], source: &str) -> Result<NamedDag> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut names = Vec::new();
        let ends = edges.iter().flat_map(|(from, to)| [from, to]);
        for name in nodes.iter().chain(ends) {
            numbers.entry(name).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            });
        }
        let pairs = edges.iter().map(|(from, to)| (numbers[from.as_str()], numbers[to.as_str()]));
        match Dag::from_edges(names.len(), pairs) {
            Ok(dag) => Ok(NamedDag { names, dag }),
            Err(cycle) => Err(cycle_error(&cycle, &names, source, &[])),
        }
    }

    /// A copy without these nodes and their edges.
    pub fn without(&self, names: &[String]) -> NamedDag {
        let kept: Vec<usize> =
            (0..self.names.len()).filter(|&node| !names.contains(&self.names[node])).collect();
        let place = |node: usize| kept.iter().position(|&other| other == node);
        let edges = self.dag.edges().into_iter().filter_map(|(from, to)| place(from).zip(place(to)));
        let dag = Dag::from_edges(kept.len(), edges);
        let dag = dag.unwrap_or_else(|_| panic!("a part of a graph without cycles has none"));
        NamedDag { names: kept.iter().map(|&node| self.names[node].clone()).collect(), dag }
    }

    /// The graph over the variables `names`, in their order; variables that the graph does not mention are
    /// isolated.
    ///
    /// `source` is the file the graph comes from, for [`Error::UnknownName`] if the graph has a name that `names` lacks.
    pub fn onto(&self, names: &[String], source: &str) -> Result<Dag> {
        let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let number =
            |name: &String| numbers.get(name.as_str()).copied().ok_or_else(|| unknown(name, names, source));
        let place = self.names.iter().map(number).collect::<Result<Vec<usize>>>()?;
        let edges = self.dag.edges().into_iter().map(|(from, to)| (place[from], place[to]));
        Dag::from_edges(names.len(), edges).map_err(|cycle| cycle_error(&cycle, names, source, &[]))
    }
}

fn unknown(name: &str, names: &[String], source: &str) -> Error {
    Error::UnknownName {
        option: format!("`{source}`").into(),
        name: name.to_string(),
        what: "variable",
        known: names.to_vec(),
    }
}

/// The error for a `cycle` in the file `source`, whose edges are on `lines`, where these are known.
pub(super) fn cycle_error(cycle: &Cycle, names: &[String], source: &str, lines: &[u64]) -> Error {
    let numbers: Vec<String> = lines.iter().map(u64::to_string).collect();
    let place = match lines.len() {
        0 => String::new(),
        1 => format!(" (line {})", numbers[0]),
        _ => format!(" (lines {})", numbers.join(", ")),
    };
    let hint = match cycle.0.len() {
        1 => format!("remove this edge{place}"),
        2 => format!("remove one of them{place}; undirected edges cannot be read, so choose a direction"),
        _ => format!("remove or reverse one of them{place}"),
    };
    Error::Cycle {
        what: format!("edges of `{source}`").into(),
        cycle: cycle.display(names),
        hint: hint.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_graph_finds_its_variables_by_name_and_leaves_others_isolated() {
        let dag = Dag::from_edges(3, [(0, 1), (2, 1)]).unwrap();
        let graph = NamedDag { names: strings(&["c", "a", "d"]), dag };
        let placed = graph.onto(&strings(&["a", "b", "c", "d"]), "truth.json").unwrap();
        assert_eq!(placed, Dag::from_edges(4, [(2, 0), (3, 0)]).unwrap());
    }

    #[test]
    fn a_name_that_the_table_lacks_is_an_error_with_the_nearest() {
        let graph =
            NamedDag { names: strings(&["age", "incone"]), dag: Dag::from_edges(2, [(0, 1)]).unwrap() };
        let error = graph.onto(&strings(&["age", "income"]), "truth.dot").unwrap_err();
        assert_eq!(error.to_string(), "`truth.dot` names `incone`, but there is no such variable");
        assert_eq!(error.hint().to_string(), "did you mean `income`?");
    }
}
