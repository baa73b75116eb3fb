//! Numeric children: regressions in several coordinates, for all children of a parent set at once.

use std::ops::Range;

use super::feature_regression::{FeatureRegression, Means, WorkingResponse};
use super::features::FeatureKind;
use super::noise::{N_EXPERTS, Noise, PRIOR, Residual, ResponseForecast};
use super::settings::FourierSettings;
use super::tree::{RegressionTree, SplitOdds};
use crate::estimator::column::CodedColumn;
use crate::estimator::family_group::FamilyGroup;
use crate::estimator::fixed_share::{FixedShare, SLOW_SWITCH_RATE};
use crate::estimator::numeric::{Coordinate, FLOOR, Interval, Intervals, NumberColumn};
use crate::estimator::parent_inputs::{InputView, ParentInputs};
use crate::estimator::prequential::Predictor;
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Rows that are predicted together: their data stay in the caches.
const N_BLOCK: usize = 256;

/// Prior weights of each feature map and each coordinate: simple ones are favoured.
const PRIOR_LINEAR: f64 = 6.0;
const PRIOR_ORIGINAL: f64 = 2.0;

/// Standard deviation of the frequencies of features of a single parent.
const SCALE_OF_SUMS: f64 = 1.5;

/// Predicts numbers from one set of parents, all by the same regressions.
///
/// The experts are regressions on several feature maps, in original and compressed units and in ranks, with
/// constant noise and noise whose scale is regressed too, of several shapes. A fixed-share mixture for each
/// child joins them, and another one these with the child's marginal. The cost depends on the parents:
/// further children cost little more.
#[derive(Debug)]
pub(in crate::estimator) struct NumberPredictor<'a> {
    settings: &'a FourierSettings,
    pub(super) group: FamilyGroup<'a>,
    pub(super) children: Vec<Child<'a>>,
    pub(super) views: Vec<FeatureView>,
    pub(super) epoch: usize,
}

/// The coordinates in which a tree predicts: those that do not change with epochs.
pub(super) const OF_TREE: [Coordinate; 2] = [Coordinate::Original, Coordinate::Compressed];

/// Weight of the tree in each of them before any row.
const PRIOR_TREE: f64 = 8.0;

/// One child, and the mixtures of its experts.
#[derive(Debug)]
pub(super) struct Child<'a> {
    pub(super) number: &'a NumberColumn,
    marginal_losses: &'a [f64],
    pub(super) mixtures: Mixtures,
    pub(super) tree: Option<RegressionTree>,
}

/// The mixtures of the experts with parents, and of these with the marginal.
#[derive(Debug, Clone)]
pub(super) struct Mixtures {
    pub(super) experts: FixedShare,
    pub(super) all: FixedShare,
    /// The mixture of the tree.
    pub(super) odds: SplitOdds,
}

/// The parents as they are seen in one way, and the regressions on that.
#[derive(Debug)]
pub(super) struct FeatureView {
    is_rank: bool,
    pub(super) coordinates: &'static [Coordinate],
    pub(super) inputs: ParentInputs,
    pub(super) maps: Vec<Regressions>,
}

/// Regressions on one feature map: mean and log-variance of every coordinate of every child.
#[derive(Debug)]
pub(super) struct Regressions {
    kind: FeatureKind,
    pub(super) map: FeatureRegression,
    /// `[child][coordinate]`.
    pub(super) noises: Vec<Noise>,
}

/// Intermediate results for a chunk.
#[derive(Debug)]
pub(in crate::estimator) struct NumberPrediction {
    /// `[map][child and coordinate][row]`.
    residuals: Vec<Vec<Vec<Residual>>>,
    /// The mixtures after the chunk, one per child.
    mixtures: Vec<Mixtures>,
}

impl Child<'_> {
    /// The marginal loss of a coded row.
    pub(super) fn alone(&self, coded: usize) -> f64 {
        self.marginal_losses[coded]
    }
}

impl<'a> NumberPredictor<'a> {
    /// The row of the table that is coded at this position.
    pub(super) fn row(&self, coded: usize) -> usize {
        self.group.row(coded)
    }

