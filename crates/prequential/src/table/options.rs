//! What the user says about a file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::columns::Column;
use super::wording::quoted;
use crate::base::error::{Error, Result};
use crate::base::message::{Message, OptionName, message};

/// How to read a table: which columns, and what their cells mean. The default suits a tidy table.
///
/// ```
/// use prequential::ReadOptions;
/// let options = ReadOptions { ignore: vec!["id".into()], missing: vec!["n/a".into()], ..ReadOptions::default() };
/// assert!(options.columns.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Keep only these columns, in this order; empty keeps all, in the order of the table.
    pub columns: Vec<String>,
    /// Leave out these columns, even if `columns` names them.
    pub ignore: Vec<String>,
    /// Read these columns as labels, even if all cells are numbers.
    pub labels: Vec<String>,
    /// Read these columns as numbers, even if there are few different ones.
    pub numbers: Vec<String>,
    /// Cells that stand for no value, besides the empty cell, `NA`, `?`, and `NaN` in any case.
    pub missing: Vec<String>,
    /// The column that says which variables were set in a row, if it is not called `intervention` or `INT`.
    pub interventions: Option<String>,
    /// A table with a row for each row of the table, its columns called like variables: 1 where the variable was set, else 0.
    pub intervention_mask: Option<InterventionMask>,
}

/// Where to find which cells were set by intervention.
#[derive(Debug, Clone, PartialEq)]
pub enum InterventionMask {
    /// In a file, of any format that tables have.
    File(PathBuf),
    /// In these columns of 0 and 1, or of truth values.
    Columns(Vec<Column>),
}

impl InterventionMask {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            InterventionMask::File(path) => Some(path),
            InterventionMask::Columns(_) => None,
        }
    }
}

impl ReadOptions {
    /// Fails unless every named column is in `header` and no two options contradict each other.
    pub(super) fn check(&self, header: &[String]) -> Result<()> {
        let known: HashSet<&String> = header.iter().collect();
        for (option, names) in self.names() {
            if let Some(name) = names.iter().find(|name| !known.contains(name)) {
                return Err(unknown_column(option, name, header));
            }
        }
        if let Some(name) = self.labels.iter().find(|name| self.numbers.contains(name)) {
            return Err(contradiction(
                OptionName::Labels,
                OptionName::Numbers,
                name,
                "name it in one of them",
            ));
        }
        let Some(column) = &self.interventions else { return Ok(()) };
        let others = [OptionName::Labels, OptionName::Numbers, OptionName::Ignore];
        let others = others.into_iter().zip([&self.labels, &self.numbers, &self.ignore]);
        match others.into_iter().find(|(_, names)| names.contains(column)) {
            Some((option, _)) => {
                let hint = message!["remove it from ", option];
                Err(contradiction(OptionName::Interventions, option, column, hint))
            }
            None => Ok(()),
        }
    }

    fn names(&self) -> [(OptionName, &[String]); 5] {
        [
            (OptionName::Columns, &self.columns),
            (OptionName::Ignore, &self.ignore),
            (OptionName::Labels, &self.labels),
            (OptionName::Numbers, &self.numbers),
            (OptionName::Interventions, self.interventions.as_slice()),
        ]
    }

    /// Whether a cell stands for no value.
    pub(super) fn is_missing(&self, text: &str) -> bool {
        text.is_empty()
            || text == "NA"
            || text == "?"
            || text.eq_ignore_ascii_case("nan")
            || self.missing.iter().any(|token| token.trim_ascii() == text)
    }
}

/// Two options that exclude each other name one column.
fn contradiction(one: OptionName, other: OptionName, column: &str, hint: impl Into<Message>) -> Error {
    let what = message!["both ", one, " and ", other, format!(" name column {}", quoted(column))];
    Error::Contradiction { what, hint: hint.into() }
}

/// `place`, an option or a file in backticks, names a column that is not in the header.
pub(super) fn unknown_column(place: impl Into<Message>, name: &str, header: &[String]) -> Error {
    Error::UnknownName {
        option: place.into(),
        name: name.to_string(),
        what: "column",
        known: header.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<String> {
        vec!["age".into(), "dose".into(), "arm".into()]
    }

    #[test]
    fn an_unknown_column_names_the_option_and_the_nearest_column() {
        let options = ReadOptions { ignore: vec!["doze".into()], ..ReadOptions::default() };
        let error = options.check(&header()).unwrap_err();
        assert_eq!(error.to_string(), "`ignore` names `doze`, but there is no such column");
        assert_eq!(error.hint().to_string(), "did you mean `dose`?");
    }

    #[test]
    fn one_column_cannot_be_labels_and_numbers() {
        let names = vec!["age".to_string()];
        let options = ReadOptions { labels: names.clone(), numbers: names, ..ReadOptions::default() };
        let error = options.check(&header()).unwrap_err();
        assert_eq!(error.to_string(), "both `labels` and `numbers` name column `age`");
        assert_eq!(error.hint().to_string(), "name it in one of them");
    }

    #[test]
    fn the_intervention_column_cannot_be_ignored_too() {
        let options = ReadOptions {
            interventions: Some("arm".into()),
            ignore: vec!["arm".into()],
            ..ReadOptions::default()
        };
        let error = options.check(&header()).unwrap_err();
        assert_eq!(error.to_string(), "both `interventions` and `ignore` name column `arm`");
        assert_eq!(error.hint().to_string(), "remove it from `ignore`");
    }

    #[test]
    fn missing_tokens_add_to_the_usual_ones() {
        let options = ReadOptions { missing: vec!["-99".into()], ..ReadOptions::default() };
        for text in ["", "NA", "NaN", "nan", "?", "-99"] {
            assert!(options.is_missing(text), "{text}");
        }
        for text in ["0", "na", "none", "99"] {
            assert!(!options.is_missing(text), "{text}");
        }
    }
}
