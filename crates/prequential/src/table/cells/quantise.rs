//! The quantised table that every family uses: one small whole number per cell.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Numbers;
use crate::base::normal;
use crate::graph::NodeSet;
use crate::table::{MISSING, Table, Values, Variable};

/// How numeric columns become levels, and what children see of a numeric parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quantisation {
    /// The most bins of a column of numbers.
    pub n_bins: usize,
    /// Where the edges of the bins lie.
    pub binning: Binning,
    /// How children see a number.
    pub parent_values: ParentValues,
}

/// Where the edges of the bins lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binning {
    /// Bins that would be equally full if the column were normal with its location and scale: nothing of its shape is used.
    #[default]
    Normal,
    /// Equally wide bins of tanh(number), as in the paper: units matter, and large numbers share the last bin.
    Tanh,
    /// Equally wide bins of tanh of the standardised number: units do not matter.
    TanhStandardised,
}

/// How children see a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParentValues {
    /// Its bin: every graph codes the same data.
    #[default]
    Quantised,
    /// The number itself, as in the paper: precision that no family paid for leaks from parents to children.
    Raw,
}

/// A table whose every variable takes values `0..n_levels`.
///
/// A cell is the same as a child and as a parent, so that all graphs code the same data. A column's location,
/// scale and resolution come from the whole column: side information, the same for every graph. Contexts,
/// which are never coded, come after the variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    columns: Vec<QuantisedColumn>,
    /// The columns from here on are contexts.
    n_vars: usize,
    n_rows: usize,
    /// For messages only.
    names: Arc<[String]>,
}

/// One quantised variable.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantisedColumn {
    /// The value in each row; `n_levels` stands for a missing cell.
    pub codes: Vec<u32>,
    /// How many values there are, a missing one not counted.
    pub n_levels: usize,
    /// How many cells are missing.
    pub n_missing: usize,
    /// The rows in which this variable is coded as a child: neither missing nor set by intervention. `None` for all.
    pub rows_used: Option<Vec<u32>>,
    /// The numbers as estimators of numbers code them; `None` for labels.
    pub numbers: Option<Arc<Numbers>>,
    /// The raw numbers, NaN where missing, if children see them: [`ParentValues::Raw`].
    pub raw: Option<Vec<f64>>,
}

impl QuantisedColumn {
    /// How many values a parent of this kind can take; missing is a value of its own.
    pub fn n_parent_levels(&self) -> usize {
        self.n_levels + usize::from(self.n_missing > 0)
    }

    /// Whether all cells are the same: by their bins, or unless `is_binned` by the numbers themselves.
    pub fn is_constant(&self, is_binned: bool) -> bool {
        let is_one_number = |numbers: &Numbers| numbers.values.windows(2).all(|pair| pair[0] == pair[1]);
        let is_one_code = self.codes.windows(2).all(|pair| pair[0] == pair[1]);
        let is_missing = self.n_missing == self.codes.len();
        is_one_code && (is_binned || is_missing || self.numbers.as_deref().is_none_or(is_one_number))
    }

    /// The share of all cells, apart from missing ones, that its fullest bin or level holds.
    pub(crate) fn fullest_share(&self) -> f64 {
        let mut counts = vec![0usize; self.n_parent_levels()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        let known = self.codes.len() - self.n_missing;
        counts[..self.n_levels].iter().max().map_or(0.0, |&fullest| fullest as f64 / known.max(1) as f64)
    }

    /// How many rows are coded for this variable.
    pub fn n_rows_used(&self) -> usize {
        self.rows_used.as_ref().map_or(self.codes.len(), Vec::len)
    }

    /// The entries of `all` for the rows in which this variable is coded.
    pub(crate) fn coded<'a>(&self, of_row: &'a [u32]) -> Cow<'a, [u32]> {
        match &self.rows_used {
            None => Cow::Borrowed(of_row),
            Some(rows) => rows.iter().map(|&row| of_row[row as usize]).collect(),
        }
    }

    fn reordered(&self, order: &[u32]) -> QuantisedColumn {
        let codes = order.iter().map(|&row| self.codes[row as usize]).collect();
        let used = self.rows_used.as_ref().map(|rows| {
            let mut keep = vec![false; self.codes.len()];
            rows.iter().for_each(|&row| keep[row as usize] = true);
            let places = (0..order.len() as u32).zip(order);
            places.filter(|&(_, &row)| keep[row as usize]).map(|(place, _)| place).collect()
        });
        let ordered = |numbers: &Vec<f64>| order.iter().map(|&row| numbers[row as usize]).collect();
        let numbers = self.numbers.as_ref();
        let numbers = numbers
            .map(|numbers| Arc::new(Numbers { values: ordered(&numbers.values), width: numbers.width }));
        QuantisedColumn { codes, rows_used: used, numbers, raw: self.raw.as_ref().map(ordered), ..*self }
    }
}

