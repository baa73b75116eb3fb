//! Scored families with their code lengths, spreads and curves.

use super::code_lengths::CodeLengths;
use super::curves::Curves;
use super::loss_curve::{LossCurve, MeanSd};
use super::scorer::FamilyCode;
use crate::base::nats::Nats;
use crate::estimator::Effort;
use crate::graph::Family;

/// Families with their code lengths.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scores {
    /// The scored families, child by child, smaller parent sets first.
    pub families: Vec<Family>,
    /// Each family's code length and its spread: mean and standard deviation over row orders or, with
    /// networks, the code length of their averaged prediction and the standard deviation of their separate
    /// code lengths.
    pub moments: Vec<MeanSd>,
    /// `[repeat][family]`: the code lengths with each single network, with the other experts, or of each row
    /// order.
    pub by_repeat: Vec<Vec<f64>>,
    /// Nats by which each family's code given contexts is shorter than the one without, mean over row orders; `None` without contexts.
    pub(crate) context_gains: Option<Vec<f64>>,
    /// Learning curves, recorded while scoring.
    pub(crate) curves: Option<Curves>,
    /// The cost of training networks.
    pub(crate) effort: Effort,
}

impl Scores {
    /// From families, each with its codes, one per row order. Every family has the same number of them.
    pub(super) fn new(scored: Vec<(Family, Vec<FamilyCode>)>, n_rows: usize) -> Scores {
        let moments = scored.iter().map(|(_, codes)| moments(codes)).collect();
        let effort = scored.iter().flat_map(|(_, codes)| codes).map(|code| code.effort).sum();
        let by_repeat = by_repeat(&scored);
        let context_gain = |(_, codes): &(Family, Vec<FamilyCode>)| {
            let gains: Option<Vec<f64>> = codes.iter().map(|code| code.context_gain).collect();
            gains.map(|gains| MeanSd::of(gains.into_iter()).mean)
        };
        let context_gains = scored.iter().map(context_gain).collect();
        let (families, codes): (Vec<Family>, Vec<Vec<FamilyCode>>) = scored.into_iter().unzip();
        let curves = kept_curves(&families, n_rows, codes);
        Scores { families, moments, by_repeat, context_gains, curves, effort }
    }

    /// The code lengths, for searching.
    pub fn lengths(&self, n_vars: usize) -> CodeLengths {
        let max_parents = self.families.iter().map(|family| family.parents.len()).max().unwrap_or(0);
        let mut lengths = CodeLengths::new(n_vars, max_parents);
        for (family, moments) in self.families.iter().zip(&self.moments) {
            lengths.set(family, Nats(moments.mean));
        }
        lengths
    }

    /// The position of `family`, if it was scored.
    pub(crate) fn place(&self, family: &Family) -> Option<usize> {
        self.families.binary_search(family).ok()
    }
}

/// The code length of a family and its spread, from one code per row order: the spread is that of the single
/// networks or, where there are none, of every row order.
pub(super) fn moments(codes: &[FamilyCode]) -> MeanSd {
    let alone = codes.iter().flat_map(|code| match &code.by_net[..] {
        [] => std::slice::from_ref(&code.length.0),
        nets => nets,
    });
    let mean = MeanSd::of(codes.iter().map(|code| code.length.0)).mean;
    MeanSd { mean, ..MeanSd::of(alone.copied()) }
}

/// The most networks of any family, at least 1.
fn n_nets<'a>(codes: impl Iterator<Item = &'a FamilyCode>) -> usize {
    codes.map(|code| code.by_net.len()).max().unwrap_or(0).max(1)
}

/// `[repeat][family]`: code lengths of the single networks, one row order after another; without networks, of
/// every row order.
fn by_repeat(scored: &[(Family, Vec<FamilyCode>)]) -> Vec<Vec<f64>> {
    let n_nets = n_nets(scored.iter().flat_map(|(_, codes)| codes));
    let n_orders = scored.first().map_or(0, |(_, codes)| codes.len());
    // A family without parents has no network, so all repeats agree.
    let alone = |code: &FamilyCode, net: usize| code.by_net.get(net).copied().unwrap_or(code.length.0);
    let repeat_lengths = |repeat: usize| {
        let (order, net) = (repeat / n_nets, repeat % n_nets);
        scored.iter().map(|(_, codes)| alone(&codes[order], net)).collect()
    };
    (0..n_orders * n_nets).map(repeat_lengths).collect()
}

/// Learning curves, one for each repeat. Counts have none.
fn kept_curves(families: &[Family], n_rows: usize, codes: Vec<Vec<FamilyCode>>) -> Option<Curves> {
    let n_nets = n_nets(codes.iter().flatten());
    let n_orders = codes.first().map_or(0, Vec::len);
    if codes.iter().flatten().all(|code| code.curves.is_empty()) {
        return None;
    }
    // A family without parents may have one curve for all networks.
    let code_curves = |code: FamilyCode| {
        let last = code.curves.last().cloned();
        code.curves.into_iter().chain(std::iter::repeat_n(last, n_nets).flatten()).take(n_nets)
    };
    let family_curves =
        |codes: Vec<FamilyCode>| -> Vec<LossCurve> { codes.into_iter().flat_map(code_curves).collect() };
    Some(Curves::kept(families, n_rows, codes.into_iter().map(family_curves).collect(), n_orders * n_nets))
}
