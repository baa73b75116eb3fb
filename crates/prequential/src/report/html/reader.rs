//! Reads a result file key by key, so that every complaint can name the key.

use std::collections::HashMap;

use serde_json::Value;

use crate::base::error::{Error, Result};

/// A value in a result, with the file and the key that lead to it.
#[derive(Debug, Clone)]
pub(super) struct At<'a> {
    pub(super) value: &'a Value,
    key: String,
    source: &'a str,
}

/// The number of every variable, by name.
pub(super) type Numbers<'a> = HashMap<&'a str, usize>;

/// An edge, or a pair without direction.
pub(super) type Pair = (usize, usize);

const HINT: &str = "give the `result.json` of `prequential learn DATA --out DIR`, unchanged; or run it again";

impl<'a> At<'a> {
    pub(super) fn top(value: &'a Value, source: &'a str) -> At<'a> {
        At { value, key: String::new(), source }
    }

    /// What stands under `key`, which must be there; it may be null.
    pub(super) fn get(&self, key: &str) -> Result<At<'a>> {
        match self.value.get(key) {
            Some(value) => Ok(self.below(key, value)),
            None => {
                let missing = self.below(key, self.value);
                Err(At::top(self.value, self.source).error(&format!("key `{}` is missing", missing.key)))
            }
        }
    }

    /// What stands under `key`, unless it is absent or null.
    pub(super) fn find(&self, key: &str) -> Option<At<'a>> {
        self.value.get(key).filter(|value| !value.is_null()).map(|value| self.below(key, value))
    }

    fn below(&self, key: &str, value: &'a Value) -> At<'a> {
        let dot = if self.key.is_empty() { "" } else { "." };
        At { value, key: format!("{}{dot}{key}", self.key), source: self.source }
    }

    pub(super) fn items(&self) -> Result<Vec<At<'a>>> {
        let list = self.value.as_array().ok_or_else(|| self.wanted("a list"))?;
        let item = |(i, value)| At { value, key: format!("{}[{i}]", self.key), source: self.source };
        Ok(list.iter().enumerate().map(item).collect())
    }

    pub(super) fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.wanted("a text"))
    }

    pub(super) fn number(&self) -> Result<f64> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.wanted("a number"))
    }

    pub(super) fn number_or_null(&self) -> Result<Option<f64>> {
        if self.value.is_null() { Ok(None) } else { self.number().map(Some) }
    }

    pub(super) fn count(&self) -> Result<usize> {
        let count = self.value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.wanted("a whole number"))
    }

    pub(super) fn flag(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.wanted("true or false"))
    }

    /// The number of the variable that is named here.
    pub(super) fn node(&self, numbers: &Numbers) -> Result<usize> {
        let known = self.value.as_str().and_then(|name| numbers.get(name));
        known.copied().ok_or_else(|| self.wanted("the name of a variable in `data.variables`"))
    }

    pub(super) fn nodes(&self, numbers: &Numbers) -> Result<Vec<usize>> {
        self.items()?.iter().map(|item| item.node(numbers)).collect()
    }

    /// `["A", "B"]`.
    pub(super) fn pair(&self, numbers: &Numbers) -> Result<Pair> {
        match self.nodes(numbers)?[..] {
            [a, b] if a != b => Ok((a, b)),
            _ => Err(self.wanted("two different variables")),
        }
    }

    pub(super) fn pairs(&self, numbers: &Numbers) -> Result<Vec<Pair>> {
        self.items()?.iter().map(|item| item.pair(numbers)).collect()
    }

    fn wanted(&self, wanted: &str) -> Error {
        self.error(&format!("expected {wanted}, found {}", excerpt(self.value)))
    }

    pub(super) fn error(&self, problem: &str) -> Error {
        self.error_with_hint(problem, HINT)
    }

    pub(super) fn error_with_hint(&self, problem: &str, hint: &str) -> Error {
        let place = if self.key.is_empty() { String::new() } else { format!("key `{}`: ", self.key) };
        Error::Format {
            path: self.source.to_string(),
            line: None,
            problem: format!("{place}{problem}").into(),
            hint: hint.into(),
        }
    }
}

/// A value as a complaint quotes it.
fn excerpt(value: &Value) -> String {
    const MAX_CHARS: usize = 40;
    match value {
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
        _ => {
            let text = value.to_string();
            let cut: String = text.chars().take(MAX_CHARS).collect();
            format!("`{cut}{}`", if cut.len() < text.len() { "…" } else { "" })
        }
    }
}
