//! Bayesian ridge regression on random Fourier features of the parents: closed form, and one factorisation per parent set.

mod block;
mod coordinates;
mod estimator;
mod features;
mod frequencies;
mod label;
mod lanes;
mod number;
mod residual;
mod ridge;
mod settings;
mod sine;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::switch::Switch;
use super::{N_OPENING, ParentInputs, Predictor, Target};
use block::{Block, N_BLOCK, learn};
pub use estimator::Fourier;
pub(super) use estimator::{BYTES_PER_CURVE, COST};
use features::FeatureMap;
use label::LabelChild;
use lanes::Lanes;
use number::NumberChild;
use ridge::Ridge;
pub use settings::FourierSettings;

/// Predicts children of any kind from one set of parents, all from the same regressions.
///
/// The experts are ridge regressions on several feature maps, for numbers in two coordinates; a switching mixture for each
/// child joins them. What the work costs hangs on the parents: more children cost little more.
#[derive(Debug)]
pub(crate) struct FourierPredictor<'a> {
    settings: FourierSettings,
    inputs: &'a ParentInputs,
    maps: Vec<Map>,
    children: Vec<Child<'a>>,
    /// What the squared residuals weigh in all.
    weight: f64,
}

/// The regressions on one feature map.
#[derive(Debug)]
struct Map {
    features: FeatureMap,
    ridge: Ridge,
    /// Squared residuals of each response, old ones counting less; divided by their weight, the variance of the noise.
    squares: Vec<f64>,
}

/// One child, and the mixture of its experts.
#[derive(Debug)]
struct Child<'a> {
    opening: &'a [f64],
    kind: Kind<'a>,
    /// The number of its first response.
    first: usize,
    switch: Switch,
}

#[derive(Debug)]
enum Kind<'a> {
    Number(NumberChild<'a>),
    Label(LabelChild<'a>),
}

/// What the predictor found out about a chunk.
#[derive(Debug)]
pub(crate) struct FourierPrediction {
    /// The squared residuals, `[map][response]`; none from the opening.
    squares: Option<Vec<Vec<f64>>>,
    /// The mixtures after the chunk, one per child.
    switches: Vec<Switch>,
}

impl<'a> FourierPredictor<'a> {
    /// Predicts `children`, coded in the rows of `inputs`, whose parents are those of `inputs`: at least one.
    pub(crate) fn new(
        settings: &FourierSettings,
        seed: u64,
        inputs: &'a ParentInputs,
        children: impl IntoIterator<Item = &'a Target>,
    ) -> FourierPredictor<'a> {
        let scales = settings.scales.iter().copied().enumerate();
        let frequencies: Vec<Vec<Vec<f64>>> =
            scales.map(|scale| frequencies::draw(inputs, scale, settings.n_waves, seed)).collect();
        FourierPredictor::with_frequencies(settings, &frequencies, inputs, children)
    }

    /// The same with given frequencies, `[scale][coordinate][wave]`.
    fn with_frequencies(
        settings: &FourierSettings,
        frequencies: &[Vec<Vec<f64>>],
        inputs: &'a ParentInputs,
        children: impl IntoIterator<Item = &'a Target>,
    ) -> FourierPredictor<'a> {
        let linear = FeatureMap::new(0, &vec![Vec::new(); inputs.width()]);
        let waves = frequencies.iter().map(|waves| FeatureMap::new(settings.n_waves, waves));
        let features: Vec<FeatureMap> = std::iter::once(linear).chain(waves).collect();
        let mut n_responses = 0;
        let children: Vec<Child> = children
            .into_iter()
            .map(|target| {
                debug_assert_eq!(
                    target.n_rows(),
                    inputs.n_rows(),
                    "children are coded in the rows of the inputs"
                );
                let first = n_responses;
                let kind = Kind::new(target, settings);
                n_responses += kind.n_responses();
                let switch = Switch::new(features.len() * kind.n_experts(), settings.share);
                Child { opening: target.opening(), kind, first, switch }
            })
            .collect();
        let maps = features.into_iter().map(|features| {
            let ridge = Ridge::new(features.n_features(), n_responses, settings.prior_precision);
            Map { features, ridge, squares: vec![1.0; n_responses] }
        });
        FourierPredictor { settings: settings.clone(), inputs, maps: maps.collect(), children, weight: 2.0 }
    }
}

