//! One code path for encoding and decoding: both use the same predictions in the same order.

use super::range_coder::{Decoder, Encoder, MAX_TOTAL};

/// Units in which distributions are counted: fine enough for probabilities of 1e-9, coarse compared with
/// rounding errors.
const TOTAL: u64 = 1 << 44;

/// Units that every symbol has at least: nothing is impossible, and rounding cannot swap two edges.
const LEAST: u64 = 2;

/// Encodes or decodes symbols.
#[derive(Debug)]
pub(super) enum Channel<'a> {
    Write(Encoder),
    Read(Decoder<'a>),
}

impl Channel<'_> {
    /// Codes one of `n` symbols: encodes `symbol`, or decodes one and ignores `symbol`.
    ///
    /// `below` gives the cumulative probability before a symbol; it need only be monotone up to rounding.
    /// Probability before the first and after the last symbol is paid for too: a score does not know the
    /// range of a column.
    pub(super) fn pass(&mut self, symbol: u64, n: u64, below: impl Fn(u64) -> f64) -> u64 {
        let rest = (TOTAL - LEAST * n) as f64;
        // NaN becomes 0.
        let edge = |symbol: u64| (below(symbol).clamp(0.0, 1.0) * rest) as u64 + LEAST * symbol;
        match self {
            Channel::Write(encoder) => {
                encoder.encode(edge(symbol), edge(symbol + 1), TOTAL);
                symbol
            }
            Channel::Read(decoder) => {
                let target = decoder.target(TOTAL);
                // The last symbol whose edge is not above the target.
                let (mut symbol, mut end) = (0, n);
                let (mut low, mut high) = (edge(0), edge(n));
                while end - symbol > 1 {
                    let middle = symbol + (end - symbol) / 2;
                    let at = edge(middle);
                    if at <= target {
                        (symbol, low) = (middle, at);
                    } else {
                        (end, high) = (middle, at);
                    }
                }
                decoder.decode(low, high, TOTAL);
                symbol
            }
        }
    }

    /// Codes one of `n` equally likely symbols.
    pub(super) fn pass_uniform(&mut self, symbol: u64, n: u64) -> u64 {
        // What exceeds the units is coded separately: the first part is long enough to waste almost nothing.
        let n_shifted = (64 - n.saturating_sub(1).leading_zeros()).saturating_sub(48);
        let (first, n_first) = (symbol >> n_shifted, ((n - 1) >> n_shifted) + 1);
        let first = self.pass_equal(first, n_first);
        if n_shifted == 0 {
            return first;
        }
        let mask = (1 << n_shifted) - 1;
        first << n_shifted | self.pass_equal(symbol & mask, mask + 1)
    }

    fn pass_equal(&mut self, symbol: u64, n: u64) -> u64 {
        debug_assert!(n <= MAX_TOTAL);
        match self {
            Channel::Write(encoder) => {
                encoder.encode(symbol, symbol + 1, n);
                symbol
            }
            Channel::Read(decoder) => {
                let symbol = decoder.target(n);
                decoder.decode(symbol, symbol + 1, n);
                symbol
            }
        }
    }

    /// All bytes that were written.
    pub(super) fn finish(self) -> Vec<u8> {
        match self {
            Channel::Write(encoder) => encoder.finish(),
            Channel::Read(_) => Vec::new(),
        }
    }
}

/// An adaptive bit: its probability is learned from the bits before, starting from half a count of each
/// value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LearntBit([u32; 2]);

impl LearntBit {
    /// Codes a bit and learns from it; returns the bit and its cost in nats.
    pub(super) fn pass(&mut self, channel: &mut Channel, bit: bool) -> (bool, f64) {
        let weights = self.0.map(|count| f64::from(count) + 0.5);
        let total = weights[0] + weights[1];
        let below = |symbol: u64| weights.iter().take(symbol as usize).sum::<f64>() / total;
        let bit = channel.pass(u64::from(bit), 2, below) as usize;
        self.0[bit] += 1;
        (bit == 1, -(weights[bit] / total).ln())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_written_is_read(
            numbers in proptest::collection::vec((1u64.., any::<u64>()), 1..60),
            weights in proptest::collection::vec(0.0f64..1.0, 1..40),
            bits in proptest::collection::vec(any::<bool>(), 0..100),
        ) {
            let total: f64 = weights.iter().sum();
            let below = |symbol: u64| weights.iter().take(symbol as usize).sum::<f64>() / total;
            let n = weights.len() as u64;
            let run = |channel: &mut Channel| {
                let mut learnt = LearntBit::default();
                let uniform: Vec<u64> =
                    numbers.iter().map(|&(n, number)| channel.pass_uniform(number % n, n)).collect();
                let shares: Vec<u64> =
                    numbers.iter().map(|(_, number)| channel.pass(number % n, n, below)).collect();
                let bits: Vec<bool> = bits.iter().map(|&bit| learnt.pass(channel, bit).0).collect();
                (uniform, shares, bits)
            };
            let mut writing = Channel::Write(Encoder::new());
            let written = run(&mut writing);
            let bytes = writing.finish();
            prop_assert_eq!(run(&mut Channel::Read(Decoder::new(&bytes))), written);
        }
    }

    #[test]
    fn distributions_with_kinks_and_flat_parts_are_read_as_written() {
        // Two million symbols, of which few have probability, and sums with rounding errors.
        let n = 2_000_000;
        let below = |symbol: u64| match symbol {
            0..1_000 => 1e-9 * symbol as f64,
            1_000..1_500_000 => 0.4 + if symbol.is_multiple_of(2) { 1e-16 } else { 0.0 },
            _ => 0.4 + 0.6 * ((symbol - 1_500_000) as f64 / 500_000.0),
        };
        let symbols = [0, 1, 999, 1_000, 1_001, 777_777, 1_499_999, 1_500_000, 1_999_999];
        let mut writing = Channel::Write(Encoder::new());
        symbols.iter().for_each(|&symbol| {
            writing.pass(symbol, n, below);
        });
        let bytes = writing.finish();
        let mut reading = Channel::Read(Decoder::new(&bytes));
        assert_eq!(symbols.map(|_| reading.pass(0, n, below)), symbols);
    }
}
