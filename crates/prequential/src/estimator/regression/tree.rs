//! Regression trees with linear leaves, averaged by context-tree weighting (Willems, Shtarkov and Tjalkens 1995).
//!
//! A cell is halved at the median of one of the numeric parents whenever the rows have doubled and it has
//! enough of them. Every cell, large or small, has a linear regression of its own that is shrunk towards that
//! of the cell it is part of. A row is predicted by all cells that contain it, as in context-tree weighting
//! (Willems, Shtarkov and Tjalkens 1995): at every cell, the odds of its own regression against those of its
//! halves are learned.

use crate::estimator::ParentInputs;
use crate::estimator::numeric::StudentCdf;
use crate::table::FINEST;

/// The rows that a cell must have to be halved: a number, and a share of all rows.
const N_HALVED: usize = 16;
const SHARE_HALVED: f64 = 1.0 / 512.0;

/// The prior weight of the parent cell, in rows, for the regression and for its noise.
const N_OF_LARGER: f64 = 1.0;
const DOF_OF_TYPICAL: f64 = 4.0;

/// The largest depth.
const MAX_DEPTH: usize = 64;

/// The most features of a regression; parents with more coordinates have no tree.
const MAX_FEATURES: usize = 32;

/// Odds are clamped between this and its inverse.
const MOST_ODDS: f64 = 1e12;

/// A tree of cells, and the regressions of several responses in each.
#[derive(Debug)]
pub(super) struct RegressionTree {
    n_responses: usize,
    /// Coordinates at which cells are halved.
    numbers: Vec<usize>,
    nodes: Vec<TreeCell>,
}

/// One cell.
#[derive(Debug)]
struct TreeCell {
    /// The cell of which this is a half.
    larger: Option<usize>,
    halves: Option<Split>,
    /// The rows in it.
    rows: Vec<u32>,
    /// The features are 1 and the coordinates less these, times these.
    centres: Vec<f64>,
    scales: Vec<f64>,
    /// Sums of products of the features, up to the diagonal, and the inverse with that of the larger cell's rows.
    products: Vec<f64>,
    inverse: Vec<f64>,
    responses: Vec<CellResponse>,
}

/// Where a cell is halved.
#[derive(Debug, Clone, Copy)]
struct Split {
    coordinate: usize,
    median: f64,
    /// The lower half; the other follows it.
    lower: usize,
}

/// The regression of one response in one cell.
#[derive(Debug, Clone, Default)]
struct CellResponse {
    /// Sums of the features times the response, and of its square.
    products: Vec<f64>,
    squares: f64,
    weights: Vec<f64>,
    variance: f64,
}

/// Of every cell and response, the odds of its own regression against those of its halves.
#[derive(Debug, Clone, Default)]
pub(super) struct SplitOdds(Vec<f64>);

impl RegressionTree {
    /// Before any row; `None` if no parent is a number, or the labels among them are too many.
    pub(super) fn new(inputs: &ParentInputs, n_responses: usize) -> Option<RegressionTree> {
        let numbers: Vec<usize> =
            inputs.parts().iter().filter(|part| part.is_number).map(|part| part.range.start).collect();
        if numbers.is_empty() || inputs.width() >= MAX_FEATURES {
            return None;
        }
        let root = TreeCell::new(None, Vec::new(), inputs, n_responses);
        let mut tree = RegressionTree { n_responses, numbers, nodes: vec![root] };
        tree.fit();
        Some(tree)
    }

    /// Starts from even odds.
    pub(super) fn odds(&self) -> SplitOdds {
        SplitOdds(vec![1.0; self.nodes.len() * self.n_responses])
    }

    /// Writes the density of every response in a row; updates the odds.
    #[inline(always)]
    pub(super) fn predict(
        &self,
        coordinates: &[f64],
        values: &[f64],
        odds: &mut SplitOdds,
        densities: &mut [f64],
    ) {
        let mut path = [0; MAX_DEPTH];
        let mut n_path = 1;
        while let Some(halves) = self.nodes[path[n_path - 1]].halves {
            path[n_path] = halves.lower + usize::from(coordinates[halves.coordinate] > halves.median);
            n_path += 1;
        }
        self.nodes[path[n_path - 1]].predict(coordinates, values, |response, own| densities[response] = own);
        for &node in path[..n_path - 1].iter().rev() {
            let odds = &mut odds.0[node * self.n_responses..][..self.n_responses];
            self.nodes[node].predict(coordinates, values, |response, own| {
                let (odds, of_halves) = (&mut odds[response], densities[response]);
                densities[response] = (*odds * own + of_halves) / (*odds + 1.0);
                *odds = (*odds * own / of_halves).clamp(1.0 / MOST_ODDS, MOST_ODDS);
            });
        }
    }

