//! Places in the picture, and what is laid out there.

/// A place in the picture; x grows to the right, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(super) fn moved(self, by: Point) -> Point {
        Point { x: self.x + by.x, y: self.y + by.y }
    }
}

/// Where everything goes; all of it lies between (0, 0) and (`width`, `height`).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    /// The centre of every node's box.
    pub(crate) centres: Vec<Point>,
    /// For every edge, in the order of `Dag::edges`, a smooth curve from box to box: its start, then two control points
    /// and an end for each cubic piece. The last piece is straight and an arrow head long.
    pub(crate) curves: Vec<Vec<Point>>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A connected part of the graph, laid out by itself.
pub(super) struct LayoutPart {
    pub(super) nodes: Vec<usize>,
    /// The numbers of its edges in the whole graph.
    pub(super) edges: Vec<usize>,
    pub(super) layout: Layout,
}
