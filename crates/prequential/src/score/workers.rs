//! Workers: families are scored by the threads of this process, or by remote workers that receive jobs and
//! return codes as bytes.

use std::fmt;

use super::codec::{decode, encode};
use super::identity::CodeIdentity;
use super::scorer::StoredScore;
use crate::base::error::{Error, Result};
use crate::estimator::Effort;
use crate::graph::NodeSet;

/// Families with the same parents, to be scored together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The numbers of its variables.
    pub parents: Vec<usize>,
    /// The numbers of its variables.
    pub children: Vec<usize>,
}

/// Scores families in other processes or on other machines, invisibly to searches, stores and results.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Has every job done by a [`Worker`](crate::workers::Worker) of the same table and settings, with networks if
    /// requested.
    ///
    /// Calls `done` with the position of each job and its worker's answer, in any order, but from this
    /// thread. Returns when all are done, or soon after `stopped` returns true.
    fn score(
        &self,
        jobs: &[Job],
        networks: bool,
        done: &dyn Fn(usize, &[u8]) -> Result<()>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<()>;
}

impl Job {
    pub(super) fn new(parents: &NodeSet, children: &[usize]) -> Job {
        Job { parents: parents.iter().collect(), children: children.to_vec() }
    }
}

/// What the bytes of a job begin with; the number counts the forms that they have had.
const START: &[u8] = b"prequential codes 2\n";

/// The codes of a job as bytes, after what they depend on.
pub(crate) fn pack(identity: &CodeIdentity, codes: &[StoredScore]) -> Vec<u8> {
    let key = identity.text();
    let mut bytes = START.to_vec();
    bytes.extend((key.len() as u64).to_le_bytes());
    bytes.extend(key.as_bytes());
    for StoredScore { child, order, code, seconds } in codes {
        let code_bytes = encode(key, code);
        let counts = [*child, *order, code.effort.n_trainings, code.effort.n_steps, code_bytes.len()];
        counts.iter().for_each(|&count| bytes.extend((count as u64).to_le_bytes()));
        bytes.extend(seconds.to_le_bytes());
        bytes.extend(code_bytes);
    }
    bytes
}

/// The codes that `pack` made these bytes of, those of a job in parts one after another; those that depend on anything
/// else are refused.
pub(super) fn unpack(identity: &CodeIdentity, bytes: &[u8]) -> Result<Vec<StoredScore>> {
    if !bytes.starts_with(START) {
        return Err(refused("codes that are damaged, or of another version of `prequential`".to_string()));
    }
    let (mut key, mut rest, mut codes) = ("", bytes, Vec::new());
    while !rest.is_empty() {
        match rest.strip_prefix(START) {
            Some(part) => {
                (key, rest) = split_key(part).ok_or_else(damaged)?;
                if let Some(difference) = identity.difference(key) {
                    return Err(refused(format!("code lengths of another run: {difference}")));
                }
            }
            None => codes.push(unpack_one(key, &mut rest).ok_or_else(damaged)?),
        }
    }
    Ok(codes)
}

/// What the codes depend on, and the codes.
fn split_key(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (key, codes) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((std::str::from_utf8(key).ok()?, codes))
}

fn unpack_one(key: &str, rest: &mut &[u8]) -> Option<StoredScore> {
    let mut count = || {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        usize::try_from(u64::from_le_bytes(*head)).ok()
    };
    let (child, order, n_trainings, n_steps, length) = (count()?, count()?, count()?, count()?, count()?);
    let (seconds, tail) = rest.split_first_chunk()?;
    let (code, tail) = tail.split_at_checked(length)?;
    *rest = tail;
    let mut code = decode(key, code)?;
    code.effort = Effort { n_trainings, n_steps };
    Some(StoredScore { child, order, code, seconds: f64::from_le_bytes(*seconds) })
}

fn damaged() -> Error {
    refused("codes that are damaged".to_string())
}

/// The error for codes that lack a row order or a child.
pub(super) fn incomplete() -> Error {
    refused("fewer code lengths than there are families and row orders in its job".to_string())
}

fn refused(what: String) -> Error {
    Error::Worker {
        what: format!("a worker sent {what}"),
        hint: "give all workers the table and settings of the run, the same version of `prequential`, and processors with \
               AVX2 and FMA (or none of them)"
            .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::scorer::FamilyCode;
    use super::*;
    use crate::base::nats::Nats;
    use crate::table::{Quantised, test_tables};

    #[test]
    fn codes_come_back_to_the_bit_and_damage_is_noticed() {
        let effort = Effort { n_trainings: 2, n_steps: 80 };
        let code = FamilyCode {
            length: Nats(-0.0),
            by_net: vec![1.5],
            curves: Vec::new(),
            context_gain: Some(0.25),
            effort,
        };
        let kept = |child, order| StoredScore { child, order, code: code.clone(), seconds: 0.125 };
        let codes = vec![kept(3, 0), kept(3, 1)];
        let table = test_tables::labels(20);
        let seed = |seed: u64| Map::from_iter([("seed".to_string(), json!(seed))]);
        let identity = |value| CodeIdentity::new(&Quantised::new(&table, 4), seed(value));
        let mut bytes = pack(&identity(1), &codes);
        let refusal = |bytes: &[u8], seed| unpack(&identity(seed), bytes).unwrap_err().to_string();
        assert_eq!(unpack(&identity(1), &bytes).unwrap(), codes);
        let parts = [pack(&identity(1), &codes[..1]), pack(&identity(1), &codes[1..])].concat();
        assert_eq!(unpack(&identity(1), &parts).unwrap(), codes);
        assert_eq!(refusal(&bytes, 2), "a worker sent code lengths of another run: `seed` is 1, not 2");
        *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(refusal(&bytes, 1), "a worker sent codes that are damaged");
        // Wherever the bytes end, they are refused, unless nothing but whole codes is missing.
        let n_header = START.len() + 8 + identity(1).text().len();
        let n_code = (bytes.len() - n_header) / 2;
        for length in (0..bytes.len()).filter(|length| ![n_header, n_header + n_code].contains(length)) {
            assert!(refusal(&bytes[..length], 1).starts_with("a worker sent codes that are damaged"));
        }
    }
}
