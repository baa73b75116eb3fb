//! Settings that make no sense are refused before any work.

use crate::base::error::{Error, Result};
use crate::estimator::{BlockwiseSettings, Estimator, Prior, ReplaySettings, Schedule};
use crate::run::settings::Settings;
use crate::table::Inputs;

/// What counts may start from; beyond, sums of logarithms lose their meaning.
const PRIORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// The most bins of a column.
const MAX_BINS: usize = 1 << 16;

/// The most networks or row orders.
const MAX_REPEATS: usize = 10_000;

/// Refuses numbers that make no sense; `settings.estimator` is decided.
pub(crate) fn check(settings: &Settings) -> Result<()> {
    let (name, value) = match settings.prior {
        Prior::Alpha(alpha) => ("--alpha", alpha),
        Prior::SampleSize(size) => ("--ess", size),
    };
    require(
        PRIORS.contains(&value),
        || format!("`{name}` is {value:?}, but must lie between {} and {}", PRIORS.start(), PRIORS.end()),
        "`--alpha 0.5` is the default; `--alpha 1` gives K2, `--ess 1` gives BDeu",
    )?;
    let bins = settings.n_bins.unwrap_or(2);
    require(
        bins >= 2,
        || format!("`--bins` is {bins}, but a column with one bin says nothing"),
        "use `--bins 2` or more",
    )?;
    require(settings.repeats != Some(0), || "`--repeats` is 0".to_string(), "use `--repeats 1` or more")?;
    require(
        bins <= MAX_BINS,
        || format!("`--bins` is {bins}, but must be at most {MAX_BINS}"),
        "use `--bins 128`",
    )?;
    require(
        settings.repeats.unwrap_or(1) <= MAX_REPEATS,
        || format!("`--repeats` is {:?}, but must be at most {MAX_REPEATS}", settings.repeats.unwrap_or(1)),
        "use `--repeats 3`",
    )?;
    let from_scratch = settings.estimator == Estimator::Neural && settings.schedule == Schedule::Blockwise;
    require(
        settings.inputs == Inputs::Quantised || from_scratch,
        || "raw inputs are for networks trained from scratch, as in the paper".to_string(),
        "use `--inputs quantised`, or `--estimator neural --schedule blockwise`",
    )?;
    require(
        settings.estimator == Estimator::Counts || settings.max_configurations.is_none(),
        || {
            format!(
                "`--max-configurations` limits tables of counts, but the estimator is `{}`",
                settings.estimator
            )
        },
        "leave it out, or add `--estimator counts`; `--max-parents` limits any estimator",
    )?;
    if !settings.estimator.has_networks() {
        return Ok(());
    }
    match settings.schedule {
        Schedule::Replay => check_replay(&settings.replay),
        Schedule::Blockwise => {
            // Its first rows cost the same for every parent set, none included, only if networks code all of them.
            require(
                from_scratch,
                || "`--schedule blockwise` does not mix with other estimators".to_string(),
                "add `--estimator neural`",
            )?;
            check_blockwise(&settings.blockwise)
        }
    }
}

fn check_replay(replay: &ReplaySettings) -> Result<()> {
    check_hidden(&replay.hidden)?;
    check_rate(replay.learning_rate)?;
    check_batch(replay.batch)
}

fn check_blockwise(blockwise: &BlockwiseSettings) -> Result<()> {
    check_hidden(&blockwise.hidden)?;
    require(
        !blockwise.learning_rates.is_empty(),
        || "no learning rate is given".to_string(),
        "use `--learning-rate 1e-4,3e-4`, as in the paper",
    )?;
    blockwise.learning_rates.iter().try_for_each(|&rate| check_rate(rate))?;
    check_batch(blockwise.batch)?;
    require(
        (1..=1_000).contains(&blockwise.n_splits),
        || format!("`--splits` is {}, but must lie between 1 and 1000", blockwise.n_splits),
        "use `--splits 6`, as in the paper",
    )?;
    require(
        blockwise.n_frequencies <= MAX_WIDTH,
        || format!("`--frequencies` is {}, but must be at most {MAX_WIDTH}", blockwise.n_frequencies),
        "use `--frequencies 512`, as in the paper",
    )?;
    require(
        (0.0..1.0).contains(&blockwise.dropout),
        || format!("`--dropout` is {:?}, but must be at least 0 and below 1", blockwise.dropout),
        "use `--dropout 0.5`, as in the paper, or 0 for none",
    )?;
    require(
        blockwise.validation_share > 0.0 && blockwise.validation_share <= 0.5,
        || {
            format!(
                "`--validation-share` is {:?}, but must be above 0 and at most 0.5",
                blockwise.validation_share
            )
        },
        "use `--validation-share 0.1`",
    )?;
    require(
        blockwise.frequency_scale.is_finite() && blockwise.frequency_scale > 0.0,
        || format!("`--frequency-scale` is {:?}, but must be above 0", blockwise.frequency_scale),
        "use `--frequency-scale 10`, as in the paper",
    )
}

/// The most units of a layer: its weights alone would take a GiB.
const MAX_WIDTH: usize = 1 << 14;

fn check_hidden(hidden: &[usize]) -> Result<()> {
    require(
        hidden.iter().all(|units| (1..=MAX_WIDTH).contains(units)) && hidden.len() <= 20,
        || {
            format!(
                "`--hidden` is {hidden:?}: a network has at most 20 hidden layers of 1 to {MAX_WIDTH} units"
            )
        },
        "use `--hidden 32,32` for two layers of 32 units",
    )
}

fn check_rate(rate: f64) -> Result<()> {
    require(
        rate.is_finite() && rate > 0.0,
        || format!("`--learning-rate` is {rate:?}, but must be above 0"),
        "leave it out for the default",
    )
}

fn check_batch(batch: usize) -> Result<()> {
    require(
        (1..=1 << 16).contains(&batch),
        || format!("`--batch` is {batch}, but must lie between 1 and {}", 1 << 16),
        "leave it out for the default",
    )
}

fn require(holds: bool, what: impl FnOnce() -> String, hint: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Setting { what: what().into(), hint: hint.into() }) }
}
