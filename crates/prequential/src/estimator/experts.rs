//! Codes families by experts, all children of a parent set together: what `linear`, `fourier`, `neural` and `mix` share.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::counts::{Configurations, CountTables, CountedFamily, Prior, all_losses};
use super::fourier::{FourierPredictor, FourierSettings};
use super::method::{Coded, Coder, Detail, Effort};
use super::neural::{BlockwiseCode, ReplayNet, ReplaySettings, Schedule, WaveInputs, code_blockwise};
use super::parent_inputs::ParentInputs;
use super::prequential::{Predictor, code, growing_chunks};
use super::switch::{SHARE, switch_losses};
use super::target::Target;
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::Quantised;

/// Which experts predict a family.
#[derive(Debug, Clone)]
pub(super) struct ExpertSettings {
    /// What the counts of labels start from.
    pub(super) prior: Prior,
    /// Regressions on waves of the parents.
    pub(super) regressions: Option<FourierSettings>,
    /// Networks.
    pub(super) networks: Option<Networks>,
    /// Whether labels with labels as parents are counted too.
    pub(super) counts: bool,
}

/// The networks among the experts.
#[derive(Debug, Clone)]
pub(super) struct Networks {
    /// How many; their probabilities are averaged.
    pub(super) number: usize,
    /// When they learn.
    pub(super) schedule: Schedule,
}

/// Codes families of one table by experts.
///
/// What depends on the parents alone is computed once per parent set and serves every child.
#[derive(Debug)]
pub(super) struct ExpertCoder {
    settings: ExpertSettings,
    seed: u64,
    data: Quantised,
    tables: CountTables,
    /// Every variable as a child.
    targets: Vec<Target>,
}

impl ExpertCoder {
    pub(super) fn new(settings: ExpertSettings, data: Quantised, seed: u64) -> ExpertCoder {
        let tables = CountTables::new(settings.prior, data.n_rows());
        let alone = Configurations::new(&data, []);
        let target = |node: usize| {
            let column = data.column(node);
            Target::new(column, || all_losses(&mut CountedFamily::new(&tables, &alone, column)))
        };
        let targets = (0..data.n_vars()).map(target).collect();
        ExpertCoder { settings, seed, data, tables, targets }
    }

    /// Whether networks learn how often the values of a child come, too: then families without parents are theirs.
    fn learns_marginals(&self) -> bool {
        self.settings.networks.as_ref().is_some_and(|networks| networks.schedule.learns_marginals())
    }

    /// Losses of counts, where they are an expert of the mixture: for labels with labels as parents. What comes before
    /// anything is learnt costs what it costs without parents.
    fn counted_expert(&self, configurations: &Configurations, child: usize) -> Option<Vec<f64>> {
        if !self.is_label(child) {
            return None;
        }
        let mut losses =
            all_losses(&mut CountedFamily::new(&self.tables, configurations, self.data.column(child)));
        let opening = self.targets[child].opening();
        losses[..opening.len()].copy_from_slice(opening);
        Some(losses)
    }

    fn is_label(&self, node: usize) -> bool {
        self.data.column(node).scale.is_none()
    }

    /// The combinations of these parents' values, if counts are an expert of their children.
    fn configurations(&self, parents: &NodeSet) -> Option<Configurations> {
        let is_counted = self.settings.counts && parents.iter().all(|node| self.is_label(node));
        is_counted.then(|| Configurations::new(&self.data, parents.iter()))
    }
}

impl Coder for ExpertCoder {
    fn data(&self) -> &Quantised {
        &self.data
    }

    /// Children that are coded in the same rows share the work.
    fn code(&self, parents: &NodeSet, children: &[usize], _detail: Detail, stop: Stop) -> Option<Vec<Coded>> {
        if parents.is_empty() && !self.learns_marginals() {
            let alone = |&child: &usize| Coded::of_losses(self.targets[child].marginal_losses.clone());
            return Some(children.iter().map(alone).collect());
        }
        let configurations = self.configurations(parents);
        let mut by_rows: BTreeMap<Option<&[u32]>, Vec<usize>> = BTreeMap::new();
        for (place, &child) in children.iter().enumerate() {
            by_rows.entry(self.data.column(child).rows_used.as_deref()).or_default().push(place);
        }
        let mut coded: Vec<Option<Coded>> = vec![None; children.len()];
        for (rows, places) in by_rows {
            let inputs = ParentInputs::new(&self.data, parents, rows);
            let targets: Vec<&Target> = places.iter().map(|&place| &self.targets[children[place]]).collect();
            let counted = |&place: &usize| self.counted_expert(configurations.as_ref()?, children[place]);
            let counted: Vec<Option<Vec<f64>>> = places.iter().map(counted).collect();
            let family = Family { settings: &self.settings, seed: self.seed, inputs: &inputs, stop };
            let of_places = family.code_children(&targets, &counted)?;
            for (place, one) in places.into_iter().zip(of_places) {
                coded[place] = Some(one);
            }
        }
        Some(coded.into_iter().flatten().collect())
    }
}

