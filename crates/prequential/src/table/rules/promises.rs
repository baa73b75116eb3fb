//! Conditions on variables made in memory.

use std::collections::HashSet;

use crate::base::error::TableProblem;
use crate::base::format::{count, plural};
use crate::table::wording::{problem, quoted};
use crate::table::{MISSING, Values, Variable};

/// The violations by variables that did not come from a file.
pub(crate) fn broken(variables: &[Variable]) -> Vec<TableProblem> {
    let n_rows = variables.first().map_or(0, Variable::n_rows);
    let mut names = HashSet::new();
    let mut problems = Vec::new();
    for (position, variable) in variables.iter().enumerate() {
        let name = quoted(&variable.name);
        if variable.name.is_empty() {
            problems.push(problem(format!("variable {} has no name", position + 1), "name it"));
        } else if !names.insert(&variable.name) {
            problems.push(problem(format!("two variables are called {name}"), "give each a different name"));
        }
        if variable.n_rows() != n_rows {
            let what = format!(
                "column {name}: found {}, expected {}",
                plural(variable.n_rows(), "row"),
                count(n_rows)
            );
            problems.push(problem(what, "give every column one cell for each row"));
        }
        let n_marks = variable.intervened.as_ref().map_or(variable.n_rows(), Vec::len);
        if n_marks != variable.n_rows() {
            let what = format!(
                "column {name}: {} of `intervened` for {}",
                plural(n_marks, "cell"),
                plural(variable.n_rows(), "row")
            );
            problems.push(problem(what, "state for each row whether the cell was set"));
        }
        problems.extend(broken_cells(variable));
    }
    problems
}

fn broken_cells(variable: &Variable) -> Option<TableProblem> {
    let name = quoted(&variable.name);
    match &variable.values {
        Values::Numbers(numbers) => {
            let row = numbers.iter().position(|number| number.is_infinite())?;
            let what = format!("column {name} is {} at row {row} (counting from 0)", numbers[row]);
            Some(problem(what, "replace it or drop the row; code lengths need finite numbers"))
        }
        Values::Labels { levels, codes } => {
            let n_levels = levels.len();
            if levels.iter().collect::<HashSet<_>>().len() < n_levels {
                return Some(problem(format!("column {name}: two levels are the same"), "merge them"));
            }
            let row = codes.iter().position(|&code| code != MISSING && code as usize >= n_levels)?;
            let what = format!(
                "column {name}: code {} at row {row} (counting from 0), but there are {n_levels} levels",
                codes[row]
            );
            Some(problem(what, "codes are positions in `levels`, or `MISSING`"))
        }
    }
}
