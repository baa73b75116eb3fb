//! Contexts: every family is coded without and with them, and the two codes are mixed. Searches do not see
//! them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::base::stop::Stop;
use crate::estimator::{Coded, Coder, Detail, Effort, FixedShare};
use crate::graph::{Family, NodeSet};

/// The code of a family, and the gain by contexts.
pub(super) struct InContext {
    pub(super) coded: Coded,
    /// Nats by which the code given contexts is shorter than the one without; `None` if the table has none.
    pub(super) context_gain: Option<f64>,
}

/// Which contexts may act on each variable.
///
/// With one context, it may. With several, those that a forward selection on the parentless code of the
/// variable chooses: the one that helps most first, as long as one helps; if none does, all of them. Like the
/// choice of parents this is a choice of structure: [`ActingContexts::weight`] pays its cost.
#[derive(Debug)]
pub(super) struct ActingContexts {
    contexts: NodeSet,
    /// Per variable, computed on first use.
    chosen: Vec<OnceLock<NodeSet>>,
}

impl ActingContexts {
    /// For a table with `n_vars` variables and these contexts.
    pub(super) fn new(n_vars: usize, contexts: NodeSet) -> ActingContexts {
        ActingContexts { contexts, chosen: (0..n_vars).map(|_| OnceLock::new()).collect() }
    }

    /// The prior weight of the code given contexts, relative to 1 for the code without them: one over the
    /// number of choices of contexts.
    fn weight(&self) -> f64 {
        1.0 / (2f64.powi(self.contexts.len() as i32) - 1.0)
    }

    /// The contexts that may act on `child`, by the codes of `coder`; `None` if it was stopped.
    fn on(&self, child: usize, coder: &dyn Coder, stop: Stop) -> Option<&NodeSet> {
        let chosen = match self.chosen[child].get() {
            Some(chosen) => return Some(chosen),
            None if self.contexts.len() < 2 => self.contexts.clone(),
            None => self.choose(child, coder, stop)?,
        };
        Some(self.chosen[child].get_or_init(|| chosen))
    }

    fn choose(&self, child: usize, coder: &dyn Coder, stop: Stop) -> Option<NodeSet> {
        // The same contexts act with and without networks: the cheaper code chooses them.
        let cheap = coder.without_expensive_experts();
        let coder = cheap.as_deref().unwrap_or(coder);
        let mut chosen = NodeSet::new();
        let mut shortest = length(coder, child, &chosen, stop)?;
        loop {
            let mut best = None;
            for context in self.contexts.difference(&chosen).iter() {
                let with = chosen.with(context);
                let length = length(coder, child, &with, stop)?;
                if length < shortest {
                    (best, shortest) = (Some(with), length);
                }
            }
            match best {
                Some(with) => chosen = with,
                None => break,
            }
        }
        Some(if chosen.is_empty() { self.contexts.clone() } else { chosen })
    }
}

/// The code length of `child` given `parents`; `None` if it was stopped.
fn length(coder: &dyn Coder, child: usize, parents: &NodeSet, stop: Stop) -> Option<f64> {
    let coded = coder.code(parents, &[child], Detail::Length, stop)?;
    Some(coded[0].length)
}

/// Codes each of `children` given the same parents; `None` if it was stopped.
///
/// If the table has contexts, a family's code is a mixture of two: the child given its parents, and given
/// also the contexts that may act on it. With one context they have equal prior weights, so that the mixture
/// is at most ln 2 longer than the shorter of them, whether the context acts on the child or not, and each
/// row is predicted from the rows before, as in both of them.
pub(super) fn code(
    coder: &dyn Coder,
    acting: &ActingContexts,
    parents: &NodeSet,
    children: &[usize],
    detail: Detail,
    stop: Stop,
) -> Option<Vec<InContext>> {
    let without = coder.code(parents, children, detail, stop)?;
    if acting.contexts.is_empty() {
        let alone = |coded| InContext { coded, context_gain: None };
        return Some(without.into_iter().map(alone).collect());
    }
    let mut by_contexts: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
    for (place, &child) in children.iter().enumerate() {
        by_contexts.entry(acting.on(child, coder, stop)?).or_default().push(place);
    }
    let mut given: Vec<Option<Coded>> = vec![None; children.len()];
    for (contexts, places) in by_contexts {
        let own: Vec<usize> = places.iter().map(|&place| children[place]).collect();
        let codes = coder.code(&parents.union(contexts), &own, detail, stop)?;
        places.into_iter().zip(codes).for_each(|(place, coded)| given[place] = Some(coded));
    }
    let both = without.iter().zip(given.iter().flatten());
    Some(both.map(|(without, given)| mixed(without, given, acting.weight())).collect())
}

