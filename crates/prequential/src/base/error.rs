//! Everything that can go wrong through the user's input, with the way out.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::base::format::{listed, one_line, quoted, visible};

/// The result of anything that depends on the user's input.
pub type Result<T> = std::result::Result<T, Error>;

/// A mistake in the input, found before long work starts. [`Error::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened, read or written.
    #[error("cannot {action} {}: {source}", file(path))]
    File {
        /// `read`, `write` or `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not follow its format.
    #[error("{}{}: {}", file(Path::new(path)), line.map(|line| format!(" line {line}")).unwrap_or_default(), one_line(problem))]
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
    #[error("{} names {}, but there is no such {what}", one_line(option), quoted(name))]
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
    #[error("{what} form a cycle: {}", one_line(cycle))]
    Cycle {
        /// Which edges.
        what: String,
        /// `A -> B -> A`.
        cycle: String,
        /// What to do.
        hint: String,
    },
    /// Two pieces of knowledge exclude each other.
    #[error("{}", one_line(what))]
    Contradiction {
        /// Both, and where they were said.
        what: String,
        /// What to do.
        hint: String,
    },
    /// A setting has a value that makes no sense.
    #[error("{}", one_line(what))]
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
    #[error(
        "{estimator} estimator for `{}` diverged: log-loss is NaN at row {row} of {n_rows}",
        one_line(family)
    )]
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
    #[error("store {}: {}", file(path), one_line(problem))]
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
            Error::File { action, source, .. } => Some(file_hint(action, source.kind()).to_string()),
            Error::Format { hint, .. } | Error::Cycle { hint, .. } | Error::TooLarge { hint, .. } => {
                Some(one_line(hint))
            }
            Error::Contradiction { hint, .. }
            | Error::Setting { hint, .. }
            | Error::Store { hint, .. }
            | Error::Diverged { hint, .. } => Some(one_line(hint)),
            Error::UnknownName { name, known, what, .. } => Some(match closest(name, known) {
                Some(close) => format!("did you mean {}?", quoted(close)),
                None => format!("the {what}s are: {}", listed(known)),
            }),
            Error::Table { problems } => {
                let hints: Vec<&str> = problems.iter().map(|problem| problem.hint.as_str()).collect();
                Some(hints.join("\n"))
            }
        }
    }
}

/// The file in backticks; standard input and output, which are no files, without.
fn file(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_string(),
        Some(stream @ ("standard input" | "standard output")) => stream.to_string(),
        _ => format!("`{}`", visible(&path.to_string_lossy())),
    }
}

/// What to do about a file that cannot be opened, read or written.
fn file_hint(action: &str, kind: ErrorKind) -> &'static str {
    match (action, kind) {
        ("read", ErrorKind::NotFound) => "check the path; it is taken from the current directory",
        (_, ErrorKind::NotFound) => {
            "make the directory first, or check the path; it is taken from the current directory"
        }
        ("read", ErrorKind::IsADirectory) => "name a file in this directory",
        (_, ErrorKind::IsADirectory) => "name a file, not a directory",
        ("create", ErrorKind::AlreadyExists) => "a file has this name; choose another name for the directory",
        (_, ErrorKind::NotADirectory) => "a part of the path is a file, not a directory; choose another path",
        ("read", ErrorKind::PermissionDenied) => "ask its owner for the right to read it",
        (_, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            "choose a directory that you may write to"
        }
        (_, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            "make room on the disk, or choose a path on another one"
        }
        (_, ErrorKind::InvalidFilename) => "choose a shorter name",
        ("read", _) => "check that the file can be read, for example by copying it",
        _ => "choose another path",
    }
}

/// Bytes of the longest name that is looked for among slips of the pen.
const MAX_COMPARED: usize = 200;

/// The known name that is nearest to `name`, if it is near enough to be a slip of the pen.
fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a String> {
    // Other lengths are no slip of the pen, and the distance of long texts takes long.
    let alike = |candidate: &&String| name.len().max(candidate.len()) <= MAX_COMPARED;
    let near = known.iter().filter(alike).map(|candidate| (edit_distance(name, candidate), candidate));
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

    #[test]
    fn names_of_a_million_letters_are_not_compared() {
        let known = vec!["a".repeat(1_000_000), "b\n".to_string()];
        let error = Error::UnknownName {
            option: "`--ignore`".into(),
            name: "a".repeat(999_999),
            what: "column",
            known,
        };
        assert_eq!(error.to_string().len(), "`--ignore` names ``, but there is no such column".len() + 43);
        assert!(error.hint().unwrap().ends_with(", b\\n"));
    }

    #[test]
    fn every_failure_of_a_file_has_a_way_out() {
        let shown = |action, path: &str, kind: ErrorKind| {
            let error = Error::File { action, path: path.into(), source: kind.into() };
            format!("{error}; {}", error.hint().unwrap())
        };
        let all = [
            shown("read", "t.csv", ErrorKind::NotFound),
            shown("write", "no/g.dot", ErrorKind::NotFound),
            shown("read", "data", ErrorKind::IsADirectory),
            shown("write", "data", ErrorKind::IsADirectory),
            shown("create", "out", ErrorKind::AlreadyExists),
            shown("create", "out/deep", ErrorKind::NotADirectory),
            shown("read", "t.csv", ErrorKind::PermissionDenied),
            shown("write", "g.dot", ErrorKind::PermissionDenied),
            shown("write", "g.dot", ErrorKind::ReadOnlyFilesystem),
            shown("write", "standard output", ErrorKind::StorageFull),
            shown("write", "g.dot", ErrorKind::InvalidFilename),
            shown("read", "-", ErrorKind::TimedOut),
            shown("write", "a\u{1b}.dot", ErrorKind::Other),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        cannot read `t.csv`: entity not found; check the path; it is taken from the current directory
        cannot write `no/g.dot`: entity not found; make the directory first, or check the path; it is taken from the current directory
        cannot read `data`: is a directory; name a file in this directory
        cannot write `data`: is a directory; name a file, not a directory
        cannot create `out`: entity already exists; a file has this name; choose another name for the directory
        cannot create `out/deep`: not a directory; a part of the path is a file, not a directory; choose another path
        cannot read `t.csv`: permission denied; ask its owner for the right to read it
        cannot write `g.dot`: permission denied; choose a directory that you may write to
        cannot write `g.dot`: read-only filesystem or storage medium; choose a directory that you may write to
        cannot write standard output: no storage space; make room on the disk, or choose a path on another one
        cannot write `g.dot`: invalid filename; choose a shorter name
        cannot read standard input: timed out; check that the file can be read, for example by copying it
        cannot write `a\u{1b}.dot`: other error; choose another path
        "#);
    }
}
