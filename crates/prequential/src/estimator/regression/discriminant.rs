//! Linear and quadratic discriminant analysis (Fisher 1936): labels by Bayes' rule from normal distributions of the parents.

use std::ops::Range;

use crate::base::cholesky::Cholesky;
use crate::estimator::ParentInputs;

/// The prior weight, in rows, of the overall mean for each label's mean.
const N_OF_MEAN: f64 = 0.3;

/// Rows of variance 1 before any.
const N_BEFORE: f64 = 2.0;

/// The prior weight, in degrees of freedom, of the shared variance for each label's variance.
const N_OF_SHARED: f64 = 6.0;

/// Whether labels share the covariance of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variances {
    /// Shared: logits are linear (LDA).
    Shared,
    /// Logits are then quadratic, and shrunk towards the linear ones while there are few rows.
    Own,
}

/// Predicts a label by the likelihood of the parents given each label; means and variances are integrated
/// out, which gives Student's distributions.
#[derive(Debug)]
pub(super) struct Discriminant {
    variances: Variances,
    /// Coordinates that are numbers.
    numbers: Vec<usize>,
    /// Coordinates of which at most one is not 0.
    labels: Vec<Range<usize>>,
    /// Per label of the child.
    moments: Vec<GaussianMoments>,
    likelihoods: Vec<Likelihood>,
}

/// The sufficient statistics of one label.
#[derive(Debug, Clone)]
struct GaussianMoments {
    n_rows: f64,
    /// Of the numbers.
    sums: Vec<f64>,
    /// `[number][number]`.
    products: Vec<f64>,
    /// Of every coordinate, rows in which it is not 0.
    counts: Vec<f64>,
}

/// The likelihood of the parents given one label.
#[derive(Debug, Clone)]
struct Likelihood {
    /// The part that does not depend on the row.
    log_height: f64,
    means: Vec<f64>,
    /// Of the scale.
    factor: Cholesky,
    dof: f64,
    /// Of every coordinate of a label.
    log_shares: Vec<f64>,
}

impl Discriminant {
    /// Before any row; `None` if no parent is a number.
    pub(super) fn new(inputs: &ParentInputs, n_levels: usize, variances: Variances) -> Option<Discriminant> {
        let parts = || inputs.parts().iter();
        let numbers: Vec<usize> =
            parts().filter(|part| part.is_number).map(|part| part.range.start).collect();
        let labels = parts().map(|part| part.range.start + usize::from(part.is_number)..part.range.end);
        let none = GaussianMoments {
            n_rows: 0.0,
            sums: vec![0.0; numbers.len()],
            products: vec![0.0; numbers.len() * numbers.len()],
            counts: vec![0.0; inputs.width()],
        };
        let labels = labels.filter(|range| !range.is_empty()).collect();
        let mut discriminant = Discriminant {
            variances,
            numbers,
            labels,
            moments: vec![none; n_levels],
            likelihoods: Vec::new(),
        };
        discriminant.fit();
        (!discriminant.numbers.is_empty()).then_some(discriminant)
    }

    /// Learns from `rows`, whose labels are known.
    pub(super) fn learn(&mut self, inputs: &ParentInputs, rows: Range<usize>, codes: &[u32]) {
        for row in rows {
            self.moments[codes[row] as usize].add(inputs.row(row), &self.numbers);
        }
        self.fit();
    }

    /// Resets to before any row.
    pub(super) fn forget(&mut self) {
        for moments in &mut self.moments {
            moments.n_rows = 0.0;
            [&mut moments.sums, &mut moments.products, &mut moments.counts]
                .into_iter()
                .for_each(|sums| sums.fill(0.0));
        }
    }

    /// Writes the probability of every label.
    pub(super) fn predict(&self, coordinates: &[f64], probabilities: &mut [f64]) {
        let mut whitened = vec![0.0; self.numbers.len()];
        for (probability, likelihood) in probabilities.iter_mut().zip(&self.likelihoods) {
            *probability = likelihood.log_density(coordinates, &self.numbers, &mut whitened);
            let labels = self.labels.iter().flat_map(|range| range.clone());
            *probability += labels
                .filter(|&coordinate| coordinates[coordinate] != 0.0)
                .map(|coordinate| likelihood.log_shares[coordinate])
                .sum::<f64>();
        }
        let most = probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        probabilities.iter_mut().for_each(|log| *log = (*log - most).exp());
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
    }

