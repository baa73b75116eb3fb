//! Serialises a family's code to bytes and back, to the bit.

use sha2::{Digest, Sha256};

use super::loss_curve::LossCurve;
use super::scorer::FamilyCode;
use crate::base::nats::Nats;

/// Bytes of the checksum at the end.
const N_CHECK: usize = 8;

/// The code as bytes: code length, networks alone, curves, what contexts gain, all little-endian, and a checksum over them and `key`, which
/// says whose code it is. What it took is kept elsewhere.
///
/// SQLite cannot tell -0 from 0 and keeps no checksums; a resumed run must end with the same bytes as an uninterrupted one.
pub(super) fn encode(key: &str, code: &FamilyCode) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(code.length.0.to_le_bytes());
    put_count(&mut bytes, code.by_net.len());
    put_floats(&mut bytes, &code.by_net);
    put_count(&mut bytes, code.curves.len());
    for curve in &code.curves {
        put_count(&mut bytes, curve.cumulative.len());
        put_floats(&mut bytes, &curve.cumulative);
        curve.n_coded.iter().for_each(|&rows| put_count(&mut bytes, rows));
    }
    // Only with contexts: other codes keep their format.
    put_floats(&mut bytes, code.context_gain.as_slice());
    let check = checksum(key, &bytes);
    bytes.extend(check);
    bytes
}

/// The code that `encode` serialised, without its cost; `None` if the bytes are damaged.
pub(super) fn decode(key: &str, bytes: &[u8]) -> Option<FamilyCode> {
    let (bytes, check) = bytes.split_last_chunk::<N_CHECK>()?;
    if checksum(key, bytes) != *check {
        return None;
    }
    let mut rest = bytes;
    let length = Nats(take_float(&mut rest)?);
    let n_nets = take_count(&mut rest)?;
    let by_net = take_floats(&mut rest, n_nets)?;
    let n_curves = take_count(&mut rest)?;
    // Grows while reading: a count larger than the bytes allocates nothing.
    let mut curves = Vec::new();
    for _ in 0..n_curves {
        let n_points = take_count(&mut rest)?;
        let cumulative = take_floats(&mut rest, n_points)?;
        let n_coded = (0..n_points).map(|_| take_count(&mut rest)).collect::<Option<_>>()?;
        curves.push(LossCurve { cumulative, n_coded });
    }
    let context_gain = if rest.is_empty() { None } else { Some(take_float(&mut rest)?) };
    let code = FamilyCode { length, by_net, curves, context_gain, effort: Default::default() };
    rest.is_empty().then_some(code)
}

fn checksum(key: &str, bytes: &[u8]) -> [u8; N_CHECK] {
    let hash = Sha256::new().chain_update(key).chain_update([0]).chain_update(bytes).finalize();
    let mut check = [0; N_CHECK];
    check.copy_from_slice(&hash[..N_CHECK]);
    check
}

/// Row numbers have 32 bits everywhere.
fn put_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend((count as u32).to_le_bytes());
}

fn put_floats(bytes: &mut Vec<u8>, floats: &[f64]) {
    floats.iter().for_each(|float| bytes.extend(float.to_le_bytes()));
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

fn take_count(rest: &mut &[u8]) -> Option<usize> {
    take(rest).map(|bytes| u32::from_le_bytes(bytes) as usize)
}

fn take_float(rest: &mut &[u8]) -> Option<f64> {
    take(rest).map(f64::from_le_bytes)
}

fn take_floats(rest: &mut &[u8], n: usize) -> Option<Vec<f64>> {
    (0..n).map(|_| take_float(rest)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn codes() -> impl Strategy<Value = FamilyCode> {
        let curve = vec((any::<f64>(), 0usize..5_000_000), 0..20).prop_map(|points| {
            let (cumulative, n_coded) = points.into_iter().unzip();
            LossCurve { cumulative, n_coded }
        });
        let parts = (any::<f64>(), vec(any::<f64>(), 0..4), vec(curve, 0..4), any::<Option<f64>>());
        parts.prop_map(|(length, by_net, curves, context_gain)| FamilyCode {
            length: Nats(length),
            by_net,
            curves,
            context_gain,
            effort: Default::default(),
        })
    }

    proptest! {
        #[test]
        fn bytes_round_trip_and_any_change_is_noticed(code in codes(), place in any::<prop::sample::Index>(), bit in 0u32..8) {
            let mut bytes = encode("0|1 2|0", &code);
            let back = decode("0|1 2|0", &bytes).unwrap();
            prop_assert_eq!(encode("0|1 2|0", &back), bytes.clone());
            prop_assert!(decode("0|1 3|0", &bytes).is_none());
            prop_assert!(decode("0|1 2|0", &bytes[..bytes.len() - 1]).is_none());
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
            prop_assert!(decode("0|1 2|0", &bytes).is_none());
        }

        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in vec(any::<u8>(), 0..200)) {
            let _ = decode("key", &bytes);
            // With a valid checksum, the content itself must be refused.
            let check = checksum("key", &bytes);
            bytes.extend(check);
            let _ = decode("key", &bytes);
        }
    }
}
