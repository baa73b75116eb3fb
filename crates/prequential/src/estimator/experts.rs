//! Codes families by experts, all children of a parent set together: what `linear`, `fourier`, `neural` and `mix` share.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::column::CodedColumn;
use super::counts::{Configurations, CountTables, CountedFamily, Prior, all_losses};
use super::family_group::FamilyGroup;
use super::fixed_share::{SLOW_SWITCH_RATE, fixed_share_losses};
use super::fourier::{FourierSettings, LabelPredictor, NumberPredictor};
use super::hurdle::Hurdle;
use super::loss_cache::LossCache;
use super::method::{Coded, Coder, Detail, Effort};
use super::neural::{BlockwiseCode, ReplayNet, ReplaySettings, Schedule, WaveInputs, code_blockwise};
use super::parent_inputs::View;
use super::prequential::{CHUNK_GROWTH_FACTOR, Predictor, code, growing_chunks};
use super::target::Target;
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::Quantised;

/// Rows that networks do not predict: they have nothing to say yet.
const N_OPENING: usize = 16;

/// Weights before any row, of the child's own distribution or of regressions, of counts, and of networks.
pub(super) const PRIOR_REGRESSIONS: f64 = 2.0;
pub(super) const PRIOR_COUNTS: f64 = 1.0;
const PRIOR_NETWORKS: f64 = 1.0;

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
    /// Whether, without networks, the weight of networks is paid for all the same: as if they had nothing to say.
    pub(super) pays_for_networks: bool,
}

/// The networks among the experts.
#[derive(Debug, Clone)]
pub(super) struct Networks {
    /// How many; their probabilities are averaged.
    pub(super) number: usize,
    /// When they learn.
    pub(super) schedule: Schedule,
}

impl Networks {
    /// Whether they learn how often the values of a child come, too.
    fn learn_marginals(&self) -> bool {
        self.schedule.learns_marginals()
    }
}

/// Codes families of one table by experts.
///
/// What depends on the parents marginal_losses is computed once per parent set and serves every child.
#[derive(Debug)]
pub(super) struct ExpertCoder {
    settings: ExpertSettings,
    seed: u64,
    table: Arc<LearntTable>,
    /// Whether networks will want to know what regressions make of these families.
    keeps_losses: bool,
}

/// A table with what is learnt of every column marginal_losses.
#[derive(Debug)]
struct LearntTable {
    data: Quantised,
    tables: CountTables,
    columns: Vec<CodedColumn>,
    kept: LossCache,
}

impl ExpertCoder {
    pub(super) fn new(settings: ExpertSettings, data: Quantised, seed: u64) -> ExpertCoder {
        let tables = CountTables::new(settings.prior, data.n_rows());
        let learns_alone = !settings.networks.as_ref().is_some_and(Networks::learn_marginals);
        let column = |node: usize| {
            CodedColumn::new(&data, node, &tables, learns_alone)
                .with_regressions()
                .with_hurdle(&data, &tables)
        };
        let columns = (0..data.n_columns()).into_par_iter().map(column).collect();
        let table = LearntTable { data, tables, columns, kept: LossCache::default() };
        ExpertCoder { settings, seed, table: Arc::new(table), keeps_losses: false }
    }

    /// Losses of counts, where they are an expert of the mixture: for labels with labels as parents.
    fn counted_expert(&self, configurations: &Configurations, child: usize) -> Option<Vec<f64>> {
        let table = &self.table;
        if !self.is_label(child) {
            return None;
        }
        Some(all_losses(&mut CountedFamily::new(&table.tables, configurations, table.data.column(child))))
    }

    fn is_label(&self, node: usize) -> bool {
        !self.table.columns[node].is_number()
    }

    /// The combinations of these parents' values, if counts are an expert of their children.
    fn configurations(&self, parents: &NodeSet) -> Option<Configurations> {
        let is_counted =
            self.settings.counts && !parents.is_empty() && parents.iter().all(|node| self.is_label(node));
        is_counted.then(|| Configurations::new(&self.table.data, parents.iter()))
    }
}

impl Coder for ExpertCoder {
    fn data(&self) -> &Quantised {
        &self.table.data
    }

    fn without_networks(&self) -> Option<Box<dyn Coder>> {
        self.settings.networks.as_ref()?;
        let settings = ExpertSettings { networks: None, ..self.settings.clone() };
        let table = self.table.clone();
        Some(Box::new(ExpertCoder { settings, seed: self.seed, table, keeps_losses: true }))
    }