    /// Passes the distribution of each response and its weight to `take`, for every cell that contains a row.
    pub(super) fn shares(
        &self,
        coordinates: &[f64],
        odds: &SplitOdds,
        mut take: impl FnMut(usize, f64, StudentCdf),
    ) {
        let mut left = vec![1.0; self.n_responses];
        let mut node = 0;
        loop {
            let halves = self.nodes[node].halves;
            self.nodes[node].shares(coordinates, |response, share| {
                let own = match halves {
                    Some(_) => odds.0[node * self.n_responses + response],
                    None => f64::INFINITY,
                };
                let of_halves = 1.0 / (own + 1.0);
                take(response, left[response] * (1.0 - of_halves), share);
                left[response] *= of_halves;
            });
            let Some(halves) = halves else { return };
            node = halves.lower + usize::from(coordinates[halves.coordinate] > halves.median);
        }
    }

    /// Learns from a row; `value` gives each response.
    pub(super) fn learn(&mut self, inputs: &ParentInputs, row: usize, value: impl Fn(usize) -> f64) {
        let mut node = 0;
        loop {
            self.nodes[node].add(inputs.row(row), &value);
            match self.nodes[node].halves {
                Some(halves) => {
                    node = halves.lower + usize::from(inputs.row(row)[halves.coordinate] > halves.median);
                }
                None => break,
            }
        }
        self.nodes[node].rows.push(row as u32);
    }

    /// Refits all regressions, larger cells first.
    pub(super) fn fit(&mut self) {
        let typical = self.typical_variances();
        for node in 0..self.nodes.len() {
            let (before, from) = self.nodes.split_at_mut(node);
            let larger = from[0].larger.map(|larger| &before[larger]);
            from[0].fit(larger, &typical);
        }
    }

    fn typical_variances(&self) -> Vec<f64> {
        (0..self.n_responses).map(|response| self.typical_variance(response)).collect()
    }

    /// The geometric mean of the variances in the smallest cells, as they were last fitted; 1 before any row.
    fn typical_variance(&self, response: usize) -> f64 {
        let (mut sum, mut n_rows) = (0.0, 1.0);
        for node in self.nodes.iter().filter(|node| node.halves.is_none()) {
            let variance = node.responses[response].variance;
            if variance > 0.0 {
                sum += node.products[0] * variance.ln();
                n_rows += node.products[0];
            }
        }
        (sum / n_rows).exp()
    }

    /// Halves cells that have enough rows, after `n_seen` rows.
    pub(super) fn grow(
        &mut self,
        inputs: &ParentInputs,
        n_seen: usize,
        odds: &mut SplitOdds,
        value: impl Fn(usize, usize) -> f64,
    ) {
        let n_least = N_HALVED.max((SHARE_HALVED * n_seen as f64) as usize);
        for node in 0..self.nodes.len() {
            if self.nodes[node].halves.is_none() && self.nodes[node].rows.len() >= n_least {
                self.halve(node, inputs, &value);
            }
        }
        odds.0.resize(self.nodes.len() * self.n_responses, 1.0);
        self.fit();
    }

