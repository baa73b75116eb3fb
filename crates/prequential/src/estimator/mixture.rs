//! Codes families by a list of experts, joined by a fixed-share mixture (Herbster and Warmuth 1998).

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::column::CodedColumn;
use super::counts::CountTables;
use super::experts::{ExpertCode, ExpertList, FamilyTask, LearntTable, LossCache};
use super::family_group::FamilyGroup;
use super::fixed_share::{SLOW_SWITCH_RATE, fixed_share_losses};
use super::marginal::learn_marginal;
use super::method::{Coded, Coder, Detail};
use super::prequential::{CHUNK_GROWTH_FACTOR, growing_chunks};
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::Quantised;

/// Codes families of one table by experts.
///
/// What depends only on the parents is computed once per parent set and shared by all children.
#[derive(Debug)]
pub(super) struct MixtureCoder {
    list: ExpertList,
    seed: u64,
    table: Arc<LearntTable>,
    /// The losses of cheap experts for families for which expensive ones may be trained later.
    cache: Arc<LossCache>,
    /// Whether expensive experts are deferred: losses are then cached for them.
    keeps_losses: bool,
}

impl MixtureCoder {
    pub(super) fn new(list: ExpertList, data: Quantised, seed: u64) -> MixtureCoder {
        let tables = CountTables::new(list.prior, data.n_rows());
        let column = |node: usize| match list.learn_marginals() {
            true => CodedColumn::without_marginal(&data, node),
            false => learn_marginal(&data, node, &tables),
        };
        let columns = (0..data.n_columns()).into_par_iter().map(column).collect();
        let table = Arc::new(LearntTable { data, tables, columns });
        MixtureCoder { list, seed, table, cache: Arc::default(), keeps_losses: false }
    }

    /// `[child]`: the code of every expert that predicts the child, children that are coded in the same rows; `None` if it was stopped.
    fn code_group(&self, task: &FamilyTask, children: &[usize]) -> Option<Vec<Coded>> {
        let mut by_expert: Vec<(f64, Vec<Option<ExpertCode>>)> = Vec::new();
        for (number, (weight, expert)) in self.list.experts.iter().enumerate() {
            let is_kept = expert.keeps_losses() && task.has_parents();
            let kept = |&child: &usize| match is_kept {
                true => self.cache.take(number, child, task.group.parents),
                false => None,
            };
            let mut codes: Vec<Option<ExpertCode>> =
                children.iter().map(|child| kept(child).map(ExpertCode::of_losses)).collect();
            let missing = children.iter().zip(&codes).filter(|(_, code)| code.is_none());
            let missing: Vec<usize> = missing.map(|(&child, _)| child).collect();
            let coded = if missing.is_empty() { Vec::new() } else { expert.code(task, &missing) };
            let mut coded = coded.into_iter();
            for code in codes.iter_mut().filter(|code| code.is_none()) {
                *code = coded.next().flatten();
            }
            by_expert.push((*weight, codes));
        }
        // After a stop some losses may be missing.
        if task.stop.now() {
            return None;
        }
        if self.keeps_losses && task.has_parents() {
            self.keep(task, children, &by_expert);
        }
        let join_child = |place: usize| {
            let of_child =
                by_expert.iter().filter_map(|(weight, codes)| Some((*weight, codes[place].as_ref()?)));
            self.join(task, of_child.filter(|(_, code)| !code.losses.is_empty()).collect())
        };
        Some((0..children.len()).map(join_child).collect())
    }

    fn keep(&self, task: &FamilyTask, children: &[usize], by_expert: &[(f64, Vec<Option<ExpertCode>>)]) {
        for (number, ((_, expert), (_, codes))) in self.list.experts.iter().zip(by_expert).enumerate() {
            for (&child, code) in children.iter().zip(codes).filter(|_| expert.keeps_losses()) {
                if let Some(code) = code {
                    self.cache.keep(number, child, task.group.parents, &code.losses);
                }
            }
        }
    }

    /// One code from those of all experts.
    fn join(&self, task: &FamilyTask, codes: Vec<(f64, &ExpertCode)>) -> Coded {
        let join = |experts: &[(f64, &[f64])]| -> Vec<f64> {
            let (prior, losses): (Vec<f64>, Vec<&[f64]>) = experts.iter().copied().unzip();
            if let [only] = &losses[..] {
                return only.to_vec();
            }
            let chunks = growing_chunks(task.group.epochs, CHUNK_GROWTH_FACTOR, 1);
            fixed_share_losses(&losses, &prior, chunks, SLOW_SWITCH_RATE)
        };
        let experts: Vec<(f64, &[f64])> =
            codes.iter().map(|(weight, code)| (*weight, &code.losses[..])).collect();
        let mut losses = join(&experts);
        let present: f64 = codes.iter().map(|(weight, _)| weight).sum();
        if let Some(first) = losses.first_mut().filter(|_| self.list.absent_weight > 0.0) {
            *first += ((present + self.list.absent_weight) / present).ln();
        }
        let members = codes.iter().position(|(_, code)| !code.by_member.is_empty());
        let by_net = members.map_or_else(Vec::new, |place| match &codes[place].1.by_member[..] {
            [_] => vec![losses.clone()],
            several => {
                let with_member = |member: &Vec<f64>| {
                    let mut experts = experts.clone();
                    experts[place].1 = member;
                    join(&experts)
                };
                several.iter().map(with_member).collect()
            }
        });
        let effort = codes.iter().map(|(_, code)| code.effort).sum();
        Coded { by_net, effort, ..Coded::of_losses(losses) }
    }
}

impl Coder for MixtureCoder {
    fn data(&self) -> &Quantised {
        &self.table.data
    }

    fn without_expensive_experts(&self) -> Option<Box<dyn Coder>> {
        self.list.has_expensive().then(|| {
            let (list, table, cache) = (self.list.cheap(), self.table.clone(), self.cache.clone());
            Box::new(MixtureCoder { list, seed: self.seed, table, cache, keeps_losses: true })
                as Box<dyn Coder>
        })
    }

    /// Children that are coded in the same rows share the work.
    fn code(&self, parents: &NodeSet, children: &[usize], _detail: Detail, stop: Stop) -> Option<Vec<Coded>> {
        let table = &*self.table;
        let mut by_rows: BTreeMap<Option<&[u32]>, Vec<usize>> = BTreeMap::new();
        for (place, &child) in children.iter().enumerate() {
            by_rows.entry(table.data.column(child).rows_used.as_deref()).or_default().push(place);
        }
        let mut coded: Vec<Option<Coded>> = vec![None; children.len()];
        for (rows, places) in by_rows {
            let nodes: Vec<usize> = places.iter().map(|&place| children[place]).collect();
            let epochs = &table.columns[nodes[0]].epochs;
            let group = FamilyGroup { columns: &table.columns, parents, rows, epochs };
            let task = FamilyTask { table, group, seed: self.seed, stop };
            for (place, code) in places.into_iter().zip(self.code_group(&task, &nodes)?) {
                coded[place] = Some(code);
            }
        }
        Some(coded.into_iter().flatten().collect())
    }
}
