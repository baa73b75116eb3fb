//! Bayesian linear and random-Fourier-feature regressions (Rahimi and Recht 2007) of numbers on the parents, and
//! logistic regressions and discriminants of labels, and hurdle models (Cragg 1971) where one value is frequent.

use super::{Expert, ExpertCode, FamilyTask, SequentialExpert, TableSize};
use crate::estimator::column::{CodedColumn, Hurdle};
use crate::estimator::family_group::FamilyGroup;
use crate::estimator::prequential::{CHUNK_GROWTH_FACTOR, Predictor, code_all, growing_chunks};
use crate::estimator::regression::{FourierSettings, LabelPredictor, NumberPredictor};

/// Tables of shapes around one response, with constant noise and with regressed noise.
const BYTES_OF_NOISE: f64 = 2.0 * 513.0 * 8.0 * (1.0 + 2.0);

/// The memory of a row for one response's noise, until its chunk is learned.
const BYTES_OF_WORKING_RESPONSE: f64 = 4.0;
const BYTES_OF_RESIDUAL: f64 = 24.0;

/// A row in the tree of a child.
const BYTES_IN_TREE: f64 = 6.0;

/// Regressions on features of the parents; without parents, the marginal.
#[derive(Debug)]
pub(in crate::estimator) struct RegressionExpert {
    pub(in crate::estimator) settings: FourierSettings,
}

impl Expert for RegressionExpert {
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>> {
        let columns: Vec<&CodedColumn> = children.iter().map(|&child| &task.table.columns[child]).collect();
        let losses = if task.has_parents() {
            self.code_children(task, &columns)
        } else {
            columns.iter().map(|column| column.marginal_losses.clone()).collect()
        };
        losses.into_iter().map(|losses| Some(ExpertCode::of_losses(losses))).collect()
    }

    fn keeps_losses(&self) -> bool {
        true
    }

    /// One parent with all others as children: the largest group processed at a time.
    fn memory(&self, table: &TableSize) -> f64 {
        let (schedule, n_children) = (&table.schedule, (table.n_numbers - 1.0).max(0.0));
        let n_scales = self.settings.scales.len();
        // In original units; in ranks, of two coordinates each, with products if there are Fourier features.
        let n_maps = (1 + n_scales) + 2 * (1 + usize::from(n_scales > 0) + n_scales);
        let n_noises = n_maps as f64 * n_children;
        let chunks = growing_chunks(schedule, CHUNK_GROWTH_FACTOR, 1);
        let n_chunk = chunks.map(|chunk| chunk.len()).max().unwrap_or(0) as f64;
        // Nothing is kept of the last epoch.
        let n_kept = schedule.number().checked_sub(2).map_or(0, |epoch| schedule.end_of(epoch)) as f64;
        let of_noise = BYTES_OF_NOISE + BYTES_OF_WORKING_RESPONSE * n_kept + BYTES_OF_RESIDUAL * n_chunk;
        let tree = if n_scales > 0 { BYTES_IN_TREE * schedule.n_coded() as f64 } else { 0.0 };
        n_noises * of_noise + n_children * tree + 2.0 * 8.0 * table.n_rows as f64
    }

    fn sequential(&self) -> Option<SequentialExpert> {
        // Columns that become known row by row are predicted in the chunks of their marginals.
        let settings = Some(&self.settings).filter(|settings| settings.growth == CHUNK_GROWTH_FACTOR);
        settings.cloned().map(SequentialExpert::Regressions)
    }
}

impl RegressionExpert {
    /// `[child][row]`: all numeric children share the work.
    fn code_children(&self, task: &FamilyTask, children: &[&CodedColumn]) -> Vec<Vec<f64>> {
        let (settings, group) = (&self.settings, task.group);
        let numbers = || children.iter().copied().filter(|child| child.is_number());
        let of_numbers = match numbers().next() {
            Some(_) => self.code_all(task, group, NumberPredictor::new(settings, group, numbers())),
            None => Vec::new(),
        };
        let mut of_numbers = of_numbers.into_iter();
        let code = |child: &&CodedColumn| {
            if child.is_number() {
                return self.with_hurdle(task, child, of_numbers.next().unwrap_or_default());
            }
            self.code_all(task, group, LabelPredictor::new(settings, group, child)).remove(0)
        };
        children.iter().map(code).collect()
    }

    /// `[child][row]`: all losses of a predictor of a group, unless the work is stopped.
    fn code_all(&self, task: &FamilyTask, group: FamilyGroup, predictor: impl Predictor) -> Vec<Vec<f64>> {
        let chunks = growing_chunks(group.epochs, self.settings.growth, 1);
        code_all(predictor, chunks.take_while(|_| !task.stop.now()), group.epochs.n_coded())
    }

    /// The losses of one part joined with those of a hurdle model, if one of the child's values is frequent.
    fn with_hurdle(&self, task: &FamilyTask, child: &CodedColumn, in_one: Vec<f64>) -> Vec<f64> {
        let Some(hurdle) = &child.hurdle else { return in_one };
        let Hurdle { is_frequent, otherwise } = &**hurdle;
        let (settings, rows) = (&self.settings, otherwise.cells.rows_used.as_deref());
        let others = FamilyGroup { rows, epochs: &otherwise.epochs, ..task.group };
        let indicator = LabelPredictor::new(settings, task.group, is_frequent);
        let of_indicator = self.code_all(task, task.group, indicator).remove(0);
        let of_others = NumberPredictor::new(settings, others, std::iter::once(otherwise));
        let of_others = self.code_all(task, others, of_others).remove(0);
        // After a stop losses are missing, but they are not used.
        if task.stop.now() { in_one } else { hurdle.join(&in_one, &of_indicator, &of_others) }
    }
}
