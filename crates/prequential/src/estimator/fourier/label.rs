//! A label as a child: ridge regression on an indicator of each label, made into probabilities.

use std::ops::Range;

use super::FourierSettings;
use super::block::Block;
use super::lanes::{LANES, Lanes};
use crate::estimator::Target;

/// Pseudo-count of each label in the marginal distribution.
const PSEUDO_COUNT: f64 = 0.5;

/// Keeps 0 / 0 away where no label has an estimate above 0.
const TINY: f64 = 1e-9;

/// A child that is a label.
///
/// The estimates of a row are cut off at 0 and normalised; a second copy is sharpened, because a least-squares line through
/// zeros and ones is flatter than the probabilities are. Then the shares of the labels in the rows before are mixed in: the
/// more the farther a row lies from all rows seen (its leverage), and at least a floor. Every combination is an expert.
#[derive(Debug)]
pub(super) struct LabelChild<'a> {
    codes: &'a [u32],
    /// What the leverage is multiplied by, and the floor, of every two experts.
    blends: Vec<(f64, f64)>,
    /// How often each label was seen, with its pseudo-count.
    counts: Vec<f64>,
    n_counted: f64,
}

impl<'a> LabelChild<'a> {
    pub(super) fn new(target: &'a Target, settings: &FourierSettings) -> LabelChild<'a> {
        let blends = settings.label_leverages.iter();
        LabelChild {
            codes: &target.codes,
            blends: blends.flat_map(|&a| settings.label_floors.iter().map(move |&b| (a, b))).collect(),
            counts: vec![PSEUDO_COUNT; target.n_levels],
            n_counted: PSEUDO_COUNT * target.n_levels as f64,
        }
    }

    /// How many labels there are.
    pub(super) fn n_levels(&self) -> usize {
        self.counts.len()
    }

    /// How many experts each feature map gives.
    pub(super) fn n_experts(&self) -> usize {
        2 * self.blends.len()
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

    /// Writes the probability of what happened in each of `rows` by each expert, all rows of the first expert first.
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
            let levels = || (0..self.n_levels()).map(estimate);
            let sum: f64 = levels().sum();
            let sharpened = |estimate: f64| sharpen(estimate / (sum + TINY));
            let here = estimate(code as usize);
            let copies = [(here, sum), (sharpened(here), levels().map(sharpened).sum())];
            let marginal = self.counts[code as usize] / self.n_counted;
            let leverage = block.leverage(row);
            for (i, (estimate, sum)) in copies.into_iter().enumerate() {
                for (j, (multiple, floor)) in self.blends.iter().enumerate() {
                    let distrust = multiple * leverage * sum + TINY;
                    let share = (estimate + distrust * marginal) / (sum + distrust);
                    let expert = i * self.blends.len() + j;
                    probabilities[expert * n_rows + row] = (1.0 - floor) * share + floor * marginal;
                }
            }
        }
    }
}

/// Moves shares away from one half.
#[inline(always)]
fn sharpen(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}
