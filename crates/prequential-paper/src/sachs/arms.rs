//! The treatments of the nine experimental conditions.

use prequential::{Knowledge, Result, Statement, Table, Values, Variable};

use crate::shifts::centred;

/// The conditions in the order of the file, and how many cells each has; the last two have no stimulation of the receptors.
const CONDITIONS: [(&str, usize); 9] = [
    ("cd3cd28", 853),
    ("cd3cd28+icam2", 902),
    ("cd3cd28+aktinhib", 911),
    ("cd3cd28+g0076", 723),
    ("cd3cd28+psitect", 810),
    ("cd3cd28+u0126", 799),
    ("cd3cd28+ly", 848),
    ("pma", 913),
    ("b2camp", 707),
];

/// The name of the condition column.
const CONDITION: &str = "condition";

/// How the condition is treated. In all arms, cells in which a reagent acts on a measured protein are not
/// coded for that protein.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SachsArm {
    /// Masks only.
    Masks,
    /// The condition is a context: it may cause every protein.
    Context,
    /// Logarithms of levels, less their mean within the condition.
    Centred,
}

/// The cells used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArmCells {
    All,
    /// Those of the first seven conditions.
    Stimulated,
}

impl SachsArm {
    pub(super) const ALL: [SachsArm; 3] = [SachsArm::Masks, SachsArm::Context, SachsArm::Centred];

    pub(super) fn in_words(self) -> &'static str {
        match self {
            SachsArm::Masks => "masks only",
            SachsArm::Context => "condition as context",
            SachsArm::Centred => "each condition centred",
        }
    }

    /// The prior knowledge.
    pub(super) fn knowledge(self) -> Knowledge {
        let said = Statement { value: CONDITION.to_string(), place: "the experiment".into() };
        let context = if self == SachsArm::Context { vec![said] } else { Vec::new() };
        Knowledge { context, ..Knowledge::default() }
    }

    /// The table of this arm from the table of all cells, proteins only.
    pub(super) fn table(self, all: &Table, cells: ArmCells) -> Result<Table> {
        let n_rows = cells.n_rows();
        let mut variables: Vec<Variable> =
            all.variables().iter().map(|one| first_rows(one, n_rows)).collect();
        let condition = condition(n_rows);
        match self {
            SachsArm::Masks => {}
            SachsArm::Context => variables.push(condition),
            SachsArm::Centred => {
                variables.iter_mut().for_each(|one| *one = centred(&in_logarithms(one), &condition));
            }
        }
        Table::new(variables)
    }
}

impl ArmCells {
    pub(super) const BOTH: [ArmCells; 2] = [ArmCells::All, ArmCells::Stimulated];

    pub(super) fn n_rows(self) -> usize {
        let n_conditions = match self {
            ArmCells::All => CONDITIONS.len(),
            ArmCells::Stimulated => CONDITIONS.len() - 2,
        };
        CONDITIONS[..n_conditions].iter().map(|(_, n_cells)| n_cells).sum()
    }
}

/// Whether the rows are in the order of the conditions, as far as interventions tell: a condition has the same in all of its cells.
pub(super) fn is_in_order(table: &Table) -> bool {
    let is_constant = |set: &Vec<bool>| {
        let mut rest = &set[..];
        CONDITIONS.iter().all(|&(_, n_cells)| {
            let (own, others) = rest.split_at(n_cells);
            rest = others;
            own.iter().all(|&one| one == own[0])
        })
    };
    table.variables().iter().filter_map(|variable| variable.intervened.as_ref()).all(is_constant)
}

fn first_rows(variable: &Variable, n_rows: usize) -> Variable {
    let Values::Numbers(numbers) = &variable.values else { panic!("levels of proteins are numbers") };
    let intervened = variable.intervened.as_ref().map(|set| set[..n_rows].to_vec());
    Variable {
        name: variable.name.clone(),
        values: Values::Numbers(numbers[..n_rows].to_vec()),
        intervened: intervened.filter(|set| set.contains(&true)),
    }
}

fn condition(n_rows: usize) -> Variable {
    let codes = (0..).zip(CONDITIONS).flat_map(|(code, (_, n_cells))| vec![code; n_cells]).take(n_rows);
    let codes: Vec<u32> = codes.collect();
    let n_levels = codes.last().map_or(0, |&last| last as usize + 1);
    let levels = CONDITIONS[..n_levels].iter().map(|(name, _)| name.to_string()).collect();
    Variable { name: CONDITION.to_string(), values: Values::Labels { levels, codes }, intervened: None }
}

/// No level is below 1.
fn in_logarithms(variable: &Variable) -> Variable {
    let Values::Numbers(numbers) = &variable.values else { panic!("levels of proteins are numbers") };
    let values = Values::Numbers(numbers.iter().map(|level| level.ln()).collect());
    Variable { values, ..variable.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arms_have_the_rows_and_columns_that_they_say() {
        let n_rows = ArmCells::All.n_rows();
        assert_eq!((n_rows, ArmCells::Stimulated.n_rows()), (7_466, 5_846));
        let variable = |name: &str, set_from: usize| Variable {
            name: name.into(),
            values: Values::Numbers((0..n_rows).map(|row| (row % 97 + 1) as f64).collect()),
            intervened: Some((0..n_rows).map(|row| row >= set_from).collect()),
        };
        let all = Table::new(vec![variable("raf", 100), variable("pka", 6_759)]);
        let all = all.unwrap_or_else(|error| panic!("{error}"));
        let table = |arm: SachsArm, cells| arm.table(&all, cells).unwrap_or_else(|error| panic!("{error}"));
        let few = table(SachsArm::Context, ArmCells::Stimulated);
        assert_eq!((few.n_rows(), few.names().join(" ")), (5_846, "raf pka condition".to_string()));
        assert_eq!(few.variables()[1].intervened, None, "pka was set in the last condition only");
        let Values::Labels { levels, codes } = &few.variables()[2].values else { panic!("labels") };
        assert_eq!((levels.len(), codes[852], codes[853], codes[5_845]), (7, 0, 1, 6));
        let centred = table(SachsArm::Centred, ArmCells::All);
        let Values::Numbers(centred) = &centred.variables()[0].values else { panic!("numbers") };
        assert!(centred[..853].iter().sum::<f64>().abs() < 1e-6);
        assert_eq!(table(SachsArm::Masks, ArmCells::All), all);
    }
}
