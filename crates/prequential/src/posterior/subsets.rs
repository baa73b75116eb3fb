//! Sets as bit masks: their subsets, their members, and powers of two.

/// The subsets of a set, each at the position that its bits give when those outside the set are left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Subsets {
    /// The set.
    pub(super) of: u32,
    /// The bits that move down by 1, 2, 4, 8 and 16 places, one after another, on the way to their place.
    moving: [u32; 5],
}

impl Subsets {
    /// The steps are found as in Warren, Hacker's Delight (2012), section 7-4.
    pub(super) fn of(set: u32) -> Subsets {
        let (mut bits, mut zeros_below) = (set, !set << 1);
        let moving = std::array::from_fn(|step| {
            let is_odd = (0..5).fold(zeros_below, |parity, i| parity ^ parity << (1 << i));
            let moving = is_odd & bits;
            bits = bits ^ moving | moving >> (1 << step);
            zeros_below &= !is_odd;
            moving
        });
        Subsets { of: set, moving }
    }

    /// How many there are, the empty one included.
    pub(super) fn len(&self) -> usize {
        1 << self.of.count_ones()
    }

    /// The place of a subset; `None` for what is no subset.
    pub(super) fn place(&self, subset: u32) -> Option<usize> {
        let move_down = |bits: u32, (step, moving): (usize, &u32)| {
            let moved = bits & moving;
            bits ^ moved | moved >> (1 << step)
        };
        (subset & !self.of == 0).then(|| self.moving.iter().enumerate().fold(subset, move_down) as usize)
    }

    /// The number of `node` among the members of the set, if it is one.
    pub(super) fn rank(&self, node: usize) -> Option<usize> {
        let below = self.of & ((1 << node) - 1);
        (self.of >> node & 1 == 1).then_some(below.count_ones() as usize)
    }

    /// All of them, in the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + use<> {
        let (set, mut next) = (self.of, 0);
        (0..self.len()).map(move |_| {
            let subset = next;
            next = (subset | !set).wrapping_add(1) & set;
            subset
        })
    }
}

/// The numbers of the one bits, lowest first.
pub(super) fn members(set: u32) -> impl Iterator<Item = usize> {
    crate::search::members(set as usize)
}

/// Leaves out bit number `child`, which must be 0.
pub(super) fn squeeze(set: u32, child: usize) -> usize {
    let low = (1 << child) - 1;
    (set & low | set >> 1 & !low) as usize
}

/// Puts a zero bit back in at number `child`.
pub(super) fn unsqueeze(place: usize, child: usize) -> u32 {
    let (place, low) = (place as u32, (1 << child) - 1);
    place & low | (place & !low) << 1
}

/// 2 to the power of `exponent`, or 0 if that is below 2^-1022: scaling by it rounds nothing.
///
/// The exponent must be below 1024.
#[inline(always)]
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.max(-1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_has_its_place() {
        for set in [0, 1, 0b1010_0110, 0xffff_f000, 0x8421_8421, u32::MAX >> 16] {
            let subsets = Subsets::of(set);
            assert!(subsets.iter().enumerate().all(|(place, subset)| subsets.place(subset) == Some(place)));
            assert_eq!(subsets.iter().count(), subsets.len());
        }
        assert_eq!(Subsets::of(0b101).place(0b10), None);
    }

    #[test]
    fn squeezing_leaves_out_one_bit() {
        assert_eq!(squeeze(0b1011, 2), 0b111);
        for child in 0..6 {
            assert!((0..32).all(|place| squeeze(unsqueeze(place, child), child) == place));
        }
    }

    #[test]
    fn powers_of_two_are_exact_and_end_in_zero() {
        assert_eq!([0, 3, -2].map(power_of_two), [1.0, 8.0, 0.25]);
        assert_eq!(power_of_two(-1022), f64::MIN_POSITIVE);
        assert_eq!([-1023, -5000, i32::MIN / 2].map(power_of_two), [0.0; 3]);
    }
}
