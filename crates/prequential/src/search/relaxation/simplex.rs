//! The dual simplex method for the linear program of parent sets and clusters, with a dense inverse of the
//! basis.
//!
//! Minimises the total length of weights x >= 0 of choices, where those of each variable sum to 1 and, for
//! each cluster, those of its members that count for it to at least its requirement. The inverse of the basis
//! is kept dense: there are as many rows as variables and clusters, hundreds. No claim depends on its
//! rounding: a bound is computed again from the weights of clusters.

use std::ops::Range;

use super::super::choices::{Choice, Choices};
use super::cluster::Cluster;
use crate::base::stop::Stop;

/// Smaller values count as 0.
const FEASIBLE: f64 = 1e-9;

/// Entries below count as 0.
const NEGLIGIBLE: f64 = 1e-13;

/// The smallest pivot.
const MIN_PIVOT: f64 = 1e-7;

/// By how much a reduced length may lie below 0.
const DUAL_SLACK: f64 = 1e-9;

/// Steps after which the inverse is recomputed.
const STEPS_PER_INVERSE: usize = 300;

/// Steps between checks of the stop condition.
const STEPS_PER_QUESTION: usize = 32;

/// A variable of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unknown {
    /// The weight of a choice, by its column.
    LpColumn(usize),
    /// The surplus of a cluster, by its number.
    Surplus(usize),
}

/// A choice of a child.
#[derive(Debug, Clone)]
struct LpColumn {
    child: usize,
    length: f64,
    /// Those that it counts for, by number.
    clusters: Vec<u32>,
}

/// How the solver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// At an optimum.
    Optimal,
    /// At a bound above the cutoff, perhaps because nothing is feasible.
    AboveCutoff,
    /// Before its end.
    Stopped,
}

/// The program and its current basis.
#[derive(Debug, Clone)]
pub(crate) struct Simplex {
    n_vars: usize,
    columns: Vec<LpColumn>,
    /// Columns that must have weight 0.
    is_out: Vec<bool>,
    is_basic: Vec<bool>,
    /// Per cluster.
    is_surplus_basic: Vec<bool>,
    n_clusters: usize,
    /// Per cluster, the columns that count for it.
    members: Vec<Vec<u32>>,
    /// Per child, its columns.
    child_columns: Vec<Range<usize>>,
    /// The required sum of each row.
    sums: Vec<f64>,
    basis: LpBasis,
    /// The values of the basic unknowns.
    values: Vec<f64>,
    /// The duals of the rows: children, then clusters.
    duals: Vec<f64>,
    /// The reduced lengths of the columns.
    reduced: Vec<f64>,
}

/// The basis: which unknowns are not 0, one per row, and the inverse of their columns.
#[derive(Debug, Clone)]
pub(crate) struct LpBasis {
    unknowns: Vec<Unknown>,
    inverse: Vec<Vec<f64>>,
}

impl Simplex {
    /// No clusters; every variable takes its shortest choice.
    pub(crate) fn new(choices: &Choices) -> Simplex {
        let column =
            |child: usize, choice: &Choice| LpColumn { child, length: choice.length, clusters: Vec::new() };
        let columns: Vec<LpColumn> = (choices.0.iter().enumerate())
            .flat_map(|(child, all)| all.iter().map(move |choice| column(child, choice)))
            .collect();
        let n_columns = columns.len();
        let mut simplex = Simplex {
            n_vars: choices.n_vars(),
            is_out: vec![false; n_columns],
            is_basic: vec![false; n_columns],
            reduced: vec![0.0; n_columns],
            columns,
            is_surplus_basic: Vec::new(),
            n_clusters: 0,
            members: Vec::new(),
            child_columns: ranges(choices),
            sums: vec![1.0; choices.n_vars()],
            basis: LpBasis { unknowns: Vec::new(), inverse: Vec::new() },
            values: Vec::new(),
            duals: Vec::new(),
        };
        simplex.start_again();
        simplex
    }

