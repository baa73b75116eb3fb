//! What counts start from.

use serde::Serialize;

use crate::base::error::{Result, require};
use crate::base::message::{OptionName, message};

/// Beyond, sums of logarithms lose their meaning.
const PRIORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// What every count starts from.
///
/// `Alpha(0.5)` is the paper's choice (Jeffreys), `Alpha(1.0)` gives K2, `SampleSize(s)` spreads `s` rows over all
/// cells of the family's table and gives BDeu.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// This much in every cell.
    Alpha(f64),
    /// This much in the whole table of a family: `ess / (child levels x parent configurations)` per cell.
    #[serde(rename = "ess")]
    SampleSize(f64),
}

impl Prior {
    /// The pseudo-count of one cell.
    pub(super) fn per_cell(self, n_levels: usize, n_possible_configurations: f64) -> f64 {
        match self {
            Prior::Alpha(alpha) => alpha,
            Prior::SampleSize(size) => size / (n_levels as f64 * n_possible_configurations),
        }
    }
}

impl Prior {
    /// Refuses what makes no sense.
    pub(crate) fn check(self) -> Result<()> {
        let (option, value) = match self {
            Prior::Alpha(alpha) => (OptionName::Alpha, alpha),
            Prior::SampleSize(size) => (OptionName::Ess, size),
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
