//! Runs the data sets of an experiment through the pipeline, one after another.

use prequential::internals::{count, plural, settings_value};
use prequential::{Estimator, Exhaustive, Knowledge, Learned, Result, Settings, learn};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::experiment::Request;
use crate::options::{ReproduceOptions, check};
use crate::outcome::Outcome;

/// Graphs that every ranking lists: all 25 over three variables.
const LISTED: usize = 25;

/// An experiment with continuous variables, and how it is run.
pub(crate) struct Study<'a> {
    request: &'a Request<'a>,
    options: &'a ReproduceOptions,
}

/// One table to draw and learn.
pub(crate) struct Task {
    /// Its distinction from others of the same table; often empty.
    pub(crate) variant: String,
    /// The system to draw, from the seed of the settings.
    pub(crate) experiment: Experiment,
    /// How it is learned.
    pub(crate) settings: Settings,
}

impl<'a> Study<'a> {
    /// Refuses options that leave nothing to do.
    pub(crate) fn new(request: &'a Request) -> Result<Study<'a>> {
        let study = Study { request, options: request.options };
        check(study.rows(), study.options.n_seeds, study.options.permutations.unwrap_or(1))?;
        Ok(study)
    }

    /// Rows of each table.
    pub(crate) fn rows(&self) -> usize {
        self.options.rows.unwrap_or(Experiment::Chain3.default_rows())
    }

    /// The data seeds.
    pub(crate) fn seeds(&self) -> Vec<u64> {
        self.options.seeds().collect()
    }

    /// The settings for the table of one seed: every family is scored and every graph ranked, as in the
    /// paper.
    pub(crate) fn settings(&self, seed: u64) -> Settings {
        let given = &self.options.settings;
        Settings {
            seed,
            permutations: self.options.permutations.unwrap_or(given.permutations),
            search: Exhaustive.into(),
            knowledge: Knowledge::default(),
            max_parents: None,
            estimator: with_all_parents(given.estimator.clone()),
            top: LISTED,
            ..given.clone()
        }
    }

    /// Learns all of `experiments` for every seed: those of the first seed come first.
    pub(crate) fn learn_all(&self, experiments: &[Experiment]) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        self.run(self.tasks(experiments), |outcome, _| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// All of `experiments` for every seed.
    pub(crate) fn tasks(&self, experiments: &[Experiment]) -> Vec<Task> {
        let task = |seed: u64, &experiment: &Experiment| Task {
            variant: String::new(),
            experiment,
            settings: self.settings(seed),
        };
        let seeds = self.seeds();
        seeds.iter().flat_map(|&seed| experiments.iter().map(move |set| task(seed, set))).collect()
    }

    /// Draws and learns one table after another, each on all threads, and passes the result to `visit`.
    pub(crate) fn run(&self, tasks: Vec<Task>, mut visit: impl FnMut(Outcome, Learned)) -> Result<()> {
        let n_tasks = tasks.len();
        for (i, task) in tasks.into_iter().enumerate() {
            let simulated = task.experiment.simulate(self.rows(), task.settings.seed)?;
            let learned = learn(&simulated.table, &task.settings)?;
            let outcome = Outcome::new(task, &simulated, &learned)?;
            self.request.tell(i + 1, n_tasks, &outcome.in_words());
            visit(outcome, learned);
        }
        Ok(())
    }

    /// How the experiment was run, in words.
    pub(crate) fn setting_in_words(&self, outcomes: &[Outcome]) -> String {
        let plan = &outcomes[0].plan;
        format!(
            "Estimator {}; {} rows, {}, {}.\n\n`{}`",
            plan.estimator(),
            count(self.rows()),
            plural(self.options.n_seeds, "data seed"),
            match plan.n_networks() {
                0 => plural(plan.permutations(), "row order"),
                n_networks => format!("{} a family", plural(n_networks, "network")),
            },
            self.command()
        )
    }

    /// The command that repeats the run.
    fn command(&self) -> String {
        let options = self.options;
        let mut command = format!(
            "prequential reproduce {} --rows {} --seed {} --seeds {}",
            self.request.name,
            self.rows(),
            options.seed,
            options.n_seeds
        );
        command += &as_typed(options);
        for word in &options.more {
            command += &format!(" {word}");
        }
        command
    }

    /// The numbers that every experiment states.
    pub(crate) fn json(&self, outcomes: &[Outcome], paper: Value) -> Value {
        let plan = &outcomes[0].plan;
        json!({
            "experiment": self.request.name,
            "command": self.command(),
            "rows": self.rows(),
            "repeats": plan.permutations() * plan.n_networks().max(1),
            "estimator": plan.estimator(),
            "settings": settings_value(plan),
            "paper": paper,
            "runs": outcomes.iter().map(Outcome::json).collect::<Vec<_>>(),
        })
    }
}

/// Row orders and estimator as command-line options, if they were given.
pub(crate) fn as_typed(options: &ReproduceOptions) -> String {
    let permutations = options.permutations.map(|permutations| format!(" --permutations {permutations}"));
    let estimator = &options.settings.estimator;
    let estimator =
        (!matches!(estimator, Estimator::Auto(_))).then(|| format!(" --estimator {}", estimator.name()));
    permutations.into_iter().chain(estimator).collect()
}

/// The estimator; with counts, no parent set is left out.
fn with_all_parents(mut estimator: Estimator) -> Estimator {
    if let Estimator::Counts(counts) = &mut estimator {
        counts.max_configurations = Some(usize::MAX);
    }
    estimator
}
