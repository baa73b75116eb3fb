//! Ablations of the paper's schedule: the code of the data of Figure 2 with one part changed at a time.

use prequential::internals::{CodeLengths, count, dag_length, exhaustive, plural};
use prequential::tuning::BlockwiseSettings;
use prequential::{Constraints, Dag, Estimator, Nats, Neural, Plan, Result, Schedule, Settings};
use prequential_simulate::{Experiment, Simulated};
use serde_json::{Value, json};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::check;
use crate::tabular::families_of_three;
use crate::words::signed;

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "ablations",
    about: "The paper's networks without calibration, from a warm start, smaller, or by switching, on the data of Figure 2",
    needs_data: false,
    run: reproduce,
};

/// The default number of rows: few, for networks of half a million weights.
const N_ROWS: usize = 1_000;

/// Units of each layer of the smaller networks.
const SMALL: usize = 32;

/// The most gradient steps of a training run, unless the options set the paper's schedule.
const MAX_STEPS: usize = 400;

/// Names of the variants that are trained.
const LARGE: &str = "as the paper: 3 x 512 units, calibrated, from scratch";
const LARGE_RAW: &str = "not calibrated";
const WARM: &str = "warm start";
const SMALL_CALIBRATED: &str = "3 x 32 units";
const SMALL_RAW: &str = "3 x 32 units, not calibrated";
const REPLAY: &str = "replay, as many steps (codes numbers, not bins: compare margins)";
/// Names of the variants that combine them.
const SWITCHED: &str = "switching between both sizes and none, not calibrated (Blier and Ollivier)";

/// Code lengths of every family, part by part: before the first split, then block by block.
struct LossParts {
    variant: &'static str,
    /// `[family][part]`.
    nats: Vec<Vec<f64>>,
}

/// The result of a variant on one table.
struct Judged {
    variant: &'static str,
    /// The code of the true graph, in nats a row.
    code: f64,
    /// The code of the rows before the first split and in the first half of the blocks, in nats.
    early: f64,
    place: usize,
    /// Nats by which the best other graph is longer than the true one.
    margin: f64,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let n_rows = options.rows.unwrap_or(N_ROWS);
    check(n_rows, options.n_seeds, 1)?;
    let paper = papers(&options.settings);
    let mut judged: Vec<Vec<Judged>> = Vec::new();
    for (number, seed) in options.seeds().enumerate() {
        let simulated = Experiment::Chain3.simulate(n_rows, seed)?;
        let of_seed = judge_all(&paper, &options.settings, &simulated, seed)?;
        let words: Vec<String> = of_seed.iter().map(|one| signed(one.margin)).collect();
        request.tell(number + 1, options.n_seeds, &format!("seed {seed}: margins {}", words.join(", ")));
        judged.push(of_seed);
    }
    let more: String = options.more.iter().map(|word| format!(" {word}")).collect();
    let command = request.command(Some(n_rows)) + &more;
    let json = json!({
        "experiment": request.name,
        "command": command,
        "steps": paper.max_steps,
        "variants": (0..judged[0].len()).map(|variant| variant_json(&judged, variant)).collect::<Vec<_>>(),
    });
    let lines: String = (0..judged[0].len()).map(|variant| row(&judged, variant)).collect();
    let markdown = format!(
        "# ablations: what the paper's schedule owes to its parts\n\n\
         The data of chain3, {} rows, {}; networks trained at {} split points with at most {} steps each, learning rates {:?}. Code: of the true graph, in nats a row; its beginning: the nats \
         of the first {} rows. Margin: nats by which the best other graph is longer.\n\n`{command}`\n\n\
         | variant | code | its beginning | place of the true graph | margin (nats) |\n|---|---|---|---|---|\n{lines}\n\
         The paper: without calibration large networks overfit, and Blier and Ollivier (2018) had to switch between models; networks are trained from scratch because \
         warm starts generalise worse (Ash and Adams 2020).\n",
        count(n_rows),
        plural(options.n_seeds, "data seed"),
        paper.n_splits,
        count(paper.max_steps),
        paper.learning_rates,
        ends(&paper, n_rows)[paper.blocks(n_rows).len().div_ceil(2)],
    );
    Ok(Reproduction::new(&json, markdown, Vec::new()))
}