/// What all children of one parent set share.
struct Family<'a> {
    settings: &'a ExpertSettings,
    seed: u64,
    inputs: &'a ParentInputs,
    stop: Stop<'a>,
}

/// What one network made of one child.
struct NetCode {
    losses: Vec<f64>,
    effort: Effort,
}

impl Family<'_> {
    /// Codes all `targets`, which are coded in the same rows. `counted` has the losses of counts, for the children that have them as an
    /// expert. `None` if it was stopped.
    fn code_children(&self, targets: &[&Target], counted: &[Option<Vec<f64>>]) -> Option<Vec<Coded>> {
        let regressions = self.settings.regressions.as_ref();
        let regressions =
            regressions.map_or_else(Vec::new, |settings| self.code_by_regressions(settings, targets));
        let networks = self.settings.networks.as_ref();
        let nets = networks.map_or_else(Vec::new, |networks| self.code_by_nets(networks, targets));
        // Now some losses may be missing.
        if self.stop.now() {
            return None;
        }
        let growth = networks.map_or(1.0, |networks| networks.schedule.growth());
        let one = |child: usize| {
            let experts = Experts {
                fixed: regressions.get(child).into_iter().chain(&counted[child]).map(Vec::as_slice).collect(),
                nets: nets.iter().map(|children| &children[child]).collect(),
            };
            experts.join(growth)
        };
        Some((0..targets.len()).map(one).collect())
    }

    /// `[child][row]`: losses of regressions on features of the parents, which all children share.
    fn code_by_regressions(&self, settings: &FourierSettings, targets: &[&Target]) -> Vec<Vec<f64>> {
        let predictor = FourierPredictor::new(settings, self.seed, self.inputs, targets.iter().copied());
        let chunks = growing_chunks(self.inputs.n_rows(), settings.growth);
        code_all(predictor, chunks.take_while(|_| !self.stop.now()), self.inputs.n_rows())
    }

    /// `[net][child]`: what every network alone makes of every child.
    fn code_by_nets(&self, networks: &Networks, targets: &[&Target]) -> Vec<Vec<NetCode>> {
        let one_net = |net: u64| match &networks.schedule {
            Schedule::Replay(settings) => {
                let waves = WaveInputs::new(self.inputs, &settings.waves, self.seed, net);
                let code = |target: &&Target| {
                    self.by_replay(ReplayNet::new(settings, &waves, target, self.seed, net), target, settings)
                };
                targets.par_iter().map(code).collect()
            }
            Schedule::Blockwise(settings) => {
                let code = |target: &&Target| {
                    let code = code_blockwise(settings, self.inputs, target, self.seed, net, self.stop);
                    let BlockwiseCode { losses, n_trainings, n_steps } = code;
                    NetCode { losses, effort: Effort { n_trainings, n_steps } }
                };
                targets.par_iter().map(code).collect()
            }
        };
        (0..networks.number as u64).into_par_iter().map(one_net).collect()
    }

    fn by_replay(&self, net: ReplayNet, target: &Target, settings: &ReplaySettings) -> NetCode {
        let chunks = || growing_chunks(target.n_rows(), settings.growth);
        // Nothing is learnt from the first chunk alone, nor after the last.
        let n_steps = settings.n_steps * chunks().count().saturating_sub(2);
        let coded = code_all(net, chunks().take_while(|_| !self.stop.now()), target.n_rows());
        NetCode { losses: coded.into_iter().flatten().collect(), effort: Effort { n_trainings: 1, n_steps } }
    }
}

/// Every expert's losses for one child.
struct Experts<'a> {
    /// Of regressions and counts.
    fixed: Vec<&'a [f64]>,
    /// Of every network.
    nets: Vec<&'a NetCode>,
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
        let effort = self.nets.iter().map(|net| net.effort).sum();
        Coded { by_net, effort, ..Coded::of_losses(losses) }
    }
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
