//! The paper's block-wise schedule: at each split point a network is trained on the rows before it, from
//! scratch by default, and codes the rows up to the next.

use std::ops::Range;

use rayon::prelude::*;

use super::fourier_features::FourierFeatures;
use super::head::Head;
use super::layers::{Architecture, Network};
use super::settings::BlockwiseSettings;
use super::training::{BlockLosses, TrainableModel, Trained, Training};
use crate::base::stop::Stop;
use crate::estimator::{CodedTarget, ParentInputs};
use crate::simd::vectorised;

/// The scale of the last layer's initial weights, small so that levels start almost equally likely.
const LAST_SCALE: f32 = 0.1;

impl BlockwiseSettings {
    /// The blocks that are coded by one network each, for so many rows: `block.start` is a split point.
    ///
    /// Split points and the number of rows are evenly spaced on a logarithmic scale; where there are too few rows for that
    /// many whole numbers, there are fewer.
    pub fn blocks(&self, n_rows: usize) -> Vec<Range<usize>> {
        let first = self.first_split();
        if n_rows <= first {
            return Vec::new();
        }
        let growth = n_rows as f64 / first as f64;
        let point = |k: usize| (first as f64 * growth.powf(k as f64 / self.n_splits as f64)).round() as usize;
        let mut points: Vec<usize> = (0..=self.n_splits).map(point).collect();
        points.dedup();
        points.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// A network needs a row to learn from and one to validate on.
    fn first_split(&self) -> usize {
        self.first_split.max(2)
    }

    /// How many of `n_seen` rows are held out.
    pub(super) fn n_validation(&self, n_seen: usize) -> usize {
        let share = (self.validation_share * n_seen as f64).round() as usize;
        share.max(self.min_validation).min(n_seen / 2).max(1)
    }
}

/// The code of a family, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BlockwiseCode {
    /// The loss of every row, in nats; NaN in blocks for which training diverged at every learning rate.
    pub(crate) losses: Vec<f64>,
    /// Networks trained.
    pub(crate) n_trainings: usize,
    /// Gradient steps of all of them.
    pub(crate) n_steps: usize,
}

/// Codes a family: network number `net` of those that share the seed.
///
/// The training runs are independent and run in parallel, unless each starts where the one before ended. They
/// share random numbers with the runs of other families at the same split point and learning rate, so that
/// code lengths differ less by chance. With `stop` they end early, and the losses are invalid.
pub(crate) fn code_blockwise(
    settings: &BlockwiseSettings,
    inputs: &ParentInputs,
    target: &CodedTarget,
    seed: u64,
    net: u64,
    stop: Stop,
) -> BlockwiseCode {
    let (n_waves, scale) = (settings.n_frequencies, settings.frequency_scale);
    let features = FourierFeatures::new(inputs, n_waves, scale, seed, net);
    let head = Head::softmax(target.n_levels, settings.floor as f32);
    let network = Network::new(&Architecture {
        n_inputs: features.width(),
        hidden: settings.hidden.clone(),
        n_outputs: head.n_outputs(),
        layer_norm: false,
        dropout: settings.dropout as f32,
    });
    let model = TrainableModel { settings, features, head, network, last_scale: LAST_SCALE, seed, net, stop };

    let blocks = settings.blocks(target.n_rows());
    let n_opening = blocks.first().map_or(target.n_rows(), |block| block.start);
    // The opening: nothing is known yet, not even the frequency of levels; equal for every parent set.
    let mut losses = vec![(target.n_levels as f64).ln(); n_opening];
    let coded: Vec<CodedBlock> = match settings.warm_start {
        false => {
            let blocks = blocks.par_iter().enumerate();
            blocks.map(|(split, block)| code_block(&model, target, split, block, None)).collect()
        }
        true => blocks.iter().enumerate().fold(Vec::new(), |mut coded: Vec<CodedBlock>, (split, block)| {
            let before = coded.last().and_then(|before| before.predictor.as_ref());
            coded.push(code_block(&model, target, split, block, before));
            coded
        }),
    };
    coded.iter().for_each(|of_block| losses.extend(&of_block.losses));
    BlockwiseCode {
        losses,
        n_trainings: blocks.len() * settings.learning_rates.len(),
        n_steps: coded.iter().map(|of_block| of_block.n_steps).sum(),
    }
}

/// The loss of one block, and with a warm start the network that predicted it; `None` if no training
/// converged.
struct CodedBlock {
    losses: Vec<f64>,
    n_steps: usize,
    predictor: Option<Trained>,
}

