//! What values of options look like: their types, and how they are read.

use std::path::PathBuf;
use std::time::Duration;

use serde::de::value::Error as NotRead;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Deserialize, Serialize};

use crate::base::units::{parse_bytes, parse_duration};
use crate::estimator::{Estimator, OptimiserKind};
use crate::run::{RowOrder, Settings};
use crate::search::{Limits, Search};
use crate::table::{Binning, OrderedLabels, ParentValues};

/// What the values of an option look like, so that a front can read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// On or off.
    Flag,
    /// A whole number, 0 or more.
    Whole,
    /// Any number.
    Number,
    /// Any text.
    Text,
    /// A file.
    File,
    /// One of a few words.
    Choice,
    /// Names of columns, or other texts.
    Names,
    /// Columns, each with its labels from the lowest on, or none.
    Ordered,
    /// Groups of names.
    Tiers,
    /// Edges, as `A -> B` or as pairs.
    Edges,
    /// Whole numbers.
    Wholes,
    /// Numbers.
    Numbers,
    /// Bytes: a number, or a text with a unit.
    Size,
    /// Seconds: a number, or a text with units.
    Time,
    /// A graph: a file, or edges as pairs.
    Graph,
}

/// A type of values.
pub(super) trait OptionValue: Serialize + DeserializeOwned {
    /// What they look like.
    const KIND: ValueKind;

    /// All of them if there are a few, with what they mean where that needs saying.
    fn choices() -> Vec<(String, &'static str)> {
        Vec::new()
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    const KIND: ValueKind = T::KIND;

    fn choices() -> Vec<(String, &'static str)> {
        T::choices()
    }
}

/// Types by what they look like.
macro_rules! kinds {
    ($($kind:ident: $($value:ty),+;)*) => {
        $($(impl OptionValue for $value {
            const KIND: ValueKind = ValueKind::$kind;
        })+)*
    };
}
kinds! {
    Flag: bool;
    Whole: usize, u64;
    Number: f64;
    Text: String;
    File: PathBuf;
    Names: Vec<String>;
    Ordered: Vec<OrderedLabels>;
    Tiers: Vec<Vec<String>>;
    Edges: Vec<Edge>;
    Wholes: Vec<usize>;
    Numbers: Vec<f64>;
    Size: Bytes;
    Time: Time;
    Graph: StartGraph;
}

/// Choices: their values are the names that serde reads.
macro_rules! choices {
    ($($value:ty),* $(,)?) => {
        $(impl OptionValue for $value {
            const KIND: ValueKind = ValueKind::Choice;

            fn choices() -> Vec<(String, &'static str)> {
                variants::<$value>().iter().map(|name| (name.to_string(), "")).collect()
            }
        })*
    };
}
choices!(Binning, ParentValues, OptimiserKind, Preset, RowOrder, ScheduleName);

impl OptionValue for EstimatorName {
    const KIND: ValueKind = ValueKind::Choice;

    fn choices() -> Vec<(String, &'static str)> {
        let named = |estimator: &Estimator| (estimator.name().to_string(), estimator.summary());
        Estimator::all().iter().map(named).collect()
    }
}

impl OptionValue for SearchName {
    const KIND: ValueKind = ValueKind::Choice;

    fn choices() -> Vec<(String, &'static str)> {
        Search::all().iter().map(|search| (search.name().to_string(), search.summary())).collect()
    }
}

/// The settings that other options start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Preset {
    /// The best there is.
    #[default]
    Default,
    /// The paper's networks and quantisation: days of work for five variables, unless there are fewer steps.
    Paper,
}

impl Preset {
    pub(super) fn settings(self) -> Settings {
        match self {
            Preset::Default => Settings::default(),
            Preset::Paper => Settings::paper(),
        }
    }
}

/// When networks are trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ScheduleName {
    /// Continually, on all rows seen.
    Replay,
    /// From scratch at split points, as in the paper.
    Blockwise,
}

/// The name of an estimator; `auto` for that of the preset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EstimatorName(pub String);

