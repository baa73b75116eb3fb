//! An arithmetic coder: symbols as intervals of shares, written within hundredths of a bit of what their shares promise.
//!
//! A range coder after Martin (1979) with 64-bit numbers: carries run back through the bytes that are written already.

/// All shares are counted in units of which there are so many at the most.
pub(super) const MAX_TOTAL: u64 = 1 << 48;

/// A range is made longer as soon as it is shorter than this, so that a share of one unit is an interval that is not empty.
const SHORTEST: u64 = 1 << 56;

/// Writes symbols.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { low: 0, range: u64::MAX, bytes: Vec::new() }
    }

    /// Writes the symbol that has the shares from `start` to `end` of `total`.
    pub(super) fn encode(&mut self, start: u64, end: u64, total: u64) {
        debug_assert!(start < end && end <= total && total <= MAX_TOTAL);
        let (below, above) = (part(self.range, start, total), part(self.range, end, total));
        self.add(below);
        self.range = above - below;
        while self.range < SHORTEST {
            self.shift();
            self.range <<= 8;
        }
    }

    /// All bytes: a number from the last interval, as short as it can be.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.add(SHORTEST - 1);
        self.shift();
        // What follows the end is read as zeros.
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }

    fn add(&mut self, more: u64) {
        let (low, is_carried) = self.low.overflowing_add(more);
        self.low = low;
        if is_carried {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    fn shift(&mut self) {
        self.bytes.push((self.low >> 56) as u8);
        self.low <<= 8;
    }
}

/// Reads what an [`Encoder`] wrote, if it is asked with the same shares.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    /// How far in the range what was written lies.
    offset: u64,
    range: u64,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { offset: 0, range: u64::MAX, bytes };
        (0..8).for_each(|_| decoder.shift());
        decoder
    }

    /// The next symbol is the one that has this unit of `total`.
    pub(super) fn target(&self, total: u64) -> u64 {
        let product = (u128::from(self.offset) + 1) * u128::from(total) - 1;
        ((product / u128::from(self.range)) as u64).min(total - 1)
    }

    /// Goes on after the symbol that has the shares from `start` to `end` of `total`.
    pub(super) fn decode(&mut self, start: u64, end: u64, total: u64) {
        let (below, above) = (part(self.range, start, total), part(self.range, end, total));
        self.offset = self.offset.wrapping_sub(below);
        self.range = above - below;
        while self.range < SHORTEST {
            self.shift();
            self.range <<= 8;
        }
    }

    fn shift(&mut self) {
        let next = match self.bytes {
            [first, rest @ ..] => {
                self.bytes = rest;
                *first
            }
            [] => 0,
        };
        self.offset = self.offset << 8 | u64::from(next);
    }
}

fn part(range: u64, share: u64, total: u64) -> u64 {
    (u128::from(range) * u128::from(share) / u128::from(total)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Any symbols with any shares come back, and take as many bytes as their shares promise.
        #[test]
        fn symbols_come_back_at_their_price(
            symbols in proptest::collection::vec((1u64..MAX_TOTAL, any::<u64>(), any::<u64>()), 0..400),
        ) {
            let interval = |&(total, a, b): &(u64, u64, u64)| {
                let (a, b) = (a % total, b % total);
                (a.min(b), a.max(b) + 1, total)
            };
            let mut encoder = Encoder::new();
            let mut bits = 0.0;
            for symbol in &symbols {
                let (start, end, total) = interval(symbol);
                encoder.encode(start, end, total);
                bits += (total as f64 / (end - start) as f64).log2();
            }
            let bytes = encoder.finish();
            prop_assert!(bytes.len() as f64 <= bits / 8.0 + 1.1 + 0.001 * symbols.len() as f64);
            let mut decoder = Decoder::new(&bytes);
            for symbol in &symbols {
                let (start, end, total) = interval(symbol);
                let target = decoder.target(total);
                prop_assert!((start..end).contains(&target), "{target} is not in {start}..{end}");
                decoder.decode(start, end, total);
            }
        }
    }

    #[test]
    fn carries_run_through_many_bytes_and_rare_symbols_take_few() {
        let mut encoder = Encoder::new();
        // A thousand times the upper end of everything, then the last of all symbols.
        (0..1_000).for_each(|_| encoder.encode(1, MAX_TOTAL, MAX_TOTAL));
        encoder.encode(MAX_TOTAL - 1, MAX_TOTAL, MAX_TOTAL);
        let bytes = encoder.finish();
        assert!(bytes.len() <= 8, "{}", bytes.len());
        let mut decoder = Decoder::new(&bytes);
        (0..1_000).for_each(|_| {
            assert!(decoder.target(MAX_TOTAL) >= 1);
            decoder.decode(1, MAX_TOTAL, MAX_TOTAL);
        });
        assert_eq!(decoder.target(MAX_TOTAL), MAX_TOTAL - 1);
        assert!(Encoder::new().finish().len() <= 1);
    }
}
