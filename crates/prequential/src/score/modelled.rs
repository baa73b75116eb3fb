//! Codes families by models of numbers: all children of a parent set together.

use rayon::prelude::*;

use super::prequential::code;
use crate::estimator::{Model, ParentInputs, ReplayNet, Target, WaveInputs, growing_chunks};

/// How one family was coded.
#[derive(Debug, Clone)]
pub(super) struct Coded {
    /// What each coded row cost.
    pub(super) losses: Vec<f64>,
    /// The code length that each network alone would have given; empty without networks.
    pub(super) by_net: Vec<f64>,
}

/// Codes all `targets`, which are coded in the same rows, given the same parents.
pub(super) fn code_children(model: &Model, inputs: &ParentInputs, targets: &[&Target]) -> Vec<Coded> {
    let nets = code_by_nets(model, inputs, targets);
    let one = |child: usize| {
        let by_net = nets.iter().map(|children| children[child].iter().sum()).collect();
        let losses: Vec<&[f64]> = nets.iter().map(|children| children[child].as_slice()).collect();
        Coded { losses: average(&losses), by_net }
    };
    (0..targets.len()).map(one).collect()
}

/// `[net][child][row]`: losses of every network alone.
fn code_by_nets(model: &Model, inputs: &ParentInputs, targets: &[&Target]) -> Vec<Vec<Vec<f64>>> {
    let one_net = |net: usize| {
        let waves = WaveInputs::new(inputs, &model.replay.waves, model.seed, net as u64);
        let one_child = |target: &&Target| {
            let predictor = ReplayNet::new(&model.replay, &waves, target, model.seed, net as u64);
            let mut losses = Vec::with_capacity(target.n_rows());
            let chunks = growing_chunks(target.n_rows(), model.replay.growth);
            code(predictor, chunks, |_, chunk| losses.extend_from_slice(chunk));
            losses
        };
        targets.par_iter().map(one_child).collect()
    };
    (0..model.n_nets).into_par_iter().map(one_net).collect()
}

/// Losses of the mean of several predictions' probabilities.
fn average(losses: &[&[f64]]) -> Vec<f64> {
    if let [only] = losses {
        return only.to_vec();
    }
    let one = |row: usize| {
        let least = losses.iter().map(|losses| losses[row]).fold(f64::INFINITY, f64::min);
        let sum: f64 = losses.iter().map(|losses| (least - losses[row]).exp()).sum();
        least - (sum / losses.len() as f64).ln()
    };
    (0..losses[0].len()).map(one).collect()
}
