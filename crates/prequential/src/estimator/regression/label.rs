//! Categorical children: multinomial logistic regression by Newton steps, and discriminant analysis.

use std::ops::Range;

use super::discriminant::{Discriminant, Variances};
use super::feature_regression::{FeatureRegression, Means, WorkingResponse};
use super::features::FeatureKind;
use super::settings::FourierSettings;
use crate::estimator::column::CodedColumn;
use crate::estimator::family_group::FamilyGroup;
use crate::estimator::fixed_share::{FixedShare, SLOW_SWITCH_RATE};
use crate::estimator::parent_inputs::{InputView, ParentInputs};
use crate::estimator::prequential::Predictor;

/// Prior weights: of the linear map, and of the discriminants in either view; other maps have weight 1.
const PRIOR_LINEAR: f64 = 3.0;
const PRIOR_BAYES: [(Variances, f64); 2] = [(Variances::Shared, 1.5), (Variances::Own, 1.0)];

/// The smallest weight of a row when a logit is learned: a step is then shorter than Newton's, in the same
/// direction.
const LEAST_WEIGHT: f64 = 1e-2;

/// The smallest probability of a label.
const LEAST: f64 = 1e-6;

/// Logits are clamped to this distance from 0.
const FARTHEST: f64 = 15.0;

/// Passes over the rows seen when the maps are refitted.
const N_PASSES: usize = 2;

/// Predicts a label from its parents.
///
/// Each feature map gives an expert: a softmax of regressions. They learn by Newton's method (iteratively
/// reweighted least squares): a row weighs as much as its label could still surprise, and its response is how
/// much it did. Between refits every row is used once, after its prediction; then all rows again. With
/// numeric parents, discriminants learn faster.
#[derive(Debug)]
pub(in crate::estimator) struct LabelPredictor<'a> {
    settings: &'a FourierSettings,
    group: FamilyGroup<'a>,
    /// The label in each coded row.
    codes: Vec<u32>,
    pub(super) n_levels: usize,
    marginal_losses: &'a [f64],
    plain: ParentInputs,
    ranks: ParentInputs,
    pub(super) classifiers: Vec<Classifier>,
    pub(super) discriminants: Vec<DiscriminantExpert>,
    /// The mixtures of the classifiers and discriminants, and of these with the marginal.
    pub(super) experts: FixedShare,
    pub(super) all: FixedShare,
}

/// A softmax of regressions on one feature map.
#[derive(Debug)]
pub(super) struct Classifier {
    kind: FeatureKind,
    is_rank: bool,
    /// One for each logit.
    maps: Vec<FeatureRegression>,
    /// `[row][logit]`, as last predicted.
    logits: Vec<f64>,
}

/// A discriminant for the parents as seen in one view.
#[derive(Debug)]
pub(super) struct DiscriminantExpert {
    pub(super) is_rank: bool,
    pub(super) discriminant: Discriminant,
}

/// Intermediate results for a chunk.
#[derive(Debug)]
pub(in crate::estimator) struct LabelPrediction {
    /// `[classifier][row][logit]`.
    logits: Vec<Vec<f64>>,
    experts: FixedShare,
    all: FixedShare,
}

