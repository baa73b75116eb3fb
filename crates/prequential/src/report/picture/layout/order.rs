//! The order of nodes within each row, chosen so that few edges cross.

/// A graph in rows in which every edge joins neighbouring rows: long edges pass through bends.
///
/// Vertices below `n_nodes` are nodes; the rest are bends.
pub(super) struct Layered {
    pub(super) n_nodes: usize,
    /// The row of every vertex.
    pub(super) layer: Vec<usize>,
    /// The vertices of every row, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// For every edge its start, its bends and its end.
    pub(super) chains: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    place: Vec<usize>,
}

/// Sweeps that find no improvement before the search starts afresh.
const MAX_IDLE: usize = 8;
/// Work, in vertices visited by sweeps, after which no further start is tried.
const MAX_WORK: usize = 120_000;
const MAX_STARTS: usize = 64;

impl Layered {
    /// Puts bends on the edges that span several rows; the order within rows is not yet chosen.
    pub(super) fn new(layer: Vec<usize>, edges: &[(usize, usize)]) -> Layered {
        let n_nodes = layer.len();
        let mut graph = Layered {
            n_nodes,
            rows: vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)],
            layer,
            chains: Vec::with_capacity(edges.len()),
            above: vec![Vec::new(); n_nodes],
            below: vec![Vec::new(); n_nodes],
            place: Vec::new(),
        };
        for &(from, to) in edges {
            let mut chain = vec![from];
            for row in graph.layer[from] + 1..graph.layer[to] {
                chain.push(graph.layer.len());
                graph.layer.push(row);
                graph.above.push(Vec::new());
                graph.below.push(Vec::new());
            }
            chain.push(to);
            for pair in chain.windows(2) {
                graph.below[pair[0]].push(pair[1]);
                graph.above[pair[1]].push(pair[0]);
            }
            graph.chains.push(chain);
        }
        graph.place = vec![0; graph.layer.len()];
        graph
    }

    pub(super) fn is_bend(&self, vertex: usize) -> bool {
        vertex >= self.n_nodes
    }

    /// The place of a vertex in its row, counted from the left.
    pub(super) fn place(&self, vertex: usize) -> usize {
        self.place[vertex]
    }

    /// Orders the rows; the same graph always gets the same order.
    ///
    /// From several starts, sorts each row by its neighbours in the row before, down and up in turn, swaps neighbours while
    /// that removes crossings, and keeps the best order seen.
    pub(super) fn reduce_crossings(&mut self) {
        let mut best = (usize::MAX, 0.0, Vec::new());
        let mut work = 0;
        for start in 0..MAX_STARTS {
            self.start(start);
            let mut idle = 0;
            for sweep in 0..24 {
                self.sweep(sweep % 2 == 0, sweep / 2 % 2 == 0);
                self.swap_neighbours();
                work += self.layer.len();
                let (crossings, spread) = (self.n_crossings(), self.spread());
                if crossings < best.0 || (crossings == best.0 && spread < best.1) {
                    best = (crossings, spread, self.rows.clone());
                    idle = 0;
                }
                idle += 1;
                if idle > MAX_IDLE {
                    break;
                }
            }
            if work > MAX_WORK {
                break;
            }
        }
        self.rows = best.2;
        self.number_places();
    }

    /// The first order: depth first from the top, from the bottom, then from the top with the nodes in shuffled order.
    fn start(&mut self, start: usize) {
        let n_vertices = self.layer.len();
        let mut roots: Vec<usize> = (0..n_vertices).collect();
        if start > 1 {
            shuffle(&mut roots, start as u64);
        }
        let (ends, next) = if start == 1 { (&self.below, &self.above) } else { (&self.above, &self.below) };
        roots.sort_by_key(|&vertex| !ends[vertex].is_empty());
        let mut seen = vec![false; n_vertices];
        self.rows.iter_mut().for_each(Vec::clear);
        for root in roots {
            let mut stack = vec![root];
            while let Some(vertex) = stack.pop() {
                if !std::mem::replace(&mut seen[vertex], true) {
                    self.rows[self.layer[vertex]].push(vertex);
                    stack.extend(next[vertex].iter().rev());
                }
            }
        }
        self.number_places();
    }

    fn number_places(&mut self) {
        for row in &self.rows {
            for (place, &vertex) in row.iter().enumerate() {
                self.place[vertex] = place;
            }
        }
    }

    /// Sorts every row by the mean, or median, place of its neighbours in the row just sorted.
    fn sweep(&mut self, down: bool, by_mean: bool) {
        let n_rows = self.rows.len();
        for step in 1..n_rows {
            let row = if down { step } else { n_rows - 1 - step };
            let neighbours = if down { &self.above } else { &self.below };
            let key = |vertex: usize| centre(&neighbours[vertex], &self.place, by_mean);
            let movable: Vec<usize> = self.rows[row].iter().copied().filter(|&v| key(v).is_some()).collect();
            let mut sorted = movable.clone();
            sorted.sort_by(|&a, &b| key(a).unwrap_or(0.0).total_cmp(&key(b).unwrap_or(0.0)));
            let slots: Vec<usize> = movable.iter().map(|&vertex| self.place[vertex]).collect();
            for (slot, vertex) in slots.into_iter().zip(sorted) {
                self.rows[row][slot] = vertex;
                self.place[vertex] = slot;
            }
        }
    }

    /// Swaps neighbours in a row while that removes crossings.
    fn swap_neighbours(&mut self) {
        // Every swap removes a crossing, so this ends by itself; the bound is for time.
        for _ in 0..20 {
            let mut swapped = false;
            for row in 0..self.rows.len() {
                for place in 1..self.rows[row].len() {
                    let (left, right) = (self.rows[row][place - 1], self.rows[row][place]);
                    if self.n_crossings_of(right, left) < self.n_crossings_of(left, right) {
                        self.rows[row].swap(place - 1, place);
                        (self.place[left], self.place[right]) = (place, place - 1);
                        swapped = true;
                    }
                }
            }
            if !swapped {
                break;
            }
        }
    }

    /// Crossings among the edges of two vertices of a row, if `left` stood to the left of `right`.
    fn n_crossings_of(&self, left: usize, right: usize) -> usize {
        let count = |of_left: &[usize], of_right: &[usize]| -> usize {
            let beyond = |a: &usize| of_right.iter().filter(|&&b| self.place[*a] > self.place[b]).count();
            of_left.iter().map(beyond).sum()
        };
        count(&self.above[left], &self.above[right]) + count(&self.below[left], &self.below[right])
    }

    /// Pairs of edges that cross.
    pub(super) fn n_crossings(&self) -> usize {
        let mut total = 0;
        for row in &self.rows {
            // How many edges met so far, from left to right, end at each place of the next row.
            let mut met: Vec<usize> = Vec::new();
            for &vertex in row {
                let ends: Vec<usize> = self.below[vertex].iter().map(|&v| self.place[v]).collect();
                total += ends.iter().map(|&end| met.iter().skip(end + 1).sum::<usize>()).sum::<usize>();
                for end in ends {
                    met.resize(met.len().max(end + 1), 0);
                    met[end] += 1;
                }
            }
        }
        total
    }

    /// How far edges run sideways, in widths of the rows; of orders with as many crossings the straighter wins.
    fn spread(&self) -> f64 {
        let at = |v: usize| self.place[v] as f64 - (self.rows[self.layer[v]].len() as f64 - 1.0) / 2.0;
        let steps = self.chains.iter().flat_map(|chain| chain.windows(2));
        steps.map(|pair| (at(pair[0]) - at(pair[1])).powi(2)).sum()
    }
}

/// The mean or median place of these vertices.
fn centre(vertices: &[usize], place: &[usize], by_mean: bool) -> Option<f64> {
    if vertices.is_empty() {
        return None;
    }
    if by_mean {
        return Some(vertices.iter().map(|&v| place[v] as f64).sum::<f64>() / vertices.len() as f64);
    }
    let mut places: Vec<usize> = vertices.iter().map(|&v| place[v]).collect();
    places.sort_unstable();
    let (low, high) = (places[(places.len() - 1) / 2], places[places.len() / 2]);
    Some((low + high) as f64 / 2.0)
}

/// Shuffles by a fixed stream of numbers: a picture needs variety, not randomness.
fn shuffle(items: &mut [usize], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        // The constants of Knuth's MMIX generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(last, (state >> 33) as usize % (last + 1));
    }
}
