//! Writes a table as CSV text.

use super::{Table, Values};

impl Table {
    /// The table as CSV with a header; cells set by an experimenter are named in a last column `intervention`.
    ///
    /// [`Table::from_bytes`] reads the same cells back, with these exceptions:
    ///
    /// - A label that stands for no value, such as `NA` or `?`, becomes a missing cell.
    /// - Blanks around names and labels are lost, and a carriage return becomes a line break.
    /// - Labels that no row has are lost; the others are put in order.
    /// - Kinds are inferred again: name the columns in [`ReadOptions`](crate::ReadOptions) to keep them.
    /// - If several variables are set in a row and the name of one contains `;`, the names cannot be told apart.
    /// - A variable called `intervention` or `INT` is read as interventions.
    pub fn to_csv(&self) -> String {
        let interventions = self.variables.iter().any(|variable| variable.intervened.is_some());
        let mut text = csv::Writer::from_writer(Vec::new());
        let mut write = |mut cells: Vec<String>, set: String| {
            cells.extend(interventions.then_some(set));
            text.write_record(&cells).expect("memory takes records of one length");
        };
        write(self.names(), "intervention".to_string());
        for row in 0..self.n_rows {
            write((0..self.n_vars()).map(|node| self.cell(node, row)).collect(), self.set_in(row).join(";"));
        }
        let bytes = text.into_inner().expect("memory takes all bytes");
        String::from_utf8(bytes).expect("names and labels are UTF-8")
    }

    fn cell(&self, node: usize, row: usize) -> String {
        let variable = &self.variables[node];
        match &variable.values {
            _ if variable.is_missing(row) => String::new(),
            Values::Numbers(numbers) => numbers[row].to_string(),
            Values::Labels { levels, codes } => levels[codes[row] as usize].clone(),
        }
    }

    fn set_in(&self, row: usize) -> Vec<&str> {
        let is_set = |intervened: &Option<Vec<bool>>| intervened.as_ref().is_some_and(|set| set[row]);
        let set = self.variables.iter().filter(|variable| is_set(&variable.intervened));
        set.map(|variable| variable.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::table::MISSING;
    use crate::{ReadOptions, Table, Values, Variable};

    fn labels(name: &str, levels: &[&str], codes: Vec<u32>, set: impl Fn(usize) -> bool) -> Variable {
        let intervened = Some((0..codes.len()).map(set).collect());
        let levels = levels.iter().map(|level| level.to_string()).collect();
        Variable { name: name.into(), values: Values::Labels { levels, codes }, intervened }
    }

    #[test]
    fn names_labels_numbers_and_interventions_come_back() {
        let rows = || 0..120_u32;
        let levels = ["a, b", "größer €", "line\nbreak", "say \"x\"", "雪"];
        let mut codes: Vec<u32> = rows().map(|row| row % 5).collect();
        codes[7] = MISSING;
        let numbers = rows().map(|row| if row == 9 { f64::NAN } else { f64::from(row).sin() * 1e-9 });
        let dose = Values::Numbers(numbers.collect());
        let variables = vec![
            labels("city, country", &levels, codes, |row| row % 4 == 1),
            labels("\"quoted\"\nname", &["0", "1"], rows().map(|row| row % 2).collect(), |row| row % 4 < 2),
            labels("größe;雪", &["x", "y"], rows().map(|row| row % 3 / 2).collect(), |row| row % 4 == 2),
            Variable { name: "dose".into(), values: dose, intervened: None },
        ];
        let table = Table::new(variables).unwrap();
        let text = table.to_csv();
        let read = Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
        // NaN differs from itself, but not when printed.
        assert_eq!(format!("{:?}", read.variables()), format!("{:?}", table.variables()));
        assert_eq!(read.to_csv(), text);
    }

    #[test]
    fn a_table_without_interventions_has_no_column_for_them() {
        let mut variables = vec![
            labels("a", &["x", "y, z"], vec![0, 1, 0, 1, 0, 1, 0, 1, 0, 1], |_| false),
            labels("b", &["1", "2"], vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1], |_| false),
        ];
        variables.iter_mut().for_each(|variable| variable.intervened = None);
        let text = Table::new(variables).unwrap().to_csv();
        assert!(text.starts_with("a,b\nx,1\n\"y, z\",1\n"), "{text}");
    }

    #[test]
    fn labels_that_read_as_missing_and_outer_blanks_are_lost() {
        let codes: Vec<u32> = (0..120).map(|row| row % 3).collect();
        let table = Table::new(vec![
            labels("a", &["NA", "x", " y"], codes.clone(), |_| false),
            labels("b", &["1", "2", "3"], codes.into_iter().map(|code| code / 2).collect(), |_| false),
        ]);
        let text = table.unwrap().to_csv();
        let read = Table::from_bytes("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
        let Values::Labels { levels, codes } = &read.variables()[0].values else { panic!("expected labels") };
        assert_eq!((levels.join("|"), &codes[..3]), ("x|y".to_string(), &[MISSING, 0, 1][..]));
    }

    /// Names and labels that are preserved: not missing, without blanks around them.
    fn words() -> impl Strategy<Value = Vec<String>> {
        let survives = |word: &String| word.trim_ascii() == word && !ReadOptions::default().is_missing(word);
        let word = "[a-c0-2 ,;\"'\n\t.é€-]{1,6}".prop_filter("a word that survives", survives);
        prop::collection::btree_set(word, 2..6).prop_map(|words| words.into_iter().collect())
    }

    proptest! {
        #[test]
        fn any_names_and_labels_come_back(
            names in words(),
            levels in words(),
            rows in prop::collection::vec((any::<u32>(), any::<u32>(), 0..3_usize), 20..40),
        ) {
            let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
            let codes = |code: fn(&(u32, u32, usize)) -> u32| {
                rows.iter().map(|row| code(row) % levels.len() as u32).collect()
            };
            let table = Table::new(vec![
                labels(&names[0], &levels, codes(|row| row.0), |row| rows[row].2 == 0),
                labels(&names[1], &levels, codes(|row| row.1), |row| rows[row].2 == 1),
            ]).unwrap();
            let options = ReadOptions { labels: table.names(), ..ReadOptions::default() };
            let read = Table::from_bytes("t.csv", table.to_csv().as_bytes(), &options).unwrap();
            prop_assert_eq!(read.names(), table.names());
            prop_assert_eq!(read.to_csv(), table.to_csv());
            for row in 0..rows.len() {
                prop_assert_eq!(read.cell(0, row), table.cell(0, row));
                prop_assert_eq!(read.set_in(row), table.set_in(row));
            }
        }
    }
}
