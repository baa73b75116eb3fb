//! Keyword arguments, as JSON from Python, and what they become in the library.

use std::path::PathBuf;
use std::time::Duration;

use prequential::options::{EstimatorOptions, NetworkOptions, SearchOptions, parse_bytes, parse_duration};
use prequential::tables::{Binning, Inputs};
use prequential::wording::OptionName;
use prequential::{
    Knowledge, Limits, Prior, Resolution, Result, RowOrder, Search, Settings, Statement, Table,
};
use pyo3::PyResult;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::errors::{mistake, raise};

/// The options of a run; what is not given has the library's default.
#[derive(Deserialize)]
pub(crate) struct RunOptions {
    estimator: Option<String>,
    preset: Option<Preset>,
    alpha: Option<f64>,
    ess: Option<f64>,
    bins: Option<usize>,
    binning: Option<BinningName>,
    inputs: Option<InputsName>,
    max_parents: Option<usize>,
    max_configurations: Option<usize>,
    seed: Option<u64>,
    row_orders: Option<usize>,
    row_order: Option<RowOrderName>,
    threads: Option<usize>,
    memory_limit: Option<Amount>,
    store: Option<PathBuf>,
    #[serde(default)]
    require: Vec<(String, String)>,
    #[serde(default)]
    forbid: Vec<(String, String)>,
    #[serde(default)]
    tiers: Vec<Vec<String>>,
    #[serde(default)]
    roots: Vec<String>,
    #[serde(default)]
    leaves: Vec<String>,
    #[serde(default)]
    context: Vec<String>,
    knowledge: Option<PathBuf>,
    search: Option<String>,
    restarts: Option<usize>,
    tabu: Option<usize>,
    start: Option<Vec<(String, String)>>,
    top: Option<usize>,
    time_limit: Option<Amount>,
    #[serde(flatten)]
    networks: NetworkOptions,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Preset {
    Default,
    Paper,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum BinningName {
    Normal,
    Tanh,
    TanhStandardised,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum InputsName {
    Quantised,
    Raw,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum RowOrderName {
    Shuffled,
    Given,
}

/// Bytes or seconds, as a number or with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Amount {
    Number(f64),
    Text(String),
}

/// Options from their JSON; the first that is of a wrong type or none of the choices is named.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    let mut reader = serde_json::Deserializer::from_str(json);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let problem = error.inner().to_string();
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem);
        let option = error.path().to_string();
        let place = if option == "." { String::new() } else { format!("`{option}`: ") };
        mistake(&format!("{place}{problem}"), "see `help(prequential.learn)` for what each option takes")
    })
}

impl RunOptions {
    /// The settings of a run on `table`.
    pub(crate) fn settings(&self, table: &Table) -> PyResult<Settings> {
        let memory = self.memory_limit.as_ref().map(Amount::bytes).transpose()?;
        let limits = memory.map_or_else(Limits::default, |memory| Limits { memory });
        self.with_limits(table, limits).map_err(|error| raise(&error))
    }

    fn with_limits(&self, table: &Table, limits: Limits) -> Result<Settings> {
        let preset = self.preset.unwrap_or(Preset::Default).settings();
        let options = EstimatorOptions {
            name: self.estimator.clone(),
            networks: self.networks.clone(),
            max_configurations: self.max_configurations,
        };
        let preset = options.settings(preset)?;
        let prior = self.ess.map(Prior::SampleSize).or(self.alpha.map(Prior::Alpha));
        let defaults = Settings::default();
        let knowledge = self.knowledge()?;
        Ok(Settings {
            estimator: match prior {
                Some(prior) => preset.estimator.with_prior(prior),
                None => preset.estimator,
            },
            resolution: Resolution {
                n_bins: self.bins.or(preset.resolution.n_bins),
                binning: self.binning.map_or(preset.resolution.binning, BinningName::binning),
                inputs: self.inputs.map_or(preset.resolution.inputs, InputsName::inputs),
            },
            search: self.search(table, &knowledge)?,
            knowledge,
            max_parents: self.max_parents,
            seed: self.seed.unwrap_or(defaults.seed),
            row_orders: self.row_orders.unwrap_or(defaults.row_orders),
            row_order: self.row_order.map_or(defaults.row_order, RowOrderName::row_order),
            threads: self.threads,
            limits,
            top: self.top.unwrap_or(defaults.top),
            store: self.store.clone(),
        })
    }

