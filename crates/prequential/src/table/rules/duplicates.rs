//! Columns that are copies of each other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::table::{MISSING, Values, Variable};

/// Pairs of columns that agree in every row: the first of its kind, and each copy.
///
/// Labels agree if renaming turns one column into the other. Constant columns are left out.
pub(super) fn find(variables: &[Variable]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    let varying = variables.iter().enumerate().filter(|(_, variable)| only_value(variable).is_none());
    for (position, variable) in varying {
        let mut hasher = DefaultHasher::new();
        canonical(variable).for_each(|cell| cell.hash(&mut hasher));
        let alike = by_hash.entry(hasher.finish()).or_default();
        match alike.iter().find(|&&other| same(&variables[other], variable)) {
            Some(&first) => pairs.push((first, position)),
            None => alike.push(position),
        }
    }
    pairs
}

/// The one value of a constant column.
pub(super) fn only_value(variable: &Variable) -> Option<String> {
    let mut rows = (0..variable.n_rows()).filter(|&row| !variable.is_missing(row));
    let first = rows.next()?;
    match &variable.values {
        Values::Numbers(numbers) => {
            rows.all(|row| numbers[row] == numbers[first]).then(|| numbers[first].to_string())
        }
        Values::Labels { levels, codes } => {
            rows.all(|row| codes[row] == codes[first]).then(|| levels[codes[first] as usize].clone())
        }
    }
}

fn same(a: &Variable, b: &Variable) -> bool {
    a.kind() == b.kind() && canonical(a).eq(canonical(b))
}

/// The cells as numbers that do not depend on names: bits of numbers, labels counted in order of first appearance.
fn canonical(variable: &Variable) -> Box<dyn Iterator<Item = u64> + '_> {
    match &variable.values {
        Values::Numbers(numbers) => Box::new(numbers.iter().map(|number| {
            // All NaN are missing cells, and -0 is 0.
            if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() }
        })),
        Values::Labels { levels, codes } => {
            let mut renamed = vec![None; levels.len()];
            let mut n_seen = 0;
            Box::new(codes.iter().map(move |&code| {
                if code == MISSING {
                    return u64::MAX;
                }
                *renamed[code as usize].get_or_insert_with(|| {
                    n_seen += 1;
                    n_seen
                })
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(name: &str, codes: &[u32]) -> Variable {
        let levels = (0..4).map(|level| format!("{name}{level}")).collect();
        Variable {
            name: name.into(),
            values: Values::Labels { levels, codes: codes.to_vec() },
            intervened: None,
        }
    }

    fn numbers(name: &str, numbers: &[f64]) -> Variable {
        Variable { name: name.into(), values: Values::Numbers(numbers.to_vec()), intervened: None }
    }

    #[test]
    fn labels_agree_up_to_their_names_and_numbers_exactly() {
        let variables = [
            labels("a", &[0, 1, 1, MISSING, 2]),
            labels("b", &[2, 0, 0, MISSING, 1]),
            labels("c", &[2, 0, 0, 3, 1]),
            numbers("d", &[1.0, 2.0, f64::NAN, 0.0, 5.0]),
            numbers("e", &[1.0, 2.0, f64::NAN, -0.0, 5.0]),
            numbers("f", &[2.0, 4.0, f64::NAN, 0.0, 10.0]),
            labels("g", &[1, 3, 3, MISSING, 0]),
        ];
        assert_eq!(find(&variables), [(0, 1), (3, 4), (0, 6)]);
    }

    #[test]
    fn constant_columns_are_no_copies_of_each_other() {
        assert!(find(&[labels("a", &[0, 0]), labels("b", &[1, 1])]).is_empty());
    }
}
