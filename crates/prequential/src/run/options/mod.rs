//! All options of a run as one structure, made from the table of options: what fronts fill and hand over.

mod settings;
mod values;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::error::{Error, Result};
use crate::base::message::{Message, OptionName, Wording, message};
use crate::base::option_table::option_table;
use crate::estimator::OptimiserKind;
use crate::run::RowOrder;
use crate::table::{Binning, OrderedLabels, ParentValues};

use values::OptionValue;
pub use values::{Bytes, Edge, EstimatorName, Preset, ScheduleName, SearchName, StartGraph, Time, ValueKind};

/// An option of the table: what a front needs to know to offer it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Which.
    pub option: OptionName,
    /// The options among which it is shown.
    pub group: OptionGroup,
    /// What its values look like.
    pub kind: ValueKind,
    /// What stands for its value in a help text; `None` for flags and choices.
    pub value_name: Option<&'static str>,
    /// The smallest and the largest number that it takes, if there are such.
    pub range: Option<RangeInclusive<u64>>,
    help: &'static str,
    choices: fn() -> Vec<(String, &'static str)>,
    read: fn(Value) -> serde_json::Result<()>,
}

/// The default of an option, where it is given.
macro_rules! default_of {
    () => {
        Default::default()
    };
    ($default:expr) => {
        $default
    };
}

/// Something that may be left out.
macro_rules! optional {
    () => {
        None
    };
    ($given:expr) => {
        Some($given)
    };
}

/// Makes the structure of all options and their descriptions from the table.
macro_rules! run_options {
    (
        groups {
            $($group:ident $heading:literal {
                $($(#[doc = $help:literal])+ $option:ident $name:ident: $kind:ty
                  $(= $default:expr)? $(=> $value:literal $(in $range:expr)?)?;)*
            })*
        }
        elsewhere $elsewhere:tt
        renamed $renamed:tt
    ) => {
        /// Options that are shown together.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OptionGroup {
            $(#[doc = concat!("Under the heading ", stringify!($heading), ".")] $group,)*
        }

        impl OptionGroup {
            /// The heading; empty for options that belong to every command.
            pub fn heading(self) -> Message {
                match self {
                    $(OptionGroup::$group => Message::marked($heading),)*
                }
            }
        }

        /// Everything that a user may say about a run: how to read the table, what predicts, what is known, how
        /// to search.
        ///
        /// ```
        /// use prequential::options::RunOptions;
        /// let options = RunOptions::from_json(r#"{"estimator": "counts", "seed": 7}"#)?;
        /// assert_eq!((options.seed, options.permutations), (7, 1));
        /// assert_eq!(options.settings(&[])?.estimator.name(), "counts");
        /// let error = RunOptions::from_json(r#"{"max_parent": 3}"#).unwrap_err();
        /// assert_eq!(error.to_string(), "unknown option `max_parent`");
        /// assert_eq!(error.hint().to_string(), "did you mean `max_parents`?");
        /// # Ok::<(), prequential::Error>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct RunOptions {
            $($($(#[doc = $help])+ pub $name: $kind,)*)*
        }

        impl Default for RunOptions {
            fn default() -> RunOptions {
                RunOptions { $($($name: default_of!($($default)?),)*)* }
            }
        }

        impl RunOptions {
            /// The options that are not at their defaults.
            pub fn given(&self) -> Vec<OptionName> {
                let defaults = RunOptions::default();
                let all = [$($((OptionName::$option, self.$name != defaults.$name),)*)*];
                all.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option).collect()
            }
        }

        /// The description of every option, in the order in which they are shown.
        pub const OPTIONS: &[OptionSpec] = &[
            $($(OptionSpec {
                option: OptionName::$option,
                group: OptionGroup::$group,
                kind: <$kind as OptionValue>::KIND,
                value_name: optional!($($value)?),
                range: optional!($($($range)?)?),
                help: concat!($($help),+),
                choices: <$kind as OptionValue>::choices,
                read: |value| serde_json::from_value::<$kind>(value).map(drop),
            },)*)*
        ];
    };
}
option_table!(run_options);

impl OptionSpec {
    /// The description of an option that runs have.
    pub fn of(option: OptionName) -> Option<&'static OptionSpec> {
        OPTIONS.iter().find(|spec| spec.option == option)
    }

    /// The name: words joined by underscores.
    pub fn name(&self) -> &'static str {
        self.option.name()
    }

    /// What it does, as a front words options.
    pub fn help(&self, wording: &dyn Wording) -> String {
        Message::marked(self.help.trim()).worded(wording)
    }

    /// The values of a choice, each with what it means where that needs saying.
    pub fn choices(&self) -> Vec<(String, &'static str)> {
        (self.choices)()
    }

    /// The default; null where there is none or it depends on other options.
    pub fn default(&self) -> Value {
        let Ok(Value::Object(defaults)) = serde_json::to_value(RunOptions::default()) else {
            panic!("options are a structure")
        };
        defaults.get(self.name()).cloned().unwrap_or_default()
    }

    /// Refuses a value that the option does not take, with what it expects.
    pub fn check(&self, value: &Value) -> std::result::Result<(), String> {
        (self.read)(value.clone()).map_err(|error| in_words(&error.to_string()))?;
        match (&self.range, value.as_u64()) {
            (Some(range), Some(number)) if !range.contains(&number) => {
                Err(format!("{number} is not in {}..={}", range.start(), range.end()))
            }
            _ => Ok(()),
        }
    }
}

