//! A second opinion for code lengths that are not exact: probabilities after dividing all gaps by a temperature.

use crate::base::nats::Nats;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::{FamilyLengths, dag_length};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::CodeLengths;
    use crate::search::{Constraints, one_edge_away};

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
}