impl<'a> LabelPredictor<'a> {
    /// Predicts `child`.
    pub(in crate::estimator) fn new(
        settings: &'a FourierSettings,
        group: FamilyGroup<'a>,
        child: &'a CodedColumn,
    ) -> LabelPredictor<'a> {
        let n_levels = child.cells.n_levels;
        let plain = group.inputs(InputView::Plain, group.epochs.n_coded());
        let scales = if plain.are_linear() { &[][..] } else { &settings.scales };
        // The highest frequencies are for sharp edges, which labels hardly have.
        let waves = scales.iter().take(2).map(|&scale| (FeatureKind::Waves(scale), true));
        let products = (!scales.is_empty()).then_some((FeatureKind::Products, true));
        let kinds = [(FeatureKind::Linear, false)].into_iter().chain(products).chain(waves);
        let classifier = |(kind, is_rank)| Classifier { kind, is_rank, maps: Vec::new(), logits: Vec::new() };
        let classifiers: Vec<Classifier> = kinds.map(classifier).collect();
        let weight =
            |classifier: &Classifier| if classifier.kind == FeatureKind::Linear { PRIOR_LINEAR } else { 1.0 };
        let mut prior: Vec<f64> = classifiers.iter().map(weight).collect();
        let mut discriminants = Vec::new();
        for (is_rank, (variances, weight)) in
            [false, true].into_iter().flat_map(|is_rank| PRIOR_BAYES.map(|one| (is_rank, one)))
        {
            if let Some(discriminant) = Discriminant::new(&plain, n_levels, variances) {
                discriminants.push(DiscriminantExpert { is_rank, discriminant });
                prior.push(weight);
            }
        }
        let mut predictor = LabelPredictor {
            settings,
            group,
            codes: child.cells.coded(&child.cells.codes).into_owned(),
            n_levels,
            marginal_losses: &child.marginal_losses,
            plain,
            ranks: group.inputs(InputView::Plain, 0),
            classifiers,
            discriminants,
            experts: FixedShare::new(&prior, settings.share),
            all: FixedShare::new(&[settings.alone, 1.0 - settings.alone], SLOW_SWITCH_RATE),
        };
        predictor.refit(0);
        predictor
    }

    /// Refits everything that depends on ranks and on the number of rows, after the first `n_seen` rows.
    fn refit(&mut self, n_seen: usize) {
        if n_seen == self.group.epochs.n_coded() {
            return;
        }
        let epoch = self.group.epochs.of(n_seen);
        self.ranks = self.group.inputs(InputView::Rank { epoch }, self.group.epochs.end_of(epoch));
        let n_passes = if n_seen == 0 { 1 } else { N_PASSES };
        for classifier in &mut self.classifiers {
            let inputs = if classifier.is_rank { &self.ranks } else { &self.plain };
            for pass in 0..n_passes {
                if pass > 0 {
                    classifier.logits = classifier.predict(inputs, 0..n_seen).0;
                }
                classifier.maps.clear();
                for _ in 0..n_logits(self.n_levels) {
                    let design = self.settings.label_design(self.n_levels);
                    classifier.maps.push(FeatureRegression::new(classifier.kind, inputs, design, n_seen, 1));
                }
                classifier.learn(inputs, 0..n_seen, &self.codes, self.n_levels);
            }
        }
        for seen in self.discriminants.iter_mut().filter(|seen| seen.is_rank) {
            seen.discriminant.forget();
            seen.discriminant.learn(&self.ranks, 0..n_seen, &self.codes);
        }
    }

    pub(super) fn inputs(&self, is_rank: bool) -> &ParentInputs {
        if is_rank { &self.ranks } else { &self.plain }
    }

    /// Writes one classifier's probabilities of the labels of `rows`; returns its logits.
    fn by_classifier(&self, classifier: &Classifier, rows: Range<usize>, of_rows: &mut [f64]) -> Vec<f64> {
        self.each_softmax(classifier, rows.clone(), |place, of_row| {
            of_rows[place] = self.floored(of_row, rows.start + place);
        })
    }

    /// Passes the position of each of `rows` and one classifier's probability of every label to `take`;
    /// returns its logits.
    pub(super) fn each_softmax(
        &self,
        classifier: &Classifier,
        rows: Range<usize>,
        mut take: impl FnMut(usize, &[f64]),
    ) -> Vec<f64> {
        let (logits, variances) = classifier.predict(self.inputs(classifier.is_rank), rows.clone());
        let n_logits = classifier.maps.len();
        let (mut shrunk, mut of_row) = (vec![0.0; n_logits], vec![0.0; self.n_levels]);
        for place in 0..rows.len() {
            // The mean over uncertain logits (MacKay 1992).
            let certainty = 1.0 / (1.0 + std::f64::consts::PI / 8.0 * variances[place]).sqrt();
            let of_place = &logits[place * n_logits..][..n_logits];
            shrunk.iter_mut().zip(of_place).for_each(|(shrunk, logit)| *shrunk = certainty * logit);
            softmax(&shrunk, &mut of_row);
            take(place, &of_row);
        }
        logits
    }

    fn by_bayes(&self, seen: &DiscriminantExpert, rows: Range<usize>, of_rows: &mut [f64]) {
        let inputs = self.inputs(seen.is_rank);
        let mut of_row = vec![0.0; self.n_levels];
        for (row, probability) in rows.zip(of_rows) {
            seen.discriminant.predict(inputs.row(row), &mut of_row);
            *probability = self.floored(&of_row, row);
        }
    }

    /// The probability of the label that the row has.
    fn floored(&self, probabilities: &[f64], row: usize) -> f64 {
        floored(probabilities[self.codes[row] as usize], self.n_levels)
    }
}

/// No label has probability 0.
pub(super) fn floored(probability: f64, n_levels: usize) -> f64 {
    (1.0 - LEAST) * probability + LEAST / n_levels as f64
}

/// Two labels need one logit, more labels one each.
fn n_logits(n_levels: usize) -> usize {
    if n_levels <= 2 { 1 } else { n_levels }
}

