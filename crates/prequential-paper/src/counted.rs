//! Counts of a child's labels for every combination of its parents' labels, in some rows of a table.

use std::ops::Range;

use prequential::{Family, Table, Values};

/// Counts of one family in some rows.
pub(crate) struct Counted<'a> {
    n_levels: usize,
    of_child: &'a [u32],
    /// How many levels each has, and its labels.
    parents: Vec<(usize, &'a [u32])>,
    /// `[combination][level of the child]`.
    counts: Vec<f64>,
}

impl<'a> Counted<'a> {
    /// # Panics
    /// If a variable of the family is a number.
    pub(crate) fn new(table: &'a Table, family: &Family, rows: Range<usize>) -> Counted<'a> {
        let column = |node: usize| match &table.variables()[node].values {
            Values::Labels { levels, codes } => (levels.len(), &codes[..]),
            Values::Numbers(_) => panic!("numbers are not counted"),
        };
        let (n_levels, of_child) = column(family.child);
        let parents: Vec<_> = family.parents.iter().map(column).collect();
        let n_combinations: usize = parents.iter().map(|(n_levels, _)| n_levels).product();
        let mut counted =
            Counted { n_levels, of_child, parents, counts: vec![0.0; n_combinations * n_levels] };
        counted.add(rows);
        counted
    }

    /// Counts further rows.
    pub(crate) fn add(&mut self, rows: Range<usize>) {
        for row in rows {
            let mut combination = 0;
            for (n_levels, codes) in &self.parents {
                combination = combination * n_levels + codes[row] as usize;
            }
            self.counts[combination * self.n_levels + self.of_child[row] as usize] += 1.0;
        }
    }

    /// Free probabilities.
    pub(crate) fn n_parameters(&self) -> usize {
        self.counts.len() / self.n_levels * (self.n_levels - 1)
    }

    /// The negative maximum log-likelihood of its own rows, in nats.
    pub(crate) fn least_loss(&self) -> f64 {
        self.loss_of(self, 0.0)
    }

    /// The loss of the rows of `others` under these counts, with `alpha` added to every count, in nats.
    pub(crate) fn loss_of(&self, others: &Counted, alpha: f64) -> f64 {
        let rows = self.counts.chunks_exact(self.n_levels).zip(others.counts.chunks_exact(self.n_levels));
        let of_combination = |(known, seen): (&[f64], &[f64])| -> f64 {
            let all: f64 = known.iter().map(|count| count + alpha).sum();
            let nats = |(count, times): (&f64, &f64)| times * (all / (count + alpha)).ln();
            known.iter().zip(seen).filter(|(_, times)| **times > 0.0).map(nats).sum()
        };
        rows.map(of_combination).sum()
    }
}

#[cfg(test)]
mod tests {
    use prequential::{NodeSet, Variable};

    use super::*;

    #[test]
    fn losses_are_those_of_counting_by_hand() {
        let label = |name: &str, codes: Vec<u32>| Variable {
            name: name.into(),
            values: Values::Labels { levels: vec!["no".into(), "yes".into()], codes },
            intervened: None,
        };
        let table =
            Table::new(vec![label("x", [0, 0, 0, 1, 1].repeat(2)), label("y", [1, 1, 0, 0, 0].repeat(2))])
                .unwrap();
        let family = Family::new(1, NodeSet::from_bits(1));
        let (first, all) = (Counted::new(&table, &family, 0..3), Counted::new(&table, &family, 0..5));
        assert_eq!(all.n_parameters(), 2);
        let least = 2.0 * 1.5f64.ln() + 3f64.ln();
        assert!((all.least_loss() - least).abs() < 1e-12, "{}", all.least_loss());
        // Two of y for x = yes, of which nothing was seen, and the three that were.
        let loss = 2.0 * (4.0 / 2.5f64).ln() + (4.0 / 1.5f64).ln() + 2.0 * 2f64.ln();
        assert!((first.loss_of(&all, 0.5) - loss).abs() < 1e-12);
    }
}
