//! The shortest codes of all sets of variables, from the empty set upwards and from the full set downwards.

use std::sync::Arc;

use rayon::prelude::*;

use super::best_parents::BestParents;
use super::subset_bits::{lower, members};
use crate::base::stop::Stop;

/// The most variables that differ within a block of sets.
const MAX_BLOCK_BITS: usize = 10;

/// A value for every set of variables, in blocks of sets that differ in the lowest variables only.
///
/// Blocks whose high parts have the same size do not depend on each other: they are computed in parallel.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// `[high part][low part]`.
    values: Vec<Vec<f64>>,
    block_bits: usize,
}

/// How many variables differ within a block.
pub(crate) fn block_bits(n_vars: usize) -> usize {
    n_vars.min(MAX_BLOCK_BITS)
}

impl Blocks {
    /// Bytes that the values of all sets of `n_vars` variables take.
    pub(crate) fn memory(n_vars: usize) -> f64 {
        let n_blocks = 2f64.powi((n_vars - block_bits(n_vars)) as i32);
        // Each block has its values, its place in the list, what the allocator adds, and its part in the
        // lists of one level.
        n_blocks * (8.0 * 2f64.powi(block_bits(n_vars) as i32) + 24.0 + 16.0 + 32.0)
    }

    /// `[set]`: the shortest code of the set's variables with parents inside it.
    /// `None` if it was stopped.
    pub(crate) fn from_start(best: &[Arc<BestParents>], stop: Stop) -> Option<Blocks> {
        let sweep = Sweep { best, block_bits: block_bits(best.len()), stop };
        sweep.run(0..=sweep.n_high(), |blocks, high, space| {
            let mut values = sweep.start(high == 0, 0);
            for child in members(high) {
                let before = high & !(1 << child);
                sweep.add_high(child, before, &blocks.values[before], &mut values, space);
            }
            sweep.fill_low(high, space);
            upwards(&mut values, 0, &space.low);
            values
        })
    }

    /// `[set]`: the shortest code of the variables outside the set, which comes first.
    /// `None` if it was stopped.
    pub(crate) fn to_end(best: &[Arc<BestParents>], stop: Stop) -> Option<Blocks> {
        let sweep = Sweep { best, block_bits: block_bits(best.len()), stop };
        let all = (1 << sweep.n_high()) - 1;
        sweep.run((0..=sweep.n_high()).rev(), |blocks, high, space| {
            let mut values = sweep.start(high == all, (1 << sweep.block_bits) - 1);
            for child in members(all & !high) {
                sweep.add_high(child, high, &blocks.values[high | 1 << child], &mut values, space);
            }
            sweep.fill_low(high, space);
            downwards(&mut values, 0, &space.low);
            values
        })
    }

    /// The value of one set.
    pub(crate) fn get(&self, set: usize) -> f64 {
        self.values[set >> self.block_bits][set & ((1 << self.block_bits) - 1)]
    }

    /// The least of `from_start + best + to_end` over the sets that come before the child of `best`.
    pub(crate) fn shortest_through(&self, best: &BestParents, to_end: &Blocks) -> f64 {
        let (bits, child) = (self.block_bits, best.child());
        let is_low = child < bits;
        // Low parts with the child alternate with those without it; a high child leaves the low parts
        // unchanged.
        let run = if is_low { 1 << child } else { 1 << bits };
        let (turn, skip) = if is_low { (2 * run, run) } else { (run, 0) };
        let high_bit = if is_low { 0 } else { 1 << (child - bits) };
        let through = |between: &mut Vec<f64>, high: usize| {
            between.resize(best.block_len(), 0.0);
            if !best.fill(high << bits, between) {
                return f64::INFINITY;
            }
            let befores = self.values[high].chunks(turn).map(|part| &part[..run]);
            let afters = to_end.values[high | high_bit].chunks(turn).map(|part| &part[skip..]);
            for ((between, before), after) in between.chunks_mut(run).zip(befores).zip(afters) {
                let sums = between.iter_mut().zip(before).zip(after);
                sums.for_each(|((between, before), after)| *between = before + *between + after);
            }
            between.iter().copied().fold(f64::INFINITY, lower)
        };
        let highs = (0..self.values.len()).into_par_iter().filter(|high| high & high_bit == 0);
        highs.map_init(Vec::new, through).reduce(|| f64::INFINITY, lower)
    }
}

