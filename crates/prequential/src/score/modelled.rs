//! Codes families by models of numbers: all children of a parent set together.

use rayon::prelude::*;

use super::prequential::code;
use crate::base::stop::Halt;
use crate::estimator::{
    BlockwiseCode, FourierPredictor, Model, ParentInputs, Predictor, ReplayNet, SHARE, Schedule, Target,
    WaveInputs, code_blockwise, growing_chunks, switch_losses,
};

/// How one family was coded.
#[derive(Debug, Clone)]
pub(super) struct Coded {
    /// What each coded row cost.
    pub(super) losses: Vec<f64>,
    /// What each row would have cost with each network alone, with the other experts; empty without networks.
    pub(super) by_net: Vec<Vec<f64>>,
    /// What it took.
    pub(super) effort: Effort,
}

/// What coding took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effort {
    /// Networks trained.
    pub(crate) n_trainings: usize,
    /// Gradient steps of all of them.
    pub(crate) n_steps: usize,
}

impl std::iter::Sum for Effort {
    fn sum<I: Iterator<Item = Effort>>(efforts: I) -> Effort {
        efforts.fold(Effort::default(), |sum, one| Effort {
            n_trainings: sum.n_trainings + one.n_trainings,
            n_steps: sum.n_steps + one.n_steps,
        })
    }
}

/// What one network made of one child.
struct NetCode {
    losses: Vec<f64>,
    effort: Effort,
}

/// Every expert's losses for one child.
struct Experts<'a> {
    /// Of regressions and counts.
    fixed: Vec<&'a [f64]>,
    /// Of every network.
    nets: Vec<&'a NetCode>,
}

/// Codes all `targets`, which are coded in the same rows, given the same parents. `counted` has the losses of counts, for
/// the children that have them as an expert. `None` if it was halted.
pub(super) fn code_children(
    model: &Model,
    inputs: &ParentInputs,
    targets: &[&Target],
    counted: &[Option<Vec<f64>>],
    halt: Halt,
) -> Option<Vec<Coded>> {
    let regressions = if model.estimator.has_regressions() {
        code_by_regressions(model, inputs, targets, halt)
    } else {
        Vec::new()
    };
    let nets =
        if model.estimator.has_networks() { code_by_nets(model, inputs, targets, halt) } else { Vec::new() };
    // Now some losses may be missing.
    if halt.now() {
        return None;
    }
    let one = |child: usize| {
        let experts = Experts {
            fixed: regressions.get(child).into_iter().chain(&counted[child]).map(Vec::as_slice).collect(),
            nets: nets.iter().map(|children| &children[child]).collect(),
        };
        experts.join(model.replay.growth)
    };
    Some((0..targets.len()).map(one).collect())
}

impl Experts<'_> {
    /// One code from all: the networks' probabilities are averaged, and a switching mixture joins them with the others.
    fn join(&self, growth: f64) -> Coded {
        let mixed_with = |nets: Option<&[f64]>| -> Vec<f64> {
            let experts: Vec<&[f64]> = self.fixed.iter().copied().chain(nets).collect();
            match &experts[..] {
                [only] => only.to_vec(),
                several => switch_losses(several, growing_chunks(several[0].len(), growth), SHARE),
            }
        };
        let nets: Vec<&[f64]> = self.nets.iter().map(|net| net.losses.as_slice()).collect();
        let average = (!nets.is_empty()).then(|| average(&nets));
        let losses = mixed_with(average.as_deref());
        let by_net = match &nets[..] {
            [_] => vec![losses.clone()],
            several => several.iter().map(|net| mixed_with(Some(net))).collect(),
        };
        Coded { losses, by_net, effort: self.nets.iter().map(|net| net.effort).sum() }
    }
}

/// `[child][row]`: losses of regressions on features of the parents, which all children share.
fn code_by_regressions(
    model: &Model,
    inputs: &ParentInputs,
    targets: &[&Target],
    halt: Halt,
) -> Vec<Vec<f64>> {
    let predictor = FourierPredictor::new(&model.fourier, model.seed, inputs, targets.iter().copied());
    let chunks = growing_chunks(inputs.n_rows(), model.fourier.growth);
    code_all(predictor, chunks.take_while(|_| !halt.now()), inputs.n_rows())
}

/// `[net][child]`: what every network alone makes of every child.
fn code_by_nets(model: &Model, inputs: &ParentInputs, targets: &[&Target], halt: Halt) -> Vec<Vec<NetCode>> {
    let one_net = |net: usize| match model.schedule {
        Schedule::Replay => {
            let waves = WaveInputs::new(inputs, &model.replay.waves, model.seed, net as u64);
            targets.par_iter().map(|target| by_replay(model, &waves, target, net as u64, halt)).collect()
        }
        Schedule::Blockwise => {
            targets.par_iter().map(|target| by_blocks(model, inputs, target, net as u64, halt)).collect()
        }
    };
    (0..model.n_nets).into_par_iter().map(one_net).collect()
}

fn by_replay(model: &Model, waves: &WaveInputs, target: &Target, net: u64, halt: Halt) -> NetCode {
    let predictor = ReplayNet::new(&model.replay, waves, target, model.seed, net);
    let chunks = || growing_chunks(target.n_rows(), model.replay.growth);
    // Nothing is learnt from the first chunk alone, nor after the last.
    let n_steps = model.replay.n_steps * chunks().count().saturating_sub(2);
    let losses = code_all(predictor, chunks().take_while(|_| !halt.now()), target.n_rows()).swap_remove(0);
    NetCode { losses, effort: Effort { n_trainings: 1, n_steps } }
}

fn by_blocks(model: &Model, inputs: &ParentInputs, target: &Target, net: u64, halt: Halt) -> NetCode {
    let BlockwiseCode { losses, n_trainings, n_steps } =
        code_blockwise(&model.blockwise, inputs, target, model.seed, net, halt);
    NetCode { losses, effort: Effort { n_trainings, n_steps } }
}

/// `[child][row]`: all losses.
fn code_all(
    predictor: impl Predictor,
    chunks: impl Iterator<Item = std::ops::Range<usize>>,
    n_rows: usize,
) -> Vec<Vec<f64>> {
    let mut losses: Vec<Vec<f64>> = vec![Vec::with_capacity(n_rows); predictor.n_children()];
    code(predictor, chunks, |rows, chunk| {
        for (losses, chunk) in losses.iter_mut().zip(chunk.chunks_exact(rows.len())) {
            losses.extend_from_slice(chunk);
        }
    });
    losses
}

/// Losses of the mean of several predictions' probabilities.
fn average(losses: &[&[f64]]) -> Vec<f64> {
    if let [only] = losses {
        return only.to_vec();
    }
    let one = |row: usize| {
        // Not `f64::min`, which would hide a loss that is not a number.
        let least = losses
            .iter()
            .map(|losses| losses[row])
            .fold(f64::INFINITY, |least, loss| if loss > least { least } else { loss });
        let sum: f64 = losses.iter().map(|losses| (least - losses[row]).exp()).sum();
        least - (sum / losses.len() as f64).ln()
    };
    (0..losses[0].len()).map(one).collect()
}