    /// Children that are coded in the same rows share the work.
    fn code(&self, parents: &NodeSet, children: &[usize], _detail: Detail, stop: Stop) -> Option<Vec<Coded>> {
        let configurations = self.configurations(parents);
        let mut by_rows: BTreeMap<Option<&[u32]>, Vec<usize>> = BTreeMap::new();
        for (place, &child) in children.iter().enumerate() {
            by_rows.entry(self.table.data.column(child).rows_used.as_deref()).or_default().push(place);
        }
        let mut coded: Vec<Option<Coded>> = vec![None; children.len()];
        for (rows, places) in by_rows {
            let family: Vec<&CodedColumn> =
                places.iter().map(|&place| &self.table.columns[children[place]]).collect();
            let counted = |&place: &usize| self.counted_expert(configurations.as_ref()?, children[place]);
            let counted: Vec<Option<Vec<f64>>> = places.iter().map(counted).collect();
            let group =
                FamilyGroup { columns: &self.table.columns, parents, rows, epochs: &family[0].epochs };
            let nodes: Vec<usize> = places.iter().map(|&place| children[place]).collect();
            let shared = Family {
                settings: &self.settings,
                seed: self.seed,
                group,
                stop,
                kept: &self.table.kept,
                keeps_losses: self.keeps_losses,
            };
            let of_places = shared.code_children(&nodes, &family, &counted)?;
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
    group: FamilyGroup<'a>,
    stop: Stop<'a>,
    kept: &'a LossCache,
    keeps_losses: bool,
}

/// What one network made of one child.
struct NetCode {
    losses: Vec<f64>,
    effort: Effort,
}

impl Family<'_> {
    /// Codes all `children`, the columns of `nodes`, which are coded in the same rows. `counted` has the losses of counts, for the children
    /// that have them as an expert. `None` if it was stopped.
    fn code_children(
        &self,
        nodes: &[usize],
        children: &[&CodedColumn],
        counted: &[Option<Vec<f64>>],
    ) -> Option<Vec<Coded>> {
        // Without regressions or parents, a child's own distribution is what networks must beat.
        let regressions = self.settings.regressions.as_ref().filter(|_| !self.group.parents.is_empty());
        let regressions = match regressions {
            Some(settings) => self.kept_or_coded(settings, nodes, children),
            None => children.iter().map(|child| child.marginal_losses.clone()).collect(),
        };
        let networks = self.settings.networks.as_ref();
        let nets = networks.map_or_else(Vec::new, |networks| self.code_by_nets(networks, children));
        // Now some losses may be missing.
        if self.stop.now() {
            return None;
        }
        if self.keeps_losses && !self.group.parents.is_empty() {
            nodes.iter().zip(&regressions).for_each(|(&node, losses)| {
                self.kept.keep(node, self.group.parents, losses);
            });
        }
        let one = |child: usize| {
            let regressions =
                Some((&regressions[child], PRIOR_REGRESSIONS)).filter(|(losses, _)| !losses.is_empty());
            let counts = counted[child].as_ref().map(|losses| (losses, PRIOR_COUNTS));
            let experts = Experts {
                group: self.group,
                fixed: regressions
                    .into_iter()
                    .chain(counts)
                    .map(|(losses, weight)| (&losses[..], weight))
                    .collect(),
                nets: nets.iter().map(|children| &children[child]).collect(),
                pays_for_networks: self.settings.pays_for_networks,
            };
            experts.join()
        };
        Some((0..children.len()).map(one).collect())
    }

    /// The same as [`Family::code_by_regressions`], of which some may have been kept.
    fn kept_or_coded(
        &self,
        settings: &FourierSettings,
        nodes: &[usize],
        children: &[&CodedColumn],
    ) -> Vec<Vec<f64>> {
        let mut losses: Vec<Option<Vec<f64>>> =
            nodes.iter().map(|&node| self.kept.take(node, self.group.parents)).collect();
        let missing = children.iter().zip(&losses).filter(|(_, kept)| kept.is_none());
        let missing: Vec<&CodedColumn> = missing.map(|(&child, _)| child).collect();
        let mut coded = self.code_by_regressions(settings, &missing).into_iter();
        losses.iter_mut().map(|kept| kept.take().or_else(|| coded.next()).unwrap_or_default()).collect()
    }

    /// `[child][row]`: losses of regressions on features of the parents, which all numbers among the children share.
    fn code_by_regressions(&self, settings: &FourierSettings, children: &[&CodedColumn]) -> Vec<Vec<f64>> {
        let numbers = children.iter().copied().filter(|child| child.is_number());
        let mut of_numbers = match numbers.clone().next() {
            Some(_) => {
                self.code_all(settings, self.group, NumberPredictor::new(settings, self.group, numbers))
            }
            None => Vec::new(),
        }
        .into_iter();
        let one = |child: &&CodedColumn| match child.is_number() {
            true => self.by_hurdle(settings, child, of_numbers.next().unwrap_or_default()),
            false => {
                let predictor = LabelPredictor::new(settings, self.group, child);
                self.code_all(settings, self.group, predictor).remove(0)
            }
        };
        children.iter().map(one).collect()
    }

    /// `[child][row]`: all losses of a predictor of a group, unless it is stopped.
    fn code_all(
        &self,
        settings: &FourierSettings,
        group: FamilyGroup,
        predictor: impl Predictor,
    ) -> Vec<Vec<f64>> {
        let chunks = growing_chunks(group.epochs, settings.growth, 1).take_while(|_| !self.stop.now());
        code_all(predictor, chunks, group.epochs.n_coded())
    }

    /// Losses of regressions on features of the parents, joined with those in two parts if one of the child's numbers is frequent.
    fn by_hurdle(&self, settings: &FourierSettings, child: &CodedColumn, in_one: Vec<f64>) -> Vec<f64> {
        let Some(hurdle) = &child.hurdle else { return in_one };
        let Hurdle { is_frequent, otherwise } = &**hurdle;
        let others = FamilyGroup {
            rows: otherwise.cells.rows_used.as_deref(),
            epochs: &otherwise.epochs,
            ..self.group
        };
        let of_label = LabelPredictor::new(settings, self.group, is_frequent);
        let of_label = self.code_all(settings, self.group, of_label).remove(0);
        let of_others = NumberPredictor::new(settings, others, std::iter::once(otherwise));
        let of_others = self.code_all(settings, others, of_others).remove(0);
        // If it was stopped, losses are missing, and nobody will ask for them.
        if self.stop.now() { in_one } else { hurdle.join(&in_one, &of_label, &of_others) }
    }

    /// `[net][child]`: what every network marginal_losses makes of every child.
    fn code_by_nets(&self, networks: &Networks, children: &[&CodedColumn]) -> Vec<Vec<NetCode>> {
        let one_net = |net: u64| match &networks.schedule {
            Schedule::Replay(settings) => {
                let waves = |epoch: usize| {
                    let rows = self.group.parent_rows(View::Rank { epoch });
                    WaveInputs::new(rows, self.group.epochs.end_of(epoch), &settings.waves, self.seed, net)
                };
                let waves: Vec<WaveInputs> = (0..self.group.epochs.number()).map(waves).collect();
                let code = |child: &&CodedColumn| {
                    self.by_replay(ReplayNet::new(settings, &waves, child, self.seed, net), settings)
                };
                children.par_iter().map(code).collect()
            }
            Schedule::Blockwise(settings) => {
                let inputs = self.group.inputs(View::Raw, self.group.epochs.n_coded());
                let code = |child: &&CodedColumn| {
                    let target = Target::new(&child.cells);
                    let code = code_blockwise(settings, &inputs, &target, self.seed, net, self.stop);
                    let BlockwiseCode { losses, n_trainings, n_steps } = code;
                    NetCode { losses, effort: Effort { n_trainings, n_steps } }
                };
                children.par_iter().map(code).collect()
            }
        };
        (0..networks.number as u64).into_par_iter().map(one_net).collect()
    }

    fn by_replay(&self, net: ReplayNet, settings: &ReplaySettings) -> NetCode {
        let chunks = || growing_chunks(self.group.epochs, settings.growth, N_OPENING);
        // Nothing is learnt from the first chunk marginal_losses, nor after the last.
        let n_steps = settings.n_steps * chunks().count().saturating_sub(2);
        let coded = code_all(net, chunks().take_while(|_| !self.stop.now()), self.group.epochs.n_coded());
        NetCode { losses: coded.into_iter().flatten().collect(), effort: Effort { n_trainings: 1, n_steps } }
    }
}

/// Every expert's losses for one child.
struct Experts<'a> {
    group: FamilyGroup<'a>,
    /// Of regressions and counts, with their weights before any row.
    fixed: Vec<(&'a [f64], f64)>,
    /// Of every network.
    nets: Vec<&'a NetCode>,
    /// Whether the weight of networks is paid for where there are none.
    pays_for_networks: bool,
}

impl Experts<'_> {
    /// One code from all: the networks' probabilities are averaged, and a switching mixture joins them with the others.
    fn join(&self) -> Coded {
        let mixed_with = |nets: Option<&[f64]>| -> Vec<f64> {
            let nets = nets.map(|losses| (losses, PRIOR_NETWORKS));
            let (experts, prior): (Vec<&[f64]>, Vec<f64>) = self.fixed.iter().copied().chain(nets).unzip();
            match &experts[..] {
                [only] => only.to_vec(),
                several => fixed_share_losses(
                    several,
                    &prior,
                    growing_chunks(self.group.epochs, CHUNK_GROWTH_FACTOR, 1),
                    SLOW_SWITCH_RATE,
                ),
            }
        };
        let nets: Vec<&[f64]> = self.nets.iter().map(|net| net.losses.as_slice()).collect();
        let average = (!nets.is_empty()).then(|| average(&nets));
        let mut losses = mixed_with(average.as_deref());
        if let Some(first) = losses.first_mut().filter(|_| nets.is_empty() && self.pays_for_networks) {
            let others: f64 = self.fixed.iter().map(|(_, weight)| weight).sum();
            *first += ((others + PRIOR_NETWORKS) / others).ln();
        }
        let by_net = match &nets[..] {
            [_] => vec![losses.clone()],
            several => several.iter().map(|net| mixed_with(Some(net))).collect(),
        };
        let effort = self.nets.iter().map(|net| net.effort).sum();
        Coded { by_net, effort, ..Coded::of_losses(losses) }
    }
}

/// `[child][row]`: all losses.
pub(super) fn code_all(
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
