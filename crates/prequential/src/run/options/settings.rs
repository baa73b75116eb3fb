//! What options mean together, and which have no effect: settings of a run, and how its table is read.

use std::time::Duration;

use super::values::{Bytes, Edge, EstimatorName, ScheduleName, SearchName, StartGraph, Time};
use super::{OptionGroup, OptionSpec, RunOptions};
use crate::base::error::{Error, Result, require};
use crate::base::message::{OptionName, message};
use crate::estimator::{
    BlockwiseSettings, Estimator, Mix, Prior, ReplaySettings, Schedule, refuse_configurations,
};
use crate::graph::{Dag, NamedDag, read_graph};
use crate::run::{Resolution, Settings};
use crate::search::{Knowledge, Limits, Order, Search, Statement, no_start};
use crate::table::{InterventionMask, ReadOptions};

impl RunOptions {
    /// The settings of a run on a table with these columns.
    pub fn settings(&self, columns: &[String]) -> Result<Settings> {
        let knowledge = self.read_knowledge()?;
        let start = self.start.as_ref().map(|start| start.dag(columns, &knowledge)).transpose()?;
        self.settings_from(knowledge, start)
    }

    /// Refuses what makes no sense whatever the table is; the graph where a search begins is not looked at.
    pub fn check(&self) -> Result<()> {
        // An empty graph stands for the one where the search begins.
        let start = self.start.as_ref().map(|_| Dag::empty(0));
        self.settings_from(self.read_knowledge()?, start).map(drop)
    }