/// Trains on the rows before `block` with every learning rate, from the weights of `before` if there are any; the best predicts the block.
fn code_block(
    model: &TrainableModel,
    target: &CodedTarget,
    split: usize,
    block: &Range<usize>,
    before: Option<&Trained>,
) -> CodedBlock {
    let (seen, coded) = target.codes[..block.end].split_at(block.start);
    let rates = &model.settings.learning_rates;
    let runs: Vec<Trained> = (0..rates.len())
        .into_par_iter()
        .filter(|_| !model.stop.now())
        .map(|number| {
            vectorised(Training { model, seen, split, number, learning_rate: rates[number], before })
        })
        .collect();
    let n_steps = runs.iter().map(|run| run.n_steps).sum();
    // NaN, the loss of a diverged network, comes last, whatever its sign; of equals the first is taken.
    let loss = |run: &Trained| if run.validation_loss.is_nan() { f64::INFINITY } else { run.validation_loss };
    // Predicting a block may take as long as many steps, so it is skipped after a stop.
    let predictor = runs.into_iter().min_by(|a, b| loss(a).total_cmp(&loss(b))).filter(|_| !model.stop.now());
    let losses = match &predictor {
        Some(predictor) => vectorised(BlockLosses { model, predictor, first_row: block.start, coded }),
        None => vec![f64::NAN; coded.len()],
    };
    // Kept only for a warm start.
    let predictor = predictor.filter(|best| model.settings.warm_start && !best.validation_loss.is_nan());
    CodedBlock { losses, n_steps, predictor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::column::unlearnt;
    use crate::estimator::network::OptimiserKind;
    use crate::estimator::parent_inputs::InputView;
    use crate::graph::NodeSet;
    use crate::table::{Binning, ParentValues, Quantisation, Quantised, Table, Values, Variable};

    const N_ROWS: usize = 700;

    /// Small enough for tests.
    fn small() -> BlockwiseSettings {
        BlockwiseSettings {
            hidden: vec![32, 32],
            dropout: 0.1,
            n_frequencies: 16,
            frequency_scale: 2.0,
            learning_rates: vec![2e-3, 6e-3],
            batch: 32,
            max_steps: 300,
            evaluation_interval: 20,
            ..BlockwiseSettings::default()
        }
    }

    /// x, y = sin(3 x) and a little noise, z apart from both; as the paper quantises, into 16 bins.
    fn data() -> Quantised {
        let turn = |row: usize, step: f64| (row as f64 * step).fract();
        let x = |row: usize| 2.0 * turn(row, 0.618_033_988_7) - 1.0;
        let y = |row: usize| (3.0 * x(row)).sin() + 0.1 * turn(row, 0.414_213_562_4);
        let z = |row: usize| 3.0 * turn(row, 0.732_050_807_6) - 1.5;
        let variable = |name: &str, number: &dyn Fn(usize) -> f64| Variable {
            name: name.into(),
            values: Values::Numbers((0..N_ROWS).map(number).collect()),
            intervened: None,
        };
        let table = Table::new(vec![variable("x", &x), variable("y", &y), variable("z", &z)]).unwrap();
        Quantised::with(
            &table,
            &Quantisation { n_bins: 16, binning: Binning::Tanh, parent_values: ParentValues::Raw },
        )
    }

    fn target(data: &Quantised, child: usize) -> CodedTarget {
        CodedTarget::new(data.column(child))
    }

    fn inputs(parents: u64) -> ParentInputs {
        ParentInputs::new(&unlearnt(&data()), &NodeSet::from_bits(parents), None, InputView::Raw, N_ROWS)
    }

    /// The losses of y given a set of parents.
    fn losses(settings: &BlockwiseSettings, target: &CodedTarget, parents: u64) -> Vec<f64> {
        let inputs = inputs(parents);
        code_blockwise(settings, &inputs, target, 1, 0, Stop::never()).losses
    }

    fn total(settings: &BlockwiseSettings, parents: u64) -> f64 {
        losses(settings, &target(&data(), 1), parents).iter().sum()
    }

    #[test]
    fn split_points_are_evenly_spaced_on_a_logarithmic_scale() {
        let settings = BlockwiseSettings::default();
        let starts = |n_rows| settings.blocks(n_rows).iter().map(|block| block.start).collect::<Vec<_>>();
        assert_eq!(starts(5_000), [16, 42, 109, 283, 737, 1919]);
        assert_eq!(starts(16 * 64), [16, 32, 64, 128, 256, 512]);
        // Fewer rows than split points, and none after the opening.
        assert_eq!(settings.blocks(19), [16..17, 17..18, 18..19]);
        assert_eq!(settings.blocks(16), []);
        for n_rows in [17, 20, 100, 12_345] {
            let blocks = settings.blocks(n_rows);
            assert_eq!((blocks[0].start, blocks[blocks.len() - 1].end), (16, n_rows));
            assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn a_warm_start_shares_the_first_block_and_nothing_after_it() {
        let target = target(&data(), 1);
        let scratch = losses(&small(), &target, 0b001);
        let warm = losses(&BlockwiseSettings { warm_start: true, ..small() }, &target, 0b001);
        let blocks = small().blocks(N_ROWS);
        assert_eq!(scratch[..blocks[0].end], warm[..blocks[0].end]);
        assert!(blocks[1..].iter().all(|block| scratch[block.clone()] != warm[block.clone()]));
        // What was learned is not lost: a uniform code would cost ln 16 = 2.8.
        let of_last = |losses: &[f64]| losses[blocks[5].clone()].iter().sum::<f64>() / blocks[5].len() as f64;
        assert!((of_last(&scratch) - of_last(&warm)).abs() < 0.4, "{} {}", of_last(&scratch), of_last(&warm));
    }

    #[test]
    fn the_opening_costs_the_same_for_every_parent_set() {
        let y = target(&data(), 1);
        let settings = BlockwiseSettings { max_steps: 1, ..small() };
        for parents in [0b000, 0b001, 0b101] {
            let losses = losses(&settings, &y, parents);
            assert_eq!(losses.len(), N_ROWS);
            assert_eq!(losses[..16], [16.0_f64.ln(); 16]);
        }
    }

    #[test]
    fn losses_do_not_depend_on_later_levels() {
        let settings = small();
        let y = target(&data(), 1);
        let before = losses(&settings, &y, 0b101);
        for block in settings.blocks(N_ROWS) {
            let changed_from = block.start + block.len() / 2;
            let mut changed = y.clone();
            changed.codes[changed_from..].iter_mut().for_each(|code| *code = (*code + 5) % 16);
            let after = losses(&settings, &changed, 0b101);
            assert_eq!(before[..changed_from], after[..changed_from]);
            assert_ne!(before[changed_from..], after[changed_from..]);
        }
    }

    #[test]
    fn a_curve_is_learnt_and_an_unrelated_parent_is_a_burden() {
        let [none, x, xz] = [0b000, 0b001, 0b101].map(|parents| total(&small(), parents));
        assert!(x < none - 400.0, "y | x: {x}, y: {none}");
        assert!(x < xz, "y | x: {x}, y | x, z: {xz}");
    }

    #[test]
    fn without_parents_the_marginal_is_learnt() {
        let y = target(&data(), 1);
        // Compared with the entropy of the whole column, which uses more information.
        let share = |code: &u32| y.codes.iter().filter(|&other| other == code).count() as f64 / N_ROWS as f64;
        let known: f64 = y.codes[350..].iter().map(|code| -share(code).ln()).sum();
        for n_frequencies in [0, 16] {
            let settings = BlockwiseSettings { n_frequencies, ..small() };
            let found: f64 = losses(&settings, &y, 0)[350..].iter().sum();
            assert!((found - known).abs() < 0.05 * known, "{found} {known}");
            assert!(found < 0.95 * 350.0 * 16.0_f64.ln());
        }
    }

    #[test]
    fn every_choice_works() {
        let default = total(&small(), 0b001);
        let uniform = N_ROWS as f64 * 16.0_f64.ln();
        let variants = [
            BlockwiseSettings { calibrate: false, ..small() },
            BlockwiseSettings { n_frequencies: 0, ..small() },
            BlockwiseSettings { optimiser: OptimiserKind::RmsProp, ..small() },
            BlockwiseSettings { optimiser: OptimiserKind::Momentum, learning_rates: vec![0.05], ..small() },
            BlockwiseSettings { hidden: vec![], ..small() },
            BlockwiseSettings { dropout: 0.0, n_splits: 3, first_split: 50, ..small() },
        ];
        for settings in variants {
            let found = total(&settings, 0b001);
            assert!(found < 0.95 * uniform && found != default, "{settings:?}: {found}");
        }
    }

    #[test]
    fn a_diverged_network_gives_no_number() {
        let settings = BlockwiseSettings { learning_rates: vec![1e39], ..small() };
        let losses = losses(&settings, &target(&data(), 1), 0b001);
        assert!(losses[16..].iter().all(|loss| loss.is_nan()));
        // One learning rate that works is enough.
        let settings = BlockwiseSettings { learning_rates: vec![1e39, 2e-3], ..small() };
        assert!(total(&settings, 0b001).is_finite());
    }

    #[test]
    fn training_stops_early_and_counts_its_steps() {
        let inputs = inputs(0b100);
        let y = target(&data(), 1);
        let steps = |patience: usize, max_steps: usize| {
            let settings = BlockwiseSettings { patience, max_steps, ..small() };
            code_blockwise(&settings, &inputs, &y, 1, 0, Stop::never())
        };
        // z is independent of y: learning from it is overfitting.
        let code = steps(2, 1_000);
        assert!(code.n_trainings == 12 && code.n_steps < 6_000, "{}", code.n_steps);
        assert_eq!(steps(1_000, 30).n_steps, 12 * 30);
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| losses(&small(), &target(&data(), 1), 0b001))
        };
        assert_eq!(run(1), run(2));
    }
}
