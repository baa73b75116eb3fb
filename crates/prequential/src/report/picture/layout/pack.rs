//! Puts the separate parts of a graph on one page.

use super::geometry::{Layout, LayoutPart, Point};

/// Space between parts, and between nodes without edges.
const PART_GAP: f64 = 40.0;
const SINGLE_GAP: f64 = 18.0;
/// Width over height to aim for.
const ASPECT: f64 = 1.5;
/// Nodes without edges may use this width even under a narrower graph.
const MIN_WIDTH: f64 = 520.0;

/// Packs the parts into shelves, the largest first, and the single nodes into a grid below.
pub(super) fn pack(
    mut parts: Vec<LayoutPart>,
    singles: impl Iterator<Item = usize>,
    edges: &[(usize, usize)],
    sizes: &[(f64, f64)],
) -> Layout {
    // A stable sort: of parts of one size that with the lowest node stays first.
    parts.sort_by_key(|part| std::cmp::Reverse(part.nodes.len()));
    let nowhere = Point { x: 0.0, y: 0.0 };
    let mut page = Layout {
        centres: vec![nowhere; sizes.len()],
        curves: vec![Vec::new(); edges.len()],
        width: 0.0,
        height: 0.0,
    };
    for shelf in shelves(parts) {
        page.add_shelf(shelf);
    }
    page.add_grid(&singles.collect::<Vec<_>>(), sizes);
    page
}

fn shelves(parts: Vec<LayoutPart>) -> Vec<Vec<LayoutPart>> {
    let area = |part: &LayoutPart| (part.layout.width + PART_GAP) * (part.layout.height + PART_GAP);
    let widest = parts.iter().map(|part| part.layout.width).fold(0.0, f64::max);
    let max_width = (parts.iter().map(area).sum::<f64>() * ASPECT).sqrt().max(widest);
    let mut shelves: Vec<Vec<LayoutPart>> = Vec::new();
    let mut right = f64::INFINITY;
    for part in parts {
        right += PART_GAP + part.layout.width;
        if right > max_width {
            right = part.layout.width;
            shelves.push(Vec::new());
        }
        if let Some(shelf) = shelves.last_mut() {
            shelf.push(part);
        }
    }
    shelves
}

impl Layout {
    /// Where the next thing below starts.
    fn next_top(&self, gap: f64) -> f64 {
        if self.height > 0.0 { self.height + gap } else { 0.0 }
    }

    fn add_shelf(&mut self, shelf: Vec<LayoutPart>) {
        let top = self.next_top(PART_GAP);
        let mut left = 0.0;
        for part in shelf {
            let origin = Point { x: left, y: top };
            for (&node, at) in part.nodes.iter().zip(&part.layout.centres) {
                self.centres[node] = at.moved(origin);
            }
            for (&edge, curve) in part.edges.iter().zip(&part.layout.curves) {
                self.curves[edge] = curve.iter().map(|at| at.moved(origin)).collect();
            }
            left += part.layout.width;
            self.width = self.width.max(left);
            self.height = self.height.max(top + part.layout.height);
            left += PART_GAP;
        }
    }

    fn add_grid(&mut self, nodes: &[usize], sizes: &[(f64, f64)]) {
        if nodes.is_empty() {
            return;
        }
        let cell = nodes
            .iter()
            .fold((0.0_f64, 0.0_f64), |cell, &node| (cell.0.max(sizes[node].0), cell.1.max(sizes[node].1)));
        let max_width = self.width.max(MIN_WIDTH);
        let fitting = ((max_width + SINGLE_GAP) / (cell.0 + SINGLE_GAP)).floor().max(1.0) as usize;
        // Rows of equal length: 9 nodes where 8 fit become 5 and 4, not 8 and 1.
        let n_columns = nodes.len().div_ceil(nodes.len().div_ceil(fitting));
        let top = self.next_top(PART_GAP);
        let width = n_columns as f64 * (cell.0 + SINGLE_GAP) - SINGLE_GAP;
        for (i, &node) in nodes.iter().enumerate() {
            let (row, column) = ((i / n_columns) as f64, (i % n_columns) as f64);
            let x = column * (cell.0 + SINGLE_GAP) + cell.0 / 2.0;
            let y = top + row * (cell.1 + SINGLE_GAP) + cell.1 / 2.0;
            self.centres[node] = Point { x, y };
            self.height = self.height.max(y + cell.1 / 2.0);
        }
        self.width = self.width.max(width);
    }
}