    /// Halves a cell by the number that gives the shortest code.
    fn halve(&mut self, node: usize, inputs: &ParentInputs, value: impl Fn(usize, usize) -> f64) {
        let rows = std::mem::take(&mut self.nodes[node].rows);
        let typical = self.typical_variances();
        let mut best: Option<(f64, Split, [TreeCell; 2])> = None;
        for &coordinate in &self.numbers {
            let of_row = |row: &u32| inputs.row(*row as usize)[coordinate];
            let mut sorted: Vec<f64> = rows.iter().map(of_row).collect();
            sorted.sort_by(f64::total_cmp);
            let median = sorted[(sorted.len() - 1) / 2];
            let (upper, lower): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| of_row(row) > median);
            if upper.is_empty() {
                continue;
            }
            let halves = [lower, upper].map(|rows| {
                let mut half = TreeCell::new(Some(node), rows, inputs, self.n_responses);
                for place in 0..half.rows.len() {
                    let row = half.rows[place] as usize;
                    half.add(inputs.row(row), |response| value(row, response));
                }
                half.fit(Some(&self.nodes[node]), &typical);
                half
            });
            let cost: f64 = halves.iter().map(TreeCell::cost).sum();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, Split { coordinate, median, lower: self.nodes.len() }, halves));
            }
        }
        match best {
            Some((_, where_halved, halves)) => {
                self.nodes[node].halves = Some(where_halved);
                self.nodes.extend(halves);
            }
            None => self.nodes[node].rows = rows,
        }
    }
}

impl CellResponse {
    #[inline(always)]
    fn mean(&self, features: &[f64; MAX_FEATURES]) -> f64 {
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }
}

impl TreeCell {
    /// With features in units of the `rows` that are in it.
    fn new(larger: Option<usize>, rows: Vec<u32>, inputs: &ParentInputs, n_responses: usize) -> TreeCell {
        let (mut centres, mut scales) = (vec![0.0; inputs.width()], vec![1.0; inputs.width()]);
        for coordinate in 0..inputs.width() {
            let numbers = || rows.iter().map(|&row| inputs.row(row as usize)[coordinate]);
            if larger.is_some() {
                let mean = numbers().sum::<f64>() / rows.len() as f64;
                let square = numbers().map(|number| (number - mean).powi(2)).sum::<f64>() / rows.len() as f64;
                centres[coordinate] = mean;
                scales[coordinate] = if square > 1e-12 { 1.0 / square.sqrt() } else { 1.0 };
            }
        }
        let n_features = 1 + inputs.width();
        let zeros = vec![0.0; n_features];
        let response = CellResponse { products: zeros.clone(), weights: zeros, ..CellResponse::default() };
        let products = vec![0.0; n_features * n_features];
        let responses = vec![response; n_responses];
        let inverse = products.clone();
        TreeCell { larger, halves: None, rows, centres, scales, products, inverse, responses }
    }

    #[inline(always)]
    fn features(&self, coordinates: &[f64]) -> [f64; MAX_FEATURES] {
        let mut features = [0.0; MAX_FEATURES];
        features[0] = 1.0;
        for (place, coordinate) in coordinates.iter().enumerate() {
            features[1 + place] = (coordinate - self.centres[place]) * self.scales[place];
        }
        features
    }

    fn add(&mut self, coordinates: &[f64], value: impl Fn(usize) -> f64) {
        let n = 1 + self.centres.len();
        let features = self.features(coordinates);
        for (i, row) in self.products.chunks_exact_mut(n).enumerate() {
            row[..=i].iter_mut().zip(&features).for_each(|(sum, other)| *sum += features[i] * other);
        }
        for (number, response) in self.responses.iter_mut().enumerate() {
            let value = value(number);
            response.products.iter_mut().zip(&features).for_each(|(sum, feature)| *sum += feature * value);
            response.squares += value * value;
        }
    }

    /// Around the regression of the larger cell.
    fn fit(&mut self, larger: Option<&TreeCell>, typical: &[f64]) {
        let n = 1 + self.centres.len();
        let mut precision = self.products.clone();
        for i in 0..n {
            (0..i).for_each(|j| precision[j * n + i] = precision[i * n + j]);
        }
        (0..n).for_each(|i| precision[i * n + i] += N_OF_LARGER);
        self.inverse = inverse(precision, n);
        let (n_rows, dof) = (self.products[0], self.dof());
        let (mut prior, mut sums) = ([0.0; MAX_FEATURES], [0.0; MAX_FEATURES]);
        for number in 0..self.responses.len() {
            if let Some(larger) = larger {
                self.seen_here(larger, number, &mut prior);
            }
            let response = &mut self.responses[number];
            for (i, product) in response.products.iter().enumerate() {
                sums[i] = product + N_OF_LARGER * prior[i];
            }
            for (weight, row) in response.weights.iter_mut().zip(self.inverse.chunks_exact(n)) {
                *weight = row.iter().zip(&sums).map(|(cell, sum)| cell * sum).sum();
            }
            let explained: f64 = response.weights.iter().zip(&sums).map(|(weight, sum)| weight * sum).sum();
            let of_prior: f64 = prior.iter().map(|prior| N_OF_LARGER * prior * prior).sum();
            let left = (response.squares + of_prior - explained).max(1e-9 * n_rows);
            response.variance = (DOF_OF_TYPICAL * typical[number] + left) / dof + FINEST * FINEST;
        }
    }

