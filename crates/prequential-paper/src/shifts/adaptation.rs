//! A -> B in environments that change the mechanism of the cause or of the effect: code lengths of both
//! directions, and their adaptation.

use std::f64::consts::TAU;

use prequential::internals::checkpoints;
use prequential::results::{Curves, MeanSd};
use prequential::{
    Counts, Family, Knowledge, NodeSet, Plan, Result, RowOrder, Settings, Statement, Table, Values, Variable,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::ENVIRONMENT;

/// Environments follow one another in time.
pub(super) const N_ENVIRONMENTS: usize = 10;

/// Values of a label.
const N_LEVELS: usize = 10;

/// What the environments change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    Cause,
    Effect,
}

/// The kind of A and B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdaptationKind {
    /// Ten labels, distributions from Dirichlet(1): without environments the direction is not identifiable.
    Labels,
    /// A normal, B linear in A with normal noise: not identifiable either.
    Numbers,
}

/// The case to be coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) kind: AdaptationKind,
    pub(super) changed: Changed,
}

impl Case {
    pub(super) const ALL: [Case; 4] = [
        Case { kind: AdaptationKind::Labels, changed: Changed::Cause },
        Case { kind: AdaptationKind::Labels, changed: Changed::Effect },
        Case { kind: AdaptationKind::Numbers, changed: Changed::Cause },
        Case { kind: AdaptationKind::Numbers, changed: Changed::Effect },
    ];

    pub(super) fn in_words(self) -> String {
        let kind = match self.kind {
            AdaptationKind::Labels => "labels",
            AdaptationKind::Numbers => "numbers",
        };
        let changed = match self.changed {
            Changed::Cause => "distribution of the cause",
            Changed::Effect => "mechanism of the effect",
        };
        format!("{kind}, the {changed} changes")
    }

    /// The table: A, B and the environment, `n_rows` in each of them.
    fn table(self, n_rows: usize, seed: u64) -> Result<Table> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(Case::ALL.iter().position(|&case| case == self).unwrap_or(0) as u64);
        let levels = |n: usize| (1..=n).map(|level| level.to_string()).collect::<Vec<String>>();
        let [a, b] = match self.kind {
            AdaptationKind::Labels => {
                self.labels(n_rows, &mut rng).map(|codes| Values::Labels { levels: levels(N_LEVELS), codes })
            }
            AdaptationKind::Numbers => self.numbers(n_rows, &mut rng).map(Values::Numbers),
        };
        let codes = (0..N_ENVIRONMENTS).flat_map(|number| vec![number as u32; n_rows]).collect();
        let environments = Values::Labels { levels: levels(N_ENVIRONMENTS), codes };
        let variable =
            |(name, values): (&str, Values)| Variable { name: name.into(), values, intervened: None };
        Table::new([("A", a), ("B", b), (ENVIRONMENT, environments)].map(variable).to_vec())
    }

    fn labels(self, n_rows: usize, rng: &mut ChaCha8Rng) -> [Vec<u32>; 2] {
        let tables = |rng: &mut ChaCha8Rng| (0..N_LEVELS).map(|_| dirichlet(rng)).collect::<Vec<_>>();
        let (mut cause, mut effect) = (dirichlet(rng), tables(rng));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..N_ENVIRONMENTS {
            match self.changed {
                Changed::Cause => cause = dirichlet(rng),
                Changed::Effect => effect = tables(rng),
            }
            for _ in 0..n_rows {
                let value = draw(&cause, rng);
                a.push(value);
                b.push(draw(&effect[value as usize], rng));
            }
        }
        [a, b]
    }

    fn numbers(self, n_rows: usize, rng: &mut ChaCha8Rng) -> [Vec<f64>; 2] {
        let location = |rng: &mut ChaCha8Rng| (rng.random_range(-2.0..2.0), rng.random_range(0.5..1.5));
        let line = |rng: &mut ChaCha8Rng| {
            let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
            (rng.random_range(-1.0..1.0), sign * rng.random_range(0.5..1.5))
        };
        let ((mut mean, mut sd), (mut height, mut slope)) = (location(rng), line(rng));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..N_ENVIRONMENTS {
            match self.changed {
                Changed::Cause => (mean, sd) = location(rng),
                Changed::Effect => (height, slope) = line(rng),
            }
            for _ in 0..n_rows {
                let value = mean + sd * normal(rng);
                a.push(value);
                b.push(height + slope * value + 0.7 * normal(rng));
            }
        }
        [a, b]
    }
}

