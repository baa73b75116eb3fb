//! Neural networks: mixture-density networks of numbers and softmax networks of labels (Bishop 1994), averaged.

use rayon::prelude::*;

use super::{Expert, ExpertCode, FamilyTask, SequentialExpert, TableSize};
use crate::estimator::column::CodedColumn;
use crate::estimator::method::Effort;
use crate::estimator::network::{
    BlockwiseCode, ReplayNet, ReplaySettings, Schedule, WaveInputs, code_blockwise,
};
use crate::estimator::parent_inputs::InputView;
use crate::estimator::prequential::{code_all, growing_chunks};
use crate::estimator::target::CodedTarget;

/// How many first rows networks do not predict.
const N_OPENING: usize = 16;

/// A row's outcome for a network, and its loss.
const BYTES_OF_OUTCOME: f64 = 24.0 + 3.0 * 8.0;

/// Several networks, whose probabilities are averaged.
#[derive(Debug)]
pub(in crate::estimator) struct NetworkExpert {
    pub(in crate::estimator) n_networks: usize,
    /// The training schedule.
    pub(in crate::estimator) schedule: Schedule,
}

/// The losses of one network for one child.
struct NetworkCode {
    losses: Vec<f64>,
    effort: Effort,
}

impl Expert for NetworkExpert {
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>> {
        let columns: Vec<&CodedColumn> = children.iter().map(|&child| &task.table.columns[child]).collect();
        let networks: Vec<Vec<NetworkCode>> = (0..self.n_networks as u64)
            .into_par_iter()
            .map(|network| match &self.schedule {
                Schedule::Replay(settings) => replay(settings, task, &columns, network),
                Schedule::Blockwise(_) => self.train_from_scratch(task, &columns, network),
            })
            .collect();
        let average_of_child = |child: usize| {
            let by_member: Vec<Vec<f64>> =
                networks.iter().map(|children| children[child].losses.clone()).collect();
            let effort = networks.iter().map(|children| children[child].effort).sum();
            // After a stop some losses are missing, but they are not used.
            let losses = if task.stop.now() { Vec::new() } else { average(&by_member) };
            Some(ExpertCode { losses, by_member, effort })
        };
        (0..children.len()).map(average_of_child).collect()
    }

    fn is_expensive(&self) -> bool {
        true
    }

    fn learns_marginals(&self) -> bool {
        self.schedule.learns_marginals()
    }

    /// One family of three parents.
    fn memory(&self, table: &TableSize) -> f64 {
        let n_rows = table.schedule.n_coded() as f64;
        let inputs = match &self.schedule {
            Schedule::Replay(settings) => WaveInputs::bytes(&settings.waves, 3, table.schedule.row_ends()),
            Schedule::Blockwise(_) => 3.0 * 8.0 * n_rows,
        };
        inputs + BYTES_OF_OUTCOME * n_rows
    }

    fn sequential(&self) -> Option<SequentialExpert> {
        None
    }
}

impl NetworkExpert {
    /// The losses of every child by one network trained from scratch at split points.
    fn train_from_scratch(
        &self,
        task: &FamilyTask,
        children: &[&CodedColumn],
        network: u64,
    ) -> Vec<NetworkCode> {
        let Schedule::Blockwise(settings) = &self.schedule else { return Vec::new() };
        let inputs = task.group.inputs(InputView::Raw, task.group.epochs.n_coded());
        let code = |child: &&CodedColumn| {
            let target = CodedTarget::new(&child.cells);
            let code = code_blockwise(settings, &inputs, &target, task.seed, network, task.stop);
            let BlockwiseCode { losses, n_trainings, n_steps } = code;
            NetworkCode { losses, effort: Effort { n_trainings, n_steps } }
        };
        children.par_iter().map(code).collect()
    }
}

/// The losses of every child by one network that learns by replay.
fn replay(
    settings: &ReplaySettings,
    task: &FamilyTask,
    children: &[&CodedColumn],
    network: u64,
) -> Vec<NetworkCode> {
    let schedule = task.group.epochs;
    let waves = |epoch: usize| {
        let rows = task.group.parent_rows(InputView::Rank { epoch });
        WaveInputs::new(rows, schedule.end_of(epoch), &settings.waves, task.seed, network)
    };
    let waves: Vec<WaveInputs> = (0..schedule.number()).map(waves).collect();
    let code = |child: &&CodedColumn| {
        let chunks = || growing_chunks(schedule, settings.growth, N_OPENING);
        // Nothing is learned from the first chunk alone, nor after the last.
        let n_steps = settings.n_steps * chunks().count().saturating_sub(2);
        let net = ReplayNet::new(settings, &waves, child, task.seed, network);
        let coded = code_all(net, chunks().take_while(|_| !task.stop.now()), schedule.n_coded());
        let losses = coded.into_iter().flatten().collect();
        NetworkCode { losses, effort: Effort { n_trainings: 1, n_steps } }
    };
    children.par_iter().map(code).collect()
}

/// Losses of the mean of several predictions' probabilities.
fn average(losses: &[Vec<f64>]) -> Vec<f64> {
    if let [only] = losses {
        return only.clone();
    }
    let average_of_row = |row: usize| {
        // Not `f64::min`, which would hide NaN.
        let least = losses
            .iter()
            .map(|losses| losses[row])
            .fold(f64::INFINITY, |least, loss| if loss > least { least } else { loss });
        let sum: f64 = losses.iter().map(|losses| (least - losses[row]).exp()).sum();
        least - (sum / losses.len() as f64).ln()
    };
    (0..losses.first().map_or(0, Vec::len)).map(average_of_row).collect()
}