    /// The code length of its rows, up to a constant.
    fn cost(&self) -> f64 {
        self.responses.iter().map(|response| self.products[0] * response.variance.ln()).sum()
    }

    fn dof(&self) -> f64 {
        DOF_OF_TYPICAL + self.products[0]
    }

    /// The regression of a larger cell in the features of this one.
    fn seen_here(&self, larger: &TreeCell, response: usize, here: &mut [f64; MAX_FEATURES]) {
        let weights = &larger.responses[response].weights;
        here[0] = weights[0];
        for place in 0..self.centres.len() {
            let slope = weights[1 + place] * larger.scales[place];
            here[0] += slope * (self.centres[place] - larger.centres[place]);
            here[1 + place] = slope / self.scales[place];
        }
    }

    /// The leverage of a row.
    #[inline(always)]
    fn leverage(&self, features: &[f64; MAX_FEATURES]) -> f64 {
        let n = 1 + self.centres.len();
        let mut leverage = 0.0;
        for (feature, row) in features.iter().zip(self.inverse.chunks_exact(n)) {
            leverage += feature * row.iter().zip(features).map(|(cell, other)| cell * other).sum::<f64>();
        }
        leverage
    }

    /// Passes the distribution of every response to `take`.
    fn shares(&self, coordinates: &[f64], mut take: impl FnMut(usize, StudentCdf)) {
        let features = self.features(coordinates);
        let leverage = self.leverage(&features);
        for (number, response) in self.responses.iter().enumerate() {
            let sd = (response.variance * (1.0 + leverage)).sqrt();
            take(number, StudentCdf::new(response.mean(&features), sd, self.dof()));
        }
    }

    /// Passes the density of every response, by Student's distribution, to `take`.
    #[inline(always)]
    fn predict(&self, coordinates: &[f64], values: &[f64], mut take: impl FnMut(usize, f64)) {
        let features = self.features(coordinates);
        let leverage = self.leverage(&features);
        let dof = self.dof();
        // The first terms of its height in powers of 1 / dof; with four degrees of freedom or more the rest is below 0.001, and above 0.
        let height =
            (1.0 - 0.25 / dof + 0.03 / (dof * dof)) / (std::f64::consts::TAU * (1.0 + leverage)).sqrt();
        let (of_square, power) = (1.0 / (dof * (1.0 + leverage)), -0.5 * (dof + 1.0));
        for (number, (response, value)) in self.responses.iter().zip(values).enumerate() {
            let mean = response.mean(&features);
            let precision = 1.0 / response.variance;
            let square = (value - mean).powi(2) * precision * of_square;
            let density = height * precision.sqrt() * (power * square.ln_1p()).exp();
            take(number, density.max(f64::MIN_POSITIVE));
        }
    }
}

