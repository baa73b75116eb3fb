//! What counts predict of the next labels of a child, each before it is known.

use std::collections::HashMap;

use super::configurations::Configurations;
use super::tables::CountTables;
use crate::estimator::foretell::{Foreteller, LabelForecast, Outlook, TakeOutlook};
use crate::graph::NodeSet;
use crate::table::{Quantised, QuantisedColumn};

/// The counts of a child under its parents' configurations, as far as its rows are known.
#[derive(Debug)]
pub(in crate::estimator) struct CountedOutlook {
    /// Of each coded row.
    configuration_of_row: Vec<u32>,
    /// Of each configuration that was seen, how often each label came.
    counts: HashMap<u32, Vec<f64>>,
    alpha: f64,
    n_levels: usize,
}

impl CountedOutlook {
    /// After the first `n_known` coded rows.
    pub(in crate::estimator) fn new(
        tables: &CountTables,
        configurations: &Configurations,
        child: &QuantisedColumn,
        n_known: usize,
    ) -> CountedOutlook {
        let mut outlook = CountedOutlook {
            configuration_of_row: child.coded(&configurations.of_row).into_owned(),
            counts: HashMap::new(),
            alpha: tables.alpha(configurations, child),
            n_levels: child.n_levels,
        };
        let known = child.coded(&child.codes);
        known.iter().take(n_known).enumerate().for_each(|(row, &code)| outlook.learn(row, code as usize));
        outlook
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

impl LabelForecast for CountedOutlook {
    fn write(&self, row: usize, probabilities: &mut [f64]) {
        self.write_all(row, probabilities);
    }

    fn see(&mut self, row: usize, level: usize) -> f64 {
        let mut probabilities = vec![0.0; self.n_levels];
        self.write_all(row, &mut probabilities);
        self.learn(row, level);
        -probabilities[level].ln()
    }
}

/// Predicts labels by counts alone.
#[derive(Debug)]
pub(super) struct CountsForeteller {
    pub(super) data: Quantised,
    pub(super) tables: CountTables,
}

impl Foreteller for CountsForeteller {
    fn enter(&mut self, node: usize, cells: QuantisedColumn) {
        self.data.replace(node, cells);
    }

    /// Counts learn from every row: all rows that are left come at once.
    fn foretell(
        &self,
        _node: usize,
        child: &QuantisedColumn,
        parents: &NodeSet,
        n_known: usize,
        take: TakeOutlook,
    ) {
        let configurations = Configurations::new(&self.data, parents.iter());
        let mut outlook = CountedOutlook::new(&self.tables, &configurations, child, n_known);
        take(n_known..child.n_rows_used(), Outlook::Labels(&mut outlook));
    }
}
