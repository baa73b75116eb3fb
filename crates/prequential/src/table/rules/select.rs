//! Which columns of a file become variables, and which one tells of interventions.

use super::kinds::Declared;
use crate::base::error::Result;
use crate::table::options::ReadOptions;

/// The name under which a column of names is found without being asked for.
const NAMES_COLUMN: &str = "intervention";

/// The name under which a column of numbers of columns is found without being asked for.
const POSITIONS_COLUMN: &str = "INT";

/// What each column is for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The positions of the variables, in the order the user wants.
    pub(crate) variables: Vec<usize>,
    /// The column that tells of interventions.
    pub(crate) interventions: Option<Interventions>,
    /// A column that is called `INT` but tells of none, as its cells showed.
    pub(crate) misnamed: Option<usize>,
}

/// The column that tells of interventions: its position, and why we think so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interventions {
    pub(crate) position: usize,
    pub(crate) found_by: FoundBy,
}

/// How the column was found, which says what it may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// The user named it: names, or numbers of columns.
    Option,
    /// It is called `intervention`: names.
    NamesColumn,
    /// It is called `INT`: numbers of columns, or else a variable like any other.
    PositionsColumn,
}

impl Selection {
    /// What the options make of these columns.
    pub(crate) fn new(header: &[String], options: &ReadOptions) -> Result<Selection> {
        options.check(header)?;
        let position = |name: &String| header.iter().position(|other| other == name);
        let mut variables: Vec<usize> = if options.columns.is_empty() {
            (0..header.len()).collect()
        } else {
            let mut chosen: Vec<usize> = Vec::new();
            for at in options.columns.iter().filter_map(position) {
                if !chosen.contains(&at) {
                    chosen.push(at);
                }
            }
            chosen
        };
        let interventions = intervention_column(header, options);
        let never = interventions.filter(|column| column.found_by != FoundBy::PositionsColumn);
        variables
            .retain(|&at| !options.ignore.contains(&header[at]) && never.is_none_or(|c| c.position != at));
        Ok(Selection { variables, interventions, misnamed: None })
    }

    /// Settles whether the column of interventions is one, once its cells are known.
    pub(crate) fn settle(&mut self, is_one: bool) {
        if is_one {
            self.variables.retain(|&at| self.interventions.is_none_or(|column| column.position != at));
        } else {
            self.misnamed = self.interventions.take().map(|column| column.position);
        }
    }

    /// For each column, whether it has to be read.
    pub(crate) fn kept(&self, n_columns: usize) -> Vec<bool> {
        let mut kept = vec![false; n_columns];
        self.variables.iter().for_each(|&at| kept[at] = true);
        self.interventions.iter().for_each(|column| kept[column.position] = true);
        kept
    }
}

fn intervention_column(header: &[String], options: &ReadOptions) -> Option<Interventions> {
    let position = |name: &str| header.iter().position(|other| other == name);
    if let Some(name) = &options.interventions {
        return position(name).map(|position| Interventions { position, found_by: FoundBy::Option });
    }
    let by_name = [(NAMES_COLUMN, FoundBy::NamesColumn), (POSITIONS_COLUMN, FoundBy::PositionsColumn)];
    // Whoever ignores the column or declares its kind does not mean it as one of interventions.
    let free = |name: &str| {
        Declared::of(name, options) == Declared::No && !options.ignore.iter().any(|ignored| ignored == name)
    };
    let mut found = by_name.into_iter().filter(|(name, _)| free(name));
    found.find_map(|(name, found_by)| position(name).map(|position| Interventions { position, found_by }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn columns_come_in_the_order_asked_for_without_the_ignored() {
        let header = names(&["a", "b", "c", "d"]);
        let options = ReadOptions {
            columns: names(&["d", "a", "c", "a"]),
            ignore: names(&["c"]),
            ..ReadOptions::default()
        };
        let selection = Selection::new(&header, &options).unwrap();
        assert_eq!(selection.variables, [3, 0]);
        assert_eq!(selection.kept(4), [true, false, false, true]);
    }

    #[test]
    fn the_intervention_column_is_no_variable_but_is_read() {
        let header = names(&["a", "intervention", "b"]);
        let selection = Selection::new(&header, &ReadOptions::default()).unwrap();
        assert_eq!(selection.variables, [0, 2]);
        assert_eq!(selection.kept(3), [true; 3]);
    }

    #[test]
    fn a_declared_or_ignored_intervention_column_is_like_any_other() {
        let header = names(&["a", "intervention", "b"]);
        let labels = ReadOptions { labels: names(&["intervention"]), ..ReadOptions::default() };
        let selection = Selection::new(&header, &labels).unwrap();
        assert_eq!((selection.variables, selection.interventions), (vec![0, 1, 2], None));
        let ignored = ReadOptions { ignore: names(&["intervention"]), ..ReadOptions::default() };
        let selection = Selection::new(&header, &ignored).unwrap();
        assert_eq!((selection.variables, selection.interventions), (vec![0, 2], None));
    }
}
