//! A child as a response: numbers, or the shares of its labels.

use super::numbers::{quantile, sorted};
use crate::table::{Values, Variable};

/// The most labels of a child that are distinguished; the rest are combined.
const MAX_LEVELS: usize = 6;

/// Numbers farther from the median, in units of the spread, are clamped to this distance when effects are
/// estimated.
const FARTHEST: f64 = 6.0;

/// A positive number has a long tail if it reaches this many times as far above the median as below.
const SKEWED: f64 = 3.0;

/// A child in the rows that are used.
#[derive(Debug)]
pub(super) struct Response {
    /// `[response][row]`: the number or its logarithm, or 1 where the label is this one.
    pub(super) columns: Vec<Vec<f64>>,
    /// The kind of the responses.
    pub(super) kind: ResponseKind,
    /// What increases or decreases, if there is an order: the number, or the rank of the label.
    pub(super) ordered: Option<Vec<f64>>,
}

/// The kind of the responses of a child.
#[derive(Debug)]
pub(super) enum ResponseKind {
    /// One number, between the least and the largest; `is_log` if the response is its logarithm.
    Number { least: f64, largest: f64, is_log: bool },
    /// Shares of these labels.
    Labels(Vec<String>),
}

impl Response {
    pub(super) fn new(child: &Variable, rows: &[usize]) -> Response {
        match &child.values {
            Values::Numbers(numbers) => {
                let mut column: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
                let all = sorted(column.iter().copied());
                let is_log = is_skewed(&all);
                let kind = ResponseKind::Number {
                    least: all.first().copied().unwrap_or_default(),
                    largest: all.last().copied().unwrap_or_default(),
                    is_log,
                };
                if is_log {
                    column.iter_mut().for_each(|number| *number = number.ln());
                }
                Response { ordered: Some(column.clone()), columns: vec![column], kind }
            }
            Values::Labels { levels, codes } => {
                let codes: Vec<usize> = rows.iter().map(|&row| codes[row] as usize).collect();
                let order = order_of_labels(levels);
                let ordered = order.map(|order| codes.iter().map(|&code| order[code]).collect());
                let shown = most_frequent(levels.len(), &codes, MAX_LEVELS);
                let share = |of: &dyn Fn(usize) -> bool| {
                    codes.iter().map(|&code| f64::from(u8::from(of(code)))).collect::<Vec<f64>>()
                };
                let mut columns: Vec<Vec<f64>> =
                    shown.iter().map(|&level| share(&|code| code == level)).collect();
                let mut names: Vec<String> = shown.iter().map(|&level| levels[level].clone()).collect();
                if codes.iter().any(|code| !shown.contains(code)) {
                    columns.push(share(&|code| !shown.contains(&code)));
                    names.push("all others".to_string());
                }
                Response { columns, kind: ResponseKind::Labels(names), ordered }
            }
        }
    }

    /// A number of the table from a response.
    pub(super) fn number(&self, response: f64) -> f64 {
        match self.kind {
            ResponseKind::Number { is_log: true, .. } => response.exp(),
            _ => response,
        }
    }

    /// How many rows there are.
    pub(super) fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// Whether positive numbers have such a long upper tail that effects on them are multiplicative rather than
/// additive.
fn is_skewed(sorted: &[f64]) -> bool {
    if sorted.first().is_none_or(|least| *least <= 0.0) {
        return false;
    }
    let [low, middle, high] = [0.01, 0.5, 0.99].map(|share| quantile(sorted, share));
    high / 2.0 - middle / 2.0 > SKEWED * (middle / 2.0 - low / 2.0) && middle > low
}

/// The numbers with outliers clamped, so that a single one cannot determine the effect of a parent.
pub(super) fn drawn_in(numbers: &[f64]) -> Vec<f64> {
    let all = sorted(numbers.iter().copied());
    if all.is_empty() {
        return Vec::new();
    }
    let middle = quantile(&all, 0.5);
    let spread = [(0.16, 0.84), (0.025, 0.975), (0.0, 1.0)]
        .map(|(low, high)| quantile(&all, high) / 2.0 - quantile(&all, low) / 2.0)
        .into_iter()
        .find(|&spread| spread > 0.0)
        .unwrap_or(1.0);
    let (low, high) = (middle - FARTHEST * spread, middle + FARTHEST * spread);
    numbers.iter().map(|number| number.clamp(low.max(-f64::MAX), high.min(f64::MAX))).collect()
}

/// The most frequent of the labels, in the order of labels.
pub(super) fn most_frequent(n_levels: usize, codes: &[usize], max: usize) -> Vec<usize> {
    let mut counts = vec![0; n_levels];
    codes.iter().filter(|&&code| code < n_levels).for_each(|&code| counts[code] += 1);
    let mut shown: Vec<usize> = (0..n_levels).filter(|&level| counts[level] > 0).collect();
    shown.sort_by_key(|&level| (std::cmp::Reverse(counts[level]), level));
    shown.truncate(max);
    shown.sort_unstable();
    shown
}

/// Pairs of labels with a conventional order, the lower one first.
const LOW_AND_HIGH: [(&str, &str); 6] =
    [("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"), ("absent", "present"), ("low", "high")];

/// The rank of each label if labels have an order: numbers, or words such as `no` and `yes`.
pub(super) fn order_of_labels(levels: &[String]) -> Option<Vec<f64>> {
    let as_number = |level: &String| level.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    if let Some(numbers) = levels.iter().map(as_number).collect::<Option<Vec<f64>>>() {
        return Some(numbers);
    }
    let words: Vec<String> = levels.iter().map(|level| level.trim().to_lowercase()).collect();
    let [first, second] = &words[..] else { return None };
    let is = |low: &String, high: &String| LOW_AND_HIGH.contains(&(low.as_str(), high.as_str()));
    match (is(first, second), is(second, first)) {
        (true, _) => Some(vec![0.0, 1.0]),
        (_, true) => Some(vec![1.0, 0.0]),
        _ => None,
    }
}
