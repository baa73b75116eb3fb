//! Which variables are linked and which way, for a reader at a terminal.

use std::fmt::Write;

use super::super::{MAX_NEAR_MISSES, MIN_NEAR_MISS};
use crate::base::format::plural;
use crate::base::nats::Nats;
use crate::posterior::{EdgeEvidence, EdgeProbabilities, PairProbability, PosteriorBasis};
use crate::run::Answer;

/// The links of an answer and its near misses, with what is known of each.
pub(super) struct Links<'a> {
    pub(super) answer: &'a Answer,
    pub(super) names: &'a [String],
    pub(super) probabilities: Option<&'a EdgeProbabilities>,
    /// What these were summed over.
    pub(super) basis: PosteriorBasis,
    /// What stands where a cost is not known.
    pub(super) unknown: &'a str,
    /// How strong each edge is and which way it acts, in the order of the evidence; empty where that is not known.
    pub(super) effects: &'a [String],
}

impl Links<'_> {
    /// A line for every link of the best graph, then for every near miss, and what the numbers are.
    pub(super) fn to_text(&self) -> String {
        let (linked, near) = (self.linked(), self.near_misses());
        let names = linked.iter().map(|(name, _)| name).chain(near.iter().map(|(name, _)| name));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        if !linked.is_empty() {
            let _ = writeln!(text, "  {:width$}  {}", "", self.headings());
        }
        let lines = |of: &[(String, String)]| -> String {
            let line =
                |(name, line): &(String, String)| format!("  {name:width$}  {line}").trim_end().to_string();
            of.iter().map(|one| line(one) + "\n").collect()
        };
        text += &lines(&linked);
        if !near.is_empty() {
            text += &format!("Near misses, which the best graph does not link\n{}", lines(&near));
        }
        text + &self.notes()
    }

    fn headings(&self) -> String {
        let probabilities = if self.probabilities.is_some() { "linked      ->      <-  " } else { "" };
        let costs = if self.has_spreads() {
            "        removal costs         reversal costs"
        } else {
            "removal costs  reversal costs"
        };
        let effects = if self.effects.is_empty() { "" } else { "  strength  sign" };
        format!("{probabilities}{costs}{effects}")
    }

    /// In the order of the effects.
    fn linked(&self) -> Vec<(String, String)> {
        let edges = |node: usize| self.answer.evidence.iter().filter(move |edge| edge.to == node);
        let order = self.answer.dag.topological_order();
        order.into_iter().flat_map(edges).map(|edge| self.link(edge)).collect()
    }

    fn link(&self, edge: &EdgeEvidence) -> (String, String) {
        let pair = self.probabilities.map(|all| all.pair(edge.from, edge.to));
        let name = match pair.map(|pair| pair.direction()) {
            Some(Some((from, to))) => self.name(from, "->", to),
            Some(None) => self.name(edge.from, "--", edge.to),
            None => self.name(edge.from, "->", edge.to),
        };
        let turned = pair.and_then(|pair| pair.direction()) == Some((edge.to, edge.from));
        let (from, to) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let numbers = pair.map(|pair| self.numbers(&pair, from, to)).unwrap_or_default();
        let place =
            self.answer.evidence.iter().position(|other| (other.from, other.to) == (edge.from, edge.to));
        let effect = place.and_then(|place| self.effects.get(place)).map_or("", String::as_str);
        (name, format!("{numbers}{}{effect}", self.costs(edge)))
    }

    fn near_misses(&self) -> Vec<(String, String)> {
        let dag = &self.answer.dag;
        let is_near = |pair: &PairProbability| {
            pair.linked >= MIN_NEAR_MISS && !dag.has_edge(pair.a, pair.b) && !dag.has_edge(pair.b, pair.a)
        };
        let mut near: Vec<PairProbability> =
            self.probabilities.into_iter().flat_map(EdgeProbabilities::pairs).filter(is_near).collect();
        near.sort_by(|one, other| other.linked.total_cmp(&one.linked));
        near.truncate(MAX_NEAR_MISSES);
        let line = |pair: PairProbability| {
            let arrow = if pair.direction().is_some() { "->" } else { "--" };
            let (from, to) = pair.direction().unwrap_or((pair.a, pair.b));
            (self.name(from, arrow, to), self.numbers(&pair, from, to))
        };
        near.into_iter().map(line).collect()
    }

    fn name(&self, from: usize, arrow: &str, to: usize) -> String {
        format!("{} {arrow} {}", self.names[from], self.names[to])
    }

    /// Linked, this way, the other way.
    fn numbers(&self, pair: &PairProbability, from: usize, to: usize) -> String {
        let (forth, back) = if (from, to) == (pair.a, pair.b) {
            (pair.a_to_b, pair.b_to_a)
        } else {
            (pair.b_to_a, pair.a_to_b)
        };
        let shown = |probability: f64| self.basis.shown(probability, 3);
        format!("{:>6}  {:>6}  {:>6}  ", shown(pair.linked), shown(forth), shown(back))
    }

    /// Whether costs are known up to a spread over networks or row orders.
    fn has_spreads(&self) -> bool {
        self.answer.evidence.iter().any(|edge| edge.removal_spread.or(edge.reversal_spread).is_some())
    }

    fn costs(&self, edge: &EdgeEvidence) -> String {
        let without = if edge.is_required { "required" } else { self.unknown };
        let cost = |cost: Option<Nats>, none: &str| cost.map_or(none.to_string(), |cost| format!("{cost:+}"));
        let (removal, reversal) = (cost(edge.removal, without), cost(edge.reversal, self.unknown));
        if !self.has_spreads() {
            return format!("{removal:>13}  {reversal:>14}");
        }
        let spread = |sd: Option<f64>| sd.map_or(String::new(), |sd| format!("+- {sd:.1}"));
        let (of_removal, of_reversal) = (spread(edge.removal_spread), spread(edge.reversal_spread));
        format!("{removal:>11} {of_removal:<9}  {reversal:>11} {of_reversal:<9}")
    }

    /// What has no link, and what the numbers are where they are no probabilities.
    fn notes(&self) -> String {
        let mut text = String::new();
        let dag = &self.answer.dag;
        let is_alone = |&node: &usize| {
            dag.parents(node).is_empty() && !(0..dag.n_nodes()).any(|other| dag.has_edge(node, other))
        };
        let alone: Vec<&str> =
            (0..dag.n_nodes()).filter(is_alone).map(|node| self.names[node].as_str()).collect();
        if !alone.is_empty() {
            let _ =
                writeln!(text, "{} without a link: {}", plural(alone.len(), "variable"), alone.join(", "));
        }
        if self.probabilities.is_some() {
            let sentence = match self.basis {
                PosteriorBasis::AllGraphs => return text,
                PosteriorBasis::GraphsLookedAt => {
                    "?: shares of the graphs that the search looked at, and no probabilities; a search without proof may have missed better ones."
                }
                PosteriorBasis::StoppedRun => {
                    "?: from what was scored and searched before the run was stopped, and no probabilities."
                }
            };
            let _ = writeln!(text, "{sentence}");
        }
        if let Some(reason) = &self.answer.no_posterior {
            let _ = writeln!(text, "(no probabilities: {reason})");
        }
        text
    }
}