/// The probability of every label; with two, the logit is that of the second.
fn softmax(logits: &[f64], probabilities: &mut [f64]) {
    match logits {
        [one] => {
            let second = 1.0 / (1.0 + (-one).exp());
            probabilities[0] = 1.0 - second;
            if let Some(probability) = probabilities.get_mut(1) {
                *probability = second;
            }
        }
        all => {
            let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let exponentials = all.iter().map(|logit| (logit - most).exp());
            let sum: f64 = exponentials.clone().sum();
            probabilities.iter_mut().zip(exponentials).for_each(|(p, exponential)| *p = exponential / sum);
        }
    }
}

/// The working responses of one logit.
struct Labels<'a> {
    codes: &'a [u32],
    n_levels: usize,
    /// `[row][logit]`.
    logits: &'a [f64],
    logit: usize,
}

impl WorkingResponse for Labels<'_> {
    /// Newton's step for the logarithm of a softmax: the inverse of its curvature is the diagonal of 1 / p, up to what adds the same to
    /// all logits; with two labels the one logit has p (1 - p).
    #[inline(always)]
    fn write(&self, row: usize, responses: &mut [f64]) -> f64 {
        let n_logits = n_logits(self.n_levels);
        let logits = &self.logits[row * n_logits..][..n_logits];
        let level = if n_logits == 1 { 1 } else { self.logit };
        let p = match logits {
            [one] => 1.0 / (1.0 + (-one).exp()),
            all => 1.0 / all.iter().map(|logit| (logit - all[self.logit]).exp()).sum::<f64>(),
        };
        let surprise = f64::from(u8::from(self.codes[row] as usize == level)) - p;
        let weight = if n_logits == 1 { p * (1.0 - p) } else { p }.max(LEAST_WEIGHT);
        responses[0] = logits[self.logit] + surprise / weight;
        weight
    }
}

impl Classifier {
    /// `[row][logit]`, and the variance of each row's logits.
    fn predict(&self, inputs: &ParentInputs, rows: Range<usize>) -> (Vec<f64>, Vec<f64>) {
        let n_logits = self.maps.len();
        let (mut logits, mut variances) = (vec![0.0; rows.len() * n_logits], vec![0.0; rows.len()]);
        let mut means = Means::default();
        for (logit, map) in self.maps.iter().enumerate() {
            map.predict(inputs, rows.clone(), &mut means);
            for place in 0..rows.len() {
                // `clamp` keeps what is not a number.
                logits[place * n_logits + logit] = means.mean(place, 0).clamp(-FARTHEST, FARTHEST);
                variances[place] += means.leverages[place] / n_logits as f64;
            }
        }
        (logits, variances)
    }

    /// Learns from `rows`, whose logits are known.
    fn learn(&mut self, inputs: &ParentInputs, rows: Range<usize>, codes: &[u32], n_levels: usize) {
        for (logit, map) in self.maps.iter_mut().enumerate() {
            map.learn(inputs, rows.clone(), &Labels { codes, n_levels, logits: &self.logits, logit });
        }
    }
}

impl Predictor for LabelPredictor<'_> {
    type Prediction = LabelPrediction;

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> LabelPrediction {
        let n_rows = rows.len();
        let n_experts = self.classifiers.len() + self.discriminants.len();
        let mut probabilities = vec![0.0; n_experts * n_rows];
        let mut of_experts = probabilities.chunks_exact_mut(n_rows);
        let classifiers = self.classifiers.iter().zip(of_experts.by_ref());
        let logits =
            classifiers.map(|(one, of_rows)| self.by_classifier(one, rows.clone(), of_rows)).collect();
        for (seen, of_rows) in self.discriminants.iter().zip(of_experts) {
            self.by_bayes(seen, rows.clone(), of_rows);
        }
        let (mut experts, mut all) = (self.experts.clone(), self.all.clone());
        let mut seeing = vec![0.0; n_rows];
        experts.mix_probabilities(&probabilities, &mut seeing);
        all.mix(&[&self.marginal_losses[rows], &seeing], losses);
        experts.share();
        all.share();
        LabelPrediction { logits, experts, all }
    }

    fn observe(&mut self, rows: Range<usize>, prediction: LabelPrediction) {
        (self.experts, self.all) = (prediction.experts, prediction.all);
        let is_refit = !self.group.epochs.next_of(rows.end).is_empty();
        for (classifier, logits) in self.classifiers.iter_mut().zip(prediction.logits) {
            classifier.logits.extend(logits);
            if !is_refit {
                let inputs = if classifier.is_rank { &self.ranks } else { &self.plain };
                classifier.learn(inputs, rows.clone(), &self.codes, self.n_levels);
            }
        }
        for seen in self.discriminants.iter_mut().filter(|seen| !(seen.is_rank && is_refit)) {
            let inputs = if seen.is_rank { &self.ranks } else { &self.plain };
            seen.discriminant.learn(inputs, rows.clone(), &self.codes);
        }
        if is_refit {
            self.refit(rows.end);
        }
    }
}
