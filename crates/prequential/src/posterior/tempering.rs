//! A second opinion for code lengths that are not exact: probabilities after dividing all gaps by a temperature.

use crate::graph::{Dag, Family, NodeSet};
use crate::nats::Nats;
use crate::score::{FamilyLengths, dag_length};
use crate::search::Constraints;

/// Code lengths divided by a temperature: a graph of code length L then has weight e^(-L / temperature).
///
/// ```
/// use prequential::{CodeLengths, Constraints, Family, Nats, NodeSet, Tempered, by_enumeration, exhaustive};
/// let mut lengths = CodeLengths::new(2, 1);
/// for (child, alone, given_other) in [(0, 50.0, 40.0), (1, 60.0, 52.0)] {
///     lengths.set(&Family::new(child, NodeSet::new()), Nats(alone));
///     lengths.set(&Family::new(child, NodeSet::single(1 - child)), Nats(given_other));
/// }
/// let edge = |temperature| {
///     let tempered = Tempered { lengths: &lengths, temperature };
///     Ok::<f64, prequential::Error>(by_enumeration(&exhaustive(&tempered, &Constraints::none(2))?).edge_probability(1, 0))
/// };
/// assert!(edge(1.0)? > 0.88 && edge(10.0)? < 0.5);
/// # Ok::<(), prequential::Error>(())
/// ```
pub struct Tempered<'a> {
    /// The code lengths as they are.
    pub lengths: &'a dyn FamilyLengths,
    /// What they are divided by.
    pub temperature: f64,
}

impl FamilyLengths for Tempered<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).map(|length| Nats(length.0 / self.temperature))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let temperature = self.temperature;
        self.lengths.for_each(child, &mut |parents, length| visit(parents, Nats(length.0 / temperature)));
    }
}

/// By how much the gaps between `best` and `alternatives` vary over repeats: the standard deviation of a gap, pooled over the
/// alternatives.
///
/// What matters is the spread of differences: repeats share random numbers, and what moves all graphs moves no probability.
/// `None` with fewer than two repeats, or without an alternative whose families all are scored in each.
pub fn spread_of_gaps<L: FamilyLengths>(best: &Dag, alternatives: &[Dag], repeats: &[L]) -> Option<Nats> {
    if repeats.len() < 2 {
        return None;
    }
    let gaps = |dag: &Dag| -> Option<Vec<f64>> {
        repeats
            .iter()
            .map(|lengths| Some((dag_length(lengths, dag)? - dag_length(lengths, best)?).0))
            .collect()
    };
    let variances: Vec<f64> =
        alternatives.iter().filter(|&dag| dag != best).filter_map(gaps).map(variance).collect();
    let mean = variances.iter().sum::<f64>() / variances.len() as f64;
    (!variances.is_empty()).then(|| Nats(mean.sqrt()))
}

/// Of a sample: divided by one less than its size.
fn variance(values: Vec<f64>) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

/// What to divide gaps by if each is only known up to a normal error of standard deviation `spread`.
pub fn temperature(spread: Nats) -> f64 {
    spread.0.max(1.0)
}

/// The graphs that differ from `dag` by one edge added, removed or reversed, of those that `constraints` allow.
pub fn one_edge_away(dag: &Dag, constraints: &Constraints) -> Vec<Dag> {
    let n_nodes = dag.n_nodes();
    let pairs = (0..n_nodes).flat_map(|from| (0..n_nodes).map(move |to| (from, to)));
    let change = |(from, to): (usize, usize)| match (dag.has_edge(from, to), dag.has_edge(to, from)) {
        (true, _) => Some(dag.without_edge(from, to)),
        (_, true) => dag.without_edge(to, from).with_edge(from, to).ok(),
        _ => dag.with_edge(from, to).ok().filter(|_| from != to),
    };
    pairs.filter_map(change).filter(|dag| constraints.allow(dag)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::CodeLengths;

    fn lengths(alone: [f64; 2], given_other: [f64; 2]) -> CodeLengths {
        let mut lengths = CodeLengths::new(2, 1);
        for child in 0..2 {
            lengths.set(&Family::new(child, NodeSet::new()), Nats(alone[child]));
            lengths.set(&Family::new(child, NodeSet::single(1 - child)), Nats(given_other[child]));
        }
        lengths
    }

    #[test]
    fn what_moves_all_graphs_does_not_count_as_spread() {
        let repeats = [lengths([10.0, 20.0], [8.0, 18.0]), lengths([110.0, 20.0], [108.0, 18.0])];
        let alternatives = one_edge_away(&Dag::empty(2), &Constraints::none(2));
        assert_eq!(alternatives.len(), 2);
        assert_eq!(spread_of_gaps(&Dag::empty(2), &alternatives, &repeats), Some(Nats(0.0)));
        assert_eq!(temperature(Nats(0.0)), 1.0);
    }

    #[test]
    fn spread_is_pooled_over_alternatives() {
        // Gaps of 0 -> 1: -2 and 4 (variance 18); of 1 -> 0: -2 and -2.
        let repeats = [lengths([10.0, 20.0], [8.0, 18.0]), lengths([10.0, 20.0], [8.0, 24.0])];
        let alternatives = one_edge_away(&Dag::empty(2), &Constraints::none(2));
        assert_eq!(spread_of_gaps(&Dag::empty(2), &alternatives, &repeats), Some(Nats(3.0)));
    }

    #[test]
    fn there_is_no_spread_without_repeats_or_alternatives() {
        let one = [lengths([10.0, 20.0], [8.0, 18.0])];
        let alternatives = one_edge_away(&Dag::empty(2), &Constraints::none(2));
        assert_eq!(spread_of_gaps(&Dag::empty(2), &alternatives, &one), None);
        let two = [one[0].clone(), one[0].clone()];
        assert_eq!(spread_of_gaps(&Dag::empty(2), &[Dag::empty(2)], &two), None);
    }

    #[test]
    fn one_edge_is_added_removed_or_reversed_without_a_cycle() {
        let dag = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let mut found: Vec<Vec<(usize, usize)>> =
            one_edge_away(&dag, &Constraints::none(3)).iter().map(Dag::edges).collect();
        found.iter_mut().for_each(|edges| edges.sort());
        found.sort();
        let expected = [
            vec![(0, 1)],
            vec![(0, 1), (0, 2), (1, 2)],
            vec![(0, 1), (2, 1)],
            vec![(1, 0), (1, 2)],
            vec![(1, 2)],
        ];
        assert_eq!(found, expected);
        assert_eq!(one_edge_away(&dag, &Constraints::none(3).with_max_parents(1)).len(), 3);
    }
}
