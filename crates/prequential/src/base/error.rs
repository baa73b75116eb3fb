//! The error type: everything that can go wrong through the user's input, with a hint what to do.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::base::format::{listed, one_line, quoted, visible};
use crate::base::message::{Message, OptionName, message};

/// The result of anything that depends on the user's input.
pub type Result<T> = std::result::Result<T, Error>;

/// A mistake in the input, found before long work starts. [`Error::hint`] says what to do about it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened, read or written.
    File {
        /// `read`, `write` or `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file does not follow its format.
    Format {
        /// The file, as the user named it.
        path: String,
        /// The line, from 1, where known.
        line: Option<u64>,
        /// What is wrong.
        problem: Message,
        /// What to do.
        hint: Message,
    },
    /// An option names a variable that the table does not have.
    UnknownName {
        /// The option or file, with its value's place.
        option: Message,
        /// The unknown name.
        name: String,
        /// `column` or `variable`.
        what: &'static str,
        /// The names there are.
        known: Vec<String>,
    },
    /// There is no option of this name.
    UnknownOption {
        /// The option, and what it is called now if it has another name.
        what: Message,
        /// What to do.
        hint: Message,
    },
    /// Edges that must be acyclic are not.
    Cycle {
        /// Which edges.
        what: Message,
        /// `A -> B -> A`.
        cycle: String,
        /// What to do.
        hint: Message,
    },
    /// Two pieces of knowledge exclude each other.
    Contradiction {
        /// Both, and where they were said.
        what: Message,
        /// What to do.
        hint: Message,
    },
    /// A setting has a value that makes no sense.
    Setting {
        /// The setting, its value, and what is wrong with it.
        what: Message,
        /// What to do.
        hint: Message,
    },
    /// The search would need more memory than it may use.
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
        hint: Message,
    },
    /// A model's predictions stopped being numbers.
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
        hint: Message,
    },
    /// A file of code lengths cannot be used.
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: Message,
        /// What to do.
        hint: Message,
    },
    /// A worker elsewhere failed.
    Worker {
        /// The job it was doing, and the known reason.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The table cannot be learnt from; every problem found is listed.
    Table {
        /// All problems, so that the table can be fixed in one round.
        problems: Vec<TableProblem>,
    },
}

/// One thing that is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableProblem {
    /// What and where, naming the column or line.
    pub what: Message,
    /// What to do about it.
    pub hint: Message,
}

/// An option of an earlier version that meant one thing with networks and another without.
const REPEATS: &str = "repeats";

impl Error {
    /// There is no such option among those `known`; it stands as it was `typed`: `--row-orders` or
    /// `row_orders`.
    pub fn unknown_option(typed: &str, known: &[OptionName]) -> Error {
        let option = quoted(typed);
        let name = typed.trim_start_matches('-').replace('-', "_");
        if name == REPEATS {
            let (networks, permutations) = (OptionName::Networks, OptionName::Permutations);
            return Error::UnknownOption {
                what: message![option, " is no option any more: it meant networks or row orders"],
                hint: message![
                    "use ",
                    networks,
                    " for networks per family, or ",
                    permutations,
                    " for row orders"
                ],
            };
        }
        if let Some(new) = OptionName::renamed(&name) {
            let what = message![option, " is now ", new];
            return Error::UnknownOption { what, hint: message!["use ", new, " instead"] };
        }
        let names: Vec<String> = known.iter().map(|option| option.name().to_string()).collect();
        let near = closest(&name, &names).and_then(|name| OptionName::named(name));
        Error::UnknownOption {
            what: message!["unknown option ", option],
            hint: near.map_or_else(
                || format!("the options are: {}", names.join(", ")).into(),
                |near| message!["did you mean ", near, "?"],
            ),
        }
    }

    /// Whether an option that was `typed` so existed in an earlier version.
    pub fn was_option(typed: &str) -> bool {
        let name = typed.trim_start_matches('-').replace('-', "_");
        name == REPEATS || OptionName::renamed(&name).is_some()
    }

