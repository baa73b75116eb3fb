//! Dirichlet priors of counts.

use serde::Serialize;

use crate::base::error::{Result, require};
use crate::base::message::{OptionName, message};

/// Beyond, sums of logarithms lose their meaning.
const PRIORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// What [`Prior::Mixed`] mixes, each as likely as the others beforehand: from the paper's alpha to labels that come equally often.
const MIXED: [f64; 5] = [0.5, 2.0, 8.0, 32.0, 1e6];

/// What every count starts from.
///
/// `Alpha(0.5)` is the paper's choice (Jeffreys), `Alpha(1.0)` gives K2, `SampleSize(s)` spreads `s` rows over all
/// cells of the family's table and gives BDeu. Their code lengths are those that are defined elsewhere, without names of edges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// This much in every cell.
    Alpha(f64),
    /// This much in the whole table of a family: `ess / (child levels x parent configurations)` per cell.
    #[serde(rename = "ess")]
    SampleSize(f64),
    /// Any of several alphas from 0.5 up, mixed by Bayes' rule for each family as a whole; with [`Counts`](crate::Counts), a family also
    /// names both ends of its edges. What tables of labels are coded by unless a prior is chosen.
    ///
    /// Labels that come about equally often are cheapest to predict by a large alpha. With one small alpha, a variable without parents learns
    /// their shares in vain, and parents that tell nothing gain by leaving few rows to learn from. As one of many experts, counts
    /// take the smallest.
    Mixed,
}

impl Prior {
    /// The pseudo-counts of one cell that are mixed; mostly one.
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
    /// Refuses what makes no sense.
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
