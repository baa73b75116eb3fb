//! The options of runs as flags, generated from the library's table.

use std::marker::PhantomData;
use std::ops::Deref;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use prequential::options::{OPTIONS, OptionGroup, OptionSpec, RunOptions, ValueKind};
use prequential::tables::OrderedLabels;
use prequential::wording::OptionName;
use serde_json::{Map, Value};

use crate::names::{Names, ordered_labels};
use crate::wording::CommandLine;

/// Which options a command takes, and how its flags differ from those of other commands.
pub(crate) trait FlagSelection {
    /// Whether the command takes the option.
    fn takes(spec: &OptionSpec) -> bool;

    /// The flag as this command has it.
    fn adapt(_spec: &OptionSpec, flag: Arg) -> Arg {
        flag
    }
}

/// The options that were given on the command line; all others have their defaults.
#[derive(Debug)]
pub(crate) struct OptionFlags<S> {
    options: RunOptions,
    typed: Vec<String>,
    selection: PhantomData<S>,
}

impl<S> OptionFlags<S> {
    /// The flags that were given with their values, as typed: they belong to the command that repeats a run.
    pub(crate) fn typed(&self) -> &[String] {
        &self.typed
    }
}

impl<S> Deref for OptionFlags<S> {
    type Target = RunOptions;

    fn deref(&self) -> &RunOptions {
        &self.options
    }
}

