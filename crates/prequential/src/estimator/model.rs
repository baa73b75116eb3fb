//! Which estimator predicts the families, with all its choices.

use serde::Serialize;

use super::{BlockwiseSettings, FourierSettings, Prior, ReplaySettings};

/// What predicts a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// `Mix` for tables with columns of numbers, `Counts` for tables of labels.
    #[default]
    Auto,
    /// Counts of child values per configuration of parent values.
    Counts,
    /// Linear regression of normal scores, in closed form: what a straight line buys.
    Linear,
    /// Regression on random waves of the parents, in closed form.
    Fourier,
    /// Neural networks.
    Neural,
    /// A switching mixture of `Fourier` and `Neural`, for labels with labels as parents also `Counts`.
    Mix,
}

/// When networks learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Continually, from rows drawn from all that were seen.
    #[default]
    Replay,
    /// From scratch at a few split points, as in the paper.
    Blockwise,
}

impl Estimator {
    /// Whether regressions on features predict.
    pub(crate) fn has_regressions(self) -> bool {
        matches!(self, Estimator::Linear | Estimator::Fourier | Estimator::Mix)
    }

    /// Whether networks predict.
    pub fn has_networks(self) -> bool {
        matches!(self, Estimator::Neural | Estimator::Mix)
    }
}

impl std::fmt::Display for Estimator {
    /// The name that the command line takes.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Estimator::Auto => "auto",
            Estimator::Counts => "counts",
            Estimator::Linear => "linear",
            Estimator::Fourier => "fourier",
            Estimator::Neural => "neural",
            Estimator::Mix => "mix",
        })
    }
}

/// What predicts the families of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Which estimator; not `Auto`.
    pub estimator: Estimator,
    /// What counts start from.
    pub prior: Prior,
    /// How regressions on waves predict; `Linear` is a case of its own.
    pub fourier: FourierSettings,
    /// When networks learn.
    pub schedule: Schedule,
    /// How small networks learn continually.
    pub replay: ReplaySettings,
    /// How networks learn from scratch at split points.
    pub blockwise: BlockwiseSettings,
    /// How many networks predict each family; their probabilities are averaged.
    pub n_nets: usize,
    /// Draws frequencies, first weights and mini-batches.
    pub seed: u64,
}

impl Model {
    /// Whether networks learn how often the values of a child come, too: then families without parents are theirs.
    pub(crate) fn learns_marginals(&self) -> bool {
        self.estimator == Estimator::Neural && self.schedule == Schedule::Blockwise
    }

    /// The learning rates in force, for messages.
    pub(crate) fn learning_rates(&self) -> Vec<f64> {
        match self.schedule {
            Schedule::Replay => vec![self.replay.learning_rate],
            Schedule::Blockwise => self.blockwise.learning_rates.clone(),
        }
    }

    /// The same with random numbers of its own for repeat number `repeat`.
    pub(crate) fn for_repeat(&self, repeat: usize) -> Model {
        Model { seed: self.seed.wrapping_add((repeat as u64) << 40), ..self.clone() }
    }

    /// Counts with this prior.
    pub fn counts(prior: Prior) -> Model {
        Model {
            estimator: Estimator::Counts,
            prior,
            fourier: FourierSettings::default(),
            schedule: Schedule::default(),
            replay: ReplaySettings::default(),
            blockwise: BlockwiseSettings::default(),
            n_nets: 1,
            seed: 0,
        }
    }
}