    /// What happened, and where.
    pub fn message(&self) -> Message {
        match self {
            Error::File { action, path, source } => {
                message![format!("cannot {action} {}: {source}", file(path))]
            }
            Error::Format { path, line, problem, .. } => {
                let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
                message![format!("{}{line}: ", file(Path::new(path))), on_one_line(problem)]
            }
            Error::UnknownName { option, name, what, .. } => {
                message![on_one_line(option), format!(" names {}, but there is no such {what}", quoted(name))]
            }
            Error::Cycle { what, cycle, .. } => {
                message![what.clone(), format!(" form a cycle: {}", one_line(cycle))]
            }
            Error::Contradiction { what, .. }
            | Error::Setting { what, .. }
            | Error::UnknownOption { what, .. } => on_one_line(what),
            Error::TooLarge { what, n_vars, needed, limit, .. } => {
                message![format!("{what} over {n_vars} variables needs {needed}, above the limit of {limit}")]
            }
            Error::Diverged { estimator, family, row, n_rows, .. } => message![format!(
                "{estimator} estimator for `{}` diverged: log-loss is NaN at row {row} of {n_rows}",
                one_line(family)
            )],
            Error::Store { path, problem, .. } => {
                message![format!("store {}: ", file(path)), on_one_line(problem)]
            }
            Error::Worker { what, .. } => what.clone().into(),
            Error::Table { problems } => Message::join(problems.iter().map(|problem| &problem.what), "\n"),
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Message {
        match self {
            Error::File { action, source, .. } => file_hint(action, source.kind()).into(),
            Error::Format { hint, .. }
            | Error::Cycle { hint, .. }
            | Error::TooLarge { hint, .. }
            | Error::Contradiction { hint, .. }
            | Error::Setting { hint, .. }
            | Error::UnknownOption { hint, .. }
            | Error::Store { hint, .. }
            | Error::Diverged { hint, .. } => on_one_line(hint),
            Error::UnknownName { name, known, what, .. } => match closest(name, known) {
                Some(close) => format!("did you mean {}?", quoted(close)).into(),
                None => format!("the {what}s are: {}", listed(known)).into(),
            },
            Error::Worker { hint, .. } => hint.clone().into(),
            Error::Table { problems } => Message::join(problems.iter().map(|problem| &problem.hint), "\n"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { source, .. } => Some(source),
            _ => None,
        }
    }
}

fn on_one_line(message: &Message) -> Message {
    message.clone().map_text(one_line)
}

/// Refuses a setting unless `holds`.
pub(crate) fn require(
    holds: bool,
    what: impl FnOnce() -> Message,
    hint: impl FnOnce() -> Message,
) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Setting { what: what(), hint: hint() }) }
}

/// The file in backticks; standard input and output, which are no files, without.
fn file(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_string(),
        Some(stream @ ("standard input" | "standard output")) => stream.to_string(),
        _ => format!("`{}`", visible(&path.to_string_lossy())),
    }
}

/// The hint for a file that cannot be opened, read or written.
fn file_hint(action: &str, kind: ErrorKind) -> &'static str {
    match (action, kind) {
        ("read", ErrorKind::NotFound) => "check the path; it is relative to the current directory",
        (_, ErrorKind::NotFound) => {
            "create the directory first, or check the path; it is relative to the current directory"
        }
        ("read", ErrorKind::IsADirectory) => "name a file in this directory",
        (_, ErrorKind::IsADirectory) => "name a file, not a directory",
        ("create", ErrorKind::AlreadyExists) => "a file has this name; choose another name for the directory",
        (_, ErrorKind::NotADirectory) => "a part of the path is a file, not a directory; choose another path",
        ("read", ErrorKind::PermissionDenied) => "ask its owner for read permission",
        (_, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            "choose a directory that you may write to"
        }
        (_, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            "free space on the disk, or choose a path on another one"
        }
        (_, ErrorKind::InvalidFilename) => "choose a shorter name",
        ("read", _) => "check that the file can be read, for example by copying it",
        _ => "choose another path",
    }
}