impl RunOptions {
    /// Options by name, from the text of a JSON object.
    pub fn from_json(text: &str) -> Result<RunOptions> {
        let given = serde_json::from_str(text).map_err(|error| Error::Setting {
            what: format!("these options are not JSON: {error}").into(),
            hint: "give an object, such as {\"seed\": 7}".into(),
        })?;
        RunOptions::from_values(given)
    }

    /// Options by name. An unknown one, or one with a value that it does not take, is refused.
    pub fn from_values(given: Map<String, Value>) -> Result<RunOptions> {
        for (name, value) in &given {
            let Some(spec) = OPTIONS.iter().find(|spec| spec.name() == name) else {
                let known: Vec<OptionName> = OPTIONS.iter().map(|spec| spec.option).collect();
                return Err(Error::unknown_option(name, &known));
            };
            spec.check(value).map_err(|problem| Error::Setting {
                what: message![spec.option, format!(": {problem}")],
                hint: message!["change it, or leave it out for the default"],
            })?;
        }
        let options = serde_json::from_value(Value::Object(given));
        Ok(options.unwrap_or_else(|error| panic!("every option was checked: {error}")))
    }
}

/// What the reader of JSON says, without the words of programmers.
fn in_words(message: &str) -> String {
    let words = [
        ("expected usize", "expected a whole number, 0 or more"),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("path string", "a path"),
        ("unknown variant", "unknown value"),
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("a sequence", "a list"),
        ("sequence", "a list"),
    ];
    words.iter().fold(message.to_string(), |message, (jargon, plain)| message.replace(jargon, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(json: &str) -> String {
        RunOptions::from_json(json).unwrap_err().to_string()
    }

    #[test]
    fn options_that_are_not_given_have_their_defaults() {
        let options = RunOptions::from_json("{}").unwrap();
        assert_eq!(options, RunOptions::default());
        assert_eq!(options.given(), []);
        let some = RunOptions::from_json(r#"{"warm_start": true, "seed": 0, "top": 3}"#).unwrap();
        assert_eq!(some.given(), [OptionName::WarmStart, OptionName::Top]);
    }

    #[test]
    fn a_value_of_the_wrong_type_is_refused_with_what_is_expected() {
        let all = [
            r#"{"bins": -1}"#,
            r#"{"bins": "many"}"#,
            r#"{"binning": "cubic"}"#,
            r#"{"alpha": "x"}"#,
            r#"{"warm_start": 3}"#,
            r#"{"columns": "a"}"#,
            r#"{"top": 0}"#,
            r#"{"memory_limit": "lots"}"#,
            r#"{"time_limit": -3}"#,
            r#"{"require": [["a"]]}"#,
            r#"{"row_orders": 3}"#,
        ];
        insta::assert_snapshot!(all.map(complaint).join("\n"), @r#"
        `bins`: found integer `-1`, expected a whole number, 0 or more
        `bins`: found string "many", expected a whole number, 0 or more
        `binning`: unknown value `cubic`, expected one of `normal`, `tanh`, `tanh-standardised`
        `alpha`: found string "x", expected a number
        `warm_start`: found integer `3`, expected true or false
        `columns`: found string "a", expected a list
        `top`: 0 is not in 1..=1000
        `memory_limit`: expected a size such as 8GiB or 500MB
        `time_limit`: expected seconds, or a time such as 90s, 10m, 1h30m or 2d
        `require`: expected an edge such as `A -> B`, or a pair of names
        `row_orders` is now `permutations`
        "#);
    }

    #[test]
    fn every_option_has_one_entry_with_a_help_and_a_value() {
        for spec in OPTIONS {
            let help = spec.help(&crate::base::message::PlainWording);
            assert!(!help.is_empty() && !help.ends_with('.') && !help.starts_with(' '), "{help}");
            let is_named = !matches!(spec.kind, ValueKind::Flag | ValueKind::Choice);
            assert_eq!(spec.value_name.is_some(), is_named, "{}", spec.name());
            assert_eq!(OPTIONS.iter().filter(|other| other.option == spec.option).count(), 1);
            if spec.kind == ValueKind::Choice {
                assert!(spec.choices().len() > 1, "{}", spec.name());
                for (choice, _) in spec.choices() {
                    assert_eq!(spec.check(&choice.into()), Ok(()), "{}", spec.name());
                }
            }
        }
    }
}
