//! Evidence in a table against the assumptions: dependent rows, and columns that are functions of others.

use std::collections::HashMap;

use crate::base::format::plural;
use crate::base::message::{Message, message};
use crate::table::wording::{Places, ignore, quoted};
use crate::table::{MISSING, Values, Variable};

/// The number of rows used, the first ones: consecutive, so that neighbours are kept.
const MAX_ROWS: usize = 4_000;

/// With fewer rows there are no such warnings.
const MIN_ROWS: usize = 50;

/// The most columns of numbers that are compared with each other.
const MAX_COLUMNS: usize = 300;

/// A row resembles the one before if the correlation exceeds this, and chance by this many standard
/// deviations.
const MIN_CORRELATION: f64 = 0.2;
const MIN_DEVIATIONS: f64 = 6.0;

/// Two columns are nearly the same if their rank correlation exceeds this.
const NEARLY: f64 = 0.999;

/// The largest residual variance, of 1, at which a column counts as a linear combination of others.
const LEFT_OF_SUM: f64 = 1e-5;

/// Rows that each label must have on average before another column can count as determined by it.
const ROWS_PER_LABEL: usize = 5;

/// All evidence against the assumptions; `known` are pairs of copies, which have a warning of their own.
pub(super) fn doubts(variables: &[Variable], known: &[(usize, usize)], places: &Places) -> Vec<Message> {
    let n_rows = variables.first().map_or(0, Variable::n_rows).min(MAX_ROWS);
    if n_rows < MIN_ROWS {
        return Vec::new();
    }
    let is_copy = |place: &usize| known.iter().any(|(_, second)| second == place);
    let numbers: Vec<(usize, Vec<f64>)> = (0..variables.len())
        .filter(|place| !is_copy(place))
        .filter_map(|place| Some((place, ranks(&variables[place], n_rows)?)))
        .take(MAX_COLUMNS)
        .collect();
    let nearly = near_copies(&numbers);
    let is_near = |place: &usize| nearly.iter().any(|near| near.1 == *place);
    let others: Vec<usize> =
        (0..numbers.len()).filter(|place| !is_near(place)).map(|place| numbers[place].0).collect();
    let is_known = |&(a, b): &(usize, usize)| known.contains(&(a, b)) || known.contains(&(b, a));
    let words = Words { variables, places };
    let mut doubts: Vec<Message> = series(variables, n_rows, places).into_iter().collect();
    doubts.extend(nearly.iter().map(|&(first, second, correlation)| {
        words.near_copy(numbers[first].0, numbers[second].0, correlation)
    }));
    doubts.extend(sums(variables, &others, n_rows).into_iter().map(|place| words.sum(place)));
    let following = labels_that_follow(variables, n_rows).into_iter().filter(|pair| !is_known(pair));
    doubts.extend(following.map(|(from, to)| words.following(from, to)));
    doubts
}

/// The wording of these warnings.
struct Words<'a> {
    variables: &'a [Variable],
    places: &'a Places,
}

impl Words<'_> {
    fn doubt(&self, place: usize, what: &str, way_out: &'static str) -> Message {
        let name = &self.variables[place].name;
        message![format!("{}: {what}", self.places.column(name)), way_out, ignore(name)]
    }

    fn near_copy(&self, first: usize, second: usize, correlation: f64) -> Message {
        let how = if correlation > 0.0 { "increases" } else { "decreases" };
        let is_exact = correlation.abs() > 1.0 - 1e-9;
        let (nearly, when) = if is_exact { ("", "whenever") } else { ("almost always ", "when") };
        let first = quoted(&self.variables[first].name);
        let what = format!("{nearly}{how} {when} {first} increases: two names for one quantity?");
        self.doubt(second, &what, " Leave one of them out with ")
    }

    fn sum(&self, place: usize) -> Message {
        let what = "a linear combination of other columns, so their effects cannot be separated;";
        self.doubt(place, what, " leave one of them out, as with ")
    }

    fn following(&self, from: usize, to: usize) -> Message {
        let from = quoted(&self.variables[from].name);
        let what = format!("is determined by {from} in every row, so no other column can explain it;");
        self.doubt(to, &what, " leave one of them out, as with ")
    }
}

