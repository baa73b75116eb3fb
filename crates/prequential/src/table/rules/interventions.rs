//! Interventions from a column that holds names or numbers of columns.

use std::collections::{HashMap, HashSet};

use super::select::{FoundBy, Interventions};
use crate::base::error::TableProblem;
use crate::base::message::{Message, OptionName, message};
use crate::table::columns::{InputTable, Texts};
use crate::table::options::ReadOptions;
use crate::table::wording::{and_more, as_labels, as_numbers, ignore, problem, quoted};
use crate::table::{Kind, Variable};

/// Separates the names in one cell.
const SEPARATOR: char = ';';

/// For each column of the table, per row, whether its cell was set; `None` if none was.
#[derive(Debug)]
pub(crate) struct Marks {
    columns: Vec<Option<Vec<bool>>>,
    n_rows: usize,
}

impl Marks {
    /// No cell of the table was set.
    pub(crate) fn none(table: &InputTable) -> Marks {
        Marks { columns: vec![None; table.columns.len()], n_rows: table.n_rows }
    }

    /// The marks of one column.
    pub(crate) fn take(&mut self, position: usize) -> Option<Vec<bool>> {
        self.columns[position].take()
    }

    pub(super) fn set(&mut self, position: usize, row: usize) {
        self.columns[position].get_or_insert_with(|| vec![false; self.n_rows])[row] = true;
    }

    /// Adds what the intervention column says; returns whether it was one, for an `INT` column can be a variable after all.
    ///
    /// Every unknown name or number goes to `problems` once, with the line where it first stands.
    pub(crate) fn add_column(
        &mut self,
        table: &InputTable,
        column: Interventions,
        options: &ReadOptions,
        problems: &mut Vec<TableProblem>,
    ) -> bool {
        let Some(contents) = table.columns[column.position].contents() else { return true };
        let positions = (0..).zip(&table.columns).filter(|(position, _)| *position != column.position);
        let positions = positions.map(|(position, column)| (column.name.as_str(), position)).collect();
        let meanings = Meanings { table, column, cells: &contents.texts(), positions, options };
        let sets = if meanings.are_positions() {
            meanings.positions(problems)
        } else if column.found_by == FoundBy::PositionsColumn {
            return false;
        } else {
            meanings.names(problems)
        };
        for (row, &code) in meanings.cells.codes().iter().enumerate() {
            sets[code as usize].iter().for_each(|&position| self.set(position, row));
        }
        true
    }
}

/// The distinct cells of an intervention column.
struct Meanings<'a> {
    table: &'a InputTable,
    column: Interventions,
    cells: &'a Texts,
    /// The other columns, by name.
    positions: HashMap<&'a str, usize>,
    options: &'a ReadOptions,
}

