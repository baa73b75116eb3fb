//! Gating on made-up code lengths for which the bound holds: the answer is that of experts trained
//! everywhere.

use std::collections::BTreeSet;
use std::sync::Mutex;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::base::stop::Stop;
use crate::score::CodeLengths;
use crate::search::{Constraints, Exact, Limits};

const N_VARS: usize = 6;
const MAX_PARENTS: usize = 3;

/// Code lengths without expensive experts, and with them where they were trained.
struct Staged {
    cheap: CodeLengths,
    trained: TrainedLengths,
}

struct TrainedLengths {
    lengths: CodeLengths,
    families: Mutex<BTreeSet<Family>>,
}

impl FamilyLengths for TrainedLengths {
    fn n_vars(&self) -> usize {
        N_VARS
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).filter(|_| self.families.lock().unwrap().contains(family))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, &mut |parents, length| {
            if self.code_length(&Family::new(child, parents.clone())).is_some() {
                visit(parents, length);
            }
        });
    }
}

impl FamilyLengths for Staged {
    fn n_vars(&self) -> usize {
        N_VARS
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.trained.code_length(family).or_else(|| self.cheap.code_length(family))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.cheap.for_each(child, &mut |parents, length| {
            let trained = self.trained.code_length(&Family::new(child, parents.clone()));
            visit(parents, trained.unwrap_or(length));
        });
    }
}

impl StagedLengths for Staged {
    fn cheap(&self) -> &dyn FamilyLengths {
        &self.cheap
    }

    fn trained(&self) -> &dyn FamilyLengths {
        &self.trained
    }

    fn train(&self, families: &[Family]) -> Result<()> {
        self.trained.families.lock().unwrap().extend(families.iter().cloned());
        Ok(())
    }
}

impl Staged {
    /// Some variables are linked. With expensive experts both directions of a link cost the same, up to a
    /// tenth of a nat; without them one of the directions may cost up to 80 nats more. Beyond that they gain
    /// less than a nat in any family.
    fn random(seed: u64) -> Staged {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut links = [[0.0; N_VARS]; N_VARS];
        let mut gains = [[0.0; N_VARS]; N_VARS];
        for a in 0..N_VARS {
            for b in 0..a {
                if rng.random_range(0..3) > 0 {
                    let link = rng.random_range(5.0..90.0);
                    (links[a][b], links[b][a]) = (link, link);
                }
                if rng.random_range(0..3) == 0 {
                    let (child, parent) = if rng.random() { (a, b) } else { (b, a) };
                    gains[child][parent] = rng.random_range(20.0..80.0);
                }
            }
        }
        let mut cheap = CodeLengths::new(N_VARS, MAX_PARENTS);
        let mut full = cheap.clone();
        for family in all_families() {
            let told: f64 = family.parents.iter().map(|parent| links[family.child][parent] - 4.0).sum();
            let length = 1_000.0 - told + rng.random_range(0.0..0.1);
            let gain = family.parents.iter().map(|parent| gains[family.child][parent]).fold(0.0, f64::max);
            let chance = if family.parents.is_empty() { 0.0 } else { rng.random_range(0.0..0.9) };
            full.set(&family, Nats(length));
            cheap.set(&family, Nats(length + gain + chance));
        }
        Staged { cheap, trained: TrainedLengths { lengths: full, families: Mutex::default() } }
    }

    fn n_trained(&self) -> usize {
        self.trained.families.lock().unwrap().len()
    }
}

fn constraints() -> Constraints {
    Constraints::none(N_VARS).with_max_parents(MAX_PARENTS)
}

fn all_families() -> Vec<Family> {
    constraints().families().collect()
}

/// Runs `work` on a gate over `lengths`.
fn with_gate<R>(lengths: &Staged, work: impl FnOnce(&GatedSearch) -> R) -> R {
    let (constraints, limits) = (constraints(), Limits::default());
    let problem = Problem {
        lengths,
        constraints: &constraints,
        limits: &limits,
        top: 3,
        n_near: 3,
        candidates: None,
        start: None,
        seed: 0,
        stop: Stop::never(),
    };
    let search = |problem: &Problem| Exact.find(problem);
    let rules = GatingRules::new(true, 1_000);
    work(&GatedSearch { lengths, rules, method: &Exact, problem: &problem, search: &search })
}