    /// The same for a worker of the run: one thread, no store.
    pub(crate) fn settings_of_worker(&self, table: &Table) -> PyResult<Settings> {
        Ok(Settings { threads: Some(1), store: None, ..self.settings(table)? })
    }

    /// When the run is to stop.
    pub(crate) fn time_limit(&self) -> PyResult<Option<Duration>> {
        self.time_limit.as_ref().map(Amount::duration).transpose()
    }

    fn search(&self, table: &Table, knowledge: &Knowledge) -> Result<Search> {
        let name = self.search.as_deref().unwrap_or("auto");
        let chosen = Search::named(name)?;
        let start =
            self.start.as_ref().map(|edges| crate::graphs::onto(edges, &table.names(), knowledge, "start"));
        SearchOptions { restarts: self.restarts, tabu: self.tabu, start: start.transpose()? }.apply(chosen)
    }

    fn knowledge(&self) -> Result<Knowledge> {
        let mut knowledge = match &self.knowledge {
            Some(path) => Knowledge::read(path)?,
            None => Knowledge::default(),
        };
        knowledge.extend(Knowledge {
            required: statements(&self.require, OptionName::Require),
            forbidden: statements(&self.forbid, OptionName::Forbid),
            tiers: statements(&self.tiers, OptionName::Tiers),
            roots: statements(&self.roots, OptionName::Roots),
            leaves: statements(&self.leaves, OptionName::Leaves),
            context: statements(&self.context, OptionName::Context),
            max_parents: None,
        });
        Ok(knowledge)
    }
}

fn statements<T: Clone>(values: &[T], place: OptionName) -> Vec<Statement<T>> {
    values.iter().map(|value| Statement { value: value.clone(), place: place.into() }).collect()
}

impl Amount {
    fn bytes(&self) -> PyResult<u64> {
        let read = match self {
            Amount::Text(text) => parse_bytes(text),
            Amount::Number(number) if *number >= 1.0 => Ok(*number as u64),
            Amount::Number(_) => Err("must be above zero".to_string()),
        };
        read.map_err(|problem| {
            mistake(&format!("`memory_limit`: {problem}"), "use `memory_limit=\"8GiB\"` or a number of bytes")
        })
    }

    fn duration(&self) -> PyResult<Duration> {
        let read = match self {
            Amount::Text(text) => parse_duration(text),
            Amount::Number(seconds) => Duration::try_from_secs_f64(*seconds)
                .map_err(|_| "expected seconds, or a time such as 90s, 10m, 1h30m or 2d".to_string()),
        };
        read.map_err(|problem| {
            mistake(&format!("`time_limit`: {problem}"), "use `time_limit=\"10m\"` or a number of seconds")
        })
    }
}

impl Preset {
    fn settings(self) -> Settings {
        match self {
            Preset::Default => Settings::default(),
            Preset::Paper => Settings::paper(),
        }
    }
}

impl BinningName {
    fn binning(self) -> Binning {
        match self {
            BinningName::Normal => Binning::Normal,
            BinningName::Tanh => Binning::Tanh,
            BinningName::TanhStandardised => Binning::TanhStandardised,
        }
    }
}

impl InputsName {
    fn inputs(self) -> Inputs {
        match self {
            InputsName::Quantised => Inputs::Quantised,
            InputsName::Raw => Inputs::Raw,
        }
    }
}

impl RowOrderName {
    fn row_order(self) -> RowOrder {
        match self {
            RowOrderName::Shuffled => RowOrder::Shuffled,
            RowOrderName::Given => RowOrder::Given,
        }
    }
}
