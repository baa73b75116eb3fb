//! Contexts: every family is coded without them and given them, and the two codes are mixed. No search knows of it.

use crate::base::stop::Stop;
use crate::estimator::{Coded, Coder, Detail, Effort, Switch};
use crate::graph::{Family, NodeSet};

/// The code of a family, and what contexts have to do with it.
pub(super) struct InContext {
    pub(super) coded: Coded,
    /// Nats by which the code given all contexts is shorter than the one without; `None` if the table has none.
    pub(super) context_gain: Option<f64>,
}

/// Codes each of `children` given the same parents; `None` if it was stopped.
///
/// Where the table has contexts, a family's code is a mixture of two that weigh the same before any row: the child given its parents, and given
/// all contexts besides. It is at most ln 2 longer than the shorter of them, whether contexts act on the child or not, and each row is
/// predicted from the rows before, as in either of them.
pub(super) fn code(
    coder: &dyn Coder,
    parents: &NodeSet,
    children: &[usize],
    detail: Detail,
    stop: Stop,
) -> Option<Vec<InContext>> {
    let without = coder.code(parents, children, detail, stop)?;
    let contexts = coder.data().contexts();
    if contexts.is_empty() {
        let alone = |coded| InContext { coded, context_gain: None };
        return Some(without.into_iter().map(alone).collect());
    }
    let given = coder.code(&parents.union(&contexts), children, detail, stop)?;
    Some(without.into_iter().zip(given).map(|(without, given)| mixed(&without, &given)).collect())
}

/// Of several contexts, nats by which the code of `family` given all of them would be longer without each; empty of one. `None` if it was
/// stopped.
pub(super) fn worth_of_each(coder: &dyn Coder, family: &Family, stop: Stop) -> Option<Vec<f64>> {
    let contexts = coder.data().contexts();
    if contexts.len() < 2 {
        return Some(Vec::new());
    }
    let length = |contexts: &NodeSet| {
        let coded = coder.code(&family.parents.union(contexts), &[family.child], Detail::Length, stop)?;
        Some(coded[0].length)
    };
    let all = length(&contexts)?;
    contexts.iter().map(|context| Some(length(&contexts.without(context))? - all)).collect()
}

fn mixed(without: &Coded, given: &Coded) -> InContext {
    let losses = without.losses.as_ref().zip(given.losses.as_ref());
    let n_nets = without.by_net.len().max(given.by_net.len());
    let by_net = |net: usize| mixed_losses(of_net(without, net), of_net(given, net));
    let effort: Effort = [without.effort, given.effort].into_iter().sum();
    let length = mixed_losses(&[without.length], &[given.length])[0];
    let losses = losses.map(|(without, given)| mixed_losses(without, given));
    InContext {
        coded: Coded { length, losses, by_net: (0..n_nets).map(by_net).collect(), effort },
        context_gain: Some(without.length - given.length),
    }
}

/// The losses of one network alone; a variable without parents may have none.
fn of_net(coded: &Coded, net: usize) -> &[f64] {
    let losses = coded.by_net.get(net).or(coded.losses.as_ref());
    losses.unwrap_or_else(|| panic!("what has networks is coded row by row"))
}

/// What each row costs by Bayes' mixture of two codes.
fn mixed_losses(without: &[f64], given: &[f64]) -> Vec<f64> {
    let mut mixed = vec![0.0; without.len()];
    Switch::new(&[1.0, 1.0], 0.0).mix(&[without, given], &mut mixed);
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
        let both = mixed(&without, &given);
        let expected = -(0.5 * (-3.5f64).exp() + 0.5 * (-1.8f64).exp()).ln();
        assert!((both.coded.length - expected).abs() < 1e-12);
        assert!((both.coded.losses.unwrap().iter().sum::<f64>() - expected).abs() < 1e-12);
        assert!(both.coded.length < 1.8 + std::f64::consts::LN_2);
        assert!((both.context_gain.unwrap() - 1.7).abs() < 1e-12);
        // A code that is thousands of nats behind is left behind, without a hair of rounding.
        let (short, long) = (coded(&[1.0; 3000], &[]), coded(&[4.0; 3000], &[]));
        let length = mixed(&long, &short).coded.length;
        assert!((length - 3000.0 - std::f64::consts::LN_2).abs() < 1e-9, "{length}");
    }

    #[test]
    fn networks_that_one_of_the_codes_lacks_say_what_that_code_says() {
        let (without, given) = (coded(&[1.0, 2.0], &[]), coded(&[1.0, 1.0], &[&[0.5, 0.5], &[2.0, 2.0]]));
        let by_net = mixed(&without, &given).coded.by_net;
        let sum = |net: usize| by_net[net].iter().sum::<f64>();
        let of = |given: f64| -(0.5 * (-3.0f64).exp() + 0.5 * (-given).exp()).ln();
        assert!((sum(0) - of(1.0)).abs() < 1e-12 && (sum(1) - of(4.0)).abs() < 1e-12);
    }
}
