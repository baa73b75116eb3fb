//! Runs the data sets of an experiment through the pipeline, one after another.

use serde_json::{Value, json};

use super::outcome::{LETTERS, Outcome};
use super::{ReproduceOptions, check, settings_json};
use crate::base::error::Result;
use crate::base::format::{count, plural};
use crate::base::observer::Observer;
use crate::estimator::Estimator;
use crate::run::learn::learn_observed;
use crate::run::result::Learned;
use crate::run::settings::{Search, Settings};
use crate::search::Knowledge;
use crate::simulate::Experiment;

/// Graphs that every ranking lists: all 25 over three variables.
const LISTED: usize = 25;

/// An experiment with continuous variables, and how it is run.
pub(super) struct Study<'a> {
    name: &'static str,
    options: &'a ReproduceOptions,
    observer: &'a dyn Observer,
}

/// One table to draw and learn.
pub(super) struct Task {
    /// What distinguishes it from others of the same table; often nothing.
    pub(super) variant: String,
    /// What is drawn, from the seed of the settings.
    pub(super) experiment: Experiment,
    /// How it is learnt.
    pub(super) settings: Settings,
}

impl<'a> Study<'a> {
    /// Refuses options that leave nothing to do.
    pub(super) fn new(
        name: &'static str,
        options: &'a ReproduceOptions,
        observer: &'a dyn Observer,
    ) -> Result<Study<'a>> {
        let study = Study { name, options, observer };
        check(study.rows(), options.n_seeds, options.repeats.unwrap_or(1))?;
        Ok(study)
    }

    /// Rows of each table.
    pub(super) fn rows(&self) -> usize {
        self.options.rows.unwrap_or(Experiment::Chain3.default_rows())
    }

    /// The data seeds.
    pub(super) fn seeds(&self) -> Vec<u64> {
        self.options.seeds().collect()
    }

    /// How the table of one seed is learnt: every family is scored and every graph ranked, as in the paper.
    pub(super) fn settings(&self, seed: u64) -> Settings {
        let given = &self.options.settings;
        Settings {
            seed,
            repeats: self.options.repeats.or(given.repeats),
            search: Search::Exhaustive,
            knowledge: Knowledge::default(),
            max_parents: None,
            max_configurations: (given.estimator == Estimator::Counts).then_some(usize::MAX),
            top: LISTED,
            ..given.clone()
        }
    }

    /// Learns all of `experiments` for every seed: those of the first seed come first.
    pub(super) fn learn_all(&self, experiments: &[Experiment]) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        self.run(self.tasks(experiments), |outcome, _| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// All of `experiments` for every seed.
    pub(super) fn tasks(&self, experiments: &[Experiment]) -> Vec<Task> {
        let task = |seed: u64, &experiment: &Experiment| Task {
            variant: String::new(),
            experiment,
            settings: self.settings(seed),
        };
        let seeds = self.seeds();
        seeds.iter().flat_map(|&seed| experiments.iter().map(move |set| task(seed, set))).collect()
    }

    /// Draws and learns one table after another, each on all threads, and shows what came out to `visit`.
    pub(super) fn run(&self, tasks: Vec<Task>, mut visit: impl FnMut(Outcome, Learned)) -> Result<()> {
        let n_tasks = tasks.len();
        for (i, task) in tasks.into_iter().enumerate() {
            let simulated = task.experiment.simulate(self.rows(), task.settings.seed)?;
            let learned = learn_observed(&simulated.table, &task.settings, self.observer)?;
            let outcome = Outcome::new(task, &simulated, &learned)?;
            self.observer.data_set(i + 1, n_tasks, &outcome.in_words());
            visit(outcome, learned);
        }
        Ok(())
    }

    /// How the experiment was run, in words.
    pub(super) fn setting_in_words(&self, outcomes: &[Outcome]) -> String {
        let settings = &outcomes[0].settings;
        format!(
            "Estimator {}; {} rows, {}, {}.\n\n`{}`",
            settings.estimator,
            count(self.rows()),
            plural(self.options.n_seeds, "data seed"),
            if settings.estimator.has_networks() {
                format!("{} a family", plural(settings.n_nets(), "network"))
            } else {
                plural(settings.n_orders(), "row order")
            },
            self.command()
        )
    }

    /// The command that repeats the run.
    fn command(&self) -> String {
        let options = self.options;
        let mut command = format!(
            "prequential reproduce {} --rows {} --seed {} --seeds {}",
            self.name,
            self.rows(),
            options.seed,
            options.n_seeds
        );
        if let Some(repeats) = options.repeats {
            command += &format!(" --repeats {repeats}");
        }
        if options.settings.estimator != Estimator::Auto {
            command += &format!(" --estimator {}", options.settings.estimator);
        }
        for word in &options.more {
            command += &format!(" {word}");
        }
        command
    }

    /// The numbers that every experiment states.
    pub(super) fn json(&self, outcomes: &[Outcome], paper: Value) -> Value {
        let settings = &outcomes[0].settings;
        json!({
            "experiment": self.name,
            "command": self.command(),
            "rows": self.rows(),
            "repeats": settings.repeats,
            "estimator": settings.estimator,
            "settings": settings_json(settings, &LETTERS),
            "paper": paper,
            "runs": outcomes.iter().map(Outcome::json).collect::<Vec<_>>(),
        })
    }
}
