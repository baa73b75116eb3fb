//! Everything that can go wrong through the user's input, with the way out.

use std::path::PathBuf;

/// The result of anything that depends on the user's input.
pub type Result<T> = std::result::Result<T, Error>;

/// A mistake in the input, found before long work starts. [`Error::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened, read or written.
    #[error("cannot {action} `{path}`: {source}")]
    File {
        /// `read`, `write` or `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not follow its format.
    #[error("`{path}`{}: {problem}", line.map(|line| format!(" line {line}")).unwrap_or_default())]
    Format {
        /// The file, as the user named it.
        path: String,
        /// The line, from 1, where known.
        line: Option<u64>,
        /// What is wrong.
        problem: String,
        /// What to do.
        hint: String,
    },
    /// An option names a variable that the table does not have.
    #[error("{option} names `{name}`, but there is no such {what}")]
    UnknownName {
        /// The option or file, with its value's place.
        option: String,
        /// The unknown name.
        name: String,
        /// `column` or `variable`.
        what: &'static str,
        /// The names there are.
        known: Vec<String>,
    },
    /// Edges that must be acyclic are not.
    #[error("{what} form a cycle: {cycle}")]
    Cycle {
        /// Which edges.
        what: String,
        /// `A -> B -> A`.
        cycle: String,
        /// What to do.
        hint: String,
    },
    /// Two pieces of knowledge exclude each other.
    #[error("{what}")]
    Contradiction {
        /// Both, and where they were said.
        what: String,
        /// What to do.
        hint: String,
    },
    /// A setting has a value that makes no sense.
    #[error("{what}")]
    Setting {
        /// The setting, its value, and what is wrong with it.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The search would need more memory than it may use.
    #[error("{what} over {n_vars} variables needs {needed}, above the limit of {limit}")]
    TooLarge {
        /// Which search.
        what: &'static str,
        /// How many variables.
        n_vars: usize,
        /// Memory or graphs, in words.
        needed: String,
        /// The limit, in words.
        limit: String,
        /// What to do.
        hint: String,
    },
    /// A model's predictions stopped being numbers.
    #[error("{estimator} estimator for `{family}` diverged: log-loss is NaN at row {row} of {n_rows}")]
    Diverged {
        /// Which estimator.
        estimator: String,
        /// `child | parents`, by name.
        family: String,
        /// The first such row among those coded, from 1.
        row: usize,
        /// How many rows are coded.
        n_rows: usize,
        /// What to do.
        hint: String,
    },
    /// A file of code lengths cannot be used.
    #[error("store `{path}`: {problem}")]
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// What to do.
        hint: String,
    },
    /// The table cannot be learnt from; every problem found is listed.
    #[error("{}", problems.iter().map(|problem| problem.what.as_str()).collect::<Vec<_>>().join("\n"))]
    Table {
        /// All of them, so that one round mends the table.
        problems: Vec<TableProblem>,
    },
}

/// One thing that is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct TableProblem {
    /// What and where, naming the column or line.
    pub what: String,
    /// The way out.
    pub hint: String,
}

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::File { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                Some("check the path; it is taken from the current directory".to_string())
            }
            Error::File { .. } => None,
            Error::Format { hint, .. } | Error::Cycle { hint, .. } | Error::TooLarge { hint, .. } => {
                Some(hint.clone())
            }
            Error::Contradiction { hint, .. }
            | Error::Setting { hint, .. }
            | Error::Store { hint, .. }
            | Error::Diverged { hint, .. } => Some(hint.clone()),
            Error::UnknownName { name, known, what, .. } => Some(match closest(name, known) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("the {what}s are: {}", known.join(", ")),
            }),
            Error::Table { problems } => {
                let hints: Vec<&str> = problems.iter().map(|problem| problem.hint.as_str()).collect();
                Some(hints.join("\n"))
            }
        }
    }
}

/// The known name that is nearest to `name`, if it is near enough to be a slip of the pen.
fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a String> {
    let near = known.iter().map(|candidate| (edit_distance(name, candidate), candidate));
    near.filter(|&(distance, candidate)| distance <= (shorter(name, candidate) / 2).min(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

fn shorter(a: &str, b: &str) -> usize {
    a.chars().count().min(b.chars().count())
}

/// Levenshtein distance, ignoring case.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_suggests_the_nearest_or_lists_all() {
        let known = vec!["age".to_string(), "income".to_string(), "x".to_string()];
        let unknown = |name: &str| Error::UnknownName {
            option: "--ignore".into(),
            name: name.into(),
            what: "column",
            known: known.clone(),
        };
        assert_eq!(unknown("Incone").hint().unwrap(), "did you mean `income`?");
        assert_eq!(unknown("y").hint().unwrap(), "the columns are: age, income, x");
        assert_eq!(unknown("weight").hint().unwrap(), "the columns are: age, income, x");
    }
}