impl Meanings<'_> {
    /// Whether the cells are numbers of columns.
    fn are_positions(&self) -> bool {
        let n_others = self.table.columns.len() - 1;
        let mut texts = self.cells.distinct().filter(|text| !self.options.is_missing(text));
        match self.column.found_by {
            FoundBy::NamesColumn => false,
            FoundBy::PositionsColumn => texts
                .all(|text| whole_number(text).is_some_and(|number| (0..=n_others as i64).contains(&number))),
            // Columns can be called 1, 2, 3: then their names go first.
            FoundBy::Option => {
                let mut names = texts.clone();
                !names.all(|text| self.position_of(text).is_some())
                    && texts.all(|text| whole_number(text).is_some())
            }
        }
    }

    /// The columns each distinct cell names.
    fn names(&self, problems: &mut Vec<TableProblem>) -> Vec<Vec<usize>> {
        let (mut unknown, mut first_unknown) = (HashSet::new(), None);
        let mut sets = vec![Vec::new(); self.cells.n_distinct()];
        for (code, text) in (0..).zip(self.cells.distinct()) {
            // The separator can be part of a name.
            if let Some(position) = self.position_of(text).filter(|_| !self.options.is_missing(text)) {
                sets[code as usize].push(position);
                continue;
            }
            let names = text.split(SEPARATOR).map(str::trim_ascii);
            for name in names.filter(|name| !self.options.is_missing(name)) {
                match self.position_of(name) {
                    Some(position) => sets[code as usize].push(position),
                    None => {
                        unknown.insert(name);
                        first_unknown.get_or_insert((code, name));
                    }
                }
            }
        }
        problems.extend(first_unknown.map(|(code, name)| self.unknown_name(code, name, unknown.len())));
        sets
    }

    /// The column each distinct cell counts to, from 1; 0 is none.
    fn positions(&self, problems: &mut Vec<TableProblem>) -> Vec<Vec<usize>> {
        let n_others = self.table.columns.len() - 1;
        let mut wrong: Vec<(u32, &str)> = Vec::new();
        let mut sets = vec![Vec::new(); self.cells.n_distinct()];
        for (code, text) in (0..).zip(self.cells.distinct()) {
            if self.options.is_missing(text) {
                continue;
            }
            match whole_number(text).and_then(|number| usize::try_from(number).ok()) {
                Some(0) => {}
                Some(number) if number <= n_others => {
                    // The column itself is not counted.
                    let is_before = number <= self.column.position;
                    sets[code as usize].push(if is_before { number - 1 } else { number });
                }
                _ => wrong.push((code, text)),
            }
        }
        problems.extend(wrong.first().map(|&(code, text)| self.wrong_number(code, text, wrong.len())));
        sets
    }

    fn position_of(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    fn name(&self) -> &str {
        &self.table.columns[self.column.position].name
    }

    fn place(&self, code: u32) -> String {
        self.table.places.cell(self.cells.first_row(code), self.name())
    }

    fn unknown_name(&self, code: u32, name: &str, n_unknown: usize) -> TableProblem {
        let more = and_more(n_unknown, "other unknown name");
        let what = format!("{}: {} is not the name of a column{more}", self.place(code), quoted(name));
        let hint = format!("write names of columns in {}, separated by `;`", quoted(self.name()));
        problem(
            what,
            match self.column.found_by {
                FoundBy::Option => message![hint, ", or nothing where nothing was set"],
                _ => {
                    message![hint, "; if it is an ordinary variable, read it with ", as_labels(self.name())]
                }
            },
        )
    }

    fn wrong_number(&self, code: u32, text: &str, n_wrong: usize) -> TableProblem {
        let (place, n_others) = (self.place(code), self.table.columns.len() - 1);
        let more = and_more(n_wrong, "other wrong number");
        let what = format!("{place}: expected a number from 0 to {n_others}, found {}{more}", quoted(text));
        let hint = "0 stands for no intervention, 1 for the first column of the file, and so on, \
                    not counting the column of interventions";
        problem(what, hint)
    }
}

/// A whole number, also as `2.0`: so pandas writes the numbers of a column in which some are missing.
fn whole_number(text: &str) -> Option<i64> {
    let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0)?;
    Some(number as i64)
}

/// Says that a column called like one of interventions was read as a variable, and how to say what was meant.
pub(crate) fn kept_as_variable(variable: &Variable, table: &InputTable) -> Message {
    let name = variable.name.as_str();
    let confirm = match variable.kind() {
        Kind::Categorical => as_labels(name),
        Kind::Continuous => as_numbers(name),
    };
    let what = format!(
        "{}: kept as a variable, because not all of its cells are column numbers from 0 to {}",
        table.places.column(name),
        table.columns.len() - 1
    );
    message![
        what,
        "; read interventions from it with ",
        OptionName::Interventions.list(&[name]),
        ", leave it out with ",
        ignore(name),
        ", or confirm it as a variable with ",
        confirm
    ]
}

#[cfg(test)]
mod tests {
    use crate::{ReadOptions, Table, Variable};

    /// Reads 12 rows of `a`, `b` and a column called `name` with the given cells, over and over.
    fn read(name: &str, cells: &[&str], options: &ReadOptions) -> Table {
        let rows: String =
            (0..12).map(|row| format!("{},{},{}\n", row % 2, cells[row % cells.len()], row % 3)).collect();
        Table::from_bytes("t.csv", format!("a,{name},b\n{rows}").as_bytes(), options).unwrap()
    }

