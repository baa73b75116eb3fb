//! All steps from one set of nodes: from each of its last layers to each next layer.

use super::order_sums::OrderSums;
use super::parent_sums::ParentSums;
use super::subsets::{Subsets, members, power_of_two};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// How many last layers are handled at once.
const LANES: usize = 8;

/// One number for each of these last layers.
type SetLanes = [f64; LANES];

/// The steps from the last layers of one set to its next layers.
///
/// The weight of a step is a product over the nodes of the next layer. So the nodes are split into two
/// halves, and the weights from one last layer are the products of every part of the lower half with every
/// part of the upper.
pub(super) struct LayerSteps<'a> {
    next: &'a Subsets,
    /// `[next node][last layer]`: the summed weight of the node's parent sets that lie in the set and touch
    /// the layer.
    touching: Vec<Vec<f64>>,
    /// `[next layer]`: the factor that converts the units of the set and of its nodes' parents to those of
    /// the set with the next layer.
    scale: Vec<f64>,
    negligible: f64,
}

/// The result of the backward pass over the steps from a set.
pub(super) struct Departures {
    /// `[last layer]`: the sum of the ways to continue from it.
    pub(super) to_end: Vec<f64>,
    /// `[next node][last layer]`: the probability that the node is added after that layer, per unit of its
    /// parents' weight.
    pub(super) received: Vec<Vec<f64>>,
}

impl<'a> LayerSteps<'a> {
    pub(super) fn new(
        sums: &[ParentSums],
        orders: &'a OrderSums,
        set: u32,
        negligible: f64,
    ) -> LayerSteps<'a> {
        let (next, last) = (&orders.next[set as usize], &orders.last[set as usize]);
        let mut exponents = vec![orders.to_end[set as usize]; next.len()];
        for (i, node) in members(next.of).enumerate() {
            let exponent = sums[node].exponent(set);
            for pair in exponents.chunks_exact_mut(2 << i) {
                pair[1 << i..].iter_mut().for_each(|sum| *sum -= exponent);
            }
        }
        let after = next.iter().map(|layer| orders.to_end[(set | layer) as usize]);
        LayerSteps {
            next,
            touching: members(next.of).map(|node| sums[node].touching(set, last)).collect(),
            scale: after.zip(exponents).map(|(after, before)| power_of_two(after - before)).collect(),
            negligible,
        }
    }

    /// `[next layer]`: the sum of the graphs that end in it, from `weights[last layer]`, those of the graphs
    /// on the set.
    pub(super) fn forward(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vectorised(Forward { steps: self, weights });
        for (sum, scale) in sums.iter_mut().zip(&self.scale) {
            let scaled = *sum * scale;
            *sum = if scaled < self.negligible { 0.0 } else { scaled };
        }
        sums[0] = 0.0;
        sums
    }

    /// The backward pass from `rest[next layer]`, the sum of the ways to continue from it; `total` is the sum
    /// of all graphs.
    pub(super) fn backward(&self, weights: &[f64], mut rest: Vec<f64>, total: f64) -> Departures {
        rest.iter_mut().zip(&self.scale).for_each(|(rest, scale)| *rest *= scale);
        vectorised(Backward { steps: self, weights, rest: &rest, total })
    }

    /// Nodes of the lower half.
    #[inline(always)]
    fn n_lower(&self) -> usize {
        self.touching.len() - self.touching.len() / 2
    }
}

/// Some last layers with everything needed for steps from them.
struct SetBlock {
    layers: [usize; LANES],
    n_layers: usize,
    weights: SetLanes,
    /// `[part of the lower half]`: the product over its nodes.
    lower: Vec<SetLanes>,
    /// `[part of the upper half]`: the product over its nodes.
    upper: Vec<SetLanes>,
}

impl SetBlock {
    fn new(steps: &LayerSteps) -> SetBlock {
        let (n_lower, n_nodes) = (steps.n_lower(), steps.touching.len());
        SetBlock {
            layers: [0; LANES],
            n_layers: 0,
            weights: [0.0; LANES],
            lower: vec![[0.0; LANES]; 1 << n_lower],
            upper: vec![[0.0; LANES]; 1 << (n_nodes - n_lower)],
        }
    }

    /// Keeps the next layers that have a weight; false if there are none.
    #[inline(always)]
    fn advance(&mut self, left: &mut impl Iterator<Item = (usize, f64)>) -> bool {
        (self.n_layers, self.weights) = (0, [0.0; LANES]);
        for (layer, weight) in left.take(LANES) {
            (self.layers[self.n_layers], self.weights[self.n_layers]) = (layer, weight);
            self.n_layers += 1;
        }
        self.n_layers > 0
    }

    #[inline(always)]
    fn multiply(&mut self, steps: &LayerSteps) {
        let floor = self.weights.map(|weight| steps.negligible / weight);
        let (lower, upper) = steps.touching.split_at(steps.n_lower());
        products(&mut self.lower, &floor, &self.layers, lower);
        products(&mut self.upper, &floor, &self.layers, upper);
    }
}

