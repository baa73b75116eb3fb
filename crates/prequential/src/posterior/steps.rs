//! All steps from one set of nodes: from each of its last layers to each next layer.

use super::order_sums::OrderSums;
use super::parent_sums::ParentSums;
use super::subsets::{Subsets, members, power_of_two};

/// The steps from the last layers of one set to its next layers.
///
/// The weight of a step is a product over the nodes of the next layer. So the nodes are split into two halves, and the weights from
/// one last layer are the products of every part of the lower half with every part of the upper: `lower` has room for
/// the former, `upper` for the latter, and 4ⁿ steps are multiplications and additions along rows of numbers.
pub(super) struct Steps<'a> {
    next: &'a Subsets,
    /// `[next node][last layer]`: the summed weight of the node's parent sets that lie in the set and touch the layer.
    touching: Vec<Vec<f64>>,
    /// `[next layer]`: what turns the units of the set and of its nodes' parents into those of the set with the next layer.
    scale: Vec<f64>,
    negligible: f64,
    /// `[part of the lower half]` for one last layer.
    lower: Vec<f64>,
    /// `[part of the upper half]` for one last layer.
    upper: Vec<f64>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(sums: &[ParentSums], orders: &'a OrderSums, set: u32, negligible: f64) -> Steps<'a> {
        let (next, last) = (&orders.next[set as usize], &orders.last[set as usize]);
        let touching: Vec<Vec<f64>> = members(next.of).map(|node| sums[node].touching(set, last)).collect();
        let mut exponents = vec![0];
        for node in members(next.of) {
            let exponent = sums[node].exponent(set);
            exponents.extend_from_within(..);
            let half = exponents.len() / 2;
            exponents[half..].iter_mut().for_each(|sum| *sum += exponent);
        }
        let scale = next.iter().zip(exponents).map(|(layer, exponent)| {
            power_of_two(exponent + orders.to_end[(set | layer) as usize] - orders.to_end[set as usize])
        });
        Steps {
            next,
            scale: scale.collect(),
            negligible,
            lower: Vec::with_capacity(next.len()),
            upper: Vec::with_capacity(next.len()),
            touching,
        }
    }

    /// `[next layer]`: the sum of the graphs that end in it, from `weights[last layer]`, those of the graphs on the set.
    pub(super) fn forward(mut self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.next.len()];
        for (layer, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            self.multiply(layer, weight, weight);
            for (row, &upper) in sums.chunks_exact_mut(self.lower.len()).zip(&self.upper) {
                if upper > 0.0 {
                    add_scaled(row, upper, &self.lower);
                }
            }
        }
        for (sum, scale) in sums.iter_mut().zip(&self.scale) {
            let scaled = *sum * scale;
            *sum = if scaled < self.negligible { 0.0 } else { scaled };
        }
        sums[0] = 0.0;
        sums
    }

    /// `[last layer]`: the sum of the ways to go on from it, from `rest[next layer]`; and `[next node][last layer]`, the probability that
    /// the node is added after that layer, per unit of its parents' weight.
    pub(super) fn backward(mut self, weights: &[f64], rest: &[f64], total: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n_lower = self.n_lower();
        let rest: Vec<f64> = rest.iter().zip(&self.scale).map(|(rest, scale)| rest * scale).collect();
        let turned = transposed(&rest, 1 << n_lower);
        let mut to_end = vec![0.0; weights.len()];
        let mut received = vec![vec![0.0; weights.len()]; self.touching.len()];
        let (mut by_lower, mut by_upper) = (Vec::new(), Vec::new());
        for (layer, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            self.multiply(layer, 1.0, weight);
            weigh(&mut by_lower, &self.lower, &self.upper, &rest);
            weigh(&mut by_upper, &self.upper, &self.lower, &turned);
            to_end[layer] = by_lower.iter().sum();
            for (node, received) in received.iter_mut().enumerate() {
                let touching = self.touching[node][layer];
                if touching > 0.0 {
                    let added = match node.checked_sub(n_lower) {
                        None => sum_with(&by_lower, node),
                        Some(node) => sum_with(&by_upper, node),
                    };
                    received[layer] = weight * added / total / touching;
                }
            }
        }
        (to_end, received)
    }

    /// How many nodes the lower half has.
    fn n_lower(&self) -> usize {
        self.touching.len() - self.touching.len() / 2
    }

    /// Fills `lower` and `upper` for last layer number `layer` of this weight; all of `lower` is multiplied by `factor`.
    fn multiply(&mut self, layer: usize, factor: f64, weight: f64) {
        let (lower, upper) = self.touching.split_at(self.n_lower());
        let floor = self.negligible / weight;
        products(&mut self.lower, factor, floor * factor, lower, layer);
        products(&mut self.upper, 1.0, floor, upper, layer);
    }
}

/// `[part]`: `factor` times the product over the part's nodes; 0 where below `floor`.
fn products(products: &mut Vec<f64>, factor: f64, floor: f64, touching: &[Vec<f64>], layer: usize) {
    products.clear();
    products.push(factor);
    for node in touching {
        let touching = node[layer];
        let half = products.len();
        products.extend_from_within(..);
        for product in &mut products[half..] {
            let with_node = *product * touching;
            *product = if with_node < floor { 0.0 } else { with_node };
        }
    }
}

/// `[place]`: `factors[place]` times the sum of the rows' numbers in this place, each row multiplied by its coefficient.
fn weigh(sums: &mut Vec<f64>, factors: &[f64], coefficients: &[f64], rows: &[f64]) {
    sums.clear();
    sums.resize(factors.len(), 0.0);
    for (row, &coefficient) in rows.chunks_exact(factors.len()).zip(coefficients) {
        if coefficient > 0.0 {
            add_scaled(sums, coefficient, row);
        }
    }
    sums.iter_mut().zip(factors).for_each(|(sum, factor)| *sum *= factor);
}

fn add_scaled(sums: &mut [f64], factor: f64, row: &[f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
}

/// Over the parts that hold node number `node`.
fn sum_with(by_part: &[f64], node: usize) -> f64 {
    let with_node = by_part.chunks_exact(2 << node).map(|pair| pair[1 << node..].iter().sum::<f64>());
    with_node.sum()
}

fn transposed(rows: &[f64], width: usize) -> Vec<f64> {
    (0..width).flat_map(|column| rows[column..].iter().step_by(width).copied()).collect()
}