/// The inverse of a positive matrix, by elimination.
fn inverse(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    let mut inverse: Vec<f64> = (0..n * n).map(|cell| f64::from(u8::from(cell / n == cell % n))).collect();
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot * n + pivot];
        for j in 0..n {
            matrix[pivot * n + j] *= scale;
            inverse[pivot * n + j] *= scale;
        }
        for i in (0..n).filter(|&i| i != pivot) {
            let factor = matrix[i * n + pivot];
            for j in 0..n {
                matrix[i * n + j] -= factor * matrix[pivot * n + j];
                inverse[i * n + j] -= factor * inverse[pivot * n + j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::column::CodedColumn;
    use crate::estimator::counts::CountTables;
    use crate::estimator::parent_inputs::InputView;
    use crate::estimator::prior::Prior;
    use crate::graph::NodeSet;
    use crate::table::{Quantised, Table, Values, Variable};

    const N_ROWS: usize = 2_000;

    /// Two numbers that fill the square between -1 and 1 evenly, standardised as they are coded.
    fn inputs() -> ParentInputs {
        let number = |step: f64| (0..N_ROWS).map(|row| 2.0 * (row as f64 * step).fract() - 1.0).collect();
        let variable = |name: &str, numbers| Variable {
            name: name.into(),
            values: Values::Numbers(numbers),
            intervened: None,
        };
        let table = Table::new(vec![variable("x", number(0.754_877)), variable("y", number(0.569_840))]);
        let data = Quantised::new(&table.unwrap(), 128);
        let tables = CountTables::new(Prior::default(), N_ROWS);
        let columns: Vec<CodedColumn> =
            (0..2).map(|node| CodedColumn::with_marginal(&data, node, &tables)).collect();
        ParentInputs::new(&columns, &NodeSet::from_bits(0b11), None, InputView::Plain, N_ROWS)
    }

    /// sign(x) |y|, and unpredictable noise of standard deviation 0.1.
    fn value(inputs: &ParentInputs, row: usize) -> f64 {
        let noise = crate::base::normal::quantile((row as f64 * 0.618_034).fract().clamp(1e-3, 0.999));
        inputs.row(row)[0].signum() * inputs.row(row)[1].abs() + 0.1 * noise
    }

    fn learnt(inputs: &ParentInputs) -> (RegressionTree, SplitOdds) {
        let mut tree = RegressionTree::new(inputs, 1).unwrap();
        let (mut odds, mut density) = (tree.odds(), [0.0]);
        let mut n_next = 32;
        for row in 0..N_ROWS {
            tree.predict(inputs.row(row), &[value(inputs, row)], &mut odds, &mut density);
            tree.learn(inputs, row, |_| value(inputs, row));
            if row + 1 == n_next {
                tree.grow(inputs, n_next, &mut odds, |row, _| value(inputs, row));
                n_next *= 2;
            } else {
                tree.fit();
            }
        }
        (tree, odds)
    }

    #[test]
    fn a_jump_and_a_kink_are_learnt_and_densities_have_mass_1() {
        let inputs = inputs();
        let (tree, odds) = learnt(&inputs);
        let mut errors = 0;
        for row in (0..N_ROWS).step_by(50) {
            let (mut mass, mut mean, mut density) = (0.0, 0.0, [0.0]);
            for i in -4_000..4_000 {
                let value = f64::from(i) * 1e-3;
                tree.predict(inputs.row(row), &[value], &mut odds.clone(), &mut density);
                mass += 1e-3 * density[0];
                mean += 1e-3 * density[0] * value;
            }
            assert!((0.98..1.001).contains(&mass), "row {row}: {mass}");
            let truth = inputs.row(row)[0].signum() * inputs.row(row)[1].abs();
            errors += usize::from((mean - truth).abs() > 0.1);
        }
        assert!(errors <= 8, "{errors} of 40 means are far from the truth");
    }

    #[test]
    fn a_number_beside_a_label_of_many_levels_has_no_tree() {
        let levels: Vec<String> = (0..MAX_FEATURES).map(|level| format!("l{level}")).collect();
        let codes = (0..N_ROWS).map(|row| (row % levels.len()) as u32).collect();
        let number = (0..N_ROWS).map(|row| (row as f64 * 0.754_877).fract()).collect();
        let variable = |name: &str, values| Variable { name: name.into(), values, intervened: None };
        let columns =
            vec![variable("x", Values::Numbers(number)), variable("label", Values::Labels { levels, codes })];
        let data = Quantised::new(&Table::new(columns).unwrap(), 128);
        let tables = CountTables::new(Prior::default(), N_ROWS);
        let columns: Vec<CodedColumn> =
            (0..2).map(|node| CodedColumn::with_marginal(&data, node, &tables)).collect();
        let inputs = ParentInputs::new(&columns, &NodeSet::from_bits(0b11), None, InputView::Plain, N_ROWS);
        assert!(RegressionTree::new(&inputs, 1).is_none());
    }

    #[test]
    fn the_inverse_of_a_matrix_times_it_is_1() {
        let matrix = vec![4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
        let inverse = inverse(matrix.clone(), 3);
        for cell in 0..9 {
            let (i, j) = (cell / 3, cell % 3);
            let sum: f64 = (0..3).map(|k| matrix[i * 3 + k] * inverse[k * 3 + j]).sum();
            assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }
}