    fn fit(&mut self) {
        let n_rows: f64 = self.moments.iter().map(|moments| moments.n_rows).sum();
        let sum = |number: usize| self.moments.iter().map(|moments| moments.sums[number]).sum::<f64>();
        let mean: Vec<f64> = (0..self.numbers.len()).map(|number| sum(number) / (n_rows + 1.0)).collect();
        let mut shared = identity(self.numbers.len(), N_BEFORE);
        for moments in &self.moments {
            shared.iter_mut().zip(moments.scatter(&mean)).for_each(|(sum, scatter)| *sum += scatter);
        }
        shared.iter_mut().for_each(|scatter| *scatter /= N_BEFORE + n_rows);
        let overall = self.shares_of_coordinates(n_rows);
        let likelihood = |moments: &GaussianMoments| {
            let (scale, dof) = match self.variances {
                Variances::Shared => (shared.clone(), N_BEFORE + n_rows),
                Variances::Own => {
                    let dof = N_OF_SHARED + moments.n_rows;
                    let own = moments.scatter(&mean).into_iter().zip(&shared);
                    (own.map(|(scatter, shared)| (scatter + N_OF_SHARED * shared) / dof).collect(), dof)
                }
            };
            moments.likelihood(&mean, scale, dof, &overall)
        };
        self.likelihoods = self.moments.iter().map(likelihood).collect();
    }

    /// Of all rows, how many have each coordinate of a label.
    fn shares_of_coordinates(&self, n_rows: f64) -> Vec<f64> {
        let mut shares = vec![0.0; self.moments[0].counts.len()];
        for range in &self.labels {
            for coordinate in range.clone() {
                let count: f64 = self.moments.iter().map(|moments| moments.counts[coordinate]).sum();
                shares[coordinate] = (count + 0.5) / (n_rows + 0.5 * range.len() as f64);
            }
        }
        shares
    }
}

impl GaussianMoments {
    fn add(&mut self, coordinates: &[f64], numbers: &[usize]) {
        self.n_rows += 1.0;
        for (i, &left) in numbers.iter().enumerate() {
            self.sums[i] += coordinates[left];
            for (j, &right) in numbers.iter().enumerate() {
                self.products[i * numbers.len() + j] += coordinates[left] * coordinates[right];
            }
        }
        for (count, &coordinate) in self.counts.iter_mut().zip(coordinates) {
            *count += f64::from(u8::from(coordinate != 0.0));
        }
    }

    /// Squares and products around the label's own mean, which is shrunk towards `mean`.
    fn scatter(&self, mean: &[f64]) -> Vec<f64> {
        let n = mean.len();
        let own = self.means(mean);
        let total = self.n_rows + N_OF_MEAN;
        let cell = |cell: usize| {
            let (i, j) = (cell / n, cell % n);
            self.products[cell] + N_OF_MEAN * mean[i] * mean[j] - total * own[i] * own[j]
        };
        (0..n * n).map(cell).collect()
    }

    fn means(&self, mean: &[f64]) -> Vec<f64> {
        let total = self.n_rows + N_OF_MEAN;
        self.sums.iter().zip(mean).map(|(sum, mean)| (sum + N_OF_MEAN * mean) / total).collect()
    }

    /// The likelihood with this scale of the numbers around their mean.
    fn likelihood(&self, mean: &[f64], mut scale: Vec<f64>, dof: f64, overall: &[f64]) -> Likelihood {
        let n = mean.len();
        let total = self.n_rows + N_OF_MEAN;
        scale.iter_mut().for_each(|scale| *scale *= (total + 1.0) / total);
        let factor = Cholesky::new(scale, n, LEAST_PIVOT);
        let log_determinant = factor.log_determinant();
        let half = 0.5 * n as f64;
        let log_height = libm::lgamma(0.5 * dof + half)
            - libm::lgamma(0.5 * dof)
            - half * (dof * std::f64::consts::PI).ln()
            - log_determinant
            + (self.n_rows + 0.5).ln();
        let share = |(count, overall): (&f64, &f64)| ((count + overall) / (self.n_rows + 1.0)).ln();
        let log_shares = self.counts.iter().zip(overall).map(share).collect();
        Likelihood { log_height, means: self.means(mean), factor, dof, log_shares }
    }
}

