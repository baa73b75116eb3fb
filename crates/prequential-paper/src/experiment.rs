//! The list of experiments: each is a name and a function.

use prequential::Result;
use serde_json::Value;

use crate::options::ReproduceOptions;
use crate::{
    ablations, cancer, chain3, chain5, held_out, mechanisms, primes, robustness, sachs, scores, shifts,
    star5, tabular_chain, theorem1, yu,
};

/// An experiment of the paper that can be repeated.
#[derive(Debug, Clone, Copy)]
pub struct Reproducible {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) needs_data: bool,
    pub(crate) run: fn(&Request) -> Result<Reproduction>,
}

/// The result of an experiment.
#[derive(Debug)]
pub struct Reproduction {
    /// All numbers, as a JSON document.
    pub json: String,
    /// A short summary.
    pub markdown: String,
    /// Plots: file name and SVG.
    pub plots: Vec<(String, String)>,
}

/// One data set of an experiment is done.
#[derive(Debug, Clone, Copy)]
pub struct DataSetDone<'a> {
    /// Which, from 1.
    pub number: usize,
    /// How many there are.
    pub n_sets: usize,
    /// The outcome, in words.
    pub outcome: &'a str,
}

/// The request for an experiment.
pub(crate) struct Request<'a> {
    /// The name of the experiment.
    pub(crate) name: &'static str,
    pub(crate) options: &'a ReproduceOptions,
    listener: &'a dyn Fn(&DataSetDone),
}

impl Reproducible {
    /// Every experiment, in the order of the paper's figures and tables.
    pub const ALL: &'static [Reproducible] = &[
        tabular_chain::EXPERIMENT,
        cancer::EXPERIMENT,
        chain3::EXPERIMENT,
        star5::EXPERIMENT,
        chain5::EXPERIMENT,
        yu::EXPERIMENT,
        mechanisms::EXPERIMENT,
        held_out::EXPERIMENT,
        theorem1::EXPERIMENT,
        scores::EXPERIMENT,
        primes::EXPERIMENT,
        robustness::EXPERIMENT,
        ablations::EXPERIMENT,
        shifts::EXPERIMENT,
        sachs::EXPERIMENT,
    ];

    /// The experiment of this name.
    pub fn named(name: &str) -> Option<Reproducible> {
        Reproducible::ALL.iter().copied().find(|experiment| experiment.name == name)
    }

    /// Its name on the command line: `tabular-chain`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// What it repeats, as part of a sentence.
    pub fn about(self) -> &'static str {
        self.about
    }

    /// Whether it needs a table in [`ReproduceOptions::data`].
    pub fn needs_data(self) -> bool {
        self.needs_data
    }

    /// Runs the experiment.
    pub fn reproduce(self, options: &ReproduceOptions) -> Result<Reproduction> {
        self.reproduce_observed(options, &|_| ())
    }

    /// Runs the experiment, and tells `listener` about every data set that is done.
    pub fn reproduce_observed(
        self,
        options: &ReproduceOptions,
        listener: &dyn Fn(&DataSetDone),
    ) -> Result<Reproduction> {
        (self.run)(&Request { name: self.name, options, listener })
    }
}

impl Reproduction {
    pub(crate) fn new(json: &Value, markdown: String, plots: Vec<(String, String)>) -> Reproduction {
        Reproduction { json: format!("{json:#}\n"), markdown, plots }
    }
}

impl Request<'_> {
    /// The command that repeats the run, with these rows if they are to be named.
    pub(crate) fn command(&self, rows: Option<usize>) -> String {
        let rows = rows.map(|rows| format!(" --rows {rows}")).unwrap_or_default();
        let (name, seed, n_seeds) = (self.name, self.options.seed, self.options.n_seeds);
        format!("prequential reproduce {name}{rows} --seed {seed} --seeds {n_seeds}")
    }

    /// Tells the listener that a data set is done.
    pub(crate) fn tell(&self, number: usize, n_sets: usize, outcome: &str) {
        (self.listener)(&DataSetDone { number, n_sets, outcome });
    }
}
