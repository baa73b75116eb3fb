//! Two graphs side by side.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::base::format::visible_names;
use crate::graph::{Dag, ancestor_aid, compare};

/// Edges of two graphs by what became of them, as [from, to].
struct Edges {
    common: Vec<[String; 2]>,
    reversed: Vec<[String; 2]>,
    extra: Vec<[String; 2]>,
    absent: Vec<[String; 2]>,
}

impl Edges {
    fn new(graph: &Dag, truth: &Dag, names: &[String]) -> Edges {
        let of = |dag: &Dag, keep: &dyn Fn(usize, usize) -> bool| {
            let edges = dag.edges().into_iter().filter(|&(from, to)| keep(from, to));
            edges.map(|(from, to)| [names[from].clone(), names[to].clone()]).collect()
        };
        Edges {
            common: of(graph, &|from, to| truth.has_edge(from, to)),
            reversed: of(graph, &|from, to| truth.has_edge(to, from)),
            extra: of(graph, &|from, to| !truth.adjacent(from, to)),
            absent: of(truth, &|from, to| !graph.adjacent(from, to)),
        }
    }
}

/// All distances between `graph` and `truth`, and the edges by what became of them.
pub fn comparison_json(graph: &Dag, truth: &Dag, names: &[String]) -> Value {
    let (comparison, edges) = (compare(graph, truth), Edges::new(graph, truth, names));
    json!({
        "shd": comparison.shd, "shd_cpdag": comparison.shd_cpdag, "sid": comparison.sid,
        "ancestor_aid": ancestor_aid(truth, graph),
        "equivalent": comparison.equivalent, "exact": comparison.exact,
        "common": edges.common, "reversed": edges.reversed, "extra": edges.extra, "absent": edges.absent,
    })
}

/// The same for a reader; ends with a line break.
pub fn comparison_text(graph: &Dag, truth: &Dag, names: &[String]) -> String {
    let (comparison, edges) = (compare(graph, truth), Edges::new(graph, truth, &visible_names(names)));
    let mut text = match (comparison.exact, comparison.equivalent) {
        (true, _) => "The same graph\n",
        (_, true) => "Different graphs of one equivalence class\n",
        _ => "Different graphs of different equivalence classes\n",
    }
    .to_string();
    let distances = [
        ("SHD", comparison.shd, "pairs whose edge differs; a reversal counts once"),
        ("SHD of classes", comparison.shd_cpdag, "the same between the equivalence classes"),
        ("SID", comparison.sid, "effects that the first graph's parents get wrong if the second is true"),
        ("ancestor adjustment", ancestor_aid(truth, graph), "the same, with ancestors to adjust for"),
    ];
    for (name, value, what) in distances {
        let _ = writeln!(text, "  {name:<20} {value:>4}  {what}");
    }
    let lists = [
        ("common", &edges.common),
        ("reversed", &edges.reversed),
        ("only in the first", &edges.extra),
        ("only in the second", &edges.absent),
    ];
    for (what, list) in lists {
        let shown: Vec<String> = list.iter().map(|[from, to]| format!("{from} -> {to}")).collect();
        let shown = if shown.is_empty() { "none".to_string() } else { shown.join(", ") };
        let _ = writeln!(text, "  {what:<20} {:>4}  {shown}", list.len());
    }
    text
}
