//! The fingerprint of a table: equal for equal contents, whatever their source.

use sha2::{Digest, Sha256};

use super::{Table, Values, Variable};

impl Table {
    /// SHA-256 of kinds, values, labels and interventions, in hexadecimal; names do not matter, the order of columns does.
    ///
    /// ```
    /// use prequential::{Column, ReadOptions, Table};
    /// let csv: String = (0..120).map(|row| format!("{},{}\n", row % 3, row % 2)).collect();
    /// let file = Table::from_bytes("t.csv", format!("a,b\n{csv}").as_bytes(), &ReadOptions::default())?;
    /// let column = |name, n| Column::integers(name, (0..120).map(move |row: i128| Some(row % n)));
    /// let memory = Table::from_columns(vec![column("a", 3), column("b", 2)], &ReadOptions::default())?;
    /// assert_eq!(file.fingerprint(), memory.fingerprint());
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn fingerprint(&self) -> String {
        let mut hash = ContentHash::default();
        hash.number(self.n_rows());
        self.variables().iter().for_each(|variable| hash.variable(variable));
        hash.hexadecimal()
    }
}

/// Hashes values with their lengths, so that no two different lists of values look the same.
#[derive(Default)]
pub(crate) struct ContentHash(Sha256);

impl ContentHash {
    /// Hashes a length or a count.
    pub(crate) fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    /// Hashes a list of codes.
    pub(crate) fn codes(&mut self, codes: &[u32]) {
        self.number(codes.len());
        codes.iter().for_each(|code| self.0.update(code.to_le_bytes()));
    }

    /// Hashes a list of floats. All the different NaN mean a missing cell.
    pub(crate) fn floats(&mut self, floats: &[f64]) {
        self.number(floats.len());
        for &float in floats {
            let float = if float.is_nan() { f64::NAN } else { float };
            self.0.update(float.to_bits().to_le_bytes());
        }
    }

    /// Hashes a text as it is, without its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.0.update(text);
    }

    /// SHA-256 of everything hashed, in hexadecimal.
    pub(crate) fn hexadecimal(self) -> String {
        hexadecimal(self.0)
    }

    fn variable(&mut self, variable: &Variable) {
        match &variable.values {
            Values::Numbers(numbers) => {
                self.text("numbers");
                self.floats(numbers);
            }
            Values::Labels { levels, codes } => {
                self.text("labels");
                self.number(levels.len());
                for level in levels {
                    self.number(level.len());
                    self.text(level);
                }
                self.codes(codes);
            }
        }
        let set = variable.intervened.iter().flatten().enumerate().filter(|&(_, &set)| set);
        self.codes(&set.map(|(row, _)| row as u32).collect::<Vec<_>>());
    }
}

/// A digest in hexadecimal.
pub(super) fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_matter_and_cells_do() {
        let variable = |name: &str, step: f64| {
            let numbers = (0..50).map(|row| (step * f64::from(row)).sin()).collect();
            Variable { name: name.into(), values: Values::Numbers(numbers), intervened: None }
        };
        let table = Table::new(vec![variable("a", 1.0), variable("b", 2.0), variable("c", 3.0)]).unwrap();
        let changed = |change: &dyn Fn(&mut Vec<Variable>)| {
            let mut variables = table.variables().to_vec();
            change(&mut variables);
            Table::new(variables).unwrap().fingerprint()
        };
        let same = table.fingerprint();
        assert_eq!(changed(&|variables| variables[0].name = "other".into()), same);
        assert_eq!(changed(&|variables| variables[0].intervened = Some(vec![false; 50])), same);
        let cell = |variables: &mut Vec<Variable>| match &mut variables[1].values {
            Values::Numbers(numbers) => numbers[7] += 1e-9,
            Values::Labels { .. } => panic!("all are numbers"),
        };
        assert_ne!(changed(&cell), same);
        let set = |variables: &mut Vec<Variable>| {
            variables[2].intervened = Some((0..50).map(|row| row == 3).collect())
        };
        assert_ne!(changed(&set), same);
        assert_ne!(changed(&|variables| variables.swap(0, 1)), same);
    }
}