    /// Predicts `children`, all of them numeric.
    pub(in crate::estimator) fn new(
        settings: &'a FourierSettings,
        group: FamilyGroup<'a>,
        children: impl Iterator<Item = &'a CodedColumn>,
    ) -> NumberPredictor<'a> {
        let number = |column: &'a CodedColumn| {
            column.number.as_ref().map(|number| (number, &column.marginal_losses[..]))
        };
        NumberPredictor::of_numbers(settings, group, children.filter_map(number).collect())
    }

    /// Predicts these children, each with its known marginal losses.
    pub(in crate::estimator) fn of_numbers(
        settings: &'a FourierSettings,
        group: FamilyGroup<'a>,
        children: Vec<(&'a NumberColumn, &'a [f64])>,
    ) -> NumberPredictor<'a> {
        let views =
            [(false, &[Coordinate::Original][..]), (true, &[Coordinate::Compressed, Coordinate::Rank][..])];
        let views: Vec<FeatureView> = views
            .into_iter()
            .map(|(is_rank, coordinates)| {
                FeatureView::new(settings, group, is_rank, coordinates, children.len())
            })
            .collect();
        let plain = group.inputs(InputView::Plain, 0);
        let has_tree = !settings.scales.is_empty() && !plain.are_linear();
        let new_tree = || has_tree.then(|| RegressionTree::new(&plain, OF_TREE.len())).flatten();
        let mixtures = Mixtures {
            experts: FixedShare::new(&prior(&views, new_tree().is_some()), settings.share),
            all: FixedShare::new(&[settings.alone, 1.0 - settings.alone], SLOW_SWITCH_RATE),
            odds: new_tree().map(|tree| tree.odds()).unwrap_or_default(),
        };
        let child = |(number, alone)| Child {
            number,
            marginal_losses: alone,
            mixtures: mixtures.clone(),
            tree: new_tree(),
        };
        let children = children.into_iter().map(child).collect();
        let mut predictor = NumberPredictor { settings, group, children, views, epoch: 0 };
        predictor.refit(0..0);
        predictor
    }

    /// Refits everything that depends on ranks and on the number of rows, of which `rows` were the last.
    fn refit(&mut self, rows: Range<usize>) {
        if rows.end == self.group.epochs.n_coded() {
            return;
        }
        self.epoch = self.group.epochs.of(rows.end);
        let NumberPredictor { settings, group, children, views, epoch, .. } = self;
        for view in views {
            let is_imputed_again = view.impute_again(rows.end, *group, children, *epoch);
            view.inputs = group.inputs(view.view(*epoch), group.epochs.end_of(*epoch));
            for regressions in &mut view.maps {
                regressions.expect_wide_cells(children, view.coordinates, *epoch);
                let n_responses = 2 * regressions.noises.len();
                let map = FeatureRegression::new(
                    regressions.kind,
                    &view.inputs,
                    settings.design(),
                    rows.end,
                    n_responses,
                );
                // Without ranks, features change only if their number grows.
                let is_same = !view.is_rank
                    && !is_imputed_again
                    && map.n_features() == regressions.map.n_features()
                    && rows.end > 0;
                let unlearnt = if is_same { rows.clone() } else { 0..rows.end };
                if !is_same {
                    regressions.map = map;
                }
                regressions.learn(&view.inputs, unlearnt, *group, children, view.coordinates, *epoch);
            }
        }
    }

    /// Writes the probabilities of one map's experts, relative to the reference, and the residuals.
    fn predict_map(
        &self,
        view: &FeatureView,
        regressions: &Regressions,
        rows: Range<usize>,
        first_expert: usize,
        probabilities: &mut [Vec<f64>],
        residuals: &mut [Vec<Residual>],
    ) {
        let mut means = Means::default();
        regressions.map.predict(&view.inputs, rows.clone(), &mut means);
        let n_coordinates = view.coordinates.len();
        for (number, noise) in regressions.noises.iter().enumerate() {
            let (child, coordinate) = (number / n_coordinates, view.coordinates[number % n_coordinates]);
            let first = first_expert + number % n_coordinates * N_EXPERTS;
            let residuals = &mut residuals[number];
            vectorised(PredictNoise {
                noise,
                coordinate,
                group: self.group,
                rows: rows.clone(),
                cells: KnownCells { number: self.children[child].number, epoch: self.epoch },
                forecast: |place| means.forecast(place, number),
                probabilities: &mut probabilities[child][first * rows.len()..][..N_EXPERTS * rows.len()],
                take: |residual| residuals.push(residual),
            });
        }
    }

    /// Predicts at most [`N_BLOCK`] rows.
    fn predict_block(
        &self,
        rows: Range<usize>,
        residuals: &mut [Vec<Vec<Residual>>],
        mixtures: &mut [Mixtures],
    ) -> Vec<Vec<f64>> {
        let n_cells = (n_experts(&self.views) + OF_TREE.len()) * rows.len();
        let mut probabilities: Vec<Vec<f64>> = self.children.iter().map(|_| vec![0.0; n_cells]).collect();
        let mut first_expert = 0;
        let maps = self.views.iter().flat_map(|view| view.maps.iter().map(move |map| (view, map)));
        for ((view, map), residuals) in maps.zip(residuals) {
            self.predict_map(view, map, rows.clone(), first_expert, &mut probabilities, residuals);
            first_expert += view.coordinates.len() * N_EXPERTS;
        }
        for ((child, of_child), mixtures) in self.children.iter().zip(&mut probabilities).zip(mixtures) {
            match &child.tree {
                Some(tree) => {
                    let of_tree = &mut of_child[first_expert * rows.len()..];
                    let cells = KnownCells { number: child.number, epoch: self.epoch };
                    let tree = (tree, child.number);
                    self.predict_tree(tree, rows.clone(), cells, &mut mixtures.odds, of_tree);
                }
                None => of_child.truncate(first_expert * rows.len()),
            }
        }
        probabilities
    }

    /// Writes the probabilities of the child's tree, relative to the reference; it does not support wide
    /// cells.
    pub(super) fn predict_tree(
        &self,
        (tree, number): (&RegressionTree, &NumberColumn),
        rows: Range<usize>,
        cells: impl CellSource,
        odds: &mut SplitOdds,
        probabilities: &mut [f64],
    ) {
        if number.has_wide_cells_without_bins(self.epoch) {
            return probabilities.fill(1.0);
        }
        let inputs = &self.views[0].inputs;
        vectorised(PredictTree { tree, inputs, group: self.group, rows, cells, odds, probabilities });
    }

    /// Learns from `rows` in the trees; at a refit, cells are halved.
    fn observe_in_trees(&mut self, rows: Range<usize>, is_refit: bool) {
        let NumberPredictor { group, children, views, epoch, .. } = self;
        let inputs = &views[0].inputs;
        for child in children {
            let Some(tree) = &mut child.tree else { continue };
            let value = |coded: usize, response: usize| {
                child.number.cell(OF_TREE[response], *epoch, group.row(coded)).middle
            };
            for coded in rows.clone() {
                tree.learn(inputs, coded, |response| value(coded, response));
            }
            match is_refit {
                true => tree.grow(inputs, rows.end, &mut child.mixtures.odds, value),
                false => tree.fit(),
            }
        }
    }
}

