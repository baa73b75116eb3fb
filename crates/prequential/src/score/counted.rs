//! Codes families by counts, row by row.

use super::prequential::code;
use crate::estimator::{CountedFamily, Predictor, Predictors};

/// Codes `family` row by row and gives every loss to `take`, in row order.
pub(super) fn fold_losses<A>(family: &mut CountedFamily, start: A, take: impl Fn(&mut A, f64)) -> A {
    let n_rows = family.n_rows();
    match family.predictor() {
        Predictors::Known(uniform) => fold_rows(uniform, n_rows, start, take),
        Predictors::Tabulated(counts) => fold_rows(counts, n_rows, start, take),
        Predictors::Computed(counts) => fold_rows(counts, n_rows, start, take),
    }
}

/// Every loss of `family`, in row order.
pub(super) fn all_losses(family: &mut CountedFamily) -> Vec<f64> {
    fold_losses(family, Vec::with_capacity(family.n_rows()), |all, loss| all.push(loss))
}

/// Out of line: its own small function has enough registers for the sum of losses and what it is made from.
#[inline(never)]
fn fold_rows<A>(predictor: impl Predictor, n_rows: usize, start: A, take: impl Fn(&mut A, f64)) -> A {
    let mut so_far = start;
    code(predictor, (0..n_rows).map(|row| row..row + 1), |_, losses| take(&mut so_far, losses[0]));
    so_far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::{Configurations, CountTables, Prior};
    use crate::table::{Quantised, Table, Values, Variable};

    #[test]
    fn losses_do_not_depend_on_how_long_the_tables_of_logarithms_are() {
        let levels: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let column = |name: &str, period: u32| {
            let codes = (0..60).map(|row| row * row % period % 3).collect();
            let values = Values::Labels { levels: levels.clone(), codes };
            Variable { name: name.into(), values, intervened: None }
        };
        let data = Quantised::new(&Table::new(vec![column("x", 7), column("y", 11)]).unwrap(), 5);
        let configurations = Configurations::new(&data, [0]);
        let losses = |table_rows: usize| {
            let tables = CountTables::new(Prior::default(), table_rows);
            all_losses(&mut CountedFamily::new(&tables, &configurations, data.column(1)))
        };
        assert_eq!(losses(60), losses(3));
        assert_eq!(losses(60).len(), 60);
    }
}
