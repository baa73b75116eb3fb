//! The sign of an edge: whether a child increases or decreases with a parent, beyond chance.

use serde::{Deserialize, Serialize};

use super::additive::{Additive, moments};
use super::parent::{Feature, ParentView};
use super::response::{Response, drawn_in};

/// Whether a child increases or decreases with a parent, the other parents held fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sign {
    /// It increases, and nowhere clearly decreases.
    #[serde(rename = "+")]
    Rising,
    /// It decreases, and nowhere clearly increases.
    #[serde(rename = "-")]
    Falling,
    /// It clearly increases and clearly decreases.
    #[serde(rename = "+-")]
    NotMonotone,
    /// Neither is clear: the effect is weak, or not one on the median of the child.
    #[serde(rename = "?")]
    Unclear,
}

impl Sign {
    /// As it is written in tables: `+`, `-`, `+-` and `?`.
    pub fn symbol(self) -> &'static str {
        match self {
            Sign::Rising => "+",
            Sign::Falling => "-",
            Sign::NotMonotone => "+-",
            Sign::Unclear => "?",
        }
    }
}

/// Groups of rows by a number's rank between which the child is compared.
const N_GROUPS: usize = 8;

/// The number of standard errors at which a difference between two groups is clear, and a slope over all of
/// them: there is one slope, but 28 differences are tested.
const CLEAR_DIFFERENCE: f64 = 4.0;
const CLEAR_SLOPE: f64 = 3.2;

/// A clear decrease below this share of the whole range does not contradict an increase.
const SMALL: f64 = 0.1;

/// The sign of one edge; `None` if parent or child has no order.
pub(super) fn sign(
    views: &[ParentView],
    parent: usize,
    response: &Response,
    additive: &Additive,
) -> Option<Sign> {
    let (view, ordered) = (&views[parent], response.ordered.as_ref()?);
    view.order.as_ref()?;
    let groups = ordered_groups(view);
    if groups.len() < 2 {
        return Some(Sign::Unclear);
    }
    let effects = GroupEffects::new(views, parent, &groups, &standardised(ordered), additive);
    let pairs: Vec<Difference> = (0..groups.len())
        .flat_map(|j| (0..j).map(move |i| (i, j)))
        .map(|(i, j)| effects.between(i, j))
        .collect();
    let range = pairs.iter().map(|pair| pair.rise.abs()).fold(0.0, f64::max);
    let counts = |difference: &Difference, way: f64| {
        difference.is_clear(way) && way * difference.rise >= SMALL * range
    };
    let trend = effects.trend();
    let goes = |way: f64| trend.is_clear(way) || pairs.iter().any(|pair| counts(pair, way));
    let turns = |way: f64| pairs.iter().any(|pair| counts(pair, -way));
    Some(match (goes(1.0) && !turns(1.0), goes(-1.0) && !turns(-1.0), goes(1.0) || goes(-1.0)) {
        (true, ..) => Sign::Rising,
        (_, true, _) => Sign::Falling,
        (_, _, true) => Sign::NotMonotone,
        _ => Sign::Unclear,
    })
}

/// Rows in groups of increasing values.
fn ordered_groups(view: &ParentView) -> Vec<Vec<usize>> {
    if let Some(mut groups) = view.groups() {
        groups.sort_by(|(a, _), (b, _)| view.place(*a).total_cmp(&view.place(*b)));
        return groups.into_iter().map(|(_, rows)| rows).collect();
    }
    let rows = view.sorted_rows();
    let end = |group: usize| group * rows.len() / N_GROUPS;
    (0..N_GROUPS)
        .map(|group| rows[end(group)..end(group + 1)].to_vec())
        .filter(|rows| !rows.is_empty())
        .collect()
}

/// With outliers clamped, centred and of about unit scale.
fn standardised(numbers: &[f64]) -> Vec<f64> {
    let near = drawn_in(numbers);
    let n = near.len().max(1) as f64;
    let largest =
        near.iter().fold(0.0, |largest: f64, number| largest.max(number.abs())).max(f64::MIN_POSITIVE);
    let mean: f64 = near.iter().map(|number| number / largest / n).sum();
    let centred: Vec<f64> = near.iter().map(|number| number / largest - mean).collect();
    let size = (centred.iter().map(|number| number * number).sum::<f64>() / n).sqrt().max(f64::MIN_POSITIVE);
    centred.into_iter().map(|number| number / size).collect()
}

/// The difference of the child between two groups, and its standard error.
struct Difference {
    rise: f64,
    error: f64,
    /// The number of standard errors it must exceed.
    clear: f64,
}

impl Difference {
    /// Whether it is an increase, or with -1 a decrease, beyond chance and rounding.
    fn is_clear(&self, way: f64) -> bool {
        way * self.rise > self.clear * self.error + 1e-9
    }
}

/// The effect of the parent on the child in groups of rows, with heteroscedasticity-consistent standard
/// errors (White 1980).
struct GroupEffects {
    /// The mean effect in each group.
    effects: Vec<f64>,
    /// `[group][row]`: by how much the row's residual moves the group's effect.
    influences: Vec<Vec<f64>>,
}

impl GroupEffects {
    fn new(
        views: &[ParentView],
        parent: usize,
        groups: &[Vec<usize>],
        child: &[f64],
        additive: &Additive,
    ) -> GroupEffects {
        let rows: Vec<Vec<Feature>> = (0..child.len()).map(|row| additive.features(views, row)).collect();
        let means = additive.means();
        let weights = additive.solve(&moments(&rows, means, child, 0.0));
        let product = |row: &[Feature], with: &[f64]| {
            let on_average: f64 = means.iter().zip(with).map(|(mean, weight)| mean * weight).sum();
            row.iter().map(|&(i, height)| height * with[i]).sum::<f64>() - on_average
        };
        let residuals: Vec<f64> =
            rows.iter().zip(child).map(|(row, value)| value - product(row, &weights)).collect();
        let range = additive.range(parent, &views[parent]);
        let mut effects = Vec::new();
        let mut influences = Vec::new();
        for group in groups {
            let mut features = vec![0.0; means.len()];
            for &(i, height) in group.iter().flat_map(|&row| &rows[row]).filter(|(i, _)| range.contains(i)) {
                features[i] += height / group.len() as f64;
            }
            effects.push(features.iter().zip(&weights).map(|(feature, weight)| feature * weight).sum());
            let solved = additive.solve(&features);
            let influence = |(row, residual): (&Vec<Feature>, &f64)| residual * product(row, &solved);
            influences.push(rows.iter().zip(&residuals).map(influence).collect());
        }
        GroupEffects { effects, influences }
    }

    fn between(&self, low: usize, high: usize) -> Difference {
        let weight = |group| f64::from(u8::from(group == high)) - f64::from(u8::from(group == low));
        self.weighted(weight, CLEAR_DIFFERENCE)
    }

    /// The slope over all groups.
    fn trend(&self) -> Difference {
        let middle = (self.effects.len() - 1) as f64 / 2.0;
        self.weighted(|group| group as f64 - middle, CLEAR_SLOPE)
    }

    fn weighted(&self, weight: impl Fn(usize) -> f64, clear: f64) -> Difference {
        let rise = self.effects.iter().enumerate().map(|(group, effect)| weight(group) * effect).sum();
        let n_rows = self.influences.first().map_or(0, Vec::len);
        let of_row = |row: usize| -> f64 {
            self.influences.iter().enumerate().map(|(group, all)| weight(group) * all[row]).sum()
        };
        let variance: f64 = (0..n_rows).map(|row| of_row(row).powi(2)).sum();
        Difference { rise, error: variance.sqrt(), clear }
    }
}