/// Evenly spread quantile levels, whichever rows are used: multiples of the golden ratio.
fn part(coded: usize) -> f64 {
    ((coded + 1) as f64 * 0.618_033_988_749_894_8).fract()
}

/// The cells of some rows: those of a known column, or of a number that a row may have.
pub(super) trait CellSource: Copy {
    /// The cell of a row in a coordinate.
    fn cell(self, coordinate: Coordinate, row: usize) -> Interval;

    /// The bin that the row lies in and its share of it, where regressions predict bins.
    fn bin(self, coordinate: Coordinate, row: usize) -> Option<(Interval, f64)>;

    /// The mass of the row under an uninformed reference.
    fn reference(self, row: usize) -> f64;
}

/// The rows of a column, coded in an epoch.
#[derive(Debug, Clone, Copy)]
struct KnownCells<'a> {
    number: &'a NumberColumn,
    epoch: usize,
}

impl CellSource for KnownCells<'_> {
    #[inline(always)]
    fn cell(self, coordinate: Coordinate, row: usize) -> Interval {
        self.number.cell(coordinate, self.epoch, row)
    }

    #[inline(always)]
    fn bin(self, coordinate: Coordinate, row: usize) -> Option<(Interval, f64)> {
        self.number.bin(coordinate, self.epoch, row)
    }

    #[inline(always)]
    fn reference(self, row: usize) -> f64 {
        self.number.reference(row)
    }
}