impl Likelihood {
    /// The log density of the numbers; `whitened` is scratch.
    fn log_density(&self, coordinates: &[f64], numbers: &[usize], whitened: &mut [f64]) -> f64 {
        let n = numbers.len();
        let mut squares = 0.0;
        for (i, &number) in numbers.iter().enumerate() {
            let mut left = coordinates[number] - self.means[i];
            let row = self.factor.row(i);
            for j in 0..i {
                left -= row[j] * whitened[j];
            }
            whitened[i] = left / row[i];
            squares += whitened[i] * whitened[i];
        }
        self.log_height - 0.5 * (self.dof + n as f64) * (squares / self.dof).ln_1p()
    }
}

/// Numbers that are copies of each other leave no more than this.
const LEAST_PIVOT: f64 = 1e-9;

fn identity(n: usize, height: f64) -> Vec<f64> {
    (0..n * n).map(|cell| if cell / n == cell % n { height } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::column::CodedColumn;
    use crate::estimator::counts::CountTables;
    use crate::estimator::parent_inputs::InputView;
    use crate::estimator::prior::Prior;
    use crate::graph::NodeSet;
    use crate::table::{Quantised, Table, Values, Variable};

    /// A number twice, with quantiles of a normal distribution for the even rows, and 1.5 more for the odd ones; and a label that is equal
    /// in three of four rows to the row's parity.
    fn inputs(n_rows: u32) -> ParentInputs {
        let number = |row: u32| {
            let share = (f64::from(row / 2) + 0.5) / f64::from(n_rows / 2);
            crate::base::normal::quantile(share) + 1.5 * f64::from(row % 2)
        };
        let numbers: Vec<f64> = (0..n_rows).map(number).collect();
        let codes = (0..n_rows).map(|row| if row % 8 < 6 { row % 2 } else { 1 - row % 2 }).collect();
        let variable = |name: &str, values| Variable { name: name.into(), values, intervened: None };
        let table = Table::new(vec![
            variable("x", Values::Numbers(numbers.clone())),
            variable("copy", Values::Numbers(numbers)),
            variable("label", Values::Labels { levels: vec!["a".into(), "b".into()], codes }),
        ]);
        let data = Quantised::new(&table.unwrap(), 128);
        let tables = CountTables::new(Prior::default(), n_rows as usize);
        let columns: Vec<CodedColumn> =
            (0..3).map(|node| CodedColumn::with_marginal(&data, node, &tables)).collect();
        ParentInputs::new(&columns, &NodeSet::from_bits(0b111), None, InputView::Plain, n_rows as usize)
    }

    #[test]
    fn the_logit_of_two_normal_distributions_and_a_label_is_found() {
        let n_rows = 4_000;
        let inputs = inputs(n_rows);
        let codes: Vec<u32> = (0..n_rows).map(|row| row % 2).collect();
        for variances in [Variances::Shared, Variances::Own] {
            let mut discriminant = Discriminant::new(&inputs, 2, variances).unwrap();
            let mut probabilities = [0.0; 2];
            discriminant.predict(inputs.row(0), &mut probabilities);
            assert!(probabilities.iter().all(|p| (p - 0.5).abs() < 1e-9), "{probabilities:?}");
            discriminant.learn(&inputs, 0..n_rows as usize, &codes);
            for row in (0..n_rows as usize).step_by(97) {
                discriminant.predict(inputs.row(row), &mut probabilities);
                // By the true distribution of the rows.
                let share = ((row / 2) as f64 + 0.5) / f64::from(n_rows / 2);
                let x = crate::base::normal::quantile(share) + 1.5 * (row % 2) as f64;
                let of_label = if (row % 8 < 6) == (row % 2 == 1) { 3_f64.ln() } else { -3_f64.ln() };
                let logit = 1.5 * (x - 0.75) + of_label;
                let found = (probabilities[1] / probabilities[0]).ln();
                assert!(
                    (found - logit).abs() < 0.15 + 0.05 * logit.abs(),
                    "{variances:?} {row}: {found} {logit}"
                );
            }
        }
    }
}
