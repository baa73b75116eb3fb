//! Links and code lengths of families as CSV, for other programs.

use serde_json::json;

use super::json::parent_names;
use super::settings::name_of;
use crate::base::nats::Nats;
use crate::graph::Family;
use crate::posterior::PairProbability;
use crate::run::Learned;
use crate::score::LocalScores;

impl Learned {
    /// Every two variables as CSV, those that the best graph links first, then the others, the likeliest first.
    ///
    /// `direction` says from which of the two the link points to which, `->` or `<-`, or that this is open, `--`; `from_to` and `to_from` are the
    /// probabilities of both, and `basis` what they were summed over: they are probabilities only over `all-graphs`. Costs and their spreads are
    /// in nats, of edges of the best graph only. Empty where something is not known.
    pub fn edges_to_csv(&self) -> String {
        let names = self.plan.names();
        let lines = self.links().into_iter().map(|(from, to)| self.link_csv(from, to, names));
        LINK_COLUMNS.to_string() + &lines.collect::<String>()
    }

    /// Every two variables, in the direction of the best graph or else the likelier one.
    fn links(&self) -> Vec<(usize, usize)> {
        let dag = &self.answer.dag;
        let mut others: Vec<PairProbability> =
            self.probabilities().into_iter().flat_map(|all| all.pairs()).collect();
        others.retain(|pair| !dag.has_edge(pair.a, pair.b) && !dag.has_edge(pair.b, pair.a));
        others.sort_by(|one, other| other.linked.total_cmp(&one.linked));
        let likelier = |pair: PairProbability| {
            if pair.b_to_a > pair.a_to_b { (pair.b, pair.a) } else { (pair.a, pair.b) }
        };
        dag.edges().into_iter().chain(others.into_iter().map(likelier)).collect()
    }

    fn link_csv(&self, from: usize, to: usize, names: &[String]) -> String {
        let evidence = self.answer.evidence.iter().find(|edge| (edge.from, edge.to) == (from, to));
        let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:?}"));
        let nats = |nats: Option<Nats>| number(nats.map(|nats| nats.0));
        let probabilities = self.probabilities();
        let pair = probabilities.map(|all| all.pair(from, to));
        let direction = match pair.map(|pair| pair.direction()) {
            Some(None) => "--",
            Some(Some(told)) if told == (to, from) => "<-",
            _ => "->",
        };
        let fields = [
            quoted(&names[from]),
            quoted(&names[to]),
            u8::from(self.answer.dag.has_edge(from, to)).to_string(),
            direction.to_string(),
            number(pair.map(|pair| pair.linked)),
            number(probabilities.map(|all| all.edge_probability(from, to))),
            number(probabilities.map(|all| all.edge_probability(to, from))),
            pair.map_or(String::new(), |_| name_of(self.basis())),
            nats(evidence.and_then(|edge| edge.removal)),
            number(evidence.and_then(|edge| edge.removal_spread)),
            nats(evidence.and_then(|edge| edge.reversal)),
            number(evidence.and_then(|edge| edge.reversal_spread)),
        ];
        fields.join(",") + "\n"
    }
}

const LINK_COLUMNS: &str = "from,to,in_best_graph,direction,linked,from_to,to_from,basis,removal_nats,removal_spread_nats,\
                            reversal_nats,reversal_spread_nats\n";

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

impl LocalScores {
    /// All families as CSV with the columns `child`, `parents` and `code_length_nats`; parents are a JSON list, so that any name can be
    /// read back.
    pub fn to_csv(&self) -> String {
        let line = |(family, length): (&Family, &Nats)| {
            let parents = quoted(&json!(parent_names(family, &self.names)).to_string());
            format!("{},{parents},{:?}\n", quoted(&self.names[family.child]), length.0)
        };
        "child,parents,code_length_nats\n".to_string() + &self.lengths.iter().map(line).collect::<String>()
    }
}
