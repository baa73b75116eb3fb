//! Warns of columns whose numbers crowd into one bin, so that little of them is coded.

use super::plan::Plan;
use crate::base::format::quoted;
use crate::base::message::{Message, OptionName, message};
use crate::table::Binning;

/// The share of a column's cells in one bin from which on there is a warning.
const MOST: f64 = 0.5;

impl Plan {
    /// Warnings about how the table will be coded.
    pub fn warnings(&self) -> Vec<Message> {
        if self.quantisation.binning != Binning::Tanh || !self.bins_numbers() {
            return Vec::new();
        }
        let crowded = (0..self.data.n_vars()).filter_map(|node| {
            let column = self.data.column(node);
            let share = column.numbers.as_ref().map(|_| column.fullest_share())?;
            (share > MOST).then(|| format!("{} ({:.1} %)", quoted(&self.names()[node]), 100.0 * share))
        });
        let crowded: Vec<String> = crowded.collect();
        if crowded.is_empty() {
            Vec::new()
        } else {
            vec![message![
                format!(
                    "one bin of tanh contains most cells of {}, and differences within it are not coded; use ",
                    crowded.join(", ")
                ),
                OptionName::Binning.set("tanh-standardised"),
                ", or rescale the columns"
            ]]
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::run::{Plan, Settings};
    use crate::table::{Binning, Table, Values, Variable};

    #[test]
    fn columns_in_large_units_are_named_and_standardised_ones_are_not() {
        let column = |name: &str, unit: f64| Variable {
            name: name.into(),
            values: Values::Numbers(
                (0..200).map(|row| unit * (f64::from(row) * 0.754_877).fract()).collect(),
            ),
            intervened: None,
        };
        let table = Table::new(vec![column("small", 1.0), column("large", 100.0)]).unwrap();
        let warnings = |binning| {
            let mut settings = Settings::paper();
            settings.resolution.binning = binning;
            Plan::new(&table, &settings).unwrap().warnings()
        };
        let found = warnings(Binning::Tanh);
        assert_eq!(found.len(), 1);
        let text = found[0].to_string();
        assert!(text.starts_with("one bin of tanh contains most cells of `large` (9"), "{text}");
        assert!(!text.contains("small"), "{text}");
        assert!(warnings(Binning::TanhStandardised).is_empty() && warnings(Binning::Normal).is_empty());
        assert!(Plan::new(&table, &Settings::default()).unwrap().warnings().is_empty());
    }
}
