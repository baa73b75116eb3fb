//! A label as a child: ridge regression on an indicator of each label, made into probabilities.

use std::ops::Range;

use super::FourierSettings;
use super::block::Block;
use super::lanes::{LANES, Lanes};
use crate::estimator::Target;

/// Pseudo-count of each label in the marginal distribution.
const PSEUDO_COUNT: f64 = 0.5;

/// A child that is a label.
///
/// The estimates of a row are cut off at 0 and normalised, then mixed with the shares of the labels in the rows before: with
/// the weight of the row's leverage, since far from all rows seen an estimate is worth little, and with several fixed
/// weights, an expert each.
#[derive(Debug)]
pub(super) struct LabelChild<'a> {
    codes: &'a [u32],
    floors: Vec<f64>,
    /// How often each label was seen, with its pseudo-count.
    counts: Vec<f64>,
    n_counted: f64,
}

impl<'a> LabelChild<'a> {
    pub(super) fn new(target: &'a Target, settings: &FourierSettings) -> LabelChild<'a> {
        LabelChild {
            codes: &target.codes,
            floors: settings.label_floors.clone(),
            counts: vec![PSEUDO_COUNT; target.n_levels],
            n_counted: PSEUDO_COUNT * target.n_levels as f64,
        }
    }

    /// How many labels there are.
    pub(super) fn n_levels(&self) -> usize {
        self.counts.len()
    }

    /// How many experts each feature map gives.
    pub(super) fn n_floors(&self) -> usize {
        self.floors.len()
    }

    /// Enters the row's responses, of which `first` is the first.
    pub(super) fn respond(&self, row: usize, first: usize, responses: &mut [Lanes]) {
        let response = first + self.codes[row] as usize;
        responses[response / LANES].0[response % LANES] = 1.0;
    }

    /// Counts the labels of rows that were predicted.
    pub(super) fn count(&mut self, rows: Range<usize>) {
        self.n_counted += rows.len() as f64;
        for &code in &self.codes[rows] {
            self.counts[code as usize] += 1.0;
        }
    }

    /// Writes the probability of what happened in each of `rows` for each floor, all rows of the first floor first.
    pub(super) fn predict(
        &self,
        block: &Block,
        (rows, first): (Range<usize>, usize),
        probabilities: &mut [f64],
    ) {
        let n_rows = rows.len();
        for (row, &code) in self.codes[rows].iter().enumerate() {
            let estimate = |level: usize| {
                let mean = block.mean(row, first + level);
                // Unlike `f64::max`, keeps what is not a number.
                if mean < 0.0 { 0.0 } else { mean }
            };
            let sum: f64 = (0..self.n_levels()).map(estimate).sum();
            let marginal = self.counts[code as usize] / self.n_counted;
            let leverage = block.inflation(row) - 1.0;
            let share = (estimate(code as usize) + leverage * marginal) / (sum + leverage);
            for (i, floor) in self.floors.iter().enumerate() {
                probabilities[i * n_rows + row] = (1.0 - floor) * share + floor * marginal;
            }
        }
    }
}