/// The longest name, in bytes, for which a similar known name is suggested.
const MAX_COMPARED: usize = 200;

/// The known name that is nearest to `name`, if it is near enough to be a typing error; case is ignored.
pub(crate) fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a String> {
    // Other lengths are no typing error, and the distance of long texts takes long.
    let alike = |candidate: &&String| name.len().max(candidate.len()) <= MAX_COMPARED;
    let distance = |other: &str| strsim::levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let near = known.iter().filter(alike).map(|candidate| (distance(candidate), candidate));
    near.filter(|&(distance, candidate)| distance <= (shorter(name, candidate) / 2).min(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

fn shorter(a: &str, b: &str) -> usize {
    a.chars().count().min(b.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_suggests_the_nearest_or_lists_all() {
        let known = vec!["age".to_string(), "income".to_string(), "x".to_string()];
        let unknown = |name: &str| Error::UnknownName {
            option: OptionName::Ignore.into(),
            name: name.into(),
            what: "column",
            known: known.clone(),
        };
        assert_eq!(unknown("Incone").hint().to_string(), "did you mean `income`?");
        assert_eq!(unknown("y").hint().to_string(), "the columns are: age, income, x");
        assert_eq!(unknown("weight").hint().to_string(), "the columns are: age, income, x");
    }

    #[test]
    fn an_unknown_option_is_told_its_new_name_or_the_nearest() {
        let said = |typed: &str| {
            let error = Error::unknown_option(typed, OptionName::ALL);
            format!("{error}; {}", error.hint())
        };
        assert_eq!(said("--row-orders"), "`--row-orders` is now `permutations`; use `permutations` instead");
        assert_eq!(said("max_parent"), "unknown option `max_parent`; did you mean `max_parents`?");
        assert!(
            said("zzzzzzzz").starts_with("unknown option `zzzzzzzz`; the options are: columns, ignore, ")
        );
        assert!(said("repeats").starts_with("`repeats` is no option any more"));
        assert!(Error::was_option("--tabu") && Error::was_option("repeats") && !Error::was_option("--top"));
    }

    #[test]
    fn names_of_a_million_letters_are_not_compared() {
        let known = vec!["a".repeat(1_000_000), "b\n".to_string()];
        let error = Error::UnknownName {
            option: OptionName::Ignore.into(),
            name: "a".repeat(999_999),
            what: "column",
            known,
        };
        assert_eq!(error.to_string().len(), "`ignore` names ``, but there is no such column".len() + 43);
        assert!(error.hint().to_string().ends_with(", b\\n"));
    }

    #[test]
    fn every_failure_of_a_file_has_a_way_out() {
        let shown = |action, path: &str, kind: ErrorKind| {
            let error = Error::File { action, path: path.into(), source: kind.into() };
            format!("{error}; {}", error.hint())
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
        cannot read `t.csv`: entity not found; check the path; it is relative to the current directory
        cannot write `no/g.dot`: entity not found; create the directory first, or check the path; it is relative to the current directory
        cannot read `data`: is a directory; name a file in this directory
        cannot write `data`: is a directory; name a file, not a directory
        cannot create `out`: entity already exists; a file has this name; choose another name for the directory
        cannot create `out/deep`: not a directory; a part of the path is a file, not a directory; choose another path
        cannot read `t.csv`: permission denied; ask its owner for read permission
        cannot write `g.dot`: permission denied; choose a directory that you may write to
        cannot write `g.dot`: read-only filesystem or storage medium; choose a directory that you may write to
        cannot write standard output: no storage space; free space on the disk, or choose a path on another one
        cannot write `g.dot`: invalid filename; choose a shorter name
        cannot read standard input: timed out; check that the file can be read, for example by copying it
        cannot write `a\u{1b}.dot`: other error; choose another path
        "#);
    }
}
