//! Pairs of variables that the best graph does not link, though they may be.

use super::super::schema::PairOfVariables;
use super::super::{MAX_NEAR_MISSES, MIN_NEAR_MISS};
use super::facts::Facts;
use super::markup::{Element, cell, number_cell, numbers, open_link, table, words};

/// The near misses as a table; `None` if there are none, or no probabilities.
pub(super) fn near_misses(facts: &Facts) -> Option<Element> {
    let is_near = |pair: &&PairOfVariables| {
        let (a, b) = (facts.number(&pair.a), facts.number(&pair.b));
        pair.linked >= MIN_NEAR_MISS && !facts.dag.has_edge(a, b) && !facts.dag.has_edge(b, a)
    };
    let mut near: Vec<&PairOfVariables> = facts.result.pairs.iter().flatten().filter(is_near).collect();
    near.sort_by(|one, other| other.linked.total_cmp(&one.linked));
    near.truncate(MAX_NEAR_MISSES);
    let row = |pair: &&PairOfVariables| {
        let number = |probability: f64| number_cell(Some(pair.basis.shown(probability, 3)));
        let cells = [number(pair.linked), number(pair.a_to_b), number(pair.b_to_a)];
        Element::new("tr").child(cell(open_link(&pair.a, &pair.b))).children(cells)
    };
    let headings = [words("near miss"), numbers("linked"), numbers("→"), numbers("←")];
    let rows: Vec<Element> = near.iter().map(row).collect();
    (!rows.is_empty()).then(|| table("Pairs that the best graph does not link", &headings, rows))
}