/// The warning that most columns resemble the row before, as in a time series.
fn series(variables: &[Variable], n_rows: usize, places: &Places) -> Option<Message> {
    let likeness: Vec<Option<f64>> = variables.iter().map(|variable| likeness(variable, n_rows)).collect();
    let n_varying = likeness.iter().flatten().count();
    let is_alike =
        |likeness: f64| likeness > MIN_CORRELATION && likeness * (n_rows as f64).sqrt() > MIN_DEVIATIONS;
    let mut alike: Vec<(usize, f64)> = likeness
        .iter()
        .enumerate()
        .filter_map(|(place, &l)| Some((place, l?)))
        .filter(|&(_, l)| is_alike(l))
        .collect();
    if 2 * alike.len() <= n_varying || alike.len() < 2 || is_sorted_by_all(variables, n_rows) {
        return None;
    }
    alike.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let (place, most) = alike[0];
    let what = format!(
        "{}: rows resemble the rows before them ({}: correlation {most:.2}, and {}), but are assumed independent; in a time series the \
         evidence is overstated; if the rows are only sorted, there is no harm",
        places.table(),
        quoted(&variables[place].name),
        plural(alike.len() - 1, "other column"),
    );
    Some(what.into())
}

/// Whether most rows equal the one before in every column: a sorted table of counts, not a series.
fn is_sorted_by_all(variables: &[Variable], n_rows: usize) -> bool {
    let same_cell = |variable: &Variable, row: usize| match &variable.values {
        Values::Numbers(numbers) => {
            numbers[row] == numbers[row - 1] || numbers[row].is_nan() && numbers[row - 1].is_nan()
        }
        Values::Labels { codes, .. } => codes[row] == codes[row - 1],
    };
    let is_same = |row: &usize| variables.iter().all(|variable| same_cell(variable, *row));
    2 * (1..n_rows).filter(is_same).count() > n_rows
}

/// How much a cell resembles the one before, from 0 (chance) to 1; `None` for a constant column.
fn likeness(variable: &Variable, n_rows: usize) -> Option<f64> {
    match &variable.values {
        Values::Numbers(_) => {
            let ranks = ranks(variable, n_rows)?;
            Some(correlation(&ranks[..n_rows - 1], &ranks[1..]))
        }
        Values::Labels { levels, codes } => {
            let codes = &codes[..n_rows];
            let n_same = codes.windows(2).filter(|pair| pair[0] == pair[1]).count();
            let mut counts = vec![0.0; levels.len() + 1];
            codes
                .iter()
                .for_each(|&code| counts[if code == MISSING { levels.len() } else { code as usize }] += 1.0);
            let by_chance: f64 = counts.iter().map(|count| (count / n_rows as f64).powi(2)).sum();
            let same = n_same as f64 / (n_rows - 1) as f64;
            (by_chance < 1.0).then(|| (same - by_chance) / (1.0 - by_chance))
        }
    }
}

