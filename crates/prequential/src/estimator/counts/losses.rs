//! Codes families by counts, row by row.

use super::alike::mix_losses;
use super::configurations::Configurations;
use super::mixture::mixed_losses;
use super::tables::{CountTables, CountedFamily};
use crate::estimator::prequential::code;
use crate::table::QuantisedColumn;

/// Every loss of `family`, in row order.
pub(crate) fn all_losses(family: &mut CountedFamily) -> Vec<f64> {
    let mut all = counted_losses(family);
    if let Some(n_levels) = family.n_alike {
        mix_losses(&mut all, n_levels);
    }
    all
}

/// Every loss of `child` under its parents' `configurations`, by the mixture of all priors.
pub(super) fn losses_of_mixture(
    tables: &CountTables,
    configurations: &Configurations,
    child: &QuantisedColumn,
) -> Vec<f64> {
    let of_one =
        |alpha| counted_losses(&mut CountedFamily::starting_from(alpha, tables, configurations, child));
    let alphas = tables.mixed_alphas(configurations, child);
    let mut all = mixed_losses(alphas.into_iter().map(of_one).collect());
    if let Some(n_levels) = configurations.n_alike(child) {
        mix_losses(&mut all, n_levels);
    }
    all
}

fn counted_losses(family: &mut CountedFamily) -> Vec<f64> {
    let n_rows = family.n_rows();
    let mut all = Vec::with_capacity(n_rows);
    code(family.predictor(), (0..n_rows).map(|row| row..row + 1), |_, losses| all.push(losses[0]));
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::estimator::counts::{Configurations, CountTables, counted_length};
    use crate::estimator::prior::Prior;
    use crate::table::{MISSING, Quantised, Table, Values, Variable};

    /// Columns of up to five labels; some cells are missing, some set by intervention.
    fn data(columns: &[Vec<u32>]) -> Quantised {
        let variable = |(i, codes): (usize, &Vec<u32>)| {
            let levels = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
            let intervened =
                codes.iter().enumerate().map(|(row, code)| (row + i) % 11 == *code as usize).collect();
            let codes = codes.iter().map(|&code| if code == 5 { MISSING } else { code }).collect();
            Variable {
                name: format!("x{i}"),
                values: Values::Labels { levels, codes },
                intervened: Some(intervened),
            }
        };
        Quantised::new(&Table::new(columns.iter().enumerate().map(variable).collect()).unwrap(), 5)
    }

    /// The code length of the first column with the others as parents: from the tally, and row by row.
    fn lengths(data: &Quantised, prior: Prior, table_rows: usize) -> (f64, f64) {
        let configurations = Configurations::new(data, 1..data.n_vars());
        let tables = CountTables::new(prior, table_rows);
        let losses = losses_of_mixture(&tables, &configurations, data.column(0));
        (counted_length(&tables, &configurations, data.column(0)), losses.iter().sum())
    }

    proptest! {
        #[test]
        fn the_tally_costs_as_much_as_all_rows(
            columns in proptest::collection::vec(proptest::collection::vec(0u32..6, 80), 2..7), size in 0.01..10.0,
        ) {
            let data = data(&columns);
            for prior in [Prior::Alpha(size), Prior::SampleSize(size), Prior::Mixed] {
                let (tallied, summed) = lengths(&data, prior, 80);
                prop_assert!((tallied - summed).abs() < 1e-9, "{tallied} is not {summed}");
            }
        }
    }

    #[test]
    fn code_lengths_do_not_depend_on_how_long_the_tables_of_logarithms_are() {
        let column = |period: u32| (0..5000).map(|row: u32| row * row % period % 3).collect();
        let data = data(&[column(7), column(11)]);
        let (short, long) = (lengths(&data, Prior::default(), 1000), lengths(&data, Prior::default(), 5000));
        assert!((short.0 - long.0).abs() < 1e-8 && (short.1 - long.1).abs() < 1e-8, "{short:?} {long:?}");
    }
}