#[test]
fn gating_finds_the_graph_of_experts_trained_everywhere_and_trains_fewer() {
    let (mut n_trained, mut n_cheap_wrong) = (0, 0);
    for seed in 0..30 {
        let lengths = Staged::random(seed);
        let found = with_gate(&lengths, |gate| gate.find(&()).unwrap());
        let best = |lengths: &dyn FamilyLengths| {
            with_gate(&Staged::random(seed), |gate| {
                Exact.find(&Problem { lengths, ..*gate.problem }).unwrap()
            })
        };
        let everywhere = best(&lengths.trained.lengths);
        assert_eq!(found.dag, everywhere.dag, "seed {seed}");
        assert_eq!(found.code_length, everywhere.code_length);
        assert_eq!(dag_length(&lengths.trained, &found.dag), Some(found.code_length), "all are trained");
        n_cheap_wrong += usize::from(best(&lengths.cheap).dag != everywhere.dag);
        n_trained += lengths.n_trained();
    }
    assert!(n_cheap_wrong > 20, "cheap code lengths alone are wrong: {n_cheap_wrong} of 30");
    let share = n_trained as f64 / (30 * all_families().len()) as f64;
    assert!(share < 0.75, "{share}");
}

#[test]
fn no_family_is_shorter_than_its_optimistic_code_length() {
    for seed in 0..30 {
        let lengths = Staged::random(seed);
        with_gate(&lengths, |gate| {
            gate.lengths.train(&gate.directions_behind()).unwrap();
            for round in 0..4 {
                let optimistic = gate.optimistic();
                for family in all_families() {
                    let bound = optimistic.code_length(&family).unwrap();
                    let full = lengths.trained.lengths.code_length(&family).unwrap();
                    assert!(bound.0 <= full.0 + 1e-9, "seed {seed}: {family:?} {bound} {full}");
                    let is_trained = lengths.trained.code_length(&family).is_some();
                    assert!(!is_trained || bound == full, "trained families are exact");
                }
                let some: Vec<Family> = all_families().into_iter().skip(round).step_by(9).collect();
                gate.lengths.train(&some).unwrap();
            }
        });
    }
}

#[test]
fn a_family_that_could_win_is_asked_for_until_it_is_assumed_to_gain_nothing() {
    let lengths = Staged::random(1);
    with_gate(&lengths, |gate| {
        let mut optimistic = gate.optimistic();
        let family = all_families().into_iter().find(|family| family.parents.len() == 2).unwrap();
        assert!(optimistic.optimistic_gain(&family) >= MARGIN);
        assert!(optimistic.untrained([family.clone()].into_iter()).contains(&family));
        optimistic.assume_no_gain(std::slice::from_ref(&family));
        assert_eq!(optimistic.optimistic_gain(&family), 0.0);
        assert!(optimistic.untrained([family.clone()].into_iter()).is_empty());
        assert_eq!(optimistic.code_length(&family), lengths.cheap.code_length(&family));
        gate.lengths.train(std::slice::from_ref(&family)).unwrap();
        assert!(gate.optimistic().untrained([family].into_iter()).is_empty());
    });
}

#[test]
fn gains_of_a_subset_of_the_parents_count_for_the_whole_set_and_those_within_a_larger_subset_do_not() {
    let mut lengths = Staged::random(2);
    let set = |parents: &[usize]| Family::new(0, parents.iter().copied().collect());
    for (parents, gain) in [(&[1][..], 50.0), (&[1, 2], 10.0), (&[3], 20.0)] {
        let cheap = lengths.cheap.code_length(&set(parents)).unwrap();
        lengths.trained.lengths.set(&set(parents), cheap - Nats(gain));
    }
    with_gate(&lengths, |gate| {
        gate.lengths.train(&[set(&[1]), set(&[1, 2]), set(&[3])]).unwrap();
        let mut optimistic = gate.optimistic();
        // No order of few variables is ahead.
        let few: Vec<Family> =
            all_families().into_iter().filter(|family| family.parents.len() <= 2).collect();
        let gain =
            |optimistic: &OptimisticLengths, parents: &[usize]| optimistic.optimistic_gain(&set(parents));
        assert!(gain(&optimistic, &[1, 2, 3]) >= MARGIN + 20.0);
        optimistic.assume_no_gain(&few.into_iter().filter(|family| family.child != 0).collect::<Vec<_>>());
        assert!(gain(&optimistic, &[1, 4, 5]) >= MARGIN + 50.0);
        assert_eq!(gain(&optimistic, &[1, 2]), 0.0, "it is known");
    });
}
