//! Prior knowledge about the graph, by the names of variables.

use std::path::Path;

use toml::Spanned;

use crate::base::error::{Error, Result};
use crate::base::format::quoted;
use crate::base::message::{Message, message};
use crate::graph::read_text;

/// A statement about names, with its source for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<T> {
    /// The statement.
    pub value: T,
    /// Where: the option `require`, or "`rules.toml` line 4".
    pub place: Message,
}

/// Prior knowledge about the graph; empty knowledge constrains nothing.
///
/// ```
/// use prequential::Knowledge;
/// let rules = "require = ['smoke -> lung']\ntiers = [['age', 'sex'], ['smoke'], ['lung', 'cough']]\n";
/// let knowledge = Knowledge::from_toml(rules, "rules.toml")?;
/// assert_eq!(knowledge.required[0].value, ("smoke".to_string(), "lung".to_string()));
/// assert_eq!(knowledge.required[0].place.to_string(), "`rules.toml` line 1");
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Edges `(from, to)` that the graph must have.
    pub required: Vec<Statement<(String, String)>>,
    /// Edges `(from, to)` that it must not have.
    pub forbidden: Vec<Statement<(String, String)>>,
    /// Groups of variables in causal order: nothing in a later tier is a cause of anything in an earlier one.
    pub tiers: Vec<Statement<Vec<String>>>,
    /// Variables without causes in the table.
    pub roots: Vec<Statement<String>>,
    /// Variables that cause nothing in the table.
    pub leaves: Vec<Statement<String>>,
    /// Columns that may cause any variable, are never an effect and are never coded: batch, site, condition.
    /// They are not variables of the graph.
    pub context: Vec<Statement<String>>,
    /// The largest number of parents, if the file says so.
    pub max_parents: Option<usize>,
}

/// The keys of a knowledge file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    require: Vec<Spanned<String>>,
    #[serde(default)]
    forbid: Vec<Spanned<String>>,
    #[serde(default)]
    tiers: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    roots: Vec<Spanned<String>>,
    #[serde(default)]
    leaves: Vec<Spanned<String>>,
    #[serde(default)]
    context: Vec<Spanned<String>>,
    max_parents: Option<usize>,
}

impl Knowledge {
    /// Reads a knowledge file; see [`Knowledge::from_toml`].
    pub fn read(path: impl AsRef<Path>) -> Result<Knowledge> {
        let path = path.as_ref();
        let source = path.display().to_string();
        Knowledge::from_toml(&read_text(path, &source)?, &source)
    }

    /// Reads the text of a knowledge file: the keys `require`, `forbid` (lists of `'A -> B'`), `tiers` (list of lists of names),
    /// `roots`, `leaves`, `context` (lists of names) and `max-parents`, all optional.
    pub fn from_toml(text: &str, path: &str) -> Result<Knowledge> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line_at =
            |offset: usize| text.bytes().take(offset).filter(|&byte| byte == b'\n').count() as u64 + 1;
        let file: File = toml::from_str(text).map_err(|error| Error::Format {
            path: path.to_string(),
            line: error.span().map(|span| line_at(span.start)),
            problem: in_words(error.message()).into(),
            hint: "a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as \
                   require = ['A -> B'] or tiers = [['A', 'B'], ['C']]"
                .into(),
        })?;
        let place = |start: usize| Message::from(format!("`{path}` line {}", line_at(start)));
        let edges = |list: Vec<Spanned<String>>| {
            let statement = |text: Spanned<String>| Statement::edge(text.get_ref(), place(text.span().start));
            list.into_iter().map(statement).collect::<Result<Vec<_>>>()
        };
        let names = |list: Vec<Spanned<String>>| {
            let statement = |name: Spanned<String>| {
                let place = place(name.span().start);
                Statement { value: name.into_inner(), place }
            };
            list.into_iter().map(statement).collect()
        };
        let tier = |names: Spanned<Vec<String>>| {
            let place = place(names.span().start);
            Statement { value: names.into_inner(), place }
        };
        Ok(Knowledge {
            required: edges(file.require)?,
            forbidden: edges(file.forbid)?,
            tiers: file.tiers.into_iter().map(tier).collect(),
            roots: names(file.roots),
            leaves: names(file.leaves),
            context: names(file.context),
            max_parents: file.max_parents,
        })
    }

    /// The variables of the graph among columns with these names: those that are not contexts.
    pub fn variables(&self, columns: &[String]) -> Vec<String> {
        let is_context = |name: &String| self.context.iter().any(|said| said.value == *name);
        columns.iter().filter(|name| !is_context(name)).cloned().collect()
    }

    /// Adds the statements of `other`; its limit on parents and its tiers replace ours if it has any.
    pub fn extend(&mut self, other: Knowledge) {
        self.required.extend(other.required);
        self.forbidden.extend(other.forbidden);
        self.roots.extend(other.roots);
        self.leaves.extend(other.leaves);
        self.context.extend(other.context);
        self.max_parents = other.max_parents.or(self.max_parents);
        if !other.tiers.is_empty() {
            self.tiers = other.tiers;
        }
    }
}

/// The TOML parser's message, in words for users.
fn in_words(message: &str) -> String {
    let words = [
        (" as i128", ""),
        ("expected usize", "expected a whole number, 0 or more"),
        ("a sequence", "a list"),
    ];
    words.iter().fold(message.to_string(), |message, (jargon, plain)| message.replace(jargon, plain))
}

impl Statement<(String, String)> {
    /// Reads `A -> B`; a name that contains an arrow must be in double quotes.
    pub fn edge(text: &str, place: impl Into<Message>) -> Result<Self> {
        let unquoted = |name: &str| {
            let name = name.trim();
            name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(name).to_string()
        };
        let arrows = text.match_indices("->").map(|(at, _)| at);
        let mut outside = arrows.filter(|&at| text[..at].matches('"').count().is_multiple_of(2));
        let ends = match (outside.next(), outside.next()) {
            (Some(at), None) => Some((unquoted(&text[..at]), unquoted(&text[at + 2..]))),
            _ => None,
        };
        match ends {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                Ok(Statement { value: (from, to), place: place.into() })
            }
            _ => Err(Error::Setting {
                what: message![place.into(), format!(": expected an edge such as `A -> B`, found {}", quoted(text))],
                hint: "write one edge per item: the cause, `->`, the effect; a name that has `->` in it in double quotes"
                    .into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_has_one_arrow_outside_quotes() {
        let edge = |text: &str| Statement::edge(text, "here").map(|statement| statement.value).ok();
        let pair = |from: &str, to: &str| Some((from.to_string(), to.to_string()));
        assert_eq!(edge("a->b c"), pair("a", "b c"));
        assert_eq!(edge(r#""a->b" -> c"#), pair("a->b", "c"));
        assert_eq!(edge("a -> b -> c"), None);
        assert_eq!(edge("a -> "), None);
    }
}