/// The paper's schedule: that of the settings if they have one, or a budget of minutes.
fn papers(settings: &Settings) -> BlockwiseSettings {
    if let Estimator::Neural(Neural { schedule: Schedule::Blockwise(given), .. }) = &settings.estimator {
        return given.clone();
    }
    let paper = BlockwiseSettings::default();
    BlockwiseSettings {
        max_steps: MAX_STEPS,
        evaluation_interval: 50,
        patience: 4,
        learning_rates: paper.learning_rates[1..].to_vec(),
        ..paper
    }
}

/// Every variant with its schedule; the first is the paper's.
fn variants(paper: &BlockwiseSettings) -> [(&'static str, BlockwiseSettings); 5] {
    let small = vec![SMALL; paper.hidden.len()];
    let with = |hidden: &[usize], calibrate, warm_start| BlockwiseSettings {
        hidden: hidden.to_vec(),
        calibrate,
        warm_start,
        ..paper.clone()
    };
    [
        (LARGE, with(&paper.hidden, true, false)),
        (LARGE_RAW, with(&paper.hidden, false, false)),
        (WARM, with(&paper.hidden, true, true)),
        (SMALL_CALIBRATED, with(&small, true, false)),
        (SMALL_RAW, with(&small, false, false)),
    ]
}

fn judge_all(
    paper: &BlockwiseSettings,
    given: &Settings,
    simulated: &Simulated,
    seed: u64,
) -> Result<Vec<Judged>> {
    let base = Settings { seed, threads: given.threads, ..Settings::paper() };
    let mut coded = Vec::new();
    for (variant, schedule) in variants(paper) {
        let neural = Neural { networks: 1, schedule: Schedule::Blockwise(schedule), ..Neural::default() };
        coded.push(LossParts::new(
            variant,
            paper,
            &Settings { estimator: neural.into(), ..base.clone() },
            simulated,
        )?);
    }
    let raw = |name: &str| coded.iter().find(|parts| parts.variant == name);
    let switched =
        raw(LARGE_RAW).zip(raw(SMALL_RAW)).map(|(large, small)| large.switched(small, simulated, paper));
    coded.extend(switched);
    let replay = Settings {
        seed,
        threads: given.threads,
        estimator: replay(paper, simulated).into(),
        ..Settings::default()
    };
    coded.push(LossParts::new(REPLAY, paper, &replay, simulated)?);
    coded.iter().map(|parts| parts.judged(simulated)).collect()
}

/// Networks that learn by replay, with as many gradient steps in all as the paper's schedule may take.
fn replay(paper: &BlockwiseSettings, simulated: &Simulated) -> Neural {
    let mut neural = Neural { networks: 1, ..Neural::default() };
    if let Schedule::Replay(replay) = &mut neural.schedule {
        let n_chunks = (simulated.table.n_rows() as f64).ln() / replay.growth.ln();
        let n_steps = paper.n_splits * paper.learning_rates.len() * paper.max_steps;
        replay.n_steps = (n_steps as f64 / n_chunks).round() as usize;
    }
    neural
}

/// Where blocks end, after the rows before the first split.
fn ends(paper: &BlockwiseSettings, n_rows: usize) -> Vec<usize> {
    let blocks = paper.blocks(n_rows);
    std::iter::once(blocks[0].start).chain(blocks.iter().map(|block| block.end)).collect()
}

impl LossParts {
    fn new(
        variant: &'static str,
        paper: &BlockwiseSettings,
        settings: &Settings,
        simulated: &Simulated,
    ) -> Result<LossParts> {
        let ends = ends(paper, simulated.table.n_rows());
        let families = families_of_three();
        let curves = Plan::new(&simulated.table, settings)?.curves_at(&families, &ends)?;
        let of_family = |number: usize| {
            let cumulative: Vec<f64> = curves.cumulative(number).iter().map(|moments| moments.mean).collect();
            let before = std::iter::once(&0.0).chain(&cumulative);
            cumulative.iter().zip(before).map(|(nats, before)| nats - before).collect()
        };
        Ok(LossParts { variant, nats: (0..families.len()).map(of_family).collect() })
    }

    /// The best choice, block by block, among these networks, others, or a uniform code; the choices are paid
    /// for.
    fn switched(&self, others: &LossParts, simulated: &Simulated, paper: &BlockwiseSettings) -> LossParts {
        let ends = ends(paper, simulated.table.n_rows());
        let n_rows: Vec<usize> =
            std::iter::once(ends[0]).chain(ends.windows(2).map(|pair| pair[1] - pair[0])).collect();
        let alike = (N_BINS as f64).ln();
        let best = |(large, small): (&Vec<f64>, &Vec<f64>)| {
            let of_part = |part: usize| {
                let least = large[part].min(small[part]).min(alike * n_rows[part] as f64);
                if part == 0 { least } else { least + 3f64.ln() }
            };
            (0..large.len()).map(of_part).collect()
        };
        LossParts { variant: SWITCHED, nats: self.nats.iter().zip(&others.nats).map(best).collect() }
    }

    fn judged(&self, simulated: &Simulated) -> Result<Judged> {
        let lengths = |n_parts: usize| {
            let mut lengths = CodeLengths::new(3, 2);
            for (family, parts) in families_of_three().iter().zip(&self.nats) {
                lengths.set(family, Nats(parts[..n_parts].iter().sum()));
            }
            lengths
        };
        let n_parts = self.nats[0].len();
        let whole = lengths(n_parts);
        let of = |lengths: &CodeLengths, dag: &Dag| {
            dag_length(lengths, dag).unwrap_or_else(|| panic!("every family is coded")).0
        };
        let truth = of(&whole, &simulated.truth);
        let ranking = exhaustive(&whole, &Constraints::none(3))?;
        let others = (0..ranking.len()).filter(|&rank| ranking.dag(rank) != simulated.truth);
        let best_other = others.map(|rank| ranking.code_length(rank).0).fold(f64::INFINITY, f64::min);
        let place = (0..ranking.len()).take_while(|&rank| ranking.dag(rank) != simulated.truth).count();
        let n_rows = simulated.table.n_rows() as f64;
        let n_early = n_parts / 2 + 1;
        Ok(Judged {
            variant: self.variant,
            code: truth / n_rows,
            early: of(&lengths(n_early), &simulated.truth),
            place: 1 + place,
            margin: best_other - truth,
        })
    }
}

/// Levels of a number as the paper codes it.
const N_BINS: usize = 128;

fn values(judged: &[Vec<Judged>], variant: usize, of: impl Fn(&Judged) -> String) -> String {
    judged.iter().map(|of_seed| of(&of_seed[variant])).collect::<Vec<_>>().join(", ")
}

fn row(judged: &[Vec<Judged>], variant: usize) -> String {
    format!(
        "| {} | {} | {} | {} | {} |\n",
        judged[0][variant].variant,
        values(judged, variant, |one| format!("{:.3}", one.code)),
        values(judged, variant, |one| format!("{:.0}", one.early)),
        values(judged, variant, |one| one.place.to_string()),
        values(judged, variant, |one| signed(one.margin)),
    )
}

fn variant_json(judged: &[Vec<Judged>], variant: usize) -> Value {
    let of = |value: &dyn Fn(&Judged) -> Value| {
        judged.iter().map(|of_seed| value(&of_seed[variant])).collect::<Vec<_>>()
    };
    json!({
        "variant": judged[0][variant].variant,
        "nats_per_row": of(&|one| one.code.into()),
        "early_nats": of(&|one| one.early.into()),
        "place_of_truth": of(&|one| one.place.into()),
        "margin_nats": of(&|one| one.margin.into()),
    })
}
