//! Sets of variables as bit masks, and tables with a value for every set.

/// Leaves out bit number `child`, which must be 0.
pub(crate) fn squeeze(set: usize, child: usize) -> usize {
    let low = (1 << child) - 1;
    set & low | set >> 1 & !low
}

/// Puts a 0 in the place of bit number `child`; undoes [`squeeze`].
pub(crate) fn unsqueeze(set: usize, child: usize) -> usize {
    let low = (1 << child) - 1;
    set & low | (set & !low) << 1
}

/// The numbers of the one bits, lowest first.
pub(crate) fn members(set: usize) -> impl Iterator<Item = usize> {
    let rest = |&bits: &usize| Some(bits & (bits - 1)).filter(|&left| left != 0);
    std::iter::successors(Some(set).filter(|&set| set != 0), rest).map(|bits| bits.trailing_zeros() as usize)
}

/// Sets that lie together in the cache while their values are spread.
const BLOCK: usize = 1 << 13;

/// The part of a block that is handled at a time for all high bits.
const TILE: usize = 1 << 6;

/// Replaces the value of every set by the minimum over its subsets.
pub(crate) fn spread_minima(values: &mut [f64]) {
    // Sets that differ in low bits lie together: handle those bits while a block is in the cache, then all
    // others tile by tile.
    values.chunks_mut(BLOCK).for_each(spread_block);
    if values.len() > BLOCK {
        (0..BLOCK).step_by(TILE).for_each(|tile| spread_tile(values, tile));
    }
}

fn spread_block(values: &mut [f64]) {
    let mut bit = 1;
    // Three bits at once, in registers.
    if values.len() >= 8 {
        values.chunks_exact_mut(8).for_each(spread_eight);
        bit = 8;
    }
    while bit < values.len() {
        for pair in values.chunks_mut(2 * bit) {
            let (without, with) = pair.split_at_mut(bit);
            lower_all(with, without);
        }
        bit *= 2;
    }
}

/// All high bits for the sets of each block from place `tile` on.
fn spread_tile(values: &mut [f64], tile: usize) {
    let mut bit = BLOCK;
    while bit < values.len() {
        for pair in values.chunks_mut(2 * bit) {
            let (without, with) = pair.split_at_mut(bit);
            for start in (tile..bit).step_by(BLOCK) {
                lower_all(&mut with[start..start + TILE], &without[start..start + TILE]);
            }
        }
        bit *= 2;
    }
}

fn lower_all(values: &mut [f64], others: &[f64]) {
    values.iter_mut().zip(others).for_each(|(value, other)| *value = lower(*value, *other));
}

fn spread_eight(values: &mut [f64]) {
    for bit in [1, 2, 4] {
        for set in (0..8).filter(|set| set & bit != 0) {
            values[set] = lower(values[set], values[set & !bit]);
        }
    }
}

/// The lower of two numbers that are not NaN; one instruction, unlike `f64::min`.
pub(crate) fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_knows_the_minimum_over_its_subsets() {
        for n in 0..17 {
            let values: Vec<f64> = (0..1usize << n).map(|set| ((set * 7919 + 13) % 1009) as f64).collect();
            let mut spread = values.clone();
            spread_minima(&mut spread);
            let some = (0..values.len()).step_by(1 + values.len() / 100);
            for set in some {
                let within = (0..=set).filter(|subset| subset & !set == 0).map(|subset| values[subset]);
                assert_eq!(spread[set], within.fold(f64::INFINITY, f64::min));
            }
        }
    }

    #[test]
    fn leaving_out_a_bit_can_be_undone() {
        for (set, child) in (0..64usize).flat_map(|set| (0..6).map(move |child| (set, child))) {
            let without = set & !(1 << child);
            assert_eq!(unsqueeze(squeeze(without, child), child), without);
            assert!(squeeze(without, child) < 32);
        }
        assert_eq!(members(0b10110).collect::<Vec<_>>(), [1, 2, 4]);
    }
}