impl<S: FlagSelection> Args for OptionFlags<S> {
    fn augment_args(command: Command) -> Command {
        taken::<S>().fold(command, |command, spec| command.arg(S::adapt(spec, flag(spec))))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: FlagSelection> FromArgMatches for OptionFlags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OptionFlags<S>, clap::Error> {
        let (mut values, mut typed) = (Map::new(), Vec::new());
        let is_given =
            |spec: &&OptionSpec| matches.value_source(spec.name()) == Some(ValueSource::CommandLine);
        for spec in taken::<S>().filter(is_given) {
            let name = spec.name();
            if spec.kind == ValueKind::Flag {
                typed.push(long(spec));
                values.insert(name.to_string(), Value::Bool(matches.get_flag(name)));
                continue;
            }
            for raw in matches.get_raw(name).into_iter().flatten() {
                typed.extend([long(spec), raw.to_string_lossy().into_owned()]);
            }
            for value in matches.get_many::<Value>(name).into_iter().flatten().cloned() {
                match (values.get_mut(name), value) {
                    (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
                    (_, value) => drop(values.insert(name.to_string(), value)),
                }
            }
        }
        let refused = |error: prequential::Error| {
            clap::Error::raw(ErrorKind::ValueValidation, error.message().worded(&CommandLine) + "\n")
        };
        let options = RunOptions::from_values(values).map_err(refused)?;
        Ok(OptionFlags { options, typed, selection: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = OptionFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

fn taken<S: FlagSelection>() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| S::takes(spec))
}

/// `--max-parents`.
fn long(spec: &OptionSpec) -> String {
    format!("--{}", spec.name().replace('_', "-"))
}

/// The flag of an option.
fn flag(spec: &'static OptionSpec) -> Arg {
    let mut flag = Arg::new(spec.name()).long(spec.name().replace('_', "-")).help(help(spec));
    let heading = spec.group.heading().worded(&CommandLine).replace('`', "");
    if !heading.is_empty() {
        flag = flag.help_heading(heading);
    }
    if spec.kind == ValueKind::Flag {
        return flag.action(ArgAction::SetTrue);
    }
    flag = flag.action(ArgAction::Set).value_parser(parser(spec));
    flag = flag.value_name(spec.value_name.map_or_else(|| spec.name().to_uppercase(), String::from));
    let default = spec.default();
    if let Value::String(default) = default {
        flag = flag.default_value(default);
    } else if default.is_number() {
        flag = flag.default_value(default.to_string());
    }
    if spec.option == OptionName::Ess {
        flag = flag.conflicts_with(OptionName::Alpha.name());
    }
    match spec.kind {
        ValueKind::Names | ValueKind::Ordered => flag.allow_hyphen_values(true).action(ArgAction::Append),
        ValueKind::Edges => flag.action(ArgAction::Append),
        ValueKind::Number | ValueKind::Numbers => flag.allow_negative_numbers(true),
        _ => flag,
    }
}

fn help(spec: &OptionSpec) -> String {
    let repeated = if spec.kind == ValueKind::Edges { "; may be given several times" } else { "" };
    spec.help(&CommandLine) + repeated
}

fn parser(spec: &'static OptionSpec) -> ValueParser {
    if spec.kind == ValueKind::Choice {
        return choices(spec, |_| true);
    }
    ValueParser::new(move |text: &str| -> Result<Value, String> {
        let value = read(spec.kind, text)?;
        spec.check(&value).map(|()| value)
    })
}

/// The parser of a choice among those of its values that `is_offered`.
pub(crate) fn choices(spec: &'static OptionSpec, is_offered: fn(&str) -> bool) -> ValueParser {
    let offered = spec.choices().into_iter().filter(|(name, _)| is_offered(name));
    let values = offered.map(|(name, meaning)| match meaning {
        "" => PossibleValue::new(name),
        meaning => PossibleValue::new(name).help(meaning),
    });
    // The library names the replacement.
    let removed =
        (spec.option == OptionName::Search).then(|| PossibleValue::new("branch-and-bound").hide(true));
    let names = PossibleValuesParser::new(values.chain(removed).collect::<Vec<_>>());
    names.map(Value::String).into()
}

/// A value as the command line spells it.
fn read(kind: ValueKind, text: &str) -> Result<Value, String> {
    let whole = |text: &str| text.trim().parse::<u64>().map(Value::from).map_err(|error| error.to_string());
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Value::from(number)),
        Ok(_) => Err("expected a finite number".to_string()),
        Err(error) => Err(error.to_string()),
    };
    Ok(match kind {
        ValueKind::Whole => whole(text)?,
        ValueKind::Number => number(text)?,
        ValueKind::Wholes => text.split(',').map(whole).collect::<Result<_, _>>()?,
        ValueKind::Numbers => text.split(',').map(number).collect::<Result<_, _>>()?,
        ValueKind::Names => Names::parse(text)?.0.into(),
        ValueKind::Ordered => Names::parse(text)?.0.iter().map(|item| pair(ordered_labels(item))).collect(),
        ValueKind::Tiers => Names::parse_tiers(text)?.into_iter().map(|names| Value::from(names.0)).collect(),
        ValueKind::Edges => Value::Array(vec![text.into()]),
        _ => text.into(),
    })
}

fn pair(labels: OrderedLabels) -> Value {
    Value::Array(vec![labels.column.into(), labels.levels.into()])
}

/// All options: of `learn`.
#[derive(Debug)]
pub(crate) struct ForLearning;

impl FlagSelection for ForLearning {
    fn takes(_: &OptionSpec) -> bool {
        true
    }
}

/// All but those of searches: of `score`.
#[derive(Debug)]
pub(crate) struct ForScoring;

impl FlagSelection for ForScoring {
    fn takes(spec: &OptionSpec) -> bool {
        spec.group != OptionGroup::Search
    }
}

/// The options of searches and knowledge: of `search`.
#[derive(Debug)]
pub(crate) struct ForSearching;

impl FlagSelection for ForSearching {
    fn takes(spec: &OptionSpec) -> bool {
        use OptionName::{MaxParents, MemoryLimit, Seed, Threads};
        matches!(spec.group, OptionGroup::Knowledge | OptionGroup::Search | OptionGroup::Run)
            || matches!(spec.option, MaxParents | MemoryLimit | Seed | Threads)
    }

    fn adapt(spec: &OptionSpec, flag: Arg) -> Arg {
        let flag = if spec.group == OptionGroup::Scoring { flag.help_heading("Search") } else { flag };
        match spec.option {
            OptionName::MaxParents => {
                flag.help("The most parents of a variable (default: as many as there are scores for)")
            }
            OptionName::MemoryLimit => flag.help("Memory that the search may use, such as 8GiB or 500MB"),
            OptionName::Seed => flag.help("Seed of the restarts of `hill-climb` and `order`"),
            OptionName::TimeLimit => flag.help(
                "Stop searching after this time, such as 90s, 10m or 2h, and answer with the best so far \
                 (Ctrl-C does the same)",
            ),
            _ => flag,
        }
    }
}

/// The options of tables and estimators, without networks: of `compress`.
#[derive(Debug)]
pub(crate) struct ForCompressing;

impl FlagSelection for ForCompressing {
    fn takes(spec: &OptionSpec) -> bool {
        use OptionName::{Alpha, Ess, Estimator, Seed};
        spec.group == OptionGroup::Table || matches!(spec.option, Alpha | Ess | Estimator | Seed)
    }

    fn adapt(spec: &OptionSpec, flag: Arg) -> Arg {
        match OptionSpec::of(OptionName::Estimator).filter(|estimator| estimator.option == spec.option) {
            Some(spec) => flag
                .help(
                    "The model that predicts a variable from its parents; `auto` chooses as `score` does, \
                     without networks",
                )
                .value_parser(choices(spec, |name| {
                    ["auto", "counts", "linear", "fourier", "mix"].contains(&name)
                })),
            None => flag,
        }
    }
}

/// The options of estimators, and threads: of `reproduce`.
#[derive(Debug)]
pub(crate) struct ForReproducing;

impl FlagSelection for ForReproducing {
    fn takes(spec: &OptionSpec) -> bool {
        matches!(spec.group, OptionGroup::Networks | OptionGroup::Blockwise)
            || matches!(spec.option, OptionName::Estimator | OptionName::Preset | OptionName::Threads)
    }
}
