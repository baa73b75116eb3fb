//! Dirichlet priors of counts.

use serde::Serialize;

use crate::base::error::{Result, require};
use crate::base::message::{OptionName, message};

/// Beyond this, sums of logarithms lose their precision.
const PRIORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// The components of [`Prior::Mixed`], with equal prior weights: from the paper's alpha to nearly uniform
/// labels.
const MIXED: [f64; 5] = [0.5, 2.0, 8.0, 32.0, 1e6];

/// The prior of the counts.
///
/// `Alpha(0.5)` is the paper's choice (Jeffreys), `Alpha(1.0)` gives K2, `SampleSize(s)` spreads `s` rows
/// over all cells of the family's table and gives BDeu. Their code lengths follow the published definitions,
/// without structure prior.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// This much in every cell.
    Alpha(f64),
    /// This much in the whole table of a family: `ess / (child levels x parent configurations)` per cell.
    #[serde(rename = "ess")]
    SampleSize(f64),
    /// A Bayesian mixture of several alphas from 0.5 up, for each family as a whole; with
    /// [`Counts`](crate::Counts), a family also has a structure prior per edge. It is the default for
    /// categorical tables.
    ///
    /// Nearly uniform labels are cheapest to predict with a large alpha. With one small alpha, a variable
    /// without parents learns their probabilities in vain, and irrelevant parents gain by leaving few rows to
    /// learn from. As one of many experts, counts use the smallest alpha.
    Mixed,
}

impl Prior {
    /// The pseudo-counts of one cell that are mixed; usually one.
    pub(super) fn mixed_per_cell(self, n_levels: usize, n_possible_configurations: f64) -> Vec<f64> {
        match self {
            Prior::Mixed => MIXED.to_vec(),
            one => vec![one.per_cell(n_levels, n_possible_configurations)],
        }
    }

    /// The pseudo-count of one cell.
    pub(super) fn per_cell(self, n_levels: usize, n_possible_configurations: f64) -> f64 {
        match self {
            Prior::Alpha(alpha) => alpha,
            Prior::SampleSize(size) => size / (n_levels as f64 * n_possible_configurations),
            Prior::Mixed => MIXED[0],
        }
    }
}

impl Prior {
    /// Refuses invalid values.
    pub(crate) fn check(self) -> Result<()> {
        let (option, value) = match self {
            Prior::Alpha(alpha) => (OptionName::Alpha, alpha),
            Prior::SampleSize(size) => (OptionName::Ess, size),
            Prior::Mixed => return Ok(()),
        };
        let (least, most) = (PRIORS.start(), PRIORS.end());
        require(
            PRIORS.contains(&value),
            || message![option, format!(" is {value:?}, but must lie between {least} and {most}")],
            || {
                message![
                    OptionName::Alpha.set(0.5),
                    " is the default; ",
                    OptionName::Alpha.set(1),
                    " gives K2, ",
                    OptionName::Ess.set(1),
                    " gives BDeu",
                ]
            },
        )
    }
}

impl Default for Prior {
    fn default() -> Prior {
        Prior::Alpha(0.5)
    }
}