impl CellSource for &Intervals {
    fn cell(self, coordinate: Coordinate, _row: usize) -> Interval {
        Intervals::cell(self, coordinate)
    }

    fn bin(self, coordinate: Coordinate, _row: usize) -> Option<(Interval, f64)> {
        Intervals::bin(self, coordinate)
    }

    fn reference(self, _row: usize) -> f64 {
        self.reference
    }
}

/// The masses of all experts around one response, relative to the reference.
pub(super) struct PredictNoise<'a, C, F, T> {
    pub(super) noise: &'a Noise,
    pub(super) coordinate: Coordinate,
    pub(super) group: FamilyGroup<'a>,
    pub(super) rows: Range<usize>,
    pub(super) cells: C,
    /// The prediction for the row at this position.
    pub(super) forecast: F,
    /// `[expert][row]`.
    pub(super) probabilities: &'a mut [f64],
    /// Takes the residual of each row.
    pub(super) take: T,
}

impl<C: CellSource, F: Fn(usize) -> ResponseForecast, T: FnMut(Residual)> Kernel
    for PredictNoise<'_, C, F, T>
{
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(mut self) {
        let PredictNoise { noise, cells, .. } = self;
        let sds = noise.sds();
        for (place, coded) in self.rows.clone().enumerate() {
            let row = self.group.row(coded);
            let forecast = (self.forecast)(place);
            let cell = cells.cell(self.coordinate, row);
            let (mut masses, mut residual) = noise.predict(cell, part(coded), forecast, sds);
            if let Some((bin, within)) = cells.bin(self.coordinate, row) {
                noise.mix_bin(bin, within, forecast, sds, &mut masses, &mut residual);
            }
            let scale = (1.0 - FLOOR) / cells.reference(row);
            for (expert, mass) in masses.into_iter().enumerate() {
                self.probabilities[expert * self.rows.len() + place] = mass * scale + FLOOR;
            }
            (self.take)(residual);
        }
    }
}

/// The masses of both experts of a tree, relative to the reference.
pub(super) struct PredictTree<'a, C> {
    pub(super) tree: &'a RegressionTree,
    pub(super) inputs: &'a ParentInputs,
    pub(super) group: FamilyGroup<'a>,
    pub(super) rows: Range<usize>,
    pub(super) cells: C,
    pub(super) odds: &'a mut SplitOdds,
    /// `[expert][row]`.
    pub(super) probabilities: &'a mut [f64],
}

impl<C: CellSource> Kernel for PredictTree<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let mut densities = [0.0; OF_TREE.len()];
        for (place, coded) in self.rows.clone().enumerate() {
            let row = self.group.row(coded);
            let cells = OF_TREE.map(|coordinate| self.cells.cell(coordinate, row));
            let middles = cells.map(|cell| cell.middle);
            self.tree.predict(self.inputs.row(coded), &middles, self.odds, &mut densities);
            for (expert, (density, cell)) in densities.iter().zip(cells).enumerate() {
                let mass = (density * cell.width).min(1.0) / self.cells.reference(row);
                self.probabilities[expert * self.rows.len() + place] = (1.0 - FLOOR) * mass + FLOOR;
            }
        }
    }
}

