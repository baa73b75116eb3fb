//! Additive regression of the child on its parents: ridge regression in closed form.

use super::parent::{Feature, ParentView};
use super::response::{Response, drawn_in};
use crate::base::cholesky::Cholesky;

/// The prior precision of every weight, in rows: as if this many rows had shown no effect.
const PRECISION: f64 = 0.5;

/// The effect of each parent on each response, fitted to all rows.
#[derive(Debug)]
pub(super) struct Additive {
    /// Where the features of each parent begin.
    starts: Vec<usize>,
    /// The mean of every feature.
    means: Vec<f64>,
    /// The Cholesky factor of the precision of the weights.
    factor: Cholesky,
    /// `[response][feature]`.
    weights: Vec<Vec<f64>>,
    /// `[parent][response][row]`: the effect of the parent on the response.
    effects: Vec<Vec<Vec<f64>>>,
    /// The mean of every response.
    response_means: Vec<f64>,
}

impl Additive {
    pub(super) fn new(views: &[ParentView], response: &Response) -> Additive {
        let mut n_features = 0;
        let starts: Vec<usize> = views
            .iter()
            .map(|view| {
                let start = n_features;
                n_features += view.n_features();
                start
            })
            .collect();
        let n_rows = response.n_rows();
        let rows: Vec<Vec<Feature>> = (0..n_rows).map(|row| features_of(views, &starts, row)).collect();
        let mut means = vec![0.0; n_features];
        rows.iter().flatten().for_each(|&(i, height)| means[i] += height / n_rows as f64);
        let products = products(&rows, &means);
        // A pivot is at least the prior's precision, up to rounding.
        let factor = Cholesky::new(products.concat(), products.len(), PRECISION / 2.0);
        let columns: Vec<Vec<f64>> = response.columns.iter().map(|column| drawn_in(column)).collect();
        let response_means: Vec<f64> =
            columns.iter().map(|column| column.iter().map(|value| value / n_rows as f64).sum()).collect();
        let weights: Vec<Vec<f64>> = columns
            .iter()
            .zip(&response_means)
            .map(|(column, mean)| factor.solve(&moments(&rows, &means, column, *mean)))
            .collect();
        let mut additive = Additive { starts, means, factor, weights, effects: Vec::new(), response_means };
        additive.effects = views
            .iter()
            .enumerate()
            .map(|(parent, view)| {
                let of = |response: usize| {
                    view.values.iter().map(|&value| additive.effect(view, parent, response, value)).collect()
                };
                (0..additive.weights.len()).map(of).collect()
            })
            .collect();
        additive
    }

    /// The centred effect of a value of a parent on a response.
    pub(super) fn effect(&self, view: &ParentView, parent: usize, response: usize, value: f64) -> f64 {
        let start = self.starts[parent];
        let weights = &self.weights[response][start..];
        let on_average: f64 = (0..view.n_features()).map(|i| weights[i] * self.means[start + i]).sum();
        let here: f64 = view.features(value).iter().flatten().map(|&(i, height)| weights[i] * height).sum();
        here - on_average
    }

    /// The effect of the other parents on a response in a row, and its mean.
    pub(super) fn of_others(&self, parent: usize, response: usize, row: usize) -> f64 {
        let others = self.effects.iter().enumerate().filter(|(other, _)| *other != parent);
        self.response_means[response] + others.map(|(_, effects)| effects[response][row]).sum::<f64>()
    }

    /// The effect of a parent on a response in a row.
    pub(super) fn of_parent(&self, parent: usize, response: usize, row: usize) -> f64 {
        self.effects[parent][response][row]
    }

    /// Whether there are several parents.
    pub(super) fn has_others(&self) -> bool {
        self.effects.len() > 1
    }

    /// All features of a row, and those of one parent for sums over its rows.
    pub(super) fn features(&self, views: &[ParentView], row: usize) -> Vec<Feature> {
        features_of(views, &self.starts, row)
    }

    /// The mean of every feature.
    pub(super) fn means(&self) -> &[f64] {
        &self.means
    }

    /// The positions of the features of a parent.
    pub(super) fn range(&self, parent: usize, view: &ParentView) -> std::ops::Range<usize> {
        self.starts[parent]..self.starts[parent] + view.n_features()
    }

    /// The weights for another response.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.factor.solve(right)
    }
}

/// The features of all parents in a row, numbered consecutively.
fn features_of(views: &[ParentView], starts: &[usize], row: usize) -> Vec<Feature> {
    let of_view = |(view, start): (&ParentView, &usize)| {
        view.features(view.values[row]).map(|feature| feature.map(|(i, height)| (start + i, height)))
    };
    views.iter().zip(starts).flat_map(of_view).flatten().collect()
}

/// The products of all centred features, plus the prior's precision.
fn products(rows: &[Vec<Feature>], means: &[f64]) -> Vec<Vec<f64>> {
    let n = means.len();
    let mut products = vec![vec![0.0; n]; n];
    for row in rows {
        for &(i, a) in row {
            row.iter().for_each(|&(j, b)| products[i][j] += a * b);
        }
    }
    for i in 0..n {
        (0..n).for_each(|j| products[i][j] -= rows.len() as f64 * means[i] * means[j]);
        products[i][i] += PRECISION;
    }
    products
}

/// The products of a response with all features, both centred.
pub(super) fn moments(rows: &[Vec<Feature>], means: &[f64], column: &[f64], mean: f64) -> Vec<f64> {
    let mut moments = vec![0.0; means.len()];
    for (row, value) in rows.iter().zip(column) {
        row.iter().for_each(|&(i, height)| moments[i] += height * (value - mean));
    }
    moments
}
