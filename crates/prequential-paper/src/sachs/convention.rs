//! What depends on how the cells treated with LY294002 are read.

use prequential::internals::{CodeLengths, OrderGraph, in_pool};
use prequential::{
    Constraints, Dag, FamilySelection, Knowledge, Limits, Nats, Plan, Result, Settings, Statement, Table,
    Variable,
};

use super::N_ROWS;
use super::reference::{NAMES, number};

/// The cells treated with LY294002, an inhibitor of PI3K, which was not measured.
const LY_ROWS: std::ops::Range<usize> = 4_998..5_846;

/// What changes if the cells treated with LY294002 count as an intervention on this protein.
pub(super) struct Convention {
    pub(super) protein: &'static str,
    pub(super) dag: Dag,
}

impl Convention {
    /// Only families of `protein` are coded in other rows: they are scored again, and the search repeated.
    pub(super) fn new(
        protein: &'static str,
        table: &Table,
        settings: &Settings,
        lengths: &CodeLengths,
        constraints: &Constraints,
    ) -> Result<Convention> {
        let changed = with_ly_on(table, number(protein))?;
        let plan = Plan::new(&changed, &only_parents_of(protein, settings))?;
        let rescored = plan.score(FamilySelection::All, &())?;
        let mut lengths = lengths.clone();
        for (family, moments) in rescored.scores.families.iter().zip(&rescored.scores.moments) {
            lengths.set(family, Nats(moments.mean));
        }
        in_pool(settings.threads, || {
            let search = OrderGraph::new(&lengths, constraints, &Limits::default())?;
            let dag = search.best_dag().unwrap_or_else(|| panic!("every graph is allowed"));
            Ok(Convention { protein, dag })
        })
    }
}

/// The settings under which only `protein` has parents: no family of another is scored, but for those without parents, whose
/// code lengths stay the same.
fn only_parents_of(protein: &str, settings: &Settings) -> Settings {
    let others = NAMES.iter().filter(|&&name| name != protein);
    let root = |name: &&str| Statement { value: name.to_string(), place: "the experiment".into() };
    let knowledge = Knowledge { roots: others.map(root).collect(), ..Knowledge::default() };
    Settings { knowledge, ..settings.clone() }
}

/// The table with the cells treated with LY294002 as an intervention on one protein.
fn with_ly_on(table: &Table, node: usize) -> Result<Table> {
    let mut variables: Vec<Variable> = table.variables().to_vec();
    let intervened = variables[node].intervened.get_or_insert_with(|| vec![false; N_ROWS]);
    intervened[LY_ROWS].fill(true);
    Table::new(variables)
}

#[cfg(test)]
mod tests {
    use prequential::Values;
    use prequential::internals::Quantised;

    use super::*;

    #[test]
    fn another_convention_leaves_out_the_treated_cells_of_one_protein() {
        let numbers = |node: usize| (0..N_ROWS).map(|row| ((row * (node + 3)) % 997) as f64).collect();
        let variable = |node: usize| Variable {
            name: NAMES[node].to_string(),
            values: Values::Numbers(numbers(node)),
            intervened: (node == number("akt")).then(|| (0..N_ROWS).map(|row| row < 911).collect()),
        };
        let table =
            Table::new((0..NAMES.len()).map(variable).collect()).unwrap_or_else(|error| panic!("{error}"));
        for (protein, n_coded) in [("pip3", N_ROWS - 848), ("akt", N_ROWS - 911 - 848)] {
            let changed = with_ly_on(&table, number(protein)).unwrap_or_else(|error| panic!("{error}"));
            let data = Quantised::new(&changed, 8);
            assert_eq!(data.column(number(protein)).n_rows_used(), n_coded);
            assert_eq!(data.column(number("raf")).n_rows_used(), N_ROWS);
        }
    }
}
