//! An arithmetic (range) coder, within hundredths of a bit of the ideal code length.
//!
//! A range coder after Martin (1979) with 64-bit numbers: carries run back through the bytes that are written already.

/// The largest total of units.
pub(super) const MAX_TOTAL: u64 = 1 << 48;

/// The range is rescaled when it falls below this, so that one unit is never an empty interval.
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

    /// Encodes the symbol with the interval `start` to `end` of `total`.
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

/// Decodes what an [`Encoder`] wrote, given the same intervals.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    /// The offset of the code within the range.
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

    /// The unit of `total` in which the next symbol lies.
    pub(super) fn target(&self, total: u64) -> u64 {
        let product = (u128::from(self.offset) + 1) * u128::from(total) - 1;
        ((product / u128::from(self.range)) as u64).min(total - 1)
    }

    /// Advances past the symbol with the interval `start` to `end` of `total`.
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
        /// Any symbols with any probabilities are decoded, and take as many bytes as predicted.
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
        // A thousand times the upper end of the range, then the last symbol.
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