    fn n_rows(&self) -> usize {
        self.n_vars + self.n_clusters
    }

    /// The weight of every column, in the order of the choices.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.columns.len()];
        for (unknown, &value) in self.basis.unknowns.iter().zip(&self.values) {
            if let Unknown::LpColumn(column) = *unknown {
                weights[column] = value.max(0.0);
            }
        }
        weights
    }

    /// The duals of the clusters, those below 0 as 0.
    pub(crate) fn cluster_weights(&self) -> Vec<f64> {
        self.duals[self.n_vars..].iter().map(|dual| dual.max(0.0)).collect()
    }

    /// A lower bound on the code length of every acyclic graph of the remaining columns, valid whatever the
    /// rounding.
    pub(crate) fn bound(&self) -> f64 {
        let weights = self.cluster_weights();
        let mut least = vec![f64::INFINITY; self.n_vars];
        for (column, _) in self.columns.iter().zip(&self.is_out).filter(|(_, is_out)| !**is_out) {
            let granted: f64 = column.clusters.iter().map(|&cluster| weights[cluster as usize]).sum();
            least[column.child] = least[column.child].min(column.length - granted);
        }
        let granted: f64 =
            weights.iter().zip(&self.sums[self.n_vars..]).map(|(weight, sum)| weight * sum).sum();
        granted + least.iter().sum::<f64>()
    }

    /// Replaces the set of columns that must have weight 0.
    pub(crate) fn leave_out(&mut self, is_out: Vec<bool>) {
        self.is_out = is_out;
    }

    /// Which columns must have weight 0.
    pub(crate) fn is_out(&self) -> &[bool] {
        &self.is_out
    }

    pub(crate) fn basis(&self) -> LpBasis {
        self.basis.clone()
    }

    /// Restores an earlier basis; clusters added since then keep their surplus in the basis.
    pub(crate) fn go_back(&mut self, basis: LpBasis) {
        self.basis = basis;
        for cluster in self.basis.unknowns.len() - self.n_vars..self.n_clusters {
            self.extend_basis(cluster);
        }
        self.mark_basic();
        self.refresh();
    }

    /// Adds the row of a cluster.
    pub(crate) fn add_cluster(&mut self, cluster: &Cluster, choices: &Choices) {
        let number = self.n_clusters;
        let mut members = Vec::new();
        for child in cluster.nodes.iter() {
            for (column, choice) in self.child_columns[child].clone().zip(&choices.0[child]) {
                if cluster.has_few(&choice.parents) {
                    self.columns[column].clusters.push(number as u32);
                    members.push(column as u32);
                }
            }
        }
        self.members.push(members);
        self.n_clusters += 1;
        self.sums.push(cluster.at_least as f64);
        self.is_surplus_basic.push(true);
        self.extend_basis(number);
        self.refresh();
    }

    /// Enters the surplus of the next cluster into the basis.
    fn extend_basis(&mut self, cluster: usize) {
        let n_rows = self.basis.unknowns.len();
        let mut row = vec![0.0; n_rows + 1];
        for (unknown, inverse) in self.basis.unknowns.iter().zip(&self.basis.inverse) {
            if let Unknown::LpColumn(column) = *unknown
                && self.columns[column].clusters.contains(&(cluster as u32))
            {
                row.iter_mut().zip(inverse).for_each(|(sum, value)| *sum += value);
            }
        }
        row[n_rows] = -1.0;
        self.basis.inverse.iter_mut().for_each(|other| other.push(0.0));
        self.basis.inverse.push(row);
        self.basis.unknowns.push(Unknown::Surplus(cluster));
    }

    /// Removes the rows of clusters with surplus, and returns those that are left.
    pub(crate) fn drop_idle_clusters(&mut self) -> Vec<usize> {
        let is_idle = |place: &usize| {
            matches!(self.basis.unknowns[*place], Unknown::Surplus(_)) && self.values[*place] > FEASIBLE
        };
        let idle: Vec<usize> = (0..self.n_rows()).filter(is_idle).collect();
        let mut is_left = vec![true; self.n_clusters];
        for &place in &idle {
            if let Unknown::Surplus(cluster) = self.basis.unknowns[place] {
                is_left[cluster] = false;
            }
        }
        let left: Vec<usize> = (0..self.n_clusters).filter(|&cluster| is_left[cluster]).collect();
        let mut new_number = vec![usize::MAX; self.n_clusters];
        left.iter().enumerate().for_each(|(new, &old)| new_number[old] = new);
        for column in &mut self.columns {
            column.clusters.retain(|&cluster| is_left[cluster as usize]);
            column.clusters.iter_mut().for_each(|cluster| *cluster = new_number[*cluster as usize] as u32);
        }
        let n_vars = self.n_vars;
        let keeps_row = |row: usize| row < n_vars || is_left[row - n_vars];
        let keep_rows =
            |all: &Vec<f64>| (0..all.len()).filter(|&row| keeps_row(row)).map(|row| all[row]).collect();
        let stays = |place: &usize| !idle.contains(place);
        let stay: Vec<usize> = (0..self.n_rows()).filter(stays).collect();
        self.basis.inverse = stay.iter().map(|&place| keep_rows(&self.basis.inverse[place])).collect();
        let renumbered = |unknown: Unknown| match unknown {
            Unknown::Surplus(cluster) => Unknown::Surplus(new_number[cluster]),
            column => column,
        };
        self.basis.unknowns = stay.iter().map(|&place| renumbered(self.basis.unknowns[place])).collect();
        self.sums = keep_rows(&self.sums);
        self.members = left.iter().map(|&cluster| std::mem::take(&mut self.members[cluster])).collect();
        self.n_clusters = left.len();
        self.mark_basic();
        self.refresh();
        left
    }

    /// Every variable takes its shortest choice that is not out.
    fn start_again(&mut self) {
        let mut first = vec![usize::MAX; self.n_vars];
        for (number, column) in self.columns.iter().enumerate().filter(|&(number, _)| !self.is_out[number]) {
            let best = &mut first[column.child];
            if *best == usize::MAX || column.length < self.columns[*best].length {
                *best = number;
            }
        }
        let unit = |row: usize| {
            let mut unit = vec![0.0; self.n_vars];
            unit[row] = 1.0;
            unit
        };
        self.basis = LpBasis {
            // A variable whose choices are all excluded keeps an excluded one: the program is infeasible.
            unknowns: first
                .iter()
                .enumerate()
                .map(|(child, &first)| {
                    Unknown::LpColumn(if first == usize::MAX { self.any_of(child) } else { first })
                })
                .collect(),
            inverse: (0..self.n_vars).map(unit).collect(),
        };
        (0..self.n_clusters).for_each(|cluster| self.extend_basis(cluster));
        self.mark_basic();
        self.refresh();
    }

    fn any_of(&self, child: usize) -> usize {
        self.columns
            .iter()
            .position(|column| column.child == child)
            .unwrap_or_else(|| panic!("{child} has no choices"))
    }

    fn mark_basic(&mut self) {
        self.is_basic = vec![false; self.columns.len()];
        self.is_surplus_basic = vec![false; self.n_clusters];
        for unknown in &self.basis.unknowns {
            match *unknown {
                Unknown::LpColumn(column) => self.is_basic[column] = true,
                Unknown::Surplus(cluster) => self.is_surplus_basic[cluster] = true,
            }
        }
    }

    /// Computes values, duals and reduced lengths from the inverse.
    fn refresh(&mut self) {
        let value = |row: &Vec<f64>| row.iter().zip(&self.sums).map(|(entry, sum)| entry * sum).sum();
        self.values = self.basis.inverse.iter().map(value).collect();
        let mut duals = vec![0.0; self.n_rows()];
        for (unknown, row) in self.basis.unknowns.iter().zip(&self.basis.inverse) {
            if let Unknown::LpColumn(column) = *unknown {
                let length = self.columns[column].length;
                duals.iter_mut().zip(row).for_each(|(dual, value)| *dual += length * value);
            }
        }
        self.duals = duals;
        for (column, reduced) in self.columns.iter().zip(&mut self.reduced) {
            *reduced = column.length - column.times(self.n_vars, &self.duals);
        }
    }

    /// Recomputes the inverse.
    fn invert(&mut self) {
        let n_rows = self.n_rows();
        // The basis beside the unit matrix, one row per row of the program.
        let mut both: Vec<Vec<f64>> = vec![vec![0.0; 2 * n_rows]; n_rows];
        for (place, unknown) in self.basis.unknowns.iter().enumerate() {
            match *unknown {
                Unknown::LpColumn(column) => {
                    let LpColumn { child, clusters, .. } = &self.columns[column];
                    both[*child][place] = 1.0;
                    clusters.iter().for_each(|&cluster| both[self.n_vars + cluster as usize][place] = 1.0);
                }
                Unknown::Surplus(cluster) => both[self.n_vars + cluster][place] = -1.0,
            }
        }
        (0..n_rows).for_each(|row| both[row][n_rows + row] = 1.0);
        for place in 0..n_rows {
            let larger = |&a: &usize, &b: &usize| both[a][place].abs().total_cmp(&both[b][place].abs());
            let pivot = (place..n_rows).max_by(larger).unwrap_or(place);
            if both[pivot][place].abs() < MIN_PIVOT {
                return self.start_again();
            }
            both.swap(place, pivot);
            eliminate(&mut both, place, place);
        }
        self.basis.inverse = both.into_iter().map(|mut row| row.split_off(n_rows)).collect();
        self.refresh();
    }

    /// Pivots until no value is below 0 and excluded columns have weight 0, or until the bound is above
    /// `cutoff`.
    pub(crate) fn solve(&mut self, cutoff: f64, stop: Stop) -> Ended {
        self.solve_for(200 * (self.n_rows() + 50), cutoff, stop)
    }

    /// Like `solve`, for at most this many steps.
    pub(crate) fn solve_for(&mut self, n_steps: usize, cutoff: f64, stop: Stop) -> Ended {
        for step in 1..=n_steps {
            if step % STEPS_PER_QUESTION == 0 && (stop.now() || self.objective() > cutoff) {
                return if stop.now() { Ended::Stopped } else { Ended::AboveCutoff };
            }
            if step % STEPS_PER_INVERSE == 0 {
                self.invert();
            }
            let Some((place, below)) = self.leaving() else { return Ended::Optimal };
            let alphas = self.alphas(place);
            match self.entering(&alphas, below) {
                Some(entering) => self.step(place, entering, &alphas),
                None => {
                    self.follow_ray(place, below, cutoff);
                    return Ended::AboveCutoff;
                }
            }
        }
        Ended::Stopped
    }

    /// The length of the solution; before it is found, a lower bound on it.
    pub(crate) fn objective(&self) -> f64 {
        self.duals.iter().zip(&self.sums).map(|(dual, sum)| dual * sum).sum()
    }

    /// The basic unknown that leaves, by steepest edge, and whether it is below its bound.
    fn leaving(&self) -> Option<(usize, bool)> {
        let mut best = None;
        let mut steepest = 0.0;
        for (place, &value) in self.values.iter().enumerate() {
            let is_out =
                matches!(self.basis.unknowns[place], Unknown::LpColumn(column) if self.is_out[column]);
            if value < -FEASIBLE || is_out && value > FEASIBLE {
                let norm: f64 = self.basis.inverse[place].iter().map(|entry| entry * entry).sum();
                if value * value / norm > steepest {
                    (steepest, best) = (value * value / norm, Some((place, value < 0.0)));
                }
            }
        }
        best
    }

    /// The row of a basic unknown in the tableau: for columns, then for surpluses; 0 for what is basic or out.
    fn alphas(&self, place: usize) -> Vec<f64> {
        let row = &self.basis.inverse[place];
        let n_columns = self.columns.len();
        let mut alphas = vec![0.0; n_columns + self.n_clusters];
        for (columns, &entry) in self.child_columns.iter().zip(row) {
            alphas[columns.clone()].fill(entry);
        }
        for (cluster, &entry) in row[self.n_vars..].iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            self.members[cluster].iter().for_each(|&column| alphas[column as usize] += entry);
            if !self.is_surplus_basic[cluster] {
                alphas[n_columns + cluster] = -entry;
            }
        }
        for (alpha, (is_basic, is_out)) in alphas.iter_mut().zip(self.is_basic.iter().zip(&self.is_out)) {
            if *is_basic || *is_out {
                *alpha = 0.0;
            }
        }
        alphas
    }

    /// The unknown that enters (ratio test): the one whose reduced length reaches 0 first; of several, that
    /// of the largest pivot.
    fn entering(&self, alphas: &[f64], below: bool) -> Option<usize> {
        let sign = if below { -1.0 } else { 1.0 };
        let candidates = || {
            let all = alphas.iter().enumerate().map(move |(number, alpha)| (number, sign * alpha));
            all.filter(|&(_, pivot)| pivot > MIN_PIVOT)
        };
        let reduced = |number: usize| self.reduced_of(number).max(0.0);
        let ratio = |(number, pivot): (usize, f64)| (reduced(number) + DUAL_SLACK) / pivot;
        let furthest = candidates().map(ratio).fold(f64::INFINITY, f64::min);
        let mut best: Option<(usize, f64)> = None;
        for (number, pivot) in candidates() {
            if reduced(number) / pivot <= furthest && best.is_none_or(|(_, largest)| pivot > largest) {
                best = Some((number, pivot));
            }
        }
        best.map(|(number, _)| number)
    }

    /// The entry of a column or, beyond these, of a surplus.
    fn reduced_of(&self, number: usize) -> f64 {
        match number.checked_sub(self.columns.len()) {
            None => self.reduced[number],
            Some(cluster) => self.duals[self.n_vars + cluster],
        }
    }

    fn step(&mut self, place: usize, entering: usize, alphas: &[f64]) {
        let rate = self.reduced_of(entering) / alphas[entering];
        self.duals.iter_mut().zip(&self.basis.inverse[place]).for_each(|(dual, value)| *dual += rate * value);
        self.reduced.iter_mut().zip(alphas).for_each(|(reduced, alpha)| *reduced -= rate * alpha);
        let column = self.tableau_column(entering);
        let value = self.values[place] / column[place];
        self.values.iter_mut().zip(&column).for_each(|(old, entry)| *old -= value * entry);
        self.values[place] = value;
        let mut pivot_row = std::mem::take(&mut self.basis.inverse[place]);
        pivot_row.iter_mut().for_each(|entry| *entry /= column[place]);
        // Most of both are 0.
        let pivots: Vec<(usize, f64)> =
            pivot_row.iter().copied().enumerate().filter(|&(_, pivot)| pivot.abs() > NEGLIGIBLE).collect();
        for (row, &factor) in self.basis.inverse.iter_mut().zip(&column) {
            if factor.abs() > NEGLIGIBLE && !row.is_empty() {
                pivots.iter().for_each(|&(at, pivot)| row[at] -= factor * pivot);
            }
        }
        self.basis.inverse[place] = pivot_row;
        match self.basis.unknowns[place] {
            Unknown::LpColumn(leaving) => {
                self.is_basic[leaving] = false;
                self.reduced[leaving] = -rate;
            }
            Unknown::Surplus(leaving) => self.is_surplus_basic[leaving] = false,
        }
        self.basis.unknowns[place] = match entering.checked_sub(self.columns.len()) {
            None => {
                self.is_basic[entering] = true;
                Unknown::LpColumn(entering)
            }
            Some(cluster) => {
                self.is_surplus_basic[cluster] = true;
                Unknown::Surplus(cluster)
            }
        };
    }

    /// How the entering unknown changes each basic one.
    fn tableau_column(&self, entering: usize) -> Vec<f64> {
        let entry = |row: &Vec<f64>| match entering.checked_sub(self.columns.len()) {
            None => self.columns[entering].times(self.n_vars, row),
            Some(cluster) => -row[self.n_vars + cluster],
        };
        self.basis.inverse.iter().map(entry).collect()
    }

    /// Infeasible: the duals that prove it grow along the row, until the bound is above `cutoff`.
    fn follow_ray(&mut self, place: usize, below: bool, cutoff: f64) {
        let missing = (cutoff - self.objective()).max(0.0) + 1.0;
        let rate = if below { -1.0 } else { 1.0 } * 2.0 * missing / self.values[place].abs();
        self.duals.iter_mut().zip(&self.basis.inverse[place]).for_each(|(dual, value)| *dual += rate * value);
    }
}