/// The code lengths of the two directions in one data set.
pub(super) struct Adaptation {
    /// Nats by which the anti-causal direction is longer, the environment known.
    pub(super) gap: f64,
    /// Nats by which the anti-causal direction is longer, the environment left out.
    pub(super) gap_without: f64,
    /// Per direction (causal first), `[place in `checkpoints`]`: nats a row between checkpoints after a change of environment, of all changes.
    pub(super) after_change: [Vec<MeanSd>; 2],
    /// Rows since the change.
    pub(super) checkpoints: Vec<usize>,
}

impl Adaptation {
    pub(super) fn new(case: Case, n_rows: usize, seed: u64, settings: &Settings) -> Result<Adaptation> {
        let table = case.table(n_rows, seed)?;
        let estimator = match case.kind {
            AdaptationKind::Labels => Counts::default().into(),
            AdaptationKind::Numbers => settings.estimator.clone(),
        };
        let said = Statement { value: ENVIRONMENT.to_string(), place: "the experiment".into() };
        let knowledge = Knowledge { context: vec![said], ..Knowledge::default() };
        let given = Settings {
            estimator,
            row_order: RowOrder::Given,
            permutations: 1,
            seed,
            knowledge,
            ..settings.clone()
        };
        let every_row: Vec<usize> = (1..=table.n_rows()).collect();
        let curves = Plan::new(&table, &given)?.curves_at(&families(), &every_row)?;
        let alone = Table::new(table.variables()[..2].to_vec())?;
        let without = Settings { knowledge: Knowledge::default(), ..given };
        let curves_without = Plan::new(&alone, &without)?.curves_at(&families(), &[table.n_rows()])?;
        let points = checkpoints(n_rows, 8);
        let [causal, anti] = [0, 2].map(|first| cumulative(&curves, first));
        Ok(Adaptation {
            gap: anti[anti.len() - 1] - causal[causal.len() - 1],
            gap_without: last(&curves_without, 2) - last(&curves_without, 0),
            after_change: [&causal, &anti].map(|nats| after_change(nats, n_rows, &points)),
            checkpoints: points,
        })
    }
}

/// The families of A -> B, then those of B -> A.
fn families() -> [Family; 4] {
    let (alone, given) = (NodeSet::new(), NodeSet::single);
    [Family::new(0, alone.clone()), Family::new(1, given(0)), Family::new(1, alone), Family::new(0, given(1))]
}

/// The cumulative loss of one direction after each row: of family number `first` and the next one.
fn cumulative(curves: &Curves, first: usize) -> Vec<f64> {
    let both = curves.cumulative(first).into_iter().zip(curves.cumulative(first + 1));
    both.map(|(one, other)| one.mean + other.mean).collect()
}

fn last(curves: &Curves, first: usize) -> f64 {
    cumulative(curves, first).last().copied().unwrap_or(f64::NAN)
}

/// Nats a row between checkpoints, over all changes of the environment; the first environment is not a
/// change.
fn after_change(nats: &[f64], n_rows: usize, checkpoints: &[usize]) -> Vec<MeanSd> {
    // The first row is not a change.
    let spent = |environment: usize, rows: usize| nats[environment * n_rows + rows - 1];
    let between = |place: usize| {
        let (from, to) = (if place == 0 { 0 } else { checkpoints[place - 1] }, checkpoints[place]);
        let a_row = move |environment: usize| {
            (spent(environment, to) - spent(environment, from)) / (to - from) as f64
        };
        MeanSd::of((1..N_ENVIRONMENTS).map(a_row))
    };
    (0..checkpoints.len()).map(between).collect()
}

/// A draw from Dirichlet(1, ..., 1).
fn dirichlet(rng: &mut ChaCha8Rng) -> Vec<f64> {
    let draws: Vec<f64> = (0..N_LEVELS).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect();
    let total: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / total).collect()
}

fn draw(distribution: &[f64], rng: &mut ChaCha8Rng) -> u32 {
    let mut left: f64 = rng.random();
    let reached = distribution.iter().position(|probability| {
        left -= probability;
        left < 0.0
    });
    reached.unwrap_or(distribution.len() - 1) as u32
}

/// A draw from the standard normal distribution, after Box and Muller.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_change_of_environment_costs_is_counted_from_the_change() {
        // Two rows an environment: the first costs 3, the second 1, but for those of the first environment.
        let losses = (0..2 * N_ENVIRONMENTS).map(|row| if row % 2 == 0 && row > 0 { 3.0 } else { 1.0 });
        let nats: Vec<f64> = losses
            .scan(0.0, |sum, loss| {
                *sum += loss;
                Some(*sum)
            })
            .collect();
        let curve = after_change(&nats, 2, &[1, 2]);
        assert_eq!([curve[0].mean, curve[1].mean], [3.0, 1.0]);
        assert_eq!([curve[0].sd, curve[1].sd], [0.0, 0.0]);
    }
}