    /// How to read the table.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            ignore: self.ignore.clone(),
            labels: self.labels.clone(),
            numbers: self.numbers.clone(),
            ordered: self.ordered.clone(),
            missing: self.missing.clone(),
            interventions: self.interventions.clone(),
            intervention_mask: self.intervention_mask.clone().map(InterventionMask::File),
        }
    }

    /// When the run is to stop.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit.map(|Time(limit)| limit)
    }

    fn settings_from(&self, knowledge: Knowledge, start: Option<Dag>) -> Result<Settings> {
        let preset = self.preset.settings();
        let Bytes(memory) = self.memory_limit;
        Ok(Settings {
            estimator: self.estimator_from(preset.estimator)?,
            resolution: Resolution {
                n_bins: self.bins.or(preset.resolution.n_bins),
                binning: self.binning.unwrap_or(preset.resolution.binning),
                parent_values: self.parent_values.unwrap_or(preset.resolution.parent_values),
            },
            search: self.search_from(start)?,
            knowledge,
            max_parents: self.max_parents,
            seed: self.seed,
            permutations: self.permutations,
            row_order: self.row_order,
            threads: self.threads,
            limits: Limits { memory },
            top: self.top,
            store: self.store.clone(),
        })
    }

    /// What predicts: the estimator of this name, else that of the preset, with its options.
    fn estimator_from(&self, preset: Estimator) -> Result<Estimator> {
        let EstimatorName(name) = &self.estimator;
        let is_open = name == "auto" || name == preset.name();
        let named = if is_open { Some(preset) } else { Estimator::named(name) };
        let mut estimator = named.ok_or_else(|| unknown_estimator(name))?;
        self.apply_to_networks(&mut estimator)?;
        if let Some(limit) = self.max_configurations {
            match &mut estimator {
                Estimator::Auto(auto) => auto.counts.max_configurations = Some(limit),
                Estimator::Counts(counts) => counts.max_configurations = Some(limit),
                other => return Err(refuse_configurations(other.name())),
            }
        }
        require(
            self.alpha.is_none() || self.ess.is_none(),
            || message![OptionName::Alpha, " and ", OptionName::Ess, " both say what counts start from"],
            || message!["leave out one of them"],
        )?;
        let prior = self.ess.map(Prior::SampleSize).or(self.alpha.map(Prior::Alpha));
        Ok(match prior {
            Some(prior) => estimator.with_prior(prior),
            None => estimator,
        })
    }

    /// Enters the options of networks; refuses what the estimator has no use for.
    fn apply_to_networks(&self, estimator: &mut Estimator) -> Result<()> {
        match estimator {
            Estimator::Auto(auto) => self.apply_to_mix(&mut auto.mix),
            Estimator::Mix(mix) => self.apply_to_mix(mix),
            Estimator::Neural(neural) => {
                set(&mut neural.networks, self.networks);
                // Networks alone are trained for all families.
                self.apply_to_schedule(&mut neural.schedule)
            }
            other => {
                let first =
                    self.given_in(OptionGroup::Networks).chain(self.given_in(OptionGroup::Blockwise)).next();
                first.map_or(Ok(()), |option| Err(without_networks(option, other.name())))
            }
        }
    }

    fn apply_to_mix(&self, mix: &mut Mix) -> Result<()> {
        // Its first rows cost the same for every parent set, none included, only if networks code all.
        require(
            self.schedule != Some(ScheduleName::Blockwise),
            || message![OptionName::Schedule.set("blockwise"), " does not mix with other estimators"],
            || message!["add ", OptionName::Estimator.set("neural")],
        )?;
        set(&mut mix.networks, self.networks);
        mix.train_all_networks |= self.train_all_networks;
        self.apply_to_replay(&mut mix.replay)
    }

    fn apply_to_schedule(&self, schedule: &mut Schedule) -> Result<()> {
        match (self.schedule, &schedule) {
            (Some(ScheduleName::Replay), Schedule::Blockwise(_)) => {
                *schedule = Schedule::Replay(ReplaySettings::default());
            }
            (Some(ScheduleName::Blockwise), Schedule::Replay(_)) => {
                *schedule = Schedule::Blockwise(BlockwiseSettings::default());
            }
            _ => {}
        }
        match schedule {
            Schedule::Replay(replay) => self.apply_to_replay(replay),
            Schedule::Blockwise(blockwise) => {
                self.apply_to_blockwise(blockwise);
                Ok(())
            }
        }
    }

    fn apply_to_replay(&self, replay: &mut ReplaySettings) -> Result<()> {
        if let Some(option) = self.given_in(OptionGroup::Blockwise).next() {
            return Err(only_blockwise(option));
        }
        match self.learning_rate.as_deref() {
            None => {}
            Some([rate]) => replay.learning_rate = *rate,
            Some(rates) => return Err(several_rates(rates.len())),
        }
        set(&mut replay.hidden, self.hidden.clone());
        set(&mut replay.optimiser, self.optimiser);
        set(&mut replay.n_steps, self.steps);
        set(&mut replay.batch, self.batch);
        replay.calibrate &= !self.no_calibration;
        Ok(())
    }

    fn apply_to_blockwise(&self, blockwise: &mut BlockwiseSettings) {
        set(&mut blockwise.hidden, self.hidden.clone());
        set(&mut blockwise.optimiser, self.optimiser);
        set(&mut blockwise.learning_rates, self.learning_rate.clone());
        set(&mut blockwise.max_steps, self.steps);
        set(&mut blockwise.batch, self.batch);
        blockwise.calibrate &= !self.no_calibration;
        set(&mut blockwise.n_splits, self.splits);
        set(&mut blockwise.first_split, self.first_split);
        set(&mut blockwise.calibration_rate, self.calibration_rate);
        set(&mut blockwise.dropout, self.dropout);
        set(&mut blockwise.n_frequencies, self.frequencies);
        set(&mut blockwise.frequency_scale, self.frequency_scale);
        set(&mut blockwise.patience, self.patience);
        set(&mut blockwise.evaluation_interval, self.evaluation_interval);
        set(&mut blockwise.validation_share, self.validation_share);
        blockwise.warm_start |= self.warm_start;
    }

    /// The options of a group that are not at their defaults.
    fn given_in(&self, group: OptionGroup) -> impl Iterator<Item = OptionName> {
        let is_in =
            move |option: &OptionName| OptionSpec::of(*option).is_some_and(|spec| spec.group == group);
        self.given().into_iter().filter(is_in)
    }

    /// How the best graph is found; refuses what the search has no use for.
    fn search_from(&self, start: Option<Dag>) -> Result<Search> {
        let SearchName(name) = &self.search;
        let order = |order: Order| Order {
            restarts: self.restarts.unwrap_or(order.restarts),
            tabu_steps: self.tabu_steps.unwrap_or(order.tabu_steps),
            start: start.clone(),
        };
        match Search::named(name)? {
            Search::Auto(auto) => Ok(Search::Auto(order(auto))),
            Search::Order(chosen) => Ok(Search::Order(order(chosen))),
            Search::HillClimb(mut climb) => {
                set(&mut climb.restarts, self.restarts);
                set(&mut climb.tabu_steps, self.tabu_steps);
                climb.start = start;
                Ok(Search::HillClimb(climb))
            }
            _ if start.is_some() => Err(no_start()),
            other => self.refuse_restarts(&other).map(|()| other),
        }
    }

    fn refuse_restarts(&self, search: &Search) -> Result<()> {
        let given = [(OptionName::Restarts, self.restarts), (OptionName::TabuSteps, self.tabu_steps)];
        let Some((option, _)) = given.into_iter().find(|(_, value)| value.is_some()) else { return Ok(()) };
        let (climb, order) = (OptionName::Search.set("hill-climb"), OptionName::Search.set("order"));
        Err(Error::Setting {
            what: message![
                option,
                format!(" is for searches that start again, but the search is `{}`", search.name()),
            ],
            hint: message!["leave it out, or add ", climb, " or ", order],
        })
    }

    /// What is known about the graph: what the file says, and what options say.
    fn read_knowledge(&self) -> Result<Knowledge> {
        let mut knowledge = match &self.knowledge {
            Some(path) => Knowledge::read(path)?,
            None => Knowledge::default(),
        };
        knowledge.extend(Knowledge {
            required: edges(&self.require, OptionName::Require)?,
            forbidden: edges(&self.forbid, OptionName::Forbid)?,
            tiers: statements(&self.tiers, OptionName::Tiers),
            roots: statements(&self.roots, OptionName::Roots),
            leaves: statements(&self.leaves, OptionName::Leaves),
            context: statements(&self.context, OptionName::Context),
            max_parents: None,
        });
        Ok(knowledge)
    }
}

