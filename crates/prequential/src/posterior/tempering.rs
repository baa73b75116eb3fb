//! A second opinion for code lengths that are not exact: probabilities after dividing all gaps by a temperature.

use crate::base::nats::Nats;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::{FamilyLengths, dag_length};
use crate::search::Constraints;

/// Code lengths divided by a temperature: a graph of code length L then has weight e^(-L / temperature).
///
/// ```
/// use prequential::internals::{CodeLengths, Tempered, by_enumeration, exhaustive};
/// use prequential::{Constraints, Family, Nats, NodeSet};
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
/// What matters is the spread of differences: repeats share random numbers, and what moves all graphs moves no probability. The
/// alternatives should be the runners-up of the ranking, or the visited graphs next to the best: gaps to distant graphs vary more
/// and decide nothing. `None` with fewer than two repeats, or without an alternative whose families all are scored in each.
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

/// What to divide gaps by, if each is known up to a normal error of standard deviation `spread`: √(1 + π spread² / 8).
///
/// Odds of e^gap to 1 mean a probability of 1 / (1 + e^-gap); its mean over the error is about 1 / (1 + e^(-gap / T)) with
/// this T (MacKay 1992). Example `calibration` compares it with other choices.
pub fn temperature(spread: Nats) -> f64 {
    (1.0 + std::f64::consts::PI / 8.0 * spread.0.powi(2)).sqrt()
}

/// The `k` graphs of shortest code among those that differ from `dag` by one edge added, removed or reversed, best first: they
/// stand in for runners-up where none are known.
///
/// Only graphs that `constraints` allow and whose families are scored count; ties go to the lower node numbers.
pub fn one_edge_away(
    dag: &Dag,
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    k: usize,
) -> Vec<Dag> {
    let n_nodes = dag.n_nodes();
    let pairs = (0..n_nodes).flat_map(|from| (0..n_nodes).map(move |to| (from, to)));
    let change = |(from, to): (usize, usize)| match (dag.has_edge(from, to), dag.has_edge(to, from)) {
        (true, _) => Some(dag.without_edge(from, to)),
        (_, true) => dag.without_edge(to, from).with_edge(from, to).ok(),
        _ => dag.with_edge(from, to).ok().filter(|_| from != to),
    };
    let allowed = pairs.filter_map(change).filter(|dag| constraints.allow(dag));
    let mut changed: Vec<(Nats, Dag)> =
        allowed.filter_map(|dag| Some((dag_length(lengths, &dag)?, dag))).collect();
    changed.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    changed.into_iter().map(|(_, dag)| dag).take(k).collect()
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

    fn changes(lengths: &CodeLengths) -> Vec<Dag> {
        one_edge_away(&Dag::empty(2), lengths, &Constraints::none(2), 10)
    }

    #[test]
    fn what_moves_all_graphs_does_not_count_as_spread() {
        let repeats = [lengths([10.0, 20.0], [8.0, 18.0]), lengths([110.0, 20.0], [108.0, 18.0])];
        let alternatives = changes(&repeats[0]);
        assert_eq!(alternatives.len(), 2);
        assert_eq!(spread_of_gaps(&Dag::empty(2), &alternatives, &repeats), Some(Nats(0.0)));
    }

    #[test]
    fn spread_is_pooled_over_alternatives() {
        // Gaps of 0 -> 1: -2 and 4 (variance 18); of 1 -> 0: -2 and -2.
        let repeats = [lengths([10.0, 20.0], [8.0, 18.0]), lengths([10.0, 20.0], [8.0, 24.0])];
        let alternatives = changes(&repeats[0]);
        assert_eq!(spread_of_gaps(&Dag::empty(2), &alternatives, &repeats), Some(Nats(3.0)));
    }

    #[test]
    fn there_is_no_spread_without_repeats_or_alternatives() {
        let one = [lengths([10.0, 20.0], [8.0, 18.0])];
        assert_eq!(spread_of_gaps(&Dag::empty(2), &changes(&one[0]), &one), None);
        let two = [one[0].clone(), one[0].clone()];
        assert_eq!(spread_of_gaps(&Dag::empty(2), &[Dag::empty(2)], &two), None);
    }

    #[test]
    fn gaps_without_spread_are_not_divided() {
        assert_eq!(temperature(Nats(0.0)), 1.0);
        assert!((temperature(Nats(100.0)) - 62.67).abs() < 0.01);
    }

    #[test]
    fn one_edge_is_added_removed_or_reversed_without_a_cycle() {
        let dag = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        // The more parents have high numbers, the longer the code.
        let mut lengths = CodeLengths::new(3, 2);
        for family in Constraints::none(3).families() {
            let length = family.parents.iter().map(|parent| 10f64.powi(parent as i32)).sum();
            lengths.set(&family, Nats(length));
        }
        let edges = |constraints: &Constraints, k| -> Vec<Vec<(usize, usize)>> {
            let found = one_edge_away(&dag, &lengths, constraints, k);
            found
                .iter()
                .map(Dag::edges)
                .map(|mut edges| {
                    edges.sort();
                    edges
                })
                .collect()
        };
        let expected = [
            vec![(0, 1)],
            vec![(1, 2)],
            vec![(0, 1), (0, 2), (1, 2)],
            vec![(1, 0), (1, 2)],
            vec![(0, 1), (2, 1)],
        ];
        assert_eq!(edges(&Constraints::none(3), 10), expected);
        assert_eq!(edges(&Constraints::none(3), 2), expected[..2]);
        assert_eq!(edges(&Constraints::none(3).with_max_parents(1), 10).len(), 3);
    }
}
