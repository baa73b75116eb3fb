//! When networks learn, and how.

use serde::Serialize;

use super::blockwise::BlockwiseSettings;
use super::replay::ReplaySettings;

/// When networks learn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Schedule {
    /// Continually, from rows drawn from all that were seen.
    Replay(ReplaySettings),
    /// From scratch at a few split points, as in the paper.
    Blockwise(BlockwiseSettings),
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule::Replay(ReplaySettings::default())
    }
}

impl Schedule {
    /// Whether networks learn how often the values of a child come, too.
    pub(in crate::estimator) fn learns_marginals(&self) -> bool {
        matches!(self, Schedule::Blockwise(_))
    }

    /// Training runs of one network of a family.
    pub(in crate::estimator) fn n_trainings(&self) -> usize {
        match self {
            Schedule::Replay(_) => 1,
            Schedule::Blockwise(blockwise) => blockwise.n_splits * blockwise.learning_rates.len(),
        }
    }

    pub(in crate::estimator) fn learning_rates(&self) -> Vec<f64> {
        match self {
            Schedule::Replay(replay) => vec![replay.learning_rate],
            Schedule::Blockwise(blockwise) => blockwise.learning_rates.clone(),
        }
    }
}