impl StartGraph {
    /// The graph over the variables of a table with these columns; contexts do not count.
    fn dag(&self, columns: &[String], knowledge: &Knowledge) -> Result<Dag> {
        let (graph, place) = match self {
            StartGraph::File(path) => (read_graph(path)?, path.display().to_string()),
            StartGraph::Edges(edges) => {
                let place = OptionName::Start.name();
                (NamedDag::from_edges(&[], edges, place)?, place.to_string())
            }
        };
        let contexts: Vec<String> = knowledge.context.iter().map(|said| said.value.clone()).collect();
        graph.without(&contexts).onto(&knowledge.variables(columns), &place)
    }
}

fn edges(edges: &[Edge], place: OptionName) -> Result<Vec<Statement<(String, String)>>> {
    let statement = |edge: &Edge| match edge {
        Edge::Text(text) => Statement::edge(text, place),
        Edge::Pair(from, to) => Ok(Statement { value: (from.clone(), to.clone()), place: place.into() }),
    };
    edges.iter().map(statement).collect()
}

fn statements<T: Clone>(values: &[T], place: OptionName) -> Vec<Statement<T>> {
    values.iter().map(|value| Statement { value: value.clone(), place: place.into() }).collect()
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}

fn unknown_estimator(name: &str) -> Error {
    let known: Vec<&str> = Estimator::all().iter().map(Estimator::name).collect();
    Error::Setting {
        what: format!("unknown estimator `{name}`").into(),
        hint: format!("the estimators are: {}", known.join(", ")).into(),
    }
}

fn without_networks(option: OptionName, estimator: &str) -> Error {
    let (neural, mix) = (OptionName::Estimator.set("neural"), OptionName::Estimator.set("mix"));
    Error::Setting {
        what: message![option, format!(" is an option of networks, but the estimator is `{estimator}`")],
        hint: message!["leave out ", option, ", or use ", neural, " or ", mix],
    }
}

fn only_blockwise(option: OptionName) -> Error {
    let blockwise = || OptionName::Schedule.set("blockwise");
    let paper = OptionName::Preset.set("paper");
    Error::Setting {
        what: message![option, " is an option of ", blockwise(), ", but the schedule is `replay`"],
        hint: message!["add ", blockwise(), " or ", paper, ", or leave out ", option],
    }
}

fn several_rates(n_rates: usize) -> Error {
    let (replay, blockwise) = (OptionName::Schedule.set("replay"), OptionName::Schedule.set("blockwise"));
    let number = format!(" has {n_rates} values, but ");
    Error::Setting {
        what: message![OptionName::LearningRate, number, replay, " takes one"],
        hint: message!["give one, or add ", blockwise, ", which chooses among several"],
    }
}
