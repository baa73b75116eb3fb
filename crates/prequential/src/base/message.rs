//! Messages in which options are data: the command line, Python and Rust each spell them in their own syntax.

use std::fmt;

use crate::base::format::visible;
use crate::base::option_table::option_table;

/// Names the options of the table.
macro_rules! option_names {
    (
        groups {
            $($group:ident $heading:literal {
                $($(#[doc = $help:literal])+ $option:ident $name:ident: $kind:ty
                  $(= $default:expr)? $(=> $value:literal $(in $range:expr)?)?;)*
            })*
        }
        elsewhere { $($other:ident $other_name:ident,)* }
        renamed { $($old:ident => $new:ident,)* }
    ) => {
        /// An option of a run that a message may name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum OptionName {
            $($(#[doc = concat!("`", stringify!($name), "`")] $option,)*)*
            $(#[doc = concat!("`", stringify!($other_name), "`")] $other,)*
        }

        impl OptionName {
            /// All of them.
            pub const ALL: &[OptionName] = &[$($(OptionName::$option,)*)* $(OptionName::$other,)*];

            /// What options were called in earlier versions, and what they are called now.
            const RENAMED: &[(&str, OptionName)] = &[$((stringify!($old), OptionName::$new),)*];

            /// Its name, words joined by underscores: `max_parents`.
            pub fn name(self) -> &'static str {
                match self {
                    $($(OptionName::$option => stringify!($name),)*)*
                    $(OptionName::$other => stringify!($other_name),)*
                }
            }
        }
    };
}
option_table!(option_names);

impl OptionName {
    /// The option of this name.
    pub fn named(name: &str) -> Option<OptionName> {
        OptionName::ALL.iter().copied().find(|option| option.name() == name)
    }

    /// What an option of an earlier version is called now; none for one that is no more.
    pub fn renamed(old: &str) -> Option<OptionName> {
        OptionName::RENAMED.iter().find(|(name, _)| *name == old).map(|&(_, new)| new)
    }

    /// The option with this value, as a part of a message.
    pub fn set(self, value: impl fmt::Display) -> Part {
        Part::Option { option: self, values: vec![value.to_string()] }
    }

    /// The option with a list of values, as a part of a message.
    pub fn list(self, values: &[impl AsRef<str>]) -> Part {
        Part::Option { option: self, values: values.iter().map(|value| value.as_ref().to_string()).collect() }
    }
}

/// Something that can be run besides what failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// Learning a graph.
    Learn,
    /// Learning a graph and writing all of its result to files.
    LearnToFiles,
    /// Joining stores of one table.
    MergeStores,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text, verbatim.
    Text(String),
    /// An option, with the values it is to have, if any.
    Option {
        /// Which.
        option: OptionName,
        /// None where only the option itself is meant.
        values: Vec<String>,
    },
    /// Something to run.
    Call(Call),
}

/// How the command line, Python or Rust spells options and calls.
pub trait Wording {
    /// An option, with the values that it is to have, if any: `` `--max-parents 3` `` on the command line.
    fn option(&self, option: OptionName, values: &[String]) -> String;

    /// Something to run: `` `prequential learn` `` on the command line.
    fn call(&self, call: Call) -> String;
}

/// The spelling of this library: fields of structures and names of functions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlainWording;

impl Wording for PlainWording {
    fn option(&self, option: OptionName, values: &[String]) -> String {
        match values {
            [] => format!("`{}`", option.name()),
            values => format!("`{}: {}`", option.name(), visible(&values.join(", "))),
        }
    }

    fn call(&self, call: Call) -> String {
        match call {
            Call::Learn | Call::LearnToFiles => "`learn`",
            Call::MergeStores => "`merge_stores`",
        }
        .to_string()
    }
}

/// A sentence for people, in which options are data: what happened, or what to do about it.
///
/// ```
/// use prequential::wording::{Message, OptionName};
/// let hint = Message::from("use ") + OptionName::Search.set("order") + ", or raise " + OptionName::MemoryLimit;
/// assert_eq!(hint.to_string(), "use `search: order`, or raise `memory_limit`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    parts: Vec<Part>,
}

impl Message {
    /// Its pieces, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The sentence in the spelling of `wording`.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Option { option, values } => wording.option(*option, values),
            Part::Call(call) => wording.call(*call),
        };
        self.parts.iter().map(part).collect()
    }

    /// A text in which options stand in backticks: `` `alpha` ``, or `` `estimator=counts` `` with a value.
    pub(crate) fn marked(text: &str) -> Message {
        let part = |(place, piece): (usize, &str)| {
            let (name, value) =
                piece.split_once('=').map_or((piece, None), |(name, value)| (name, Some(value)));
            match OptionName::named(name).filter(|_| place % 2 == 1) {
                Some(option) => value.map_or_else(|| Part::from(option), |value| option.set(value)),
                None if place % 2 == 1 => Part::Text(format!("`{piece}`")),
                None => Part::from(piece),
            }
        };
        Message { parts: text.split('`').enumerate().map(part).collect() }
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The messages one after another, with `between` between them.
    pub(crate) fn join<'a>(messages: impl IntoIterator<Item = &'a Message>, between: &str) -> Message {
        messages.into_iter().fold(Message::default(), |all, message| {
            let all = if all.is_empty() { all } else { all + between };
            all + message.clone()
        })
    }

    /// A copy with every text changed by `change`; options stay.
    pub(crate) fn map_text(self, change: impl Fn(&str) -> String) -> Message {
        let part = |part: Part| match part {
            Part::Text(text) => Part::Text(change(&text)),
            other => other,
        };
        Message { parts: self.parts.into_iter().map(part).collect() }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.worded(&PlainWording))
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_string())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<OptionName> for Part {
    fn from(option: OptionName) -> Part {
        Part::Option { option, values: Vec::new() }
    }
}

impl From<Call> for Part {
    fn from(call: Call) -> Part {
        Part::Call(call)
    }
}

impl<P: Into<Part>> From<P> for Message {
    fn from(part: P) -> Message {
        Message { parts: vec![part.into()] }
    }
}

impl<M: Into<Message>> std::ops::Add<M> for Message {
    type Output = Message;

    fn add(mut self, next: M) -> Message {
        self.parts.extend(next.into().parts);
        self
    }
}

/// A [`Message`] of texts, [`OptionName`]s and [`Part`]s.
macro_rules! message {
    ($($part:expr),* $(,)?) => {
        $crate::base::message::Message::default() $(+ $part)*
    };
}
pub(crate) use message;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_a_text_stand_in_backticks() {
        let text = Message::marked("like `alpha`, with `estimator=counts` or `paper`");
        assert_eq!(text.to_string(), "like `alpha`, with `estimator: counts` or `paper`");
    }

    #[test]
    fn a_front_words_options_and_leaves_texts_as_they_are() {
        struct Flags;
        impl Wording for Flags {
            fn option(&self, option: OptionName, values: &[String]) -> String {
                format!("--{} {}", option.name().replace('_', "-"), values.join(","))
            }
            fn call(&self, _: Call) -> String {
                "merge".to_string()
            }
        }
        let message = message!["a {b} --c; ", OptionName::MaxParents.set(3), ", ", Call::MergeStores];
        assert_eq!(message.worded(&Flags), "a {b} --c; --max-parents 3, merge");
        assert_eq!(message.to_string(), "a {b} --c; `max_parents: 3`, `merge_stores`");
    }
}
