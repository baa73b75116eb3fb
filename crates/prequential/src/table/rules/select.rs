//! Selects the columns of a file that become variables, and the column of interventions.

use super::readings::Declared;
use crate::base::error::Result;
use crate::table::options::ReadOptions;

/// The default name of a column of intervention names.
const NAMES_COLUMN: &str = "intervention";

/// The default name of a column of intervention numbers.
const POSITIONS_COLUMN: &str = "INT";

/// The role of each column.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The positions of the variables, in the requested order.
    pub(crate) variables: Vec<usize>,
    /// The column of interventions.
    pub(crate) interventions: Option<Interventions>,
    /// A column that is called `INT` but does not hold interventions.
    pub(crate) misnamed: Option<usize>,
}

/// The column of interventions: its position, and how it was found.
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
    /// The selection that the options make among these columns.
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

    /// Decides, from its cells, whether the column holds interventions.
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
    // If the user ignores the column or declares its kind, it does not hold interventions.
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