    /// For each variable, the rows among the first four in which it was set.
    fn set_rows(table: &Table) -> Vec<(&str, Vec<usize>)> {
        let rows = |variable: &Variable| {
            let marks = variable.intervened.clone().unwrap_or(vec![false; 4]);
            (0..4).filter(|&row| marks[row]).collect()
        };
        table.variables().iter().map(|variable| (variable.name.as_str(), rows(variable))).collect()
    }

    #[test]
    fn names_are_separated_by_semicolons_and_nothing_is_none() {
        let table = read("intervention", &["", "a", "b; a", "NA"], &ReadOptions::default());
        assert_eq!(set_rows(&table), [("a", vec![1, 2]), ("b", vec![2])]);
    }

    #[test]
    fn a_cell_that_is_a_name_as_it_stands_is_not_split() {
        let rows: String = (0..12)
            .map(|row| format!("{},{},{},{}\n", row % 2, row % 3, row % 4, ["a;b", "a", "b;a", ""][row % 4]))
            .collect();
        let text = format!("a,b,a;b,intervention\n{rows}");
        let table = Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(set_rows(&table), [("a", vec![1, 2]), ("b", vec![2]), ("a;b", vec![0])]);
    }

    #[test]
    fn a_variable_that_was_never_set_has_no_marks() {
        let table = read("intervention", &["a", ""], &ReadOptions::default());
        assert_eq!(table.variables()[1].intervened, None);
    }

    #[test]
    fn numbers_count_the_other_columns_from_one() {
        let table = read("INT", &["0", "1", "2", "0"], &ReadOptions::default());
        assert_eq!(set_rows(&table), [("a", vec![1]), ("b", vec![2])]);
        let named = ReadOptions { interventions: Some("arm".into()), ..ReadOptions::default() };
        assert_eq!(set_rows(&read("arm", &["0", "1", "2", "0"], &named)), set_rows(&table));
    }

    #[test]
    fn numbers_of_columns_may_be_whole_floats_or_missing() {
        let table = read("INT", &["0.0", "1.0", "2.0", "NaN"], &ReadOptions::default());
        assert_eq!(set_rows(&table), [("a", vec![1]), ("b", vec![2])]);
        let named = ReadOptions { interventions: Some("arm".into()), ..ReadOptions::default() };
        assert_eq!(set_rows(&read("arm", &["0", "1.0", "2", ""], &named)), set_rows(&table));
    }

    #[test]
    fn an_int_column_with_other_numbers_is_a_variable_with_a_warning() {
        for cell in ["3", "1.5", "-1", "inf", "a"] {
            let table = read("INT", &["0", "1", "2", cell], &ReadOptions::default());
            assert_eq!(set_rows(&table), [("a", vec![]), ("INT", vec![]), ("b", vec![])]);
            assert_eq!(
                table.warnings().iter().filter(|warning| warning.to_string().contains("`INT`")).count(),
                1
            );
        }
        let declared = ReadOptions { labels: vec!["INT".into()], ..ReadOptions::default() };
        let table = read("INT", &["0", "1", "2", "3"], &declared);
        assert!(!table.warnings().iter().any(|warning| warning.to_string().contains("`INT`")));
    }

    #[test]
    fn columns_that_were_left_out_may_be_named() {
        let rows: String = (0..12).map(|row| format!("{},{},{},c\n", row % 2, row % 3, row)).collect();
        let options = ReadOptions { ignore: vec!["c".into()], ..ReadOptions::default() };
        let table =
            Table::from_bytes("t.csv", format!("a,b,c,intervention\n{rows}").as_bytes(), &options).unwrap();
        assert_eq!(set_rows(&table), [("a", vec![]), ("b", vec![])]);
    }

    #[test]
    fn a_hundred_thousand_unknown_names_are_one_problem() {
        let rows: String =
            (0..100_000).map(|row| format!("{},{},x{row};y{row}\n", row % 2, row % 3)).collect();
        let text = format!("a,b,intervention\n{rows}");
        let error = Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`t.csv` line 2, column `intervention`: `x0` is not the name of a column (and 199,999 other unknown names)"
        );
    }
}