impl Quantised {
    /// Quantises every column: labels keep their levels, numbers fall into `n_bins` bins.
    ///
    /// ```
    /// use prequential::internals::Quantised;
    /// use prequential::{Table, Values, Variable};
    /// let numbers = (0..12).map(f64::from).collect();
    /// let labels = Values::Labels { levels: vec!["no".into(), "yes".into()], codes: (0..12).map(|i| i % 2).collect() };
    /// let table = Table::new(vec![
    ///     Variable { name: "place".into(), values: Values::Numbers(numbers), intervened: None },
    ///     Variable { name: "odd".into(), values: labels, intervened: None },
    /// ])?;
    /// let quantised = Quantised::new(&table, 4);
    /// assert_eq!(quantised.column(0).codes, [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3]);
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn new(table: &Table, n_bins: usize) -> Quantised {
        let (binning, parent_values) = (Binning::default(), ParentValues::default());
        Quantised::with(table, &Quantisation { n_bins, binning, parent_values })
    }

    /// Quantises every column with a choice of bins and parent values.
    pub fn with(table: &Table, quantisation: &Quantisation) -> Quantised {
        Quantised::with_contexts(table, quantisation, &[])
    }

    /// Quantises every column, with some columns as contexts, in this order.
    pub fn with_contexts(table: &Table, quantisation: &Quantisation, contexts: &[usize]) -> Quantised {
        let nodes = (0..table.n_vars()).filter(|node| !contexts.contains(node));
        let order: Vec<usize> = nodes.chain(contexts.iter().copied()).collect();
        let variables = table.variables();
        Quantised {
            columns: order.iter().map(|&at| quantise(&variables[at], quantisation)).collect(),
            n_vars: table.n_vars() - contexts.len(),
            n_rows: table.n_rows(),
            names: order.iter().map(|&at| variables[at].name.clone()).collect(),
        }
    }

    /// A table of variables with these names, without known cells yet.
    pub(crate) fn unknown(n_rows: usize, names: &[String]) -> Quantised {
        let column = QuantisedColumn {
            codes: vec![0; n_rows],
            n_levels: 1,
            n_missing: 0,
            rows_used: None,
            numbers: None,
            raw: None,
        };
        Quantised { columns: vec![column; names.len()], n_vars: names.len(), n_rows, names: names.into() }
    }

    /// Replaces a column.
    pub(crate) fn replace(&mut self, node: usize, column: QuantisedColumn) {
        self.columns[node] = column;
    }

    /// How many rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The names of the variables, for messages.
    pub fn names(&self) -> &[String] {
        &self.names[..self.n_vars]
    }

    /// How many variables, not counting contexts.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }

    /// How many columns: variables, then contexts.
    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The numbers of the contexts among the columns.
    pub(crate) fn contexts(&self) -> NodeSet {
        (self.n_vars..self.columns.len()).collect()
    }

    /// Their names.
    pub(crate) fn context_names(&self) -> &[String] {
        &self.names[self.n_vars..]
    }

    /// Column number `node`: a variable or, after these, a context.
    pub fn column(&self, node: usize) -> &QuantisedColumn {
        &self.columns[node]
    }

    /// The table with its rows permuted: place `i` holds row `order[i]`.
    pub fn reordered(&self, order: &[u32]) -> Quantised {
        assert_eq!(order.len(), self.n_rows, "an order must name every row once");
        let columns = self.columns.iter().map(|column| column.reordered(order)).collect();
        Quantised { columns, names: self.names.clone(), ..*self }
    }
}

fn quantise(variable: &Variable, quantisation: &Quantisation) -> QuantisedColumn {
    let (mut codes, n_levels) = match &variable.values {
        Values::Numbers(numbers) => match quantisation.binning {
            Binning::Normal => normal_bins(numbers, quantisation.n_bins),
            Binning::Tanh => tanh_bins(numbers, quantisation.n_bins),
            Binning::TanhStandardised => tanh_bins(&Numbers::new(numbers).values, quantisation.n_bins),
        },
        Values::Labels { levels, codes } => (codes.clone(), levels.len()),
    };
    let skipped = |row: usize| {
        codes[row] == MISSING || variable.intervened.as_ref().is_some_and(|intervened| intervened[row])
    };
    let used: Vec<u32> = (0..codes.len()).filter(|&row| !skipped(row)).map(|row| row as u32).collect();
    let n_missing = codes.iter().filter(|&&code| code == MISSING).count();
    codes.iter_mut().filter(|code| **code == MISSING).for_each(|code| *code = n_levels as u32);
    let numbers = match &variable.values {
        Values::Numbers(numbers) => Some(numbers),
        Values::Labels { .. } => None,
    };
    let raw = numbers.filter(|_| quantisation.parent_values == ParentValues::Raw).cloned();
    let rows_used = Some(used).filter(|rows| rows.len() < codes.len());
    let numbers = numbers.map(|numbers| Arc::new(Numbers::new(numbers)));
    QuantisedColumn { codes, n_levels, n_missing, rows_used, numbers, raw }
}

