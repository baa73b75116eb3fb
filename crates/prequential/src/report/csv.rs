//! Links as CSV, for other programs.

use serde_json::json;

use super::document::{Direction, GraphView, LearnedEdge, ResultDocument, VariablePair};
use crate::posterior::PosteriorBasis;

const LINK_COLUMNS: &str = "from,to,in_best_graph,direction,linked,from_to,to_from,basis,removal_nats,removal_spread_nats,\
                            reversal_nats,reversal_spread_nats\n";

impl ResultDocument {
    /// Every two variables as CSV, those that the best graph links first, then the others, the likeliest first.
    ///
    /// `direction` says which way the link points, by its probabilities: `->` as the edge of the graph, `<-` the other way, or `--` if this is open; `from_to` and
    /// `to_from` are the probabilities of both, and `basis` what they were summed over: they are probabilities only over `all-graphs`.
    /// Costs and their spreads are in nats, of edges of the best graph only. Empty where something is not known.
    pub fn edges_to_csv(&self) -> String {
        let graph = self.graph();
        let edges = self.dag.edges.iter().map(|edge| edge_line(edge, &graph));
        let others = graph.unlinked_pairs().into_iter().map(pair_line);
        LINK_COLUMNS.to_string() + &edges.chain(others).collect::<String>()
    }
}

fn edge_line(edge: &LearnedEdge, graph: &GraphView) -> String {
    let direction = match edge.direction() {
        Direction::Told => "->",
        Direction::Open => "--",
        Direction::Against => "<-",
    };
    let fields = [
        quoted(&edge.from),
        quoted(&edge.to),
        "1".to_string(),
        direction.to_string(),
        number(edge.linked),
        number(edge.probability),
        number(graph.other_way(edge)),
        edge.basis.map(name_of).unwrap_or_default(),
        number(edge.removal_nats),
        number(edge.removal_spread_nats),
        number(edge.reversal_nats),
        number(edge.reversal_spread_nats),
    ];
    fields.join(",") + "\n"
}

fn pair_line(pair: &VariablePair) -> String {
    let (from, to, forth, back, is_told) = pair.likelier();
    let direction = if is_told { "->" } else { "--" };
    let (from, to, basis) = (quoted(from), quoted(to), name_of(pair.basis));
    format!("{from},{to},0,{direction},{:?},{forth:?},{back:?},{basis},,,,\n", pair.linked)
}

fn name_of(basis: PosteriorBasis) -> String {
    json!(basis).as_str().map(String::from).unwrap_or_default()
}

fn number(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| format!("{number:?}"))
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