impl<'a> Kind<'a> {
    fn new(target: &'a Target, settings: &FourierSettings) -> Kind<'a> {
        match &target.scale {
            Some(scale) => Kind::Number(NumberChild::new(target, scale, settings)),
            None => Kind::Label(LabelChild::new(target, settings)),
        }
    }

    fn n_responses(&self) -> usize {
        match self {
            Kind::Number(number) => number.n_coordinates(),
            Kind::Label(label) => label.n_levels(),
        }
    }

    /// How many experts each feature map gives.
    fn n_experts(&self) -> usize {
        match self {
            Kind::Number(number) => number.n_coordinates(),
            Kind::Label(label) => label.n_experts(),
        }
    }
}

impl Child<'_> {
    fn respond(&self, row: usize, responses: &mut [Lanes]) {
        match &self.kind {
            Kind::Number(number) => number.respond(row, self.first, responses),
            Kind::Label(label) => label.respond(row, self.first, responses),
        }
    }

    /// Writes the probabilities that the experts of one map gave to `rows`.
    fn predict(
        &self,
        block: &Block,
        rows: Range<usize>,
        variances: &[f64],
        probabilities: &mut [f64],
        squares: &mut [f64],
    ) {
        let place = (rows, self.first);
        match &self.kind {
            Kind::Number(number) => {
                number.predict(
                    block,
                    place,
                    &variances[self.first..],
                    probabilities,
                    &mut squares[self.first..],
                );
            }
            Kind::Label(label) => label.predict(block, place, probabilities),
        }
    }
}

impl Predictor for FourierPredictor<'_> {
    type Prediction = FourierPrediction;

    fn n_children(&self) -> usize {
        self.children.len()
    }

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> FourierPrediction {
        let mut switches: Vec<Switch> = self.children.iter().map(|child| child.switch.clone()).collect();
        if rows.start < N_OPENING {
            for (child, losses) in self.children.iter().zip(losses.chunks_exact_mut(rows.len())) {
                losses.copy_from_slice(&child.opening[rows.clone()]);
            }
            return FourierPrediction { squares: None, switches };
        }
        let mut squares: Vec<Vec<f64>> = self.maps.iter().map(|map| vec![0.0; map.squares.len()]).collect();
        let variances: Vec<Vec<f64>> = self.variances();
        let mut block = Block::new(self.maps.iter().map(|map| &map.ridge));
        let mut probabilities: Vec<Vec<f64>> = vec![Vec::new(); self.children.len()];
        for start in rows.clone().step_by(N_BLOCK) {
            let now = start..(start + N_BLOCK).min(rows.end);
            for (number, map) in self.maps.iter().enumerate() {
                block.predict(self.inputs, &map.features, &map.ridge, now.clone());
                for (child, probabilities) in self.children.iter().zip(&mut probabilities) {
                    let n_cells = child.kind.n_experts() * now.len();
                    probabilities.resize(self.maps.len() * n_cells, 0.0);
                    let of_map = &mut probabilities[number * n_cells..][..n_cells];
                    child.predict(&block, now.clone(), &variances[number], of_map, &mut squares[number]);
                }
            }
            for (child, switch) in switches.iter_mut().enumerate() {
                let mixed = &mut losses[child * rows.len() + start - rows.start..][..now.len()];
                switch.mix_probabilities(&probabilities[child], mixed);
            }
        }
        switches.iter_mut().for_each(Switch::share);
        FourierPrediction { squares: Some(squares), switches }
    }

    fn observe(&mut self, rows: Range<usize>, prediction: FourierPrediction) {
        // Nothing is predicted after the last row.
        if rows.end == self.inputs.n_rows() {
            return;
        }
        self.update_variances(rows.len(), prediction.squares);
        for map in &mut self.maps {
            let respond = |row: usize, responses: &mut [Lanes]| {
                self.children.iter().for_each(|child| child.respond(row, responses));
            };
            learn(self.inputs, &map.features, &mut map.ridge, rows.clone(), respond);
            map.ridge.factorise();
        }
        for (child, switch) in self.children.iter_mut().zip(prediction.switches) {
            child.switch = switch;
            if let Kind::Label(label) = &mut child.kind {
                label.count(rows.clone());
            }
        }
    }
}

impl FourierPredictor<'_> {
    /// Of the noise, `[map][response]`.
    fn variances(&self) -> Vec<Vec<f64>> {
        let of_map = |map: &Map| map.squares.iter().map(|squares| squares / self.weight).collect();
        self.maps.iter().map(of_map).collect()
    }

    fn update_variances(&mut self, n_rows: usize, squares: Option<Vec<Vec<f64>>>) {
        let Some(squares) = squares else { return };
        let memory = self.settings.variance_memory;
        for (map, squares) in self.maps.iter_mut().zip(squares) {
            map.squares.iter_mut().zip(squares).for_each(|(old, new)| *old = *old * memory + new);
        }
        self.weight = self.weight * memory + n_rows as f64;
    }
}
