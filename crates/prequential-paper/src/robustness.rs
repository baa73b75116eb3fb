//! Settings that should not matter: the ranking of all graphs under each, on the data of the paper's Figure 2.

use prequential::tuning::OptimiserKind;
use prequential::wording::{Message, OptionName};
use prequential::{Dag, Error, Estimator, Result, Schedule, Settings};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::outcome::{LETTERS, Outcome, listed, mean, n_where};
use crate::study::{Study, Task};
use crate::words::{one_line, signed};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "robustness",
    about: "Settings that should not matter, on the data of Figure 2",
    needs_data: false,
    run: reproduce,
};

/// How many graphs the table of excess lists.
const LISTED: usize = 5;

/// Settings that differ from `base` in one way each, an optimiser with its learning rate; the others are compared with the first.
fn variants(base: &Settings) -> Vec<(&'static str, Settings)> {
    let hidden = |layers: &[usize]| with(base, |hidden, _, _| *hidden = layers.to_vec());
    let optimiser = |kind, times: f64| {
        with(base, move |_, optimiser, rates| {
            *optimiser = kind;
            rates.into_iter().for_each(|rate| *rate *= times);
        })
    };
    // Momentum takes steps proportional to the gradient: with layer norm shorter ones work, without it longer
    // ones.
    let is_blockwise = matches!(&base.estimator, Estimator::Neural(neural) if matches!(neural.schedule, Schedule::Blockwise(_)));
    let (wide, momentum) = match is_blockwise {
        false => (32, ("momentum, 0.2 times the learning rate", 0.2)),
        true => (256, ("momentum, 10 times the learning rate", 10.0)),
    };
    vec![
        ("as given", base.clone()),
        ("one hidden layer, twice as wide", hidden(&[2 * wide])),
        ("three hidden layers", hidden(&[wide; 3])),
        ("two hidden layers, half as wide", hidden(&[wide / 2; 2])),
        ("two hidden layers, twice as wide", hidden(&[2 * wide; 2])),
        ("RMSprop, 0.4 times the learning rate", optimiser(OptimiserKind::RmsProp, 0.4)),
        (momentum.0, optimiser(OptimiserKind::Momentum, momentum.1)),
    ]
}

/// `base` with the networks of its schedule changed: hidden layers, optimiser, learning rates.
fn with(
    base: &Settings,
    change: impl FnOnce(&mut Vec<usize>, &mut OptimiserKind, Vec<&mut f64>),
) -> Settings {
    let mut settings = base.clone();
    let replay = match &mut settings.estimator {
        Estimator::Auto(auto) => Some(&mut auto.mix.replay),
        Estimator::Mix(mix) => Some(&mut mix.replay),
        Estimator::Neural(neural) => match &mut neural.schedule {
            Schedule::Replay(replay) => Some(replay),
            Schedule::Blockwise(networks) => {
                let rates = networks.learning_rates.iter_mut().collect();
                change(&mut networks.hidden, &mut networks.optimiser, rates);
                return settings;
            }
        },
        _ => None,
    };
    if let Some(networks) = replay {
        change(&mut networks.hidden, &mut networks.optimiser, vec![&mut networks.learning_rate]);
    }
    settings
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let study = Study::new(request)?;
    check(&request.options.settings.estimator)?;
    let mut outcomes = Vec::new();
    study.run(tasks(&study), |outcome, _| outcomes.push(outcome))?;
    let by_variant = by_variant(&outcomes);
    let paper = json!({ "finding": FINDING });
    let mut json = study.json(&outcomes, paper);
    json["variants"] = by_variant.iter().map(|ours| variant_json(ours, &by_variant[0])).collect();
    let markdown = format!(
        "# robustness: settings that should not matter (section 3.2 of the paper)\n\n\
         The data of chain3, learnt with settings that differ in one way each. {}\n\n{}\n{}\nThe paper: {FINDING}.\n",
        study.setting_in_words(&outcomes),
        variants_table(&by_variant),
        excess_table(&by_variant),
    );
    Ok(Reproduction::new(&json, markdown, Vec::new()))
}

/// Only networks have the settings that are varied.
fn check(estimator: &Estimator) -> Result<()> {
    if matches!(estimator, Estimator::Auto(_) | Estimator::Mix(_) | Estimator::Neural(_)) {
        return Ok(());
    }
    Err(Error::Setting {
        what: format!("`robustness` varies networks, but the estimator is `{}`", estimator.name()).into(),
        hint: Message::from("use ")
            + OptionName::Estimator.set("mix")
            + " or "
            + OptionName::Estimator.set("neural"),
    })
}

const FINDING: &str = "depth and width did not impact the rankings, provided that the models had sufficient capacity; changing the \
                       optimiser had minimal effect";