/// With several contexts, what each is worth to `family` in addition to the others that may act on its child:
/// nats by which the code given them is longer without it than with it. Empty with one context. `None` if it
/// was stopped.
pub(super) fn worth_of_each(
    coder: &dyn Coder,
    acting: &ActingContexts,
    family: &Family,
    stop: Stop,
) -> Option<Vec<f64>> {
    if acting.contexts.len() < 2 {
        return Some(Vec::new());
    }
    let chosen = acting.on(family.child, coder, stop)?;
    let length = |contexts: &NodeSet| length(coder, family.child, &family.parents.union(contexts), stop);
    let worth = |context: usize| Some(length(&chosen.without(context))? - length(&chosen.with(context))?);
    acting.contexts.iter().map(worth).collect()
}

/// The Bayesian mixture of two codes, with prior weights 1 and `weight`.
fn mixed(without: &Coded, given: &Coded, weight: f64) -> InContext {
    let losses = without.losses.as_ref().zip(given.losses.as_ref());
    let n_nets = without.by_net.len().max(given.by_net.len());
    let by_net = |net: usize| mixed_losses(net_losses(without, net), net_losses(given, net), weight);
    let effort: Effort = [without.effort, given.effort].into_iter().sum();
    let length = mixed_losses(&[without.length], &[given.length], weight)[0];
    let losses = losses.map(|(without, given)| mixed_losses(without, given, weight));
    InContext {
        coded: Coded { length, losses, by_net: (0..n_nets).map(by_net).collect(), effort },
        context_gain: Some(without.length - given.length),
    }
}

/// The losses of a single network; a variable without parents may have none.
fn net_losses(coded: &Coded, net: usize) -> &[f64] {
    let losses = coded.by_net.get(net).or(coded.losses.as_ref());
    losses.unwrap_or_else(|| panic!("what has networks is coded row by row"))
}

/// The loss of each row by the Bayesian mixture of two codes.
fn mixed_losses(without: &[f64], given: &[f64], weight: f64) -> Vec<f64> {
    let mut mixed = vec![0.0; without.len()];
    FixedShare::new(&[1.0, weight], 0.0).mix(&[without, given], &mut mixed);
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(losses: &[f64], by_net: &[&[f64]]) -> Coded {
        let by_net = by_net.iter().map(|losses| losses.to_vec()).collect();
        Coded { by_net, ..Coded::of_losses(losses.to_vec()) }
    }

    #[test]
    fn the_mixture_is_at_most_ln_2_longer_than_either_code_and_its_rows_add_up() {
        let (without, given) = (coded(&[1.0, 2.0, 0.5], &[]), coded(&[1.5, 0.2, 0.1], &[]));
        let both = mixed(&without, &given, 1.0);
        let expected = -(0.5 * (-3.5f64).exp() + 0.5 * (-1.8f64).exp()).ln();
        assert!((both.coded.length - expected).abs() < 1e-12);
        assert!((both.coded.losses.unwrap().iter().sum::<f64>() - expected).abs() < 1e-12);
        assert!(both.coded.length < 1.8 + std::f64::consts::LN_2);
        assert!((both.context_gain.unwrap() - 1.7).abs() < 1e-12);
        // A code that is thousands of nats behind has no weight and causes no rounding.
        let (short, long) = (coded(&[1.0; 3000], &[]), coded(&[4.0; 3000], &[]));
        let length = mixed(&long, &short, 1.0).coded.length;
        assert!((length - 3000.0 - std::f64::consts::LN_2).abs() < 1e-9, "{length}");
    }

    #[test]
    fn networks_that_one_of_the_codes_lacks_say_what_that_code_says() {
        let (without, given) = (coded(&[1.0, 2.0], &[]), coded(&[1.0, 1.0], &[&[0.5, 0.5], &[2.0, 2.0]]));
        let by_net = mixed(&without, &given, 1.0).coded.by_net;
        let sum = |net: usize| by_net[net].iter().sum::<f64>();
        let mixed = |given: f64| -(0.5 * (-3.0f64).exp() + 0.5 * (-given).exp()).ln();
        assert!((sum(0) - mixed(1.0)).abs() < 1e-12 && (sum(1) - mixed(4.0)).abs() < 1e-12);
    }
}