/// One pass over all blocks.
struct Sweep<'a> {
    best: &'a [Arc<BestParents>],
    block_bits: usize,
    stop: Stop<'a>,
}

/// Buffers for the best parents of one block.
struct Space {
    /// The choices of one high variable.
    high: Vec<f64>,
    /// The choices of every low variable.
    low: Vec<Vec<f64>>,
}

impl Sweep<'_> {
    /// How many variables no block differs in.
    fn n_high(&self) -> u32 {
        (self.best.len() - self.block_bits) as u32
    }

    /// Computes the blocks by `block`, those with the same number of high variables at once, in the order of
    /// `sizes`.
    fn run(
        &self,
        sizes: impl Iterator<Item = u32>,
        block: impl Fn(&Blocks, usize, &mut Space) -> Vec<f64> + Sync,
    ) -> Option<Blocks> {
        let n_blocks = 1usize << self.n_high();
        let mut blocks = Blocks { values: vec![Vec::new(); n_blocks], block_bits: self.block_bits };
        for size in sizes {
            let highs: Vec<usize> = (0..n_blocks).filter(|high| high.count_ones() == size).collect();
            // A stop leaves gaps, which are never read.
            let sweep = |space: &mut Space, &high: &usize| {
                if self.stop.now() { Vec::new() } else { block(&blocks, high, space) }
            };
            let done: Vec<Vec<f64>> = highs.par_iter().map_init(|| self.space(), sweep).collect();
            highs.into_iter().zip(done).for_each(|(high, values)| blocks.values[high] = values);
            if self.stop.now() {
                return None;
            }
        }
        Some(blocks)
    }

    fn space(&self) -> Space {
        let half = vec![0.0; 1 << self.block_bits.saturating_sub(1)];
        Space { high: vec![0.0; 1 << self.block_bits], low: vec![half; self.block_bits] }
    }

    /// Initially only the code of the empty set is known: 0.
    fn start(&self, holds_end: bool, end: usize) -> Vec<f64> {
        let mut values = vec![f64::INFINITY; 1 << self.block_bits];
        if holds_end {
            values[end] = 0.0;
        }
        values
    }

    /// Considers high variable number `child` as the next one after each set with the high part `before`.
    fn add_high(&self, child: usize, before: usize, others: &[f64], values: &mut [f64], space: &mut Space) {
        let best = &self.best[self.block_bits + child];
        if best.fill(before << self.block_bits, &mut space.high) {
            let steps = others.iter().zip(&space.high).map(|(other, best)| other + best);
            values.iter_mut().zip(steps).for_each(|(value, step)| *value = lower(*value, step));
        }
    }

    fn fill_low(&self, high: usize, space: &mut Space) {
        for (best, values) in self.best.iter().zip(&mut space.low) {
            best.fill(high << self.block_bits, values);
        }
    }
}

/// Settles the sets of a block, or the part of one that begins at set `start`, from those with fewer low
/// variables.
///
/// First the half without the highest of its variables, then, one step further, the half with it.
fn upwards(values: &mut [f64], start: usize, low: &[Vec<f64>]) {
    let half = values.len() / 2;
    if half == 0 {
        return;
    }
    let best = &low[half.trailing_zeros() as usize][start / 2..][..half];
    let (without, with) = values.split_at_mut(half);
    upwards(without, start, low);
    with.iter_mut()
        .zip(without)
        .zip(best)
        .for_each(|((with, without), best)| *with = lower(*with, *without + best));
    upwards(with, start + half, low);
}

/// Settles the sets of a block from those with more low variables.
fn downwards(values: &mut [f64], start: usize, low: &[Vec<f64>]) {
    let half = values.len() / 2;
    if half == 0 {
        return;
    }
    let best = &low[half.trailing_zeros() as usize][start / 2..][..half];
    let (without, with) = values.split_at_mut(half);
    downwards(with, start + half, low);
    without
        .iter_mut()
        .zip(with)
        .zip(best)
        .for_each(|((without, with), best)| *without = lower(*without, *with + best));
    downwards(without, start, low);
}
