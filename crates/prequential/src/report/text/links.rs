//! Which variables are linked and which way, for a reader at a terminal.

use std::fmt::Write;

use super::super::document::{Direction, GraphView, LearnedEdge, VariablePair};
use super::super::words::basis_in_words;
use crate::base::format::{plural, visible, visible_names};
use crate::base::nats::Nats;
use crate::posterior::PosteriorBasis;

/// The edges of the best graph and its near misses, with what is known of each.
pub(in crate::report) struct LinksText<'a> {
    pub(in crate::report) graph: &'a GraphView<'a>,
    /// What stands where a cost is not known.
    pub(in crate::report) unknown: &'a str,
    /// Why there are no probabilities.
    pub(in crate::report) no_posterior: Option<&'a str>,
}

impl LinksText<'_> {
    /// A line for every edge of the best graph, then for every near miss, and what the numbers are.
    pub(in crate::report) fn write(&self) -> String {
        let (linked, near) = (self.linked(), self.near_misses());
        let width = linked.iter().chain(&near).map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let line = |(name, line): &(String, String)| {
            format!("  {name:width$}  {line}").trim_end().to_string() + "\n"
        };
        let mut text = String::new();
        if !linked.is_empty() {
            let _ = writeln!(text, "  {:width$}  {}", "", self.headings());
        }
        text.extend(linked.iter().map(line));
        if !near.is_empty() {
            text += "Near misses, which the best graph does not link\n";
        }
        text.extend(near.iter().map(line));
        text + &self.notes()
    }

    fn headings(&self) -> String {
        let probabilities = if self.graph.pairs.is_some() { "linked      ->      <-  " } else { "" };
        let costs = if self.has_spreads() {
            "        removal costs         reversal costs"
        } else {
            "removal costs  reversal costs"
        };
        let effects = if self.has_effects() { "  strength  sign" } else { "" };
        format!("{probabilities}{costs}{effects}")
    }

    /// In the order of the effects.
    fn linked(&self) -> Vec<(String, String)> {
        let into = |child: usize| {
            let name = &self.graph.names[child];
            self.graph.edges.iter().filter(move |edge| edge.to == *name)
        };
        self.graph.dag.topological_order().into_iter().flat_map(into).map(|edge| self.link(edge)).collect()
    }

    /// An edge points as in the graph, or has no arrow where its direction is open.
    fn link(&self, edge: &LearnedEdge) -> (String, String) {
        let arrow = if edge.direction() == Direction::Open { "--" } else { "->" };
        let other_way = self.graph.other_way(edge).unwrap_or_default();
        let known = edge.probability.zip(edge.linked).zip(edge.basis);
        let numbers = known.map(|((this_way, linked), basis)| numbers(basis, [linked, this_way, other_way]));
        let line = format!("{}{}{}", numbers.unwrap_or_default(), self.costs(edge), self.effect(edge));
        (name(&edge.from, arrow, &edge.to), line)
    }

    fn near_misses(&self) -> Vec<(String, String)> {
        let line = |pair: &VariablePair| {
            let (from, to, forth, back, is_told) = pair.likelier();
            if is_told {
                (name(from, "->", to), numbers(pair.basis, [pair.linked, forth, back]))
            } else {
                let shown = numbers(pair.basis, [pair.linked, pair.a_to_b, pair.b_to_a]);
                (name(&pair.a, "--", &pair.b), shown)
            }
        };
        self.graph.near_misses().into_iter().map(line).collect()
    }

    /// Whether costs are known up to a spread over networks or row orders.
    fn has_spreads(&self) -> bool {
        self.graph.edges.iter().any(|edge| edge.removal_spread_nats.or(edge.reversal_spread_nats).is_some())
    }

    fn has_effects(&self) -> bool {
        self.graph.edges.iter().any(|edge| edge.strength.is_some() || edge.sign.is_some())
    }

    fn costs(&self, edge: &LearnedEdge) -> String {
        let without = if edge.required { "required" } else { self.unknown };
        let cost =
            |nats: Option<f64>, none: &str| nats.map_or(none.to_string(), |nats| format!("{:+}", Nats(nats)));
        let (removal, reversal) = (cost(edge.removal_nats, without), cost(edge.reversal_nats, self.unknown));
        if !self.has_spreads() {
            return format!("{removal:>13}  {reversal:>14}");
        }
        let spread = |sd: Option<f64>| sd.map_or(String::new(), |sd| format!("+- {sd:.1}"));
        let (of_removal, of_reversal) = (spread(edge.removal_spread_nats), spread(edge.reversal_spread_nats));
        format!("{removal:>11} {of_removal:<9}  {reversal:>11} {of_reversal:<9}")
    }

    /// How strong an edge is, and which way it acts.
    fn effect(&self, edge: &LearnedEdge) -> String {
        if !self.has_effects() {
            return String::new();
        }
        let strength = edge.strength.map_or("-".to_string(), |nats| format!("{nats:.3}"));
        format!("  {strength:>8}  {:>4}", edge.sign.map_or("", |sign| sign.symbol()))
    }

    /// What has no link, where probabilities lean the other way, and what the numbers are where they are no probabilities.
    fn notes(&self) -> String {
        let GraphView { names, dag, .. } = self.graph;
        let mut text = String::new();
        let is_linked = |node: usize| (0..names.len()).any(|other| dag.adjacent(node, other));
        let unlinked = (0..names.len()).filter(|&node| !is_linked(node));
        let unlinked: Vec<String> = unlinked.map(|node| visible(&names[node]).into_owned()).collect();
        if !unlinked.is_empty() {
            let what = plural(unlinked.len(), "variable");
            let _ = writeln!(text, "{what} without a link: {}", unlinked.join(", "));
        }
        let leaning = self.graph.leaning_other_way().map(|edge| name(&edge.from, "->", &edge.to));
        let leaning: Vec<String> = leaning.collect();
        if !leaning.is_empty() {
            let _ = writeln!(text, "Probabilities favour the other direction for {}", leaning.join(", "));
        }
        let basis = self.graph.pairs.and_then(|pairs| pairs.first()).map(|pair| pair.basis);
        if let Some(words) = basis.and_then(basis_in_words) {
            let _ = writeln!(text, "?: {words}.");
        }
        if let Some(reason) = self.no_posterior {
            let _ = writeln!(text, "(no probabilities: {reason})");
        }
        text
    }
}

/// Linked, this way, the other way.
fn numbers(basis: PosteriorBasis, probabilities: [f64; 3]) -> String {
    let [linked, forth, back] = probabilities.map(|probability| basis.shown(probability, 3));
    format!("{linked:>6}  {forth:>6}  {back:>6}  ")
}

fn name(from: &str, arrow: &str, to: &str) -> String {
    format!("{} {arrow} {}", visible(from), visible(to))
}

/// The graphs after the best, each as what it changes.
pub(in crate::report) fn runners_up_text(graph: &GraphView) -> String {
    let names = visible_names(&graph.names);
    let mut text = "Runners-up (excess in nats over the best graph)\n".to_string();
    for (rank, (dag, excess)) in graph.ranking.iter().enumerate().skip(1) {
        let excess = format!("{:+}", Nats(*excess));
        let changes = graph.dag.changes_in_words(dag, &names);
        let _ = writeln!(text, "  {:>2}. {excess:>9}  {changes}", rank + 1);
    }
    text
}
