//! The neighbours of a graph: one edge added, removed or reversed.

use super::constraints::Constraints;
use crate::base::nats::Nats;
use crate::graph::Dag;
use crate::score::{FamilyLengths, dag_length};

/// The `k` graphs of shortest code among those that differ from `dag` by one edge added, removed or reversed,
/// best first: they replace runners-up where none are known.
///
/// Only graphs that `constraints` allow and whose families are scored count; ties go to the lower node
/// numbers.
pub fn one_edge_away(
    dag: &Dag,
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    k: usize,
) -> Vec<Dag> {
    let n_nodes = dag.n_nodes();
    let pairs = (0..n_nodes).flat_map(|from| (0..n_nodes).map(move |to| (from, to)));
    let change = |(from, to): (usize, usize)| match (dag.has_edge(from, to), dag.has_edge(to, from)) {
        (true, _) => Some(dag.without_edge(from, to)),
        (_, true) => dag.without_edge(to, from).with_edge(from, to).ok(),
        _ => dag.with_edge(from, to).ok().filter(|_| from != to),
    };
    let allowed = pairs.filter_map(change).filter(|dag| constraints.allow(dag));
    let mut changed: Vec<(Nats, Dag)> =
        allowed.filter_map(|dag| Some((dag_length(lengths, &dag)?, dag))).collect();
    changed.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    changed.into_iter().map(|(_, dag)| dag).take(k).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::CodeLengths;

    #[test]
    fn one_edge_is_added_removed_or_reversed_without_a_cycle() {
        let dag = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        // The more parents have high numbers, the longer the code.
        let mut lengths = CodeLengths::new(3, 2);
        for family in Constraints::none(3).families() {
            let length = family.parents.iter().map(|parent| 10f64.powi(parent as i32)).sum();
            lengths.set(&family, Nats(length));
        }
        let edges = |constraints: &Constraints, k| -> Vec<Vec<(usize, usize)>> {
            let found = one_edge_away(&dag, &lengths, constraints, k);
            found
                .iter()
                .map(Dag::edges)
                .map(|mut edges| {
                    edges.sort();
                    edges
                })
                .collect()
        };
        let expected = [
            vec![(0, 1)],
            vec![(1, 2)],
            vec![(0, 1), (0, 2), (1, 2)],
            vec![(1, 0), (1, 2)],
            vec![(0, 1), (2, 1)],
        ];
        assert_eq!(edges(&Constraints::none(3), 10), expected);
        assert_eq!(edges(&Constraints::none(3), 2), expected[..2]);
        assert_eq!(edges(&Constraints::none(3).with_max_parents(1), 10).len(), 3);
    }
}
