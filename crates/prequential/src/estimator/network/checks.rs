//! Checks of the settings of networks, before any work.

use super::{BlockwiseSettings, ReplaySettings};
use crate::base::error::{Result, require};
use crate::base::message::{Message, OptionName, Part, message};

/// The most units of a layer: its weights alone would take a GiB.
const MAX_WIDTH: usize = 1 << 14;

/// The most networks of a family.
const MAX_NETWORKS: usize = 10_000;

impl ReplaySettings {
    pub(in crate::estimator) fn check(&self) -> Result<()> {
        check_hidden(&self.hidden)?;
        check_rate(self.learning_rate)?;
        check_batch(self.batch)
    }
}

impl BlockwiseSettings {
    pub(in crate::estimator) fn check(&self) -> Result<()> {
        check_hidden(&self.hidden)?;
        require(
            !self.learning_rates.is_empty(),
            || message!["no learning rate is given"],
            || as_in_the_paper(OptionName::LearningRate.list(&["1e-4", "3e-4"])),
        )?;
        self.learning_rates.iter().try_for_each(|&rate| check_rate(rate))?;
        check_batch(self.batch)?;
        require(
            (1..=1_000).contains(&self.n_splits),
            || is(OptionName::Splits, self.n_splits, "must lie between 1 and 1000"),
            || as_in_the_paper(OptionName::Splits.set(6)),
        )?;
        require(
            self.n_frequencies <= MAX_WIDTH,
            || is(OptionName::Frequencies, self.n_frequencies, &format!("must be at most {MAX_WIDTH}")),
            || as_in_the_paper(OptionName::Frequencies.set(512)),
        )?;
        self.check_shares()
    }

    fn check_shares(&self) -> Result<()> {
        require(
            (0.0..1.0).contains(&self.dropout),
            || is(OptionName::Dropout, self.dropout, "must be at least 0 and below 1"),
            || as_in_the_paper(OptionName::Dropout.set(0.5)) + ", or 0 for none",
        )?;
        require(
            self.validation_share > 0.0 && self.validation_share <= 0.5,
            || is(OptionName::ValidationShare, self.validation_share, "must be above 0 and at most 0.5"),
            || message!["use ", OptionName::ValidationShare.set(0.1)],
        )?;
        require(
            self.frequency_scale.is_finite() && self.frequency_scale > 0.0,
            || is(OptionName::FrequencyScale, self.frequency_scale, "must be above 0"),
            || as_in_the_paper(OptionName::FrequencyScale.set(10)),
        )
    }
}

/// Refuses zero networks, and too many.
pub(in crate::estimator) fn check_networks(n_networks: usize) -> Result<()> {
    require(
        (1..=MAX_NETWORKS).contains(&n_networks),
        || is(OptionName::Networks, n_networks, &format!("must lie between 1 and {MAX_NETWORKS}")),
        || message!["use ", OptionName::Networks.set(3)],
    )
}

fn check_hidden(hidden: &[usize]) -> Result<()> {
    require(
        hidden.iter().all(|units| (1..=MAX_WIDTH).contains(units)) && hidden.len() <= 20,
        || {
            message![
                OptionName::Hidden,
                format!(" is {hidden:?}: a network has at most 20 hidden layers of 1 to {MAX_WIDTH} units")
            ]
        },
        || message!["use ", OptionName::Hidden.list(&["32", "32"]), " for two layers of 32 units"],
    )
}

fn check_rate(rate: f64) -> Result<()> {
    let holds = rate.is_finite() && rate > 0.0;
    require(holds, || is(OptionName::LearningRate, rate, "must be above 0"), leave_out)
}

fn check_batch(batch: usize) -> Result<()> {
    let bounds = format!("must lie between 1 and {}", 1 << 16);
    require((1..=1 << 16).contains(&batch), || is(OptionName::Batch, batch, &bounds), leave_out)
}

/// The value of an option, and its condition.
fn is(option: OptionName, value: impl std::fmt::Debug, wanted: &str) -> Message {
    message![option, format!(" is {value:?}, but {wanted}")]
}

fn as_in_the_paper(option: Part) -> Message {
    message!["use ", option, ", as in the paper"]
}

fn leave_out() -> Message {
    message!["leave it out for the default"]
}
