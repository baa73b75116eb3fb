//! The weight of a graph: a tempered code length and a prior over parent sets.

use super::EdgeProbabilities;
use crate::base::nats::Nats;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// The temperature of links: code-length differences are divided by it.
///
/// Raw code lengths are overconfident, about directions more than about links: the dependence on a parent is
/// seen by every expert, but the direction depends on the form of the conditionals, which every expert only
/// approximates. These numbers were chosen on tables of five kinds, and `make calibration` evaluates them on
/// others.
pub const LINK_TEMPERATURE: f64 = 1.5;

/// The temperature of directions: the cost of misspecification grows with the rows, so this does too.
pub fn direction_temperature(n_rows: usize) -> f64 {
    (0.6 * (n_rows as f64).cbrt()).max(LINK_TEMPERATURE)
}

/// The prior cost of every parent, in nats: tempering makes useless parents cheaper, and this compensates for
/// it.
const EDGE_NATS: f64 = 0.5;

/// Code lengths divided by a temperature, and longer by ln C(n, k) + k / 2 for k of the n variables that may
/// be parents.
///
/// The binomial coefficient makes all sets of one size together as likely a priori as one set (Friedman and
/// Koller 2003). Without it, useless large sets would get weight by their number alone. A constant column
/// cannot be a parent and changes nothing.
///
/// ```
/// use prequential::internals::{CodeLengths, FamilyLengths, TemperedLengths};
/// use prequential::{Constraints, Family, Nats, NodeSet};
/// let mut lengths = CodeLengths::new(4, 1);
/// let family = Family::new(0, NodeSet::single(2));
/// lengths.set(&family, Nats(30.0));
/// let tempered = TemperedLengths { lengths: &lengths, constraints: &Constraints::none(4), edge_prior_nats: 0.0, temperature: 3.0 };
/// assert_eq!(tempered.code_length(&family), Some(Nats(10.0 + (3f64.ln() + 0.5))));
/// ```
pub struct TemperedLengths<'a> {
    /// The raw code lengths.
    pub lengths: &'a dyn FamilyLengths,
    /// Which parents are allowed.
    pub constraints: &'a Constraints,
    /// The structure prior within the code lengths, which this prior replaces.
    pub edge_prior_nats: f64,
    /// The temperature.
    pub temperature: f64,
}

impl TemperedLengths<'_> {
    fn temper(&self, child: usize, parents: &NodeSet, length: Nats) -> Nats {
        let data_nats = length.0 - self.edge_prior_nats * parents.len() as f64;
        Nats(data_nats / self.temperature + prior_nats(self.constraints, child, parents))
    }
}

impl FamilyLengths for TemperedLengths<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).map(|length| self.temper(family.child, &family.parents, length))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths
            .for_each(child, &mut |parents, length| visit(parents, self.temper(child, parents, length)));
    }
}

/// Tempers the code lengths of whole graphs.
pub fn temper_graphs(
    graphs: impl IntoIterator<Item = (Dag, Nats)>,
    constraints: &Constraints,
    edge_prior_nats: f64,
    temperature: f64,
) -> impl Iterator<Item = (Dag, Nats)> {
    let prior = |dag: &Dag| -> f64 {
        dag.families().map(|family| prior_nats(constraints, family.child, &family.parents)).sum()
    };
    graphs.into_iter().map(move |(dag, length)| {
        let data_nats = length.0 - edge_prior_nats * dag.n_edges() as f64;
        let tempered = Nats(data_nats / temperature + prior(&dag));
        (dag, tempered)
    })
}

/// The prior cost of these parents.
fn prior_nats(constraints: &Constraints, child: usize, parents: &NodeSet) -> f64 {
    ln_choose(constraints.allowed(child).len(), parents.len()) + EDGE_NATS * parents.len() as f64
}

/// ln C(n, k).
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

/// Probabilities of links from the first, divided between directions as in the second.
pub fn links_and_directions(links: &EdgeProbabilities, directions: &EdgeProbabilities) -> EdgeProbabilities {
    let oriented = |from: usize, to: usize| {
        let (forth, back) = (directions.edge_probability(from, to), directions.edge_probability(to, from));
        let share = if forth + back > 0.0 { forth / (forth + back) } else { 0.5 };
        if from == to { 0.0 } else { links.pair(from, to).linked * share }
    };
    let n_vars = links.n_vars();
    let row = |from: usize| (0..n_vars).map(|to| oriented(from, to)).collect();
    EdgeProbabilities::new(links.method, (0..n_vars).map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::super::PosteriorMethod;
    use super::*;
    use crate::score::{CodeLengths, dag_length};

    #[test]
    fn directions_are_held_back_more_than_links_and_the_more_the_more_rows() {
        assert!((direction_temperature(1_000) - 6.0).abs() < 1e-9);
        assert!(direction_temperature(8_000) > 11.9);
        assert_eq!(direction_temperature(2), LINK_TEMPERATURE);
    }

    #[test]
    fn the_number_of_sets_is_that_of_the_textbooks() {
        assert_eq!(ln_choose(4, 0), 0.0);
        assert!((ln_choose(10, 3) - 120f64.ln()).abs() < 1e-12);
        assert!(ln_choose(7, 7).abs() < 1e-12);
    }

    #[test]
    fn a_graph_weighs_what_its_families_weigh() {
        let mut lengths = CodeLengths::new(3, 2);
        for child in 0..3usize {
            for set in (0..8usize).filter(|set| set >> child & 1 == 0) {
                lengths
                    .set(&Family::new(child, NodeSet::from_bits(set as u64)), Nats((7 * set + child) as f64));
            }
        }
        let dag = Dag::from_edges(3, [(0, 2), (1, 2), (0, 1)]).unwrap();
        let whole = dag_length(&lengths, &dag).unwrap();
        let constraints = &Constraints::none(3);
        let tempered =
            TemperedLengths { lengths: &lengths, constraints, edge_prior_nats: 0.7, temperature: 2.0 };
        let by_families = dag_length(&tempered, &dag).unwrap();
        let (_, by_graph) = temper_graphs([(dag, whole)], constraints, 0.7, 2.0).next().unwrap();
        assert!((by_families - by_graph).0.abs() < 1e-12);
        assert!((by_graph.0 - (whole.0 - 3.0 * 0.7) / 2.0 - (2f64.ln() + 3.0 * EDGE_NATS)).abs() < 1e-12);
    }

    #[test]
    fn links_come_from_the_one_and_directions_from_the_other() {
        let oriented = |a_to_b: f64, b_to_a: f64| {
            EdgeProbabilities::new(PosteriorMethod::Layers, vec![vec![0.0, a_to_b], vec![b_to_a, 0.0]])
        };
        let both = links_and_directions(&oriented(0.9, 0.05), &oriented(0.6, 0.2)).pair(0, 1);
        assert!((both.linked - 0.95).abs() < 1e-12 && (both.a_to_b - 0.95 * 0.75).abs() < 1e-12);
        assert_eq!(links_and_directions(&oriented(0.0, 0.0), &oriented(0.0, 0.0)).pair(0, 1).linked, 0.0);
    }
}