/// All variants for every seed.
fn tasks(study: &Study) -> Vec<Task> {
    let of_seed = |seed: u64| {
        let task = |(name, settings): (&str, Settings)| Task {
            variant: name.to_string(),
            experiment: Experiment::Chain3,
            settings,
        };
        variants(&study.settings(seed)).into_iter().map(task).collect::<Vec<_>>()
    };
    study.seeds().into_iter().flat_map(of_seed).collect()
}

/// Per variant, its outcomes for all seeds.
fn by_variant(outcomes: &[Outcome]) -> Vec<Vec<&Outcome>> {
    let first = outcomes[0].seed;
    let names = outcomes.iter().take_while(|outcome| outcome.seed == first).map(|outcome| &outcome.variant);
    names.map(|name| outcomes.iter().filter(|outcome| outcome.variant == *name).collect()).collect()
}

/// Per seed, how alike the ranking of all graphs is to the reference's.
fn correlations(ours: &[&Outcome], reference: &[&Outcome]) -> Vec<f64> {
    ours.iter().zip(reference).map(|(ours, theirs)| correlation(ours, theirs)).collect()
}

/// Spearman's rank correlation of the code lengths of the listed graphs.
fn correlation(ours: &Outcome, reference: &Outcome) -> f64 {
    let graphs: Vec<&Dag> = reference.ranking.iter().map(|(dag, _)| dag).collect();
    let ranks = |outcome: &Outcome| ranks(&graphs.iter().map(|dag| outcome.excess(dag)).collect::<Vec<_>>());
    pearson(&ranks(ours), &ranks(reference))
}

/// The rank of each value from 0; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + (equal - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let covariance: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    let variance = |values: &[f64], mean: f64| values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    covariance / (variance(a, mean_a) * variance(b, mean_b)).sqrt()
}

fn variant_json(ours: &[&Outcome], reference: &[&Outcome]) -> Value {
    json!({
        "variant": ours[0].variant,
        "data_sets": ours.len(),
        "found": n_where(ours, Outcome::is_found),
        "equivalent": n_where(ours, |outcome| outcome.comparison.equivalent),
        "place_of_truth": ours.iter().map(|outcome| outcome.place).collect::<Vec<_>>(),
        "margin_nats": ours.iter().map(|outcome| outcome.margin()).collect::<Vec<_>>(),
        "rank_correlation": correlations(ours, reference),
    })
}

/// A line per variant, with the values of all seeds.
fn variants_table(by_variant: &[Vec<&Outcome>]) -> String {
    let line = |ours: &Vec<&Outcome>| {
        let correlations = correlations(ours, &by_variant[0]);
        format!(
            "| {} | {} | {} of {n} | {} of {n} | {} | {} | {:.2} |\n",
            ours[0].variant,
            listed(ours, |outcome| outcome.place.to_string()),
            n_where(ours, Outcome::is_found),
            n_where(ours, |outcome| outcome.comparison.equivalent),
            listed(ours, |outcome| signed(outcome.margin())),
            correlations.iter().map(|value| format!("{value:.3}")).collect::<Vec<_>>().join(", "),
            mean(ours, |outcome| outcome.cpu_seconds),
            n = ours.len(),
        )
    };
    let lines: String = by_variant.iter().map(line).collect();
    format!(
        "| variant | place of the true graph | first and alone | in the true class | margin (nats) | rank correlation of all graphs with the first \
         variant | CPU s |\n|---|---|---|---|---|---|---|\n{lines}"
    )
}

/// The best graphs of the first variant, with their excess under every variant, for the first seed.
fn excess_table(by_variant: &[Vec<&Outcome>]) -> String {
    let reference = by_variant[0][0];
    let names: Vec<&str> = by_variant.iter().map(|ours| ours[0].variant.as_str()).collect();
    let line = |(dag, _): &(Dag, _)| {
        let excess: Vec<String> = by_variant.iter().map(|ours| signed(ours[0].excess(dag))).collect();
        format!("| {} | {} |\n", one_line(dag, &LETTERS), excess.join(" | "))
    };
    let lines: String = reference.ranking.iter().take(LISTED).map(line).collect();
    format!(
        "| excess in nats, seed {} | {} |\n|{}\n{lines}",
        reference.seed,
        names.join(" | "),
        "---|".repeat(names.len() + 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_ties_are_shared_and_reversing_them_gives_minus_one() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [1.5, 0.0, 1.5, 3.0]);
        let (up, down) = (ranks(&[1.0, 2.0, 4.0]), ranks(&[0.3, 0.2, 0.1]));
        assert!((pearson(&up, &down) + 1.0).abs() < 1e-12 && (pearson(&up, &up) - 1.0).abs() < 1e-12);
    }
}