impl Predictor for NumberPredictor<'_> {
    type Prediction = NumberPrediction;

    fn n_children(&self) -> usize {
        self.children.len()
    }

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> NumberPrediction {
        let mut mixtures: Vec<Mixtures> = self.children.iter().map(|child| child.mixtures.clone()).collect();
        let maps = self.views.iter().flat_map(|view| &view.maps);
        let mut residuals: Vec<Vec<Vec<Residual>>> =
            maps.map(|map| map.noises.iter().map(|_| Vec::with_capacity(rows.len())).collect()).collect();
        for start in rows.clone().step_by(N_BLOCK) {
            let block = start..(start + N_BLOCK).min(rows.end);
            let probabilities = self.predict_block(block.clone(), &mut residuals, &mut mixtures);
            for (number, (mixtures, child)) in mixtures.iter_mut().zip(&self.children).enumerate() {
                let mut seeing = vec![0.0; block.len()];
                mixtures.experts.mix_probabilities(&probabilities[number], &mut seeing);
                for (loss, place) in seeing.iter_mut().zip(block.clone()) {
                    *loss -= child.number.reference(self.group.row(place)).ln();
                }
                let mixed = &mut losses[number * rows.len() + start - rows.start..][..block.len()];
                mixtures.all.mix(&[&child.marginal_losses[block.clone()], &seeing], mixed);
            }
        }
        for mixtures in &mut mixtures {
            mixtures.experts.share();
            mixtures.all.share();
        }
        NumberPrediction { residuals, mixtures }
    }

    fn observe(&mut self, rows: Range<usize>, prediction: NumberPrediction) {
        for (child, mixtures) in self.children.iter_mut().zip(prediction.mixtures) {
            child.mixtures = mixtures;
        }
        let is_refit = !self.group.epochs.next_of(rows.end).is_empty();
        self.observe_in_trees(rows.clone(), is_refit);
        let NumberPredictor { group, children, views, epoch, .. } = self;
        let mut residuals = prediction.residuals.iter();
        for view in views {
            for regressions in &mut view.maps {
                for (noise, residuals) in
                    regressions.noises.iter_mut().zip(residuals.by_ref().next().into_iter().flatten())
                {
                    noise.learn(residuals, rows.start);
                }
                if !is_refit {
                    regressions.learn(&view.inputs, rows.clone(), *group, children, view.coordinates, *epoch);
                }
            }
        }
        if is_refit {
            self.refit(rows.clone());
        }
        // There is no refit in the last epoch, so no row is used a second time.
        if self.epoch + 1 == self.group.epochs.number() {
            let maps = self.views.iter_mut().flat_map(|view| &mut view.maps);
            maps.flat_map(|map| &mut map.noises).for_each(|noise| noise.forget(rows.end));
        }
    }
}

impl FeatureView {
    fn new(
        settings: &FourierSettings,
        group: FamilyGroup,
        is_rank: bool,
        coordinates: &'static [Coordinate],
        n_children: usize,
    ) -> FeatureView {
        let inputs = group.inputs(InputView::Plain, 0);
        let n_numbers = inputs.parts().iter().filter(|part| part.is_number).count();
        // With several numbers, low frequencies are used in original units and high ones in ranks; other
        // combinations gain nothing.
        let (first, last) = (usize::from(is_rank && n_numbers > 1), usize::from(!is_rank && n_numbers > 1));
        let scales = match &settings.scales[..] {
            _ if inputs.are_linear() => &[],
            all => all.get(first..all.len().saturating_sub(last)).unwrap_or_default(),
        };
        let waves = scales.iter().map(|&scale| FeatureKind::Waves(scale));
        // With one number they are like the others; a sum in one view is not a sum in the other.
        let has_sums = !is_rank && !scales.is_empty() && n_numbers > 1;
        let sums = has_sums.then_some(FeatureKind::Sums(SCALE_OF_SUMS));
        // Products of ranks only: those of heavy-tailed numbers would be extreme.
        let products = (is_rank && !scales.is_empty()).then_some(FeatureKind::Products);
        let kinds = std::iter::once(FeatureKind::Linear).chain(products).chain(sums).chain(waves);
        let maps = kinds.map(|kind| {
            let memory = if matches!(kind, FeatureKind::Waves(_) | FeatureKind::Sums(_)) { 1.0 } else { 0.0 };
            let noises = (0..n_children * coordinates.len()).map(|_| Noise::new(memory)).collect();
            Regressions { kind, map: FeatureRegression::new(kind, &inputs, settings.design(), 0, 1), noises }
        });
        let maps = maps.collect();
        FeatureView { is_rank, coordinates, inputs, maps }
    }