/// The places of each child's choices among all.
fn ranges(choices: &Choices) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |all: &Vec<Choice>| {
        end += all.len();
        end - all.len()..end
    };
    choices.0.iter().map(range).collect()
}

impl LpColumn {
    /// The product of the column with a row of numbers.
    fn times(&self, n_vars: usize, row: &[f64]) -> f64 {
        let rows = &row[n_vars..];
        row[self.child] + self.clusters.iter().map(|&cluster| rows[cluster as usize]).sum::<f64>()
    }
}

/// Makes column `place` that of the unit matrix, by row `pivot`.
fn eliminate(rows: &mut [Vec<f64>], pivot: usize, place: usize) {
    let mut pivot_row = std::mem::take(&mut rows[pivot]);
    let by = pivot_row[place];
    pivot_row.iter_mut().for_each(|entry| *entry /= by);
    for row in rows.iter_mut().filter(|row| !row.is_empty()) {
        let factor = row[place];
        if factor != 0.0 {
            row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    rows[pivot] = pivot_row;
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::graph::NodeSet;

    const N_VARS: usize = 4;

    /// Three parent sets a variable, shorter codes first.
    fn random_choices(random: &mut impl Rng) -> Choices {
        let child_choices = |child: usize| {
            let parents = |bits: u32| (0..N_VARS).filter(|node| bits >> node & 1 == 1).collect::<NodeSet>();
            let mut all: Vec<NodeSet> =
                (0..1 << N_VARS).filter(|bits| bits >> child & 1 == 0).map(parents).collect();
            all.shuffle(random);
            all.truncate(3);
            let choice =
                |parents| Choice { parents, length: f64::from(random.random_range(-40..40_i32)) / 8.0 };
            let mut choices: Vec<Choice> = all.into_iter().map(choice).collect();
            choices.sort_by(|a, b| a.length.total_cmp(&b.length));
            choices
        };
        Choices((0..N_VARS).map(child_choices).collect())
    }

    fn random_cluster(random: &mut impl Rng) -> Cluster {
        let mut nodes: Vec<usize> = (0..N_VARS).collect();
        nodes.shuffle(random);
        let n_nodes = random.random_range(2..=N_VARS);
        Cluster {
            nodes: nodes[..n_nodes].iter().copied().collect(),
            at_least: random.random_range(1..n_nodes),
        }
    }

    /// The program as equations: columns of the weights, then of the surpluses; right sides; lengths.
    fn equations(
        choices: &Choices,
        clusters: &[Cluster],
        is_out: &[bool],
    ) -> (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
        let all =
            choices.0.iter().enumerate().flat_map(|(child, all)| all.iter().map(move |one| (child, one)));
        let (mut columns, mut lengths) = (Vec::new(), Vec::new());
        for ((child, choice), _) in all.zip(is_out).filter(|(_, is_out)| !**is_out) {
            let counts = |cluster: &Cluster| {
                let n_common = choice.parents.iter().filter(|&parent| cluster.nodes.contains(parent)).count();
                f64::from(u8::from(cluster.nodes.contains(child) && n_common < cluster.at_least))
            };
            let own = (0..N_VARS).map(|row| f64::from(u8::from(row == child)));
            columns.push(own.chain(clusters.iter().map(counts)).collect());
            lengths.push(choice.length);
        }
        for surplus in 0..clusters.len() {
            let row = |row: usize| if row == N_VARS + surplus { -1.0 } else { 0.0 };
            columns.push((0..N_VARS + clusters.len()).map(row).collect());
            lengths.push(0.0);
        }
        let sums =
            vec![1.0; N_VARS].into_iter().chain(clusters.iter().map(|cluster| cluster.at_least as f64));
        (columns, sums.collect(), lengths)
    }

    /// The solution of the square system of these columns, by Gauss's method; `None` if there is no single one.
    fn solution(columns: &[&Vec<f64>], sums: &[f64]) -> Option<Vec<f64>> {
        let n = sums.len();
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|row| columns.iter().map(|column| column[row]).chain([sums[row]]).collect()).collect();
        for place in 0..n {
            let pivot =
                (place..n).max_by(|&a, &b| rows[a][place].abs().total_cmp(&rows[b][place].abs())).unwrap();
            if rows[pivot][place].abs() < 1e-9 {
                return None;
            }
            rows.swap(place, pivot);
            for row in (0..n).filter(|&row| row != place) {
                let factor = rows[row][place] / rows[place][place];
                for at in place..=n {
                    let product = factor * rows[place][at];
                    rows[row][at] -= product;
                }
            }
        }
        Some((0..n).map(|row| rows[row][n] / rows[row][row]).collect())
    }

    /// The least length over all vertices; `None` if nothing is feasible. (All is bounded: the weights of a variable sum to 1.)
    fn least_by_enumeration(choices: &Choices, clusters: &[Cluster], is_out: &[bool]) -> Option<f64> {
        let (columns, sums, lengths) = equations(choices, clusters, is_out);
        let mut least: Option<f64> = None;
        for basis in 0_u32..1 << columns.len() {
            if basis.count_ones() as usize != sums.len() {
                continue;
            }
            let members: Vec<usize> = (0..columns.len()).filter(|place| basis >> place & 1 == 1).collect();
            let chosen: Vec<&Vec<f64>> = members.iter().map(|&place| &columns[place]).collect();
            let Some(values) = solution(&chosen, &sums) else { continue };
            if values.iter().all(|&value| value > -1e-9) {
                let length = members.iter().zip(&values).map(|(&place, value)| lengths[place] * value).sum();
                least = Some(least.map_or(length, |least| least.min(length)));
            }
        }
        least
    }

    /// Fails unless the weights are a solution of the program with this length.
    fn check_weights(simplex: &Simplex, choices: &Choices, clusters: &[Cluster], length: f64) {
        let (columns, sums, lengths) = equations(choices, clusters, &vec![false; choices.n_choices()]);
        let weights = simplex.weights();
        let sum_of_row = |row: usize| {
            columns.iter().zip(&weights).map(|(column, weight)| column[row] * weight).sum::<f64>()
        };
        for (row, &sum) in sums.iter().enumerate() {
            let excess = sum_of_row(row) - sum;
            assert!(if row < N_VARS { excess.abs() < 1e-7 } else { excess > -1e-7 }, "row {row}: {excess}");
        }
        let found: f64 = lengths.iter().zip(&weights).map(|(length, weight)| length * weight).sum();
        assert!((found - length).abs() < 1e-7, "{found} {length}");
        for (weight, is_out) in weights.iter().zip(simplex.is_out()) {
            assert!(!is_out || *weight < 1e-7);
        }
    }

    /// Fails unless the solution is the shortest of all vertices, or no vertex is feasible and that is what it says.
    fn check(simplex: &mut Simplex, choices: &Choices, clusters: &[Cluster]) -> bool {
        const CUTOFF: f64 = 1_000.0;
        let ended = simplex.solve(CUTOFF, Stop::never());
        let least = least_by_enumeration(choices, clusters, simplex.is_out());
        match least {
            Some(least) => {
                assert_eq!(ended, Ended::Optimal);
                check_weights(simplex, choices, clusters, least);
                assert!((simplex.bound() - least).abs() < 1e-7, "{} {least}", simplex.bound());
            }
            None => assert!(ended == Ended::AboveCutoff && simplex.bound() > CUTOFF, "{ended:?}"),
        }
        least.is_some()
    }

    #[test]
    fn solutions_are_the_shortest_of_all_vertices() {
        let (mut n_feasible, mut n_infeasible) = (0, 0);
        for seed in 0..60 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let choices = random_choices(&mut random);
            let mut simplex = Simplex::new(&choices);
            let mut clusters = Vec::new();
            for _ in 0..3 {
                // From the solution so far, as the search does.
                let cluster = random_cluster(&mut random);
                simplex.add_cluster(&cluster, &choices);
                clusters.push(cluster);
                if check(&mut simplex, &choices, &clusters) { n_feasible += 1 } else { n_infeasible += 1 }
            }
        }
        assert!(n_feasible > 30 && n_infeasible > 5, "{n_feasible} {n_infeasible}");
    }

    #[test]
    fn a_program_stays_right_when_columns_are_left_out_and_when_it_goes_back() {
        for seed in 100..140 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let choices = random_choices(&mut random);
            let mut simplex = Simplex::new(&choices);
            let mut clusters = vec![random_cluster(&mut random)];
            simplex.add_cluster(&clusters[0], &choices);
            check(&mut simplex, &choices, &clusters);
            let before = simplex.basis();
            clusters.push(random_cluster(&mut random));
            simplex.add_cluster(&clusters[1], &choices);
            // The last choice of some variables, never the only one.
            let is_out = choices.0.iter().flat_map(|all| {
                let last = random.random_bool(0.5).then(|| all.len() - 1);
                (0..all.len()).map(move |place| Some(place) == last)
            });
            simplex.leave_out(is_out.collect());
            check(&mut simplex, &choices, &clusters);
            simplex.leave_out(vec![false; choices.n_choices()]);
            simplex.go_back(before);
            check(&mut simplex, &choices, &clusters);
        }
    }

    #[test]
    fn clusters_that_hold_nothing_back_are_dropped_and_the_solution_stays() {
        let mut n_dropped = 0;
        for seed in 200..240 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let choices = random_choices(&mut random);
            let mut simplex = Simplex::new(&choices);
            let clusters: Vec<Cluster> = (0..3).map(|_| random_cluster(&mut random)).collect();
            clusters.iter().for_each(|cluster| simplex.add_cluster(cluster, &choices));
            if !check(&mut simplex, &choices, &clusters) {
                continue;
            }
            let least = simplex.bound();
            let left: Vec<Cluster> =
                simplex.drop_idle_clusters().into_iter().map(|place| clusters[place].clone()).collect();
            n_dropped += clusters.len() - left.len();
            assert!(check(&mut simplex, &choices, &left) && (simplex.bound() - least).abs() < 1e-7);
            // It goes on from there.
            simplex.add_cluster(&clusters[0], &choices);
            check(&mut simplex, &choices, &[left, vec![clusters[0].clone()]].concat());
        }
        assert!(n_dropped > 10, "{n_dropped}");
    }
}