impl Default for EstimatorName {
    fn default() -> EstimatorName {
        EstimatorName("auto".to_string())
    }
}

/// The name of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SearchName(pub String);

impl Default for SearchName {
    fn default() -> SearchName {
        SearchName("auto".to_string())
    }
}

/// An edge between variables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected an edge such as `A -> B`, or a pair of names")]
pub enum Edge {
    /// `A -> B`; a name with an arrow in it stands in double quotes.
    Text(String),
    /// The cause and the effect.
    Pair(String, String),
}

/// A graph where a search begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a graph file, or edges as pairs of names")]
pub enum StartGraph {
    /// In a file: JSON, DOT, GraphML or CSV.
    File(PathBuf),
    /// Its edges.
    Edges(Vec<(String, String)>),
}

/// Bytes of memory, 8 GiB unless the user says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Amount", into = "String")]
pub struct Bytes(pub u64);

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes(Limits::default().memory)
    }
}

impl From<Bytes> for String {
    /// In the largest unit of which it is a whole number.
    fn from(Bytes(bytes): Bytes) -> String {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        let whole = units.into_iter().find(|(_, unit)| bytes > 0 && bytes % unit == 0);
        whole.map_or_else(|| bytes.to_string(), |(name, unit)| format!("{}{name}", bytes / unit))
    }
}

impl TryFrom<Amount> for Bytes {
    type Error = String;

    fn try_from(amount: Amount) -> Result<Bytes, String> {
        match amount {
            Amount::Text(text) => parse_bytes(&text).map(Bytes),
            Amount::Number(number) if number >= 1.0 => Ok(Bytes(number as u64)),
            Amount::Number(_) => Err("must be above zero".to_string()),
        }
    }
}

/// A time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Amount", into = "String")]
pub struct Time(pub Duration);

impl From<Time> for String {
    fn from(Time(time): Time) -> String {
        format!("{}s", time.as_secs_f64())
    }
}

impl TryFrom<Amount> for Time {
    type Error = String;

    fn try_from(amount: Amount) -> Result<Time, String> {
        match amount {
            Amount::Text(text) => parse_duration(&text).map(Time),
            Amount::Number(seconds) => Duration::try_from_secs_f64(seconds)
                .map(Time)
                .map_err(|_| "expected seconds, or a time such as 90s, 10m, 1h30m or 2d".to_string()),
        }
    }
}

/// A number, or a number with a unit.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text with a unit")]
enum Amount {
    Number(f64),
    Text(String),
}

/// The names that serde reads as values of an enumeration.
fn variants<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It reads nothing; all that matters is what it would have taken.
    let _ = T::deserialize(VariantNames(&mut names));
    names
}

/// Notes the names of variants and fails.
struct VariantNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for VariantNames<'_> {
    type Error = NotRead;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NotRead> {
        Err(NotRead::custom("no enumeration"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NotRead> {
        *self.0 = variants;
        Err(NotRead::custom("only the names were asked for"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choices_are_what_is_read() {
        assert_eq!(variants::<OptimiserKind>(), ["adam", "rmsprop", "momentum"]);
        assert_eq!(variants::<Binning>(), ["normal", "tanh", "tanh-standardised"]);
        assert_eq!(variants::<u64>(), [""; 0]);
    }

    #[test]
    fn sizes_and_times_are_numbers_or_texts_with_units() {
        let bytes = |json: &str| serde_json::from_str::<Bytes>(json).map(|Bytes(bytes)| bytes).ok();
        assert_eq!((bytes("1024"), bytes("\"8GiB\""), bytes("0")), (Some(1024), Some(8 << 30), None));
        assert_eq!(
            ["8GiB", "500MiB", "1000"],
            [8 << 30, 500 << 20, 1000].map(|n| String::from(Bytes(n))).as_slice()
        );
        let seconds = |json: &str| serde_json::from_str::<Time>(json).map(|Time(time)| time.as_secs()).ok();
        assert_eq!((seconds("90"), seconds("\"1h30m\""), seconds("-1")), (Some(90), Some(5_400), None));
    }
}