    /// Imputes all observed censored rows again by the current predictions; whether there are any.
    fn impute_again(&mut self, n_seen: usize, group: FamilyGroup, children: &[Child], epoch: usize) -> bool {
        let FeatureView { coordinates, inputs, maps, .. } = self;
        let is_any = maps.iter().any(|regressions| regressions.noises.iter().any(Noise::has_imputed));
        for regressions in maps.iter_mut().filter(|_| is_any) {
            let mut means = Means::default();
            for start in (0..n_seen).step_by(N_BLOCK) {
                let block = start..(start + N_BLOCK).min(n_seen);
                regressions.map.predict(inputs, block.clone(), &mut means);
                regressions.impute_block(&means, block, group, children, coordinates, epoch);
            }
        }
        is_any
    }

    fn view(&self, epoch: usize) -> InputView {
        if self.is_rank { InputView::Rank { epoch } } else { InputView::Plain }
    }
}

/// The responses of a row: the middle of the child's cell in each coordinate, and the working response of the
/// log-variance.
struct Responses<'a> {
    group: FamilyGroup<'a>,
    children: &'a [Child<'a>],
    coordinates: &'static [Coordinate],
    noises: &'a [Noise],
    epoch: usize,
}

impl WorkingResponse for Responses<'_> {
    #[inline(always)]
    fn write(&self, place: usize, responses: &mut [f64]) -> f64 {
        let row = self.group.row(place);
        let n_coordinates = self.coordinates.len();
        for (number, (noise, pair)) in self.noises.iter().zip(responses.chunks_exact_mut(2)).enumerate() {
            let child = self.children[number / n_coordinates].number;
            let cell = || child.cell(self.coordinates[number % n_coordinates], self.epoch, row);
            pair[0] = noise.imputed(place).unwrap_or_else(|| cell().middle);
            pair[1] = noise.lesson(place);
        }
        1.0
    }
}

impl Regressions {
    fn learn(
        &mut self,
        inputs: &ParentInputs,
        rows: Range<usize>,
        group: FamilyGroup,
        children: &[Child],
        coordinates: &'static [Coordinate],
        epoch: usize,
    ) {
        let responses = Responses { group, children, coordinates, noises: &self.noises, epoch };
        self.map.learn(inputs, rows, &responses);
    }

    /// Imputes these censored rows by the current predictions.
    fn impute_block(
        &mut self,
        means: &Means,
        rows: Range<usize>,
        group: FamilyGroup,
        children: &[Child],
        coordinates: &[Coordinate],
        epoch: usize,
    ) {
        for (number, noise) in self.noises.iter_mut().enumerate().filter(|(_, noise)| noise.has_imputed()) {
            let (child, coordinate) = (number / coordinates.len(), coordinates[number % coordinates.len()]);
            for (place, coded) in rows.clone().enumerate() {
                let cell = children[child].number.cell(coordinate, epoch, group.row(coded));
                noise.impute_again(coded, cell, part(coded), means.forecast(place, number));
            }
        }
    }

    fn expect_wide_cells(&mut self, children: &[Child], coordinates: &[Coordinate], epoch: usize) {
        for (number, noise) in self.noises.iter_mut().enumerate() {
            let (child, coordinate) = (number / coordinates.len(), coordinates[number % coordinates.len()]);
            if children[child].number.has_wide_cells(coordinate, epoch) {
                noise.expect_wide_cells();
            }
        }
    }
}

fn n_experts(views: &[FeatureView]) -> usize {
    views.iter().map(|view| view.maps.len() * view.coordinates.len() * N_EXPERTS).sum()
}

/// Prior weights of all experts with parents.
fn prior(views: &[FeatureView], has_tree: bool) -> Vec<f64> {
    let mut prior = Vec::new();
    for view in views {
        for regressions in &view.maps {
            let of_map = if regressions.kind == FeatureKind::Linear { PRIOR_LINEAR } else { 1.0 };
            for coordinate in view.coordinates {
                let of_coordinate = if *coordinate == Coordinate::Original { PRIOR_ORIGINAL } else { 1.0 };
                prior.extend(PRIOR.iter().map(|weight| of_map * of_coordinate * weight));
            }
        }
    }
    if has_tree {
        prior.extend(OF_TREE.map(|_| PRIOR_TREE));
    }
    prior
}
