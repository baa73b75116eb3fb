//! Which row every node is drawn in: parents above children, edges as short as can be.

/// How wide a row of boxes may be; more, the square root of the number of nodes times the second, in large graphs.
const MAX_ROW_WIDTH: f64 = 1100.0;
const WIDTH_PER_ROOT: f64 = 150.0;
/// Space that a box takes beside its width.
const BOX_SPACE: f64 = 26.0;

/// Gives every node a row, counted from the top, so that each edge points down and the edges are short in total.
///
/// Starts from the longest path above each node, then moves nodes, together with whatever they push along, while that
/// shortens the edges. So a node without parents ends up just above its first child.
/// Rows that would be too wide for a page give up nodes without children, or without parents, to the next row.
pub(super) fn assign_layers(widths: &[f64], edges: &[(usize, usize)]) -> Vec<usize> {
    let mut graph = Ranks::new(widths.len(), edges);
    while graph.shorten() {}
    graph.level_out();
    let max_width = MAX_ROW_WIDTH.max(WIDTH_PER_ROOT * (widths.len() as f64).sqrt());
    graph.wrap(widths, max_width, Way::Down);
    graph.wrap(widths, max_width, Way::Up);
    let top = graph.rank.iter().copied().min().unwrap_or(0);
    graph.rank.iter().map(|&rank| (rank - top).unsigned_abs()).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Up,
    Down,
}

struct Ranks {
    rank: Vec<isize>,
    parents: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
}

impl Ranks {
    fn new(n_nodes: usize, edges: &[(usize, usize)]) -> Ranks {
        let (mut parents, mut children) = (vec![Vec::new(); n_nodes], vec![Vec::new(); n_nodes]);
        for &(from, to) in edges {
            parents[to].push(from);
            children[from].push(to);
        }
        let mut n_waiting: Vec<usize> = parents.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..n_nodes).filter(|&node| n_waiting[node] == 0).collect();
        let mut rank = vec![0; n_nodes];
        while let Some(node) = ready.pop() {
            for &child in &children[node] {
                rank[child] = rank[child].max(rank[node] + 1);
                n_waiting[child] -= 1;
                if n_waiting[child] == 0 {
                    ready.push(child);
                }
            }
        }
        Ranks { rank, parents, children }
    }

    /// Tries to move every node once; whether any moved.
    fn shorten(&mut self) -> bool {
        let mut moved = false;
        for node in 0..self.rank.len() {
            moved |= self.shift(node, Way::Down) || self.shift(node, Way::Up);
        }
        moved
    }

    /// Moves `start` by one row, with everything it pushes along, if that shortens the edges in total.
    ///
    /// Each step removes at least one row from the length of some edge, so repeating it comes to an end.
    fn shift(&mut self, start: usize, way: Way) -> bool {
        let mut moved = vec![start];
        let mut next = 0;
        let mut gain = 0;
        while let Some(&node) = moved.get(next) {
            next += 1;
            let (ahead, behind) = match way {
                Way::Down => (&self.children[node], &self.parents[node]),
                Way::Up => (&self.parents[node], &self.children[node]),
            };
            gain += ahead.len() as isize - behind.len() as isize;
            for &other in ahead {
                if (self.rank[other] - self.rank[node]).abs() == 1 && !moved.contains(&other) {
                    moved.push(other);
                }
            }
        }
        if gain > 0 {
            let step = if way == Way::Down { 1 } else { -1 };
            moved.iter().for_each(|&node| self.rank[node] += step);
        }
        gain > 0
    }

    /// Moves nodes that are as well off in several rows to the emptiest of these.
    fn level_out(&mut self) {
        let mut n_in_row = std::collections::BTreeMap::new();
        for &rank in &self.rank {
            *n_in_row.entry(rank).or_insert(0_usize) += 1;
        }
        for node in 0..self.rank.len() {
            if self.parents[node].len() != self.children[node].len() {
                continue;
            }
            let highest = self.parents[node].iter().map(|&parent| self.rank[parent] + 1).max();
            let lowest = self.children[node].iter().map(|&child| self.rank[child] - 1).min();
            let (Some(highest), Some(lowest)) = (highest, lowest) else { continue };
            let here = self.rank[node];
            // Its own row counts without it, so that a node stays where moving gains nothing.
            let crowd = |row: isize| n_in_row.get(&row).copied().unwrap_or(0) - usize::from(row == here);
            let best = (highest..=lowest).min_by_key(|&row| (crowd(row), row != here)).unwrap_or(here);
            *n_in_row.entry(here).or_insert(1) -= 1;
            *n_in_row.entry(best).or_insert(0) += 1;
            self.rank[node] = best;
        }
    }

    /// Spreads rows that are too wide over the rows that follow, as far as they hold nodes where edges only end.
    fn wrap(&mut self, widths: &[f64], max_width: f64, way: Way) {
        let sign = if way == Way::Down { 1 } else { -1 };
        let mut row = self.rank.iter().map(|rank| sign * rank).min().unwrap_or(0);
        while self.rank.iter().any(|rank| sign * rank >= row) {
            let nodes: Vec<usize> = (0..widths.len()).filter(|&node| sign * self.rank[node] == row).collect();
            let width: f64 = nodes.iter().map(|&node| widths[node] + BOX_SPACE).sum();
            let n_shares = (width / max_width).ceil() as usize;
            let ahead = if way == Way::Down { &self.children } else { &self.parents };
            let free = nodes.into_iter().filter(|&node| ahead[node].is_empty());
            // Every second of two shares, two of three: the picture stays balanced. One node stays in any case.
            let moved: Vec<usize> =
                free.enumerate().filter(|(i, _)| i % n_shares.max(1) > 0).map(|(_, node)| node).collect();
            moved.into_iter().for_each(|node| self.rank[node] += sign);
            row += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_without_parents_sits_just_above_its_first_child() {
        // 0 -> 1 -> 2 -> 3, and 4 -> 3.
        assert_eq!(assign_layers(&[50.0; 5], &[(0, 1), (1, 2), (2, 3), (4, 3)]), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn a_group_moves_together() {
        // 0 -> 1 -> 2 -> 3 -> 4, and 5 -> 6 -> 4 with 5 -> 7: the three belong at the bottom.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 4), (5, 7)];
        assert_eq!(assign_layers(&[50.0; 8], &edges), [0, 1, 2, 3, 4, 2, 3, 3]);
    }

    #[test]
    fn wide_rows_are_wrapped() {
        let layers = assign_layers(&[50.0; 31], &(1..31).map(|to| (0, to)).collect::<Vec<_>>());
        let n_in_row = |row| layers.iter().filter(|&&layer| layer == row).count();
        assert_eq!((0..4).map(n_in_row).collect::<Vec<_>>(), [1, 10, 10, 10]);
    }
}