/// Standardised midranks of the first numbers; missing ones are 0. `None` for labels and constants.
fn ranks(variable: &Variable, n_rows: usize) -> Option<Vec<f64>> {
    let Values::Numbers(numbers) = &variable.values else { return None };
    let numbers = &numbers[..n_rows];
    let mut order: Vec<usize> = (0..n_rows).filter(|&row| !numbers[row].is_nan()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut ranks = vec![0.0; n_rows];
    let mut start = 0;
    while start < order.len() {
        let n_equal = order[start..].iter().take_while(|&&row| numbers[row] == numbers[order[start]]).count();
        let middle = start as f64 + 0.5 * n_equal as f64 - 0.5 * order.len() as f64;
        order[start..start + n_equal].iter().for_each(|&row| ranks[row] = middle);
        start += n_equal;
    }
    standardised(ranks)
}

/// Scaled to variance 1, if the mean is 0; `None` if the variance is 0.
fn standardised(mut values: Vec<f64>) -> Option<Vec<f64>> {
    let variance = values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
    (variance > 0.0).then(|| {
        values.iter_mut().for_each(|value| *value /= variance.sqrt());
        values
    })
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64
}

/// Pairs of columns with nearly equal or reversed ranks: each column with the first that it resembles.
fn near_copies(numbers: &[(usize, Vec<f64>)]) -> Vec<(usize, usize, f64)> {
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    for second in 0..numbers.len() {
        let first = (0..second).filter(|first| !found.iter().any(|near| near.1 == *first));
        let with = first.map(|first| (first, second, correlation(&numbers[first].1, &numbers[second].1)));
        found.extend(with.into_iter().find(|(_, _, correlation)| correlation.abs() > NEARLY));
    }
    found
}

/// The columns in `places` that are linear combinations of those before them, by a Cholesky factor of their
/// correlations.
fn sums(variables: &[Variable], places: &[usize], n_rows: usize) -> Vec<usize> {
    let columns: Vec<(usize, Vec<f64>)> =
        places.iter().filter_map(|&place| Some((place, centred(&variables[place], n_rows)?))).collect();
    let mut factor: Vec<Vec<f64>> = Vec::new();
    let mut kept: Vec<usize> = Vec::new();
    let mut sums = Vec::new();
    for (i, (place, column)) in columns.iter().enumerate() {
        let mut row: Vec<f64> = Vec::with_capacity(kept.len());
        for (j, &other) in kept.iter().enumerate() {
            let known: f64 = row.iter().zip(&factor[j]).map(|(a, b)| a * b).sum();
            row.push((correlation(column, &columns[other].1) - known) / factor[j][j]);
        }
        let left = 1.0 - row.iter().map(|cell| cell * cell).sum::<f64>();
        if left < LEFT_OF_SUM && kept.len() > 1 {
            sums.push(*place);
        } else {
            row.push(left.max(LEFT_OF_SUM).sqrt());
            factor.push(row);
            kept.push(i);
        }
    }
    sums
}

/// The first numbers, standardised; `None` for labels, constants, and columns with missing cells.
fn centred(variable: &Variable, n_rows: usize) -> Option<Vec<f64>> {
    let Values::Numbers(numbers) = &variable.values else { return None };
    let mean = numbers[..n_rows].iter().sum::<f64>() / n_rows as f64;
    let centred: Vec<f64> = numbers[..n_rows].iter().map(|number| number - mean).collect();
    centred.iter().all(|number| number.is_finite()).then(|| standardised(centred)).flatten()
}

/// Pairs of categorical columns of which the first determines the second.
fn labels_that_follow(variables: &[Variable], n_rows: usize) -> Vec<(usize, usize)> {
    let labels = |variable: &Variable| match &variable.values {
        Values::Labels { levels, codes } => Some((levels.len(), codes[..n_rows].to_vec())),
        Values::Numbers(_) => None,
    };
    let columns: Vec<(usize, usize, Vec<u32>)> = variables
        .iter()
        .enumerate()
        .filter_map(|(place, variable)| labels(variable).map(|(n_levels, codes)| (place, n_levels, codes)))
        .filter(|(_, n_levels, codes)| {
            n_rows >= ROWS_PER_LABEL * n_levels && codes.iter().any(|code| *code != codes[0])
        })
        .take(MAX_COLUMNS)
        .collect();
    let follows = |from: &[u32], to: &[u32]| {
        let mut told: HashMap<u32, u32> = HashMap::new();
        from.iter().zip(to).all(|(from, to)| *told.entry(*from).or_insert(*to) == *to)
    };
    let mut pairs = Vec::new();
    for (to, n_to, codes) in &columns {
        let from = columns
            .iter()
            .find(|(from, n_from, of_from)| from != to && n_from > n_to && follows(of_from, codes));
        pairs.extend(from.map(|(from, ..)| (*from, *to)));
    }
    pairs
}