/// Bins that would be equally full if the numbers were normal with their location and scale, numbered upwards.
fn normal_bins(numbers: &[f64], n_bins: usize) -> (Vec<u32>, usize) {
    let edges: Vec<f64> = (1..n_bins).map(|edge| normal::quantile(edge as f64 / n_bins as f64)).collect();
    let bin = |number: &f64| match number.is_nan() {
        true => MISSING,
        false => edges.partition_point(|edge| edge <= number) as u32,
    };
    (Numbers::new(numbers).values.iter().map(bin).collect(), n_bins)
}

/// Equally wide bins of tanh(number) between -1 and 1.
fn tanh_bins(numbers: &[f64], n_bins: usize) -> (Vec<u32>, usize) {
    let bin = |number: &f64| match number.is_nan() {
        true => MISSING,
        false => ((number.tanh() + 1.0) / 2.0 * n_bins as f64).min(n_bins as f64 - 1.0) as u32,
    };
    (numbers.iter().map(bin).collect(), n_bins)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bins(n_bins: usize) -> Quantisation {
        Quantisation { n_bins, binning: Binning::Normal, parent_values: ParentValues::Quantised }
    }

    proptest! {
        #[test]
        fn bins_respect_order_and_ties_and_ignore_units(
            numbers in proptest::collection::vec(-20i32..20, 1..200), n_bins in 1usize..12,
        ) {
            let column: Vec<f64> = numbers.iter().map(|&x| f64::from(x)).collect();
            let (codes, n_levels) = normal_bins(&column, n_bins);
            prop_assert!(n_levels == n_bins && codes.iter().all(|&code| (code as usize) < n_bins));
            for (a, x) in codes.iter().zip(&numbers) {
                for (b, y) in codes.iter().zip(&numbers) {
                    prop_assert!((x >= y || a <= b) && (x != y || a == b));
                }
            }
            let rescaled: Vec<f64> = column.iter().map(|x| 4.0 * x + 8.0).collect();
            prop_assert_eq!(normal_bins(&rescaled, n_bins), (codes, n_levels));
        }
    }

    #[test]
    fn bins_of_a_normal_column_have_equal_sizes() {
        let column: Vec<f64> = (0..1000).map(|i| normal::quantile((f64::from(i) + 0.5) / 1000.0)).collect();
        let (codes, _) = normal_bins(&column, 8);
        let sizes: Vec<usize> = (0..8).map(|bin| codes.iter().filter(|&&code| code == bin).count()).collect();
        assert!(sizes.iter().all(|size| (120..=130).contains(size)), "{sizes:?}");
    }

    #[test]
    fn tanh_of_standardised_numbers_ignores_units_and_spreads_what_tanh_crowds() {
        let column: Vec<f64> =
            (0..1000).map(|i| 50.0 + 10.0 * normal::quantile((f64::from(i) + 0.5) / 1000.0)).collect();
        let fullest = |binning| {
            let values = Values::Numbers(column.clone());
            let quantisation = Quantisation { n_bins: 128, binning, parent_values: ParentValues::Quantised };
            quantise(&Variable { name: "x".into(), values, intervened: None }, &quantisation).fullest_share()
        };
        assert_eq!(fullest(Binning::Tanh), 1.0);
        assert!(fullest(Binning::TanhStandardised) < 0.06);
        let rescaled: Vec<f64> = column.iter().map(|x| 4.0 * x + 8.0).collect();
        let bins = |numbers: &[f64]| tanh_bins(&Numbers::new(numbers).values, 128);
        assert_eq!(bins(&rescaled), bins(&column));
    }

    #[test]
    fn a_column_whose_numbers_share_a_bin_is_constant_only_where_numbers_are_binned() {
        let constant = |numbers: &[f64]| {
            let values = Values::Numbers(numbers.to_vec());
            let column = quantise(&Variable { name: "x".into(), values, intervened: None }, &bins(2));
            (column.is_constant(true), column.is_constant(false))
        };
        // The one edge of two bins lies at the median, which is the least of these.
        assert_eq!(constant(&[0.0, 0.0, 0.0, 0.0, 3.5, 1.25]), (true, false));
        assert_eq!(constant(&[-1.0, 0.0, 0.0, 0.0, 3.5, 1.25]), (false, false));
        assert_eq!(constant(&[2.0, 2.0]), (true, true));
        assert_eq!(constant(&[f64::NAN, f64::NAN]), (true, true));
        assert_eq!(constant(&[2.0, f64::NAN]), (false, false));
    }

    #[test]
    fn missing_and_intervened_cells_are_not_coded_but_are_still_seen_by_children() {
        let variable = Variable {
            name: "x".into(),
            values: Values::Labels { levels: vec!["a".into(), "b".into()], codes: vec![0, MISSING, 1, 1] },
            intervened: Some(vec![false, false, true, false]),
        };
        let column = quantise(&variable, &bins(5));
        assert_eq!(column.codes, [0, 2, 1, 1]);
        assert_eq!(column.rows_used, Some(vec![0, 3]));
        assert_eq!((column.n_levels, column.n_parent_levels(), column.n_missing), (2, 3, 1));
        let reversed = column.reordered(&[3, 2, 1, 0]);
        assert_eq!((reversed.codes, reversed.rows_used), (vec![1, 1, 2, 0], Some(vec![0, 3])));
    }
}
