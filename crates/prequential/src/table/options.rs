//! The options with which a table is read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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
    /// Columns of labels that have an order; they are read as the numbers 1, 2, 3 and so on.
    pub ordered: Vec<OrderedLabels>,
    /// Cells that mean missing, besides the empty cell, `NA`, `?`, and `NaN` in any case.
    pub missing: Vec<String>,
    /// The column that says which variables were set in a row, if it is not called `intervention` or `INT`.
    pub interventions: Option<String>,
    /// A table with a row for each row of the table, its columns called like variables: 1 where the variable was set, else 0.
    pub intervention_mask: Option<InterventionMask>,
}

/// A column of labels that have an order, such as `never`, `sometimes`, `always`.
///
/// ```
/// use prequential::tables::OrderedLabels;
/// use prequential::{ReadOptions, Table};
/// let rows: String = (0..30).map(|row| format!("{},{}\n", ["lo", "mid", "hi"][row % 3], row * row)).collect();
/// let dose = OrderedLabels { column: "dose".into(), levels: ["lo", "mid", "hi"].map(String::from).to_vec() };
/// let options = ReadOptions { ordered: vec![dose], ..ReadOptions::default() };
/// let table = Table::from_bytes("trial.csv", format!("dose,effect\n{rows}").as_bytes(), &options)?;
/// assert_eq!(table.notes()[0].to_string(), "`trial.csv`, column `dose`: read as numbers, `lo` = 1, `mid` = 2, `hi` = 3");
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, Vec<String>)", into = "(String, Vec<String>)")]
pub struct OrderedLabels {
    /// Its name.
    pub column: String,
    /// Its labels, lowest first; if empty, their numbers (`0-4`, `5-9`, `10+`) or well-known words (`low`, `high`) tell the order.
    pub levels: Vec<String>,
}

impl From<(String, Vec<String>)> for OrderedLabels {
    fn from((column, levels): (String, Vec<String>)) -> OrderedLabels {
        OrderedLabels { column, levels }
    }
}

impl From<OrderedLabels> for (String, Vec<String>) {
    fn from(labels: OrderedLabels) -> (String, Vec<String>) {
        (labels.column, labels.levels)
    }
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
            if let Some(name) = names.iter().find(|name| !known.contains(*name)) {
                return Err(unknown_column(option, name, header));
            }
        }
        self.check_kinds()?;
        let Some(column) = &self.interventions else { return Ok(()) };
        let no_others = [OptionName::Columns, OptionName::Interventions];
        let mut others = self.names().into_iter().filter(|(option, _)| !no_others.contains(option));
        match others.find(|(_, names)| names.contains(&column)) {
            Some((option, _)) => {
                let hint = message!["remove it from ", option];
                Err(contradiction(OptionName::Interventions, option, column, hint))
            }
            None => Ok(()),
        }
    }

    /// Fails if a column is declared to be of two kinds.
    fn check_kinds(&self) -> Result<()> {
        let kinds = [OptionName::Labels, OptionName::Numbers, OptionName::Ordered];
        let names = self.names();
        let mut declared = names.iter().filter(|(option, _)| kinds.contains(option)).collect::<Vec<_>>();
        while let Some((option, columns)) = declared.pop() {
            for (other, others) in &declared {
                if let Some(name) = others.iter().find(|name| columns.contains(*name)) {
                    return Err(contradiction(*other, *option, name, "name it in one of them"));
                }
            }
        }
        Ok(())
    }

    /// The columns that each option names.
    fn names(&self) -> [(OptionName, Vec<&String>); 6] {
        [
            (OptionName::Columns, self.columns.iter().collect()),
            (OptionName::Ignore, self.ignore.iter().collect()),
            (OptionName::Labels, self.labels.iter().collect()),
            (OptionName::Numbers, self.numbers.iter().collect()),
            (OptionName::Ordered, self.ordered.iter().map(|ordered| &ordered.column).collect()),
            (OptionName::Interventions, self.interventions.iter().collect()),
        ]
    }

    /// The declared order of a column's labels.
    pub(super) fn order_of(&self, column: &str) -> Option<&OrderedLabels> {
        self.ordered.iter().find(|ordered| ordered.column == column)
    }

    /// Whether a cell means missing.
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
        known: header.iter().filter(|name| !name.is_empty()).cloned().collect(),
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
