//! The predictive distribution of the next labels of a child by counts, row by row.

use std::collections::HashMap;

use super::configurations::Configurations;
use super::tables::CountTables;
use crate::estimator::predictive::{
    CategoricalPredictive, NextRows, Predictive, SequentialPredictor, TakePredictive,
};
use crate::table::{Quantised, QuantisedColumn};

/// The counts of a child under its parents' configurations, as far as its rows are known.
#[derive(Debug)]
pub(in crate::estimator) struct CountedPredictive {
    /// Per coded row.
    configuration_of_row: Vec<u32>,
    /// For each observed configuration, how often each label occurred.
    counts: HashMap<u32, Vec<f64>>,
    alpha: f64,
    n_levels: usize,
}

impl CountedPredictive {
    /// After the first `n_known` coded rows.
    pub(in crate::estimator) fn new(
        tables: &CountTables,
        configurations: &Configurations,
        child: &QuantisedColumn,
        n_known: usize,
    ) -> CountedPredictive {
        let mut predictive = CountedPredictive {
            configuration_of_row: child.coded(&configurations.of_row).into_owned(),
            counts: HashMap::new(),
            alpha: tables.alpha(configurations, child),
            n_levels: child.n_levels,
        };
        let known = child.coded(&child.codes);
        known.iter().take(n_known).enumerate().for_each(|(row, &code)| predictive.learn(row, code as usize));
        predictive
    }

    fn write_all(&self, row: usize, probabilities: &mut [f64]) {
        match self.counts.get(&self.configuration_of_row[row]) {
            None => probabilities.fill(1.0 / self.n_levels as f64),
            Some(counts) => {
                let total = counts.iter().sum::<f64>() + self.alpha * self.n_levels as f64;
                for (probability, count) in probabilities.iter_mut().zip(counts) {
                    *probability = (count + self.alpha) / total;
                }
            }
        }
    }

    fn learn(&mut self, row: usize, level: usize) {
        let n_levels = self.n_levels;
        let counts = self.counts.entry(self.configuration_of_row[row]);
        counts.or_insert_with(|| vec![0.0; n_levels])[level] += 1.0;
    }
}

impl CategoricalPredictive for CountedPredictive {
    fn write(&self, row: usize, probabilities: &mut [f64]) {
        self.write_all(row, probabilities);
    }

    fn observe(&mut self, row: usize, level: usize) -> f64 {
        let mut probabilities = vec![0.0; self.n_levels];
        self.write_all(row, &mut probabilities);
        self.learn(row, level);
        -probabilities[level].ln()
    }
}

/// Predicts labels by counts only.
#[derive(Debug)]
pub(super) struct CountsSequence {
    pub(super) data: Quantised,
    pub(super) tables: CountTables,
}

impl SequentialPredictor for CountsSequence {
    fn enter(&mut self, node: usize, cells: QuantisedColumn) {
        self.data.replace(node, cells);
    }

    /// Counts learn from every row, so all remaining rows form one chunk.
    fn predict_next(&self, next: &NextRows, take: TakePredictive) {
        let configurations = Configurations::new(&self.data, next.parents.iter());
        let mut predictive = CountedPredictive::new(&self.tables, &configurations, next.child, next.n_known);
        take(next.n_known..next.child.n_rows_used(), Predictive::Categorical(&mut predictive));
    }
}
