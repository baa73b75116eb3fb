//! Pairs of variables: the probability of a link and of each direction.

use serde::{Deserialize, Serialize};

use super::EdgeProbabilities;

/// A direction counts as oriented if it has at least this share of the link's probability.
const MIN_ORIENTED: f64 = 0.8;

/// The graphs over which a probability sums; it is shown with every probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PosteriorBasis {
    /// All graphs of the scored families.
    AllGraphs,
    /// The graphs that a search visited: the numbers are shares of these, not probabilities.
    GraphsLookedAt,
    /// The families that were scored before the run was stopped.
    StoppedRun,
}

impl PosteriorBasis {
    /// Whether a number is a probability: only if all graphs were summed over.
    pub fn what(self) -> &'static str {
        match self {
            PosteriorBasis::AllGraphs => "probability",
            PosteriorBasis::GraphsLookedAt => "share of the graphs looked at",
            PosteriorBasis::StoppedRun => "share in a stopped run",
        }
    }

    /// The number with this many digits, and a question mark if it is not a probability.
    pub fn shown(self, probability: f64, digits: usize) -> String {
        let mark = if self == PosteriorBasis::AllGraphs { "" } else { "?" };
        format!("{probability:.digits$}{mark}")
    }
}

/// The probabilities of a link between two variables, and of each direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairProbability {
    /// The variable with the lower number.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// The probability of an edge between them, in either direction.
    pub linked: f64,
    /// The probability of `a -> b`.
    pub a_to_b: f64,
    /// The probability of `b -> a`.
    pub b_to_a: f64,
}

impl PairProbability {
    /// (cause, effect); `None` if neither direction has four fifths of the link's probability: then the
    /// direction is open.
    pub fn direction(&self) -> Option<(usize, usize)> {
        if is_oriented(self.a_to_b, self.linked) {
            return Some((self.a, self.b));
        }
        is_oriented(self.b_to_a, self.linked).then_some((self.b, self.a))
    }
}

/// Whether a direction with this probability counts as oriented, given the probability of the link.
pub(crate) fn is_oriented(direction: f64, linked: f64) -> bool {
    direction > 0.0 && direction >= MIN_ORIENTED * linked
}

impl EdgeProbabilities {
    /// The pair of two variables, in either order.
    pub fn pair(&self, one: usize, other: usize) -> PairProbability {
        let (a, b) = (one.min(other), one.max(other));
        let (a_to_b, b_to_a) = (self.edge_probability(a, b), self.edge_probability(b, a));
        // Both are rounded sums over graphs: a link must not exceed 1.
        PairProbability { a, b, linked: (a_to_b + b_to_a).min(1.0), a_to_b, b_to_a }
    }

    /// All pairs of variables, the one with the lower number first.
    pub fn pairs(&self) -> impl Iterator<Item = PairProbability> {
        let n_vars = self.n_vars();
        (0..n_vars).flat_map(move |a| (a + 1..n_vars).map(move |b| self.pair(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PosteriorMethod;
    use super::*;

    #[test]
    fn a_direction_is_open_unless_most_of_the_link_is_on_its_side() {
        let probability = vec![vec![0.0, 0.75, 0.1], vec![0.24, 0.0, 0.0], vec![0.5, 0.0, 0.0]];
        let pairs: Vec<PairProbability> =
            EdgeProbabilities::new(PosteriorMethod::Layers, probability).pairs().collect();
        assert_eq!(pairs.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
        assert!((pairs[0].linked - 0.99).abs() < 1e-12);
        let directions: Vec<_> = pairs.iter().map(PairProbability::direction).collect();
        assert_eq!(directions, [None, Some((2, 0)), None]);
    }
}