/// `[part]`: the product over the part's nodes; 0 where below `floor`.
#[inline(always)]
fn products(products: &mut [SetLanes], floor: &SetLanes, layers: &[usize; LANES], touching: &[Vec<f64>]) {
    products[0] = [1.0; LANES];
    for (node, touching) in touching.iter().enumerate() {
        let touching = layers.map(|layer| touching[layer]);
        let (without, with) = products.split_at_mut(1 << node);
        for (with, without) in with.iter_mut().zip(without) {
            for lane in 0..LANES {
                let product = without[lane] * touching[lane];
                with[lane] = if product < floor[lane] { 0.0 } else { product };
            }
        }
    }
}

fn with_weight(weights: &[f64]) -> impl Iterator<Item = (usize, f64)> {
    weights.iter().copied().enumerate().filter(|&(_, weight)| weight > 0.0)
}

#[inline(always)]
fn mul_add<A: Arithmetic>(a: &SetLanes, b: &SetLanes, c: &mut SetLanes) {
    for lane in 0..LANES {
        c[lane] = A::mul_add64(a[lane], b[lane], c[lane]);
    }
}

struct Forward<'a> {
    steps: &'a LayerSteps<'a>,
    weights: &'a [f64],
}

impl Kernel for Forward<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Vec<f64> {
        let mut sums = vec![[0.0; LANES]; self.steps.next.len()];
        let mut block = SetBlock::new(self.steps);
        let mut left = with_weight(self.weights);
        while block.advance(&mut left) {
            block.multiply(self.steps);
            for (row, upper) in sums.chunks_exact_mut(block.lower.len()).zip(&block.upper) {
                let mut factor = [0.0; LANES];
                mul_add::<A>(upper, &block.weights, &mut factor);
                if factor != [0.0; LANES] {
                    row.iter_mut()
                        .zip(&block.lower)
                        .for_each(|(sum, lower)| mul_add::<A>(lower, &factor, sum));
                }
            }
        }
        sums.iter().map(|lanes| lanes.iter().sum()).collect()
    }
}

struct Backward<'a> {
    steps: &'a LayerSteps<'a>,
    weights: &'a [f64],
    rest: &'a [f64],
    total: f64,
}

impl Kernel for Backward<'_> {
    type Output = Departures;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Departures {
        let (steps, n_layers) = (self.steps, self.weights.len());
        let mut to_end = vec![0.0; n_layers];
        let mut received = vec![vec![0.0; n_layers]; steps.touching.len()];
        let mut block = SetBlock::new(steps);
        let (mut by_lower, mut by_upper) = (block.lower.clone(), block.upper.clone());
        let mut left = with_weight(self.weights);
        while block.advance(&mut left) {
            block.multiply(steps);
            self.weigh::<A>(&block, &mut by_lower, &mut by_upper);
            let sums = sum(&by_lower);
            for (lane, &layer) in block.layers[..block.n_layers].iter().enumerate() {
                to_end[layer] = sums[lane];
            }
            for (node, received) in received.iter_mut().enumerate() {
                let added = match node.checked_sub(steps.n_lower()) {
                    None => sum_with(&by_lower, node),
                    Some(node) => sum_with(&by_upper, node),
                };
                for (lane, &layer) in block.layers[..block.n_layers].iter().enumerate() {
                    let touching = steps.touching[node][layer];
                    if touching > 0.0 {
                        received[layer] = added[lane] * block.weights[lane] / self.total / touching;
                    }
                }
            }
        }
        Departures { to_end, received }
    }
}

impl Backward<'_> {
    /// Sums the ways to continue by the part of either half that the next layer contains.
    #[inline(always)]
    fn weigh<A: Arithmetic>(&self, block: &SetBlock, by_lower: &mut [SetLanes], by_upper: &mut [SetLanes]) {
        by_lower.fill([0.0; LANES]);
        let rows = self.rest.chunks_exact(by_lower.len());
        for ((row, upper), by_upper) in rows.zip(&block.upper).zip(&mut *by_upper) {
            let mut sum = [0.0; LANES];
            if *upper != [0.0; LANES] {
                for ((&rest, lower), by_lower) in row.iter().zip(&block.lower).zip(&mut *by_lower) {
                    mul_add::<A>(upper, &[rest; LANES], by_lower);
                    mul_add::<A>(lower, &[rest; LANES], &mut sum);
                }
            }
            *by_upper = sum;
        }
        for (sums, factors) in [(&mut *by_lower, &block.lower), (by_upper, &block.upper)] {
            for (sum, factor) in sums.iter_mut().zip(factors) {
                (0..LANES).for_each(|lane| sum[lane] *= factor[lane]);
            }
        }
    }
}

#[inline(always)]
fn sum(parts: &[SetLanes]) -> SetLanes {
    let mut sum = [0.0; LANES];
    for part in parts {
        (0..LANES).for_each(|lane| sum[lane] += part[lane]);
    }
    sum
}

/// The sum over the parts that contain node number `node`.
#[inline(always)]
fn sum_with(by_part: &[SetLanes], node: usize) -> SetLanes {
    let mut all = [0.0; LANES];
    for pair in by_part.chunks_exact(2 << node) {
        let with_node = sum(&pair[1 << node..]);
        (0..LANES).for_each(|lane| all[lane] += with_node[lane]);
    }
    all
}
